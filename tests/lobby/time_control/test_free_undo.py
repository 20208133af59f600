"""Increments at tables where every move may be taken back and made again."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st
from msgspec.structs import replace

from services.lobby.domain.clock_charging import decide_charge
from services.lobby.domain.table_clocks import TableClocks
from tests.lobby.time_control.test_table_clocks import ALWAYS, POLICY, SEATS, SECOND, at, clock, evolved

MOVES = st.lists(
    st.tuples(st.integers(0, 200), st.sets(st.sampled_from(SEATS)), st.sampled_from(SEATS)), max_size=30
)


@given(MOVES, st.integers(0, 150), st.integers(0, 40))
def test_moves_taken_back_and_made_again_fill_no_bank(
    moves: list[tuple[int, set[str], str]], increment: int, grace: int
) -> None:
    """With free undo no course of moves and undos brings a bank beyond its beginning or one increment, and a turn within its
    grace leaves the bank as it is. An undo is a position like any other."""
    policy = replace(POLICY, increment=increment, grace_per_turn=grace)
    clocks, seconds = TableClocks(), 0
    for sequence, (thought, asked, actor) in enumerate(moves, 1):
        seconds += thought
        position = at(sequence, seconds, *sorted(asked), actor=actor)
        before = {} if clocks.charged is None else {each.seat: each for each in clocks.charged.clocks}
        clocks = evolved(clocks, decide_charge(policy, clocks, position, ALWAYS, is_undo_free=True))
        for each in () if clocks.charged is None else clocks.charged.clocks:
            assert each.bank.left_ms <= max(policy.bank, increment) * SECOND
            was = before.get(each.seat)
            if was is not None and each.bank.used_ms - was.bank.used_ms <= grace * SECOND:
                assert each.bank.left_ms == was.bank.left_ms


@pytest.mark.parametrize(("is_undo_free", "left_s"), [(False, 1_100), (True, 100)])
def test_a_move_made_a_hundred_times_earns_its_time_once(is_undo_free: bool, left_s: int) -> None:
    """Where Ann can take it back each time; where undo is not free, these are turns, each with its increment."""
    clocks = TableClocks()
    for sequence in range(1, 202):
        position = at(sequence, 0, "ann" if sequence % 2 else "bob")
        clocks = evolved(clocks, decide_charge(POLICY, clocks, position, ALWAYS, is_undo_free=is_undo_free))
    assert clock(clocks, "ann").bank.left_ms == left_s * SECOND
