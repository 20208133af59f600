"""Clocks of tables: charged once from the positions of a game, paused, overdue turns, and their race against moves."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import reduce

import pytest
from hypothesis import given, strategies as st
from msgspec.structs import replace

from services.lobby.domain.clock_charging import Position, decide_charge, decide_hold
from services.lobby.domain.clock_expiry import decide_due, decide_settled, next_due_ms
from services.lobby.domain.clock_view import seat_times
from services.lobby.domain.table_clocks import (
    ClockEvent,
    ExpiryDecided,
    ExpiryOutcome,
    PlayingTime,
    SeatClock,
    TableClocks,
    TimeGranted,
    TurnKey,
    TurnReminded,
    evolve_clocks,
)
from services.lobby.domain.time_control.bank import Bank
from services.lobby.domain.time_control.policy import ClockPolicy, ExpiryStep, MoneyPenalty

SECOND = 1000
SEATS = ("ann", "bob")
ALWAYS = PlayingTime()
POLICY = ClockPolicy(bank=100, increment=10, reminders=(), on_expiry=(ExpiryStep("standing_policy_pass"),))
RACES = 10_000


def at(sequence: int, seconds: int, *asked: str, actor: str = "", is_suspended: bool = False) -> Position:
    """The game after an event; the first asked seat has the turn."""
    key = TurnKey("stock", 1, 1, actor or (asked[0] if asked else ""))
    return Position(sequence, seconds * SECOND, SEATS, asked, key, is_suspended=is_suspended)


def after(clocks: TableClocks, *positions: Position) -> TableClocks:
    """The clocks after these positions."""
    for position in positions:
        for event in decide_charge(POLICY, clocks, position, ALWAYS):
            clocks = evolve_clocks(clocks, event)
    return clocks


def due(
    clocks: TableClocks,
    sequence: int,
    now_ms: int,
    policy: ClockPolicy = POLICY,
    without: tuple[str, ...] = (),
) -> tuple[ExpiryDecided, ...]:
    """The steps about overdue turns; there are no reminders."""
    decided = decide_due(policy, clocks, "g1", sequence, ALWAYS, now_ms, without)
    return tuple(each for each in decided if isinstance(each, ExpiryDecided))


def clock(clocks: TableClocks, seat: str) -> SeatClock:
    """The clock of a seat."""
    assert clocks.charged is not None
    return next(each for each in clocks.charged.clocks if each.seat == seat)


def test_a_turn_is_charged_once_when_it_ends() -> None:
    """Ann thinks for 30 s in two moves; repeated and late positions change nothing."""
    positions = (at(1, 0, "ann"), at(2, 20, "ann"), at(3, 30, "bob"))
    clocks = after(TableClocks(), *positions)
    assert clock(clocks, "ann") == SeatClock("ann", Bank(80 * SECOND, 30 * SECOND))
    assert after(clocks, *positions, *positions) == clocks


def test_a_suspended_game_pauses_the_turn_at_hand() -> None:
    """20 s, a suspension of a day, 10 s: one turn of 30 s with one increment."""
    day = 86_400
    paused = after(TableClocks(), at(1, 0, "ann"), at(2, 20, actor="ann", is_suspended=True))
    assert due(paused, 2, day * SECOND) == ()
    resumed = after(paused, at(3, 20 + day, "ann"))
    assert due(resumed, 3, (day + 99) * SECOND) == ()
    assert len(due(resumed, 3, (day + 100) * SECOND)) == 1
    assert clock(after(resumed, at(4, 30 + day, "bob")), "ann").bank == Bank(80 * SECOND, 30 * SECOND)


def hold(clocks: TableClocks, is_held: bool, seconds: int) -> TableClocks:
    """The clocks after the ledger holds or releases the game."""
    for event in decide_hold(POLICY, clocks, is_held, seconds * SECOND, ALWAYS):
        clocks = evolve_clocks(clocks, event)
    return clocks


def test_a_held_game_pauses_the_turn_at_hand() -> None:
    """Whether it is suspended as well, before, meanwhile or beyond; a move that is heard late is charged up to the hold."""
    begun = after(TableClocks(), at(1, 0, "ann"))
    held = hold(begun, True, 20)
    assert (held.is_paused, due(held, 1, 5_000 * SECOND), hold(held, True, 30)) == (True, (), held)
    released = hold(held, False, 1_020)
    assert len(due(released, 1, 1_100 * SECOND)) == 1
    assert due(released, 1, 1_099 * SECOND) == ()
    late = hold(after(held, at(2, 19, "bob")), False, 1_020)
    assert clock(late, "ann").bank.used_ms == 20 * SECOND
    assert clock(after(late, at(3, 1_050, "ann")), "bob").bank.used_ms == 30 * SECOND
    suspended = after(held, at(2, 30, actor="ann", is_suspended=True))
    assert hold(suspended, False, 40).is_paused
    resumed = after(hold(suspended, False, 40), at(3, 100, "ann"))
    assert clock(after(resumed, at(4, 110, "bob")), "ann").bank.used_ms == 30 * SECOND
    first_suspended = hold(after(begun, at(2, 10, actor="ann", is_suspended=True)), True, 15)
    resumed = after(first_suspended, at(3, 50, "ann"))
    assert resumed.is_paused
    assert clock(after(hold(resumed, False, 60), at(4, 65, "bob")), "ann").bank.used_ms == 15 * SECOND


@given(st.lists(st.tuples(st.integers(1, 50), st.booleans()), max_size=10), st.data())
def test_holds_that_are_heard_again_change_nothing(said: list[tuple[int, bool]], data: st.DataObject) -> None:
    """A replica that starts hears all of them from the beginning."""
    now, changes = 0, []
    for seconds, is_held in said:
        now += seconds
        changes.append((is_held, now))
    clocks = after(TableClocks(), at(1, 0, "ann"))
    for change in changes:
        clocks = hold(clocks, *change)
    again = clocks
    for change in changes[data.draw(st.integers(0, len(changes))) :]:
        again = hold(again, *change)
    assert again == clocks


def test_a_server_clock_that_goes_back_gives_no_time() -> None:
    """Times never go back from one charge to the next."""
    clocks = after(TableClocks(), at(1, 50, "ann"), at(2, 40, "bob"), at(3, 60, "ann"))
    assert clock(clocks, "ann").bank.used_ms == 0
    assert clock(clocks, "bob").bank.used_ms == 10 * SECOND


@given(st.lists(st.tuples(st.integers(0, 50), st.sampled_from(SEATS)), min_size=1, max_size=20))
def test_all_time_is_charged_to_those_asked(turns: list[tuple[int, str]]) -> None:
    """Time used in completed turns and the turn at hand add up to the time of the game."""
    now, positions = 0, []
    for sequence, (seconds, seat) in enumerate(turns, 1):
        now += seconds
        positions.append(at(sequence, now, seat))
    clocks = after(TableClocks(), *positions)
    assert clocks.charged is not None
    used = sum(each.bank.used_ms for each in clocks.charged.clocks)
    since = next(each.asked.since_ms for each in clocks.charged.clocks if each.asked is not None)
    assert used == since - positions[0].time_ms


def test_a_pass_comes_again_while_the_turn_goes_on_a_substitute_once() -> None:
    """A step that was moot is decided again for the new sequence, with another request id."""
    clocks = after(TableClocks(), at(1, 0, "ann"))
    (first,) = due(clocks, 1, 100 * SECOND)
    clocks = evolve_clocks(clocks, first)
    assert due(clocks, 2, 100 * SECOND) == ()
    (settled,) = decide_settled(clocks, first.request_id, "moved")
    clocks = evolve_clocks(clocks, settled)
    assert decide_settled(clocks, first.request_id, "done") == ()
    assert due(clocks, 1, 100 * SECOND) == ()
    (second,) = due(clocks, 2, 100 * SECOND)
    assert second.request_id != first.request_id
    once = replace(POLICY, on_expiry=(ExpiryStep("substitute"),))
    done = replace(first, action="substitute", outcome="done")
    assert due(replace(clocks, steps=(done,)), 2, 100 * SECOND, policy=once) == ()
    assert due(replace(clocks, steps=()), 2, 100 * SECOND, without=SEATS) == ()


def test_reminders_come_once_in_a_turn_and_before_the_end() -> None:
    """At 50 and 90 of 100 seconds; the lobby that missed the first gives both."""
    policy = replace(POLICY, reminders=(50, 90))
    clocks = after(TableClocks(), at(1, 0, "ann"))
    assert next_due_ms(policy, clocks, "g1", 1, ALWAYS) == 50 * SECOND
    assert decide_due(policy, clocks, "g1", 1, ALWAYS, 49 * SECOND) == ()
    half, most = TurnReminded("ann", 1, 50), TurnReminded("ann", 1, 90)
    assert decide_due(policy, clocks, "g1", 1, ALWAYS, 95 * SECOND) == (half, most)
    reminded = evolve_clocks(clocks, half)
    assert decide_due(policy, reminded, "g1", 1, ALWAYS, 60 * SECOND) == ()
    assert next_due_ms(policy, reminded, "g1", 1, ALWAYS) == 90 * SECOND
    assert after(reminded, at(2, 60, "bob")).reminded == ()


def test_a_grant_moves_the_end_of_the_turn_at_hand() -> None:
    """30 seconds more for Ann, and none for Bob."""
    clocks = evolve_clocks(after(TableClocks(), at(1, 0, "ann")), TimeGranted("ann", 30, "dan", "a storm"))
    assert next_due_ms(POLICY, clocks, "g1", 1, ALWAYS) == 130 * SECOND
    assert clock(clocks, "bob").bank.left_ms == 100 * SECOND


def test_the_end_of_a_game_fixes_what_overdue_turns_cost() -> None:
    """150 seconds of 100: one started minute; a repeated end costs nothing more."""
    policy = replace(POLICY, penalty=MoneyPenalty(20, 60))
    clocks = after(TableClocks(), at(1, 0, "ann"), at(2, 150, "bob"))
    end = replace(at(3, 160), has_ended=True)
    for event in decide_charge(policy, clocks, end, ALWAYS):
        clocks = evolve_clocks(clocks, event)
    assert clocks.penalized is not None
    assert [(each.seat, each.amount) for each in clocks.penalized.penalties] == [("ann", 20)]
    assert decide_charge(policy, clocks, end, ALWAYS) == ()


def test_a_deadline_costs_what_turns_take_from_then_on() -> None:
    """A turn of an hour after the deadline at 50 s; what is left of it, and what is overdue, is shown."""
    policy = ClockPolicy(bank=100_000, deadline=50, penalty=MoneyPenalty(20, 60))
    clocks = TableClocks()
    for position in (at(1, 0, "ann"), at(2, 3_650, "bob"), replace(at(3, 3_651), has_ended=True)):
        for event in decide_charge(policy, clocks, position, ALWAYS):
            clocks = evolve_clocks(clocks, event)
        if position.sequence == 1:
            early, late = (
                seat_times(policy, clocks, ALWAYS, now * SECOND, has_ended=False)[0] for now in (20, 150)
            )
    assert (early.turn_left_ms, early.overdue_ms) == (30 * SECOND, 0)
    assert (late.turn_left_ms, late.overdue_ms, late.bank_ms) == (0, 100 * SECOND, 99_850 * SECOND)
    assert clocks.penalized is not None
    assert [each.amount for each in clocks.penalized.penalties] == [60 * 20, 20]
    assert [each.is_overdue for each in clocks.played] == [True, True]


@pytest.mark.parametrize("is_held", [False, True])
@pytest.mark.parametrize(
    ("paused_at", "resumed_at", "cost_s"), [(130, 500, 130), (60, 90, 90), (90, 110, 100)]
)
def test_what_a_turn_has_cost_since_the_deadline_stays_when_the_game_stands_still(
    paused_at: int, resumed_at: int, cost_s: int, is_held: bool
) -> None:
    """The deadline is at 100 s. The game stands still after it, before it, or beyond it; the turn ends 100 s after the pause."""
    policy = ClockPolicy(bank=100_000, deadline=100, on_expiry=())
    still = replace(at(2, paused_at, actor="ann"), is_suspended=True)
    clocks = evolved(TableClocks(), decide_charge(policy, TableClocks(), at(1, 0, "ann"), ALWAYS))
    if is_held:
        for held, seconds in ((True, paused_at), (False, resumed_at)):
            clocks = evolved(clocks, decide_hold(policy, clocks, held, seconds * SECOND, ALWAYS))
    else:
        clocks = evolved(clocks, decide_charge(policy, clocks, still, ALWAYS))
        (shown, _) = seat_times(policy, clocks, ALWAYS, resumed_at * SECOND, has_ended=False)
        assert shown.overdue_ms == max(0, paused_at - 100) * SECOND
        clocks = evolved(clocks, decide_charge(policy, clocks, at(3, resumed_at, "ann"), ALWAYS))
    ended = at(4, resumed_at + 100, "bob")
    clocks = evolved(clocks, decide_charge(policy, clocks, ended, ALWAYS))
    assert clock(clocks, "ann").bank.overdue_ms == cost_s * SECOND


def evolved(clocks: TableClocks, events: Sequence[ClockEvent]) -> TableClocks:
    """The clocks after events."""
    return reduce(evolve_clocks, events, clocks)


def played_by_bots(*moves: tuple[Position, bool]) -> TableClocks:
    """The clocks after these positions; whether a bot of the house plays the seat of Ann from each on."""
    clocks = TableClocks()
    bots: tuple[str, ...] = ()
    for position, is_bot in moves:
        position = replace(position, bots=("ann",) if is_bot else ())
        for _ in range(2):
            for event in decide_charge(POLICY, clocks, position, ALWAYS, bots):
                clocks = evolve_clocks(clocks, event)
        bots = position.bots
    return clocks


def test_what_a_bot_plays_is_not_overdue() -> None:
    """Ann is 50 s overdue when a bot takes her seat. It takes a day of that turn, and of one that a director suspends."""
    day = 86_400
    taken = [(at(1, 0, "ann"), False), (at(2, 150, "ann"), True), (at(3, 150 + day, "bob"), True)]
    later = [
        (at(4, 200 + day, "ann"), True),
        (at(5, 200 + 2 * day, actor="ann", is_suspended=True), True),
        (at(6, 300 + 2 * day, "ann"), True),
        (at(7, 310 + 2 * day, "bob"), True),
    ]
    clocks = played_by_bots(*taken, *later)
    assert clock(clocks, "ann").bank.overdue_ms == 50 * SECOND
    assert clock(clocks, "ann").bank.used_ms == (150 + 2 * day + 10) * SECOND
    assert [(each.sequence, each.is_overdue) for each in clocks.played if each.seat == "ann"] == [
        (1, True),
        (2, False),
        (4, False),
    ]


def test_a_bot_pays_nothing_for_a_deadline_when_its_turn_stands_still() -> None:
    """Neither in a suspended game nor in one that the ledger holds."""
    policy = ClockPolicy(bank=100_000, deadline=100, on_expiry=())
    begun = replace(at(1, 0, "ann"), bots=("ann",))
    clocks = evolved(TableClocks(), decide_charge(policy, TableClocks(), begun, ALWAYS, ("ann",)))
    still = replace(at(2, 150, actor="ann"), is_suspended=True, bots=("ann",))
    for events in (
        decide_charge(policy, clocks, still, ALWAYS, ("ann",)),
        decide_hold(policy, clocks, True, 150 * SECOND, ALWAYS, ("ann",)),
    ):
        assert clock(evolved(clocks, events), "ann").bank.overdue_ms == 0


def test_a_turn_of_a_bot_is_not_shown_as_overdue() -> None:
    """Ann is 50 s overdue when a bot takes her seat: that stays, and a day of the bot adds nothing and has no end."""
    day = 86_400
    clocks = played_by_bots((at(1, 0, "ann"), False), (at(2, 150, "ann"), True))
    now_ms = (150 + day) * SECOND
    shown = seat_times(POLICY, clocks, ALWAYS, now_ms, has_ended=False, bots=("ann",))[0]
    assert (shown.overdue_ms, shown.deadline_ms, shown.turn_left_ms) == (50 * SECOND, 0, 10 * SECOND)
    assert (shown.used_ms, shown.asked_since_ms) == (now_ms, 150 * SECOND)
    of_player = seat_times(POLICY, clocks, ALWAYS, now_ms, has_ended=False)[0]
    assert of_player.overdue_ms == (50 + day - 10) * SECOND


@pytest.mark.parametrize("is_suspended", [False, True])
def test_a_player_who_returns_pays_for_their_own_time_alone(is_suspended: bool) -> None:
    """A bot takes the seat of Ann after 50 s of 100, has it for a day, and she moves 70 s later.

    The bot has emptied the bank, so that she has the increment of its turn, 10 s."""
    day = 86_400
    first = replace(at(2, 50, "ann"), is_suspended=is_suspended)
    back = [(at(4, 50 + day, "ann"), False), (at(5, 120 + day, "bob"), False)]
    clocks = played_by_bots((at(1, 0, "ann"), False), (first, True), (at(3, 50, "ann"), True), *back)
    assert clock(clocks, "ann").bank.overdue_ms == 60 * SECOND


class Game:
    """Rules as far as a race needs it: a request has effect at its sequence alone, once for each id."""

    def __init__(self) -> None:
        self.sequence = 1
        self.effects: list[str] = []
        self._first: dict[str, ExpiryOutcome] = {}

    def ask(self, request_id: str, expected: int) -> ExpiryOutcome:
        """The outcome of a request."""
        if request_id in self._first:
            return self._first[request_id]
        if expected != self.sequence:
            return "moved"
        self.sequence += 1
        self.effects.append(request_id)
        self._first[request_id] = "done"
        return "done"


@pytest.mark.parametrize("seed", [7])
def test_of_a_move_and_its_expiry_one_has_effect(seed: int) -> None:
    """10,000 races in every order, with two lobbies, of which each may die after any step and begin again from the facts."""
    drawn = random.Random(seed)
    asked = after(TableClocks(), at(1, 0, "ann"))
    winners = set()
    for _ in range(RACES):
        game, stored = Game(), asked
        steps = [
            "move",
            *drawn.choices(("lobby", "dies before rules", "dies after rules"), k=4),
            "lobby",
            "lobby",
        ]
        moves_at = drawn.randrange(len(steps))
        steps[0], steps[moves_at] = steps[moves_at], steps[0]
        for step in steps:
            if step == "move":
                game.ask("ann's move", 1)
                continue
            for event in due(stored, 1, 100 * SECOND):
                stored = evolve_clocks(stored, event)
            if step == "dies before rules":
                continue
            for pending in stored.pending:
                outcome = game.ask(pending.request_id, pending.expected_sequence)
                if step == "lobby":
                    for settled in decide_settled(stored, pending.request_id, outcome):
                        stored = evolve_clocks(stored, settled)
        (effect,) = game.effects
        (expiry,) = stored.steps
        assert expiry.outcome == ("moved" if effect == "ann's move" else "done")
        winners.add(effect)
    assert len(winners) == 2
