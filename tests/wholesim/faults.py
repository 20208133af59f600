"""What is done to the platform while games are played, drawn from the seed of the run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from tests.faults.disturbances import JUMPS
from tests.faults.plan import ANY_MOMENT, POINTS as POINTS_OF_FAULT_RUNS, SHARES
from tests.wholesim.kafka_log import Kafka
from tests.wholesim.platform import SESSION_SECONDS, Platform, Replica
from tests.wholesim.schedule import Schedule

Kind = Literal["death", "pause", "slow copies", "kafka away", "clock jump", "stop"]
KINDS: dict[Kind, int] = {
    "death": 52,
    "pause": 17,
    "slow copies": 12,
    "kafka away": 7,
    "clock jump": 6,
    "stop": 6,
}
"""Shares in a hundred."""
FOLLOWER_POINTS = POINTS_OF_FAULT_RUNS["ledger"]
POINTS = {
    **POINTS_OF_FAULT_RUNS,
    "lobby": (
        *POINTS_OF_FAULT_RUNS["lobby"],
        *FOLLOWER_POINTS,
        "gateway.before-send",
        "gateway.before-answer",
    ),
    "routing": FOLLOWER_POINTS,
}
COUNT_MAX = 3
FAULTS = (2, 14)
QUIET_SECONDS = 0.6
REACH_SECONDS = 3.0
RESTART_SECONDS = (0.05, 2 * SESSION_SECONDS)
AWAY_SECONDS = 3.0
ANY_MOMENT_SHARE = 0.2
SLOW_TAKEOVER_SHARE = 0.5
WRITING_SHARE = 0.5
PAUSE_SECONDS = (0.5, 3 * SESSION_SECONDS)
AT_POINT_SHARE = 0.8
WRITING_POINTS = tuple(each for each in POINTS["rules"] if each.startswith("owner."))
LOOK_SECONDS = 0.02
END_LOOK_SECONDS = 0.2
SETTLE_SECONDS = 1.0
STANDSTILL_SECONDS = 600.0


class Faults:
    """One fault after another and at times two at once, until the players are done."""

    def __init__(
        self, schedule: Schedule, kafka: Kafka, platform: Platform, is_done: Callable[[], bool]
    ) -> None:
        self._schedule = schedule
        self._random = schedule.random
        self._kafka = kafka
        self._platform = platform
        self._is_done = is_done
        self._under_way = 0
        self.is_over = False
        self.done: list[str] = []

    def run(self) -> None:
        """Do everything that this seed has, undo it, and wait for the players."""
        for _ in range(self._random.randint(*FAULTS)):
            self._schedule.sleep(self._random.uniform(0, QUIET_SECONDS))
            if self._is_done():
                break
            kind = self._random.choices(list(KINDS), list(KINDS.values()))[0]
            self._under_way += 1
            work = getattr(self, f"_{kind.replace(' ', '_')}")
            self._schedule.spawn(kind, lambda work=work: self._do(work))  # type: ignore[misc]
            while self._under_way > self._random.randint(0, 1):
                self._schedule.sleep(LOOK_SECONDS)
        while self._under_way:
            self._schedule.sleep(LOOK_SECONDS)
        end = self._schedule.now + STANDSTILL_SECONDS
        while not self._is_done() and self._schedule.now < end:
            self._schedule.sleep(END_LOOK_SECONDS)
        if not self._is_done():
            self._schedule.failures.append(f"standstill: games do not go on in {STANDSTILL_SECONDS:.0f} s")
        self._platform.wait_ready()
        self._schedule.sleep(SETTLE_SECONDS)
        self.is_over = True

    def _do(self, work: Callable[[], None]) -> None:
        try:
            work()
        finally:
            self._under_way -= 1

    def _say(self, what: str) -> None:
        self.done.append(f"{self._schedule.now:.3f} {what}")

    def _death(self) -> None:
        service = self._random.choices(list(SHARES), list(SHARES.values()))[0]
        replica = self._random.choice(self._platform.of(service))
        point = self._random.choice(POINTS[service])
        if service == "rules" and self._random.random() < WRITING_SHARE:
            point = self._random.choice(WRITING_POINTS)
        if replica.process.is_dead or self._random.random() < ANY_MOMENT_SHARE:
            point = ANY_MOMENT
        process = replica.process
        if point:
            count = 1 if point == "owner.after-assign" else self._random.randint(1, COUNT_MAX)
            replica.crash_at = (point, count)
            self._say(f"{replica.name} dies at {point}:{count}")
        self._until_dead(replica, REACH_SECONDS if point else self._random.uniform(0, REACH_SECONDS))
        if not process.is_dead:
            self._say(f"{replica.name} dies")
            self._platform.kill(replica, "any moment")
        self._slow_down_others(replica)
        self._start_again(replica)

    def _slow_down_others(self, replica: Replica) -> None:
        """At times the replicas that take over learn late what was written last."""
        if self._random.random() < SLOW_TAKEOVER_SHARE:
            for other in self._platform.of(replica.service):
                if other is not replica:
                    seconds = SESSION_SECONDS + self._random.uniform(-1, AWAY_SECONDS)
                    self._kafka.slow_until[other.name] = self._schedule.now + seconds
                    self._say(f"the copies of {other.name} stand still for {seconds:.3f} s")

    def _until_dead(self, replica: Replica, seconds: float) -> None:
        end, process = self._schedule.now + seconds, replica.process
        while not process.is_dead and self._schedule.now < end:
            self._schedule.sleep(LOOK_SECONDS)

    def _start_again(self, replica: Replica) -> None:
        self._schedule.sleep(self._random.choice(RESTART_SECONDS) * self._random.random())
        if replica.process.is_dead:
            self._say(f"{replica.name} starts")
            self._platform.start(replica)

    def _pause(self) -> None:
        """Often other replicas have its games when it resumes, so its writer must be fenced."""
        replica = self._random.choice(self._platform.of("rules"))
        process, seconds = replica.process, self._random.uniform(*PAUSE_SECONDS)
        if self._random.random() < AT_POINT_SHARE:
            point = self._random.choice(WRITING_POINTS)
            replica.pause_at = (point, self._random.randint(1, COUNT_MAX))
            self._say(f"{replica.name} stands still at {point}:{replica.pause_at[1]} for {seconds:.3f} s")
            end = self._schedule.now + REACH_SECONDS
            while replica.pause_at is not None and self._schedule.now < end:
                self._schedule.sleep(LOOK_SECONDS)
            replica.pause_at = None
        if not process.is_paused:
            self._say(f"{replica.name} stands still for {seconds:.3f} s")
            self._schedule.pause(process)
        self._slow_down_others(replica)
        self._schedule.sleep(seconds)
        self._schedule.resume(process)

    def _slow_copies(self) -> None:
        """What a process copies from Kafka comes late, while its commands come as always."""
        replica = self._random.choice(list(self._platform.replicas.values()))
        seconds = self._random.uniform(0.1, AWAY_SECONDS)
        self._say(f"the copies of {replica.name} stand still for {seconds:.3f} s")
        self._kafka.slow_until[replica.name] = self._schedule.now + seconds
        self._schedule.sleep(seconds)

    def _kafka_away(self) -> None:
        seconds = self._random.uniform(0.1, AWAY_SECONDS)
        self._say(f"Kafka is away for {seconds:.3f} s")
        self._kafka.away_until = self._schedule.now + seconds
        self._schedule.sleep(seconds)

    def _clock_jump(self) -> None:
        process = self._random.choice(self._platform.of("rules")).process
        process.clock_skew_ms = 1000 * self._random.choice(JUMPS)
        self._say(f"the clock of {process.name} is wrong by {process.clock_skew_ms} ms")
        self._schedule.sleep(self._random.uniform(0.5, AWAY_SECONDS))
        process.clock_skew_ms = 0

    def _stop(self) -> None:
        replica = self._random.choice(list(self._platform.replicas.values()))
        if not self._platform.is_serving(replica):
            return
        self._say(f"{replica.name} is stopped")
        self._platform.stop(replica)
        self._start_again(replica)
