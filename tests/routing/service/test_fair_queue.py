"""The fair queue: no entry lost or doubled, limits kept, round robin."""

from __future__ import annotations

from collections import Counter
from itertools import chain

from hypothesis import settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from services.routing.domain.fair_queue import FairQueue
from services.routing.domain.pace import LEAST_MS, LEAST_WAITING, MOST_MS, Pace

CALLERS = st.sampled_from("abcd")


class FairQueueMachine(RuleBasedStateMachine):
    """A fair queue compared with a simple model."""

    @initialize(capacity=st.integers(1, 8), share=st.integers(1, 8))
    def open(self, capacity: int, share: int) -> None:
        """Queues of all sizes, also with shares larger than the queue."""
        self.capacity, self.places_most, self.share = capacity, capacity, share
        self.queue: FairQueue[int] = FairQueue(capacity, share)
        self.last_number = 0
        self.lines: dict[str, list[int]] = {caller: [] for caller in "abcd"}
        self.caller_of: dict[int, str] = {}
        self.companions: Counter[str] = Counter()
        self.taken: list[int] = []
        # Who was served how often while this caller waited for its next turn.
        self.served_meanwhile: dict[str, Counter[str]] = {}

    @rule(caller=CALLERS)
    def enter(self, caller: str) -> None:
        """Rejected only when full; an entry is displaced only from a longer line than the new caller's."""
        self.last_number += 1
        number = self.last_number
        held, total = self._held(caller), len(self.queue)
        longest = max(len(line) for line in self.lines.values())
        admission = self.queue.enter(caller, number)
        if held >= self.share:
            assert admission.full_reason == "caller_share_full"
        elif total < self.capacity:
            assert (admission.full_reason, admission.displaced) == (None, None)
        elif longest <= held + 1:
            assert admission.full_reason == "queue_full"
        else:
            assert admission.full_reason is None
            assert admission.displaced is not None
            victim = self.caller_of[admission.displaced]
            assert len(self.lines[victim]) == longest
            assert self.lines[victim].pop() == admission.displaced
        if admission.full_reason is None:
            if not self.lines[caller]:
                self.served_meanwhile[caller] = Counter()
            self.lines[caller].append(number)
            self.caller_of[number] = caller

    @rule(capacity=st.integers(1, 12))
    def resize(self, capacity: int) -> None:
        """Fewer may enter from now on, or more again up to the initial capacity."""
        self.queue.resize(capacity)
        self.capacity = min(capacity, self.places_most)

    @rule()
    def take(self) -> None:
        """The oldest of some caller's line; no caller is served twice while another waits."""
        entry = self.queue.take()
        if entry is None:
            assert not any(self.lines.values())
            return
        caller = self.caller_of[entry]
        assert self.lines[caller].pop(0) == entry
        self.taken.append(entry)
        for other, line in self.lines.items():
            if line and other != caller:
                self.served_meanwhile[other][caller] += 1
                assert self.served_meanwhile[other][caller] <= 1
        self.served_meanwhile[caller] = Counter()

    @precondition(lambda self: self.taken)
    @rule()
    def put_back(self) -> None:
        """A returned entry is the next one."""
        entry = self.taken.pop()
        self.queue.put_back(self.caller_of[entry], entry)
        self.lines[self.caller_of[entry]].insert(0, entry)
        # A turn that was in vain is repeated; from then on the turns are fair again.
        self.served_meanwhile = {caller: Counter() for caller in "abcd"}

    @precondition(lambda self: any(self.lines.values()))
    @rule(data=st.data())
    def remove(self, data: st.DataObject) -> None:
        """A waiting entry can be removed once."""
        entry = data.draw(st.sampled_from(sorted(chain(*self.lines.values()))))
        caller = self.caller_of[entry]
        assert self.queue.remove(caller, entry)
        assert not self.queue.remove(caller, entry)
        self.lines[caller].remove(entry)

    @rule(caller=CALLERS)
    def join(self, caller: str) -> None:
        """A joined caller counts against the capacity and displaces no entry."""
        expected = None
        if self._held(caller) >= self.share:
            expected = "caller_share_full"
        elif len(self.queue) >= self.capacity:
            expected = "queue_full"
        assert self.queue.join(caller) == expected
        if expected is None:
            self.companions[caller] += 1

    @precondition(lambda self: self.companions.total())
    @rule(data=st.data())
    def leave(self, data: st.DataObject) -> None:
        """A caller that leaves frees its capacity."""
        caller = data.draw(st.sampled_from(sorted(+self.companions)))
        self.queue.leave(caller)
        self.companions[caller] -= 1

    @invariant()
    def counts_agree(self) -> None:
        """The queue holds exactly what entered and has not left; entries put back may exceed its capacity."""
        if not hasattr(self, "queue"):
            return
        in_line = sum(len(line) for line in self.lines.values())
        assert self.queue.in_line == in_line
        assert len(self.queue) == in_line + self.companions.total()
        for caller in "abcd":
            assert self.queue.held_by(caller) == self._held(caller)

    def _held(self, caller: str) -> int:
        return len(self.lines[caller]) + self.companions[caller]


FairQueueMachine.TestCase.settings = settings(max_examples=100, stateful_step_count=30, deadline=None)
TestFairQueue = FairQueueMachine.TestCase


def test_a_flood_never_keeps_others_out() -> None:
    """With a queue full of one caller's entries, others still enter and are served in turn."""
    queue: FairQueue[str] = FairQueue(10, 10)
    for number in range(10):
        assert queue.enter("flood", f"flood {number}").full_reason is None
    assert queue.enter("flood", "flood 10").full_reason == "caller_share_full"
    for name in ("ann", "bob"):
        assert queue.enter(name, name).displaced is not None
    assert [queue.take() for _ in range(4)] == ["flood 0", "ann", "bob", "flood 1"]


def test_the_platform_is_never_kept_out() -> None:
    """However full the queue is of however many callers, the first caller enters, is served first and is not displaced."""
    queue: FairQueue[str] = FairQueue(4, 3, "platform")
    for number in range(4):
        assert queue.enter(f"caller {number}", f"question {number}").full_reason is None
    assert queue.join("watcher") == "queue_full"
    assert queue.enter("late", "late").full_reason == "queue_full"
    entered = [queue.enter("platform", f"own {number}") for number in range(3)]
    assert [each.full_reason for each in entered] == [None] * 3
    assert all(each.displaced is not None for each in entered)
    assert queue.enter("platform", "own 3").full_reason == "caller_share_full"
    assert queue.enter("late", "late").full_reason == "queue_full"
    assert [queue.take() for _ in range(3)] == ["own 0", "own 1", "own 2"]
    assert queue.in_line == 1 and queue.join("platform") is None


def test_callers_with_enough_workers_are_passed_over() -> None:
    """`take` leaves their lines as they are."""
    queue: FairQueue[str] = FairQueue(4, 3)
    queue.enter("busy", "one")
    queue.enter("other", "two")
    assert queue.take(without=["busy"]) == "two"
    assert not queue.has_next(without=["busy"]) and queue.take(without=["busy"]) is None
    assert queue.take() == "one"


def test_the_advice_follows_load_and_pace() -> None:
    """More waiting or slower answers mean a later retry, more workers an earlier one, within limits."""
    pace = Pace()
    assert pace.retry_after_ms(0, 1) < pace.retry_after_ms(10, 1)
    assert pace.retry_after_ms(10, 4) < pace.retry_after_ms(10, 1)
    quick = pace.retry_after_ms(50, 1)
    for _ in range(200):
        pace.observe(2.0)
    assert pace.retry_after_ms(50, 1) > quick
    assert pace.retry_after_ms(10**6, 1) == MOST_MS
    for _ in range(2_000):
        pace.observe(0.0)
    assert pace.retry_after_ms(10**3, 1) == LEAST_MS


def test_fewer_may_wait_where_questions_take_longer() -> None:
    """As many may wait as are expected to be served in time, and a few for each worker in any case."""
    pace = Pace()
    for _ in range(2_000):
        pace.observe(0.0101)
    assert pace.queue_limit(0.5, 1) == 49
    assert pace.queue_limit(0.5, 4) == 198
    for _ in range(2_000):
        pace.observe(2.0)
    assert pace.queue_limit(0.5, 4) == 4 * LEAST_WAITING
    for _ in range(20_000):
        pace.observe(0.0)
    assert pace.queue_limit(0.5, 1) > 10**5
