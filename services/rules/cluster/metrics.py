"""Metrics of the cluster's rules service."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from services.common.telemetry.logs import SECONDS_BUCKETS

BATCH_BUCKETS = (1, 2, 4, 8, 16, 32, 64, 128)
TAKEOVER_BUCKETS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class OwnerMetrics:
    """Of the owner of partitions."""

    def __init__(self, registry: CollectorRegistry) -> None:
        """`to_own` is set by who knows the topics."""
        self.commands = Counter(
            "signalbox_owner_commands", "Commands decided and committed", ("outcome",), registry=registry
        )
        self.batch = Histogram(
            "signalbox_owner_batch_commands",
            "Commands in one transaction",
            buckets=BATCH_BUCKETS,
            registry=registry,
        )
        self.deciding_seconds = Histogram(
            "signalbox_owner_deciding_seconds",
            "Time to decide the commands of one transaction",
            buckets=SECONDS_BUCKETS,
            registry=registry,
        )
        self.transaction_seconds = Histogram(
            "signalbox_owner_transaction_seconds",
            "Time to write one transaction",
            buckets=SECONDS_BUCKETS,
            registry=registry,
        )
        self.aborted = Counter(
            "signalbox_owner_transactions_aborted", "Transactions aborted", registry=registry
        )
        self.fenced = Counter(
            "signalbox_owner_fenced", "Times this writer was fenced and restarted", registry=registry
        )
        self.to_own = Gauge(
            "signalbox_owner_partitions_to_own",
            "Partitions that all owners together must own",
            registry=registry,
        )
        self.owned = Gauge("signalbox_owner_partitions", "Partitions owned and taken over", registry=registry)
        self.blocked_games = Gauge("signalbox_owner_blocked_games", "Games blocked here", registry=registry)
        self.dead_letters = Counter(
            "signalbox_owner_dead_letters", "Commands sent to the dead letters", registry=registry
        )
        self.given_up = Counter(
            "signalbox_owner_commands_given_up",
            "Commands not carried out since owners failed over them, or an operator skipped them",
            ("reason",),
            registry=registry,
        )
        self.holds_off = Gauge(
            "signalbox_owner_holds_off",
            "1 while this replica leaves its games to others because it crashed again and again",
            registry=registry,
        )
        self.takeover_seconds = Histogram(
            "signalbox_owner_takeover_seconds",
            "From being given partitions to being ready for their commands",
            buckets=TAKEOVER_BUCKETS,
            registry=registry,
        )
        self.dead_transactions = Counter(
            "signalbox_owner_dead_transactions_aborted",
            "Open transactions of others that were aborted at a takeover",
            registry=registry,
        )


class GatewayMetrics:
    """Of the way from a caller to the owner and back."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.seconds = Histogram(
            "signalbox_gateway_seconds",
            "From sending a command to its outcome",
            buckets=SECONDS_BUCKETS,
            registry=registry,
        )
        self.waiting = Gauge(
            "signalbox_gateway_waiting", "Commands without an outcome yet", registry=registry
        )
        self.sent = Counter(
            "signalbox_gateway_commands_sent",
            "Commands by the way they went: direct to the owner in the same process, or by the log",
            ("path",),
            registry=registry,
        )
        self.answers = Counter(
            "signalbox_gateway_answers",
            "Outcomes by the way they came: direct from the owner in the same process, or by the log",
            ("path",),
            registry=registry,
        )
        self.unanswered = Counter(
            "signalbox_gateway_unanswered", "Commands whose outcome did not come in time", registry=registry
        )
        self.expired_early = Counter(
            "signalbox_gateway_expired_early",
            "Commands that an owner found expired while their sender still waited: their clocks differ",
            registry=registry,
        )
