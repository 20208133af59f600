"""Directors of tables, and the accounts that take seats of their games."""

from collections.abc import Callable

import msgspec

from services.lobby.domain.games import BearerKind, GameStatus
from services.lobby.domain.players import HOUSE_BOT, Player
from services.lobby.domain.rejections import Rejection, RejectionReason, shown


class DirectorNamed(msgspec.Struct, frozen=True):
    """A player of the table directs its game beside the operators."""

    player_id: str


class TableSeatTaken(msgspec.Struct, frozen=True):
    """`bearer` plays `seat` of the table's game; the lobby saw it after event `sequence` of the game."""

    seat: str
    bearer: Player
    kind: BearerKind
    sequence: int


SeatTakers = tuple[TableSeatTaken, ...]


class SeatWanted(msgspec.Struct, frozen=True):
    """Who is to take a seat: the account of this id, else of this name. `is_bot`: without either a bot of the house."""

    seat: str
    player_id: str
    player_name: str
    is_bot: bool


def bearer_of(takers: SeatTakers, seat: str) -> str:
    """The account that plays a seat now."""
    return next((each.bearer.player_id for each in reversed(takers) if each.seat == seat), seat)


def decide_seats(
    takers: SeatTakers, status: GameStatus, name_of: Callable[[str], str]
) -> tuple[TableSeatTaken, ...]:
    """Which seats have other bearers than the table knows; none for a status from before the table's last change.

    A seat that is not listed in the status is played by the account that it is called after."""
    if takers and status.sequence <= takers[-1].sequence:
        return ()
    return tuple(
        TableSeatTaken(each.seat, Player(each.account, name_of(each.account)), each.kind, status.sequence)
        for each in status.bearers
        if bearer_of(takers, each.seat) != each.account
    )


def house_bot(seats: tuple[str, ...], seat: str) -> Player:
    """The bot of the house for a seat; each seat of a table has another one."""
    return house_bot_numbered(seats.index(seat) + 1 if seat in seats else 0)


def house_bot_numbered(number: int) -> Player:
    """The bot of the house for this seat, from 1."""
    return _bot(str(number))


def named_house_bot(account: str) -> Player | None:
    """The bot of the house with this id; None for any other account."""
    return _bot(account.removeprefix(HOUSE_BOT)) if account.startswith(HOUSE_BOT) else None


def _bot(number: str) -> Player:
    return Player(f"{HOUSE_BOT}{number}", f"House bot {number}")


def not_director() -> Rejection:
    """The rejection of somebody else's decision."""
    return Rejection(RejectionReason.NOT_DIRECTOR, "You do not direct the game of this table.")


def game_not_begun() -> Rejection:
    """The rejection of a decision about a game that is not there."""
    return Rejection(RejectionReason.GAME_NOT_BEGUN, "The game of this table has not begun.")


def no_house_bots() -> Rejection:
    """The rejection of a seat for a bot where the host runs none."""
    return Rejection(RejectionReason.ACCOUNT_UNKNOWN, "This host has no bots of its own: name an account.")


def account_unknown(account: str) -> Rejection:
    """The rejection of a bearer without an account."""
    return Rejection(RejectionReason.ACCOUNT_UNKNOWN, f"{shown(account)} has no account here.")


def did_not_offer(player: Player) -> Rejection:
    """The rejection of a bearer who was not asked."""
    return _not_asked(f"{player.name} has not offered to take a seat of this game; ask for that first.")


def did_not_enter(player: Player, can_offer: bool) -> Rejection:
    """The rejection of a bearer who has nothing to do with the event. `can_offer`: the table is here."""
    if not can_offer:
        return _not_asked(
            f"{player.name} has not entered this event, or has withdrawn; ask for an entry first, the waiting list will do."
        )
    return _not_asked(
        f"{player.name} does not take part in this event, nor offer to take a seat of this game; ask for one of both first."
    )


def _not_asked(sentence: str) -> Rejection:
    return Rejection(RejectionReason.SUBSTITUTE_DID_NOT_OFFER, sentence)


def game_moved_on(sequence: int) -> Rejection:
    """The rejection of a decision about an earlier position."""
    return Rejection(RejectionReason.GAME_MOVED_ON, f"The game is at sequence {sequence}: look at it again.")


def direction_refused(code: str, sentence: str, clause: str) -> Rejection:
    """The rejection of a decision that the rules refuse, with their own reason code."""
    return Rejection(RejectionReason.DIRECTION_REFUSED, sentence, clause, rules_code=code)
