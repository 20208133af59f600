"""Request ids: how a repeated request is recognised, and ids derived from request ids."""

import base64
import hashlib
import re

import msgspec

from services.common.auth.tokens import Principal
from services.common.errors import InvalidRequest, NotFound
from services.common.eventlog.port import RequestRecord
from services.lobby.domain.rejections import Rejection, RejectionReason

REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
DERIVED_BYTES = 15

_encode = msgspec.msgpack.Encoder(order="deterministic").encode


def check_request_id(request_id: str) -> None:
    """Raises `InvalidRequest` for a malformed request id."""
    if not REQUEST_ID.fullmatch(request_id):
        raise InvalidRequest("request_id must be 1 to 64 of the characters A-Z a-z 0-9 . _ -")


def derived_id(prefix: str, *parts: str) -> str:
    """An id that depends on `parts` alone, so that a repeated request finds what it created."""
    digest = hashlib.sha256(_encode(parts)).digest()[:DERIVED_BYTES]
    return prefix + base64.b32encode(digest).decode("ascii").lower()


def game_id_of(table_id: str) -> str:
    """The id of the game played at a table."""
    return derived_id("g", table_id)


def content_hash(*content: object) -> bytes:
    """Hash of the content of a request."""
    return hashlib.sha256(_encode(content)).digest()


def reused() -> Rejection:
    """The rejection of a known request id with other content."""
    return Rejection(
        RejectionReason.REQUEST_ID_REUSED,
        "This request id was used before with other content; choose a new one.",
    )


def scoped(caller: Principal, request_id: str) -> str:
    """A request id as it is stored: that of one player."""
    return f"{caller.player_id}/{request_id}"


def request_record(caller: Principal, request_id: str, content: bytes, version_after: int) -> RequestRecord:
    """A request as it is stored. The outcome is the version after it; a repeat is answered with the state at that one."""
    return RequestRecord(scoped(caller, request_id), caller.player_id, content, b"%d" % version_after)


def no_such_table() -> NotFound:
    """There is no table with this id, or none that the caller may see."""
    return NotFound("there is no such table")
