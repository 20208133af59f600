"""Clocks of tables beside their games: charged as the game goes, acting once about overdue turns, after deaths and in races."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from services.common.errors import Unavailable
from services.lobby.domain.clocks import PlayerClock, TurnEnd, turn_ends
from services.lobby.domain.games import HoldChange
from services.lobby.domain.time_control.policy import ClockPolicy, ExpiryStep, MoneyPenalty
from services.lobby.handlers.following import FollowedGames
from services.lobby.ports import always_fresh
from services.rules.kernel.directing.commands import Direct, Resume, Suspend
from services.rules.requests import CommandAccepted, Request
from tests.host.clock_races import POLICY as RACING, run_races
from tests.host.clocked_games import BANK, GAME, SECOND, ClockedGame
from tests.mortal_log import Killed

RACES = 100
RACES_OF_SOAK = 10_000


def left_seconds(table: ClockedGame) -> dict[str, int]:
    """The banks."""
    assert table.clocks.charged is not None
    return {each.seat: each.bank.left_ms // SECOND for each in table.clocks.charged.clocks}


def test_a_turn_is_charged_and_passes_when_it_is_overdue() -> None:
    """Ann uses 30 of 100 seconds; Bob is passed after his 100, then Ann after her 70."""
    table = ClockedGame()
    table.clock.advance(30 * SECOND)
    table.passes("ann", "a1", table.game.sequence)
    assert left_seconds(table) == {"ann": BANK - 30, "bob": BANK}
    table.wait(BANK - 1)
    assert table.game.actor == "bob"
    table.wait(1)
    assert table.game.actor == "ann"
    table.wait(70)
    assert table.game.actor == "bob"
    assert left_seconds(table) == {"ann": 0, "bob": 0}


def test_a_suspended_game_charges_nothing() -> None:
    """Ten seconds, a day of suspension, and the rest of the turn."""
    table = ClockedGame()

    def direct(command: Direct, request_id: str) -> None:
        result = table.rules.execute(Request(GAME, "olga", request_id, 0, command))
        assert isinstance(result, CommandAccepted)

    table.wait(10)
    direct(Direct(Suspend(), "a storm"), "d1")
    table.wait(86_400)
    assert table.clocks.steps == ()
    direct(Direct(Resume(), "it is over"), "d2")
    table.wait(BANK - 11)
    assert table.game.actor == "ann"
    table.wait(1)
    assert table.game.actor == "bob"


def test_a_held_game_charges_nothing() -> None:
    """Ten seconds, a day in which the ledger holds the game, and the rest of the turn; a restart in the middle of it, after
    which the ledger says all of it again."""
    table = ClockedGame()
    changes: list[HoldChange] = []

    def held(is_held: bool) -> None:
        changes.append(HoldChange(GAME, is_held, table.clock.now_ms()))
        table.lobby.holds.add(changes[-1])

    table.wait(10)
    held(True)
    table.wait(43_200)
    assert table.clocks.is_paused
    table.open()
    for change in changes:
        table.lobby.holds.add(change)
    table.wait(43_200)
    assert table.clocks.steps == ()
    held(False)
    for change in changes:
        table.lobby.holds.add(change)
    table.wait(BANK - 11)
    assert table.game.actor == "ann"
    table.wait(1)
    assert table.game.actor == "bob"
    assert [kind for _, kind in table.kinds() if kind in ("clocks_held", "clocks_released")] == [
        "clocks_held",
        "clocks_released",
    ]


def test_a_limit_of_turns_stands_still_while_the_game_is_held() -> None:
    """Ten seconds, a day in which the ledger holds the game, a restart, and the rest of the turn; the thinking time of the turn
    is without that day."""
    table = ClockedGame(turn_seconds=BANK)

    def overdue() -> list[tuple[str, int]]:
        found = table.lobby.directory.get(table.table_id)
        return [(each.player_id, each.sequence) for each in found.overdue] if found else []

    def clock() -> PlayerClock:
        summary = table.lobby.summaries.get(table.game_id)
        assert summary is not None
        return summary.clocks[0]

    def end() -> TurnEnd:
        holds, now_ms = table.clocks.holds, table.clock.now_ms()
        return turn_ends((clock(),), BANK, now_ms, holds)["ann"]

    table.wait(10)
    assert end() == TurnEnd(BANK * SECOND, (BANK - 10) * SECOND)
    table.lobby.holds.add(HoldChange(GAME, True, table.clock.now_ms()))
    table.wait(43_200)
    table.open()
    table.wait(43_200)
    assert (overdue(), end()) == ([], TurnEnd(0, (BANK - 10) * SECOND))
    table.lobby.holds.add(HoldChange(GAME, False, table.clock.now_ms()))
    table.wait(BANK - 11)
    assert (overdue(), end().left_ms) == ([], SECOND)
    table.wait(1)
    assert overdue() == [("ann", clock().asked_sequence)]
    table.passes("ann", "late", table.game.sequence)
    assert clock().used_ms == BANK * SECOND


def test_a_missed_hold_and_a_missed_release_are_found() -> None:
    """By comparing with the games that the ledger holds; nothing changes while these are not known."""
    table = ClockedGame()
    for held, is_paused in (({GAME, "other"}, True), (None, True), ({"other"}, False), (None, False)):
        table.lobby.compare_holds(lambda held=held: held)  # type: ignore[misc]
        table.wait(1)
        assert table.clocks.is_paused is is_paused


def test_what_cannot_be_written_is_written_later() -> None:
    """The log does not answer once."""
    table = ClockedGame()
    table.lobby.holds.add(HoldChange(GAME, True, 5 * SECOND))
    table.log.left = 1
    with pytest.raises(Killed):
        table.wait(BANK)
    table.log.left = 0
    table.wait(1)
    assert table.clocks.hold_changed_ms == 5 * SECOND
    (clock,) = table.clocks.asked
    assert clock.asked is not None
    assert clock.asked.spent_ms == 5 * SECOND


def test_the_director_step_suspends_once_and_a_substitute_takes_the_seat() -> None:
    """A minute later than the other, each at its own time; what the bot takes is not overdue."""
    steps = (ExpiryStep("substitute"), ExpiryStep("director", 60))
    table = ClockedGame(ClockPolicy(bank=BANK, on_expiry=steps))
    table.wait(BANK)
    assert table.game.bearer_of("ann").account == "house-bot-1"
    # A bot moves by itself; here none runs.
    table.wait(60)
    assert not table.game.suspended
    table.passes("house-bot-1", "b1", table.game.sequence)
    assert table.clocks.charged is not None
    assert [(each.seat, each.bank.overdue_ms) for each in table.clocks.charged.clocks] == [
        ("ann", 0),
        ("bob", 0),
    ]
    other = ClockedGame(ClockPolicy(bank=BANK, on_expiry=steps[1:]))
    other.wait(BANK)
    other.wait(60)
    assert other.game.suspended
    sequence = other.game.sequence
    other.wait(600)
    assert other.game.sequence == sequence


def test_who_forfeits_is_last() -> None:
    """Bob has what he is worth when Ann's turn is overdue; the author of the end is the clock."""
    table = ClockedGame(ClockPolicy(bank=BANK, on_expiry=(ExpiryStep("forfeit"),)))
    worth = table.game.money("bob")
    table.wait(BANK)
    assert table.game.finished
    assert [(each.player, each.value) for each in table.game.scores] == [("bob", worth), ("ann", 0)]
    (decision,) = table.game.decisions
    assert (decision.kind, decision.author) == ("end_game", "house-clock")
    table.wait(BANK)
    assert len(table.game.decisions) == 1


def test_reminders_are_given_once() -> None:
    """At half of the time and at nine tenths, also after a restart."""
    table = ClockedGame()
    table.wait(BANK // 2)
    table.open()
    table.wait(0)
    table.wait(BANK // 2 - 1)
    assert [each.hundredths for each in table.clocks.reminded] == [50, 90]


def test_a_step_waits_for_rules() -> None:
    """Rules does not answer; the step is carried out later, with the request id it had."""
    table = ClockedGame()
    table.before_directing = unavailable
    table.wait(BANK)
    (pending,) = table.clocks.pending
    table.before_directing = int
    assert table.game.actor == "ann"
    table.wait(60)
    assert table.game.actor == "bob"
    assert [each.request_id for each in table.log.requests("game/g") if each.player == "house-clock"] == [
        pending.request_id
    ]


def unavailable() -> None:
    """Rules is away."""
    raise Unavailable("away")


@pytest.mark.parametrize("has_caught_up", [True, False], ids=["caught up", "not yet"])
def test_of_what_was_missed_each_instant_is_charged(has_caught_up: bool) -> None:
    """Three moves that the lobby did not hear of before it died, and one right after it is back: each player is charged for the
    own turns."""
    table = ClockedGame()
    table.open_rules()
    for number, seat in enumerate(("ann", "bob", "ann")):
        table.clock.advance((number + 1) * 10 * SECOND)
        table.passes(seat, f"m{number}", table.game.sequence)
    table.open(has_caught_up)
    table.clock.advance(5 * SECOND)
    table.passes("bob", "m3", table.game.sequence)
    assert left_seconds(table) == {"ann": BANK - 40, "bob": BANK - 25}


def test_what_overdue_turns_cost_stands_at_the_end() -> None:
    """Ann is 20 seconds late in a turn that nothing ends but herself."""
    table = ClockedGame(ClockPolicy(bank=BANK, on_expiry=(), penalty=MoneyPenalty(5, 10)))
    table.wait(BANK + 20)
    table.passes("ann", "a1", table.game.sequence)
    assert table.clocks.charged is not None
    assert {each.seat: each.bank.overdue_ms for each in table.clocks.charged.clocks}["ann"] == 20 * SECOND


def killed(table: ClockedGame, number: int, is_written: bool, act: Callable[[], None]) -> bool:
    """Whether the process was killed at that append; it is started again."""
    table.log.left, table.log.is_written = number, is_written
    try:
        act()
    except Killed:
        table.open()
        return True
    finally:
        table.log.left = 0
    return False


@pytest.mark.parametrize("is_written", [False, True])
@pytest.mark.parametrize(
    "action", ["standing_policy_pass", "standing_policy_least", "director", "substitute", "forfeit"]
)
def test_an_expiry_survives_death_at_every_append(action: str, is_written: bool) -> None:
    """Reminders, the step, its effect, the charge, its outcome: the log is that of an undisturbed process."""
    policy = ClockPolicy(bank=BANK, on_expiry=(ExpiryStep(action),))  # type: ignore[arg-type]
    undisturbed = ClockedGame(policy)
    undisturbed.wait(BANK)
    undisturbed.wait(60)
    deaths = 0
    for number in range(1, 20):
        table = ClockedGame(policy)
        if not killed(table, number, is_written, lambda table=table: table.wait(BANK)):  # type: ignore[misc]
            break
        deaths += 1
        table.wait(0)
        table.wait(60)
        assert sorted(table.kinds()) == sorted(undisturbed.kinds()), number
        assert table.game == undisturbed.game
    assert deaths >= 3


def begun(number: int) -> tuple[ClockedGame, FollowedGames]:
    """Two lobbies over one log."""
    table = ClockedGame(RACING)
    return table, table.lobby_over(table.log, always_fresh)


def test_of_a_move_and_its_expiry_one_has_effect() -> None:
    """In every order, with two lobbies."""
    assert run_races(RACES, begun) == {"player", "clock"}


@pytest.mark.soak
def test_of_ten_thousand_moves_and_their_expiries_one_has_effect() -> None:
    """The same, for long."""
    assert run_races(RACES_OF_SOAK, begun) == {"player", "clock"}
