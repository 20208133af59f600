"""Races of a move against the expiry of its turn, with two lobbies."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from services.lobby.domain.time_control.policy import ClockPolicy, ExpiryStep
from services.lobby.handlers.following import FollowedGames
from services.rules.requests import StaleSequenceError
from tests.host.clocked_games import BANK, SECOND, ClockedGame

RACES_IN_ONE_GAME = 500
STEPS = (ExpiryStep("standing_policy_pass"),)
POLICY = ClockPolicy(bank=0, grace_per_turn=BANK, reminders=(), on_expiry=STEPS)
"""Each turn has the same time."""


def run_races(count: int, begin: Callable[[int], tuple[ClockedGame, FollowedGames]]) -> set[str]:
    """So many races; who won any. `begin`: a game of a number, followed by its lobby and another one."""
    winners: set[str] = set()
    for number in range(count):
        if number % RACES_IN_ONE_GAME == 0:
            table, other = begin(number)
        winners.add(race(table, other, number))
    return winners


def race(table: ClockedGame, other: FollowedGames, number: int) -> str:
    """At the instant at which a turn is overdue its player moves and two lobbies act: in this order, in the other, the
    player just before rules is asked, or all at once. Who had effect."""
    before, seat = table.game, table.game.actor
    summary = table.lobby.summaries.get(table.game_id)
    assert summary is not None
    other.freshen()
    other.summaries.put(summary)
    other.reset_wake_ups()
    table.clock.advance(BANK * SECOND)
    moved: list[bool] = []

    def move() -> None:
        try:
            table.passes(seat, f"m{number}", before.sequence)
        except StaleSequenceError:
            moved.append(False)
        else:
            moved.append(True)

    acts = table.lobby.record_overdue_turns, other.record_overdue_turns
    match number % 4:
        case 0:
            in_order(move, *acts)
        case 1:
            in_order(*acts, move)
        case 2:
            interrupted_by(table, move, *acts)
        case _:
            at_once(move, *acts)
    table.wait(0)
    assert table.clocks.pending == ()
    kinds = [event.WhichOneof("body") for event in table.rules.reader.events(table.game_id, before.sequence)]
    clock_acted = kinds.count("director_decided")
    assert kinds.count("turn_started") == 1
    assert any(moved) != (clock_acted == 1)
    return "clock" if clock_acted else "player"


def in_order(*acts: Callable[[], None]) -> None:
    """One after the other."""
    for act in acts:
        act()


def interrupted_by(table: ClockedGame, move: Callable[[], None], *acts: Callable[[], None]) -> None:
    """The player moves after the step was written, and before rules is asked for it."""
    table.before_directing = move
    in_order(*acts)
    table.before_directing = int


def at_once(*acts: Callable[[], None]) -> None:
    """Each in a thread of its own."""
    barrier = threading.Barrier(len(acts))

    def run(act: Callable[[], None]) -> None:
        barrier.wait()
        act()

    with ThreadPoolExecutor(len(acts)) as threads:
        for done in [threads.submit(run, act) for act in acts]:
            done.result()
