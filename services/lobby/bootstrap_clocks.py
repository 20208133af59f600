"""Builds what the lobby does about the clocks of tables."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from prometheus_client import CollectorRegistry

from services.common.clock import Clock
from services.lobby.adapters.clock_metrics import clock_counter
from services.lobby.adapters.playing_hours import TzdataZones, zone_names
from services.lobby.directory import TableDirectory
from services.lobby.domain.clock_policies import ClockRules
from services.lobby.domain.tables import Table
from services.lobby.domain.time_control.policy import ExpiryAction
from services.lobby.domain.visibility import Viewer
from services.lobby.handlers.clocks.following import FollowedClocks
from services.lobby.handlers.clocks.own_hours import OwnHours
from services.lobby.handlers.clocks.requests import ClockHandlers, RejectDirection
from services.lobby.handlers.clocks.streams import ClockStreams
from services.lobby.ports import GameDirector, GamePositions, NoteAct

STEPS: tuple[ExpiryAction, ...] = (
    "standing_policy_pass",
    "standing_policy_least",
    "director",
    "forfeit",
)
STEPS_WITH_BOTS: tuple[ExpiryAction, ...] = (*STEPS, "substitute")


class Clocks(msgspec.Struct, frozen=True):
    """The clocks of all tables."""

    followed: FollowedClocks
    requests: ClockHandlers


def clock_rules(has_house_bots: bool) -> ClockRules:
    """What this host can do for clocks."""
    steps = STEPS_WITH_BOTS if has_house_bots else STEPS
    return ClockRules(steps, zone_names(), TzdataZones().check)


def bootstrap_clocks(
    streams: ClockStreams,
    own: ClockStreams,
    directory: TableDirectory,
    seen: Callable[[str, Viewer], Table],
    reject_direction: RejectDirection,
    director: GameDirector,
    positions: GamePositions,
    clock: Clock,
    note_act: NoteAct,
    registry: CollectorRegistry,
) -> Clocks:
    """The clocks in `streams`; `own`: the streams of accounts, see `OwnHours`. `registry`: of their metrics."""
    zones = TzdataZones()
    count = clock_counter(registry)
    return Clocks(
        FollowedClocks(streams, OwnHours(own, zones), zones, director, positions, count),
        ClockHandlers(streams, own, directory, seen, reject_direction, zones, clock, note_act),
    )
