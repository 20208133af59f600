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


def _adding(message: type[Message], **added: object) -> Callable[[Message], Message]:
    """What makes a `message` of an older one that had the same fields but those `added`."""

    def to_next(old: Message) -> Message:
        return message(**{field.name: value for field, value in old.ListFields()}, **added)

    return to_next


# By the name under which the event is stored and its version.
UPCASTS: Mapping[tuple[str, int], Upcast] = {
    ("appeal_filed", 1): Upcast(pb.AppealFiledV1, _adding(pb.AppealFiled, adjudication=LATEST)),
    ("appeal_decided", 1): Upcast(pb.AppealDecidedV1, _adding(pb.AppealDecided, adjudication=LATEST)),
    # `ALL_MEMBERS` of a series: they played unasked.
    ("season_opened", 1): Upcast(pb.SeasonOpenedV1, _adding(pb.SeasonOpened, divisions=())),
    ("stage_finished", 1): Upcast(pb.StageFinishedV1, _adding(pb.StageFinished)),
    ("substitution_recorded", 1): Upcast(
        pb.SubstitutionRecordedV1, _adding(pb.SubstitutionRecorded, is_only=True)
    ),
}
