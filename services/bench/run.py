"""One measurement: games are opened and warmed up, replicas are read idle, then read before and after each rate."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

import msgspec
from msgspec.structs import replace

from services.bench.load import Outcome, Plan, Progress
from services.bench.measured import OWN_TOPICS, Measured, Replica, times_of
from services.bench.metrics import Key, Reading, endpoints, grown, read_all, used
from services.bench.opening import NotOpened, Table, open_games
from services.bench.playing import generate

# Games end their scripts at different times, and those that wait for an answer cannot take the next command.
SPARE = 0.8


class Choices(msgspec.Struct, frozen=True, kw_only=True):
    """What is played. `rates`: commands due a second, one after the other. `callers`: commands on their way at once, at most.
    `settle_seconds`: nothing is played for so long before the first reading and before each one after a load: followers come to
    the end, and the platform looks at Kafka's disks every 30 s. `copies`, `replication`: as the platform is set up."""

    title: str = "1824"
    seed: int = 7
    games: int = 100
    moves: int = 220
    rates: tuple[float, ...] = (100.0,)
    seconds: float = 30.0
    warm_seconds: float = 15.0
    settle_seconds: float = 35.0
    callers: int = 96
    copies: int = 0
    replication: int = 3


class Platform(msgspec.Struct, frozen=True, kw_only=True):
    """Where it answers: lobby and rules as host:port, several separated by commas; metrics by service."""

    lobby: str
    rules: str
    metrics: dict[str, tuple[str, ...]] = {}


class Teller(Protocol):
    """Who shows how far a measurement is."""

    def step(self, what: str, done: float, of: float) -> None:
        """So much of it is done."""


class Extra(msgspec.Struct, frozen=True):
    """What only those see who run the brokers: seconds of cores of Kafka so far, bytes of one copy by topic so far."""

    broker_cpu: float
    topics: dict[str, float]


Look = Callable[[], Extra | None]


def measure(
    platform: Platform,
    choices: Choices,
    tokens: Mapping[str, str],
    folder: Path,
    teller: Teller,
    look: Look = lambda: None,
) -> tuple[list[Measured], bool]:
    """One measurement for each rate, and whether it was cut short by an interrupt. Raises `SignalboxError`."""
    keys = endpoints(platform.metrics)
    read_all(keys)
    table = open_games(
        platform.lobby,
        tokens,
        folder,
        title=choices.title,
        seed=choices.seed,
        games=choices.games,
        moves=choices.moves,
        on_step=teller.step,
    )
    check_games(table, choices)
    return _Run(platform, choices, table, keys, teller, look).all_rates()


def check_games(table: Table, choices: Choices) -> None:
    """Whether the games have enough commands for all rates. Raises `NotOpened` that says how many games are needed."""
    wanted = choices.warm_seconds * choices.rates[0] + choices.seconds * sum(choices.rates)
    if wanted > table.moves * SPARE:
        each = table.moves / len(table.games)
        raise NotOpened(
            f"{len(table.games)} games of {each:.0f} commands are too few for {wanted:.0f} commands; take "
            f"{wanted / each / SPARE:.0f} games, or longer scripts"
        )


class _Run:
    """The steps of a measurement."""

    def __init__(
        self,
        platform: Platform,
        choices: Choices,
        table: Table,
        keys: Sequence[Key],
        teller: Teller,
        look: Look,
    ) -> None:
        self._platform = platform
        self._choices = choices
        self._table = table
        self._keys = keys
        self._teller = teller
        self._look = look
        self._played: dict[str, int] = {}
        self._idle: dict[Key, float] = {}

    def all_rates(self) -> tuple[list[Measured], bool]:
        """Warm up, read idle replicas, and measure."""
        choices = self._choices
        outcome = self._play("warming up", choices.rates[0], choices.warm_seconds)
        if outcome.is_cut_short:
            return [], True
        found: list[Measured] = []
        try:
            self._note_idle()
            for rate in choices.rates:
                measured, is_cut_short = self._at(rate)
                found.append(measured)
                if is_cut_short:
                    return found, True
        except KeyboardInterrupt:
            return found, True
        return found, False

    def _note_idle(self) -> None:
        """What replicas take idle: from when followers had half of the time to come to the end."""
        self._settle(0.5)
        before, began = read_all(self._keys), time.monotonic()
        self._settle(0.5)
        seconds = time.monotonic() - began
        for key, after in read_all(self._keys).items():
            self._idle[key] = used(key, before[key], after).cpu / max(seconds, 1e-9)

    def _at(self, rate: float) -> tuple[Measured, bool]:
        before, extra, began = read_all(self._keys), self._look(), time.monotonic()
        outcome = self._play(f"{rate:g} commands/s", rate, self._choices.seconds)
        is_cut_short = outcome.is_cut_short
        if not is_cut_short:
            try:
                self._settle(1.0)
            except KeyboardInterrupt:
                is_cut_short = True
        seconds = time.monotonic() - began
        after, extra_after = read_all(self._keys), self._look()
        measured = self._measured(rate, outcome, seconds, before, after)
        if extra is not None and extra_after is not None:
            measured = replace(
                measured,
                broker_cpu=extra_after.broker_cpu - extra.broker_cpu,
                topics=grown(extra.topics, extra_after.topics),
            )
        return measured, is_cut_short

    def _play(self, what: str, rate: float, seconds: float) -> Outcome:
        began = time.monotonic()

        def tell(progress: Progress) -> None:
            shown = f"{what}: {progress.accepted} accepted, {progress.refused} refused"
            self._teller.step(shown, min(time.monotonic() - began, seconds), seconds)

        plan = Plan(
            rules=self._platform.rules,
            tokens=dict(self._table.tokens),
            games=dict(self._table.games),
            script=str(self._table.script),
            seconds=seconds,
            callers=self._choices.callers,
            rate=rate,
            played=self._played,
        )
        outcome = generate(plan, tell)
        self._played = outcome.played
        return outcome

    def _settle(self, share: float) -> None:
        seconds, began = share * self._choices.settle_seconds, time.monotonic()
        while (past := time.monotonic() - began) < seconds:
            self._teller.step("letting followers come to the end", past, seconds)
            time.sleep(min(0.5, seconds - past))

    def _measured(
        self,
        rate: float,
        outcome: Outcome,
        seconds: float,
        before: Mapping[Key, Reading],
        after: Mapping[Key, Reading],
    ) -> Measured:
        uses = [used(key, before[key], after[key]) for key in self._keys]
        replicas = [
            Replica(**msgspec.structs.asdict(use), idle_cores=self._idle.get((use.service, use.address), 0.0))
            for use in uses
        ]
        return Measured(
            title=self._choices.title,
            games=len(self._table.games),
            asked=rate,
            accepted=len(outcome.milliseconds),
            accepted_rate=outcome.rate,
            seconds=seconds,
            times=times_of(outcome.milliseconds, outcome.not_begun),
            refused=outcome.refused,
            failures=outcome.failures,
            unanswered=outcome.unanswered,
            not_begun=len(outcome.not_begun),
            copies=self._choices.copies,
            replicas=replicas,
            topics=_one_copy(before, after, self._choices.replication),
        )


def _one_copy(
    before: Mapping[Key, Reading], after: Mapping[Key, Reading], replication: int
) -> dict[str, float]:
    """Bytes by which topics have grown, of one copy, as the first replica that looks at them sees it."""
    for key, reading in after.items():
        if reading.topics:
            found: dict[str, float] = {}
            for name, size in grown(before[key].topics, reading.topics).items():
                known = OWN_TOPICS if name.startswith("__") else name
                found[known] = found.get(known, 0.0) + size / replication
            return found
    return {}
