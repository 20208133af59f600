"""Transactions that owners left open when they died. Over the partitions of such a one nobody reads on, and nobody learns how far
it came, until the transaction is aborted; Kafka does that by itself after ten seconds or more.

Who takes over aborts it, and so fences its writer. The owner of a transactional id that is no member of the group any more is
dead. One that is a member may have hung: of it a transaction is aborted that was open at the look before.
"""

from __future__ import annotations

import threading

from kafka import KafkaAdminClient

from services.common.kafka.clients import KafkaUnreachable, new_admin
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import EVENTS, OUTCOMES
from services.common.process.threads import ServiceThread
from services.common.telemetry.logs import get_logger
from services.rules.cluster.group import CONNECTING, OwnersGroup
from services.rules.cluster.metrics import OwnerMetrics
from services.rules.cluster.transactions import abort_transaction_of

GROUP_OFFSETS = "__consumer_offsets"
# A transaction of a live owner takes milliseconds.
LOOK_SECONDS = 0.5
CLOSE_SECONDS = 1.0


class DeadTransactions:
    """Looks in a thread of its own, so that a broker that does not answer it holds up no takeover. Connects at the first look."""

    def __init__(self, kafka: KafkaSettings, id_prefix: str, own_id: str, metrics: OwnerMetrics) -> None:
        """`id_prefix`: with which the transactional id of every owner begins, before the name of its replica."""
        self._kafka = kafka
        self._id_prefix = id_prefix
        self._own_id = own_id
        self._metrics = metrics
        self._group = OwnersGroup(kafka)
        self._admin: KafkaAdminClient | None = None
        self._seen: dict[str, int] = {}
        self._aborting: dict[str, threading.Thread] = {}
        self._log = get_logger("owner")
        self._over: frozenset[int] = frozenset()
        self._wake = threading.Event()
        self._is_closing = threading.Event()
        self._thread = ServiceThread("dead transactions", self._work)
        self._thread.start()

    def look(self, partitions: frozenset[int]) -> None:
        """Abort what is in the way over these partitions, from now on; over none, rest."""
        self._over = partitions
        self._wake.set()

    def close(self) -> None:
        """End; a look that waits for a broker ends by itself."""
        self._is_closing.set()
        self._wake.set()
        self._thread.join(CLOSE_SECONDS)

    def _work(self) -> None:
        while not self._is_closing.is_set():
            self._wake.wait()
            self._wake.clear()
            while (partitions := self._over) and not self._is_closing.is_set():
                try:
                    self.abort(partitions)
                except Exception as problem:
                    # For example a password file that is missing for a moment.
                    self._log.warning("open transactions cannot be read", problem=repr(problem))
                self._is_closing.wait(LOOK_SECONDS)
        self._disconnect()
        self._group.close()

    def abort(self, partitions: frozenset[int]) -> list[str]:
        """Begin to abort what dead owners left open over these partitions or the group's offsets; returns whose that was.

        Raises `KafkaUnreachable`, and what a client raises that cannot be made."""
        try:
            open_now = self._open(partitions)
            dead = self._dead(open_now)
        except BaseException:
            self._disconnect()
            raise
        self._seen = open_now
        for transactional_id in dead:
            self._metrics.dead_transactions.inc()
            self._log.warning("dead owner's transaction is aborted", transactional_id=transactional_id)
            # The transaction ends long before the client says so.
            thread = threading.Thread(target=self._abort, args=(transactional_id,), daemon=True)
            self._aborting[transactional_id] = thread
            thread.start()
        return dead

    def _abort(self, transactional_id: str) -> None:
        try:
            abort_transaction_of(self._kafka, transactional_id)
        except Exception as problem:
            self._log.warning(
                "transaction not aborted", transactional_id=transactional_id, problem=repr(problem)
            )

    def _dead(self, open_now: dict[str, int]) -> list[str]:
        alive = self._alive() if open_now else frozenset()
        self._aborting = {name: each for name, each in self._aborting.items() if each.is_alive()}
        return [
            name
            for name, since in open_now.items()
            if name not in self._aborting
            and (self._seen.get(name) == since or (alive is not None and name not in alive))
        ]

    def _alive(self) -> frozenset[str] | None:
        """The transactional ids of the members; None where they are not known, as while the group divides the partitions."""
        try:
            members = self._group.members()
        except KafkaUnreachable:
            return None
        return None if members is None else frozenset(self._id_prefix + each.name for each in members)

    def _open(self, partitions: frozenset[int]) -> dict[str, int]:
        """Transactions of other owners: since when each is open."""
        if self._admin is None:
            self._admin = new_admin(self._kafka, **CONNECTING)
        try:
            listed = self._admin.list_transactions(state_filters=["Ongoing"])
            names = [
                each.transactional_id
                for found in listed.values()
                for each in found
                if each.transactional_id.startswith(self._id_prefix) and each.transactional_id != self._own_id
            ]
            described = self._admin.describe_transactions(names) if names else {}
        except Exception as error:
            raise KafkaUnreachable(f"transactions: {error}") from error
        topics = EVENTS.name_in(self._kafka), OUTCOMES.name_in(self._kafka)
        return {
            name: each.transaction_start_time_ms
            for name, each in described.items()
            if any(
                touched.topic == GROUP_OFFSETS
                or (touched.topic in topics and touched.partition in partitions)
                for touched in each.topic_partitions
            )
        }

    def _disconnect(self) -> None:
        admin, self._admin = self._admin, None
        if admin is not None:
            admin.close()
