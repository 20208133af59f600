"""Players and the names they bear."""

import unicodedata

import msgspec

from services.lobby.domain.refusals import Refusal, RefusalReason

NAME_LENGTH_MIN = 2
NAME_LENGTH_MAX = 32
NAME_EXTRA_CHARACTERS = " ._-'"
PASSWORD_LENGTH_MIN = 8
PASSWORD_LENGTH_MAX = 256


class NameClaimed(msgspec.Struct, frozen=True):
    """A name was given to a player."""

    player_id: str


class NameReleased(msgspec.Struct, frozen=True):
    """A name became free again: its player registered under another one at the same time."""

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


def bearer_after(bearer: str | None, event: NameEvent) -> str | None:
    """Who bears a name after `event`."""
    match event:
        case NameClaimed(player_id=player_id):
            return player_id
        case NameReleased(player_id=player_id):
            return None if bearer == player_id else bearer


def name_key(name: str) -> str:
    """What two names have in common that are the same name: case and ways of writing a letter do not count."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def refuse_registration(name: str, password: str) -> Refusal | None:
    """Why nobody can register so, whoever else is there; None if they can."""
    characters_fit = all(character.isalnum() or character in NAME_EXTRA_CHARACTERS for character in name)
    if not (characters_fit and NAME_LENGTH_MIN <= len(name) <= NAME_LENGTH_MAX and name == name.strip()):
        return Refusal(
            RefusalReason.NAME_MALFORMED,
            f"A name has {NAME_LENGTH_MIN} to {NAME_LENGTH_MAX} letters, digits, spaces and . _ - ' "
            "and no space at its ends.",
        )
    if not PASSWORD_LENGTH_MIN <= len(password) <= PASSWORD_LENGTH_MAX:
        return Refusal(
            RefusalReason.PASSWORD_MALFORMED,
            f"A password has {PASSWORD_LENGTH_MIN} to {PASSWORD_LENGTH_MAX} characters.",
        )
    return None
