"""The owner of partitions of commands: the only writer of the games in them."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Mapping
from uuid import uuid4

from services.common.eventlog.sqlite_database import is_damaged
from services.common.kafka.clients import KafkaUnreachable
from services.common.kafka.consuming import ClientFailed
from services.common.kafka.copy import LogCopy
from services.common.kafka.progress import GroupReader
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import COMMANDS
from services.common.process.crashes import CrashRecord
from services.common.process.exit_on_timeout import EXIT_HUNG, exit_on_timeout
from services.common.process.progress import Loop
from services.common.process.threads import ServiceThread
from services.common.telemetry.logs import get_logger
from services.common.telemetry.stack_dumps import dump_stacks
from services.rules.cluster.deciding import CommandProcessor
from services.rules.cluster.decision_limit import DecisionLimit
from services.rules.cluster.gaps import GapWatch
from services.rules.cluster.group import GROUP, OwnerTiming, has_other_members, leave_group
from services.rules.cluster.handed import Handed
from services.rules.cluster.membership import Membership, OwnerParts
from services.rules.cluster.metrics import OwnerMetrics
from services.rules.cluster.recorded import Recorded
from services.rules.cluster.transactions import TransactionalWriter, WriterFenced

BEGIN_AFRESH_SECONDS = 1.0
# Of a replica that crashed so often in half an hour others carry the games out for a minute.
CRASHES_MAX = 5
HOLD_OFF_SECONDS = 60.0
LOOK_FOR_OTHERS_SECONDS = 1.0
NOTE_SECONDS = 10.0


class Owner:
    """One member of the group of owners, in a thread of its own. After being fenced it restarts as a new member."""

    def __init__(
        self,
        kafka: KafkaSettings,
        processor: CommandProcessor,
        copy: LogCopy,
        recorded: Recorded,
        crashes: CrashRecord,
        metrics: OwnerMetrics,
        timing: OwnerTiming,
        end_process: Callable[[int], object] = os._exit,
        address: str = "",
    ) -> None:
        """`processor` decides over `copy`, which reports what was committed. `end_process` is given `EXIT_HUNG`. `address`:
        see `new_member`."""
        self._kafka = kafka
        self._crashes = crashes
        self._metrics = metrics
        self._end_process = end_process
        self._limit = DecisionLimit(timing.command_seconds, self._end_because_of)
        owner_id = f"{kafka.instance}/{uuid4().hex}"
        self._parts = OwnerParts(
            kafka, processor, copy, recorded, metrics, timing, self._limit, owner_id, address
        )
        self._gaps = GapWatch(kafka, timing.gap_seconds)
        self._log = get_logger("owner")
        self._is_stopping = threading.Event()
        self._thread = ServiceThread("owner", self._live)
        self._last_turn = time.monotonic()
        self._membership: Membership | None = None
        self._can_join = True

    @property
    def partitions(self) -> frozenset[int]:
        """The partitions whose commands are carried out here just now."""
        membership = self._membership
        return frozenset() if membership is None else membership.shares.ready

    def progress_reader(self) -> GroupReader:
        """How far the owners' group is with the commands."""
        return GroupReader("owner", COMMANDS, GROUP, self.assigned, is_exact=True)

    def progress_loop(self) -> Loop:
        """The loop of its thread; a healthy one takes a fraction of a second per round."""
        return Loop("owner", lambda: self._last_turn if self._thread.is_alive() else time.monotonic())

    def state(self) -> Mapping[str, object]:
        """Its state, for the log."""
        membership = self._membership
        if membership is None:
            return {"member": False}
        return {"member": True, **membership.state()}

    def assigned(self) -> frozenset[int]:
        """The partitions that the group has given to this replica, whether they are taken over yet or not."""
        membership = self._membership
        return frozenset() if membership is None else membership.shares.assigned_now

    def hand(self, command: Handed) -> bool:
        """Have this command carried out without the log, or given back; False where it has to go by the log. For any thread."""
        membership = self._membership
        return membership is not None and membership.hand(command)

    def _turn(self) -> None:
        self._last_turn = time.monotonic()

    @property
    def is_alive(self) -> bool:
        """Whether it works, or will once Kafka answers; False while another error keeps it from joining,
        and for good when its copy is damaged."""
        return self._thread.is_alive() and self._can_join

    def start(self) -> None:
        """Join the owners."""
        self._turn()
        self._limit.start()
        self._gaps.start()
        self._thread.start()

    def stop(self) -> None:
        """End the transaction at hand and leave the partitions to others. May be called again, and without `start`."""
        self._is_stopping.set()
        if self._thread.is_alive():
            self._thread.join()
            self._leave_group()
        self._gaps.close()
        self._limit.close()
        self._crashes.end()

    def _leave_group(self) -> None:
        try:
            leave_group(self._kafka)
        except Exception as problem:
            self._log.warning("the group was not left", problem=repr(problem))

    def _hold_off(self) -> None:
        """After a series of crashes leave the games to the other members, as long as there are any."""
        crashes = self._crashes.begin()
        if crashes < CRASHES_MAX:
            return
        self._log.critical("this replica crashes again and again: others carry on", crashes=crashes)
        self._metrics.holds_off.set(1)
        self._leave_group()
        end = time.monotonic() + HOLD_OFF_SECONDS
        while time.monotonic() < end and has_other_members(self._kafka):
            self._turn()
            if self._is_stopping.wait(LOOK_FOR_OTHERS_SECONDS):
                break
        self._metrics.holds_off.set(0)

    def _end_because_of(self, partition: int, offset: int | None) -> None:
        """End the process, since a command comes to no end; its next owner is warned if it has an offset."""
        self._log.critical("a command comes to no end: the process ends", partition=partition, offset=offset)
        dump_stacks()
        if offset is not None:
            self._warn_next_owner(partition, offset)
        self._end_process(EXIT_HUNG)

    def _warn_next_owner(self, partition: int, offset: int) -> None:
        with exit_on_timeout("warning the next owner", NOTE_SECONDS):
            try:
                if (membership := self._membership) is not None:
                    membership.note_hung(partition, offset)
            except Exception as problem:
                self._log.error("the next owner is not warned", problem=repr(problem))

    def _live(self) -> None:
        self._hold_off()
        while not self._is_stopping.is_set():
            self._turn()
            if not self._parts.copy.is_writable:
                self._is_stopping.wait(BEGIN_AFRESH_SECONDS)
                continue
            try:
                self._join_and_work()
            except (WriterFenced, ClientFailed) as fenced:
                self._metrics.fenced.inc()
                self._log.error("fenced: everything is dropped, this owner restarts", problem=str(fenced))
            except Exception as problem:
                if isinstance(problem, sqlite3.Error) and is_damaged(problem):
                    self._log.critical("the copy is damaged: others carry on", problem=repr(problem))
                    self._leave_group()
                    return
                self._log.error("the owner restarts", problem=repr(problem))
            self._is_stopping.wait(BEGIN_AFRESH_SECONDS)

    def _join_and_work(self) -> None:
        self._membership = membership = self._new_membership()
        has_failed = True
        try:
            membership.work_until(self._is_over, self._turn)
            has_failed = False
        finally:
            self._membership = None
            membership.leave()
            if has_failed:
                # It may owe the group an answer about partitions that are to move. Under its name it would get its others back
                # without being asked again, and nobody would get these.
                self._leave_group()
        if not self._parts.copy.is_writable:
            self._log.error("no room for the copy: the partitions go to owners that have some")
            self._leave_group()
        elif self._gaps.found:
            self._log.error("partitions have no owner: joining anew", partitions=sorted(self._gaps.found))
            self._leave_group()
            self._gaps.mended()

    def _is_over(self) -> bool:
        """Whether the membership at hand ends."""
        return self._is_stopping.is_set() or not self._parts.copy.is_writable or bool(self._gaps.found)

    def _new_membership(self) -> Membership:
        try:
            writer = TransactionalWriter(self._kafka, self._parts.transactional_id)
            writer.open()
            made = Membership(self._parts, writer)
        except Exception as problem:
            self._can_join = isinstance(problem, KafkaUnreachable)
            raise
        self._can_join = True
        return made
