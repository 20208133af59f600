"""What every adapter of wake-ups and presence must do. Each adapter's test class inherits these tests."""

from services.common.clock import ManualClock
from services.lobby.ports import ONLINE_MS, Presence, WakeUps


class WakeUpsContract:
    """Needs a fixture `wake_ups`, without any set."""

    def test_each_comes_once_when_its_time_has_come(self, wake_ups: WakeUps) -> None:
        """The earliest first, none before its time, none twice."""
        wake_ups.set("b", 2_000)
        wake_ups.set("a", 3_000)
        wake_ups.set("c", 5_000)
        assert wake_ups.due(1_999) == []
        assert wake_ups.due(3_000) == ["b", "a"]
        assert wake_ups.due(3_000) == []
        assert wake_ups.due(9_000) == ["c"]

    def test_a_later_time_replaces_the_one_before(self, wake_ups: WakeUps) -> None:
        """And an earlier one as well; there is one wake-up for a key."""
        wake_ups.set("a", 1_000)
        wake_ups.set("a", 2_000)
        wake_ups.set("b", 2_000)
        wake_ups.set("b", 1_000)
        assert wake_ups.due(1_500) == ["b"]
        assert wake_ups.due(2_500) == ["a"]

    def test_what_was_dropped_does_not_come(self, wake_ups: WakeUps) -> None:
        """Dropping what was never set is harmless."""
        wake_ups.set("a", 1_000)
        wake_ups.drop("a")
        wake_ups.drop("never")
        assert wake_ups.due(2_000) == []

    def test_no_more_than_asked_for(self, wake_ups: WakeUps) -> None:
        """The rest comes with the next question."""
        for number in range(5):
            wake_ups.set(f"g{number}", number)
        assert wake_ups.due(100, 3) == ["g0", "g1", "g2"]
        assert wake_ups.due(100, 3) == ["g3", "g4"]

    def test_a_clock_that_went_back_takes_nothing(self, wake_ups: WakeUps) -> None:
        """Times before now, zero and below do no harm."""
        wake_ups.set("a", 1_000)
        assert wake_ups.due(0) == []
        assert wake_ups.due(-5) == []
        assert wake_ups.due(1_000) == ["a"]


class PresenceContract:
    """Needs a fixture `presence`, empty, and the `clock` it reads."""

    def test_only_who_was_seen_is_online(self, presence: Presence) -> None:
        """Others are not, and nobody is among nobody."""
        presence.seen("ann")
        assert presence.online(["ann", "bob"]) == {"ann"}
        assert presence.online([]) == frozenset()

    def test_nobody_stays_online_for_ever(self, presence: Presence, clock: ManualClock) -> None:
        """After two minutes without a call a player is gone; another call starts them anew."""
        presence.seen("ann")
        presence.seen("bob")
        clock.advance(ONLINE_MS - 1)
        assert presence.online(["ann", "bob"]) == {"ann", "bob"}
        presence.seen("bob")
        clock.advance(1)
        assert presence.online(["ann", "bob"]) == {"bob"}

    def test_a_clock_that_went_back_loses_nobody(self, presence: Presence, clock: ManualClock) -> None:
        """Who was seen stays online."""
        presence.seen("ann")
        clock.advance(-10_000)
        presence.seen("bob")
        assert presence.online(["ann", "bob"]) == {"ann", "bob"}
