"""Ids from the operating system's random source."""

import base64
import secrets

ID_BYTES = 15


def random_player_id() -> str:
    """A new player id that nobody can guess or compute."""
    return "p" + base64.b32encode(secrets.token_bytes(ID_BYTES)).decode("ascii").lower()
