"""Games that are needed as they are, though they are finished."""

from __future__ import annotations

from services.lobby.directory import TableDirectory
from services.lobby.domain.tournaments.rounds.round import TableState
from services.lobby.event_codec import UnknownRecord
from services.lobby.tournament_directory import TournamentDirectory


def is_needed(tables: TableDirectory, tournaments: TournamentDirectory, game_id: str) -> bool:
    """Whether a game belongs to a tournament that goes on, or an appeal about its table is not decided. True as well where that
    cannot be read here."""
    table = tables.of_game(game_id)
    if table is None or not table.round_id:
        return False
    try:
        current = tournaments.round(table.round_id)
        tournament = None if current is None else tournaments.get(current.tournament_id)
    except UnknownRecord:
        return True
    if current is None or tournament is None:
        return True
    state = current.tables.get(table.round_table)
    return not tournament.is_finished or (state is not None and _is_under_appeal(state))


def _is_under_appeal(state: TableState) -> bool:
    return any(each.appeal is not None and not each.appeal.is_decided for each in state.adjudications)
