"""After a run: the log as it stands in Kafka against everything that anybody was told."""

from __future__ import annotations

import time
from collections.abc import Iterator

from services.audit.commits import KeptRecord, Place, StreamCommits, count_commits
from services.client.books import Books
from services.client.calls import NotAnsweredError
from services.client.games import Games
from services.common.kafka.clients import admin_config
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import EVENTS, Topic
from tests.faults.cluster import FaultCluster
from tests.faults.players import PlayedGame, Player
from tests.faults.tables import Tables

SETTLE_SECONDS = 120.0
POLL_MS = 500
LOOK_EVERY_SECONDS = 0.2


def check(whole: FaultCluster, players: list[Player], tables: Tables) -> list[str]:
    """Everything that is wrong, in words."""
    problems: list[str] = []
    counted = count_commits(records(whole.kafka, EVENTS), whole.kafka.partitions, has_one_writer=True)
    problems += [str(finding) for finding in counted.findings]
    for player in players:
        for game in player.games:
            stream = counted.streams.get(f"game/{game.new.game_id}", StreamCommits())
            problems += _check_requests(game, stream)
            problems += _check_answers(whole, game, stream)
    begun = {stream.removeprefix("game/") for stream in counted.streams}
    problems += [
        f"game {each}: its start was acknowledged" for each in tables.tables.values() if each not in begun
    ]
    return problems


def records(kafka: KafkaSettings, topic: Topic) -> Iterator[KeptRecord]:
    """All committed records of a topic, one partition after another."""
    from kafka import KafkaConsumer, TopicPartition

    consumer = KafkaConsumer(
        **admin_config(kafka), isolation_level="read_committed", enable_auto_commit=False, group_id=None
    )
    try:
        for partition in range(topic.partitions(kafka)):
            place = TopicPartition(topic.name_in(kafka), partition)
            consumer.assign([place])
            consumer.seek_to_beginning(place)
            end = consumer.end_offsets([place])[place]
            while consumer.position(place) < end:
                for batch in consumer.poll(POLL_MS).values():
                    for each in batch:
                        yield KeptRecord(Place(each.topic, each.partition, each.offset), each.key, each.value)
    finally:
        consumer.close()


def _check_requests(game: PlayedGame, stream: StreamCommits) -> Iterator[str]:
    """Every acknowledged command exactly once and where it was said; no refused one at all."""
    written: dict[str, list[tuple[int, int]]] = {}
    for commit in stream.commits:
        if commit.HasField("request"):
            place = (commit.first_sequence, commit.first_sequence + len(commit.facts) - 1)
            written.setdefault(commit.request.request_id, []).append(place)
    for said in game.told.acknowledged.values():
        if written.get(said.request_id) != [(said.first, said.last)]:
            yield f"{said} stands in the log at {written.get(said.request_id, 'no place')}"
    for request_id, why in game.told.refused.items():
        if request_id in written:
            yield f"game {game.new.game_id}: {request_id} was refused ({why}) and stands in the log"


def _check_answers(whole: FaultCluster, game: PlayedGame, stream: StreamCommits) -> Iterator[str]:
    """Every replica tells the events that were told before; the ledger's books are those of rules, nobody is held."""
    game_id = game.new.game_id
    token = next(iter(game.new.tokens.values()))
    for replica in whole.of("rules"):
        games = Games(replica.address, token)
        events = {
            event.sequence: event.SerializeToString(deterministic=True) for event in games.events(game_id)
        }
        games.close()
        if list(events) != list(range(1, stream.last + 1)):
            yield f"game {game_id}: {replica.name} tells {len(events)} events of {stream.last}"
        differing = [number for number, told in game.told.events.items() if events.get(number) != told]
        if differing:
            yield f"game {game_id}: {replica.name} tells events {differing[:5]} otherwise than before"
    yield from _check_books(whole, game_id, token, stream.last)


def _check_books(whole: FaultCluster, game_id: str, token: str, last: int) -> Iterator[str]:
    books = Books(whole.host.addresses.ledger, token)
    deadline = time.monotonic() + SETTLE_SECONDS
    try:
        while True:
            try:
                audit = books.audit(game_id)
                if audit.sequence >= last and audit.compared_sequence >= last:
                    break
                problem = f"books at {audit.sequence}, compared at {audit.compared_sequence} of {last}"
            except NotAnsweredError as error:
                problem = str(error)
            if time.monotonic() > deadline:
                yield f"game {game_id}: {problem} after {SETTLE_SECONDS:.0f} s"
                return
            time.sleep(LOOK_EVERY_SECONDS)
        if audit.differences or audit.broken_laws or audit.HasField("hold"):
            yield f"game {game_id}: ledger and rules differ: {audit}"
    finally:
        books.close()
