"""Who wrote an event of a tournament, a round or a series: its bytes count as stored by that account."""

from __future__ import annotations

from services.lobby.domain.tournaments.rounds.adjudication import AppealFiled
from services.lobby.domain.tournaments.rounds.round import RoundEvent, RoundOverridden
from services.lobby.domain.tournaments.series.series import (
    SeriesCreated,
    SeriesEvent,
    SeriesJoined,
    SeriesLeft,
)
from services.lobby.domain.tournaments.tournament import (
    CheckedIn,
    EntryMade,
    PlaceRefused,
    TournamentCreated,
    TournamentEvent,
)


def writer_of(event: TournamentEvent | RoundEvent | SeriesEvent) -> str:
    """The account whose request wrote an event, empty for what the lobby notes by itself."""
    match event:
        case TournamentCreated(director=director) | SeriesCreated(director=director):
            return director.player_id
        case EntryMade(player=player):
            return player.player_id
        case (
            CheckedIn(player_id=player_id)
            | PlaceRefused(player_id=player_id)
            | AppealFiled(player_id=player_id)
            | SeriesJoined(player_id=player_id)
            | SeriesLeft(player_id=player_id)
        ):
            return player_id
        case RoundOverridden(proposal=proposal):
            return "" if proposal.override is None else proposal.override.author
        case _:
            return str(getattr(event, "author", ""))
