"""How the ledger handles errors of rules."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import grpc
import pytest

from services.common.auth.token_keys import SigningKeyError
from services.common.settings.variables import SettingsError
from services.gen.signalbox.rules.v1 import rules_pb2 as pb, rules_pb2_grpc
from services.ledger.adapters.rules_events import RulesEvents, SourceFailed, SourceUnavailable


@pytest.mark.parametrize("problem", [SettingsError("file x: is not there"), SigningKeyError("x: no key")])
def test_without_a_token_rules_is_away(problem: Exception) -> None:
    """A token that cannot be read counts as rules being unavailable, not as a fault of a game."""

    def no_token() -> str:
        raise problem

    with grpc.insecure_channel("127.0.0.1:1") as channel:
        source = RulesEvents(channel, no_token)
        with pytest.raises(SourceUnavailable, match=f"no token for rules: {problem}"):
            source.events("g", 0)


class Refusing(rules_pb2_grpc.RulesServicer):
    """A rules service that answers every ListEvents with one status."""

    def __init__(self, code: grpc.StatusCode) -> None:
        self.code = code

    def ListEvents(
        self, request: pb.ListEventsRequest, context: grpc.ServicerContext
    ) -> pb.ListEventsResponse:
        """See rules.proto."""
        context.abort(self.code, "for the test")


@pytest.mark.integration
@pytest.mark.parametrize(
    ("name", "is_broken"),
    [
        ("INTERNAL", True),
        ("UNKNOWN", True),
        ("DATA_LOSS", True),
        ("FAILED_PRECONDITION", True),
        ("UNIMPLEMENTED", True),
        ("UNAVAILABLE", False),
        ("DEADLINE_EXCEEDED", False),
        ("UNAUTHENTICATED", False),
        ("RESOURCE_EXHAUSTED", False),
    ],
)
def test_a_broken_rules_is_told_from_one_that_is_away(name: str, is_broken: bool) -> None:
    """Permanent errors are distinguished from temporary ones."""
    server = grpc.server(ThreadPoolExecutor(1))
    rules_pb2_grpc.add_RulesServicer_to_server(Refusing(grpc.StatusCode[name]), server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
        with pytest.raises(SourceUnavailable, match=f"events of game g: {name}: for the test") as away:
            RulesEvents(channel, lambda: "token").events("g", 0, 30.0)
        assert isinstance(away.value, SourceFailed) == is_broken
    server.stop(None).wait()
