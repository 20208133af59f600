"""Recorded games played as native ones."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from services.rules.adapters.snapshots import state_bytes
from services.rules.importer.record import NotAGameError, parse
from services.rules.importer.replay import play
from services.rules.kernel.fold import replay as fold_log
from services.rules.titles import TITLES
from tests.dataless import title_data_away
from tests.positions.trains import corrected_revenues
from tests.recorded.compare import Difference, compare
from tests.recorded.documents import (
    EACH_GAME,
    Json,
    act,
    encoded,
    load_document,
    load_trace,
    played,
    record,
    refused,
    replayed,
    run,
    run_of,
)

BOUGHT = act(1, "buy_company", 13, company="EPP", price=120)


@EACH_GAME
def test_recorded_game_replays_to_its_result(shared: Path, name: str) -> None:
    """Every action is accepted, the result is the file's, and the log folds to the same state."""
    replay = played(shared, name)
    assert replay.refusal is None
    assert (replay.accepted, replay.result) == (replay.actions, replay.record.result)
    assert replay.game.finished and replay.matches
    assert fold_log(replay.events) == replay.game


@EACH_GAME
def test_recorded_game_folds_without_the_data_of_its_title(shared: Path, name: str) -> None:
    """The log of a whole game folds to the live state, byte for byte, where no title gives its data."""
    replay = played(shared, name)
    with title_data_away():
        folded = fold_log(replay.events)
    assert state_bytes(folded) == state_bytes(replay.game)


@EACH_GAME
def test_trace_equals_the_recorded_one_after_every_action(shared: Path, name: str) -> None:
    """No field that both traces hold differs in any line, setup and result included."""
    theirs, ours = load_trace(shared, name), played(shared, name).lines
    found = compare(ours, theirs)
    assert not found, first_difference(name, found[0], theirs)
    assert len(ours) == len(theirs)


def first_difference(name: str, found: Difference, theirs: Sequence[Json]) -> str:
    """The game, the action and the field in which two traces first differ."""
    action = theirs[found.line].get("action", {})
    which = f"action {action.get('id')} ({action.get('type')}), line {found.line}"
    return f"{name}: {which}: {found.path} is {found.ours!r} here, {found.theirs!r} there"


def test_a_difference_is_named_by_game_action_and_field() -> None:
    """What the comparison prints first names all three and both values."""
    theirs: list[Json] = [{"n": 0}, {"n": 1, "action": {"id": 7, "type": "pass"}, "bank": 5}]
    ours: list[Json] = [{"n": 0}, {"n": 1, "action": {"id": 7, "type": "pass"}, "bank": 4}]
    (found,) = compare(ours, theirs)
    shown = first_difference("1824/game", found, theirs)
    assert shown == "1824/game: action 7 (pass), line 1: /bank is 4 here, 5 there"


@EACH_GAME
def test_trace_holds_all_fields_but_those_of_the_peer_alone(shared: Path, name: str) -> None:
    """Only the peer's messages, its legal action types and standing orders have no place in our trace."""
    for ours, theirs in zip(played(shared, name).lines[:-1], load_trace(shared, name)[:-1], strict=True):
        assert set(theirs) - set(ours) <= {"log", "legal"}
        assert set(theirs["other"]) - set(ours["other"]) <= {"programs"}
        for symbol, company in theirs["corporations"].items():
            assert set(company) <= set(ours["corporations"][symbol])


@pytest.mark.parametrize("field", ["revenue", "subsidy"])
@pytest.mark.parametrize("name", ["1824/p5-s207", "1862/p5-s111"])
def test_a_forged_revenue_is_refused(shared: Path, name: str, field: str) -> None:
    """Revenue is computed here: a file that books more for the same routes is refused at that run."""
    data = load_document(shared, name)
    forged = run_of(data)
    booked_for_the_run = field == "subsidy" and name.startswith("1824")
    target = forged if booked_for_the_run else forged["routes"][0]
    target[field] += 10
    replay = run(parse(encoded(data)))
    assert refused(replay)[1] == "recorded_revenue_differs"
    assert replay.refusal is not None and replay.refusal.id == forged["id"]
    assert replay.refusal.rejection.clause.startswith(name[:5])


def test_a_revenue_that_differs_may_be_booked_as_recorded(shared: Path) -> None:
    """With `as_recorded` the file's figure counts, by a marked event, and the difference is listed."""
    data = load_document(shared, "1824/p5-s207")
    forged = run_of(data)
    forged["routes"][0]["revenue"] += 20
    data["actions"] = [each for each in data["actions"] if each["id"] <= forged["id"]]
    honest, replay = run(parse(encoded(data))), run(parse(encoded(data)), as_recorded=True)
    assert replay.refusal is None and len(replay.corrections) == 1
    correction = replay.corrections[0]
    assert (correction.company, correction.recorded - correction.ours) == (forged["entity"], 20)
    assert corrected_revenues(replay.events) == [(forged["entity"], correction.recorded)]
    assert replay.folds and honest.refusal is not None


def test_a_recorded_revenue_beyond_any_game_is_refused(shared: Path) -> None:
    """Not even `as_recorded` books a figure outside what a run can mean."""
    data = load_document(shared, "1824/p5-s207")
    run_of(data)["routes"][0]["revenue"] = -10
    assert refused(run(parse(encoded(data)), as_recorded=True))[1] == "value_out_of_range"


@pytest.mark.parametrize("name", ["1824/p3-s201", "1824/p5-s207", "1862/p5-s111"])
def test_a_wrong_result_does_not_match(shared: Path, name: str) -> None:
    """A game whose file states another result is accepted action by action, but does not match."""
    data = load_document(shared, name)
    data["result"]["1"] += 1
    replay = run(parse(encoded(data)))
    assert replay.accepted == replay.actions and not replay.matches


def test_players_may_stop_by_hand() -> None:
    """`end_game` ends the game with what everybody is worth: 820 each at the start of a game of three."""
    replay = replayed(act(1, "end_game"))
    assert replay.matches and replay.game.ending == "manually_ended"
    assert replay.result == {"11": 820, "12": 820, "13": 820}


def test_nothing_is_accepted_after_the_end() -> None:
    """A finished game takes no action."""
    assert refused(replayed(act(1, "end_game"), act(2, "pass"))) == (2, "game_finished")
    assert refused(replayed(act(1, "end_game"), act(2, "end_game"))) == (2, "game_finished")


def test_chat_and_standing_orders_change_nothing() -> None:
    """Messages and programs are accepted without an event, each with its own trace line."""
    quiet = [
        act(1, "message"),
        act(2, "program_share_pass"),
        act(3, "program_disable"),
        act(4, "program_buy_shares"),
        act(5, "program_merger_pass"),
        act(6, "program_auction_bid"),
    ]
    replay, nothing = replayed(*quiet, traced=True), replayed()
    assert replay.accepted == len(quiet) and replay.events == nothing.events
    assert [line.get("n") for line in replay.lines] == [*range(len(quiet) + 1), None]


def test_derived_actions_follow_the_action_that_carries_them() -> None:
    """`auto_actions` are played in order right after their action and share its trace line."""
    derived = {"type": "pass", "entity": 12, "entity_type": "player"}
    replay = replayed(act(1, "pass", 13, auto_actions=[derived]), act(2, "pass", 11), traced=True)
    assert replay.refusal is None and replay.accepted == 2
    assert [line["active"] for line in replay.lines[:-1]] == [[13], [11], [11]]


def test_a_refused_derived_action_is_named() -> None:
    """The refusal tells the carrying action's id and the derived action's type."""
    derived = {"type": "buy_company", "entity": 11, "entity_type": "player", "company": "EPP", "price": 120}
    replay = replayed(act(6, "pass", 13, auto_actions=[derived]))
    assert refused(replay) == (1, "not_your_turn")
    assert replay.refusal is not None and (replay.refusal.id, replay.refusal.type) == (6, "buy_company")


@pytest.mark.parametrize(
    ("action", "code"),
    [
        (act(2, "buy_company", 13, company="EOD", price=120), "not_your_turn"),
        (act(2, "buy_company", 99, company="EOD", price=120), "not_a_player"),
        (act(2, "buy_company", 12, company="XX", price=120), "unknown_company"),
        (act(2, "buy_company", 12, company="EOD", price=130), "price_not_offered"),
        (act(2, "buy_company", 12, company="EOD", price=-(10**30)), "value_out_of_range"),
        (act(2, "buy_company", 12, company="EPP", price=120), "company_not_offered"),
        (act(2, "buy_shares", 12, shares=["BH_99"], percent=10), "unknown_certificate"),
        (act(2, "buy_shares", 12, shares=["BH"], percent=10), "unknown_company"),
        (act(2, "buy_shares", 12, shares=[], percent=10), "unknown_certificate"),
        (act(2, "buy_shares", 12, shares=["SD_3", "KK_3"], percent=20), "unknown_certificate"),
        (act(2, "buy_shares", 12, shares=["SD_3", "SD_4"], percent=20), "already_bought"),
        (act(2, "par", 12, corporation="BH", share_price="100"), None),
        (act(2, "par", 12, corporation="BH", share_price="cheap"), "price_not_offered"),
        (act(2, "special_buy", 12, description="B1"), "1824.exchange_not_possible"),
        (act(2, "special_buy", 12, description="XX"), "unknown_company"),
        (act(2, "lay_tile", "EPP", hex="B5", tile="6", rotation=3), "unknown_tile"),
        (act(2, "lay_tile", "EPP", hex="B5", tile="6-0", rotation=3), "not_your_turn"),
        (act(2, "place_token", "EPP", city="6-0", slot=0), "unknown_city"),
        (act(2, "place_token", "EPP", city="E12-0-1", slot=0), "unknown_city"),
        (act(2, "dividend", "EPP", kind="hudson"), "dividend_kind"),
        (act(2, "choose", 12, choice="Return one token"), "wrong_step"),
        (act(2, "bid", 12, corporation="BH", price=100), "recorded_action_unknown"),
        (act(2, "convert", "EPP"), "recorded_action_unknown"),
        (act(2, "payoff_player_debt", 12), None),
        (act(2, "run_routes", "XX", routes=[]), "unknown_company"),
    ],
)
def test_forged_actions_are_refused_with_their_reason(action: Json, code: str | None) -> None:
    """A wrong player or action is refused with its own code, and the game is unchanged."""
    replay, before = replayed(BOUGHT, action), replayed(BOUGHT)
    if code is None:
        assert replay.refusal is None or replay.refusal.rejection.code
    else:
        assert refused(replay) == (2, code)
        assert replay.game == before.game and replay.accepted == 1


def test_a_table_that_cannot_be_set_up_is_no_game() -> None:
    """Too few players or an unknown option: refused before the first action."""
    with pytest.raises(NotAGameError, match="cannot be played by so many"):
        run(record(players=[{"id": 1}, {"id": 2}], result={}))
    with pytest.raises(NotAGameError, match="no such option"):
        run(record(settings={"optional_rules": ["hungary_alone"]}))


def test_progress_is_reported_after_every_action() -> None:
    """The callback hears how many of how many actions are done."""
    reported: list[tuple[int, int]] = []
    replayed(
        act(1, "pass", 13), act(2, "pass", 12), on_progress=lambda done, total: reported.append((done, total))
    )
    assert reported == [(1, 2), (2, 2)]


def test_seconds_are_read_from_the_clock_given() -> None:
    """Time spent in `decide` and in folding is measured by the caller's clock."""
    ticks = iter(range(100))
    replay = play(record(act(1, "pass", 13)), TITLES["1824"], lambda: float(next(ticks)))
    assert (replay.decide_seconds, replay.fold_seconds) == (1.0, 1.0)
