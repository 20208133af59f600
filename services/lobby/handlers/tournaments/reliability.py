"""How reliable players are, from all tables of tournaments: computed at every question, so it follows from the log alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection

from services.lobby.directory import TableDirectory
from services.lobby.domain.directing import SeatTakers
from services.lobby.domain.ratings.conduct import conduct_at
from services.lobby.domain.ratings.reliability import Conduct, Reliability, reliability_of
from services.lobby.domain.table_clocks import PlayedTurn
from services.lobby.domain.tournaments.rounds.round import TableState
from services.lobby.event_codec import UnknownRecord
from services.lobby.handlers.clocks.streams import ClockStreams
from services.lobby.tournament_directory import TournamentDirectory


class ReliabilityReader:
    """Answers questions; changes nothing."""

    def __init__(
        self, directory: TournamentDirectory, lobby_tables: TableDirectory, clocks: ClockStreams
    ) -> None:
        self._directory = directory
        self._lobby_tables = lobby_tables
        self._clocks = clocks

    def of(self, players: Collection[str]) -> dict[str, Reliability]:
        """The reliability of these players."""
        wanted = frozenset(players)
        games: defaultdict[str, list[Conduct]] = defaultdict(list)
        for tournament in self._directory.all():
            for current in self._directory.rounds(tournament.tournament_id):
                for state in current.tables.values():
                    if wanted.isdisjoint(_people(state)):
                        continue
                    for player, conduct in conduct_at(current, state, *self._turns(state)):
                        games[player].append(conduct)
        return {player: reliability_of(games[player]) for player in players}

    def _turns(self, state: TableState) -> tuple[SeatTakers, tuple[PlayedTurn, ...]]:
        """Who took seats, and the turns that were charged: neither at tables that are played elsewhere, no turns without a clock
        policy."""
        try:
            table = self._lobby_tables.get(state.table.table_id) if state.table.table_id else None
            if table is None:
                return (), ()
            played = () if table.clock is None else self._clocks.get(table.table_id).played
            return table.seat_takers, played
        except UnknownRecord:
            return (), ()


def _people(state: TableState) -> set[str]:
    return {*state.table.seats, *(each.substitute.player_id for each in state.substitutions)}
