"""Tables between the lobby and the wire."""

from typing import Any

from services.common.auth.tokens import Principal
from services.common.errors import InvalidRequest
from services.gen.signalbox.lobby.v1 import lobby_service_pb2 as wire, player_pb2, table_pb2
from services.lobby.domain.catalogue import TableChoices, UndoPolicy
from services.lobby.domain.directing import TableSeatTaken
from services.lobby.domain.imports import ImportSeat, ImportWanted
from services.lobby.domain.invitations import TableArranged, Visibility
from services.lobby.domain.players import Player
from services.lobby.domain.rejections import Rejection
from services.lobby.domain.tables import Table
from services.lobby.domain.visibility import Viewer, as_seen
from services.lobby.event_codec import (
    UNDO_POLICY_FROM_WIRE,
    UNDO_POLICY_TO_WIRE,
    origin_to_wire,
    rulings_from_wire,
    rulings_to_wire,
)
from services.lobby.rejection_messages import rejection_message
from services.lobby.struct_messages import document
from services.lobby.summary_codec import BEARER_KIND_TO_WIRE, results_to_wire

DEFAULT_UNDO_POLICY: UndoPolicy = "own_turn"
VISIBILITY_FROM_WIRE = {
    table_pb2.TABLE_VISIBILITY_UNSPECIFIED: Visibility.PUBLIC,
    **{
        table_pb2.TableVisibility.Value(f"TABLE_VISIBILITY_{each.value.upper()}"): each for each in Visibility
    },
}


def arranged_in(request: wire.CreateTableRequest) -> TableArranged:
    """How a request arranges a table. Raises `InvalidRequest` for a visibility that is not known."""
    if request.visibility not in VISIBILITY_FROM_WIRE:
        raise InvalidRequest(f"visibility {request.visibility} is not known")
    return TableArranged(
        VISIBILITY_FROM_WIRE[request.visibility],
        request.are_seats_given,
        request.least_players,
        request.delay_moves,
        request.delay_seconds,
    )


def import_of(request: wire.ImportTableRequest) -> ImportWanted:
    """What a request wants imported. Raises `InvalidRequest` for an undo policy that is not known and a seat without account."""
    seats = tuple(
        ImportSeat(each.recorded, player_name=each.player_name, player_id=each.player_id)
        for each in request.seats
    )
    for index, seat in enumerate(seats):
        if not seat.recorded or not (seat.player_name or seat.player_id):
            raise InvalidRequest(f"seats[{index}] needs a player of the file and an account")
    policy = _undo_policy(request.undo_policy)
    return ImportWanted(request.file, seats, policy, request.turn_seconds, request.as_recorded)


def _undo_policy(number: table_pb2.UndoPolicy) -> UndoPolicy:
    if number == table_pb2.UNDO_POLICY_UNSPECIFIED:
        return DEFAULT_UNDO_POLICY
    if number not in UNDO_POLICY_FROM_WIRE:
        raise InvalidRequest(f"undo_policy {number} is not known")
    return UNDO_POLICY_FROM_WIRE[number]


def choices_of(request: wire.CreateTableRequest) -> TableChoices:
    """What a request chooses. Raises `InvalidRequest` for an undo policy that is not known."""
    return TableChoices(
        title=request.title,
        player_count=request.player_count,
        options=tuple(request.options),
        rulings=rulings_from_wire(request.ruling_profile, request.rulings),
        undo_policy=_undo_policy(request.undo_policy),
        seed=request.seed if request.HasField("seed") else None,
    )


def player_message(player: Player) -> player_pb2.Player:
    """A player as a message."""
    return player_pb2.Player(player_id=player.player_id, name=player.name)


def encode_watched(table: Table, position: int) -> bytes:
    """A table that changed as a message of `WatchTables`."""
    return wire.WatchTablesResponse(table=table_message(table), position=position).SerializeToString()


def _taker_message(taker: TableSeatTaken) -> table_pb2.SeatTaker:
    return table_pb2.SeatTaker(
        seat=taker.seat,
        bearer=player_message(taker.bearer),
        kind=BEARER_KIND_TO_WIRE[taker.kind],
        sequence=taker.sequence,
    )


def table_message(table: Table) -> table_pb2.Table:
    """A table as a message."""
    return table_pb2.Table(
        table_id=table.table_id,
        title=table.title,
        player_count=table.player_count,
        options=table.options,
        ruling_profile=table.rulings.profile,
        rulings=rulings_to_wire(table.rulings.single),
        undo_policy=UNDO_POLICY_TO_WIRE[table.undo_policy],
        seed_chosen_by_owner=table.seed_chosen_by_owner,
        owner_id=table.owner_id,
        players=[player_message(player) for player in table.players],
        state=f"TABLE_STATE_{table.state.value}",
        seats=table.seats,
        game_id=table.game_id,
        version=table.version,
        create_time_ms=table.create_time_ms,
        turn_seconds=table.turn_seconds,
        clock="" if table.clock is None else document(table.clock),
        ending=table.ending,
        results=results_to_wire(table.results),
        overdue=[
            table_pb2.OverduePlayer(
                player_id=each.player_id, turn_count=each.turn_count, since_time_ms=each.since_ms
            )
            for each in table.overdue
        ],
        start_refusal=None if table.start_refusal is None else rejection_message(table.start_refusal),
        origin=None if table.origin is None else origin_to_wire(table.origin),
        director_id=table.director_id,
        seat_takers=[_taker_message(taker) for taker in table.seat_takers],
        round_id=table.round_id,
        round_table=table.round_table,
        visibility=f"TABLE_VISIBILITY_{table.guests.arranged.visibility.value.upper()}",
        are_seats_given=table.guests.arranged.are_seats_given,
        least_players=table.guests.arranged.least_players,
        delay_moves=table.guests.arranged.delay_moves,
        delay_seconds=table.guests.arranged.delay_seconds,
        invited=[player_message(player) for player in table.guests.invited],
        rematch_of=table.guests.arranged.rematch_of,
        agreed_to_end=table.agreed_to_end,
        substitutes=[player_message(player) for player in table.substitutes],
    )


def table_outcome(result: Table | Rejection, caller: Principal) -> dict[str, Any]:
    """The table as the caller sees it, or why nothing changed, as the two of a response."""
    if isinstance(result, Rejection):
        return {"rejected": rejection_message(result)}
    return {"table": table_message(as_seen(result, Viewer(caller.player_id)))}
