"""The law of lasting events: whatever is undone around them, each seat is played by who took it last."""

from __future__ import annotations

from hypothesis import given, settings, strategies as st

from services.ledger.convert import fact_of, reported_balances
from services.ledger.domain import booking
from services.ledger.domain.audit import audit
from services.ledger.domain.book import Book
from services.rules.adapters.snapshots import SNAPSHOT_SCHEMA, decode_snapshot, encode_snapshot
from services.rules.kernel.commands import Command, Pass, Undo
from services.rules.kernel.directing.commands import (
    ActForSeat,
    AssignSeat,
    Correct,
    Direct,
    Direction,
    Resume,
    RollBack,
    Suspend,
)
from services.rules.kernel.directing.events import EVENTS, GameResumed, GameSuspended, SeatTaken
from services.rules.kernel.events import EVENTS as ALL_OTHERS, LastingEvent
from services.rules.kernel.fold import replay
from services.rules.kernel.values import Bearer
from services.rules.requests import Request, StaleSequenceError
from services.rules.sessions import continue_from
from services.rules.status import balances_of
from services.rules.titles.g1824.commands import RepayDebt
from tests.rules.conftest import Desk
from tests.rules.directing.directors import facts

ACCOUNTS = ("ann", "bob", "sue", "tim", "bot")
SEATS = ("ann", "bob")

directions = st.one_of(
    st.builds(AssignSeat, st.sampled_from(SEATS), st.sampled_from(ACCOUNTS), st.just("substitute")),
    st.builds(RollBack, st.integers(1, 60)),
    st.builds(Correct, st.sampled_from(("bank", "ann")), st.sampled_from(("bob", "BK")), st.integers(1, 9)),
    st.builds(ActForSeat, st.sampled_from(SEATS), st.one_of(st.just(Pass()), st.just(RepayDebt(2)))),
    st.sampled_from((Suspend(), Resume())),
)
moves = st.tuples(
    st.sampled_from(ACCOUNTS),
    st.one_of(st.just(Pass()), st.just(RepayDebt(1)), st.builds(Undo, st.integers(1, 60))),
)
steps = st.lists(st.one_of(directions, moves), max_size=30)


def test_lasting_is_a_property_of_the_type() -> None:
    """Those of directors last, and no other event does."""
    assert all(issubclass(event, LastingEvent) for event in EVENTS)
    assert not any(issubclass(event, LastingEvent) for event in ALL_OTHERS)


@settings(max_examples=60, deadline=None)
@given(steps)
def test_after_any_moves_undos_and_seat_changes_the_last_bearer_plays(
    asked: list[Direction | tuple[str, Command]],
) -> None:
    """Live state, a new fold, and a fold that goes on after any snapshot agree; so do the books."""
    desk = Desk()
    desk.create(undo_policy="free")
    snapshots = {desk.game().sequence: encode_snapshot(desk.game())}
    for number, step in enumerate(asked):
        _take(desk, step, f"r{number}")
        snapshots[desk.game().sequence] = encode_snapshot(desk.game())
    game, log = desk.game(), facts(desk)
    taken = {each.seat: Bearer(each.bearer, each.kind) for each in log if isinstance(each, SeatTaken)}
    assert game.bearers == taken
    paused = [
        isinstance(each, GameSuspended) for each in log if isinstance(each, GameSuspended | GameResumed)
    ]
    assert game.suspended == (paused[-1] if paused else False)
    assert replay(log) == game
    for sequence, stored in snapshots.items():
        then = decode_snapshot(stored, SNAPSHOT_SCHEMA, sequence)
        assert then is not None
        assert replay(log[:sequence]) == then
        assert continue_from(then, log[sequence:]) in (None, game)
    _check_books(desk)


def _take(desk: Desk, step: Direction | tuple[str, Command], request_id: str) -> None:
    sequence = desk.game().sequence
    if isinstance(step, Direction):
        request = Request("g", "olga", request_id, sequence, Direct(step, "why not"))
    else:
        account, command = step
        request = Request("g", account, request_id, sequence, command)
    try:
        desk.rules.execute(request)
    except StaleSequenceError as stale:
        raise AssertionError("nobody else writes") from stale


def _check_books(desk: Desk) -> None:
    book = Book("g")
    for event in desk.rules.reader.events("g"):
        booking.apply(book, fact_of(event))
    found = desk.rules.reader.game_at("g")
    balances = balances_of(found.loaded.data, found.game)
    assert audit(book, reported_balances(found.game.sequence, balances)).passed
