"""Where services meet in one process: the ledger's hold, its catching up, and set-up for the lobby."""

from __future__ import annotations

from dataclasses import replace

import pytest
from prometheus_client import CollectorRegistry

from services.gen.signalbox.log.v1.log_pb2 import GameStatus, PlayerResult
from services.host.game_starting import RulesCatalogue, RulesStarter
from services.host.in_process import LedgerFollower, RulesLog
from services.ledger.adapters.alarm import TelemetryAlarm
from services.ledger.adapters.memory import MemoryBookStore
from services.ledger.handlers import Ledger
from services.lobby.domain.catalogue import RulingChoice, RulingSelection
from services.lobby.domain.games import GameResult, GameStatus as LobbyStatus
from services.lobby.domain.players import Player
from services.lobby.ports import GameStartFailed, GameStartRefused
from services.lobby.statuses import status_from
from services.rules.bootstrap import bootstrap_rules
from services.rules.kernel.commands import Pass
from services.rules.status import balances_of, status_of
from services.rules.titles import TITLES
from services.rules.titles.g1824.commands import RepayDebt
from tests.rules.conftest import TITLES as TINY_TITLES, Desk

PLAYERS = tuple(Player(name, name.title()) for name in ("ann", "bob", "cy"))


@pytest.fixture
def desk() -> Desk:
    """A service with one small game."""
    desk = Desk()
    desk.create()
    return desk


def ledger_of(desk: Desk) -> Ledger:
    """A ledger that knows nothing yet."""
    return Ledger(MemoryBookStore(), RulesLog(desk.rules), desk.rules, TelemetryAlarm(CollectorRegistry()))


def test_a_ledger_that_comes_late_reads_what_it_missed(desk: Desk) -> None:
    """From the log, at the next command; books and rules then agree."""
    desk.play_some(2)
    ledger = ledger_of(desk)
    desk.rules.add_follower(LedgerFollower(ledger))
    last = desk.do("ann", RepayDebt(3))
    with ledger.reading("g") as book:
        assert book.sequence == last
    assert ledger.holds() == ()


def test_a_difference_holds_the_game_until_it_is_released(desk: Desk) -> None:
    """A report that differs by one coin stops all commands of this game."""
    ledger = ledger_of(desk)
    game = desk.game()
    tiny = TINY_TITLES["tiny"]
    data = tiny.load((), {})
    status, honest = status_of("g", tiny, data, game), balances_of(data, game)
    follower = LedgerFollower(ledger)
    follower.follow("g", desk.rules.reader.events("g"), status, honest)
    assert ledger.hold_of("g") is None
    follower.follow("g", [], status, replace(honest, cash={**honest.cash, "ann": 101}))
    assert desk.refusal("ann", Pass()).rejection.code == "ledger_hold"
    ledger.release("g")
    desk.do("ann", Pass())


def test_a_status_reaches_the_lobby_complete() -> None:
    """Every field that is for it."""
    status = GameStatus(
        schema_version=2,
        game_id="g",
        sequence=9,
        title="1824",
        players=("ann", "bob"),
        acting_players=("bob",),
        round_kind="stock",
        turn=2,
        round_number=1,
        phase="3",
        actor="bob",
        ending="bank",
        results=[PlayerResult(player="ann", value=12), PlayerResult(player="bob", value=4)],
        recorded_time_ms=1_700_000_000_000,
    )
    assert status_from(status) == LobbyStatus(
        game_id="g",
        sequence=9,
        title="1824",
        players=("ann", "bob"),
        acting_players=("bob",),
        round_kind="stock",
        turn=2,
        round_number=1,
        phase="3",
        actor="bob",
        ending="bank",
        results=(GameResult("ann", 12), GameResult("bob", 4)),
        time_ms=1_700_000_000_000,
    )


def test_no_events_for_a_game_that_does_not_exist(desk: Desk) -> None:
    """The ledger may ask for any id."""
    assert list(RulesLog(desk.rules).events("nowhere", 0)) == []


def test_the_lobby_is_offered_what_is_installed() -> None:
    """Player counts, options and rulings are the title's; other titles are unknown."""
    offer = RulesCatalogue(TITLES).offer("1824")
    assert offer is not None
    assert offer.player_counts == (2, 3, 4, 5, 6)
    assert {option.option_id: option.player_counts for option in offer.options} == {
        "goods_time": (3, 4, 5, 6),
        "cisleithania": (2, 3),
    }
    assert {ruling.ruling_id for ruling in offer.rulings} == {
        ruling.name for ruling in TITLES["1824"].rulings
    }
    assert RulesCatalogue(TITLES).offer("1899") is None


def test_a_table_of_the_lobby_becomes_a_game_with_its_rulings(desk: Desk) -> None:
    """The profile sets the rulings, a single one beside it wins; starting again changes nothing, even with other choices."""
    rules, _ = bootstrap_rules(
        log=desk.log, snapshots=desk.snapshots, solver=desk.solver, registry=CollectorRegistry()
    )
    starter = RulesStarter(rules, TITLES)
    ruling = TITLES["1824"].rulings[0]
    chosen = RulingSelection("18xx.games", (RulingChoice(ruling.name, ruling.values[0]),))
    for _ in range(2):
        starter.start_game("table", "1824", PLAYERS, (), chosen, "free", 3)
    game = rules.reader.game_at("table").game
    assert game.players == ("ann", "bob", "cy")
    assert (game.undo_policy, game.seed) == ("free", 3)
    expected = {each.name: each.peer for each in TITLES["1824"].rulings} | {ruling.name: ruling.values[0]}
    assert game.rulings == expected
    starter.start_game("table", "1824", PLAYERS, (), chosen, "none", 3)
    assert rules.reader.game_at("table").game is game
    with pytest.raises(GameStartFailed):
        starter.start_game("other", "1899", PLAYERS, (), chosen, "free", 3)


def test_the_rules_refusal_lasts_and_a_missing_title_does_not(desk: Desk) -> None:
    """A title that rules does not have may be on its other replicas, or come with other settings."""
    rules, _ = bootstrap_rules(
        log=desk.log, snapshots=desk.snapshots, solver=desk.solver, registry=CollectorRegistry()
    )

    def start_beginners(starter: RulesStarter) -> None:
        starter.start_game("g1", "1862", PLAYERS, ("beginners",), RulingSelection(), "free", 3)

    with pytest.raises(GameStartRefused, match="beginners needs simple_express") as refused:
        start_beginners(RulesStarter(rules, TITLES))
    assert (refused.value.code, refused.value.clause) == ("unknown_option", "1862/11.3-a")
    with pytest.raises(GameStartFailed, match="no such title"):
        start_beginners(RulesStarter(desk.rules, TITLES))
    with pytest.raises(GameStartFailed, match="not installed here"):
        start_beginners(RulesStarter(rules, {}))
