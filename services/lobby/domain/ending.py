"""Games that end before their time: by agreement of all who play, or because a seat has forfeited."""

from __future__ import annotations

from services.lobby.domain.agreeing import EndAgreed, EndAgreementWithdrawn
from services.lobby.domain.directing import game_not_begun, named_house_bot
from services.lobby.domain.games import GameResult
from services.lobby.domain.positions import Position
from services.lobby.domain.rejections import Rejection, RejectionReason
from services.lobby.domain.tables import Table, TableEvent, TableState


def decide_agreement(table: Table, caller: str, does_agree: bool) -> tuple[TableEvent, ...] | Rejection:
    """An account that plays agrees to end the game, or does not any more."""
    if table.round_id:
        return Rejection(
            RejectionReason.DIRECTION_NOT_AVAILABLE,
            "The game belongs to a tournament: ask a director to end it.",
        )
    if table.state is not TableState.PLAYING:
        return game_not_begun()
    if caller not in table.accounts:
        return Rejection(RejectionReason.NOT_SEATED, "You do not play at this table.")
    return (EndAgreed(caller) if does_agree else EndAgreementWithdrawn(caller),)


def is_end_agreed(table: Table) -> bool:
    """Whether all who play now agree; bots of the house agree to everything, but not alone."""
    people = {each for each in table.accounts if named_house_bot(each) is None}
    return table.state is TableState.PLAYING and bool(people) and people <= set(table.agreed_to_end)


def forfeited(position: Position, seat: str) -> tuple[GameResult, ...]:
    """What each seat has when one forfeits: the worth at that position. The seat that forfeits has nothing, or less than all
    others where somebody else has nothing either."""
    lowest = min((each.worth for each in position.seats if each.seat != seat), default=0)
    left = min(0, lowest - 1)
    return tuple(GameResult(each.seat, left if each.seat == seat else each.worth) for each in position.seats)
