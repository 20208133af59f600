"""What is held up in Kafka: games with dead letters, and commands that wait for the owners of their games."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from services.common.clock import SystemClock
from services.common.errors import Unavailable
from services.common.faust.dead_letters import DeadLetters
from services.common.kafka.clients import KafkaUnreachable
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import DEAD_LETTERS, OWNER_DEAD_LETTERS, Topic
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.lobby.queues import (
    NO_GAME,
    BlockedGame,
    DeadRecord,
    NothingHeldUp,
    Record,
    WaitingCommand,
)
from services.rules.cluster import waiting as commands
from services.rules.cluster.release import ask_owner
from services.rules.cluster.skips import record_skip

LOOK_EVERY_SECONDS = 0.1


class KafkaQueues:
    """See `Queues`. Reads the topics at each call and follows nothing in between: they are asked for when something is wrong."""

    are_there = True

    def __init__(self, kafka: KafkaSettings) -> None:
        self._kafka = kafka

    def blocked(self) -> list[BlockedGame]:
        """See `Queues`."""
        found: list[BlockedGame] = []
        for reader, topic in DEAD_LETTERS.items():
            with self._letters(topic) as letters:
                asked = set(letters.to_release())
                for game_id in letters.games():
                    # Of one released since the games were asked for there are none.
                    if records := letters.records_of(game_id):
                        found.append(_blocked(reader, game_id, records, game_id in asked))
        return found

    def blocked_game(self, reader: str, game_id: str, most: int) -> BlockedGame:
        """See `Queues`."""
        with self._letters(_topic(reader)) as letters:
            records = letters.records_of(game_id)
            if not records:
                raise _not_blocked(reader, game_id)
            return _blocked(reader, game_id, records, game_id in letters.to_release(), most)

    def release(self, reader: str, game_id: str, record: Record, seconds: float) -> bool:
        """See `Queues`."""
        topic = _topic(reader)
        with self._letters(topic) as letters:
            if not letters.is_blocked(game_id):
                raise _not_blocked(reader, game_id)
            record(game_id)
            if not game_id:
                letters.note_released(game_id)
            elif topic is OWNER_DEAD_LETTERS:
                ask_owner(self._kafka, game_id)
            else:
                letters.ask_release(game_id)
            return _in_time(lambda: not letters.is_blocked(game_id), seconds)

    def waiting(self) -> list[WaitingCommand]:
        """See `Queues`."""
        with self._commands() as found:
            return [_waiting(each) for each in found.first()]

    def skip(
        self, partition: int, offset: int, operator: str, reason: str, record: Record, seconds: float
    ) -> bool:
        """See `Queues`."""
        with self._commands() as found:
            skip = found.at(partition, offset).skip(operator, reason, SystemClock().now_ms())
            record(skip.game_id)
            record_skip(self._kafka, skip)
            return _in_time(lambda: found.next_offset(partition) > offset, seconds)

    @contextmanager
    def _letters(self, topic: Topic) -> Iterator[DeadLetters]:
        """The dead letters of a topic, followed until the end of the block."""
        letters = DeadLetters(self._kafka, topic)
        with _reachable():
            letters.start()
            try:
                letters.wait_current()
                yield letters
            finally:
                letters.close()

    @contextmanager
    def _commands(self) -> Iterator[commands.WaitingCommands]:
        with _reachable():
            found = commands.WaitingCommands(self._kafka)
            try:
                yield found
            except commands.NoSuchCommand as nothing:
                raise NothingHeldUp(str(nothing)) from nothing
            finally:
                found.close()


@contextmanager
def _reachable() -> Iterator[None]:
    try:
        yield
    except KafkaUnreachable as away:
        raise Unavailable(f"Kafka does not answer: {away}") from away


def _topic(reader: str) -> Topic:
    if reader not in DEAD_LETTERS:
        raise NothingHeldUp(f"{reader}: is none of {', '.join(DEAD_LETTERS)}")
    return DEAD_LETTERS[reader]


def _not_blocked(reader: str, game_id: str) -> NothingHeldUp:
    return NothingHeldUp(f"{game_id or NO_GAME}: is not blocked by {reader}")


def _in_time(is_done: Callable[[], bool], seconds: float) -> bool:
    end = time.monotonic() + seconds
    while not is_done():
        if time.monotonic() >= end:
            return False
        time.sleep(LOOK_EVERY_SECONDS)
    return True


def _blocked(
    reader: str, game_id: str, letters: list[pb.DeadLetter], is_asked: bool, most: int = 0
) -> BlockedGame:
    since_ms = min(each.recorded_time_ms for each in letters)
    records = tuple(
        DeadRecord(
            each.topic, each.partition, each.offset, each.reason, each.recorded_time_ms, len(each.value)
        )
        for each in letters[:most]
    )
    return BlockedGame(reader, game_id, letters[0].reason, len(letters), since_ms, is_asked, records)


def _waiting(found: commands.WaitingCommand) -> WaitingCommand:
    sent, attempt = found.sent or pb.CommandSent(), found.attempt
    return WaitingCommand(
        found.partition,
        found.offset,
        found.waiting,
        sent.game_id,
        sent.player,
        found.kind,
        found.sent_time_ms,
        0 if attempt is None else attempt.alone,
        "" if attempt is None else attempt.owner,
        attempt is not None and attempt.hung,
    )
