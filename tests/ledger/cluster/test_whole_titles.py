"""Commits of whole titles: as events what rules gives its readers, in the books what rules has."""

from __future__ import annotations

import pytest
from prometheus_client import CollectorRegistry

from services.common.eventlog.port import NewRecord
from services.common.faust.records import FollowedRecord
from services.common.kafka.commits import commit_message
from services.ledger.adapters.alarm import TelemetryAlarm
from services.ledger.adapters.memory import MemoryBookStore
from services.ledger.adapters.rules_events import balances_in
from services.ledger.cluster.holds import RulesFollowHolds
from services.ledger.cluster.record_handlers import KnownEventLog, RecordHandlers
from services.ledger.cluster.records import game_events
from services.ledger.handlers import Ledger
from services.rules.adapters.codec import encode_event
from services.rules.adapters.view import game_view
from services.rules.history import stream_of
from services.rules.kernel.decide import Accepted
from services.rules.kernel.events import Event
from services.rules.status import balances_of, status_of
from services.rules.titles import TITLES
from tests.simulation.play import Play
from tests.simulation.tables import table_of

from .rules_on_kafka import RulesOnKafka

REQUESTS = 120


def commit_record(game_id: str, before: int, events: list[Event]) -> FollowedRecord:
    """Events after a sequence as the record that carries them."""
    facts = [NewRecord(*encode_event(event)) for event in events]
    commit = commit_message(stream_of(game_id), before, facts, None, 0, "a")
    return FollowedRecord("rules.events", 0, before, game_id, commit.SerializeToString(), 0)


def test_commits_are_read_as_rules_returns_them() -> None:
    """Event by event the same message, with request, time and schema version."""
    rules_on_kafka = RulesOnKafka()
    rules_on_kafka.create("g")
    rules_on_kafka.play("g")
    read = [
        event
        for game, commit in rules_on_kafka.published.commits
        for event in game_events(FollowedRecord("rules.events", 0, 0, game, commit.SerializeToString(), 0))
    ]
    assert read == rules_on_kafka.desk.rules.reader.events("g")
    assert len({event.request_id for event in read}) == len(rules_on_kafka.published.commits)


@pytest.mark.parametrize("title", sorted(TITLES))
def test_books_of_a_title_agree_after_every_request(title: str) -> None:
    """A bot's requests, undo among them, are booked from records alone and never differ from the status."""
    play = Play(table_of(3, title), "random")
    ledger = Ledger(
        MemoryBookStore(), RulesOnKafka(), RulesFollowHolds(), TelemetryAlarm(CollectorRegistry()),
        reads_log_when_opened=False,
    )  # fmt: skip
    handlers = RecordHandlers(ledger, KnownEventLog(RulesOnKafka()))
    booked = 0
    for number in range(REQUESTS):
        if play.game.finished or play.unproven:
            break
        handlers.book(commit_record("g", booked, play.events[booked:]))
        booked = len(play.events)
        status = status_of("g", play.title, play.data, play.game)
        handlers.audit(FollowedRecord("rules.game_statuses", 0, 0, "g", status.SerializeToString(), 0))
        assert ledger.holds() == ()
        outcome = play.undo() if number % 20 == 19 else None
        if not isinstance(outcome, Accepted):
            outcome = play.decided(play.player, play.choose())
        assert isinstance(outcome, Accepted)
        play.carry_out(outcome)
    assert ledger.sequence_of("g") == booked
    shown = balances_in(game_view("g", play.title, play.data, play.game))
    assert shown.digest() == balances_of(play.data, play.game).digest()
    assert booked > REQUESTS or play.game.finished
