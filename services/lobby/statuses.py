"""The status of a game that rules publishes, as the lobby's own value."""

from __future__ import annotations

from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.lobby.domain.games import GameResult, GameStatus, SeatBearer
from services.lobby.summary_codec import BEARER_KIND_FROM_WIRE


def status_from(message: pb.GameStatus) -> GameStatus:
    """The status without the balances."""
    return GameStatus(
        game_id=message.game_id,
        sequence=message.sequence,
        title=message.title,
        players=tuple(message.players),
        acting_players=tuple(message.acting_players),
        round_kind=message.round_kind,
        turn=message.turn,
        round_number=message.round_number,
        phase=message.phase,
        actor=message.actor,
        ending=message.ending,
        results=tuple(GameResult(each.player, each.value) for each in message.results),
        time_ms=message.recorded_time_ms,
        bearers=tuple(
            SeatBearer(each.seat, each.bearer, BEARER_KIND_FROM_WIRE[each.kind]) for each in message.bearers
        ),
        suspended=message.suspended,
        actor_kind=message.actor_kind,
        acting_seats=tuple(message.acting_seats),
        actor_seat=message.actor_seat,
        ruling_count=message.ruling_count,
    )
