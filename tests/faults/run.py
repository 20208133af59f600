"""One run: games are played while the plan is carried out; then everything that was said is checked."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from tests.faults.broker_keeper import BrokerKeeper
from tests.faults.checking import check
from tests.faults.cluster import FaultCluster, cluster
from tests.faults.deaths import Died, Victim
from tests.faults.disturbances import CommandNotBlocked, disturb
from tests.faults.failures import KINDS, Failure
from tests.faults.hangs import AllowedHangs
from tests.faults.logs import dump_stacks, keep_logs
from tests.faults.plan import ISOLATED_KINDS, KINDS as PLANNED_KINDS, Plan, make_plan
from tests.faults.players import HasReleased, Player, ServiceGone
from tests.faults.runbook import OWNERS_DIED, Operator
from tests.faults.tables import Tables
from tests.faults.times import Seconds, Spell, Times, table

PLAYERS = 4
# Of a very busy machine; on a quiet one it takes a few.
ALIVE_SECONDS = 240.0
MOVES_TO_PROVE_LIFE = 5
DUMP_SECONDS = 30.0
LOOK_EVERY_SECONDS = 0.05
FOR_EVER = float("inf")


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
            *table(self.without_service),
            f"{self.counts} (seed {self.plan.seed})",
            *map(str, self.failures),
        ]

    @property
    def counts(self) -> str:
        """How many failures of each kind there were, in words."""
        return ", ".join(
            f"{name} {sum(each.kind == kind for each in self.failures)}"
            for kind, name in zip(KINDS, ("losses and contradictions", "crashes", "standstills"), strict=True)
        )


def run(
    folder: Path,
    seed: int,
    deaths: int,
    disturbances: int,
    say: Callable[[str], None],
    seconds: float = FOR_EVER,
    is_quick: bool = True,
) -> Outcome:
    """Start everything, carry the plan out or as much of it as `seconds` allow, check. `is_quick`: see `cluster`.

    Raises `BrokersMissing`, `ChildFailed` where it cannot begin."""
    end = time.monotonic() + seconds
    with cluster(folder, is_quick) as whole:
        kinds = PLANNED_KINDS if whole.own is None else PLANNED_KINDS + ISOLATED_KINDS
        plan = make_plan(seed, deaths, disturbances, whole.names(), kinds)
        for line in plan.lines():
            say(line)
        outcome = Outcome(plan)
        try:
            _carry_out(whole, outcome, say, end)
        finally:
            if outcome.failures or sys.exc_info()[0] is not None:
                keep_logs(folder, seed, say)
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
    players += _players(whole, tables, plan.seed, has_released)
    for player in players:
        player.start()
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
        except (CommandNotBlocked, ServiceGone) as problem:
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
    outcome.released = len(operator.released)
    say("all is over, now the check")
    outcome.failures += [Failure("loss", each) for each in check(whole, players, tables)]
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


def _players(whole: FaultCluster, tables: Tables, seed: int, has_released: HasReleased) -> list[Player]:
    addresses = whole.host.addresses.rules.split(",")
    players = []
    for number in range(PLAYERS):
        people = tables.people()
        begin = partial(tables.begin, people)
        players.append(Player(number, seed, addresses, begin, has_released))
    return players


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
