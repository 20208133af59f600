"""A host with finished games in its archive: every call reads them; while the archive is away only they are not answered."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import grpc
import pytest
from msgspec.structs import replace
from prometheus_client import CollectorRegistry

from services.common.eventlog.sqlite import open_sqlite
from services.common.settings.service import Settings
from services.gen.signalbox.ledger.v1 import ledger_pb2, ledger_pb2_grpc
from services.gen.signalbox.rules.v1 import picture_pb2, rules_pb2 as pb, rules_pb2_grpc
from services.host.embedded import EmbeddedHost
from services.rules.archive.opening import RulesArchive
from services.rules.kernel.directing.commands import Direct, EndGame, RollBack
from services.rules.kernel.values import Score
from services.rules.requests import CommandAccepted, Request
from tests.hosting import Seated, channel_to, seat, settings_in

pytestmark = pytest.mark.integration
SECONDS = 30.0


@dataclass
class Finished:
    """A host, and two games on it of which one is in the archive."""

    settings: Settings
    host: EmbeddedHost
    ended: Seated
    played: Seated
    last: int
    balances: bytes

    @property
    def metadata(self) -> tuple[tuple[str, str]]:
        """The token of somebody who played the game."""
        return (("authorization", f"Bearer {self.ended.tokens[self.ended.seats[0]]}"),)

    def rules(self) -> rules_pb2_grpc.RulesStub:
        """The rules service."""
        return rules_pb2_grpc.RulesStub(channel_to(self.host.addresses.rules))

    def books(self) -> bytes:
        """The balances of the ended game."""
        ledger = ledger_pb2_grpc.LedgerStub(channel_to(self.host.addresses.ledger))
        request = ledger_pb2.GetBalancesRequest(game_id=self.ended.game_id)
        found = ledger.GetBalances(request, metadata=self.metadata, timeout=SECONDS)
        content: bytes = found.SerializeToString(deterministic=True)
        return content

    def restart(self) -> None:
        """The same host with nothing in memory."""
        self.host.stop()
        self.host = started(self.settings)


def started(settings: Settings) -> EmbeddedHost:
    """A running host."""
    host = EmbeddedHost(settings)
    host.start()
    return host


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Finished]:
    """One game ended and archived, one in play."""
    folder = tmp_path_factory.mktemp("archive")
    # Nobody runs trains here: no routing has to start.
    settings = replace(
        settings_in(folder), archive=f"folder:{folder / 'archive'}", routing_addresses=("127.0.0.1:1",)
    )
    host = started(settings)
    ended, played = seat(host, "1824", 3), seat(host, "1824", 3)
    scores = tuple(Score(player, 100) for player in ended.seats)
    command = Direct(EndGame(scores), "agreed", "pia")
    result = host.rules.execute(Request(ended.game_id, "olga", "the end", 0, command))
    assert isinstance(result, CommandAccepted)
    found = Finished(settings, host, ended, played, result.last, b"")
    found.balances = found.books()
    host.stop()
    archive_now(settings)
    found.host = started(settings)
    yield found
    found.host.stop()


def archive_now(settings: Settings) -> None:
    """Archive everything that is finished."""
    log, _ = open_sqlite(settings.database)
    archive = RulesArchive(settings, log, CollectorRegistry(), after_ms=0)
    assert archive.archiver.run_once() == 1
    archive.close()
    log.close()


def test_every_call_reads_an_archived_game(finished: Finished) -> None:
    """State, past state, events, choices, picture, watch, moves and books."""
    game_id, rules = finished.ended.game_id, finished.rules()
    options = {"metadata": finished.metadata, "timeout": SECONDS}
    state = rules.GetGame(pb.GetGameRequest(game_id=game_id), **options).game
    assert state.sequence == finished.last
    past = rules.GetGame(pb.GetGameRequest(game_id=game_id, at_sequence=finished.last - 2), **options)
    assert past.game.sequence == finished.last - 2
    listed = rules.ListEvents(pb.ListEventsRequest(game_id=game_id, with_sentences=True), **options)
    assert [each.sequence for each in listed.events] == list(range(1, finished.last + 1))
    assert len(listed.sentences) == finished.last
    assert not rules.ListChoices(pb.ListChoicesRequest(game_id=game_id), **options).choices
    assert rules.GetPicture(picture_pb2.GetPictureRequest(game_id=game_id), **options).document
    watched = rules.WatchGame(pb.WatchGameRequest(game_id=game_id), **options)
    assert [next(watched).event.sequence for _ in range(finished.last)] == list(range(1, finished.last + 1))
    watched.cancel()
    moves = rules.WatchMoves(pb.WatchMovesRequest(games=[pb.WatchedGame(game_id=game_id)]), **options)
    assert next(moves).finished
    moves.cancel()
    assert finished.books() == finished.balances


def test_while_the_archive_is_away_games_in_play_are_answered(finished: Finished) -> None:
    """An archived one is UNAVAILABLE with a sentence; a watch of many games gives those that are played."""
    finished.restart()
    folder = Path(finished.settings.archive.removeprefix("folder:"))
    shutil.move(folder / "contents", folder / "away")
    (folder / "contents").write_text("no folder")
    rules, options = finished.rules(), {"metadata": finished.metadata, "timeout": SECONDS}
    archived, played = finished.ended.game_id, finished.played.game_id
    try:
        with pytest.raises(grpc.RpcError) as refused:
            rules.GetGame(pb.GetGameRequest(game_id=archived), **options)
        assert refused.value.code() is grpc.StatusCode.UNAVAILABLE
        assert "archive" in str(refused.value.details())
        assert "archive_unavailable" in str(refused.value.trailing_metadata())
        assert rules.GetGame(pb.GetGameRequest(game_id=played), **options).game.sequence > 1
        wanted = [pb.WatchedGame(game_id=archived), pb.WatchedGame(game_id=played)]
        moves = rules.WatchMoves(pb.WatchMovesRequest(games=wanted), **options)
        assert next(moves).game_id == played
        moves.cancel()
    finally:
        (folder / "contents").unlink()
        shutil.move(folder / "away", folder / "contents")


def test_a_director_takes_an_archived_game_up_again(finished: Finished) -> None:
    """Over the same handlers as any decision; it is played on."""
    finished.restart()
    command = Direct(RollBack(finished.last - 2), "a mistake", "pia")
    result = finished.host.rules.execute(Request(finished.ended.game_id, "olga", "back", 0, command))
    assert isinstance(result, CommandAccepted)
    assert not finished.host.rules.reader.game_at(finished.ended.game_id).game.finished
    assert finished.books()
