"""Players, and who owns a name."""

import msgspec

from services.lobby.domain.rejections import Rejection, RejectionReason

PASSWORD_LENGTH_MIN = 8
PASSWORD_LENGTH_MAX = 256
HOUSE_BOT = "house-bot-"
"""Begins the ids of bots of the house. Ids of registered players begin otherwise, so nobody has a token of one."""


class NameClaimed(msgspec.Struct, frozen=True):
    """A name, or the look of one, was given to a player."""

    player_id: str


class NameReleased(msgspec.Struct, frozen=True):
    """A name became free again: another name of the same registration was taken meanwhile."""

    player_id: str


class PlayerRegistered(msgspec.Struct, frozen=True):
    """Somebody registered; `password_hash` is salted."""

    player_id: str
    name: str
    password_hash: str


NameEvent = NameClaimed | NameReleased


class Player(msgspec.Struct, frozen=True):
    """A registered player as others see them."""

    player_id: str
    name: str


def owner_after(owner: str | None, event: NameEvent) -> str | None:
    """Who owns a name after `event`."""
    match event:
        case NameClaimed(player_id=player_id):
            return player_id
        case NameReleased(player_id=player_id):
            return None if owner == player_id else owner


def reject_password(password: str) -> Rejection | None:
    """Why this password is malformed, None if it is not."""
    if not PASSWORD_LENGTH_MIN <= len(password) <= PASSWORD_LENGTH_MAX:
        return Rejection(
            RejectionReason.PASSWORD_MALFORMED,
            f"A password has {PASSWORD_LENGTH_MIN} to {PASSWORD_LENGTH_MAX} characters.",
        )
    return None
