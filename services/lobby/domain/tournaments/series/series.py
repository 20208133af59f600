"""A series of seasons as the fold of its events: divisions, the tournament of each, promotion and relegation, series points.

Members are named by the director. Who of them has agreed plays the seasons that begin later."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from services.lobby.domain.players import Player
from services.lobby.domain.tournaments.charter import Charter
from services.lobby.domain.tournaments.formats.season import SeasonRule
from services.lobby.domain.tournaments.tournament import BrokenTournamentLog


class Division(msgspec.Struct, frozen=True):
    """Players of a division; their order is that of the standings from which it comes."""

    players: tuple[str, ...]


class DivisionTournament(msgspec.Struct, frozen=True):
    """The tournament of a division, with its seeds as in `TournamentCreated`: files have only the published one."""

    tournament_id: str
    seed: int
    game_seed: int


class SeriesPoints(msgspec.Struct, frozen=True):
    """Points of a player over all seasons."""

    player_id: str
    points: int


class SeriesCreated(msgspec.Struct, frozen=True):
    """A series was set up with the divisions of its first season, the highest first."""

    series_id: str
    director: Player
    name: str
    rule: SeasonRule
    divisions: tuple[Division, ...]
    players: tuple[Player, ...]
    time_ms: int


class SeriesJoined(msgspec.Struct, frozen=True):
    """A member agreed to play the seasons that begin later."""

    player_id: str
    time_ms: int


class SeriesLeft(msgspec.Struct, frozen=True):
    """A member agrees to play no further season; one that runs is played on."""

    player_id: str
    time_ms: int


class MembersChanged(msgspec.Struct, frozen=True):
    """Between seasons the director invited players and took members out."""

    newcomers: tuple[Player, ...]
    leaving: tuple[str, ...]
    divisions: tuple[Division, ...]
    author: str
    time_ms: int


class SeasonOpened(msgspec.Struct, frozen=True):
    """A season begins with the `divisions` that play it, or with `ALL_MEMBERS`. The tournaments of its divisions are made from
    this event and those before, with the players entered."""

    number: int
    charter: Charter
    tournaments: tuple[DivisionTournament, ...]
    author: str
    time_ms: int
    divisions: tuple[Division, ...]


class SeasonClosed(msgspec.Struct, frozen=True):
    """A season is over: the final ranking of each division, the divisions of the next season, and the points of everybody."""

    number: int
    standings: tuple[Division, ...]
    newcomers: tuple[Player, ...]
    leaving: tuple[str, ...]
    divisions: tuple[Division, ...]
    points: tuple[SeriesPoints, ...]
    author: str
    time_ms: int


SeriesEvent = SeriesCreated | SeriesJoined | SeriesLeft | MembersChanged | SeasonOpened | SeasonClosed

ALL_MEMBERS: tuple[Division, ...] = ()
"""The divisions of a season that began before members were asked: all of them play it."""


class Season(msgspec.Struct, frozen=True):
    """A season with those of each division who play it; `standings` are empty until it is over."""

    number: int
    charter: Charter
    tournaments: tuple[DivisionTournament, ...]
    divisions: tuple[Division, ...]
    open_time_ms: int
    standings: tuple[Division, ...] = ()

    @property
    def is_closed(self) -> bool:
        """Whether it is over."""
        return bool(self.standings)


class Series(msgspec.Struct, frozen=True):
    """A series. `version` counts its events; `divisions` are the members, of the season that runs or comes next; `players` is
    everybody who is or was one. `join_counts`: how often each has joined."""

    series_id: str
    director: Player
    name: str
    rule: SeasonRule
    divisions: tuple[Division, ...]
    players: Mapping[str, Player]
    create_time_ms: int
    version: int = 1
    seasons: tuple[Season, ...] = ()
    points: tuple[SeriesPoints, ...] = ()
    agreed: frozenset[str] = frozenset()
    join_counts: Mapping[str, int] = {}

    @property
    def members(self) -> tuple[str, ...]:
        """All who are named in a division, the highest first."""
        return tuple(player for division in self.divisions for player in division.players)

    @property
    def is_running(self) -> bool:
        """Whether a season runs."""
        return bool(self.seasons) and not self.seasons[-1].is_closed


def in_order(points: dict[str, int]) -> tuple[SeriesPoints, ...]:
    """Points of a series as they are recorded: the most first."""
    ordered = sorted(points.items(), key=lambda each: (-each[1], each[0]))
    return tuple(SeriesPoints(player, number) for player, number in ordered)


def series_after(series: Series | None, event: SeriesEvent) -> Series:
    """The series after `event`. Raises `BrokenTournamentLog` unless exactly the first event makes it."""
    if isinstance(event, SeriesCreated):
        if series is not None:
            raise BrokenTournamentLog(f"series {event.series_id} was created twice")
        players = {each.player_id: each for each in event.players}
        return Series(
            event.series_id, event.director, event.name, event.rule, event.divisions, players, event.time_ms
        )
    if series is None:
        raise BrokenTournamentLog(f"{type(event).__name__} for a series that was never created")
    return replace(_changed(series, event), version=series.version + 1)


def _changed(
    series: Series, event: SeriesJoined | SeriesLeft | MembersChanged | SeasonOpened | SeasonClosed
) -> Series:
    match event:
        case SeriesJoined(player_id=player_id):
            counts = {**series.join_counts, player_id: series.join_counts.get(player_id, 0) + 1}
            return replace(series, agreed=series.agreed | {player_id}, join_counts=counts)
        case SeriesLeft(player_id=player_id):
            return replace(series, agreed=series.agreed - {player_id})
        case MembersChanged():
            return _with_members(series, event)
        case SeasonOpened():
            divisions = series.divisions if event.divisions == ALL_MEMBERS else event.divisions
            season = Season(event.number, event.charter, event.tournaments, divisions, event.time_ms)
            return replace(series, seasons=(*series.seasons, season))
        case SeasonClosed():
            closed = replace(series.seasons[-1], standings=event.standings)
            seasons = (*series.seasons[:-1], closed)
            return replace(_with_members(series, event), seasons=seasons, points=event.points)


def _with_members(series: Series, event: MembersChanged | SeasonClosed) -> Series:
    """The series with other divisions: who is a member no more does not agree any more either."""
    players = {**series.players, **{each.player_id: each for each in event.newcomers}}
    changed = replace(series, divisions=event.divisions, players=players)
    return replace(changed, agreed=series.agreed.intersection(changed.members))
