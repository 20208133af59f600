"""What the commands of one transaction lead to, beside commits and snapshots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from services.gen.signalbox.events.v1.events_pb2 import GameEvent
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.rules.kernel.game import Game


@dataclass(slots=True)
class Output:
    """Output beside commits and snapshots: values by topic, outcomes with the partition of their reader.

    `answers`: outcomes for senders in this process alone, which are written nowhere. `dead_letters`: by game, in order; None
    for a release. `decided`: what each commit led to, by its id."""

    outcomes: list[tuple[int, pb.CommandOutcome]] = field(default_factory=list)
    answers: list[pb.CommandOutcome] = field(default_factory=list)
    statuses: list[pb.GameStatus] = field(default_factory=list)
    wanted: list[pb.RoutesWanted] = field(default_factory=list)
    dead_letters: list[tuple[str, pb.DeadLetter | None]] = field(default_factory=list)
    finished: set[str] = field(default_factory=set)
    outcome_kinds: list[str] = field(default_factory=list)
    decided: dict[str, Decided] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Decided:
    """An accepted command as its owner has it in memory: the state after it, and its events as readers get them."""

    game: Game
    events: Sequence[GameEvent]
