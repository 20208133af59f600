"""Thinking time from one status to the next."""

from typing import Any

import pytest
from hypothesis import given, strategies as st

from services.lobby.domain.clocks import Hold, Holds, PlayerClock, next_overdue_ms, overdue
from services.lobby.domain.games import GameSummary, summary_after
from tests.contracts.game_summaries_contract import status

MOVES = st.lists(
    st.tuples(
        st.integers(-5_000, 5_000), st.sets(st.sampled_from(("ann", "bob"))), st.sampled_from(("A", "B"))
    ),
    min_size=1,
    max_size=30,
)


def played(*moves: dict[str, Any]) -> GameSummary:
    """The summary after these statuses, one sequence each."""
    summary = None
    for sequence, move in enumerate(moves, start=1):
        summary = summary_after(summary, status(sequence=sequence, **move), "t1", 60)
    assert summary is not None
    return summary


def test_time_runs_for_who_is_asked() -> None:
    """From being asked to the next player's turn; what is under way is not counted as used yet."""
    summary = played(
        {"time_ms": 1_000, "acting_players": ("ann",), "actor": "ann"},
        {"time_ms": 4_000, "acting_players": ("bob",), "actor": "bob"},
        {"time_ms": 4_500, "acting_players": ("ann",), "actor": "ann"},
    )
    assert summary.clocks == (PlayerClock("ann", 3_000, 4_500, 3), PlayerClock("bob", 500))


def test_a_turn_lasts_until_somebody_else_is_at_it() -> None:
    """Several commands of one turn are one turn; the next company of the same director is another."""
    same = played(
        {"time_ms": 1_000, "actor": "BK"},
        {"time_ms": 2_000, "actor": "BK"},
        {"time_ms": 3_000, "actor": "BK"},
    )
    other = played(
        {"time_ms": 1_000, "actor": "BK"},
        {"time_ms": 2_000, "actor": "BK"},
        {"time_ms": 3_000, "actor": "MS"},
    )
    assert same.clocks[0] == PlayerClock("ann", 0, 1_000, 1)
    assert other.clocks[0] == PlayerClock("ann", 2_000, 3_000, 3)


def test_a_question_to_several_runs_for_each() -> None:
    """A player who has answered is no longer on the clock; an end stops all clocks."""
    both = played(
        {"time_ms": 0, "acting_players": ("ann", "bob")}, {"time_ms": 700, "acting_players": ("bob",)}
    )
    assert both.clocks == (PlayerClock("ann", 700), PlayerClock("bob", 0, 0, 1))
    ended = summary_after(both, status(sequence=3, time_ms=900, ending="bankruptcy"), "t1", 60)
    assert ended.clocks == (PlayerClock("ann", 700), PlayerClock("bob", 900))


@given(MOVES)
def test_no_time_is_ever_negative_or_counted_twice(moves: list[tuple[int, set[str], str]]) -> None:
    """Whatever the clocks of the writers do, times used only grow and never exceed the time that passed on the summary."""
    summary = None
    time_ms = 10_000
    for sequence, (step_ms, asked, actor) in enumerate(moves, start=1):
        time_ms += step_ms
        before = summary
        reported = status(
            sequence=sequence, time_ms=max(0, time_ms), acting_players=tuple(sorted(asked)), actor=actor
        )
        summary = summary_after(summary, reported, "t1", 60)
        assert before is None or summary.time_ms >= before.time_ms
        for index, clock in enumerate(summary.clocks):
            assert clock.used_ms >= (before.clocks[index].used_ms if before else 0)
            assert clock.thinking_ms(summary.time_ms - 99_999) >= 0
            assert clock.is_asked == (clock.player_id in asked)
    assert summary is not None
    begun_ms = max(0, 10_000 + moves[0][0])
    assert all(
        clock.used_ms + clock.thinking_ms(summary.time_ms) <= summary.time_ms - begun_ms
        for clock in summary.clocks
    )


def test_the_time_limit_is_per_turn() -> None:
    """A turn is overdue exactly at the limit, not before; without a limit never."""
    clocks = played({"time_ms": 1_000, "acting_players": ("ann",)}).clocks
    assert overdue(clocks, 60, 60_999) == ()
    assert [clock.player_id for clock in overdue(clocks, 60, 61_000)] == ["ann"]
    assert overdue(clocks, 0, 10**15) == ()
    assert next_overdue_ms(clocks, 60, 0) == 61_000
    assert next_overdue_ms(clocks, 60, 61_000) == next_overdue_ms(clocks, 0, 0) == 0


@pytest.mark.parametrize(
    ("holds", "end_ms", "thought_ms"),
    [
        ((Hold(0, 500),), 61_000, 99_000),
        ((Hold(0, 2_000),), 62_000, 98_000),
        ((Hold(5_000, 9_000), Hold(64_000, 70_000)), 71_000, 89_000),
        ((Hold(5_000, 9_000), Hold(65_000, 70_000)), 65_000, 90_000),
        ((Hold(61_000, 70_000),), 61_000, 90_000),
        ((Hold(5_000, 9_000), Hold(60_000)), 0, 55_000),
    ],
)
def test_a_held_game_takes_no_time_of_a_turn(holds: Holds, end_ms: int, thought_ms: int) -> None:
    """Held before, at the begin of, in and after a turn of a minute that began at a second, and still at 100 seconds."""
    clocks = played({"time_ms": 1_000, "acting_players": ("ann",)}).clocks
    assert next_overdue_ms(clocks, 60, 0, holds) == end_ms
    assert [bool(overdue(clocks, 60, now, holds)) for now in (end_ms - 1, end_ms)] == [False, end_ms > 0]
    assert clocks[0].thinking_ms(100_000, holds) == thought_ms
