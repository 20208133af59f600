"""Cards of games as messages: the same on the wire and in every store."""

from collections.abc import Iterable

from google.protobuf.message import DecodeError

from services.common.errors import SignalboxError
from services.gen.signalbox.lobby.v1 import game_card_pb2, table_pb2
from services.lobby.domain.clocks import PlayerClock
from services.lobby.domain.games import GameCard, GameResult, GameStanding


class UnreadableCard(SignalboxError):
    """What a store kept is no card."""


def results_to_wire(results: Iterable[GameResult]) -> list[table_pb2.GameResult]:
    """Results as messages."""
    return [table_pb2.GameResult(player_id=each.player_id, value=each.value) for each in results]


def results_from_wire(results: Iterable[table_pb2.GameResult]) -> tuple[GameResult, ...]:
    """Messages as results."""
    return tuple(GameResult(each.player_id, each.value) for each in results)


def card_message(card: GameCard) -> game_card_pb2.GameCard:
    """A card as a message."""
    standing = card.standing
    return game_card_pb2.GameCard(
        game_id=standing.game_id,
        sequence=standing.sequence,
        title=standing.title,
        players=standing.players,
        acting_players=standing.acting_players,
        round_kind=standing.round_kind,
        turn=standing.turn,
        round_number=standing.round_number,
        phase=standing.phase,
        actor=standing.actor,
        ending=standing.ending,
        results=results_to_wire(standing.results),
        update_time_ms=card.time_ms,
        clocks=[_clock_message(clock) for clock in card.clocks],
        table_id=card.table_id,
        turn_seconds=card.turn_seconds,
    )


def encode_card(card: GameCard) -> bytes:
    """A card as stores keep it."""
    return card_message(card).SerializeToString(deterministic=True)


def decode_card(stored: bytes) -> GameCard:
    """A card from its stored form. Raises `UnreadableCard`."""
    try:
        message = game_card_pb2.GameCard.FromString(stored)
    except DecodeError as error:
        raise UnreadableCard(f"no card of a game: {error}") from error
    standing = GameStanding(
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
    )
    clocks = tuple(
        PlayerClock(each.player_id, each.used_ms, each.asked_since_time_ms, each.asked_sequence)
        for each in message.clocks
    )
    return GameCard(
        standing=standing,
        clocks=clocks,
        table_id=message.table_id,
        turn_seconds=message.turn_seconds,
    )


def _clock_message(clock: PlayerClock) -> game_card_pb2.PlayerClock:
    return game_card_pb2.PlayerClock(
        player_id=clock.player_id,
        used_ms=clock.used_ms,
        asked_since_time_ms=clock.asked_since_ms,
        asked_sequence=clock.asked_sequence,
    )
