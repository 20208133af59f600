"""What is decided about a series: its rule and first divisions, and when its seasons begin and end."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from services.lobby.domain.players import Player
from services.lobby.domain.rejections import RejectionReason
from services.lobby.domain.tournaments.charter import ENTRIES_MAX, NAME_LENGTH_MAX, Charter
from services.lobby.domain.tournaments.formats.season import SeasonRule, series_after
from services.lobby.domain.tournaments.refusing import rejected
from services.lobby.domain.tournaments.running import final_ranking
from services.lobby.domain.tournaments.series.members import (
    DIVISION_LEAST,
    Decided,
    divisions_after,
    playing_divisions,
    reject_divisions,
    reject_no_director,
    reject_people,
    reject_too_few_agreed,
)
from services.lobby.domain.tournaments.series.series import (
    Division,
    DivisionTournament,
    Season,
    SeasonClosed,
    SeasonOpened,
    Series,
    SeriesCreated,
    in_order,
)
from services.lobby.domain.tournaments.tournament import (
    EntryMade,
    Tournament,
    TournamentCreated,
    TournamentEvent,
)

DIVISIONS_MAX = 50
SEASONS_MAX = 200
POINTS_MAX = 1_000_000


def decide_create_series(
    series_id: str,
    director: Player,
    name: str,
    rule: SeasonRule,
    divisions: Sequence[Sequence[Player]],
    now_ms: int,
) -> Decided:
    """A new series, whose players are invited."""
    players = [player for division in divisions for player in division]
    faults = (
        (
            not 1 <= len(name.strip()) <= NAME_LENGTH_MAX,
            f"its name has not 1 to {NAME_LENGTH_MAX} characters",
        ),
        (not 1 <= len(divisions) <= DIVISIONS_MAX, f"it has not 1 to {DIVISIONS_MAX} divisions"),
        (
            not DIVISION_LEAST <= rule.division_size <= ENTRIES_MAX,
            f"a division has not {DIVISION_LEAST} to {ENTRIES_MAX} players",
        ),
        (not 0 <= rule.moving <= rule.division_size, "no division is so large that as many move"),
        (len(rule.series_points) > ENTRIES_MAX, f"it gives points to more than {ENTRIES_MAX} ranks"),
        (
            not all(0 <= each <= POINTS_MAX for each in rule.series_points),
            f"points are not 0 to {POINTS_MAX}",
        ),
        (
            any(len(each) < DIVISION_LEAST for each in divisions),
            f"a division has under {DIVISION_LEAST} players",
        ),
        (len(players) > ENTRIES_MAX, f"it has more than {ENTRIES_MAX} players"),
        (len({each.player_id for each in players}) < len(players), "a player is in it twice"),
    )
    fault = next((text for is_wrong, text in faults if is_wrong), "")
    if fault:
        return rejected(RejectionReason.SERIES_MALFORMED, f"The series cannot be played: {fault}.")
    made = tuple(Division(tuple(each.player_id for each in division)) for division in divisions)
    return (SeriesCreated(series_id, director, name.strip(), rule, made, tuple(players), now_ms),)


def decide_open_season(
    series: Series, caller: str, charter: Charter, tournaments: tuple[DivisionTournament, ...], now_ms: int
) -> Decided:
    """The next season begins, by this charter in every division, for those who have agreed to play."""
    rejection = reject_no_director(series, caller)
    if rejection is not None:
        return rejection
    if series.is_running:
        return rejected(RejectionReason.SEASON_RUNNING, "A season is running; close it first.")
    if len(series.seasons) >= SEASONS_MAX:
        return rejected(RejectionReason.TOO_MUCH_RECORDED, f"A series has at most {SEASONS_MAX} seasons.")
    playing = playing_divisions(series)
    rejection = reject_too_few_agreed(series, playing)
    if rejection is not None:
        return rejection
    largest = max(len(each.players) for each in playing)
    if largest > charter.places:
        return rejected(
            RejectionReason.CHARTER_MALFORMED,
            f"The charter cannot be used: entries_max is {charter.places}, a division has {largest} players.",
        )
    return (SeasonOpened(len(series.seasons) + 1, charter, tournaments, caller, now_ms, playing),)


def decide_close_season(
    series: Series,
    caller: str,
    tournaments: Sequence[Tournament],
    newcomers: tuple[Player, ...],
    leaving: tuple[str, ...],
    now_ms: int,
) -> Decided:
    """The season ends once the tournaments of all its divisions are over; `tournaments` are those, in their order."""
    rejection = reject_no_director(series, caller)
    if rejection is not None:
        return rejection
    if not series.is_running:
        return rejected(RejectionReason.SEASON_NOT_RUNNING, "No season is running.")
    open_ones = [str(number) for number, each in enumerate(tournaments, 1) if not each.is_finished]
    if open_ones:
        return rejected(
            RejectionReason.ROUND_UNFINISHED, f"Divisions that are not over: {', '.join(open_ones)}."
        )
    season = series.seasons[-1]
    rejection = reject_people(series, newcomers, leaving)
    if rejection is not None:
        return rejection
    standings = [
        season_standings(division, tournament)
        for division, tournament in zip(season.divisions, tournaments, strict=True)
    ]
    following = divisions_after(series, standings, newcomers, leaving, series.rule)
    rejection = reject_divisions(following)
    if rejection is not None:
        return rejection
    before = {each.player_id: each.points for each in series.points}
    points = series_after(before, standings, series.rule)
    return (
        SeasonClosed(
            season.number,
            tuple(Division(each) for each in standings),
            newcomers,
            leaving,
            following,
            in_order(points),
            caller,
            now_ms,
        ),
    )


def tournaments_of(series: Series, season: Season) -> list[tuple[str, tuple[TournamentEvent, ...]]]:
    """The tournaments of a season by id, each with the events that make it."""
    made: list[tuple[str, tuple[TournamentEvent, ...]]] = []
    for number, (division, planned) in enumerate(zip(season.divisions, season.tournaments, strict=True), 1):
        label = f", season {season.number}, division {number}"
        charter = replace(season.charter, name=season.charter.name[: NAME_LENGTH_MAX - len(label)] + label)
        created = TournamentCreated(
            planned.tournament_id,
            series.director,
            charter,
            planned.seed,
            planned.game_seed,
            season.open_time_ms,
        )
        entries = (
            EntryMade(series.players[player], (), (), False, season.open_time_ms)
            for player in division.players
        )
        made.append((planned.tournament_id, (created, *entries)))
    return made


def season_standings(division: Division, tournament: Tournament) -> tuple[str, ...]:
    """The final ranking of a division; who never played is last. Who joined the tournament later is not in the series."""
    members = set(division.players)
    ranked = [player for player in final_ranking(tournament) if player in members]
    return (*ranked, *(player for player in division.players if player not in ranked))
