"""The caller's name, by which the queue is shared fairly."""

from __future__ import annotations

import jwt

from services.common.auth.tokens import METADATA_KEY, SCHEME
from services.common.grpc.admission import Metadata

CALLER_KEY = "signalbox-caller"
NAME_LENGTH_MAX = 200


def caller_of(metadata: Metadata, peer: str) -> str:
    """The name under which a call's questions are queued.

    The subject of its token if there is one, else its metadata entry `signalbox-caller`, else its address without the
    port. Names are not verified: they decide the order of waiting, never permission.
    """
    return name_in(metadata) or f"address {peer.rpartition(':')[0]}"[:NAME_LENGTH_MAX]


def name_in(metadata: Metadata) -> str | None:
    """The caller's name in a call's metadata, if any."""
    subject = _subject(metadata.get(METADATA_KEY))
    if subject:
        return f"player {subject}"[:NAME_LENGTH_MAX]
    given = metadata.get(CALLER_KEY)
    if isinstance(given, str) and given:
        return f"caller {given}"[:NAME_LENGTH_MAX]
    return None


def _subject(bearer: str | bytes | None) -> str:
    if not isinstance(bearer, str) or not bearer.lower().startswith(SCHEME):
        return ""
    try:
        claims = jwt.decode(bearer[len(SCHEME) :].strip(), options={"verify_signature": False})
    except jwt.InvalidTokenError:
        return ""
    subject = claims.get("sub")
    return subject if isinstance(subject, str) else ""
