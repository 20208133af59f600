"""Statuses and summaries of games as messages: the same on the wire and in every store."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from google.protobuf.message import DecodeError

from services.common.errors import SignalboxError
from services.gen.signalbox.events.v1 import events_pb2
from services.gen.signalbox.lobby.v1 import game_status_pb2, game_summary_pb2
from services.lobby.domain.clocks import PlayerClock, TurnEnd
from services.lobby.domain.games import BearerKind, GameResult, GameStatus, GameSummary, SeatBearer

BEARER_KIND_TO_WIRE: dict[BearerKind, events_pb2.BearerKind] = {
    "player": events_pb2.BEARER_KIND_PLAYER,
    "substitute": events_pb2.BEARER_KIND_SUBSTITUTE,
    "bot": events_pb2.BEARER_KIND_BOT,
    "director": events_pb2.BEARER_KIND_DIRECTOR,
}
NO_ENDS: Mapping[str, TurnEnd] = MappingProxyType({})
NO_END = TurnEnd(0, 0)
BEARER_KIND_FROM_WIRE = {number: kind for kind, number in BEARER_KIND_TO_WIRE.items()}


class UnreadableSummary(SignalboxError):
    """Stored bytes that are not a summary."""


def results_to_wire(results: Iterable[GameResult]) -> list[game_status_pb2.GameResult]:
    """Results as messages."""
    return [game_status_pb2.GameResult(player_id=each.player_id, value=each.value) for each in results]


def results_from_wire(results: Iterable[game_status_pb2.GameResult]) -> tuple[GameResult, ...]:
    """Messages as results."""
    return tuple(GameResult(each.player_id, each.value) for each in results)


def status_message(status: GameStatus) -> game_status_pb2.GameStatus:
    """A status as a message."""
    return game_status_pb2.GameStatus(
        game_id=status.game_id,
        sequence=status.sequence,
        title=status.title,
        players=status.players,
        acting_players=status.acting_players,
        round_kind=status.round_kind,
        turn=status.turn,
        round_number=status.round_number,
        phase=status.phase,
        actor=status.actor,
        ending=status.ending,
        results=results_to_wire(status.results),
        update_time_ms=status.time_ms,
        bearers=[
            game_status_pb2.SeatBearer(
                seat=each.seat, bearer_id=each.account, kind=BEARER_KIND_TO_WIRE[each.kind]
            )
            for each in status.bearers
        ],
        suspended=status.suspended,
        ruling_count=status.ruling_count,
    )


def summary_message(
    summary: GameSummary, ends: Mapping[str, TurnEnd] = NO_ENDS
) -> game_summary_pb2.GameSummary:
    """A summary as a message. `ends`: of the turns at hand, by seat; they are not stored."""
    return game_summary_pb2.GameSummary(
        status=status_message(summary.status),
        clocks=[_clock_message(clock, ends.get(clock.player_id, NO_END)) for clock in summary.clocks],
        table_id=summary.table_id,
        turn_seconds=summary.turn_seconds,
        is_unlisted=summary.is_unlisted,
        has_clock=summary.has_clock,
    )


def encode_summary(summary: GameSummary) -> bytes:
    """A summary as stores keep it."""
    return summary_message(summary).SerializeToString(deterministic=True)


def decode_summary(stored: bytes) -> GameSummary:
    """A summary from its stored form. Raises `UnreadableSummary`."""
    try:
        message = game_summary_pb2.GameSummary.FromString(stored)
    except DecodeError as error:
        raise UnreadableSummary(f"not a summary of a game: {error}") from error
    clocks = tuple(
        PlayerClock(each.player_id, each.used_ms, each.asked_since_time_ms, each.asked_sequence)
        for each in message.clocks
    )
    return GameSummary(
        status=_status_of(message.status),
        clocks=clocks,
        table_id=message.table_id,
        turn_seconds=message.turn_seconds,
        is_unlisted=message.is_unlisted,
        has_clock=message.has_clock,
    )


def _status_of(message: game_status_pb2.GameStatus) -> GameStatus:
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
        results=results_from_wire(message.results),
        time_ms=message.update_time_ms,
        bearers=tuple(
            SeatBearer(each.seat, each.bearer_id, BEARER_KIND_FROM_WIRE[each.kind])
            for each in message.bearers
        ),
        suspended=message.suspended,
        ruling_count=message.ruling_count,
    )


def _clock_message(clock: PlayerClock, end: TurnEnd) -> game_summary_pb2.PlayerClock:
    return game_summary_pb2.PlayerClock(
        player_id=clock.player_id,
        used_ms=clock.used_ms,
        asked_since_time_ms=clock.asked_since_ms,
        asked_sequence=clock.asked_sequence,
        deadline_time_ms=end.deadline_ms,
        turn_left_ms=end.left_ms,
    )
