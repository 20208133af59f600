"""The status of a game that rules publishes after every command: for the ledger, the lobby and the audit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from services.common.balances import Balances
from services.gen.signalbox.log.v1.log_pb2 import GameStatus, PlayerResult, SeatBearer
from services.rules.adapters.codec import BEARER_KINDS
from services.rules.kernel.decide import acting_players
from services.rules.kernel.game import Game
from services.rules.kernel.title import Title
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.values import DecisionKind
from services.rules.parts.shares.data import company_kind
from services.rules.parts.shares.shares import shares_of
from services.rules.parts.trains.state import phase_of

SCHEMA_VERSION = 3
CHANGE_POSITION: tuple[DecisionKind, ...] = ("roll_back", "correct", "end_game")
"""What directors decide about a position itself; acting for a seat is a move of that seat."""


def balances_of(data: TitleData, game: Game) -> Balances:
    """Everything that holders have in a game."""
    shares = {
        (holder, company): shares_of(data, company, numbers)
        for (holder, company), numbers in game.holdings.items()
    }
    return Balances(game.cash, shares, game.debts)


def status_of(
    game_id: str, title: Title, data: TitleData, game: Game, recorded_time_ms: int = 0
) -> GameStatus:
    """The status of a game. `recorded_time_ms`: when its last event was recorded, milliseconds since 1970 UTC."""
    current = game.round
    return GameStatus(
        schema_version=SCHEMA_VERSION,
        game_id=game_id,
        sequence=game.sequence,
        balances_digest=balances_of(data, game).stored_digest(),
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
        actor_kind=company_kind(data, game.actor),
        ruling_count=sum(each.kind in CHANGE_POSITION for each in game.decisions),
    )


def shortened(status: GameStatus) -> GameStatus:
    """The status as it follows the first one of its game, from which readers know title and players: players are named by
    their seats."""
    short = GameStatus()
    short.CopyFrom(status)
    short.ClearField("title")
    short.ClearField("players")
    seats = {player: seat for seat, player in enumerate(status.players)}
    if seats.keys() >= set(status.acting_players):
        short.ClearField("acting_players")
        short.acting_seats.extend(seats[player] for player in status.acting_players)
    if status.actor in seats:
        short.ClearField("actor")
        short.actor_seat = seats[status.actor] + 1
    return short


def whole(status: GameStatus, title: str, players: Sequence[str]) -> GameStatus:
    """The status before it was shortened, of a game with this title and these players; one that was not is the same. Seats
    that the game does not have count for nobody."""
    full = GameStatus()
    full.CopyFrom(status)
    full.title = status.title or title
    if not status.players:
        full.players.extend(players)
    full.ClearField("acting_seats")
    full.ClearField("actor_seat")
    full.acting_players.extend(_at(status.acting_seats, players))
    full.actor = status.actor or "".join(_at([status.actor_seat - 1], players))
    return full


def _at(seats: Iterable[int], players: Sequence[str]) -> list[str]:
    return [players[seat] for seat in seats if 0 <= seat < len(players)]
