"""The check of one game: its events folded and booked from the first to the last, and compared with all that is said
about it elsewhere."""

from __future__ import annotations

from dataclasses import dataclass, field

import msgspec

from services.audit.books import booked_again, compare_books
from services.audit.cases import GameCase, KeptSnapshot
from services.audit.findings import Finding, Kind, TitleCounts
from services.audit.standings import compare_card, compare_standing
from services.gen.signalbox.events.v1.events_pb2 import GameEvent
from services.ledger.domain.errors import LedgerError
from services.rules.adapters.codec import EVENT_SCHEMA_VERSION, UnreadableEventError, decode_event, fill_body
from services.rules.adapters.snapshots import SNAPSHOT_SCHEMA, decode_snapshot, state_bytes
from services.rules.domain.events import Event, Undone
from services.rules.domain.evolve import fold, replay
from services.rules.domain.game import Game
from services.rules.domain.title import Title
from services.rules.ports import Standing
from services.rules.reading import standing_of
from services.rules.titles import TITLES

UNKNOWN_TITLE = "?"

_decode_outcome = msgspec.msgpack.Decoder(tuple[int, int]).decode


@dataclass(slots=True)
class Checked:
    """What the check of one game came to."""

    game_id: str
    title: str = UNKNOWN_TITLE
    counts: TitleCounts = field(default_factory=TitleCounts)
    findings: list[Finding] = field(default_factory=list)
    hold: str = ""

    def find(self, kind: Kind, sequence: int, text: str) -> None:
        """Note a finding about this game."""
        self.findings.append(Finding(kind, self.game_id, sequence, text))


def check_game(case: GameCase) -> Checked:
    """Look at everything that is known of one game."""
    checked = Checked(case.game_id)
    checked.counts = TitleCounts(games=1, events=len(case.facts), requests=len(case.requests))
    checked.counts.standings = int(case.standing is not None)
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
    standing = _compared_standing(case, title, game, events, checked)
    if standing is None:
        return checked
    compare_card(case, standing, checked)
    try:
        compare_books(case, booked_again(case.game_id, _game_events(case)), standing, checked)
    except LedgerError as refused:
        checked.find("books", getattr(refused, "sequence", 0), str(refused))
    _check_hold(case, checked)
    return checked


def _compared_standing(
    case: GameCase, title: Title, game: Game, events: list[Event], checked: Checked
) -> Standing | None:
    """How the game stands by its events, compared with what is kept; `None` when its state makes no sense."""

    def standing_after(state: Game) -> Standing:
        data = title.load(state.options, state.rulings)
        return standing_of(title, data, state, case.facts[state.sequence - 1].recorded_time_ms)

    try:
        standing = standing_after(game)
        compare_standing(case, standing, lambda last: standing_after(replay(events[:last])), checked)
    except Exception as error:
        checked.find("fold", game.sequence, f"the state says nothing sensible: {error!r}")
        return None
    return standing


def _check_requests(case: GameCase, checked: Checked) -> None:
    """Every request once, and its stored outcome the place where its events stand."""
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
        if fact.schema_version != EVENT_SCHEMA_VERSION:
            text = f"{fact.type} has schema version {fact.schema_version}, this program reads {EVENT_SCHEMA_VERSION}"
            checked.find("undecodable", sequence, text)
            return []
        try:
            events.append(decode_event(fact.type, fact.payload))
        except UnreadableEventError as error:
            checked.find("undecodable", sequence, str(error))
            return []
    return events


def _folded(events: list[Event], snapshots: list[KeptSnapshot], checked: Checked) -> Game | None:
    """The last state, folded anew, with every snapshot compared on the way; `None` when the events do not fold."""
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


def _is_current(snapshot: KeptSnapshot, events: int, checked: Checked) -> bool:
    """Whether a snapshot can be compared; one of another schema counts for nothing anywhere."""
    checked.counts.snapshots += 1
    if not 0 < snapshot.sequence <= events:
        checked.find("snapshot", snapshot.sequence, f"a snapshot of event {snapshot.sequence} of {events}")
        return False
    return snapshot.schema == SNAPSHOT_SCHEMA


def _compare_snapshot(snapshot: KeptSnapshot, game: Game, checked: Checked) -> None:
    kept = decode_snapshot(snapshot.payload, snapshot.schema, snapshot.sequence)
    if kept is None:
        checked.find("snapshot", snapshot.sequence, "the snapshot is damaged")
    elif kept != game and state_bytes(kept) != state_bytes(game):
        different = [name for name in Game.__struct_fields__ if getattr(kept, name) != getattr(game, name)]
        checked.find("snapshot", snapshot.sequence, f"the snapshot differs in {', '.join(different)}")


def _game_events(case: GameCase) -> list[GameEvent]:
    """The events as followers get them."""
    events = []
    for sequence, fact in enumerate(case.facts, start=1):
        event = GameEvent(game_id=case.game_id, sequence=sequence, schema_version=fact.schema_version)
        fill_body(event, fact.type, fact.payload)
        events.append(event)
    return events


def _check_hold(case: GameCase, checked: Checked) -> None:
    """A game is held rightly when its figures disagree or its events cannot be booked."""
    rightly = any(each.kind in ("books", "standing", "undecodable", "fold") for each in checked.findings)
    if case.hold is not None and not rightly:
        checked.find(
            "hold", case.hold.sequence, f"held ({checked.hold}), and nothing is wrong with its books"
        )
