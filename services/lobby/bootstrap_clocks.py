"""Builds what the lobby does about the clocks of tables."""

from __future__ import annotations

import msgspec

from services.lobby.adapters.clock_metrics import clock_counter
from services.lobby.adapters.playing_hours import TzdataZones
from services.lobby.bootstrap_ports import LobbyPorts
from services.lobby.bootstrap_tables import Tables
from services.lobby.handlers.clocks.following import FollowedClocks
from services.lobby.handlers.clocks.own_hours import OwnHours
from services.lobby.handlers.clocks.requests import ClockHandlers
from services.lobby.ports import NoteAct, RejectDirection


class Clocks(msgspec.Struct, frozen=True):
    """The clocks of all tables."""

    followed: FollowedClocks
    requests: ClockHandlers


def bootstrap_clocks(
    ports: LobbyPorts, tables: Tables, reject_direction: RejectDirection, note_act: NoteAct
) -> Clocks:
    """The clocks of these tables. `reject_direction`: see `TournamentDirector`."""
    zones, own, games = TzdataZones(), tables.own_hours, ports.games
    return Clocks(
        FollowedClocks(
            tables.clocks,
            OwnHours(own, zones),
            zones,
            games.director,
            games.positions,
            clock_counter(ports.registry),
        ),
        ClockHandlers(
            tables.clocks,
            own,
            tables.directory,
            tables.handlers.seen,
            reject_direction,
            zones,
            ports.clock,
            note_act,
        ),
    )
