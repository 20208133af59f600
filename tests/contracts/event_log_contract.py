"""What every event log and every snapshot store must do. Each adapter's test class inherits these tests."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from services.common.eventlog.port import (
    Appended,
    Conflict,
    EventLog,
    LogClosed,
    NewRecord,
    Record,
    Repeated,
    RequestRecord,
    SnapshotStore,
)

SECONDS = 60.0


def fact(body: bytes = b"body", name: str = "share_bought") -> NewRecord:
    """A record to be written."""
    return NewRecord(name, 1, body)


def request(request_id: str = "r1", content: bytes = b"hash", player: str = "ann") -> RequestRecord:
    """A request with the outcome `done`."""
    return RequestRecord(request_id, player, content, b"done")


def bodies(records: list[Record]) -> list[bytes]:
    """Bodies of records."""
    return [record.payload for record in records]


class EventLogContract:
    """Needs a fixture `log`, whose clock stands at 1,700,000,000,000."""

    def test_records_come_back_as_written(self, log: EventLog) -> None:
        """A record keeps its stream, sequence, type, version and body, and gets time and position."""
        assert log.append("game.1", 0, [NewRecord("tile_laid", 3, b"\x00\xff;,\x00")]) == Appended(1, 1)
        assert log.read("game.1") == [
            Record("game.1", 1, "tile_laid", 3, b"\x00\xff;,\x00", 1_700_000_000_000, 1)
        ]

    def test_any_bytes_survive(self, log: EventLog) -> None:
        """Bodies of all byte values and sizes come back unchanged."""
        written = [b"", bytes(range(256)) * 20, b"\x00", b"\xff\xfe", bytes(range(255, -1, -1))]
        log.append("game.1", 0, [fact(body) for body in written])
        assert bodies(log.read("game.1")) == written
        assert bodies(log.read_all()) == written

    def test_many_records_in_one_append(self, log: EventLog) -> None:
        """An append of 2,500 records is one append with sequences without gaps."""
        assert log.append("game.1", 0, [fact(b"%d" % n) for n in range(2500)]) == Appended(1, 2500)
        assert [record.sequence for record in log.read("game.1")] == list(range(1, 2501))

    def test_unknown_stream_is_empty(self, log: EventLog) -> None:
        """Reading what was never written gives nothing."""
        assert log.read("game.none") == []

    def test_read_takes_a_range(self, log: EventLog) -> None:
        """`after` is exclusive, `up_to` inclusive."""
        log.append("game.1", 0, [fact(b"%d" % n) for n in range(1, 6)])
        assert bodies(log.read("game.1", after=1, up_to=3)) == [b"2", b"3"]
        assert bodies(log.read("game.1", after=4)) == [b"5"]
        assert log.read("game.1", up_to=0) == []

    def test_second_writer_of_a_sequence_loses(self, log: EventLog) -> None:
        """An append with a stale expectation writes nothing and tells the actual sequence."""
        log.append("game.1", 0, [fact(), fact()])
        assert log.append("game.1", 1, [fact(b"late")]) == Conflict(2)
        assert log.append("game.1", 3, [fact(b"early")]) == Conflict(2)
        assert len(log.read("game.1")) == 2

    def test_streams_do_not_disturb_each_other(self, log: EventLog) -> None:
        """Sequences count per stream, positions over all."""
        log.append("game.1", 0, [fact()])
        assert log.append("game.2", 0, [fact()]) == Appended(1, 1)
        assert [record.position for record in log.read_all()] == [1, 2]

    def test_nothing_cannot_be_appended(self, log: EventLog) -> None:
        """An append without records is a mistake of the caller."""
        with pytest.raises(ValueError, match="at least one record"):
            log.append("game.1", 0, [])

    def test_repeat_returns_the_first_outcome(self, log: EventLog) -> None:
        """The same request id writes once, whatever sequence the repeat expects."""
        log.append("game.1", 0, [fact()], request())
        assert log.append("game.1", 0, [fact()], request()) == Repeated(b"done", True)
        assert log.append("game.1", 1, [fact()], request()) == Repeated(b"done", True)
        assert len(log.read("game.1")) == 1

    def test_repeat_with_other_content_is_detected(self, log: EventLog) -> None:
        """Other content or another player under a known request id is detected."""
        log.append("game.1", 0, [fact()], request())
        assert log.append("game.1", 1, [fact()], request(content=b"other")) == Repeated(b"done", False)
        assert log.append("game.1", 1, [fact()], request(player="bob")) == Repeated(b"done", False)

    def test_request_ids_belong_to_their_stream(self, log: EventLog) -> None:
        """The same id in another stream is another request."""
        log.append("game.1", 0, [fact()], request())
        assert log.append("game.2", 0, [fact()], request()) == Appended(1, 1)

    def test_a_lost_race_does_not_use_up_the_request(self, log: EventLog) -> None:
        """After a conflict the same request may be sent again."""
        log.append("game.1", 0, [fact()])
        assert log.append("game.1", 0, [fact()], request()) == Conflict(1)
        assert log.outcome("game.1", "r1") is None
        assert log.append("game.1", 1, [fact()], request()) == Appended(2, 2)

    def test_outcome_is_found_by_request(self, log: EventLog) -> None:
        """The kept request comes back; an unknown one does not exist."""
        log.append("game.1", 0, [fact()], request())
        assert log.outcome("game.1", "r1") == request()
        assert log.outcome("game.1", "r2") is None
        assert log.outcome("game.9", "r1") is None

    @pytest.mark.parametrize(
        "odd", ["a\0b", "\0", "", "a'b\"c", '["a", 1]', "\u2028\U0010ffff", "x" * 100_000]
    )
    def test_a_request_id_may_be_any_text(self, log: EventLog, odd: str) -> None:
        """It is found again whole, and nothing that only begins like it is."""
        assert log.append("game.1", 0, [fact()], request(odd)) == Appended(1, 1)
        assert log.append("game.1", 0, [fact()], request(odd)) == Repeated(b"done", True)
        assert log.outcome("game.1", odd) == request(odd)
        assert log.outcome("game.1", "a") is None
        assert log.requests("game.1") == [request(odd)]

    @pytest.mark.parametrize("odd", ["game.a\0b", "game.a'b\"c", '["game.a", 1]', "game." + "x" * 100_000])
    def test_a_stream_may_have_any_name(self, log: EventLog, odd: str) -> None:
        """It goes on where it stands, and is not taken for one that only begins like it."""
        assert log.append(odd, 0, [fact(b"1")], request()) == Appended(1, 1)
        assert log.append(odd, 1, [fact(b"2")]) == Appended(2, 2)
        assert log.append("game.a", 0, [fact(b"3")]) == Appended(1, 1)
        assert (bodies(log.read(odd)), bodies(log.read("game.a"))) == ([b"1", b"2"], [b"3"])
        assert log.outcome(odd, "r1") == request()
        assert set(log.streams()) == {odd, "game.a"}

    def test_all_requests_of_a_stream_are_listed(self, log: EventLog) -> None:
        """Each with its outcome, those of other streams left out."""
        log.append("game.1", 0, [fact()], request("r1"))
        log.append("game.1", 1, [fact()], request("r2"))
        log.append("game.2", 0, [fact()], request("r3"))
        assert sorted(each.request_id for each in log.requests("game.1")) == ["r1", "r2"]
        assert log.requests("game.2") == [request("r3")]
        assert log.requests("game.9") == []

    def test_streams_are_listed_by_prefix(self, log: EventLog) -> None:
        """Names come in order and only those with the prefix."""
        for name in ("game.b", "table.1", "game.a"):
            log.append(name, 0, [fact()])
        assert log.streams("game.") == ["game.a", "game.b"]
        assert log.streams() == ["game.a", "game.b", "table.1"]

    def test_all_records_are_read_by_position(self, log: EventLog) -> None:
        """`read_all` honours start, limit and prefix."""
        for name in ("game.1", "table.1", "game.2", "game.1x"):
            log.append(name, 0, [fact(name.encode())])
        assert log.last_position() == 4
        assert bodies(log.read_all(1, 2)) == [b"table.1", b"game.2"]
        assert bodies(log.read_all(0, 10, "game.")) == [b"game.1", b"game.2", b"game.1x"]
        assert bodies(log.read_all(1, 1, "game.")) == [b"game.2"]

    def test_consumers_keep_their_position(self, log: EventLog) -> None:
        """A saved position comes back, per consumer."""
        assert log.position("ledger") == 0
        log.save_position("ledger", 7)
        log.save_position("ledger", 9)
        assert (log.position("ledger"), log.position("other")) == (9, 0)

    def test_subscriber_gets_old_and_new_records(self, log: EventLog) -> None:
        """A subscription begins after its position and goes on live, without gaps or repeats."""
        log.append("game.1", 0, [fact(b"1"), fact(b"2")])
        subscription = log.subscribe(after_position=1)
        assert bodies(subscription.wait(SECONDS)) == [b"2"]
        timer = threading.Timer(0.05, lambda: log.append("game.1", 2, [fact(b"3")]))
        timer.start()
        assert bodies(subscription.wait(SECONDS)) == [b"3"]
        assert subscription.position == 3
        assert subscription.wait(0.01) == []
        timer.join()

    def test_subscriber_passes_over_other_streams(self, log: EventLog) -> None:
        """With a prefix only matching streams are handed out, and the position moves on all the same."""
        log.append("game.1", 0, [fact(b"1")])
        log.append("table.1", 0, [fact(b"2")])
        log.append("game.2", 0, [fact(b"3")])
        subscription = log.subscribe(prefix="table.")
        assert bodies(subscription.wait(SECONDS)) == [b"2"]
        assert subscription.position == 3

    def test_closing_ends_a_waiting_subscription(self, log: EventLog) -> None:
        """Iteration ends when the subscription is closed, and when the log is closed."""
        log.append("game.1", 0, [fact()])
        first, second = log.subscribe(), log.subscribe()
        with ThreadPoolExecutor(2) as pool:
            ends = [pool.submit(list, subscription) for subscription in (first, second)]
            first.close()
            ends[0].result(SECONDS)
            log.close()
            assert len(ends[1].result(SECONDS)) <= 1

    def test_one_of_many_writers_wins(self, log: EventLog) -> None:
        """Of writers that expect the same sequence at the same time exactly one succeeds."""
        with ThreadPoolExecutor(8) as pool:
            for round_number in range(10):
                results = list(
                    pool.map(
                        lambda n, expected=round_number: log.append("g", expected, [fact(b"%d" % n)]),
                        range(8),
                    )
                )
                assert sum(isinstance(result, Appended) for result in results) == 1
        assert [record.sequence for record in log.read("g")] == list(range(1, 11))

    def test_writers_of_many_streams_lose_nothing(self, log: EventLog) -> None:
        """Parallel appends to many streams are all there, each stream in order, positions without gap."""

        def write(stream: str) -> None:
            for expected in range(25):
                assert log.append(stream, expected, [fact(b"%d" % expected)]) == Appended(
                    expected + 1, expected + 1
                )

        names = [f"game.{number}" for number in range(8)]
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(write, names))
        assert all(bodies(log.read(name)) == [b"%d" % n for n in range(25)] for name in names)
        assert [record.position for record in log.read_all()] == list(range(1, 201))

    def test_closed_log_says_so(self, log: EventLog) -> None:
        """After closing every use is refused by name; closing twice is harmless."""
        log.close()
        log.close()
        uses = (
            lambda: log.append("game.1", 0, [fact()]),
            lambda: log.read("game.1"),
            lambda: log.read_all(),
            lambda: log.streams(),
            lambda: log.subscribe(),
            lambda: log.outcome("game.1", "r1"),
            lambda: log.requests("game.1"),
        )
        for use in uses:
            with pytest.raises(LogClosed):
                use()


class SnapshotStoreContract:
    """Needs a fixture `snapshots`."""

    def test_newest_snapshot_is_given(self, snapshots: SnapshotStore) -> None:
        """The highest sequence wins, or the highest at or before a wanted one."""
        snapshots.put("game.1", 200, 1, b"old")
        snapshots.put("game.1", 400, 2, b"new")
        newest = snapshots.latest("game.1")
        assert newest is not None
        assert (newest.stream, newest.sequence, newest.schema, newest.payload) == ("game.1", 400, 2, b"new")
        earlier = snapshots.latest("game.1", up_to=399)
        assert earlier is not None
        assert earlier.payload == b"old"
        assert snapshots.latest("game.1", up_to=199) is None

    def test_same_sequence_is_replaced(self, snapshots: SnapshotStore) -> None:
        """A snapshot of the same sequence takes the place of the one before."""
        snapshots.put("game.1", 200, 1, b"old")
        snapshots.put("game.1", 200, 1, b"new")
        newest = snapshots.latest("game.1")
        assert newest is not None
        assert newest.payload == b"new"

    def test_forgotten_snapshots_are_gone(self, snapshots: SnapshotStore) -> None:
        """Forgetting drops one stream's snapshots only."""
        snapshots.put("game.1", 200, 1, b"one")
        snapshots.put("game.2", 200, 1, b"two")
        snapshots.forget("game.1")
        assert snapshots.latest("game.1") is None
        assert snapshots.latest("game.2") is not None
