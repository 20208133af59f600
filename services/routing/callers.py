"""Among whom the service shares itself out."""

from __future__ import annotations

import grpc
import jwt

from services.common.auth import METADATA_KEY, SCHEME

CALLER_KEY = "signalbox-caller"
NAME_LENGTH_MAX = 200


def caller_of(context: grpc.ServicerContext) -> str:
    """The name under which a call's questions are counted.

    The subject of its token if there is one, else its metadata entry `signalbox-caller`, else its address without the
    port. Names are taken on trust: they decide who waits, never who may ask.
    """
    metadata = {key.lower(): value for key, value in context.invocation_metadata()}
    subject = _subject(metadata.get(METADATA_KEY))
    if subject:
        return f"player {subject}"[:NAME_LENGTH_MAX]
    told = metadata.get(CALLER_KEY)
    if isinstance(told, str) and told:
        return f"caller {told}"[:NAME_LENGTH_MAX]
    return f"address {context.peer().rpartition(':')[0]}"[:NAME_LENGTH_MAX]


def _subject(bearer: str | bytes | None) -> str:
    if not isinstance(bearer, str) or not bearer.lower().startswith(SCHEME):
        return ""
    try:
        claims = jwt.decode(bearer[len(SCHEME) :].strip(), options={"verify_signature": False})
    except jwt.InvalidTokenError:
        return ""
    subject = claims.get("sub")
    return subject if isinstance(subject, str) else ""
