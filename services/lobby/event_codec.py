"""The lobby's events as records of the log: typed messages under names of our own."""

from collections.abc import Callable
from typing import Any

from google.protobuf.message import DecodeError, Message

from services.common.errors import SignalboxError
from services.common.eventlog.port import NewRecord, Record
from services.gen.signalbox.lobby.v1 import lobby_event_pb2 as wire, table_pb2
from services.lobby.card_codec import results_from_wire, results_to_wire
from services.lobby.domain import players, tables
from services.lobby.domain.catalogue import RulingChoice, RulingSelection, UndoPolicy

SCHEMA_VERSION = 1

LobbyEvent = players.NameEvent | players.PlayerRegistered | tables.TableEvent

UNDO_POLICY_TO_WIRE: dict[UndoPolicy, table_pb2.UndoPolicy] = {
    "free": table_pb2.UNDO_POLICY_FREE,
    "own_turn": table_pb2.UNDO_POLICY_OWN_TURN,
    "none": table_pb2.UNDO_POLICY_NONE,
}
UNDO_POLICY_FROM_WIRE = {number: policy for policy, number in UNDO_POLICY_TO_WIRE.items()}


class UnknownRecord(SignalboxError):
    """A record of the lobby that this version cannot read; the message names its place and type."""


def encode(event: LobbyEvent) -> NewRecord:
    """The record of an event."""
    name, message = _to_wire(event)
    return NewRecord(name, SCHEMA_VERSION, message.SerializeToString(deterministic=True))


def decode(record: Record) -> Any:
    """The event of a record. Raises `UnknownRecord`."""
    reader = READERS.get(record.type)
    place = f"{record.stream} #{record.sequence}"
    if reader is None or record.schema_version != SCHEMA_VERSION:
        raise UnknownRecord(f"{place}: no event {record.type} of schema version {record.schema_version}")
    try:
        return reader(record.payload)
    except (DecodeError, KeyError) as error:
        raise UnknownRecord(f"{place}: damaged event {record.type}") from error


def rulings_to_wire(rulings: tuple[RulingChoice, ...]) -> list[table_pb2.RulingChoice]:
    """Single rulings as messages."""
    return [table_pb2.RulingChoice(ruling_id=choice.ruling_id, value=choice.value) for choice in rulings]


def rulings_from_wire(profile: str, rulings: Any) -> RulingSelection:
    """Profile and messages as one selection."""
    return RulingSelection(profile, tuple(RulingChoice(choice.ruling_id, choice.value) for choice in rulings))


def _to_wire(event: LobbyEvent) -> tuple[str, Message]:
    match event:
        case players.NameClaimed(player_id=player_id):
            return "name_claimed", wire.NameClaimed(player_id=player_id)
        case players.NameReleased(player_id=player_id):
            return "name_released", wire.NameReleased(player_id=player_id)
        case players.PlayerRegistered(player_id=player_id, name=name, password_hash=password_hash):
            return "player_registered", wire.PlayerRegistered(
                player_id=player_id, name=name, password_hash=password_hash
            )
        case tables.TableCreated():
            return "table_created", _created_to_wire(event)
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


def _read_created(payload: bytes) -> tables.TableCreated:
    message = wire.TableCreated.FromString(payload)
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


def _read_registered(payload: bytes) -> players.PlayerRegistered:
    message = wire.PlayerRegistered.FromString(payload)
    return players.PlayerRegistered(message.player_id, message.name, message.password_hash)


def _read_joined(payload: bytes) -> tables.PlayerJoined:
    message = wire.PlayerJoined.FromString(payload)
    return tables.PlayerJoined(players.Player(message.player_id, message.name))


def _read_started(payload: bytes) -> tables.TableStarted:
    message = wire.TableStarted.FromString(payload)
    return tables.TableStarted(message.game_id, tuple(message.seats))


def _read_finished(payload: bytes) -> tables.TableFinished:
    message = wire.TableFinished.FromString(payload)
    return tables.TableFinished(
        message.game_id, message.sequence, message.ending, results_from_wire(message.results)
    )


def _read_reopened(payload: bytes) -> tables.TableReopened:
    message = wire.TableReopened.FromString(payload)
    return tables.TableReopened(message.game_id, message.sequence)


def _read_overdue(payload: bytes) -> tables.TurnOverdue:
    message = wire.TurnOverdue.FromString(payload)
    return tables.TurnOverdue(message.player_id, message.since_time_ms, message.sequence)


READERS: dict[str, Callable[[bytes], LobbyEvent]] = {
    "name_claimed": lambda payload: players.NameClaimed(wire.NameClaimed.FromString(payload).player_id),
    "name_released": lambda payload: players.NameReleased(wire.NameReleased.FromString(payload).player_id),
    "player_registered": _read_registered,
    "table_created": _read_created,
    "player_joined": _read_joined,
    "player_left": lambda payload: tables.PlayerLeft(wire.PlayerLeft.FromString(payload).player_id),
    "table_started": _read_started,
    "table_game_begun": lambda payload: tables.TableGameBegun(
        wire.TableGameBegun.FromString(payload).game_id
    ),
    "table_closed": lambda payload: tables.TableClosed(),
    "table_finished": _read_finished,
    "table_reopened": _read_reopened,
    "turn_overdue": _read_overdue,
}
