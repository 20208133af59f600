"""Taking over partitions of commands: no other transaction is open over them, the copy has all of their events, and all
that operators and former owners recorded is known.

The order counts. First the group's offsets must be decided: from then on no former owner can commit anything for these
partitions, since his membership is out of date. Only then is it known what has to be in the copy.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import TypeAlias

from confluent_kafka import KafkaError, KafkaException, TopicPartition

from services.common.kafka.clients import KafkaUnreachable, new_consumer
from services.common.kafka.copy import LogCopy
from services.common.kafka.offsets import committed_ends, ends
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import OUTCOMES
from services.common.process.threads import ServiceThread
from services.common.telemetry.logs import get_logger
from services.rules.cluster.attempts import Attempt, attempt_in
from services.rules.cluster.dead_transactions import DeadTransactions
from services.rules.cluster.metrics import OwnerMetrics
from services.rules.cluster.recorded import Recorded

TIMEOUT_SECONDS = 0.5
RETRY_SECONDS = 0.05
UNDECIDED = frozenset((KafkaError._TIMED_OUT, KafkaError.UNSTABLE_OFFSET_COMMIT))
BEFORE_ANY = 0
UNREAD_SECONDS = 0.1
# A token and partitions.
Order: TypeAlias = tuple[int, frozenset[int]]


@dataclass(frozen=True, slots=True)
class TakenOver:
    """Partitions that are ready, with the offset of the next command of each. `token` is that of the order.

    `attempts`: what former owners noted about commands from there on. `blocked`: why games are blocked, by partition."""

    token: int
    offsets: dict[int, int]
    attempts: dict[int, Attempt] = field(default_factory=dict)
    blocked: dict[int, dict[str, str]] = field(default_factory=dict)


class Takeovers:
    """Takes partitions over, one order after another, in a thread of its own; results wait in `finished`."""

    def __init__(
        self,
        kafka: KafkaSettings,
        topic: str,
        group: str,
        copy: LogCopy,
        recorded: Recorded,
        id_prefix: str,
        own_id: str,
        metrics: OwnerMetrics,
    ) -> None:
        self._kafka = kafka
        self._topic = topic
        self._group = group
        # A separate client: a client that polls all the time blocks other threads.
        self._asker = new_consumer(kafka, group)
        self._copy = copy
        self._recorded = recorded
        self._dead = DeadTransactions(kafka, id_prefix, own_id, metrics)
        self._metrics = metrics
        self._log = get_logger("owner")
        self._orders: queue.SimpleQueue[Order | None] = queue.SimpleQueue()
        self._unread: list[Order] = []
        self._newest: dict[int, int] = {}
        self._is_closing = threading.Event()
        self.finished: queue.SimpleQueue[TakenOver] = queue.SimpleQueue()
        self.doing = "idle"
        """Its current step, for the log."""
        self._thread = ServiceThread("owner takeovers", self._work)
        self._thread.start()

    def order(self, token: int, partitions: Iterable[int]) -> None:
        """Begin to take these over: at once those that the copy has, each of the others as soon as it was read."""
        wanted = frozenset(partitions)
        self._newest.update(dict.fromkeys(wanted, token))
        unread = frozenset(number for number in wanted if not self._copy.has_read(number))
        for each in (wanted - unread, *(frozenset((number,)) for number in sorted(unread))):
            if each:
                self._orders.put((token, each))

    def let_go(self, partitions: Iterable[int]) -> None:
        """These are not for this member any more: what was ordered of them is dropped. Its copy may not follow them for long,
        and would never have all of them."""
        for number in partitions:
            self._newest.pop(number, None)

    def close(self) -> None:
        """Cancel unfinished takeovers."""
        self._is_closing.set()
        self._orders.put(None)
        self._thread.join()
        self._asker.close()
        self._dead.close()

    def _next(self) -> Order | None:
        """The first order whose partitions were read; None once this is closed."""
        while True:
            self._unread = [each for each in self._unread if self._still_wanted(each)]
            for order in self._unread:
                if all(map(self._copy.has_read, self._still_wanted(order))):
                    self._unread.remove(order)
                    return order
            try:
                new = self._orders.get(timeout=UNREAD_SECONDS if self._unread else None)
            except queue.Empty:
                continue
            if new is None:
                return None
            self._unread.append(new)

    def _still_wanted(self, order: Order) -> frozenset[int]:
        """Those of its partitions that nobody has let go of or ordered anew since."""
        token, partitions = order
        return frozenset(number for number in partitions if self._newest.get(number) == token)

    def _work(self) -> None:
        while (order := self._next()) is not None:
            token, partitions = order
            begun, taken = time.monotonic(), TakenOver(token, {})
            self._dead.look(partitions)
            self.doing = f"offsets of {sorted(partitions)}"
            self._until(partial(self._learn_offsets, taken), order)
            self.doing, decided = f"copy of {sorted(partitions)}", time.monotonic()
            if self._until(self._has_all, order):
                self._metrics.takeover_seconds.observe(time.monotonic() - begun)
                self._log.info(
                    "nothing is missing to take over",
                    partitions=sorted(taken.offsets),
                    seconds_for_offsets=round(decided - begun, 3),
                    seconds_for_copy=round(time.monotonic() - decided, 3),
                )
                taken.blocked.update((each, self._recorded.blocks.reasons(each)) for each in partitions)
                self.finished.put(taken)
            self._dead.look(frozenset())
            self.doing = "idle"

    def _learn_offsets(self, taken: TakenOver, partitions: frozenset[int]) -> bool:
        wanted = [TopicPartition(self._topic, partition) for partition in partitions]
        try:
            committed = self._asker.committed(wanted, TIMEOUT_SECONDS)
        except KafkaException as error:
            if error.args[0].code() not in UNDECIDED:
                self._log.warning("offsets cannot be read", problem=str(error))
                self._renew_asker()
                self._is_closing.wait(TIMEOUT_SECONDS)
            return False
        if any(each.error is not None for each in committed):
            return False
        for each in committed:
            taken.offsets[each.partition] = max(each.offset, BEFORE_ANY)
            attempt = attempt_in(each.metadata)
            if attempt is not None:
                taken.attempts[each.partition] = attempt
        return True

    def _renew_asker(self) -> None:
        """A client that failed may never answer again, or only with what it knew before."""
        self._asker.close()
        self._asker = new_consumer(self._kafka, self._group)

    def _has_all(self, partitions: frozenset[int]) -> bool:
        try:
            return (
                self._copy.wait_current(TIMEOUT_SECONDS, partitions)
                and self._recorded.wait_current(TIMEOUT_SECONDS)
                and self._can_answer(partitions)
            )
        except KafkaUnreachable as problem:
            self._log.warning("ends of topics cannot be read", problem=str(problem))
            self._is_closing.wait(TIMEOUT_SECONDS)
            return False

    def _can_answer(self, partitions: frozenset[int]) -> bool:
        """Whether no transaction is open over the outcomes of these partitions: readers would wait for its end."""
        decided, last = committed_ends(self._kafka, [OUTCOMES]), ends(self._kafka, [OUTCOMES])
        return all(decided[name] >= last[name] for name in last if name[1] in partitions)

    def _until(self, is_done: Callable[[frozenset[int]], bool], order: Order) -> bool:
        """Ask until it is done. False where nothing of the order is wanted any more."""
        while not self._is_closing.is_set() and (partitions := self._still_wanted(order)):
            try:
                if is_done(partitions):
                    return True
            except Exception as problem:
                # For example a password file that is missing for a moment. No other member takes these partitions over.
                self._log.error("taking over is tried again", problem=repr(problem))
                self._is_closing.wait(TIMEOUT_SECONDS)
            self._is_closing.wait(RETRY_SECONDS)
        return False
