"""Compares the stored status and the lobby's summary of a game with the fold of its events."""

from __future__ import annotations

from collections.abc import Callable

from google.protobuf.message import DecodeError

from services.audit.books import Notes
from services.audit.cases import GameCase
from services.common.balances import STORED_DIGEST_BYTES
from services.common.kafka.unpacking import message_in
from services.gen.signalbox.lobby.v1 import game_summary_pb2
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.rules.status import whole

DIGEST = "digest of the balances"
FIRST_WITH_DIGEST = 2


def compare_status(
    case: GameCase, status: pb.GameStatus, earlier: Callable[[int], pb.GameStatus], notes: Notes
) -> None:
    """Report differences between the stored status and the fold. For a game that got events meanwhile the stored one may be
    of an `earlier` sequence, or missing: Kafka removes it when there is a newer one."""
    if case.status is None:
        if case.has_statuses and not case.advanced:
            notes.find("status", status.sequence, "the game has no status")
        return
    try:
        kept = message_in(pb.GameStatus, case.status, None)
    except DecodeError as error:
        notes.find("status", status.sequence, f"the status cannot be read: {error}")
        return
    if case.advanced and 0 < kept.sequence < status.sequence:
        status = earlier(kept.sequence)
    said, folded = _fields(whole(kept, status.title, status.players)), _fields(status)
    if kept.schema_version < FIRST_WITH_DIGEST:
        del folded[DIGEST]
    for name, value in folded.items():
        if said[name] != value:
            text = f"{name} is {said[name]!r} in the status, {value!r} in the fold"
            notes.find("status", status.sequence, text)


def compare_summary(case: GameCase, status: pb.GameStatus, notes: Notes) -> None:
    """Report differences between the lobby's summary and the fold. It may be missing or behind: the lobby rebuilds it."""
    if case.summary is None:
        return
    try:
        summary = message_in(game_summary_pb2.GameSummary, case.summary, None).status
    except DecodeError as error:
        notes.find("projection", status.sequence, f"the summary cannot be read: {error}")
        return
    if summary.sequence > status.sequence:
        text = f"the summary is at {summary.sequence}, the game at {status.sequence}"
        notes.find("projection", status.sequence, text)
    if summary.sequence != status.sequence:
        return
    results = [(each.player_id, each.value) for each in summary.results]
    said = {
        "game": summary.game_id,
        "title": summary.title,
        "players": tuple(summary.players),
        "acting players": tuple(summary.acting_players),
        "round": (summary.round_kind, summary.turn, summary.round_number),
        "phase": summary.phase,
        "actor": summary.actor,
        "ending": summary.ending,
        "results": results,
        "bearers": {each.seat: (each.bearer_id, each.kind) for each in summary.bearers},
        "suspended": summary.suspended,
    }
    folded = _fields(status)
    for name, value in said.items():
        if folded[name] != value:
            text = f"{name} is {value!r} on the summary, {folded[name]!r} in the fold"
            notes.find("projection", status.sequence, text)


def _fields(status: pb.GameStatus) -> dict[str, object]:
    return {
        "game": status.game_id,
        "sequence": status.sequence,
        DIGEST: status.balances_digest[:STORED_DIGEST_BYTES].hex(),
        "title": status.title,
        "players": tuple(status.players),
        "acting players": tuple(status.acting_players),
        "round": (status.round_kind, status.turn, status.round_number),
        "phase": status.phase,
        "actor": status.actor,
        "ending": status.ending,
        "results": [(each.player, each.value) for each in status.results],
        "bearers": {each.seat: (each.bearer, each.kind) for each in status.bearers},
        "suspended": status.suspended,
        "recorded time": status.recorded_time_ms,
    }
