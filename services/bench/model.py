"""What a platform costs, in terms that do not depend on its size, fitted to measurements. Pure.

With n replicas of rules, each of which keeps the share s of the log (1: all of it, or copies / n), and t transactions for a
command (fewer than one where commands share them), a replica takes for a command of the platform

    owner / n + copy · s + hop · (1 - s) / n + transaction · t / n          milliseconds of a core

beside what it takes idle, and reads `read_owner / n + read_copy · s` bytes. The brokers take
`command + copy · n · s + transaction · t`, for n · s replicas read each record, beside what they take idle. The other services
take so much for a command, all their replicas together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from services.bench.fitting import fit, product
from services.bench.measured import RULES, Measured, NoMeasurements, Replica

MILLI = 1000


class RulesTerms(msgspec.Struct, frozen=True, kw_only=True):
    """Of rules. `idle`: cores of a replica without commands. In milliseconds of a core for a command: `owner`: taking, deciding
    and writing it, once; `copy`: following it, each replica that keeps it; `hop`: passing a call on, both replicas together;
    `transaction`: of each transaction, once. In bytes for a command: `read_owner`, `read_copy` likewise, `written`. `memory`:
    bytes of a replica without games, `memory_game`: of a game in play, once."""

    idle: float = 0.0
    owner: float = 0.0
    copy: float = 0.0
    hop: float = 0.0
    transaction: float = 0.0
    read_owner: float = 0.0
    read_copy: float = 0.0
    written: float = 0.0
    memory: float = 0.0
    memory_game: float = 0.0

    def ms(self, replicas: int, share: float, transactions: float) -> float:
        """Milliseconds of a core that a replica takes for a command of the platform, if each keeps `share` of the log."""
        terms = (self.owner, self.copy, self.hop, self.transaction)
        return product(_cpu_row(replicas, share, transactions), terms)

    def read(self, replicas: int, share: float) -> float:
        """Bytes of records that a replica reads for a command of the platform."""
        return product(_read_row(replicas, share), (self.read_owner, self.read_copy))


class ServiceTerms(msgspec.Struct, frozen=True, kw_only=True):
    """Of another service, for a command of the platform and all its replicas together. `ms`: milliseconds of a core, those of
    routing's workers among them; `idle`: cores, `memory`: bytes of one replica. `replicas`: how many there were."""

    service: str
    idle: float
    ms: float
    read: float
    written: float
    memory: float
    replicas: float = 1.0


class BrokerTerms(msgspec.Struct, frozen=True, kw_only=True):
    """Of all brokers together. In milliseconds of a core: `command`: of each, `copy`: for each replica that reads it,
    `transaction`: of each. `idle`: cores."""

    command: float
    copy: float
    transaction: float
    idle: float

    def ms(self, readers: float, transactions: float) -> float:
        """Milliseconds of a core for a command that so many read."""
        return product((1.0, readers, transactions), (self.command, self.copy, self.transaction))


class Residual(msgspec.Struct, frozen=True, kw_only=True):
    """One measured figure beside what the model says."""

    what: str
    replicas: int
    copies: int
    asked: float
    measured: float
    fitted: float

    @property
    def share(self) -> float:
        """By how much the model is above what was measured, as a share of it."""
        return self.fitted / self.measured - 1 if self.measured else 0.0


class Range(NamedTuple):
    """The least and the most that was measured."""

    least: float
    most: float

    def holds(self, value: float) -> bool:
        """Whether a value was within what was measured."""
        return self.least <= value <= self.most


class Model(msgspec.Struct, frozen=True, kw_only=True):
    """All terms. `brokers`: None where nobody saw them. `stored`: bytes of one copy for a command by topic. `replicas`, `rates`,
    `games`: what was measured, commands a second and games for a replica of rules. `tells_copies`: several sizes of platform were
    measured, which separates `owner` from `copy`; `tells_hop`: replicas that kept a part of the log were among
    them."""

    rules: RulesTerms
    services: list[ServiceTerms]
    brokers: BrokerTerms | None
    stored: dict[str, float]
    replicas: Range
    rates: Range
    games: Range
    tells_copies: bool
    tells_hop: bool
    residuals: list[Residual]


def fitted(measurements: Sequence[Measured]) -> Model:
    """The terms nearest to what was measured. Raises `NoMeasurements` without a replica of rules."""
    rows = [each for each in measurements if each.accepted and each.of(RULES)]
    if not rows:
        raise NoMeasurements("no measurement with the metrics of a replica of rules")
    residuals: list[Residual] = []
    rules = _rules(rows, residuals)
    brokers = _brokers(rows, residuals)
    return Model(
        rules=rules,
        services=[_service(name, rows) for name in _others(rows)],
        brokers=brokers,
        stored=_stored(rows),
        replicas=_range(each.count(RULES) for each in rows),
        rates=_range(each.accepted_rate for each in rows),
        games=_range(each.games / each.count(RULES) for each in rows),
        tells_copies=len({(each.count(RULES), each.kept()) for each in rows}) > 1,
        tells_hop=any(each.kept() < 1 for each in rows),
        residuals=residuals,
    )


def _rules(rows: Sequence[Measured], residuals: list[Residual]) -> RulesTerms:
    cpu_rows = [_cpu_row(each.count(RULES), each.kept(), each.transactions()) for each in rows]
    cpu = [_mean(map(each.cpu_of, each.of(RULES))) for each in rows]
    read_rows = [_read_row(each.count(RULES), each.kept()) for each in rows]
    read = [_mean(sum(one.read.values()) / each.accepted for one in each.of(RULES)) for each in rows]
    memory_rows = [(1.0, each.games / each.count(RULES)) for each in rows]
    memory = [_mean(one.memory for one in each.of(RULES)) for each in rows]
    owner, copy, hop, transaction = terms = fit(cpu_rows, cpu)
    read_owner, read_copy = fit(read_rows, read)
    memory_fixed, memory_game = fit(memory_rows, memory)
    _note(residuals, "ms of a core, replica of rules", rows, cpu_rows, cpu, terms)
    _note(residuals, "bytes read, replica of rules", rows, read_rows, read, (read_owner, read_copy))
    _note(
        residuals, "bytes of memory, replica of rules", rows, memory_rows, memory, (memory_fixed, memory_game)
    )
    return RulesTerms(
        idle=_mean(one.idle_cores for each in rows for one in each.of(RULES)),
        owner=owner,
        copy=copy,
        hop=hop,
        transaction=transaction,
        read_owner=read_owner,
        read_copy=read_copy,
        written=_mean(_written(each.of(RULES)) / each.accepted for each in rows),
        memory=memory_fixed,
        memory_game=memory_game,
    )


def _brokers(rows: Sequence[Measured], residuals: list[Residual]) -> BrokerTerms | None:
    seen = [(each, each.broker_cpu) for each in rows if each.broker_cpu is not None]
    if not seen:
        return None
    of = [each for each, _ in seen]
    columns = [
        (1.0, each.count(RULES) * each.kept(), each.transactions(), each.seconds * MILLI / each.accepted)
        for each in of
    ]
    values = [cpu * MILLI / each.accepted for each, cpu in seen]
    command, copy, transaction, idle = terms = fit(columns, values)
    _note(residuals, "ms of a core, all brokers", of, columns, values, terms)
    return BrokerTerms(command=command, copy=copy, transaction=transaction, idle=idle)


def _service(name: str, rows: Sequence[Measured]) -> ServiceTerms:
    seen = [each for each in rows if each.of(name)]
    return ServiceTerms(
        service=name,
        idle=_mean(one.idle_cores for each in seen for one in each.of(name)),
        ms=_mean(
            max(sum(each.cpu_of(one) + one.solving * MILLI / each.accepted for one in each.of(name)), 0.0)
            for each in seen
        ),
        read=_mean(_read(each.of(name)) / each.accepted for each in seen),
        written=_mean(_written(each.of(name)) / each.accepted for each in seen),
        memory=_mean(one.memory for each in seen for one in each.of(name)),
        replicas=_mean(len(each.of(name)) for each in seen),
    )


def _others(rows: Sequence[Measured]) -> list[str]:
    names = dict.fromkeys(one.service for each in rows for one in each.replicas if not one.is_restarted)
    return [name for name in names if name != RULES]


def _stored(rows: Sequence[Measured]) -> dict[str, float]:
    seen = [each for each in rows if each.topics]
    names = sorted({name for each in seen for name in each.topics})
    return {name: _mean(each.topics.get(name, 0.0) / each.accepted for each in seen) for name in names}


def _cpu_row(replicas: int, share: float, transactions: float) -> tuple[float, ...]:
    return 1 / replicas, share, (1 - share) / replicas, transactions / replicas


def _read_row(replicas: int, share: float) -> tuple[float, float]:
    return 1 / replicas, share


def _note(
    residuals: list[Residual],
    what: str,
    rows: Sequence[Measured],
    columns: Sequence[Sequence[float]],
    values: Sequence[float],
    terms: Sequence[float],
) -> None:
    for each, row, value in zip(rows, columns, values, strict=True):
        residuals.append(
            Residual(
                what=what,
                replicas=each.count(RULES),
                copies=each.copies,
                asked=each.asked,
                measured=value,
                fitted=product(row, terms),
            )
        )


def _read(replicas: Sequence[Replica]) -> float:
    return sum(size for each in replicas for size in each.read.values())


def _written(replicas: Sequence[Replica]) -> float:
    return sum(size for each in replicas for size in each.written.values())


def _mean(values: Iterable[float]) -> float:
    listed = list(values)
    return sum(listed) / len(listed) if listed else 0.0


def _range(values: Iterable[float]) -> Range:
    listed = list(values)
    return Range(min(listed), max(listed))
