"""Events of the lobby as older versions stored them, and how each becomes the next version."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from google.protobuf.message import Message

from services.gen.signalbox.lobby.v1 import tournament_event_pb2 as pb


class Upcast(NamedTuple):
    """The message of an older version, and what the same event is in the next one."""

    message: type[Message]
    to_next: Callable[[Any], Message]


LATEST = 0
"""The number of the adjudication in appeals that did not say it: they were about the latest one."""


def _appeal_filed(old: pb.AppealFiledV1) -> pb.AppealFiled:
    return pb.AppealFiled(
        table=old.table, player_id=old.player_id, text=old.text, time_ms=old.time_ms, adjudication=LATEST
    )


def _appeal_decided(old: pb.AppealDecidedV1) -> pb.AppealDecided:
    return pb.AppealDecided(
        table=old.table,
        is_upheld=old.is_upheld,
        reason=old.reason,
        author=old.author,
        time_ms=old.time_ms,
        adjudication=LATEST,
    )


def _substitution_recorded(old: pb.SubstitutionRecordedV1) -> pb.SubstitutionRecorded:
    return pb.SubstitutionRecorded(
        table=old.table,
        player_id=old.player_id,
        substitute=old.substitute,
        substitute_turns=old.substitute_turns,
        turns=old.turns,
        reason=old.reason,
        author=old.author,
        time_ms=old.time_ms,
        is_only=True,
    )


def _stage_finished(old: pb.StageFinishedV1) -> pb.StageFinished:
    return pb.StageFinished(
        stage=old.stage,
        ranking=old.ranking,
        standings_digest=old.standings_digest,
        rounds=old.rounds,
        author=old.author,
        time_ms=old.time_ms,
    )


def _season_opened(old: pb.SeasonOpenedV1) -> pb.SeasonOpened:
    return pb.SeasonOpened(
        number=old.number,
        charter=old.charter,
        tournaments=old.tournaments,
        author=old.author,
        time_ms=old.time_ms,
        # `ALL_MEMBERS` of a series: they played unasked.
        divisions=(),
    )


# By the name under which the event is stored and its version.
UPCASTS: Mapping[tuple[str, int], Upcast] = {
    ("appeal_filed", 1): Upcast(pb.AppealFiledV1, _appeal_filed),
    ("appeal_decided", 1): Upcast(pb.AppealDecidedV1, _appeal_decided),
    ("season_opened", 1): Upcast(pb.SeasonOpenedV1, _season_opened),
    ("stage_finished", 1): Upcast(pb.StageFinishedV1, _stage_finished),
    ("substitution_recorded", 1): Upcast(pb.SubstitutionRecordedV1, _substitution_recorded),
}
