"""One run: games are played while the plan is carried out; then everything that was said is checked."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from services.rules.cluster.freshness import OLD_SECONDS_MAX
from tests.faults.broker_keeper import BrokerKeeper
from tests.faults.checking import check
from tests.faults.cluster import FaultCluster, cluster
from tests.faults.deaths import Died, Victim
from tests.faults.disturbances import CommandNotBlocked, disturb
from tests.faults.failures import KINDS, Failure
from tests.faults.hangs import AllowedHangs
from tests.faults.kinds.parts_of_the_log import NobodyOwns
from tests.faults.logs import dump_stacks, keep_logs
from tests.faults.plan import Plan, kinds_for, make_plan
from tests.faults.players import HasReleased, Note, Player, ServiceGone, nobody_ends
from tests.faults.runbook import OWNERS_DIED, Operator
from tests.faults.staleness import AcknowledgedSequences, Reader
from tests.faults.tables import Tables
from tests.faults.times import Seconds, Spell, Times, table

PLAYERS = 4
# Of a very busy machine; on a quiet one it takes a few.
ALIVE_SECONDS = 240.0
MOVES_TO_PROVE_LIFE = 5
DUMP_SECONDS = 30.0
LOOK_EVERY_SECONDS = 0.05
FOR_EVER = float("inf")
EACH_KIND = 2


@dataclass(slots=True)
class Outcome:
    """What a run came to; all is well where `failures` is empty."""

    plan: Plan
    died: list[Died] = field(default_factory=list)
    servers_killed: int = 0
    disturbances: int = 0
    acknowledged: int = 0
    repeats: int = 0
    games: int = 0
    times: Times = field(default_factory=Times)
    acknowledged_at: list[list[float]] = field(default_factory=list)
    """Of each player, in monotonic seconds."""
    answers_read: int = 0
    """Beside the players, to see how old they are."""
    stale_answers: int = 0
    """Of them those older than promised."""
    archived: int = 0
    """Finished games that were in the archive at the end, as they are in Kafka."""
    released: int = 0
    """Games that were blocked over the deaths of their owners and that the runbook released."""
    failures: list[Failure] = field(default_factory=list)

    @property
    def kills(self) -> int:
        """All that died by kill -9."""
        return len(self.died) + self.servers_killed

    @property
    def without_service(self) -> Seconds:
        """See `Times.without_service`."""
        return self.times.without_service(self.acknowledged_at)

    @property
    def planned(self) -> int:
        """How many of a plan carried out to its end die by kill -9."""
        servers = sum(each.kind in ("kill broker", "kill redis") for each in self.plan.disturbances)
        return servers + sum(map(len, self.plan.deaths.values()))

    def lines(self) -> list[str]:
        """The figures, for people."""
        starts = sorted(each.until_service for each in self.died)
        at_points = sum(each.is_at_point for each in self.died)
        middle = (
            f", until service p50 {starts[len(starts) // 2]:.1f} s, longest {starts[-1]:.1f} s"
            if starts
            else ""
        )
        return [
            f"kills {self.kills} of {self.planned} planned: services {len(self.died)} "
            f"({at_points} at a point of the code){middle}, "
            f"brokers and Redis {self.servers_killed}; other disturbances {self.disturbances}",
            f"games {self.games}, acknowledged commands {self.acknowledged}, answered as repeats {self.repeats}, "
            f"games released by the runbook {self.released}",
            f"finished games in the archive {self.archived}",
            f"answers read beside {self.answers_read}, older than promised {self.stale_answers}",
            *table(self.without_service),
            f"{self.counts} (seed {self.plan.seed})",
            *map(str, self.failures),
        ]

    @property
    def counts(self) -> str:
        """How many failures of each kind there were, in words."""
        return ", ".join(
            f"{name} {sum(each.kind == kind for each in self.failures)}" for kind, name in KINDS.items()
        )


@dataclass(frozen=True, slots=True)
class Scale:
    """What is done in a run. `disturbances`: how many, by default each kind twice. `kinds`: by default all that are possible.

    `seconds`: the plan is carried out as far as they allow. `is_quick`, `copies`: see `cluster`."""

    seed: int
    deaths: int
    disturbances: int | None = None
    kinds: Sequence[str] | None = None
    seconds: float = FOR_EVER
    is_quick: bool = True
    copies: int = 0


def run(scale: Scale, folder: Path, say: Callable[[str], None]) -> Outcome:
    """Start everything, carry the plan out, check. Raises `BrokersMissing`, `ChildFailed` where it cannot begin."""
    end = time.monotonic() + scale.seconds
    with cluster(folder, scale.is_quick, copies=scale.copies) as whole:
        possible = kinds_for(is_isolated=whole.own is not None, is_shared=bool(scale.copies))
        kinds = [each for each in possible if scale.kinds is None or each in scale.kinds]
        number = EACH_KIND * len(kinds) if scale.disturbances is None else scale.disturbances
        plan = make_plan(
            scale.seed, scale.deaths, number, whole.names(), kinds, has_archive=whole.archive is not None
        )
        for line in plan.lines():
            say(line)
        outcome = Outcome(plan)
        try:
            _carry_out(whole, outcome, say, end)
        finally:
            if outcome.failures or sys.exc_info()[0] is not None:
                keep_logs(folder, scale.seed, say)
    return outcome


def _carry_out(whole: FaultCluster, outcome: Outcome, say: Callable[[str], None], end: float) -> None:
    """Play while the plan is carried out, at most until `end` in monotonic time, then check."""
    plan = outcome.plan
    players: list[Player] = []

    def is_enough() -> bool:
        return time.monotonic() > end or any(player.failure for player in players)

    operator = Operator(whole.kafka, say)
    has_released = _releasing(operator)
    tables = Tables(whole.host.addresses.lobby, has_released)
    acknowledged_sequences = AcknowledgedSequences()
    players += _players(whole, tables, plan.seed, has_released, acknowledged_sequences.note)
    readers = _readers(whole, acknowledged_sequences, plan.seed)
    for thread in (*players, *readers):
        thread.start()
    progress = Progress(whole, players, outcome, say)
    progress.wait_moves("the beginning")
    hangs = AllowedHangs()

    def acknowledged() -> int:
        return sum(player.acknowledged for player in players)

    victims = [
        Victim(each, plan.deaths[each.name], say, is_enough, hangs, acknowledged)
        for each in whole.host.replicas
    ]
    peace = {victim.replica.name: victim.peace for victim in victims}
    keeper = BrokerKeeper(whole.servers.nodes, say)
    for thread in (keeper, *victims):
        thread.start()
    for disturbance in plan.disturbances:
        if is_enough():
            break
        say(str(disturbance))
        began = time.monotonic()
        try:
            outcome.servers_killed += disturb(whole, disturbance, peace, hangs, keeper, operator)
        except (CommandNotBlocked, NobodyOwns, ServiceGone) as problem:
            outcome.failures.append(Failure("standstill", str(problem)))
        outcome.disturbances += 1
        progress.wait_moves(disturbance.kind, began)
        say(f"every game goes on {time.monotonic() - began:.1f} s after the beginning of it")
    for victim in victims:
        victim.wait_through()
        outcome.died += victim.died
    for died in outcome.died:
        outcome.times.deaths.setdefault(died.name.partition("-")[0], []).append(died.moment)
    progress.wait_moves("everything")
    _end(players, outcome)
    _end_readers(readers, outcome)
    outcome.released = len(operator.released)
    say("all is over, now the check")
    outcome.failures += [Failure("loss", each) for each in check(whole, players, tables)]
    if whole.backups is not None:
        outcome.failures += whole.backups.check()
    if whole.archive is not None:
        outcome.failures += whole.archive.check(tables.ended)
        outcome.archived = len(tables.ended)
    keeper.close()
    for victim in victims:
        victim.release()
        outcome.failures += victim.failures


def _releasing(operator: Operator) -> HasReleased:
    """Releases what an innocent command blocks: one over which the run has killed one owner after another."""

    def has_released(game_id: str, why: str) -> bool:
        if OWNERS_DIED not in why:
            return False
        operator.release(game_id)
        return True

    return has_released


def _players(
    whole: FaultCluster, tables: Tables, seed: int, has_released: HasReleased, note: Note
) -> list[Player]:
    addresses = whole.host.addresses.rules.split(",")
    players = []
    for number in range(PLAYERS):
        people = tables.people()
        begin = partial(tables.begin, people)
        end = nobody_ends if whole.archive is None else tables.end
        players.append(Player(number, seed, addresses, begin, has_released, note, end))
    return players


def _readers(whole: FaultCluster, acknowledged: AcknowledgedSequences, seed: int) -> list[Reader]:
    """One at each replica of rules; none where each keeps all of the log, since nothing is promised there."""
    return [
        Reader(each.name, each.address, acknowledged, OLD_SECONDS_MAX, seed * 1000 + PLAYERS + number)
        for number, each in enumerate(whole.of("rules") if whole.copies else ())
    ]


@dataclass(frozen=True, slots=True)
class Progress:
    """Whether the games go on."""

    whole: FaultCluster
    players: list[Player]
    outcome: Outcome
    say: Callable[[str], None]

    def wait_moves(self, after: str, since: float | None = None) -> None:
        """Until every player has had some more commands acknowledged; `since`: what the time counts from, in monotonic time."""
        began = time.monotonic()
        is_dumped = False
        wanted = {player: player.acknowledged + MOVES_TO_PROVE_LIFE for player in self.players}
        while any(player.acknowledged < count for player, count in wanted.items()):
            if any(player.failure for player in self.players):
                return
            waited = time.monotonic() - began
            if waited > ALIVE_SECONDS:
                what = f"after {after}: not every game goes on within {ALIVE_SECONDS:.0f} s"
                self.outcome.failures.append(Failure("standstill", what))
                return
            if waited > DUMP_SECONDS and not is_dumped:
                is_dumped = True
                dump_stacks(self.whole.host.replicas, self.say)
            time.sleep(LOOK_EVERY_SECONDS)
        spell = Spell(began if since is None else since, time.monotonic())
        self.outcome.times.spells.setdefault(after, []).append(spell)


def _end_readers(readers: list[Reader], outcome: Outcome) -> None:
    for reader in readers:
        reader.stop()
        outcome.answers_read += reader.answers
        outcome.stale_answers += reader.stale
        outcome.failures += reader.failures


def _end(players: list[Player], outcome: Outcome) -> None:
    for player in players:
        player.stop()
    for player in players:
        player.join()
        outcome.failures += [player.failure] if player.failure else []
        outcome.games += len(player.games)
        outcome.acknowledged += player.acknowledged
        outcome.acknowledged_at.append(player.acknowledged_at)
        outcome.repeats += sum(game.answers.repeats for game in player.games)
