"""What becomes of commits and standings that come twice, early, late, broken or wrong, without a broker."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from services.common.errors import Unavailable
from services.common.faust.records import FollowedRecord, NewerVersion, NotYet, Unworkable
from services.gen.signalbox.events.v1 import events_pb2 as ev
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.ledger.adapters.memory import MemoryBookStore
from services.ledger.cluster.holds import RulesFollowHolds
from services.ledger.cluster.keeping import BELIEVED_SECONDS, TOGETHER_SECONDS, BookKeeping, KnownLog
from services.ledger.domain.journal import Transfer
from services.ledger.handlers import Ledger
from services.rules.cluster.records import standing_message
from services.rules.ports import Standing
from tests.ledger.wire import RecordedAlarms

from .house import House


class Office:
    """A ledger and its keeping, fed by hand."""

    def __init__(self) -> None:
        self.house = House()
        self.house.create("g")
        self.house.play("g", "g")
        self.store, self.alarms = MemoryBookStore(), RecordedAlarms()
        self.now = 0.0
        self.reopen()

    def reopen(self) -> None:
        """The ledger as after a restart."""
        self.ledger = Ledger(
            self.store, KnownLog(self.house), RulesFollowHolds(), self.alarms, reads_log_when_opened=False
        )
        self.keeping = BookKeeping(self.ledger, KnownLog(self.house), lambda: self.now)

    @property
    def commits(self) -> list[pb.Commit]:
        """All commits of the game."""
        return [commit for _, commit in self.house.told.commits if isinstance(commit, pb.Commit)]

    def book(self, *commits: pb.Commit) -> None:
        """Commits come."""
        for commit in commits:
            self.keeping.book(FollowedRecord("rules.events", 0, 0, "g", commit.SerializeToString(), 0))

    def audit(self, standing: Standing) -> None:
        """A standing comes."""
        value = standing_message("g", standing).SerializeToString()
        self.keeping.audit(FollowedRecord("rules.standings", 0, 0, "g", value, 0))

    def agrees(self) -> bool:
        """Whether the books are those of rules."""
        return self.house.agrees(self.ledger, "g")


@pytest.fixture
def office() -> Office:
    """Nothing is booked yet."""
    return Office()


def test_commits_in_order_need_no_other_source(office: Office) -> None:
    """Every commit once, and all again: the books are those of rules, whose log nobody asked."""
    office.book(*office.commits, *office.commits)
    for standing in office.house.told.standings["g"]:
        office.audit(standing)
    assert (office.agrees(), office.house.asked, office.ledger.holds()) == (True, 0, ())


def test_a_gap_is_fetched(office: Office) -> None:
    """A commit missing on the way is read from the log of rules, once."""
    office.book(*office.commits[:2], *office.commits[3:])
    assert (office.agrees(), office.house.asked, office.ledger.holds()) == (True, 1, ())


def test_a_gap_waits_while_rules_is_away(office: Office) -> None:
    """Nothing is booked, held or parked; when rules is back the game goes on."""
    office.house.is_away = True
    office.book(office.commits[0])
    with pytest.raises(NotYet, match="rules is away"):
        office.book(office.commits[2])
    office.house.is_away = False
    office.book(office.commits[2])
    assert (office.agrees(), office.ledger.holds()) == (True, ())


def test_a_book_dropped_meanwhile_holds_nobody(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the replica of rules that is asked has not yet what was booked before, the commit waits for it."""
    office.book(*office.commits[:2])
    handle = office.ledger.handle

    def dropped_before(game_id: str, events: Sequence[ev.GameEvent]) -> int:
        office.ledger.drop(game_id, "asked for by an operator")
        return handle(game_id, events)

    monkeypatch.setattr(office.ledger, "handle", dropped_before)
    monkeypatch.setattr(office.house, "events", lambda *_: ())
    with pytest.raises(NotYet, match="sequence 1 is next"):
        office.book(office.commits[2])
    assert (office.ledger.sequence_of("g"), office.ledger.holds()) == (0, ())
    monkeypatch.undo()
    office.book(*office.commits[2:])
    assert (office.agrees(), office.ledger.holds()) == (True, ())


def test_a_game_that_rules_cannot_tell_of_is_parked_at_last(office: Office) -> None:
    """A commit waits a while for a broken rules, then its game is put aside for the sake of the others; not held."""
    office.house.is_broken = True
    office.book(office.commits[0])
    for seconds in (0, BELIEVED_SECONDS - 1):
        office.now += seconds
        with pytest.raises(NotYet, match="rules is broken"):
            office.book(office.commits[2])
    office.now += 2
    with pytest.raises(Unworkable, match="rules is broken"):
        office.book(office.commits[2])
    assert office.ledger.holds() == ()
    office.house.is_broken = False
    office.book(office.commits[2])
    assert office.agrees()


@pytest.mark.parametrize("ann_more", [0, 1])
def test_a_standing_is_parked_at_last_where_rules_is_broken(office: Office, ann_more: int) -> None:
    """Whether it came before its commit or differs from the book."""
    office.book(*(office.commits if ann_more else office.commits[:-1]))
    office.house.is_broken = True
    standing = office.house.standing("g", ann_more)
    for seconds in (0, TOGETHER_SECONDS + 0.1, BELIEVED_SECONDS - TOGETHER_SECONDS - 1):
        office.now += seconds
        with pytest.raises(NotYet):
            office.audit(standing)
    office.now += 2
    with pytest.raises(Unworkable, match="rules is broken"):
        office.audit(standing)
    assert office.ledger.holds() == ()


def test_a_rules_that_is_away_is_waited_for_without_end(office: Office) -> None:
    """Nobody is parked for it."""
    office.house.is_away = True
    office.book(office.commits[0])
    for _ in range(3):
        office.now += BELIEVED_SECONDS + 1
        with pytest.raises(NotYet, match="rules is away"):
            office.book(office.commits[2])


def test_a_commit_that_does_not_continue_its_game_does_not_count(office: Office) -> None:
    """A writer that lost a race leaves a commit that begins within the book: it waits, then parks, and is never booked."""
    office.book(*office.commits)
    last = office.commits[-1]
    loser = pb.Commit()
    loser.CopyFrom(last)
    loser.facts.append(last.facts[0])
    with pytest.raises(NotYet):
        office.book(loser)
    office.now += BELIEVED_SECONDS + 1
    with pytest.raises(Unworkable, match="is the last that rules tells of"):
        office.book(loser)
    assert (office.agrees(), office.ledger.holds()) == (True, ())


def test_an_early_standing_waits_for_its_commit(office: Office) -> None:
    """It holds nothing, and after a while the log of rules is asked, so that it is compared at its sequence."""
    standings = office.house.told.standings["g"]
    office.book(*office.commits[:-1])
    with pytest.raises(NotYet):
        office.audit(standings[-1])
    assert (office.house.asked, office.ledger.compared("g")) == (0, None)
    office.now += TOGETHER_SECONDS + 0.1
    office.audit(standings[-1])
    compared = office.ledger.compared("g")
    assert compared is not None and (compared.sequence, compared.passed) == (standings[-1].sequence, True)


def test_a_late_standing_is_compared_at_its_own_sequence(office: Office) -> None:
    """A book that is ahead is compared as it stood; a difference there is found as well."""
    office.book(*office.commits)
    early = office.house.told.standings["g"][1]
    office.audit(early)
    assert office.ledger.holds() == ()
    wrong = office.house.standing("g", ann_more=1)
    office.audit(wrong)
    (hold,) = office.ledger.holds()
    assert hold.reason == "difference"


def test_a_wrong_standing_holds_once(office: Office) -> None:
    """Told again and again, also after a restart, the finding is one hold."""
    office.book(*office.commits)
    for _ in range(3):
        office.audit(office.house.standing("g", ann_more=5))
    office.reopen()
    office.audit(office.house.standing("g", ann_more=5))
    assert [hold.reason for hold in office.ledger.holds()] == ["difference"]


def test_a_book_gone_wrong_is_made_anew_and_holds_nothing(office: Office) -> None:
    """Where only the stored book differs from rules it is dropped; the game is not to blame."""
    office.book(*office.commits)
    sequence = office.ledger.sequence_of("g")
    bad = Transfer(sequence, f"g/{sequence}/9", "bank", "ann", 1, "money", "dividend", "")
    office.store._books["g"][1].append(bad)
    office.reopen()
    office.audit(office.house.standing("g"))
    assert (office.agrees(), office.ledger.holds(), len(office.alarms.rebuilds)) == (True, (), 1)


def test_a_difference_waits_while_rules_is_away(office: Office) -> None:
    """Nobody is held before the log of rules has been asked."""
    office.book(*office.commits)
    office.house.is_away = True
    with pytest.raises(NotYet):
        office.audit(office.house.standing("g", ann_more=1))
    assert office.ledger.holds() == ()
    office.house.is_away = False
    office.audit(office.house.standing("g", ann_more=1))
    assert len(office.ledger.holds()) == 1


def test_a_standing_beyond_the_log_is_parked_at_last(office: Office) -> None:
    """A sequence that rules never reaches blocks nothing for ever and holds nothing."""
    office.book(*office.commits)
    beyond = office.house.standing("g")
    beyond = type(beyond)(**{name: getattr(beyond, name) for name in beyond.__slots__} | {"sequence": 9_999})
    with pytest.raises(NotYet):
        office.audit(beyond)
    office.now += BELIEVED_SECONDS + 1
    with pytest.raises(Unworkable, match="standing at 9999"):
        office.audit(beyond)
    assert office.ledger.holds() == ()


def of_another_game(commit: pb.Commit) -> None:
    """The stream is not the key's."""
    commit.stream = "game/other"


def of_a_newer_platform(commit: pb.Commit) -> None:
    """A fact whose name this version does not have."""
    commit.facts[0].type = "train_flew"


def of_a_newer_schema(commit: pb.Commit) -> None:
    """A fact of a later schema."""
    commit.facts[0].schema_version = 99


def of_a_newer_word(commit: pb.Commit) -> None:
    """Money moved for a reason that this version does not have."""
    moved = next(fact for fact in commit.facts if fact.type == "cash_moved")
    body = ev.CashMoved.FromString(moved.payload)
    body.reason = 4_000  # type: ignore[assignment]
    moved.payload = body.SerializeToString()


def unreadable(commit: pb.Commit) -> None:
    """A fact whose body is no message."""
    commit.facts[0].payload = b"\xff"


@pytest.mark.parametrize(
    ("spoil", "is_newer"),
    [
        (of_another_game, False),
        (unreadable, False),
        (of_a_newer_platform, True),
        (of_a_newer_schema, True),
        (of_a_newer_word, True),
    ],
)
def test_what_cannot_be_understood_is_parked_and_holds_nothing(
    office: Office, spoil: Callable[[pb.Commit], None], is_newer: bool
) -> None:
    """Nothing of it is booked; the game may go on in rules. What is newer is told apart: a newer ledger may take it up."""
    commit = pb.Commit()
    commit.CopyFrom(office.commits[0])
    spoil(commit)
    with pytest.raises(Unworkable) as parked:
        office.book(commit)
    assert isinstance(parked.value, NewerVersion) == is_newer
    assert (office.ledger.sequence_of("g"), office.ledger.holds()) == (0, ())


def test_catching_up_for_a_read(office: Office) -> None:
    """A book that nobody feeds is as far as rules; without rules it stays as far as it was, and says so."""
    assert office.keeping.catch_up("g", 1.0)
    assert office.agrees()
    office.house.play("g")
    office.house.is_away = True
    assert not office.keeping.catch_up("g", 1.0)
    assert not office.agrees()


def test_what_only_a_newer_ledger_can_book_is_left_to_one(office: Office) -> None:
    """A read is refused for now, a new book is not begun; nothing is booked of it, held or dropped."""
    office.book(*office.commits[:2])
    booked = office.ledger.sequence_of("g")
    newer = ev.GameEvent(game_id="g", sequence=booked + 1, schema_version=99)
    events = office.house.events
    office.house.events = lambda *asked: [*list(events(*asked))[: booked - asked[1]], newer]  # type: ignore[method-assign]
    with pytest.raises(Unavailable, match="schema version 99, 1 is known"):
        office.keeping.catch_up("g", 1.0)
    with pytest.raises(NewerVersion, match="schema version 99"):
        office.ledger.rebuild("g")
    assert (office.ledger.sequence_of("g"), office.ledger.holds()) == (booked, ())
    assert office.alarms.rebuilds == []
