"""Logs of every schema version fold, and fold to the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from services.common.faust.records import FollowedRecord
from services.common.kafka.commits import commit_message
from services.gen.signalbox.events.v1.events_pb2 import GameEvent
from services.ledger.cluster.records import check_known, game_events
from services.ledger.convert import fact_of
from services.ledger.domain.book import Book
from services.ledger.domain.booking import apply
from services.lobby.domain.tables import evolve
from services.lobby.domain.tournaments.rounds.round import round_after
from services.lobby.domain.tournaments.series.series import series_after
from services.lobby.domain.tournaments.tournament import tournament_after
from services.lobby.event_codec import READERS, decode
from services.rules.adapters.codec import EVENT_VERSIONS, decode_event, fill_body
from services.rules.adapters.snapshots import state_bytes
from services.rules.kernel.events import Event
from services.rules.kernel.fold import replay
from services.rules.parts.trains.events import SHARES_NOT_NOTED, DividendDeclared
from services.rules.titles import TITLES
from tests.dataless import DataAskedFor, title_data_away
from tests.golden.logs import (
    FOLDER,
    LOBBY,
    Log,
    clocks_after,
    clocks_seen,
    game_seen,
    read,
    replayed,
    round_seen,
    series_seen,
    table_seen,
    tournament_seen,
)
from tests.golden.plans import PLANS

ALL = sorted(FOLDER.glob("*/v*/*.jsonl"))
LOBBY_LOGS = [path for path in ALL if path.is_relative_to(FOLDER / LOBBY)]
GAME_LOGS = [path for path in ALL if path not in LOBBY_LOGS]
NAMES = sorted({path.stem for path in GAME_LOGS})
SIZE_MOST = 120_000
# Their bytes alone are kept, in the folder `events`.
IN_NO_LOG = {
    "1824.director_lost": "a company loses its director in no game of bots",
    "1824.home_space_changed": "two companies with one home, in an order that no game of bots has",
    "1865.maritime_closed": "comes with the last phase, hundreds of commands later",
    "revenue_corrected": "written only where a recorded game of another platform is imported as it was recorded",
}
NOT_FOLDED = ("player", "api-tokens", "kept-game")


def shown(path: Path) -> str:
    """A log's name in a report."""
    return path.relative_to(FOLDER).with_suffix("").as_posix()


def versions_of(name: str) -> list[Path]:
    """The logs of one game in all versions, oldest first."""
    return [path for path in GAME_LOGS if path.stem == name]


def events_of(log: Log) -> list[Event]:
    """The events of a game's log, in their current versions."""
    return [decode_event(fact.type, fact.schema_version, fact.payload) for fact in log.facts]


def book_of(log: Log) -> Book:
    """The book of a game from the record in which Kafka has its log."""
    commit = commit_message("game/g", 0, log.facts, None, 1, "a")
    events = game_events(FollowedRecord("rules.events", 0, 0, "g", commit.SerializeToString(), 1))
    check_known(events)
    book = Book("g")
    for event in events:
        apply(book, fact_of(event))
    return book


@pytest.mark.parametrize("path", GAME_LOGS, ids=shown)
def test_the_log_of_a_game_folds(path: Path) -> None:
    """What an older version stored is read as it was meant, whatever became of the rules."""
    log = read(path)
    assert path.stat().st_size < SIZE_MOST
    assert game_seen(replay(events_of(log))) == log.after


@pytest.mark.parametrize("path", GAME_LOGS, ids=shown)
def test_the_log_of_a_game_folds_without_the_data_of_its_title(path: Path) -> None:
    """The fold looks at no figure: the state is the same, byte for byte, as with the data at hand."""
    events = events_of(read(path))
    whole = replay(events)
    with title_data_away():
        with pytest.raises(DataAskedFor):
            TITLES[whole.title].data_of(whole)
        assert state_bytes(replay(events)) == state_bytes(whole)


@pytest.mark.parametrize("name", NAMES)
def test_all_versions_of_a_game_fold_to_the_same_state(name: str) -> None:
    """It is one game, stored by every schema version there was."""
    assert len({state_bytes(replay(events_of(read(path)))) for path in versions_of(name)}) == 1


def test_every_version_that_was_raised_is_in_a_log() -> None:
    """An event of which there are several versions stands in the logs in each of them."""
    kept = {(fact.type, fact.schema_version) for path in GAME_LOGS for fact in read(path).facts}
    wanted = {
        (name, each) for name, last in EVENT_VERSIONS.items() if last > 1 for each in range(1, last + 1)
    }
    assert wanted - kept == set()


def test_every_event_of_a_game_is_in_a_log() -> None:
    """In a log, with what surrounds it; what is in none is listed with the reason."""
    kept = {fact.type for path in GAME_LOGS for fact in read(path).facts}
    assert {name for name in EVENT_VERSIONS if is_ours(name)} - kept == set(IN_NO_LOG)


def is_ours(name: str) -> bool:
    """Whether an event is shared or of a title of the platform: those of other titles are not read for ever here."""
    title, dot, _ = name.partition(".")
    return not dot or title in {plan.title for plan in PLANS}


@pytest.mark.parametrize("name", NAMES)
def test_the_ledger_books_the_same_from_every_version(name: str) -> None:
    """It reads the stored facts itself, and has the same entries and balances."""
    first, *others = [book_of(read(path)) for path in versions_of(name)]
    assert first.entries
    for book in others:
        assert (book.entries, book.balances) == (first.entries, first.balances)


@pytest.mark.parametrize("name", ["1824-goods-time", "1862-simple-express"])
def test_dividends_say_how_many_shares_were_paid(name: str) -> None:
    """Version 2 has what the holders got; of version 1 only that nothing was paid is known."""
    old, new = (events_of(read(path)) for path in versions_of(name)[:2])
    declared = [pair for pair in zip(old, new, strict=True) if isinstance(pair[1], DividendDeclared)]
    assert declared
    for before, now in declared:
        assert isinstance(before, DividendDeclared)
        assert isinstance(now, DividendDeclared)
        assert before.share_count == (0 if now.kind == "withhold" else SHARES_NOT_NOTED)
        assert (now.share_count == 0) == (now.kind == "withhold")
        assert (before.company, before.kind, before.revenue, before.per_share) == (
            now.company,
            now.kind,
            now.revenue,
            now.per_share,
        )


def test_readers_get_an_old_event_in_its_current_version() -> None:
    """The envelope says so, and nobody but who reads the log itself meets an older version."""
    log = read(versions_of("1824-goods-time")[0])
    stored = next(fact for fact in log.facts if fact.type == "dividend_declared")
    envelope = GameEvent()
    fill_body(envelope, stored.type, stored.schema_version, stored.payload)
    assert (stored.schema_version, envelope.schema_version) == (1, EVENT_VERSIONS["dividend_declared"])
    assert envelope.dividend_declared.company


@pytest.mark.parametrize("path", [path for path in LOBBY_LOGS if path.stem not in NOT_FOLDED], ids=shown)
def test_the_log_of_the_lobby_folds(path: Path) -> None:
    """What an older version stored of a table, a tournament, a round or a series is read as it was meant."""
    log = read(path)
    if "table" in path.stem:
        assert table_seen(replayed(log, evolve)) == log.after
    elif path.stem == "clocks":
        assert clocks_seen(replayed(log, clocks_after)) == log.after
    elif path.stem.startswith("tournament"):
        assert tournament_seen(replayed(log, tournament_after)) == log.after
    elif path.stem.startswith("series"):
        assert series_seen(replayed(log, series_after)) == log.after
    else:
        assert round_seen(replayed(log, round_after)) == log.after


def test_members_of_a_series_that_asked_nobody_have_not_agreed() -> None:
    """Its season was played by all of them, and the next one needs their agreement; a later log has who joined and left."""
    old, new = (replayed(read(FOLDER / LOBBY / each / "series.jsonl"), series_after) for each in ("v1", "v2"))
    assert not old.agreed
    assert [len(each.players) for each in old.seasons[0].divisions] == [4, 4]
    assert [len(each.players) for each in new.seasons[0].divisions] == [4, 3]
    assert new.agreed < set(new.members)


def test_every_version_of_every_event_of_the_lobby_is_in_a_log() -> None:
    """And each is read."""
    records = [record for path in LOBBY_LOGS for record in read(path).records("lobby.x")]
    for record in records:
        decode(record)
    wanted = {(name, each) for name, reader in READERS.items() for each in range(1, reader.version + 1)}
    assert {(record.type, record.schema_version) for record in records} == wanted
