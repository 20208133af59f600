"""No file and no answer holds a seed from which later draws of a game come."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from itertools import count

import pytest
from google.protobuf.json_format import MessageToJson

from services.lobby.domain.table_of_round import TableSeated
from services.lobby.domain.tournaments.exports.series_file import write_series_file
from services.lobby.domain.tournaments.formats.stages import DuplicateRounds
from services.lobby.domain.tournaments.series.series import SeasonOpened
from services.lobby.domain.tournaments.tournament import Tournament, TournamentCreated
from services.lobby.event_codec import decode
from services.lobby.handlers.tournaments.reading import ExportFormat
from services.lobby.series_check import check_series
from services.lobby.series_grpc_server import series_message
from services.lobby.table_messages import table_message
from services.lobby.tournament_messages import round_message, tournament_message
from tests.lobby.fakes import FixedSeeds
from tests.lobby.tournaments.club import Club, charter_of, done
from tests.lobby.tournaments.test_series import CHARTER, League


@pytest.fixture(autouse=True)
def distinct_seeds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each draw is another number that occurs nowhere else."""
    numbers = count(4_611_686_018_427_387_904, 1_234_567_890_123)
    monkeypatch.setattr(FixedSeeds, "draw", lambda _: next(numbers))


def _secrets(club: Club) -> set[str]:
    """The seeds in the log from which games draw."""
    found = set[int]()
    for record in club.log.read_all(limit=100_000):
        match decode(record):
            case TournamentCreated(game_seed=seed):
                found.add(seed)
            case SeasonOpened(tournaments=planned):
                found |= {each.game_seed for each in planned}
            case TableSeated(choices=choices) if choices.seed is not None:
                found.add(choices.seed)
            case _:
                pass
    assert len(found) > 1
    return set(map(str, found))


def _text(content: bytes) -> str:
    if not zipfile.is_zipfile(io.BytesIO(content)):
        return content.decode()
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return "\n".join(archive.read(name).decode() for name in archive.namelist())


def _of_tournament(club: Club, event: Tournament) -> Iterator[str]:
    """Everything that is given away of a tournament: its files, and the messages of the services, which are the web's too."""
    tournaments = club.lobby.tournaments
    for kind in ExportFormat:
        yield _text(tournaments.reader.exported(event.tournament_id, kind)[1])
    yield MessageToJson(tournament_message(tournaments.reader.tournament(event.tournament_id), {}))
    for each in tournaments.reader.rounds(club.director.player_id, event.tournament_id):
        yield MessageToJson(round_message(each))
        for state in each.tables.values():
            table = club.lobby.tables.get(state.table.table_id)
            yield MessageToJson(table_message(table))


def test_nothing_of_a_tournament_holds_the_seed_of_a_game() -> None:
    """While a round is played; not even where all its tables play from one seed."""
    club = Club(8)
    event = club.tournament(charter_of(DuplicateRounds(2)))
    club.play(event.tournament_id)
    club.published(event.tournament_id)
    secrets = _secrets(club)
    assert [seed for text in _of_tournament(club, event) for seed in secrets if seed in text] == []


def test_nothing_of_a_series_holds_the_seed_of_a_game() -> None:
    """Neither its files, nor its messages, nor the file of the command that reads the log."""
    league = League()
    league.play_season()
    done(league.series.close_season(league.director, league.series_id, (), ()))
    opened = done(league.series.open_season(league.director, league.series_id, CHARTER))
    (running, _) = opened.seasons[-1].tournaments
    done(league.desk.start_stage(league.director, running.tournament_id))
    league.published(running.tournament_id)
    series, secrets = league.lobby.tournaments.series, _secrets(league)
    checked = check_series(league.log, league.series_id)
    assert checked is not None
    texts = [
        *(
            _text(series.exported(league.series_id, kind)[1])
            for kind in (ExportFormat.JSON, ExportFormat.CSV)
        ),
        write_series_file(checked.document).decode(),
        MessageToJson(series_message(series.get(league.series_id))),
        *_of_tournament(league, league.lobby.tournaments.reader.tournament(running.tournament_id)),
    ]
    assert [seed for text in texts for seed in secrets if seed in text] == []
