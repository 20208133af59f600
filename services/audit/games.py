"""Checks one game: folds and books all its events, and compares the results with everything else stored about it."""

from __future__ import annotations

from dataclasses import dataclass, field

import msgspec

from services.audit.books import compare_books, rebuilt_book
from services.audit.cases import GameCase, StoredSnapshot
from services.audit.findings import Finding, Kind, TitleCounts
from services.audit.statuses import compare_status, compare_summary
from services.gen.signalbox.events.v1.events_pb2 import GameEvent
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.ledger.convert import reported_balances
from services.ledger.domain.errors import LedgerError
from services.rules.adapters.codec import UnreadableEventError, decode_event
from services.rules.adapters.records import envelope
from services.rules.adapters.snapshots import SNAPSHOT_SCHEMA, decode_snapshot, state_bytes
from services.rules.kernel.events import Event, Undone
from services.rules.kernel.fold import fold, replay
from services.rules.kernel.game import Game
from services.rules.kernel.title import Title
from services.rules.status import balances_of, status_of
from services.rules.titles import TITLES

UNKNOWN_TITLE = "?"

_decode_outcome = msgspec.msgpack.Decoder(tuple[int, int]).decode


@dataclass(slots=True)
class Checked:
    """The result of checking one game."""

    game_id: str
    title: str = UNKNOWN_TITLE
    counts: TitleCounts = field(default_factory=TitleCounts)
    findings: list[Finding] = field(default_factory=list)
    hold: str = ""

    def find(self, kind: Kind, sequence: int, text: str) -> None:
        """Add a finding about this game."""
        self.findings.append(Finding(kind, self.game_id, sequence, text))


def check_game(case: GameCase) -> Checked:
    """Check everything stored about one game."""
    checked = Checked(case.game_id)
    checked.counts = TitleCounts(games=1, events=len(case.facts), requests=len(case.requests))
    checked.counts.statuses = int(case.status is not None)
    if case.hold is not None:
        checked.counts.held = 1
        checked.hold = f"{case.hold.reason}: {case.hold.detail}"
    _check_requests(case, checked)
    events = _decoded(case, checked)
    game = _folded(events, case.snapshots, checked) if events else None
    if game is None:
        _check_hold(case, checked)
        return checked
    checked.title, checked.counts.finished = game.title, int(game.finished)
    title = TITLES.get(game.title)
    if title is None:
        checked.find("fold", 1, f"the title {game.title!r} is not installed here")
        return checked
    status = _compared_status(case, title, game, events, checked)
    if status is None:
        return checked
    compare_summary(case, status, checked)
    reported = reported_balances(game.sequence, balances_of(title.data_of(game), game))
    try:
        compare_books(case, rebuilt_book(case.game_id, _game_events(case)), reported, checked)
    except LedgerError as refused:
        checked.find("books", getattr(refused, "sequence", 0), str(refused))
    _check_hold(case, checked)
    return checked


def _compared_status(
    case: GameCase, title: Title, game: Game, events: list[Event], checked: Checked
) -> pb.GameStatus | None:
    """The game's status from its events, compared with the stored one; `None` when its state is inconsistent."""

    def status_after(state: Game) -> pb.GameStatus:
        data = title.data_of(state)
        return status_of(case.game_id, title, data, state, case.facts[state.sequence - 1].recorded_time_ms)

    try:
        status = status_after(game)
        compare_status(case, status, lambda last: status_after(replay(events[:last])), checked)
    except Exception as error:
        checked.find("fold", game.sequence, f"the state is inconsistent: {error!r}")
        return None
    return status


def _check_requests(case: GameCase, checked: Checked) -> None:
    """Check that every request is there once and its stored outcome names its events."""
    seen: set[str] = set()
    ends: set[int] = set()
    for request in case.requests:
        if request.request_id in seen:
            checked.find("request", request.first, f"request {request.request_id!r} is there twice")
        seen.add(request.request_id)
        try:
            first, last = _decode_outcome(request.outcome)
        except msgspec.MsgspecError as error:
            checked.find("outcome", request.first, f"request {request.request_id!r} has no outcome: {error}")
            continue
        if not 0 < first <= last <= len(case.facts) or (
            request.first and (first, last) != (request.first, request.last)
        ):
            where = f"{request.first} to {request.last}" if request.first else f"1 to {len(case.facts)}"
            text = f"request {request.request_id!r} says {first} to {last}, its events are {where}"
            checked.find("outcome", first, text)
        if last in ends:
            checked.find(
                "request", last, f"two requests end at {last}, {request.request_id!r} is one of them"
            )
        ends.add(last)


def _decoded(case: GameCase, checked: Checked) -> list[Event]:
    events = []
    for sequence, fact in enumerate(case.facts, start=1):
        try:
            events.append(decode_event(fact.type, fact.schema_version, fact.payload))
        except UnreadableEventError as error:
            checked.find("undecodable", sequence, str(error))
            return []
    return events


def _folded(events: list[Event], snapshots: list[StoredSnapshot], checked: Checked) -> Game | None:
    """The last state from folding all events, comparing every snapshot; `None` when the events do not fold."""
    game, reached = Game(), 0
    wanted = {each.sequence: each for each in snapshots if _is_current(each, len(events), checked)}
    for sequence in sorted({*wanted, len(events)}):
        stretch = events[reached:sequence]
        try:
            has_undo = any(isinstance(event, Undone) for event in stretch)
            game = replay(events[:sequence]) if has_undo else fold(game, stretch)
        except Exception as error:
            checked.find("fold", min(game.sequence + 1, sequence), f"the events do not fold: {error!r}")
            return None
        reached = sequence
        if sequence in wanted:
            _compare_snapshot(wanted[sequence], game, checked)
    return game


def _is_current(snapshot: StoredSnapshot, events: int, checked: Checked) -> bool:
    """Whether a snapshot can be compared; one of another schema is ignored by every reader."""
    checked.counts.snapshots += 1
    if not 0 < snapshot.sequence <= events:
        checked.find("snapshot", snapshot.sequence, f"a snapshot of event {snapshot.sequence} of {events}")
        return False
    return snapshot.schema == SNAPSHOT_SCHEMA


def _compare_snapshot(snapshot: StoredSnapshot, game: Game, checked: Checked) -> None:
    kept = decode_snapshot(snapshot.payload, snapshot.schema, snapshot.sequence)
    if kept is None:
        checked.find("snapshot", snapshot.sequence, "the snapshot is damaged")
    elif kept != game and state_bytes(kept) != state_bytes(game):
        different = [name for name in Game.__struct_fields__ if getattr(kept, name) != getattr(game, name)]
        checked.find("snapshot", snapshot.sequence, f"the snapshot differs in {', '.join(different)}")


def _game_events(case: GameCase) -> list[GameEvent]:
    """The events as consumers get them."""
    return [envelope(fact, case.game_id, sequence) for sequence, fact in enumerate(case.facts, start=1)]


def _check_hold(case: GameCase, checked: Checked) -> None:
    """Report a hold without a reason: no figures disagree and all events can be booked."""
    rightly = any(each.kind in ("books", "status", "undecodable", "fold") for each in checked.findings)
    if case.hold is not None and not rightly:
        checked.find(
            "hold", case.hold.sequence, f"held ({checked.hold}), and nothing is wrong with its books"
        )
