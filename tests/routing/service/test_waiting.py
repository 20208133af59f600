"""The shared queue: nothing lost, nothing doubled, bounds kept, turns fair."""

from __future__ import annotations

from collections import Counter
from itertools import chain

from hypothesis import settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from services.routing.domain.pace import LEAST_MS, LEAST_PLACES, MOST_MS, Pace
from services.routing.domain.waiting import WaitingRoom

CALLERS = st.sampled_from("abcd")


class WaitingRoomMachine(RuleBasedStateMachine):
    """A waiting room beside a plain account of everything that was done to it."""

    @initialize(places=st.integers(1, 8), share=st.integers(1, 8))
    def open(self, places: int, share: int) -> None:
        """Rooms of all sizes, also with shares larger than the room."""
        self.places, self.places_most, self.share = places, places, share
        self.room: WaitingRoom[int] = WaitingRoom(places, share)
        self.last_number = 0
        self.lines: dict[str, list[int]] = {caller: [] for caller in "abcd"}
        self.caller_of: dict[int, str] = {}
        self.companions: Counter[str] = Counter()
        self.taken: list[int] = []
        # Who was served how often while this caller waited for its next turn.
        self.served_meanwhile: dict[str, Counter[str]] = {}

    @rule(caller=CALLERS)
    def enter(self, caller: str) -> None:
        """Refused only without room; someone is displaced only from a line longer than the newcomer's own."""
        self.last_number += 1
        number = self.last_number
        held, total = self._held(caller), len(self.room)
        longest = max(len(line) for line in self.lines.values())
        admission = self.room.enter(caller, number)
        if held >= self.share:
            assert admission.no_room == "caller_share_full"
        elif total < self.places:
            assert (admission.no_room, admission.displaced) == (None, None)
        elif longest <= held + 1:
            assert admission.no_room == "queue_full"
        else:
            assert admission.no_room is None
            assert admission.displaced is not None
            victim = self.caller_of[admission.displaced]
            assert len(self.lines[victim]) == longest
            assert self.lines[victim].pop() == admission.displaced
        if admission.no_room is None:
            if not self.lines[caller]:
                self.served_meanwhile[caller] = Counter()
            self.lines[caller].append(number)
            self.caller_of[number] = caller

    @rule(places=st.integers(1, 12))
    def resize(self, places: int) -> None:
        """From now on fewer come in, or more again up to what the room was made with."""
        self.room.resize(places)
        self.places = min(places, self.places_most)

    @rule()
    def take(self) -> None:
        """The oldest of some caller's line; nobody is served twice while another waits for a turn."""
        entry = self.room.take()
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
        """What comes back is the very next."""
        entry = self.taken.pop()
        self.room.put_back(self.caller_of[entry], entry)
        self.lines[self.caller_of[entry]].insert(0, entry)
        # A turn that was in vain is repeated; from then on the turns are fair again.
        self.served_meanwhile = {caller: Counter() for caller in "abcd"}

    @precondition(lambda self: any(self.lines.values()))
    @rule(data=st.data())
    def remove(self, data: st.DataObject) -> None:
        """Who is in line can leave it once."""
        entry = data.draw(st.sampled_from(sorted(chain(*self.lines.values()))))
        caller = self.caller_of[entry]
        assert self.room.remove(caller, entry)
        assert not self.room.remove(caller, entry)
        self.lines[caller].remove(entry)

    @rule(caller=CALLERS)
    def accompany(self, caller: str) -> None:
        """A companion takes a place like anybody and displaces nobody."""
        expected = None
        if self._held(caller) >= self.share:
            expected = "caller_share_full"
        elif len(self.room) >= self.places:
            expected = "queue_full"
        assert self.room.accompany(caller) == expected
        if expected is None:
            self.companions[caller] += 1

    @precondition(lambda self: self.companions.total())
    @rule(data=st.data())
    def depart(self, data: st.DataObject) -> None:
        """A companion's place is free again."""
        caller = data.draw(st.sampled_from(sorted(+self.companions)))
        self.room.depart(caller)
        self.companions[caller] -= 1

    @invariant()
    def counts_agree(self) -> None:
        """The room holds exactly what was let in and has not left; what was put back may exceed its size."""
        if not hasattr(self, "room"):
            return
        in_line = sum(len(line) for line in self.lines.values())
        assert self.room.in_line == in_line
        assert len(self.room) == in_line + self.companions.total()
        for caller in "abcd":
            assert self.room.held_by(caller) == self._held(caller)

    def _held(self, caller: str) -> int:
        return len(self.lines[caller]) + self.companions[caller]


WaitingRoomMachine.TestCase.settings = settings(max_examples=100, stateful_step_count=30, deadline=None)
TestWaitingRoom = WaitingRoomMachine.TestCase


def test_a_flood_never_keeps_others_out() -> None:
    """With a room full of one caller's entries, others still come in and are served in turn."""
    room: WaitingRoom[str] = WaitingRoom(10, 10)
    for number in range(10):
        assert room.enter("flood", f"flood {number}").no_room is None
    assert room.enter("flood", "flood 10").no_room == "caller_share_full"
    for name in ("ann", "bob"):
        assert room.enter(name, name).displaced is not None
    assert [room.take() for _ in range(4)] == ["flood 0", "ann", "bob", "flood 1"]


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
    """As many may wait as will probably be served in time, and a few for each worker in any case."""
    pace = Pace()
    for _ in range(2_000):
        pace.observe(0.0101)
    assert pace.places(0.5, 1) == 49
    assert pace.places(0.5, 4) == 198
    for _ in range(2_000):
        pace.observe(2.0)
    assert pace.places(0.5, 4) == 4 * LEAST_PLACES
    for _ in range(20_000):
        pace.observe(0.0)
    assert pace.places(0.5, 1) > 10**5
