"""The lobby's events as records of the log: protobuf messages under names that do not depend on class names."""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import msgspec
from google.protobuf.message import DecodeError, Message

from services.common.errors import SignalboxError
from services.common.eventlog.port import NewRecord, Record
from services.common.eventlog.schema_versions import check_upcasts, schema_version_of, unknown_version
from services.gen.signalbox.lobby.v1 import lobby_event_pb2 as wire, player_pb2, table_pb2
from services.lobby import clock_codec, guest_codec, tournament_codec
from services.lobby.domain import (
    agreeing,
    api_tokens,
    directing,
    imports,
    invitations,
    offering,
    players,
    table_clocks,
    tables,
)
from services.lobby.domain.catalogue import RulingChoice, RulingSelection, TableChoices, UndoPolicy
from services.lobby.domain.table_of_round import TableSeated
from services.lobby.domain.tournaments.rounds.round import RoundEvent
from services.lobby.domain.tournaments.series.series import SeriesEvent
from services.lobby.domain.tournaments.tournament import TournamentEvent
from services.lobby.struct_messages import message_of, struct_of
from services.lobby.summary_codec import (
    BEARER_KIND_FROM_WIRE,
    BEARER_KIND_TO_WIRE,
    results_from_wire,
    results_to_wire,
)
from services.lobby.upcasts import UPCASTS

LobbyEvent = (
    players.NameEvent
    | players.PlayerRegistered
    | api_tokens.ApiTokenMade
    | tables.TableEvent
    | imports.GameKept
    | table_clocks.ClockEvent
    | TournamentEvent
    | RoundEvent
    | SeriesEvent
)

UNDO_POLICY_TO_WIRE: dict[UndoPolicy, table_pb2.UndoPolicy] = {
    "free": table_pb2.UNDO_POLICY_FREE,
    "own_turn": table_pb2.UNDO_POLICY_OWN_TURN,
    "none": table_pb2.UNDO_POLICY_NONE,
}
UNDO_POLICY_FROM_WIRE = {number: policy for policy, number in UNDO_POLICY_TO_WIRE.items()}


class UnknownRecord(SignalboxError):
    """A record of the lobby that this version cannot read; the message names its location and type."""


class UnknownVersion(Exception):
    """An event has a name or a version that is not known here."""


class Reader(NamedTuple):
    """The message of an event in its current version, and the event of a message."""

    message: type[Message]
    read: Callable[[Any], LobbyEvent]

    @property
    def version(self) -> int:
        """The current version."""
        return schema_version_of(self.message)


def encode(event: LobbyEvent) -> NewRecord:
    """The record of an event."""
    name, message = _to_wire(event)
    return NewRecord(name, schema_version_of(type(message)), message.SerializeToString(deterministic=True))


def decode(record: Record) -> Any:
    """The event of a record, in its current version. Raises `UnknownRecord`."""
    location = f"{record.stream} #{record.sequence}"
    try:
        message = _current_message(record)
        return READERS[record.type].read(message)
    except UnknownVersion as unknown:
        raise UnknownRecord(f"{location}: {unknown}") from None
    except (DecodeError, KeyError, msgspec.DecodeError) as error:
        raise UnknownRecord(f"{location}: damaged event {record.type}") from error


def _current_message(record: Record) -> Message:
    """The message of a record, brought from its version to the current one."""
    reader, version = READERS.get(record.type), record.schema_version
    if reader is None:
        raise UnknownVersion(f"no event is called {record.type!r}")
    if version == reader.version:
        return reader.message.FromString(record.payload)
    if (record.type, version) not in UPCASTS:
        raise UnknownVersion(unknown_version(record.type, version, reader.version))
    message = UPCASTS[record.type, version].message.FromString(record.payload)
    for older in range(version, reader.version):
        message = UPCASTS[record.type, older].to_next(message)
    return message


def rulings_to_wire(rulings: tuple[RulingChoice, ...]) -> list[table_pb2.RulingChoice]:
    """Single rulings as messages."""
    return [table_pb2.RulingChoice(ruling_id=choice.ruling_id, value=choice.value) for choice in rulings]


def rulings_from_wire(profile: str, rulings: Any) -> RulingSelection:
    """Profile and messages as one selection."""
    return RulingSelection(profile, tuple(RulingChoice(choice.ruling_id, choice.value) for choice in rulings))


def _to_wire(event: LobbyEvent) -> tuple[str, Message]:
    if isinstance(event, invitations.GuestEvent | agreeing.AgreementEvent | offering.OfferEvent):
        return guest_codec.to_wire(event)
    if isinstance(event, table_clocks.ClockChosen | table_clocks.ClockEvent):
        return clock_codec.to_wire(event)
    match event:
        case players.NameClaimed(player_id=player_id):
            return "name_claimed", wire.NameClaimed(player_id=player_id)
        case players.NameReleased(player_id=player_id):
            return "name_released", wire.NameReleased(player_id=player_id)
        case players.PlayerRegistered(player_id=player_id, name=name, password_hash=password_hash):
            return "player_registered", wire.PlayerRegistered(
                player_id=player_id, name=name, password_hash=password_hash
            )
        case api_tokens.ApiTokenMade():
            return "api_token_made", message_of(event, wire.ApiTokenMade)
        case tables.TableCreated():
            return "table_created", _created_to_wire(event)
        case tables.TableImported():
            return "table_imported", _imported_to_wire(event)
        case TableSeated():
            return "table_seated", _seated_to_wire(event)
        case imports.GameKept(events=events):
            return "game_kept", wire.GameKept(events=events)
        case directing.DirectorNamed(player_id=player_id):
            return "director_named", wire.DirectorNamed(player_id=player_id)
        case directing.TableSeatTaken():
            return "table_seat_taken", _seat_taken_to_wire(event)
        case tables.PlayerJoined(player=player):
            return "player_joined", wire.PlayerJoined(player_id=player.player_id, name=player.name)
        case tables.PlayerLeft(player_id=player_id):
            return "player_left", wire.PlayerLeft(player_id=player_id)
        case tables.TableStarted(game_id=game_id, seats=seats):
            return "table_started", wire.TableStarted(game_id=game_id, seats=seats)
        case tables.TableGameBegun(game_id=game_id):
            return "table_game_begun", wire.TableGameBegun(game_id=game_id)
        case tables.TableClosed():
            return "table_closed", wire.TableClosed(reason=wire.TABLE_CLOSED_REASON_OWNER_LEFT)
        case tables.TableStartRefused(code=code, sentence=sentence, clause=clause):
            return "table_start_refused", wire.TableStartRefused(code=code, sentence=sentence, clause=clause)
        case tables.TableFinished(game_id=game_id, sequence=sequence, ending=ending, results=results):
            return "table_finished", wire.TableFinished(
                game_id=game_id, sequence=sequence, ending=ending, results=results_to_wire(results)
            )
        case tables.TableReopened(game_id=game_id, sequence=sequence):
            return "table_reopened", wire.TableReopened(game_id=game_id, sequence=sequence)
        case tables.TurnOverdue(player_id=player_id, since_ms=since_ms, sequence=sequence):
            return "turn_overdue", wire.TurnOverdue(
                player_id=player_id, since_time_ms=since_ms, sequence=sequence
            )
        case _:
            return tournament_codec.to_wire(event)


def _seat_taken_to_wire(event: directing.TableSeatTaken) -> wire.TableSeatTaken:
    return wire.TableSeatTaken(
        seat=event.seat,
        bearer_id=event.bearer.player_id,
        bearer_name=event.bearer.name,
        kind=BEARER_KIND_TO_WIRE[event.kind],
        sequence=event.sequence,
    )


def _created_to_wire(event: tables.TableCreated) -> wire.TableCreated:
    return wire.TableCreated(
        table_id=event.table_id,
        owner_id=event.owner.player_id,
        owner_name=event.owner.name,
        title=event.title,
        player_count=event.player_count,
        options=event.options,
        ruling_profile=event.rulings.profile,
        rulings=rulings_to_wire(event.rulings.single),
        undo_policy=UNDO_POLICY_TO_WIRE[event.undo_policy],
        seed=event.seed,
        seed_chosen_by_owner=event.seed_chosen_by_owner,
        create_time_ms=event.create_time_ms,
        turn_seconds=event.turn_seconds,
    )


def _imported_to_wire(event: tables.TableImported) -> wire.TableImported:
    return wire.TableImported(
        table_id=event.table_id,
        game_id=event.game_id,
        players=[player_pb2.Player(player_id=each.player_id, name=each.name) for each in event.players],
        title=event.title,
        options=event.options,
        ruling_profile=event.rulings.profile,
        rulings=rulings_to_wire(event.rulings.single),
        undo_policy=UNDO_POLICY_TO_WIRE[event.undo_policy],
        seed=event.seed,
        origin=origin_to_wire(event.origin),
        kept_in=event.kept_in,
        create_time_ms=event.create_time_ms,
        turn_seconds=event.turn_seconds,
    )


def _seated_to_wire(event: TableSeated) -> wire.TableSeated:
    return wire.TableSeated(
        table_id=event.table_id,
        game_id=event.game_id,
        round_id=event.round_id,
        round_table=event.round_table,
        owner_id=event.owner_id,
        players=[player_pb2.Player(player_id=each.player_id, name=each.name) for each in event.players],
        title=event.choices.title,
        options=event.choices.options,
        ruling_profile=event.choices.rulings.profile,
        rulings=rulings_to_wire(event.choices.rulings.single),
        undo_policy=UNDO_POLICY_TO_WIRE[event.choices.undo_policy],
        seed=event.choices.seed,
        create_time_ms=event.create_time_ms,
        turn_seconds=event.turn_seconds,
    )


def origin_to_wire(origin: imports.TableOrigin) -> table_pb2.TableOrigin:
    """Where an imported game comes from, as a message."""
    return table_pb2.TableOrigin(
        source=origin.source,
        game_id=origin.game_id,
        file_digest=origin.file_digest,
        action_count=origin.action_count,
        imported_by=origin.imported_by,
    )


def _read_imported(message: wire.TableImported) -> tables.TableImported:
    origin = message.origin
    return tables.TableImported(
        table_id=message.table_id,
        game_id=message.game_id,
        players=tuple(players.Player(each.player_id, each.name) for each in message.players),
        title=message.title,
        options=tuple(message.options),
        rulings=rulings_from_wire(message.ruling_profile, message.rulings),
        undo_policy=UNDO_POLICY_FROM_WIRE[message.undo_policy],
        seed=message.seed,
        origin=imports.TableOrigin(
            origin.source, origin.game_id, origin.file_digest, origin.action_count, origin.imported_by
        ),
        kept_in=message.kept_in,
        create_time_ms=message.create_time_ms,
        turn_seconds=message.turn_seconds,
    )


def _read_seated(message: wire.TableSeated) -> TableSeated:
    choices = TableChoices(
        message.title,
        len(message.players),
        tuple(message.options),
        rulings_from_wire(message.ruling_profile, message.rulings),
        UNDO_POLICY_FROM_WIRE[message.undo_policy],
        message.seed,
    )
    return TableSeated(
        table_id=message.table_id,
        game_id=message.game_id,
        round_id=message.round_id,
        round_table=message.round_table,
        owner_id=message.owner_id,
        players=tuple(players.Player(each.player_id, each.name) for each in message.players),
        choices=choices,
        create_time_ms=message.create_time_ms,
        turn_seconds=message.turn_seconds,
    )


def _read_created(message: wire.TableCreated) -> tables.TableCreated:
    return tables.TableCreated(
        table_id=message.table_id,
        owner=players.Player(message.owner_id, message.owner_name),
        title=message.title,
        player_count=message.player_count,
        options=tuple(message.options),
        rulings=rulings_from_wire(message.ruling_profile, message.rulings),
        undo_policy=UNDO_POLICY_FROM_WIRE[message.undo_policy],
        seed=message.seed,
        seed_chosen_by_owner=message.seed_chosen_by_owner,
        create_time_ms=message.create_time_ms,
        turn_seconds=message.turn_seconds,
    )


def _read_registered(message: wire.PlayerRegistered) -> players.PlayerRegistered:
    return players.PlayerRegistered(message.player_id, message.name, message.password_hash)


def _read_joined(message: wire.PlayerJoined) -> tables.PlayerJoined:
    return tables.PlayerJoined(players.Player(message.player_id, message.name))


def _read_started(message: wire.TableStarted) -> tables.TableStarted:
    return tables.TableStarted(message.game_id, tuple(message.seats))


def _read_finished(message: wire.TableFinished) -> tables.TableFinished:
    return tables.TableFinished(
        message.game_id, message.sequence, message.ending, results_from_wire(message.results)
    )


def _read_reopened(message: wire.TableReopened) -> tables.TableReopened:
    return tables.TableReopened(message.game_id, message.sequence)


def _read_overdue(message: wire.TurnOverdue) -> tables.TurnOverdue:
    return tables.TurnOverdue(message.player_id, message.since_time_ms, message.sequence)


def _read_seat_taken(message: wire.TableSeatTaken) -> directing.TableSeatTaken:
    bearer = players.Player(message.bearer_id, message.bearer_name)
    kind = BEARER_KIND_FROM_WIRE[message.kind]
    return directing.TableSeatTaken(message.seat, bearer, kind, message.sequence)


_API_TOKEN_MADE = msgspec.json.Decoder(api_tokens.ApiTokenMade)
MORE_READERS = guest_codec.READERS | clock_codec.READERS | tournament_codec.READERS
READERS: dict[str, Reader] = {
    "name_claimed": Reader(wire.NameClaimed, lambda message: players.NameClaimed(message.player_id)),
    "name_released": Reader(wire.NameReleased, lambda message: players.NameReleased(message.player_id)),
    "player_registered": Reader(wire.PlayerRegistered, _read_registered),
    "api_token_made": Reader(wire.ApiTokenMade, partial(struct_of, decoder=_API_TOKEN_MADE)),
    "table_created": Reader(wire.TableCreated, _read_created),
    "table_imported": Reader(wire.TableImported, _read_imported),
    "table_seated": Reader(wire.TableSeated, _read_seated),
    "game_kept": Reader(wire.GameKept, lambda message: imports.GameKept(message.events)),
    "player_joined": Reader(wire.PlayerJoined, _read_joined),
    "player_left": Reader(wire.PlayerLeft, lambda message: tables.PlayerLeft(message.player_id)),
    "table_started": Reader(wire.TableStarted, _read_started),
    "table_game_begun": Reader(wire.TableGameBegun, lambda message: tables.TableGameBegun(message.game_id)),
    "table_closed": Reader(wire.TableClosed, lambda message: tables.TableClosed()),
    "table_start_refused": Reader(
        wire.TableStartRefused,
        lambda message: tables.TableStartRefused(message.code, message.sentence, message.clause),
    ),
    "table_finished": Reader(wire.TableFinished, _read_finished),
    "table_reopened": Reader(wire.TableReopened, _read_reopened),
    "turn_overdue": Reader(wire.TurnOverdue, _read_overdue),
    "director_named": Reader(wire.DirectorNamed, lambda message: directing.DirectorNamed(message.player_id)),
    "table_seat_taken": Reader(wire.TableSeatTaken, _read_seat_taken),
} | {name: Reader(*reader) for name, reader in MORE_READERS.items()}
check_upcasts({name: reader.version for name, reader in READERS.items()}, UPCASTS)
