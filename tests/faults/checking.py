"""After a run: compares the log in Kafka with every answer of the services."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress

from services.audit.commits import StreamCommits, count_commits
from services.audit.kafka_check import check_kafka
from services.audit.kafka_log import reading
from services.client.books import Books
from services.client.calls import NotAnsweredError, Rejected
from services.client.games import Games
from services.common.kafka.topics import EVENTS
from services.host.processes import Replica
from tests.faults.cluster import FaultCluster
from tests.faults.players import PlayedGame, Player
from tests.faults.summaries import check_lists
from tests.faults.tables import Tables

SETTLE_SECONDS = 120.0
LOOK_EVERY_SECONDS = 0.2
TOLD_MAX = 40


def check(whole: FaultCluster, players: list[Player], tables: Tables) -> list[str]:
    """Everything that is wrong, in words; of very much only the beginning."""
    games = [game for player in players for game in player.games]
    problems: list[str] = []
    with reading(whole.kafka) as reader:
        counted = count_commits(reader.records(EVENTS), whole.kafka.partitions, has_one_writer=True)
    for game in games:
        stream = counted.streams.get(f"game/{game.new.game_id}", StreamCommits())
        problems += _check_refused(game, stream)
        problems += _check_answers(whole, game, stream)
    begun = {stream.removeprefix("game/") for stream in counted.streams}
    problems += [
        f"game {game_id}: its start was acknowledged"
        for game_id in tables.tables.values()
        if game_id not in begun
    ]
    tokens = {game.new.game_id: next(iter(game.new.tokens.values())) for game in games}
    problems += check_lists(whole.of, tokens)
    acknowledged = [each for game in games for each in game.answers.acknowledged.values()]
    report = check_kafka(whole.kafka, acknowledged)
    problems += [str(finding) for finding in report.findings]
    problems += [f"game {game_id} is held: {why}" for game_id, why in report.held.items()]
    return problems[:TOLD_MAX]


def _check_refused(game: PlayedGame, stream: StreamCommits) -> Iterator[str]:
    """What was refused is not in the log."""
    written = {commit.request.request_id for commit in stream.commits if commit.HasField("request")}
    for request_id, why in game.answers.refused.items():
        if request_id in written:
            yield f"game {game.new.game_id}: {request_id} was refused ({why}) and is in the log"


def _check_answers(whole: FaultCluster, game: PlayedGame, stream: StreamCommits) -> Iterator[str]:
    """Every replica returns the events that were returned before; the ledger's books are those of rules, no game is held."""
    game_id = game.new.game_id
    token = next(iter(game.new.tokens.values()))
    for replica in whole.of("rules"):
        events = _events_told_by(replica, token, game_id, stream.last)
        if list(events) != list(range(1, stream.last + 1)):
            yield f"game {game_id}: {replica.name} tells {len(events)} events of {stream.last}"
        differing = [
            number for number, content in game.answers.events.items() if events.get(number) != content
        ]
        if differing:
            yield f"game {game_id}: {replica.name} tells events {differing[:5]} otherwise than before"
    yield from _check_books(whole, game_id, token, stream.last)


def _events_told_by(replica: Replica, token: str, game_id: str, last: int) -> dict[int, bytes]:
    """The events of a game by their numbers, as soon as this replica has read the log as far as that."""
    deadline = time.monotonic() + SETTLE_SECONDS
    games = Games(replica.address, token)
    events: dict[int, bytes] = {}
    try:
        while len(events) < last and time.monotonic() < deadline:
            with suppress(NotAnsweredError, Rejected):
                events = {
                    event.sequence: event.SerializeToString(deterministic=True)
                    for event in games.events(game_id)
                }
            time.sleep(0 if len(events) >= last else LOOK_EVERY_SECONDS)
    finally:
        games.close()
    return events


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
