"""What operators do, as facts: how an act is stored, and what it means for the tokens of a player."""

from __future__ import annotations

import hashlib
import secrets

from google.protobuf.message import DecodeError

from services.common.auth.revocations import NEVER_MS, Revocations
from services.common.auth.tokens import Principal
from services.common.clock import Clock
from services.common.errors import SignalboxError
from services.common.eventlog.port import NewRecord
from services.common.eventlog.schema_versions import schema_version_of, unknown_version
from services.gen.signalbox.lobby.v1.staff_act_pb2 import StaffAct

STAFF_ACT = "staff_act"
BAN, UNBAN, END_SESSIONS, REVOKE_TOKEN = "ban", "unban", "end_sessions", "revoke_token"
RELEASE_DEAD_LETTERS, SKIP_COMMAND = "release_dead_letters", "skip_command"
DELETE_ARCHIVED = "delete_archived"
REASON_LENGTH_MAX = 1_000
ID_LENGTH = 24


class UnreadableAct(SignalboxError):
    """A stored act that this version cannot read; the message says why."""


def new_act(
    author: Principal, request_id: str, clock: Clock, act: str, reason: str, **about: str | int
) -> StaffAct:
    """An act by `author` now. One with a request id has the same id when it is repeated; without one it has an id of its own."""
    key = request_id or secrets.token_hex(ID_LENGTH)
    digest = hashlib.sha256("\0".join((author.player_id, act, key)).encode()).hexdigest()
    return StaffAct(
        act_id=digest[:ID_LENGTH],
        act=act,
        author_id=author.player_id,
        author_name=author.name,
        reason=reason,
        time_ms=clock.now_ms(),
        **about,  # type: ignore[arg-type]
    )


def record_of(act: StaffAct) -> NewRecord:
    """The act as it is stored."""
    return NewRecord(STAFF_ACT, schema_version_of(StaffAct), act.SerializeToString(deterministic=True))


def act_in(kind: str, version: int, payload: bytes) -> StaffAct:
    """The act in a stored fact. Raises `UnreadableAct`."""
    current = schema_version_of(StaffAct)
    if kind != STAFF_ACT or version != current:
        raise UnreadableAct(unknown_version(kind, version, current))
    try:
        return StaffAct.FromString(payload)
    except DecodeError as problem:
        raise UnreadableAct(f"damaged {kind}") from problem


def is_staffs(act: StaffAct) -> bool:
    """Whether an operator did it: not so of a token that its player took back."""
    return act.act != REVOKE_TOKEN or act.author_id != act.player_id


def revoke(revocations: Revocations, act: StaffAct) -> None:
    """Refuse the tokens that an act takes back."""
    player_id, forget_ms = act.player_id, act.tokens_end_time_ms
    if act.act == BAN:
        revocations.refuse_until(player_id, act.until_time_ms or NEVER_MS, forget_ms)
    elif act.act == UNBAN:
        revocations.refuse_until(player_id, act.time_ms, forget_ms)
    elif act.act == END_SESSIONS:
        revocations.refuse_before(player_id, act.time_ms, forget_ms)
    elif act.act == REVOKE_TOKEN:
        revocations.refuse_token(player_id, act.token_id, forget_ms)
