"""The follower: repeated, missing and broken events, audits, holds, restarts."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from services.gen.signalbox.events.v1 import events_pb2 as ev
from services.ledger.adapters.memory import MemoryBookStore
from services.ledger.domain.audit import ReportedBalances
from services.ledger.domain.errors import SequenceOutOfRangeError
from services.ledger.domain.journal import Entry
from services.ledger.handlers import Ledger, UnknownGameError
from services.ledger.ports import Hold, StaleBookError, UnwritableStoreError

from .tables import money
from .wire import ListedLog, RecordedAlarms, RecordedHolds, event, opening

HONEST = ReportedBalances(
    sequence=10,
    cash={"bank": 400, "ann": 200, "bob": 400},
    shares={("bank", "BH"): 8, ("ann", "BH"): 2},
    debts={},
)


class Bench:
    """A ledger with all its ports at hand."""

    def __init__(self, books_in_memory: int = 10, entries_in_memory: int = 1000) -> None:
        self.store: MemoryBookStore = MemoryBookStore()
        self.log = ListedLog()
        self.holds, self.alarms = RecordedHolds(), RecordedAlarms()
        self.books_in_memory, self.entries_in_memory = books_in_memory, entries_in_memory
        self.ledger = self.started()

    def started(self) -> Ledger:
        """Another ledger on the same ports, as after a restart."""
        return Ledger(
            self.store,
            self.log,
            self.holds,
            self.alarms,
            self.books_in_memory,
            entries_in_memory=self.entries_in_memory,
        )

    def in_memory(self) -> list[str]:
        """The games whose books are in memory, the one asked for longest ago first."""
        return list(self.ledger._open)

    def commit(self, events: list[ev.GameEvent], game_id: str = "g") -> int:
        """Rules commits events and the ledger handles them."""
        self.log.written.setdefault(game_id, []).extend(events)
        return self.ledger.handle(game_id, events)


@pytest.fixture
def bench() -> Bench:
    """A fresh ledger."""
    return Bench()


def test_a_batch_is_booked_and_stored(bench: Bench) -> None:
    """After a batch its last sequence is booked, stored with its entries, and nothing is held."""
    assert bench.commit(opening()) == 10
    stored = bench.store.load("g")
    assert stored is not None
    with bench.ledger.reading("g") as book:
        assert money(book, "ann") == 200
        assert (stored.sequence, list(stored.entries)) == (10, book.entries)
    assert (bench.holds.held, bench.alarms.found, bench.alarms.events) == ({}, [], 10)


def test_repeated_events_are_dropped(bench: Bench) -> None:
    """A batch delivered twice, or overlapping the one before, is booked once."""
    log = opening()
    bench.ledger.handle("g", log[:6])
    assert bench.ledger.handle("g", log[:6]) == 6
    assert bench.ledger.handle("g", log[3:]) == 10
    assert bench.ledger.audit("g", HONEST).passed


def test_missing_events_are_fetched_from_the_log(bench: Bench) -> None:
    """A batch that comes too early is booked behind what the log holds before it."""
    log = opening()
    bench.ledger.handle("g", log[:2])
    bench.log.written["g"] = log
    assert bench.ledger.handle("g", log[8:]) == 10
    assert bench.ledger.audit("g", HONEST).passed


def test_events_that_are_nowhere_hold_the_game(bench: Bench) -> None:
    """A gap that the log cannot fill stops the game and names both sequences."""
    bench.ledger.handle("g", opening()[:2])
    assert bench.ledger.handle("g", opening()[5:]) == 2
    (hold,) = bench.ledger.holds()
    assert (hold.reason, hold.detail) == ("sequence_gap", "game g: sequence 3 is next, 6 was given")
    assert bench.holds.held == {"g": "sequence_gap"}


def test_a_difference_holds_the_game_and_raises_the_alarm(bench: Bench) -> None:
    """One coin too many in rules is found, reported and holds the game."""
    bench.commit(opening())
    seeded = ReportedBalances(10, {**HONEST.cash, "ann": 201}, HONEST.shares, {})
    assert not bench.ledger.audit("g", seeded).passed
    (hold,) = bench.alarms.found
    assert (hold.reason, hold.sequence) == ("difference", 10)
    assert hold.detail == "ann has 200 money in the books, 201 in rules"
    assert bench.holds.held == {"g": "difference"}
    assert bench.ledger.compared("g") is not None


def test_a_broken_law_holds_the_game(bench: Bench) -> None:
    """Money that a player never had is a finding even before rules reports."""
    spent = ev.CashMoved(source="ann", target="bank", amount=300, reason="tile_cost")
    bench.commit([*opening(), event(11, cash_moved=spent)])
    assert bench.holds.held == {"g": "broken_law"}


@pytest.mark.parametrize("broken", [event(11), event(11, "other game", turn_ended=ev.TurnEnded(actor="ann"))])
def test_a_malformed_event_holds_the_game_at_the_last_good_one(bench: Bench, broken: ev.GameEvent) -> None:
    """What cannot be booked stops the book before it, and what was good is stored."""
    assert bench.commit([*opening(), broken]) == 10
    assert bench.holds.held == {"g": "malformed_fact"}
    assert bench.alarms.found[0].detail.startswith("game g, sequence 11: the event ")


def test_a_hold_outlives_a_restart_until_it_is_released(bench: Bench) -> None:
    """A restarted ledger sets its holds again; releasing one is for good."""
    bench.commit([*opening(), event(11)])
    bench.holds.held.clear()
    again = bench.started()
    assert bench.holds.held == {"g": "malformed_fact"}
    assert again.hold_of("g") is not None
    again.release("g")
    assert (bench.holds.held, again.holds(), bench.started().holds()) == ({}, (), ())


def test_a_restarted_ledger_goes_on_where_it_stopped(bench: Bench) -> None:
    """After a restart the stored book is used and only what the log has beyond it is read."""
    bench.commit(opening()[:7])
    bench.log.written["g"] = opening()
    again = bench.started()
    with again.reading("g") as book:
        assert book.sequence == 10
    assert again.audit("g", HONEST).passed


def test_a_comparison_outlives_a_restart(bench: Bench) -> None:
    """A game at rest is known to agree with rules; what differed is known by its hold."""
    bench.commit(opening())
    assert bench.started().compared("g") is None
    bench.ledger.audit("g", HONEST)
    compared = bench.started().compared("g")
    assert compared is not None
    assert (compared.sequence, compared.passed) == (10, True)
    bench.ledger.rebuild("g")
    assert bench.started().compared("g") is None
    bench.ledger.audit("g", ReportedBalances(10, {**HONEST.cash, "ann": 201}, HONEST.shares, {}))
    again = bench.started()
    assert again.compared("g") is None
    assert again.hold_of("g") is not None


def test_a_book_that_is_nowhere_stored_is_made_from_the_log(bench: Bench) -> None:
    """A missing book is rebuilt from the log when it is first asked for."""
    bench.log.written["g"] = opening()
    with bench.ledger.reading("g") as book:
        assert book.sequence == 10


def test_rebuilding_drops_what_is_stored(bench: Bench) -> None:
    """A rebuilt book comes from the log alone and is stored again."""
    bench.commit(opening())
    assert bench.ledger.rebuild("g") == 10
    assert bench.ledger.audit("g", HONEST).passed
    assert bench.alarms.rebuilds == ["requested by an operator"]


def test_a_game_without_events_is_unknown(bench: Bench) -> None:
    """Asking for an unknown game raises and stores nothing."""
    with pytest.raises(UnknownGameError), bench.ledger.reading("nowhere"):
        pass
    assert bench.store.load("nowhere") is None


def test_a_report_ahead_of_the_books_is_refused(bench: Bench) -> None:
    """A status at a sequence not booked yet is no difference."""
    bench.commit(opening())
    with pytest.raises(SequenceOutOfRangeError):
        bench.ledger.audit("g", ReportedBalances(11, {}, {}, {}))
    assert bench.holds.held == {}


def test_evicted_books_come_back() -> None:
    """With more games than fit into memory every game still goes on."""
    bench = Bench(books_in_memory=2)
    games = [f"g{number}" for number in range(5)]
    for cut in (0, 6):
        for game_id in games:
            bench.commit(opening(game_id)[cut : cut + 6], game_id)
    assert all(bench.ledger.audit(game_id, HONEST).passed for game_id in games)


def test_long_books_put_others_aside() -> None:
    """Eviction counts entries, not books, also while they grow; the book in use always stays."""
    measured = Bench()
    measured.commit(opening())
    with measured.ledger.reading("g") as book:
        whole = len(book.entries)
    bench = Bench(entries_in_memory=2 * whole)
    for game_id in ("g0", "g1"):
        bench.commit(opening(game_id), game_id)
    assert bench.in_memory() == ["g0", "g1"]
    bench.commit(opening("g2")[:1], "g2")
    assert bench.in_memory() == ["g1", "g2"]
    bench.commit(opening("g2")[1:], "g2")
    assert bench.in_memory() == ["g1", "g2"]
    bench.commit([event(11, "g2", round_ended=ev.RoundEnded(kind="stock"))], "g2")
    assert bench.in_memory() == ["g2"]
    for game_id in ("g0", "g1", "g0"):
        bench.ledger.rebuild(game_id)
    assert bench.in_memory() == ["g1", "g0"]
    assert all(bench.ledger.audit(f"g{each}", HONEST).passed for each in range(3))
    small = Bench(entries_in_memory=1)
    small.commit(opening())
    assert small.in_memory() == ["g"]


def test_a_book_that_could_not_be_stored_is_not_kept(bench: Bench) -> None:
    """When another writer was faster, memory is dropped with the refused batch and read again."""
    bench.commit(opening()[:6])
    bench.started().handle("g", opening()[6:8])
    with pytest.raises(StaleBookError):
        bench.commit(opening()[6:])
    with bench.ledger.reading("g") as book:
        assert book.sequence == 10


def spent(sequence: int, amount: int) -> ev.GameEvent:
    """Ann pays the bank."""
    return event(
        sequence, cash_moved=ev.CashMoved(source="ann", target="bank", amount=amount, reason="tile_cost")
    )


@pytest.mark.parametrize(("amount", "held"), [(200, {}), (201, {"g": "broken_law"})])
def test_a_book_that_breaks_a_law_is_made_anew_before_its_game_is_held(
    bench: Bench, amount: int, held: dict[str, str]
) -> None:
    """In a cluster it may have events of a log that was put back to an earlier state. Where the log breaks the law, once."""
    ledger = Ledger(bench.store, bench.log, bench.holds, bench.alarms, reads_log_when_opened=False)
    lost = opening()
    lost[7].cash_moved.amount = 300
    ledger.handle("g", lost)
    bench.log.written["g"] = [*opening(), spent(11, amount)]
    with pytest.raises(StaleBookError):
        ledger.handle("g", [spent(11, amount)])
    assert bench.holds.held == {} and len(bench.alarms.rebuilds) == 1
    assert ledger.handle("g", [spent(11, amount)]) == 11
    assert bench.holds.held == held
    with ledger.reading("g") as book:
        assert money(book, "ann") == 200 - amount


class FullStore(MemoryBookStore):
    """A store that takes nothing while it is full."""

    is_full = False

    def append(self, game_id: str, expected: int, sequence: int, entries: Sequence[Entry]) -> None:
        """See `BookStore`."""
        self._check()
        super().append(game_id, expected, sequence, entries)

    def note_agreed(self, game_id: str, sequence: int) -> None:
        """See `BookStore`."""
        self._check()
        super().note_agreed(game_id, sequence)

    def put_hold(self, hold: Hold) -> None:
        """See `BookStore`."""
        self._check()
        super().put_hold(hold)

    def _check(self) -> None:
        if self.is_full:
            raise UnwritableStoreError("disk full")


def test_a_full_store_delays_nobody(bench: Bench) -> None:
    """Books go on in memory and are compared and read; with room they are stored from where they were. A game is held all
    the same."""
    store = bench.store = FullStore()
    bench.ledger = bench.started()
    bench.commit(opening()[:3])
    store.is_full = True
    bench.commit(opening()[3:])
    assert not bench.ledger.audit("g", HONEST).differences
    with bench.ledger.reading("g") as book:
        assert book.sequence == 10
    wrong = ReportedBalances(10, {**HONEST.cash, "ann": 1}, HONEST.shares, {})
    assert bench.ledger.audit("g", wrong).differences and "g" in bench.holds.held
    kept = bench.store.load("g")
    assert kept is not None and kept.sequence == 3
    restarted = bench.started()
    with restarted.reading("g") as book:
        assert book.sequence == 10
    store.is_full = False
    bench.commit([event(11, round_ended=ev.RoundEnded(kind="stock"))])
    kept = bench.store.load("g")
    assert kept is not None and kept.sequence == 11
    assert bench.ledger.audit("g", ReportedBalances(11, HONEST.cash, HONEST.shares, {})).sequence == 11


def test_a_replica_does_not_go_on_without_its_store(bench: Bench) -> None:
    """What it has consumed is stored before it is acknowledged."""
    store = FullStore()
    store.is_full = True
    ledger = Ledger(store, bench.log, bench.holds, bench.alarms, reads_log_when_opened=False)
    with pytest.raises(UnwritableStoreError):
        ledger.handle("g", opening())
    store.is_full = False
    assert ledger.handle("g", opening()) == 10
