"""What the players of a tournament's table did there: the input of reliability."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from services.lobby.domain.directing import SeatTakers
from services.lobby.domain.ratings.reliability import Conduct
from services.lobby.domain.table_clocks import PlayedTurn
from services.lobby.domain.tournaments.rounds.round import Round, TableState
from services.lobby.domain.tournaments.rounds.settling import settled_result
from services.lobby.domain.tournaments.rounds.substituting import last_player, substitutes_in


def conduct_at(
    current: Round, state: TableState, takers: SeatTakers, played: Iterable[PlayedTurn]
) -> Iterator[tuple[str, Conduct]]:
    """The conduct of each player of a table, and of who took over a seat. `played`: the turns of the seats, by their clocks.

    Who was missing or was replaced did not finish, except who came back to the seat and had it at the end. Of a
    game without a result that counts nothing else is said."""
    turns = tuple(played)
    has_result = settled_result(current, state) is not None
    missing = {each.player_id for each in state.no_shows}
    for seat in state.table.seats:
        players = (seat, *(each.player_id for each in substitutes_in(state, seat)))
        last = last_player(state, seat, takers)
        for player in players:
            if player != last:
                yield player, _conduct(False, seat, player, takers, turns)
        if last == seat and seat in missing:
            yield seat, _conduct(False, seat, seat, takers, turns)
        elif has_result:
            yield last, _conduct(True, seat, last, takers, turns)


def _conduct(
    is_finished: bool, seat: str, player: str, takers: SeatTakers, played: tuple[PlayedTurn, ...]
) -> Conduct:
    own = [each for each in played if each.seat == seat and turn_taker(takers, each) == player]
    return Conduct(is_finished, tuple(each.response_ms for each in own), sum(each.is_overdue for each in own))


def turn_taker(takers: SeatTakers, turn: PlayedTurn) -> str:
    """Who played a seat when the turn began."""
    earlier = [each for each in takers if each.seat == turn.seat and each.sequence <= turn.sequence]
    return earlier[-1].bearer.player_id if earlier else turn.seat
