"""How many tables, tournaments and clocks there are, as metrics; counted from the projections when they are asked for."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from prometheus_client import CollectorRegistry, Gauge

from services.common.errors import SignalboxError
from services.lobby.clock_directory import ClockCounts
from services.lobby.directory import TableDirectory
from services.lobby.domain.tables import TableState
from services.lobby.tournament_directory import TournamentDirectory, TournamentState

UNKNOWN = float("nan")


def observe_lobby(
    registry: CollectorRegistry,
    tables: TableDirectory,
    tournaments: TournamentDirectory,
    clocks: Callable[[], ClockCounts],
) -> None:
    """Registers the metrics."""
    by_state = Gauge("signalbox_lobby_tables", "Tables by state", ["state"], registry=registry)
    for state in TableState:
        by_state.labels(state.name.lower()).set_function(_known(partial(tables.count, state)))
    events = Gauge("signalbox_tournaments", "Tournaments by state", ["state"], registry=registry)
    for phase in TournamentState:
        events.labels(phase.value).set_function(_known(partial(tournaments.count, phase)))
    waiting = Gauge(
        "signalbox_tournament_rounds_waiting",
        "Rounds with a time to be published, or whose tables are not all made",
        registry=registry,
    )
    waiting.set_function(_known(lambda: len(tournaments.unpublished())))
    running = Gauge("signalbox_clocks_running", "Tables at which the clock of a seat runs", registry=registry)
    running.set_function(_known(lambda: clocks().running))
    unanswered = Gauge(
        "signalbox_clock_steps_waiting",
        "Steps about overdue turns to which rules has not answered",
        registry=registry,
    )
    unanswered.set_function(_known(lambda: clocks().steps_waiting))


def _known(count: Callable[[], int]) -> Callable[[], float]:
    """The count; not a number while the log cannot be read, which must not keep the other metrics from being read."""

    def value() -> float:
        try:
            return count()
        except SignalboxError:
            return UNKNOWN

    return value
