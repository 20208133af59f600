"""One command on the cluster is one trace: from the caller through gRPC, Kafka and the owner to the ledger."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec.structs import replace
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from prometheus_client import CollectorRegistry

from services.common.auth.tokens import Principal, TokenIssuer, TokenVerifier
from services.common.balances import Balances
from services.common.clock import SystemClock
from services.common.grpc.channel import single_channel
from services.common.grpc.server import Guard, create_server
from services.common.kafka.settings import KafkaSettings
from services.common.settings.service import Settings
from services.common.telemetry.logs import Telemetry
from services.common.telemetry.tracing import configure_tracing
from services.gen.signalbox.events.v1.events_pb2 import GameEvent
from services.gen.signalbox.rules.v1 import command_pb2, rules_pb2
from services.gen.signalbox.rules.v1.rules_pb2_grpc import RulesStub
from services.ledger.cluster.replica import LedgerReplica
from services.rules.bootstrap import hosted
from services.rules.cluster.replica import RulesReplica
from services.rules.status import balances_of
from tests.rules.cluster.harness import PLAYERS, new_replica, new_table
from tests.rules.tiny import LocalSolver
from tests.waiting import until

pytestmark = pytest.mark.integration


@pytest.fixture
def spans() -> Iterator[InMemorySpanExporter]:
    """Everything traced during the test."""
    exporter = InMemorySpanExporter()
    end = configure_tracing("test", {"SIGNALBOX_TRACES": "1"}, exporter)
    yield exporter
    end()


@dataclass(frozen=True)
class RulesThere:
    """The log of rules, as a ledger beside it reads it."""

    replica: RulesReplica

    def events(self, game_id: str, after: int, seconds: float = 1.0) -> Sequence[GameEvent]:
        """See `RulesEventLog`."""
        return self.replica.rules.reader.events(game_id, after)

    def balances(self, game_id: str, sequence: int) -> Balances:
        """See `RulesEventLog`."""
        found = self.replica.rules.reader.game_at(game_id, sequence)
        return balances_of(found.loaded.data, found.game)


@pytest.fixture
def replica(spans: InMemorySpanExporter, kafka: KafkaSettings, tmp_path: Path) -> Iterator[RulesReplica]:
    """A replica of rules, with a ledger that follows it."""
    rules = new_replica(replace(kafka, instance="rules"), tmp_path, LocalSolver())
    rules.start()
    settings = Settings(database=tmp_path / "ledger.db")
    ledger = LedgerReplica(
        settings, replace(kafka, instance="ledger"), RulesThere(rules), CollectorRegistry()
    )
    ledger.start()
    yield rules
    ledger.stop()
    rules.stop()


def execute(replica: RulesReplica, game_id: str, player: str, expected: int) -> rules_pb2.ExecuteResponse:
    """Pass as this player over gRPC."""
    issuer = TokenIssuer(Ed25519PrivateKey.generate(), 60, SystemClock())
    token = issuer.issue(Principal(player, player)).token
    verifier = TokenVerifier(issuer.public_key, SystemClock())
    server, port = create_server(
        [hosted(replica.rules, verifier)], Settings(), Telemetry(), guard=Guard(verifier)
    )
    server.start()
    request = rules_pb2.ExecuteRequest(
        game_id=game_id,
        request_id="pass",
        expected_sequence=expected,
        command=command_pb2.Command(pass_turn=command_pb2.Pass()),
    )
    with single_channel(f"127.0.0.1:{port}") as channel:
        answer: rules_pb2.ExecuteResponse = RulesStub(channel).Execute(
            request, metadata=[("authorization", f"Bearer {token}")], timeout=60
        )
    server.stop(1)
    return answer


def by_name(spans: InMemorySpanExporter) -> dict[str, ReadableSpan]:
    """The finished spans of the call, by name."""
    finished = spans.get_finished_spans()
    call = next((each for each in finished if each.name == "signalbox.rules.v1.Rules/Execute"), None)
    if call is None or call.context is None:
        return {}
    trace = call.context.trace_id
    return {
        f"{each.name} {each.kind.name}": each
        for each in finished
        if each.context and each.context.trace_id == trace
    }


def test_one_command_is_one_trace(spans: InMemorySpanExporter, replica: RulesReplica) -> None:
    """Client, server, gateway, owner, transaction and both followers of the ledger, each within the one before."""
    table = new_table(replica._gateway)
    spans.clear()
    answer = execute(replica, table.game_id, PLAYERS[0], table.sequence)
    assert answer.accepted.first_sequence == table.sequence + 1
    call = "signalbox.rules.v1.Rules/Execute"
    decide = "rules.owner decide CONSUMER"
    parents = {
        f"{call} SERVER": f"{call} CLIENT",
        "rules.commands send PRODUCER": f"{call} SERVER",
        decide: "rules.commands send PRODUCER",
        "rules.owner transaction INTERNAL": decide,
        "ledger.books rules.events CONSUMER": decide,
        "ledger.books rules.game_statuses CONSUMER": decide,
    }
    until(lambda: parents.keys() <= by_name(spans).keys())
    found = by_name(spans)
    for child, parent in parents.items():
        within, context = found[child].parent, found[parent].context
        assert within is not None and context is not None
        assert within.span_id == context.span_id, child
