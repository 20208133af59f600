"""What is done to a cluster, drawn from a seed: the same seed is the same plan."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar, get_args

ANY_MOMENT = ""
RULES_POINTS = (
    "gateway.before-send",
    "gateway.after-send",
    "gateway.before-answer",
    "owner.after-consume",
    "owner.after-begin",
    "owner.after-decide",
    "owner.after-produce",
    "owner.before-commit",
    "owner.after-commit",
    "owner.after-assign",
    "copy.before-write",
    "copy.after-write",
    "copy.before-put",
    "copy.after-put",
)
# Met only where there is an archive; no run takes a game out of one.
ARCHIVE_POINTS = ("archive.after-put", "archive.after-list", "archive.after-drop")
POINTS: Mapping[str, tuple[str, ...]] = {
    "rules": RULES_POINTS,
    "ledger": ("follower.before-handle", "follower.after-handle", "follower.after-offset"),
    "lobby": ("append.before-send", "append.before-answer", "copy.before-write", "copy.after-write"),
    "routing": (ANY_MOMENT,),
}
SHARES: Mapping[str, int] = {"rules": 70, "ledger": 16, "lobby": 8, "routing": 6}
"""Of a hundred deaths so many meet each service."""
ANY_MOMENT_SHARE = 0.2
COUNT_MAX: Mapping[str, int] = {"rules": 12, "ledger": 20, "lobby": 3, "routing": 1}
LIFE_SECONDS_MAX = 4.0
# Longer than a session: the owner has lost its games to others, and when it goes on it is a zombie.
ZOMBIE_SECONDS = (12.0, 15.0)
SHORT_SECONDS = (0.5, 6.0)
# So short that nobody notices, and longer than an answer may be old.
OWNER_SECONDS = (5.0, 30.0)
# Longer than replicas follow what they gave away.
VIEW_SECONDS = (15.0, 45.0)
# Of the group only; its process lives and is reached by everybody else.
EXPELLED_SECONDS = (14.0, 25.0)
# Shorter and longer than the session of an owner and of a broker.
LONG_SECONDS = (4.0, 20.0)

Turn = TypeVar("Turn")

Kind = Literal[
    "pause rules",
    "full disk",
    "kill broker",
    "stop broker",
    "pause broker",
    "kill redis",
    "flush redis",
    "pause redis",
    "clock jump",
    "killing command",
    "endless command",
    "slow broker",
    "full redis",
    "cut off broker",
    "cut broker from brokers",
    "cut off rules",
    "cut answers to rules",
    "cut rules from broker",
    "cut rules from redis",
    "full broker disk",
    "full disks of all brokers",
    "full copy disk",
    "full books disk",
    "pause owner",
    "hold back view of group",
    "cut forwarding",
    "cut forwarding one way",
    "promote standby of living owner",
    "store away",
    "slow store",
]
ISOLATED_KINDS: tuple[Kind, ...] = (
    "cut off broker",
    "cut broker from brokers",
    "cut off rules",
    "cut answers to rules",
    "cut rules from broker",
    "cut rules from redis",
    "full broker disk",
    "full disks of all brokers",
    "full copy disk",
    "full books disk",
)
"""These need a network and disks of the run's own."""
SHARED_KINDS: tuple[Kind, ...] = ("pause owner", "hold back view of group")
"""These need replicas of rules that keep a part of the log each."""
SHARED_ISOLATED_KINDS: tuple[Kind, ...] = (
    "cut forwarding",
    "cut forwarding one way",
    "promote standby of living owner",
    "store away",
    "slow store",
)
"""These need such replicas, and a network of the run's own."""
KINDS: tuple[Kind, ...] = tuple(
    each for each in get_args(Kind) if each not in (*ISOLATED_KINDS, *SHARED_KINDS, *SHARED_ISOLATED_KINDS)
)
SECONDS: Mapping[Kind, tuple[float, float]] = {
    "pause rules": ZOMBIE_SECONDS,
    "pause owner": OWNER_SECONDS,
    "hold back view of group": VIEW_SECONDS,
    "promote standby of living owner": EXPELLED_SECONDS,
}
LONG: frozenset[Kind] = frozenset(("slow broker", *ISOLATED_KINDS, *SHARED_ISOLATED_KINDS))


def kinds_for(is_isolated: bool, is_shared: bool) -> tuple[Kind, ...]:
    """What can be done to a cluster with a network and disks of its own, or with replicas that keep a part of the log."""
    shared = (*SHARED_KINDS, *(SHARED_ISOLATED_KINDS if is_isolated else ()))
    return (*KINDS, *(ISOLATED_KINDS if is_isolated else ()), *(shared if is_shared else ()))


@dataclass(frozen=True, slots=True)
class Death:
    """One kill -9 of a service's process: when it comes to `point` for the `count`-th time, or after `seconds`."""

    point: str
    count: int
    seconds: float

    def __str__(self) -> str:
        return f"{self.point}:{self.count}" if self.point else f"after {self.seconds:.1f} s"


@dataclass(frozen=True, slots=True)
class Disturbance:
    """Something that happens to others than a service's code; `target` chooses among several, `seconds` is how long."""

    kind: Kind
    target: int
    seconds: float

    def __str__(self) -> str:
        return f"{self.kind} {self.target} for {self.seconds:.1f} s"


@dataclass(frozen=True, slots=True)
class Plan:
    """Deaths of each process in their order, and disturbances in theirs."""

    seed: int
    deaths: Mapping[str, tuple[Death, ...]]
    disturbances: tuple[Disturbance, ...]

    def lines(self) -> list[str]:
        """The plan as text."""
        return [
            f"seed {self.seed}",
            *(f"{name}: {', '.join(map(str, deaths))}" for name, deaths in self.deaths.items() if deaths),
            f"besides: {', '.join(map(str, self.disturbances)) or 'nothing'}",
        ]


def make_plan(
    seed: int,
    deaths: int,
    disturbances: int,
    processes: Mapping[str, tuple[str, ...]],
    kinds: Sequence[Kind] = KINDS,
    *,
    has_archive: bool = False,
) -> Plan:
    """So many deaths spread over the processes (names by service), points of a service in turn, and disturbances.

    Every one of `kinds` comes once before any comes again."""
    draw = random.Random(seed)
    chosen: dict[str, list[Death]] = {name: [] for names in processes.values() for name in names}
    for service, number in _numbers(deaths, tuple(processes)).items():
        names = processes[service]
        also = ARCHIVE_POINTS if has_archive and service == "rules" else ()
        points = _turns(draw, (*POINTS[service], *also), number)
        for index in range(number):
            chosen[names[index % len(names)]].append(_death(draw, next(points), COUNT_MAX[service]))
    return Plan(
        seed,
        {name: tuple(each) for name, each in chosen.items()},
        tuple(_disturbance(draw, kind) for kind in _turns(draw, kinds, disturbances)),
    )


def _numbers(deaths: int, services: tuple[str, ...]) -> dict[str, int]:
    """How many meet each service, one at least where there are enough; what rounding leaves over meets the first."""
    whole = sum(SHARES[service] for service in services)
    least = int(deaths >= 2 * len(services))
    numbers = {service: max(least, deaths * SHARES[service] // whole) for service in services}
    numbers[services[0]] += deaths - sum(numbers.values())
    return numbers


def _turns(draw: random.Random, each: Sequence[Turn], number: int) -> Iterator[Turn]:
    """All in turn, every round in another order."""
    turns: list[Turn] = []
    while len(turns) < number:
        turns += draw.sample(each, len(each))
    return iter(turns[:number])


def _death(draw: random.Random, point: str, count_max: int) -> Death:
    is_any_moment = draw.random() < ANY_MOMENT_SHARE
    return Death(
        ANY_MOMENT if is_any_moment else point,
        1 if point in ("owner.after-assign", *ARCHIVE_POINTS) else draw.randint(1, count_max),
        draw.uniform(0.0, LIFE_SECONDS_MAX),
    )


def _disturbance(draw: random.Random, kind: Kind) -> Disturbance:
    least, most = SECONDS.get(kind, LONG_SECONDS if kind in LONG else SHORT_SECONDS)
    return Disturbance(kind, draw.randrange(6), draw.uniform(least, most))
