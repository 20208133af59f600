"""The status of a game that rules publishes after every command: for the ledger, the lobby and the audit."""

from __future__ import annotations

from services.gen.signalbox.log.v1.log_pb2 import GameStatus, Holding, PlayerResult, SeatBearer
from services.rules.adapters.codec import BEARER_KINDS
from services.rules.kernel.decide import acting_players
from services.rules.kernel.game import Game
from services.rules.kernel.title import Title
from services.rules.kernel.titledata import TitleData
from services.rules.parts.shares.shares import shares_of
from services.rules.parts.trains.state import phase_of

SCHEMA_VERSION = 1


def status_of(
    game_id: str, title: Title, data: TitleData, game: Game, recorded_time_ms: int = 0
) -> GameStatus:
    """The status of a game. `recorded_time_ms`: when its last event was recorded, milliseconds since 1970 UTC."""
    current = game.round
    return GameStatus(
        schema_version=SCHEMA_VERSION,
        game_id=game_id,
        sequence=game.sequence,
        cash=game.cash,
        holdings=[
            Holding(holder=holder, company=company, shares=shares_of(data, company, numbers))
            for (holder, company), numbers in game.holdings.items()
        ],
        debts=game.debts,
        title=game.title,
        players=game.players,
        acting_players=acting_players(title, data, game),
        round_kind="" if current is None else current.kind,
        turn=0 if current is None else current.turn,
        round_number=0 if current is None else current.number,
        phase=phase_of(game),
        actor=game.actor,
        ending=game.ending if game.finished else "",
        results=[PlayerResult(player=each.player, value=each.value) for each in game.scores]
        if game.finished
        else [],
        recorded_time_ms=recorded_time_ms,
        bearers=[
            SeatBearer(seat=seat, bearer=bearer.account, kind=BEARER_KINDS[bearer.kind])
            for seat, bearer in game.bearers.items()
        ],
        suspended=game.suspended,
    )
