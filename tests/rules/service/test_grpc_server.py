"""The gRPC server of the rules service: requests that it rejects before the handlers see them."""

from __future__ import annotations

from typing import Any, cast

import pytest

from services.common.auth.tokens import Principal, TokenVerifier
from services.common.grpc.context import Aborted
from services.common.watching.feeds import Feeds
from services.common.watching.latest import LatestFeeds
from services.gen.signalbox.rules.v1 import rules_pb2 as pb
from services.rules.adapters.codec import command_message
from services.rules.grpc_server import RulesServicer
from services.rules.kernel.commands import Pass
from services.rules.pictures import PictureReader
from services.rules.service import RulesService
from services.rules.titlereader import TitleReader
from tests.grpc_context import call_context


class KnowsAnn:
    """Takes every caller for Ann."""

    def authenticate(self, *_: object) -> Principal:
        return Principal("ann", "Ann", "player")


class Nobody:
    """Carries nothing out."""

    def execute(self, *_: object) -> Any:
        raise RuntimeError("a command got past the door")


@pytest.mark.parametrize(
    ("changes", "answer"),
    [
        ({"game_id": ""}, "NOT_FOUND: no game has the id ''"),
        ({"game_id": "g\0"}, "NOT_FOUND: no game has the id 'g\\x00'"),
        ({"request_id": "a\0b"}, "INVALID_ARGUMENT: request_id: needs 1 to 64 characters, none of them NUL"),
    ],
)
def test_ids_that_cannot_be_are_turned_away(changes: dict[str, str], answer: str) -> None:
    """Before anything is sent on their behalf."""
    servicer = RulesServicer(
        cast("RulesService", Nobody()),
        cast("Feeds", Nobody()),
        cast("LatestFeeds", Nobody()),
        cast("TokenVerifier", KnowsAnn()),
        TitleReader({}),
        cast("PictureReader", Nobody()),
    )
    asked = {"game_id": "g", "request_id": "r"} | changes
    request = pb.ExecuteRequest(**asked, expected_sequence=1, command=command_message(Pass()))
    context = call_context()
    with pytest.raises(Aborted):
        servicer.Execute(request, context)
    assert f"{context.code().name}: {context.details()}" == answer
