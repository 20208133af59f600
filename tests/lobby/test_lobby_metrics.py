"""What the lobby counts, as metrics."""

from __future__ import annotations

from prometheus_client import CollectorRegistry

from services.common.errors import Unavailable
from services.common.eventlog.memory import MemoryEventLog
from services.lobby.adapters.lobby_metrics import observe_lobby
from services.lobby.directory import TableDirectory
from services.lobby.handlers.clocks.streams import ClockStreams
from services.lobby.ports import always_fresh
from services.lobby.presets.loading import RATING_POLICY
from services.lobby.tournament_directory import TournamentDirectory
from tests.lobby.tournaments.club import Club


class LostLog(MemoryEventLog):
    """Cannot be read."""

    def last_position(self) -> int:
        """See `EventLog`."""
        raise Unavailable("lost")


def observed(log: MemoryEventLog) -> CollectorRegistry:
    """The metrics over a log."""
    registry = CollectorRegistry()
    tables, tournaments = TableDirectory(log), TournamentDirectory(log, RATING_POLICY)
    observe_lobby(registry, tables, tournaments, ClockStreams(log, always_fresh).counts)
    return registry


def test_tables_and_tournaments_are_counted_by_state() -> None:
    """A round of three tables that are played, and one that waits for its time."""
    club = Club(9)
    event = club.tournament()
    club.published(event.tournament_id)
    assert isinstance(club.log, MemoryEventLog)
    registry = observed(club.log)
    assert registry.get_sample_value("signalbox_lobby_tables", {"state": "playing"}) == 3
    assert registry.get_sample_value("signalbox_lobby_tables", {"state": "finished"}) == 0
    assert registry.get_sample_value("signalbox_tournaments", {"state": "running"}) == 1
    assert registry.get_sample_value("signalbox_tournament_rounds_waiting") == 0
    assert registry.get_sample_value("signalbox_clocks_running") == 0


def test_a_log_that_cannot_be_read_is_no_number() -> None:
    """The other metrics are read all the same."""
    value = observed(LostLog()).get_sample_value("signalbox_clock_steps_waiting")
    assert value != value
