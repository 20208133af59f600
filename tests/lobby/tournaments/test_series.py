"""Series of seasons: divisions whose tournaments are chained by promotion and relegation."""

from __future__ import annotations

import csv
import io
import zipfile
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from services.cli.main import app
from services.common.auth.tokens import Principal
from services.common.errors import InvalidRequest, NotFound
from services.common.eventlog.memory import MemoryEventLog
from services.common.eventlog.port import NewRecord
from services.lobby.domain.tournaments.charter import charter_json
from services.lobby.domain.tournaments.exports.series_file import (
    problems_in,
    read_series_file,
    series_in,
)
from services.lobby.domain.tournaments.formats.season import SeasonRule
from services.lobby.domain.tournaments.rejections import TournamentRejected
from services.lobby.domain.tournaments.series.series import Series
from services.lobby.handlers.tournaments.reading import ExportFormat
from services.lobby.series_check import check_series
from services.lobby.series_grpc_server import series_message
from tests.lobby.tournaments.club import ONE_ROUND, Club, done, reason
from tests.lobby.tournaments.test_interrupted import facts, interrupted
from tests.mortal_log import MortalLog

CHARTER = charter_json(ONE_ROUND)
RULE = SeasonRule(moving=1, division_size=4, series_points=(10, 8, 6, 4, 2))


class League(Club):
    """Two divisions of four players, who have agreed to play unless `have_joined` is False."""

    def __init__(self, log: MortalLog | None = None, have_joined: bool = True) -> None:
        super().__init__(8, log)
        ids = [each.player_id for each in self.players]
        self.first, self.second = tuple(ids[:4]), tuple(ids[4:])
        made: Series = done(self.series.create(self.director, "League", RULE, (self.first, self.second)))
        self.series_id = made.series_id
        for each in self.players if have_joined else ():
            self.join(each)

    def join(self, player: Principal) -> Series:
        """A member agrees to play."""
        joined: Series = done(self.series.join(player, self.series_id))
        return joined

    @property
    def series(self) -> Any:
        """Requests about series, as `desk`."""
        return _Sent(self)

    @property
    def now(self) -> Series:
        """The series now."""
        return self.lobby.tournaments.series.get(self.series_id)

    def play_season(self) -> list[tuple[str, ...]]:
        """Opens the next season and plays its tournaments; the rankings of the divisions."""
        opened = done(self.series.open_season(self.director, self.series_id, CHARTER))
        rankings = []
        for each in opened.seasons[-1].tournaments:
            done(self.desk.start_stage(self.director, each.tournament_id))
            self.play(each.tournament_id)
            over = done(self.desk.finish_stage(self.director, each.tournament_id))
            rankings.append(over.stages[-1].ranking)
        return rankings


class _Sent:
    def __init__(self, league: League) -> None:
        self._league = league

    def __getattr__(self, name: str) -> Any:
        handlers = self._league.lobby.tournaments.series
        return lambda caller, *given: getattr(handlers, name)(caller, self._league.request(), *given)


def without_secrets(series: Series) -> Series:
    """The series as its file has it."""
    seasons = (
        replace(season, tournaments=tuple(replace(each, game_seed=0) for each in season.tournaments))
        for season in series.seasons
    )
    return replace(series, seasons=tuple(seasons))


def test_seasons_follow_each_other() -> None:
    """The last of a division changes places with the first of the one below; newcomers join below, who leaves is gone; points of
    all seasons add up."""
    league = League()
    high, low = league.play_season()
    assert {frozenset(high), frozenset(low)} == {frozenset(league.first), frozenset(league.second)}
    newcomer = league.person("Nina")
    closed = done(league.series.close_season(league.director, league.series_id, ("nina",), (low[1],)))
    up, down = low[0], high[-1]
    assert closed.divisions[0].players == (*high[:-1], up)
    assert closed.divisions[1].players == (down, *low[2:], newcomer.player_id)
    points = {each.player_id: each.points for each in closed.points}
    assert points == dict(zip((*high, low[0]), RULE.series_points, strict=True))
    opened = done(league.series.open_season(league.director, league.series_id, CHARTER))
    tournament = league.lobby.tournaments.reader.tournament(opened.seasons[1].tournaments[0].tournament_id)
    assert tuple(tournament.entries) == closed.divisions[0].players
    assert tournament.charter.name == "Spring cup, season 2, division 1"
    assert not tournament.are_entries_open
    shown = series_message(opened)
    assert [len(each.standings) for each in shown.seasons] == [2, 0]
    assert shown.points[0].points == 10
    league.open()
    assert league.now == opened


def test_a_series_is_checked_and_exported(tmp_path: Path) -> None:
    """By its streams, and by its file alone; other points, divisions or standings than those that follow are named."""
    league = League()
    high, low = league.play_season()
    done(league.series.close_season(league.director, league.series_id, (), ()))
    done(league.series.open_season(league.director, league.series_id, CHARTER))
    checked = check_series(league.log, league.series_id)
    assert checked is not None
    assert (checked.problems, checked.series) == ((), without_secrets(league.now))
    name, content = league.lobby.tournaments.series.exported(league.series_id, ExportFormat.JSON)
    assert name == f"{league.series_id}.json"
    document = read_series_file(content)
    assert series_in(document) == checked.series
    assert list(problems_in(document)) == []
    _, archive = league.lobby.tournaments.series.exported(league.series_id, ExportFormat.CSV)
    with zipfile.ZipFile(io.BytesIO(archive)) as files:
        rows = list(csv.DictReader(io.StringIO(files.read("seasons.csv").decode())))
        points = list(csv.DictReader(io.StringIO(files.read("points.csv").decode())))
    assert [row["player"] for row in rows] == [*high, *low]
    assert [int(row["points"]) for row in points] == list(RULE.series_points)
    with pytest.raises(InvalidRequest, match="JSON or CSV"):
        league.lobby.tournaments.series.exported(league.series_id, ExportFormat.SHEETS)
    season = document.seasons[0]
    assert season.closed is not None
    for forged, wanted in (
        (replace(season.closed, points=season.closed.points[1:]), "the points"),
        (replace(season.closed, divisions=season.closed.divisions[::-1]), "the divisions"),
    ):
        wrong = replace(document, seasons=(replace(season, closed=forged), *document.seasons[1:]))
        first, *_ = problems_in(wrong)
        assert wanted in first
    with pytest.raises(TournamentRejected, match="format"):
        read_series_file(content.replace(b"series file 1", b"series file 9"))
    (file := tmp_path / name).write_bytes(content)
    shown = CliRunner().invoke(app, ["tournament", "series", "check", str(file)])
    assert shown.exit_code == 0, shown.output
    assert shown.stdout.splitlines()[-1] == "divisions, promotion and points follow from the standings"


def test_standings_that_a_tournament_does_not_have_are_named() -> None:
    """The tournaments of another league."""
    league = League()
    league.play_season()
    done(league.series.close_season(league.director, league.series_id, (), ()))
    log = MemoryEventLog(league.clock)
    for record in league.log.read_all(limit=100_000):
        if not record.stream.endswith(league.now.seasons[0].tournaments[1].tournament_id):
            new = NewRecord(record.type, record.schema_version, record.payload)
            log.append(record.stream, record.sequence - 1, [new])
    checked = check_series(log, league.series_id)
    assert checked is not None
    assert [problem.partition(": ")[2] for problem in checked.problems] == ["no such tournament in this log"]
    assert check_series(log, "s" + "a" * 24) is None


def test_what_a_series_refuses() -> None:
    """Each with its reason; nothing changes."""
    league = League()
    series, director, series_id = league.series, league.director, league.series_id
    before = league.now
    for rule, divisions, wanted in (
        (SeasonRule(1, 1), (league.first,), "SERIES_MALFORMED"),
        (SeasonRule(-1, 4), (league.first,), "SERIES_MALFORMED"),
        (RULE, (), "SERIES_MALFORMED"),
        (RULE, (league.first, league.first), "SERIES_MALFORMED"),
        (RULE, (league.first[:1],), "SERIES_MALFORMED"),
        (RULE, (("nobody", *league.first),), "PLAYER_UNKNOWN"),
    ):
        assert reason(series.create(director, "Other", rule, divisions)) == wanted
    assert reason(series.open_season(league.players[0], series_id, CHARTER)) == "NOT_DIRECTOR"
    assert reason(series.open_season(director, series_id, "{}")) == "CHARTER_MALFORMED"
    small = charter_json(type(ONE_ROUND)(**{**_fields(), "entries_max": 3}))
    assert reason(series.open_season(director, series_id, small)) == "CHARTER_MALFORMED"
    assert reason(series.close_season(director, series_id, (), ())) == "SEASON_NOT_RUNNING"
    assert league.now == before
    done(series.open_season(director, series_id, CHARTER))
    assert reason(series.open_season(director, series_id, CHARTER)) == "SEASON_RUNNING"
    assert reason(series.close_season(director, series_id, (), ())) == "ROUND_UNFINISHED"
    with pytest.raises(NotFound):
        league.lobby.tournaments.series.get("s" + "a" * 24)


def _fields() -> dict[str, Any]:
    return {name: getattr(ONE_ROUND, name) for name in ONE_ROUND.__struct_fields__}


def test_a_season_that_leaves_too_few_is_not_closed() -> None:
    """And one whose leaving players are not in it, or whose newcomers are."""
    league = League()
    league.play_season()
    close = league.series.close_season
    stranger = league.person("Nina").player_id
    assert reason(close(league.director, league.series_id, (), (stranger,))) == "PLAYER_UNKNOWN"
    member = league.now.divisions[0].players[0]
    twice = close(league.director, league.series_id, (member,), ())
    name = league.now.players[member].name
    assert (reason(twice), twice.sentence) == (
        "ALREADY_ENTERED",
        f"{name} is a member of this series already.",
    )
    gone = league.now.divisions[1].players[:3]
    assert reason(close(league.director, league.series_id, (), gone)) == "TOO_FEW_PLAYERS"


@pytest.mark.parametrize("is_written", [False, True])
def test_opening_a_season_survives_death_at_every_append(is_written: bool) -> None:
    """The tournaments of all divisions are made once, by the next start or the repeated request."""
    for number in range(1, 6):
        log = MortalLog()
        league = League(log)

        def act(league: League = league) -> Any:
            handlers = league.lobby.tournaments.series
            return handlers.open_season(league.director, "o", league.series_id, CHARTER)

        has_died = interrupted(league, log, number, is_written, act)
        if has_died and number % 2:
            league.lobby.tournaments.series.make_missing()
        opened = done(act())
        for each in opened.seasons[0].tournaments:
            types = [kind for _, kind in facts(log, each.tournament_id)]
            assert types.count("tournament_created") == 1
            assert types.count("entry_made") == 4
        if not has_died:
            assert number > 3
            return
    raise AssertionError("there is no end of appends")
