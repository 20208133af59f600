"""What a run of the load generator found, as it is kept in a file and fitted by the model."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from services.bench.metrics import Use
from services.common.errors import SignalboxError

RULES = "rules"
OWN_TOPICS = "Kafka's own"
"""The topics that Kafka keeps for itself: offsets of groups, states of transactions."""


class NoMeasurements(SignalboxError):
    """A file holds no measurements."""


class Replica(Use, frozen=True):
    """What a replica took while commands were played. `idle_cores`: cores that it took before, without any."""

    idle_cores: float = 0.0


class Times(msgspec.Struct, frozen=True):
    """Milliseconds from the time when a command was due to its answer. Those that could not begin count with the time until the
    end, so they are at least so large."""

    p50: float = 0.0
    p99: float = 0.0
    most: float = 0.0


class Measured(msgspec.Struct, frozen=True, kw_only=True):
    """One rate. `asked`: commands due a second, `accepted_rate`: accepted a second. `seconds`: between the readings of metrics,
    with the time to settle. `copies`: of each partition, 0: every replica has all. `topics`: bytes in Kafka of one
    copy. `broker_cpu`: seconds of cores of Kafka's own processes, None where they cannot be seen. `cores` of the machine where
    everything shared one, else 0."""

    title: str
    games: int
    asked: float
    accepted: int
    accepted_rate: float
    seconds: float
    times: Times
    refused: dict[str, int] = {}
    failures: dict[str, int] = {}
    unanswered: int = 0
    not_begun: int = 0
    copies: int = 0
    partitions: int = 0
    replicas: list[Replica] = []
    topics: dict[str, float] = {}
    broker_cpu: float | None = None
    cores: int = 0

    def of(self, service: str) -> list[Replica]:
        """The replicas of a service that did not restart."""
        return [each for each in self.replicas if each.service == service and not each.is_restarted]

    def count(self, service: str) -> int:
        """How many replicas a service has."""
        return sum(each.service == service for each in self.replicas)

    @property
    def services(self) -> list[str]:
        """Those whose metrics were read."""
        return list(dict.fromkeys(each.service for each in self.replicas))

    def kept(self) -> float:
        """Which share of the log a replica of rules keeps."""
        count = max(self.count(RULES), 1)
        return min(self.copies or count, count) / count

    def transactions(self) -> float:
        """Transactions for a command; 1 where nobody counted them."""
        decided = sum(each.decided for each in self.of(RULES))
        return sum(each.transactions for each in self.of(RULES)) / decided if decided else 1.0

    def cpu_of(self, replica: Replica) -> float:
        """Milliseconds of a core for a command of the platform, without what the replica takes idle."""
        return (replica.cpu - replica.idle_cores * self.seconds) * 1000 / max(self.accepted, 1)


_measured = msgspec.json.Decoder(list[Measured]).decode


def times_of(milliseconds: Sequence[float], not_begun: Sequence[float] = ()) -> Times:
    """The median, what one of a hundred exceeds, and the most."""
    values = sorted((*milliseconds, *not_begun))
    if not values:
        return Times()
    return Times(values[len(values) // 2], values[min(int(len(values) * 0.99), len(values) - 1)], values[-1])


def read_measurements(paths: Sequence[Path]) -> list[Measured]:
    """Those in all of the files. Raises `NoMeasurements`."""
    found: list[Measured] = []
    for path in paths:
        try:
            found += _measured(path.read_bytes())
        except (OSError, msgspec.MsgspecError) as problem:
            raise NoMeasurements(f"{path}: {problem}") from problem
    if not any(each.accepted for each in found):
        raise NoMeasurements("no measurement with an accepted command")
    return found


def as_json(found: Sequence[Measured]) -> bytes:
    """The measurements as they are read back."""
    return msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n"
