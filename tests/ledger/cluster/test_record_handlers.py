"""Handling of commits and statuses that are repeated, early, late, unreadable or wrong, without a broker."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from services.common.errors import Unavailable
from services.common.faust.records import FollowedRecord, NewerVersion, NotYet, UnprocessableRecord
from services.gen.signalbox.events.v1 import events_pb2 as ev
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.gen.signalbox.log.v1.log_pb2 import GameStatus
from services.ledger.adapters.memory import MemoryBookStore
from services.ledger.cluster.holds import RulesFollowHolds
from services.ledger.cluster.record_handlers import (
    COMMIT_WAIT_SECONDS,
    RETRY_SECONDS,
    KnownEventLog,
    RecordHandlers,
)
from services.ledger.cluster.records import digest_of, game_events
from services.ledger.domain.journal import Transfer
from services.ledger.handlers import Ledger
from tests.ledger.wire import RecordedAlarms

from .rules_on_kafka import RulesOnKafka


class HandlerBench:
    """A ledger with its record handlers, called directly."""

    def __init__(self) -> None:
        self.rules_on_kafka = RulesOnKafka()
        self.rules_on_kafka.create("g")
        self.rules_on_kafka.play("g", "g")
        self.store, self.alarms = MemoryBookStore(), RecordedAlarms()
        self.now = 0.0
        self.reopen()

    def reopen(self) -> None:
        """The ledger as after a restart."""
        self.ledger = Ledger(
            self.store,
            KnownEventLog(self.rules_on_kafka),
            RulesFollowHolds(),
            self.alarms,
            reads_log_when_opened=False,
        )
        self.handlers = RecordHandlers(self.ledger, KnownEventLog(self.rules_on_kafka), lambda: self.now)

    @property
    def commits(self) -> list[pb.Commit]:
        """All commits of the game."""
        return [
            commit for _, commit in self.rules_on_kafka.published.commits if isinstance(commit, pb.Commit)
        ]

    def book(self, *commits: pb.Commit) -> None:
        """Handle commits."""
        for commit in commits:
            self.handlers.book(FollowedRecord("rules.events", 0, 0, "g", commit.SerializeToString(), 0))

    def audit(self, status: GameStatus) -> None:
        """Handle a status."""
        value = status.SerializeToString()
        self.handlers.audit(FollowedRecord("rules.game_statuses", 0, 0, "g", value, 0))

    def agrees(self) -> bool:
        """Whether the books are those of rules."""
        return self.rules_on_kafka.agrees(self.ledger, "g")


@pytest.fixture
def bench() -> HandlerBench:
    """Nothing is booked yet."""
    return HandlerBench()


def test_commits_in_order_need_no_other_source(bench: HandlerBench) -> None:
    """Every commit once, and all again: the books are those of rules, and its log was not read."""
    bench.book(*bench.commits, *bench.commits)
    for status in bench.rules_on_kafka.published.statuses["g"]:
        bench.audit(status)
    assert (bench.agrees(), bench.rules_on_kafka.asked, bench.ledger.holds()) == (True, 0, ())


def test_a_gap_is_fetched(bench: HandlerBench) -> None:
    """A commit missing on the way is read from the log of rules, once."""
    bench.book(*bench.commits[:2], *bench.commits[3:])
    assert (bench.agrees(), bench.rules_on_kafka.asked, bench.ledger.holds()) == (True, 1, ())


def test_a_gap_waits_while_rules_is_away(bench: HandlerBench) -> None:
    """Nothing is booked, held or blocked; when rules is back the game goes on."""
    bench.rules_on_kafka.is_away = True
    bench.book(bench.commits[0])
    with pytest.raises(NotYet, match="rules is away"):
        bench.book(bench.commits[2])
    bench.rules_on_kafka.is_away = False
    bench.book(bench.commits[2])
    assert (bench.agrees(), bench.ledger.holds()) == (True, ())


def test_a_book_dropped_meanwhile_holds_nobody(bench: HandlerBench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the rules replica lacks events that were booked before, the commit is retried."""
    bench.book(*bench.commits[:2])
    handle = bench.ledger.handle

    def dropped_before(game_id: str, events: Sequence[ev.GameEvent]) -> int:
        bench.ledger.drop(game_id, "requested by an operator")
        return handle(game_id, events)

    monkeypatch.setattr(bench.ledger, "handle", dropped_before)
    monkeypatch.setattr(bench.rules_on_kafka, "events", lambda *_: ())
    with pytest.raises(NotYet, match="sequence 1 is next"):
        bench.book(bench.commits[2])
    assert (bench.ledger.sequence_of("g"), bench.ledger.holds()) == (0, ())
    monkeypatch.undo()
    bench.book(*bench.commits[2:])
    assert (bench.agrees(), bench.ledger.holds()) == (True, ())


def test_a_game_that_rules_fails_for_is_dead_lettered_at_last(bench: HandlerBench) -> None:
    """A commit is retried while rules fails, then dead-lettered so that other games go on; the game is not held."""
    bench.rules_on_kafka.is_broken = True
    bench.book(bench.commits[0])
    for seconds in (0, RETRY_SECONDS - 1):
        bench.now += seconds
        with pytest.raises(NotYet, match="rules is broken"):
            bench.book(bench.commits[2])
    bench.now += 2
    with pytest.raises(UnprocessableRecord, match="rules is broken"):
        bench.book(bench.commits[2])
    assert bench.ledger.holds() == ()
    bench.rules_on_kafka.is_broken = False
    bench.book(bench.commits[2])
    assert bench.agrees()


@pytest.mark.parametrize("ann_more", [0, 1])
def test_a_status_is_dead_lettered_at_last_where_rules_fails(bench: HandlerBench, ann_more: int) -> None:
    """Whether it came before its commit or differs from the book."""
    bench.book(*(bench.commits if ann_more else bench.commits[:-1]))
    bench.rules_on_kafka.is_broken = True
    status = bench.rules_on_kafka.status("g", ann_more)
    for seconds in (0, COMMIT_WAIT_SECONDS + 0.1, RETRY_SECONDS - COMMIT_WAIT_SECONDS - 1):
        bench.now += seconds
        with pytest.raises(NotYet):
            bench.audit(status)
    bench.now += 2
    with pytest.raises(UnprocessableRecord, match="rules is broken"):
        bench.audit(status)
    assert bench.ledger.holds() == ()


def test_a_rules_that_is_away_is_waited_for_without_end(bench: HandlerBench) -> None:
    """No game is dead-lettered for it."""
    bench.rules_on_kafka.is_away = True
    bench.book(bench.commits[0])
    for _ in range(3):
        bench.now += RETRY_SECONDS + 1
        with pytest.raises(NotYet, match="rules is away"):
            bench.book(bench.commits[2])


def test_a_commit_that_does_not_continue_its_game_does_not_count(bench: HandlerBench) -> None:
    """A writer that lost a race leaves a commit that begins within the book: it is dead-lettered after retries, never booked."""
    bench.book(*bench.commits)
    last = bench.commits[-1]
    loser = pb.Commit()
    loser.CopyFrom(last)
    loser.facts.append(last.facts[0])
    with pytest.raises(NotYet):
        bench.book(loser)
    bench.now += RETRY_SECONDS + 1
    with pytest.raises(UnprocessableRecord, match="is the last that rules has"):
        bench.book(loser)
    assert (bench.agrees(), bench.ledger.holds()) == (True, ())


def test_an_early_status_waits_for_its_commit(bench: HandlerBench) -> None:
    """It causes no hold; after a while the log of rules is read, so that it is compared at its sequence."""
    statuses = bench.rules_on_kafka.published.statuses["g"]
    bench.book(*bench.commits[:-1])
    with pytest.raises(NotYet):
        bench.audit(statuses[-1])
    assert (bench.rules_on_kafka.asked, bench.ledger.compared("g")) == (0, None)
    bench.now += COMMIT_WAIT_SECONDS + 0.1
    bench.audit(statuses[-1])
    compared = bench.ledger.compared("g")
    assert compared is not None and (compared.sequence, compared.passed) == (statuses[-1].sequence, True)


def test_a_late_status_is_compared_at_its_own_sequence(bench: HandlerBench) -> None:
    """A book that is ahead is compared at the earlier sequence; a difference there is found as well."""
    bench.book(*bench.commits)
    early = bench.rules_on_kafka.published.statuses["g"][1]
    bench.audit(early)
    assert bench.ledger.holds() == ()
    wrong = bench.rules_on_kafka.status("g", ann_more=1)
    bench.audit(wrong)
    (hold,) = bench.ledger.holds()
    assert hold.reason == "difference"


def test_a_wrong_status_holds_once(bench: HandlerBench) -> None:
    """Repeated, also after a restart, the finding is one hold."""
    bench.book(*bench.commits)
    for _ in range(3):
        bench.audit(bench.rules_on_kafka.status("g", ann_more=5))
    bench.reopen()
    bench.audit(bench.rules_on_kafka.status("g", ann_more=5))
    assert [hold.reason for hold in bench.ledger.holds()] == ["difference"]


def test_the_hold_names_what_differs(bench: HandlerBench) -> None:
    """A status has only a digest of the balances; where it differs, rules is asked for its own."""
    bench.book(*bench.commits)
    cash = bench.rules_on_kafka.balances("g", bench.ledger.sequence_of("g")).cash["ann"]
    bench.audit(bench.rules_on_kafka.status("g", ann_more=5))
    (hold,) = bench.ledger.holds()
    assert hold.detail == f"ann has {cash} money in the books, {cash + 5} in rules"


def test_an_owner_that_reports_other_balances_than_its_log_gives_is_found(bench: HandlerBench) -> None:
    """Books and log agree, the status does not: the game is held, and the hold says at which sequence."""
    bench.book(*bench.commits)
    status = bench.rules_on_kafka.status("g", ann_more=5)
    bench.rules_on_kafka.ann_more = 0
    bench.audit(status)
    (hold,) = bench.ledger.holds()
    assert hold.reason == "difference"
    assert hold.detail.startswith(f"at {status.sequence} the owner reported other balances")


def test_a_status_of_before_the_digest_is_passed_over(bench: HandlerBench) -> None:
    """It has nothing that could be compared; the next status of the game has."""
    bench.book(*bench.commits)
    status = bench.rules_on_kafka.status("g")
    status.schema_version, status.balances_digest = 1, b""
    bench.audit(status)
    assert (bench.ledger.compared("g"), bench.ledger.holds()) == (None, ())


def test_a_status_with_the_whole_digest_is_compared(bench: HandlerBench) -> None:
    """As owners of before version 3 wrote it: equal balances agree, others hold the game."""
    bench.book(*bench.commits)
    for ann_more, holds in ((0, 0), (5, 1)):
        status = bench.rules_on_kafka.status("g", ann_more)
        status.schema_version = 2
        status.balances_digest = bench.rules_on_kafka.balances("g", status.sequence).digest()
        bench.audit(status)
        assert len(bench.ledger.holds()) == holds
        compared = bench.ledger.compared("g")
        assert compared is not None and compared.sequence == status.sequence


def test_a_book_gone_wrong_is_made_anew_and_holds_nothing(bench: HandlerBench) -> None:
    """Where only the stored book differs from rules, it is rebuilt; the game is not held."""
    bench.book(*bench.commits)
    sequence = bench.ledger.sequence_of("g")
    bad = Transfer(sequence, f"g/{sequence}/9", "bank", "ann", 1, "money", "dividend", "")
    bench.store._books["g"][1].append(bad)
    bench.reopen()
    bench.audit(bench.rules_on_kafka.status("g"))
    assert (bench.agrees(), bench.ledger.holds(), len(bench.alarms.rebuilds)) == (True, (), 1)


def test_a_difference_waits_while_rules_is_away(bench: HandlerBench) -> None:
    """A game is not held before the log of rules was read."""
    bench.book(*bench.commits)
    bench.rules_on_kafka.is_away = True
    with pytest.raises(NotYet):
        bench.audit(bench.rules_on_kafka.status("g", ann_more=1))
    assert bench.ledger.holds() == ()
    bench.rules_on_kafka.is_away = False
    bench.audit(bench.rules_on_kafka.status("g", ann_more=1))
    assert len(bench.ledger.holds()) == 1


def test_a_status_beyond_the_log_is_dead_lettered_at_last(bench: HandlerBench) -> None:
    """A sequence that rules never reaches blocks nothing for ever and holds nothing."""
    bench.book(*bench.commits)
    beyond = bench.rules_on_kafka.status("g")
    beyond.sequence = 9_999
    with pytest.raises(NotYet):
        bench.audit(beyond)
    bench.now += RETRY_SECONDS + 1
    with pytest.raises(UnprocessableRecord, match="status at 9999"):
        bench.audit(beyond)
    assert bench.ledger.holds() == ()


def of_another_game(commit: pb.Commit) -> None:
    """The stream is not the key's."""
    commit.stream = "game/other"


def of_a_newer_platform(commit: pb.Commit) -> None:
    """A fact whose name this version does not have."""
    commit.facts[0].type = "train_flew"


def of_a_newer_schema(commit: pb.Commit) -> None:
    """A fact of a later schema."""
    commit.facts[0].schema_version = 99


def unreadable(commit: pb.Commit) -> None:
    """A fact whose body is no message."""
    commit.facts[0].payload = b"\xff"


def test_a_record_packed_by_a_newer_version_is_left_to_one_that_knows_it() -> None:
    """Commits and statuses alike; one that is cut off can never be read."""
    newer = FollowedRecord("rules.events", 0, 0, "g", b"\x17 of a version to come", 0)
    for read in (game_events, digest_of):
        with pytest.raises(NewerVersion, match="packed with dictionary 2: written by a newer version"):
            read(newer)
        with pytest.raises(UnprocessableRecord, match="packed, and cut off") as raised:
            read(replace(newer, value=b"\x0f"))
        assert not isinstance(raised.value, NewerVersion)


@pytest.mark.parametrize(
    ("spoil", "is_newer"),
    [
        (of_another_game, False),
        (unreadable, False),
        (of_a_newer_platform, True),
        (of_a_newer_schema, True),
    ],
)
def test_an_unreadable_record_is_dead_lettered_and_holds_nothing(
    bench: HandlerBench, spoil: Callable[[pb.Commit], None], is_newer: bool
) -> None:
    """Nothing of it is booked; the game may go on in rules. A newer version is distinguished: a newer ledger can book it."""
    commit = pb.Commit()
    commit.CopyFrom(bench.commits[0])
    spoil(commit)
    with pytest.raises(UnprocessableRecord) as raised:
        bench.book(commit)
    assert isinstance(raised.value, NewerVersion) == is_newer
    assert (bench.ledger.sequence_of("g"), bench.ledger.holds()) == (0, ())


def test_a_movement_without_a_reason_holds_the_game(bench: HandlerBench) -> None:
    """It is no newer version; nothing from it on is booked."""
    commit = pb.Commit()
    commit.CopyFrom(bench.commits[0])
    moved = next(fact for fact in commit.facts if fact.type == "cash_moved")
    body = ev.CashMoved.FromString(moved.payload)
    body.reason = ""
    moved.payload = body.SerializeToString()
    bench.book(commit)
    (hold,) = bench.ledger.holds()
    assert (hold.reason, hold.detail) == ("malformed_fact", "game g, sequence 2: cash_moved has no reason")
    assert bench.ledger.sequence_of("g") == 1


def test_catching_up_for_a_read(bench: HandlerBench) -> None:
    """A book without records catches up with rules on a read; without rules it stays behind, and says so."""
    assert bench.handlers.catch_up("g", 1.0)
    assert bench.agrees()
    bench.rules_on_kafka.play("g")
    bench.rules_on_kafka.is_away = True
    assert not bench.handlers.catch_up("g", 1.0)
    assert not bench.agrees()


def test_what_only_a_newer_ledger_can_book_is_left_to_one(bench: HandlerBench) -> None:
    """A read is unavailable, no new book is begun; nothing is booked, held or dropped."""
    bench.book(*bench.commits[:2])
    booked = bench.ledger.sequence_of("g")
    newer = ev.GameEvent(game_id="g", sequence=booked + 1, schema_version=99)
    events = bench.rules_on_kafka.events
    bench.rules_on_kafka.events = lambda *asked: [*list(events(*asked))[: booked - asked[1]], newer]  # type: ignore[method-assign]
    with pytest.raises(Unavailable, match="schema version 99 is unknown, 1 is the newest known"):
        bench.handlers.catch_up("g", 1.0)
    with pytest.raises(NewerVersion, match="schema version 99"):
        bench.ledger.rebuild("g")
    assert (bench.ledger.sequence_of("g"), bench.ledger.holds()) == (booked, ())
    assert bench.alarms.rebuilds == []
