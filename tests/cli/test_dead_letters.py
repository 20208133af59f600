"""`signalbox dead-letters` on a real Kafka: an operator looks at blocked games and releases them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from devtools.brokers.kafka import KafkaServers
from services.cli.main import app
from services.common.faust.dead_letters import DeadLetters
from services.common.faust.records import FollowedRecord
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import (
    BOOKS_DEAD_LETTERS,
    COMMANDS,
    EVENTS,
    OWNER_DEAD_LETTERS,
    STAFF_ACTS,
    TOPICS,
    Topic,
)
from services.gen.signalbox.log.v1 import log_pb2
from tests.brokers import own_topics
from tests.common.faust.followers import Notes, Writer, eventually, follower

pytestmark = pytest.mark.integration

TOPICS_NEEDED = tuple(
    each for each in TOPICS if each in (EVENTS, COMMANDS, STAFF_ACTS) or each.name.endswith(".dead_letters")
)


@pytest.fixture
def kafka(kafka_servers: KafkaServers) -> Iterator[KafkaSettings]:
    """A Kafka with what is needed here."""
    with own_topics(kafka_servers, topics=TOPICS_NEEDED) as settings:
        yield settings


def run(kafka: KafkaSettings, *arguments: str) -> Result:
    """The command, on this Kafka."""
    environment = {
        "SIGNALBOX_KAFKA_SERVERS": ",".join(kafka.servers),
        "SIGNALBOX_KAFKA_TOPIC_PREFIX": kafka.topic_prefix,
        "SIGNALBOX_KAFKA_PARTITIONS": str(kafka.partitions),
    }
    return CliRunner().invoke(app, ["dead-letters", *arguments], env=environment)


def said(result: Result) -> str:
    """The command's last line; others may be logs of this process."""
    return result.stdout.splitlines()[-1]


def dead_letter(kafka: KafkaSettings, topic: Topic, game_id: str, *reasons: str) -> None:
    """Dead letters of a game."""
    games = DeadLetters(kafka, topic)
    games.start()
    for offset, reason in enumerate(reasons):
        games.add(game_id, FollowedRecord("rules.events", 0, offset, game_id, b"x", 0), reason)
    games.close()


def test_blocked_games_are_shown_with_their_reasons(kafka: KafkaSettings) -> None:
    """The list names reader, game, number of records and the first reason; its exit code says whether there are any."""
    nothing = run(kafka, "list")
    assert (nothing.exit_code, said(nothing)) == (0, "no game is blocked")
    dead_letter(kafka, BOOKS_DEAD_LETTERS, "game-7", "unknown fact", "what followed")
    dead_letter(kafka, OWNER_DEAD_LETTERS, "game-8", "broken log")
    shown = run(kafka, "list")
    assert shown.exit_code == 1
    (books,) = (line for line in shown.stdout.splitlines() if "game-7" in line)
    assert "ledger.books" in books and " 2 " in books and "unknown fact" in books
    (owner,) = (line for line in shown.stdout.splitlines() if "game-8" in line)
    assert "rules.owner" in owner and "broken log" in owner


def test_a_game_released_while_it_is_listed_is_left_out(
    kafka: KafkaSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others are shown all the same."""
    dead_letter(kafka, BOOKS_DEAD_LETTERS, "game-7", "unknown fact")
    dead_letter(kafka, BOOKS_DEAD_LETTERS, "game-8", "unknown fact")
    records_of = DeadLetters.records_of

    def released(games: DeadLetters, game_id: str) -> list[log_pb2.DeadLetter]:
        return [] if game_id == "game-7" else records_of(games, game_id)

    monkeypatch.setattr(DeadLetters, "records_of", released)
    shown = run(kafka, "list")
    assert shown.exit_code == 1
    assert "game-8" in shown.stdout and "game-7" not in shown.stdout


def test_a_released_game_goes_on(kafka: KafkaSettings, tmp_path: Path) -> None:
    """The reader works with the records again, and the command says that the game is released."""
    writer = Writer(kafka)
    is_mended = False

    def refuse(record: FollowedRecord) -> None:
        if record.value == b"2" and not is_mended:
            raise ValueError("not yet")

    notes = Notes(refuse)
    with follower(kafka, tmp_path, notes, name="ledger.books") as following:
        writer.write([("game-7", b"1"), ("game-7", b"2"), ("game-7", b"3")])
        eventually(lambda: len(following.dead_letters.records_of("game-7")) == 2, "the records dead-lettered")
        tried = notes.tried
        refused = run(kafka, "release", "ledger.books", "game-7", "--seconds", "0")
        assert refused.exit_code == 1 and "still blocked by ledger.books" in refused.stderr
        eventually(lambda: notes.tried > tried, "another try")
        eventually(lambda: not following.dead_letters.to_release(), "the end of the first try")
        is_mended = True
        released = run(kafka, "release", "ledger.books", "game-7")
        assert (released.exit_code, said(released)) == (0, "game-7: released")
        assert notes.values("game-7") == [b"1", b"2", b"3"]
    assert run(kafka, "list").exit_code == 0


def test_commands_of_no_game_leave_the_list(kafka: KafkaSettings) -> None:
    """They can be carried out by nobody; an operator who has seen them strikes them off."""
    dead_letter(kafka, OWNER_DEAD_LETTERS, "", "no CommandSent")
    shown = run(kafka, "list")
    assert shown.exit_code == 1 and "(none)" in shown.stdout
    released = run(kafka, "release", "rules.owner", "(none)")
    assert (released.exit_code, said(released)) == (0, "(none): released")
    assert run(kafka, "list").exit_code == 0


def test_a_game_that_nobody_owns_stays_blocked(kafka: KafkaSettings) -> None:
    """Without a replica of rules the operator's word waits, and the command says that nothing has happened yet."""
    dead_letter(kafka, OWNER_DEAD_LETTERS, "game-8", "broken log")
    refused = run(kafka, "release", "rules.owner", "game-8", "--seconds", "0")
    assert refused.exit_code == 1 and "game-8: still blocked by rules.owner" in refused.stderr


@pytest.mark.parametrize(
    ("reader", "sentence"),
    [
        ("ledger.books", "game-9: is not blocked by ledger.books"),
        ("rules.owner", "game-9: is not blocked by rules.owner"),
        ("nobody", "nobody: is none of ledger.books, lobby.results, routing.ahead, rules.owner"),
    ],
)
def test_what_cannot_be_released_is_told(kafka: KafkaSettings, reader: str, sentence: str) -> None:
    """A game that is not blocked and an unknown reader are named."""
    result = run(kafka, "release", reader, "game-9")
    assert result.exit_code == 1
    assert sentence in result.stderr


def test_a_kafka_that_is_not_there_is_named() -> None:
    """Without Kafka, or without its address, the command says so."""
    missing = CliRunner().invoke(app, ["dead-letters", "list"], env={})
    assert missing.exit_code == 2 and "SIGNALBOX_KAFKA_SERVERS" in missing.stderr
