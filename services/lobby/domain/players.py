"""Players and their names."""

import unicodedata

import msgspec

from services.lobby.domain.rejections import Rejection, RejectionReason

NAME_LENGTH_MIN = 2
NAME_LENGTH_MAX = 32
NAME_EXTRA_CHARACTERS = " ._-'"
PASSWORD_LENGTH_MIN = 8
PASSWORD_LENGTH_MAX = 256


class NameClaimed(msgspec.Struct, frozen=True):
    """A name was given to a player."""

    player_id: str


class NameReleased(msgspec.Struct, frozen=True):
    """A name became free again: two registrations with the same request id raced, and the other name was kept."""

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


def name_key(name: str) -> str:
    """The key by which names are compared: case and Unicode variants of a letter do not count."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def reject_registration(name: str, password: str) -> Rejection | None:
    """Why this name or password is malformed; None if neither is."""
    characters_fit = all(character.isalnum() or character in NAME_EXTRA_CHARACTERS for character in name)
    if not (characters_fit and NAME_LENGTH_MIN <= len(name) <= NAME_LENGTH_MAX and name == name.strip()):
        return Rejection(
            RejectionReason.NAME_MALFORMED,
            f"A name has {NAME_LENGTH_MIN} to {NAME_LENGTH_MAX} letters, digits, spaces and . _ - ' "
            "and no space at its ends.",
        )
    if not PASSWORD_LENGTH_MIN <= len(password) <= PASSWORD_LENGTH_MAX:
        return Rejection(
            RejectionReason.PASSWORD_MALFORMED,
            f"A password has {PASSWORD_LENGTH_MIN} to {PASSWORD_LENGTH_MAX} characters.",
        )
    return None
