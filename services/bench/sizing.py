"""What a platform of some size would need, from the model: each figure with what it rests on. Pure."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import msgspec

from services.bench.model import MILLI, Model, ServiceTerms
from services.common.errors import SignalboxError
from services.common.settings.service import LobbySummaries

ASSUMPTIONS = Path(__file__).parent / "assumptions.toml"
REPLICAS_MOST = 1_000
DAY_SECONDS = 86_400
MIB, GIB, GB, MEGABIT = 1024**2, 1024**3, 10**9, 10**6 / 8
LOBBY = "lobby"


class TooMuch(SignalboxError):
    """No number of replicas carries what is asked for."""


class Assumption(msgspec.Struct, frozen=True):
    """A figure that was not measured in the run, and why it is taken."""

    value: float
    why: str


class Assumptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """As in assumptions.toml, which says what each is."""

    busy_share: Assumption
    commands_per_transaction: Assumption
    partitions_per_replica: Assumption
    file_bytes_rules: Assumption
    file_bytes_ledger: Assumption
    lobby_summaries: Assumption
    closing_share: Assumption
    kept_days: dict[str, float]


class Demand(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked for. `copies`: replicas of rules that keep each partition, 0: all. `summaries`: which each replica of the
    lobby keeps. `replication`: copies of a topic in Kafka. `finds_owner`: callers reach the owner of a game at once, so no call
    is passed on. `together`: commands that share a transaction, 0: as assumed."""

    games: int
    rate: float
    copies: int = 2
    summaries: LobbySummaries = "followed"
    replication: int = 3
    finds_owner: bool = False
    together: float = 0.0

    @property
    def transactions(self) -> float:
        """Transactions for a command."""
        return 1 / (self.together or assumptions().commands_per_transaction.value)


class Figure(msgspec.Struct, frozen=True):
    """One figure with its unit, what it rests on, and where that is outside of what was measured; else empty."""

    what: str
    value: float
    unit: str
    basis: str
    extrapolated: str = ""


_decode = msgspec.json.Decoder(Assumptions).decode


@cache
def assumptions() -> Assumptions:
    """Those that come with the product."""
    return _decode(msgspec.json.encode(tomllib.loads(ASSUMPTIONS.read_text("utf-8"))))


def replicas_needed(model: Model, demand: Demand, busy_share: float) -> int:
    """The least number of replicas of rules that are busy `busy_share` of the time at most. Raises `TooMuch`."""
    for count in range(1, REPLICAS_MOST + 1):
        if cores_of_replica(model, demand, count) <= busy_share:
            return count
    floor = model.rules.idle + demand.rate * model.rules.copy / MILLI
    reason = (
        f"following all of the log alone takes {floor:.1f} cores of each replica: let them share it, with --copies"
        if not demand.copies
        else "a replica is busier than that without any command"
    )
    raise TooMuch(f"not even {REPLICAS_MOST} replicas of rules carry {demand.rate:g} commands/s: {reason}")


def share_kept(demand: Demand, replicas: int) -> float:
    """Which share of the log a replica keeps."""
    return min(demand.copies or replicas, replicas) / replicas


def cores_of_replica(model: Model, demand: Demand, replicas: int) -> float:
    """Cores that a replica of rules takes, if there are so many."""
    share = share_kept(demand, replicas)
    rules = msgspec.structs.replace(model.rules, hop=0.0) if demand.finds_owner else model.rules
    return rules.idle + demand.rate * rules.ms(replicas, share, demand.transactions) / MILLI


class Sizing:
    """The figures for one demand."""

    def __init__(self, model: Model, demand: Demand, taken: Assumptions | None = None) -> None:
        """Raises `TooMuch`."""
        self._model = model
        self._demand = demand
        self._taken = taken or assumptions()
        self.replicas = replicas_needed(model, demand, self._taken.busy_share.value)
        self._share = share_kept(demand, self.replicas)
        self._passes_on = self._share < 1 and not demand.finds_owner

    def figures(self) -> list[Figure]:
        """All of them, in the order in which they are read."""
        return [
            *self._rules(),
            *self._services(),
            *self._brokers(),
            *self._disks(),
            *self._network(),
        ]

    def _outside(self, *, rate: bool = True, replicas: bool = False, games: bool = False) -> str:
        """What of the demand is outside of what was measured."""
        model, each = self._model, self._demand.games / self.replicas
        found = []
        if replicas and not model.tells_copies:
            found.append("one size measured: what each copy costs is in what is done once")
        if replicas and self._passes_on and not model.tells_hop:
            found.append("calls passed on were not measured")
        if rate and not model.rates.holds(self._demand.rate):
            found.append(f"{model.rates.least:.0f} to {model.rates.most:.0f} commands/s measured")
        if replicas and not model.replicas.holds(self.replicas):
            found.append(f"{model.replicas.least:.0f} to {model.replicas.most:.0f} replicas measured")
        if games and not model.games.holds(each):
            found.append(f"{model.games.least:.0f} to {model.games.most:.0f} games for each replica measured")
        return "; ".join(found)

    def _rules(self) -> Iterator[Figure]:
        model, demand, taken = self._model, self._demand, self._taken
        rules, each = model.rules, cores_of_replica(self._model, self._demand, self.replicas)
        ms = (
            f"{rules.owner:.2f} ms once, {rules.copy:.2f} at each copy, {rules.transaction:.2f} for a transaction of "
            f"{1 / demand.transactions:g} commands"
        )
        hop = "no call passed on" if demand.finds_owner else f"{rules.hop:.2f} for a call passed on"
        outside = self._outside(replicas=True)
        yield Figure("replicas of rules", self.replicas, "", f"{taken.busy_share.why}; {ms}, {hop}", outside)
        yield Figure(
            "cores of rules",
            each * self.replicas,
            "cores",
            f"{each:.2f} each, {rules.idle:.3f} of it idle",
            outside,
        )
        games = demand.games / self.replicas
        memory = rules.memory + games * rules.memory_game
        yield Figure(
            "memory of rules",
            memory * self.replicas / GIB,
            "GiB",
            f"{memory / MIB:.0f} MiB each: {rules.memory / MIB:.0f} and {rules.memory_game / 1024:.0f} KiB for each of "
            f"{games:.0f} games, all in memory (SIGNALBOX_GAMES_IN_MEMORY at least that)",
            self._outside(rate=False, replicas=True, games=True),
        )
        yield Figure(
            "partitions",
            math.ceil(taken.partitions_per_replica.value) * self.replicas,
            "",
            f"{taken.partitions_per_replica.value:g} for each replica: {taken.partitions_per_replica.why}",
            "assumed",
        )

    def _services(self) -> Iterator[Figure]:
        for each in self._model.services:
            has_copies = each.service == LOBBY and self._demand.summaries == "all"
            yield self._service(each, MILLI / self._taken.lobby_summaries.value if has_copies else 0.0)

    def _service(self, each: ServiceTerms, copy: float) -> Figure:
        """`copy`: milliseconds of a core that each replica takes for any command, beside what is divided."""
        rate, busy = self._demand.rate, self._taken.busy_share.value - each.idle
        # What was measured had a copy in each replica.
        once = max(each.ms - copy * each.replicas, 0.0)
        left = busy - rate * copy / MILLI
        copied = (
            f"{copy:.2f} ms of a command at each replica, which all have the summaries of all games "
            f"({self._taken.lobby_summaries.value:g} {self._taken.lobby_summaries.why})"
        )
        if copy and left <= 0:
            return Figure(
                f"{each.service} ends at",
                busy * MILLI / copy,
                "commands/s",
                f"{copied}: no number of replicas carries more",
                self._outside(),
            )
        count = max(math.ceil(rate * once / MILLI / max(left, 0.01)), 1)
        return Figure(
            f"cores of {each.service}",
            rate * (once + count * copy) / MILLI + count * each.idle,
            "cores",
            f"{once:.2f} ms once for a command, {copied if copy else 'divided evenly by partitions'}; {count} processes; "
            f"{each.memory * count / GIB:.1f} GiB",
            self._outside(),
        )

    def _brokers(self) -> Iterator[Figure]:
        terms, demand = self._model.brokers, self._demand
        if terms is None:
            return
        readers = self._share * self.replicas + demand.replication - 1
        yield Figure(
            "cores of the brokers",
            demand.rate * terms.ms(readers, demand.transactions) / MILLI + terms.idle,
            "cores",
            f"{terms.command:.2f} ms for a command, {terms.copy:.2f} for each of {readers:.0f} who read it, other brokers among "
            f"them, {terms.transaction:.2f} for a transaction of {1 / demand.transactions:g} commands; more brokers, more idle",
            self._outside(replicas=True),
        )

    def _disks(self) -> Iterator[Figure]:
        model, demand, taken = self._model, self._demand, self._taken
        a_day = demand.rate * DAY_SECONDS
        stored = sum(model.stored.values())
        outside = self._outside()
        if model.stored:
            kept = sum(size for topic, size in model.stored.items() if topic not in taken.kept_days)
            yield Figure(
                "written to Kafka a day",
                a_day * stored * demand.replication / GB,
                "GB",
                f"{stored:.0f} bytes for a command, {demand.replication} copies",
                outside,
            )
            yield Figure(
                "of which Kafka keeps for ever",
                a_day * kept * demand.replication / GB,
                "GB a day",
                f"{kept:.0f} bytes for a command: topics without an end in assumptions.toml",
                outside,
            )
            yield Figure(
                "and what goes again takes",
                a_day * self._passing(model.stored) * demand.replication / GB,
                "GB",
                f"retention of each topic times {taken.closing_share.value:g}: {taken.closing_share.why}",
                outside,
            )
        yield Figure(
            "volume of a replica of rules grows",
            a_day * taken.file_bytes_rules.value * self._share / GB,
            "GB a day",
            f"{taken.file_bytes_rules.value:g} bytes {taken.file_bytes_rules.why}; it keeps {self._share:.0%} of them",
            "assumed",
        )
        yield Figure(
            "books of the ledger grow",
            a_day * taken.file_bytes_ledger.value / GB,
            "GB a day",
            f"{taken.file_bytes_ledger.value:g} bytes {taken.file_bytes_ledger.why}",
            "assumed",
        )

    def _passing(self, stored: Mapping[str, float]) -> float:
        """Bytes of a command, each as many times as the days that its topic keeps it."""
        days = self._taken.kept_days
        return self._taken.closing_share.value * sum(
            size * days.get(topic, 0.0) for topic, size in stored.items()
        )

    def _network(self) -> Iterator[Figure]:
        model, demand = self._model, self._demand
        stored = sum(model.stored.values())
        written = model.rules.written + sum(each.written for each in model.services)
        if not stored or not written:
            return
        read = model.rules.read(self.replicas, self._share) * self.replicas
        read += sum(each.read for each in model.services)
        # What is read travels as it is stored: compressed, in batches with their headers.
        out = demand.rate * (read * stored / written + stored * (demand.replication - 1)) / MEGABIT
        yield Figure(
            "network into the brokers",
            demand.rate * stored / MEGABIT,
            "Mbit/s",
            f"{stored:.0f} bytes for a command, all brokers together",
            self._outside(),
        )
        yield Figure(
            "network out of the brokers",
            out,
            "Mbit/s",
            f"{read:.0f} bytes of records read for a command by all services, as they are stored, and "
            f"{demand.replication - 1} copies for other brokers; calls of players and between services come on top",
            self._outside(replicas=True),
        )
