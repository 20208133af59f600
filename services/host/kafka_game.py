"""One game read from Kafka itself, without any service: its requests and its valid events."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from services.common.kafka.commits import read_commit
from services.common.kafka.reading import records_of_key
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import COMMANDS, EVENTS
from services.gen.signalbox.log.v1 import log_pb2
from services.rules.cluster.records import parsed, request_in
from services.rules.requests import Request

NEVER_DIRECT_SECONDS = 30 * 24 * 3600.0
"""As `rules_direct_after_seconds` of a platform: every command goes by rules.commands, where requests can be read."""


@dataclass(frozen=True, slots=True)
class KafkaGame:
    """All facts of a game in order, and the requests that led to them, the setting up first."""

    facts: tuple[log_pb2.Fact, ...]
    requests: tuple[Request, ...]


def read_game(kafka: KafkaSettings, game_id: str) -> KafkaGame:
    """The game by the rule of the log: a commit is valid if it follows the last one and its request is new.

    For platforms with `NEVER_DIRECT_SECONDS`: a request that was carried out without rules.commands is a `KeyError`."""
    facts: list[log_pb2.Fact] = []
    carried_out: dict[str, None] = {}
    for message in records_of_key(kafka, EVENTS, game_id):
        commit = read_commit(message.value(), message.key())
        request_id = commit.request.request_id
        if commit.first_sequence == len(facts) + 1 and request_id not in carried_out:
            facts += commit.facts
            carried_out[request_id] = None
    return KafkaGame(tuple(facts), tuple(_requests(kafka, game_id, list(carried_out))))


def _requests(kafka: KafkaSettings, game_id: str, carried_out: list[str]) -> Iterator[Request]:
    asked: dict[str, Request] = {}
    for message in records_of_key(kafka, COMMANDS, game_id):
        request = request_in(parsed(log_pb2.CommandSent, message.value(), message.key()))
        asked.setdefault(request.request_id, request)
    for request_id in carried_out:
        yield asked[request_id]
