"""An export of this project that goes on here. Its events are facts and are not decided again: rules may have been mended since.
What is checked is that they are those that a trusted platform has signed, and that they fold to the state they had."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from services.rules.adapters.codec import EVENT_TYPES, UnreadableEventError, decode_event
from services.rules.adapters.snapshots import SNAPSHOT_SCHEMA
from services.rules.kernel.conversion import Converter
from services.rules.kernel.events import Event, GameCreated
from services.rules.kernel.fold import effective, replay
from services.rules.kernel.game import Game
from services.rules.kernel.rejections import Rejected
from services.rules.kernel.title import Title
from services.rules.moving.export import Export, read_export, state_digest
from services.rules.moving.opening import Opening, Wanted, accounts_of
from services.rules.moving.refusals import FileRefused

SOURCE = "signalbox"
# As the lobby makes them: no word of the rules can be one, so that they can be replaced everywhere.
PLAYER_ID = re.compile(r"p[a-z2-7]{24}")

_CONVERTERS: Mapping[type[Event], Converter[Event]] = {kind: Converter(kind) for kind in EVENT_TYPES}

# Whether a trusted key has signed this content.
IsSigned = Callable[[bytes, bytes], bool]


def open_export(content: bytes, wanted: Wanted, titles: Mapping[str, Title], is_signed: IsSigned) -> Opening:
    """The game after the last event of the file. Raises `FileRefused`, which names the first event that is not taken."""
    export = read_export(content)
    if not is_signed(export.end.signed(), export.end.signature):
        raise FileRefused("not_signed", f"key {export.end.key_id!r}")
    events = _events(export)
    game = _folded(events)
    if export.end.state_schema == SNAPSHOT_SCHEMA and export.end.state != state_digest(game):
        raise FileRefused("fold_differs")
    if game.title not in titles:
        unknown = Rejected("unknown_title", detail=game.title).rejection()
        raise FileRefused(unknown.code, sentence=unknown.message)
    renamed = _renamed(events, game, wanted.accounts)
    if renamed is not events:
        events, game = renamed, replay(renamed)
    return Opening(SOURCE, export.end.game_id, len(events), events, game)


def _events(export: Export) -> tuple[Event, ...]:
    events: list[Event] = []
    for number, fact in enumerate(export.facts, start=1):
        try:
            event = decode_event(fact.type, fact.schema_version, fact.payload)
        except UnreadableEventError as error:
            raise FileRefused("event_unreadable", str(error), number=number, kind=fact.type) from error
        if isinstance(event, GameCreated) != (number == 1):
            raise FileRefused("event_impossible", number=number, kind=fact.type)
        events.append(event)
    if not events:
        raise FileRefused("event_missing", number=1)
    return tuple(events)


def _folded(events: Iterable[Event]) -> Game:
    game, kept = Game(), effective(events)
    for number, event in enumerate(kept, start=1):
        try:
            if event is not None:
                event.write(game)
        except Exception as error:
            kind = type(event).__name__
            raise FileRefused("event_impossible", repr(error), number=number, kind=kind) from error
    game.sequence = len(kept)
    return game


def _renamed(events: tuple[Event, ...], game: Game, accounts: Mapping[str, str]) -> tuple[Event, ...]:
    """The events with the accounts in the place of the players and of those who play their seats now; without accounts all keep
    their ids. Who played a seat before is named by the id that the account has there."""
    if not accounts:
        return events
    people = (*game.players, *bearers_in(game))
    renamed = accounts_of(people, people, accounts)
    if all(person == account for person, account in renamed.items()):
        return events
    for person in people:
        if PLAYER_ID.fullmatch(person) is None:
            raise FileRefused("players_not_replaceable", player=person)
    return tuple(_replaced(event, renamed) for event in events)


def bearers_in(game: Game) -> tuple[str, ...]:
    """The accounts that have taken seats of a game, play them now, and have no seat called after them. Bots need no account."""
    bearers = (game.bearers[seat] for seat in game.players if seat in game.bearers)
    return tuple(
        bearer.account for bearer in bearers if bearer.kind != "bot" and bearer.account not in game.players
    )


def _replaced(event: Event, seats: Mapping[str, str]) -> Event:
    plain = _with_accounts(msgspec.to_builtins(event), seats)
    return _CONVERTERS[type(event)](plain)


def _with_accounts(value: Any, seats: Mapping[str, str]) -> Any:
    match value:
        case str():
            return seats.get(value, value)
        case dict():
            return {_with_accounts(key, seats): _with_accounts(each, seats) for key, each in value.items()}
        case list() | tuple():
            return [_with_accounts(each, seats) for each in value]
    return value
