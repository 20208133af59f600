"""What every store of books must do; each adapter passes the same tests."""

from __future__ import annotations

import errno
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from services.ledger.adapters import sqlite
from services.ledger.adapters.memory import MemoryBookStore
from services.ledger.adapters.sqlite import SqliteBookStore
from services.ledger.domain.journal import Declared, Moment, RoundClosed, Seated, TakenBack, Transfer, Valued
from services.ledger.handlers import Ledger
from services.ledger.ports import (
    BookStore,
    BrokenBookError,
    Hold,
    StaleBookError,
    StoredBook,
    UnwritableStoreError,
)

from .wire import ListedLog, RecordedAlarms, RecordedHolds, opening

FIRST = (
    Seated(1, ("ann", "bob")),
    Moment(1),
    Transfer(1, "g/1/0", "issue", "bank", 9, "money", "bank_opened"),
)
LATER = (
    Valued(2, "BH", 100, "ann"),
    Declared(3, "BH", "pay", 80, 8),
    RoundClosed(4),
    TakenBack(5, 2),
    Transfer(5, "g/5/0", "bank", "issue", 9, "money", "undone", "", "g/1/0"),
    Moment(5, "stock", 1, 1, "2", "ann", ("ann", "bob")),
)


class BookStoreContract:
    """Not collected itself; each adapter gives a store."""

    @pytest.fixture
    def store(self, tmp_path: Path) -> BookStore:
        """A fresh store."""
        raise NotImplementedError

    def test_nothing_is_stored_at_first(self, store: BookStore) -> None:
        """An unknown game has no book and no hold."""
        assert (store.load("g"), store.holds()) == (None, ())

    def test_entries_come_back_in_order_with_the_last_sequence(self, store: BookStore) -> None:
        """Every kind of entry comes back as it was stored, batch behind batch."""
        store.append("g", 0, 1, FIRST)
        store.append("g", 1, 5, LATER)
        assert store.load("g") == StoredBook(5, FIRST + LATER)

    def test_a_batch_may_have_no_entries(self, store: BookStore) -> None:
        """The last sequence moves on even when nothing was booked."""
        store.append("g", 0, 1, FIRST)
        store.append("g", 1, 7, ())
        assert store.load("g") == StoredBook(7, FIRST)

    def test_a_second_writer_loses(self, store: BookStore) -> None:
        """A writer that does not know the last sequence stores nothing."""
        store.append("g", 0, 1, FIRST)
        for expected in (0, 2):
            with pytest.raises(StaleBookError, match=f"game g: stored up to 1, not {expected}"):
                store.append("g", expected, 5, LATER)
        assert store.load("g") == StoredBook(1, FIRST)

    def test_games_do_not_mix(self, store: BookStore) -> None:
        """Forgetting one game leaves the other."""
        store.append("g", 0, 1, FIRST)
        store.append("h", 0, 1, FIRST)
        store.forget("g")
        assert store.load("g") is None
        assert store.load("h") == StoredBook(1, FIRST)

    def test_what_agreed_is_kept_with_the_book(self, store: BookStore) -> None:
        """The latest counts; it goes when the book is forgotten."""
        store.append("g", 0, 1, FIRST)
        store.note_agreed("g", 1)
        assert store.load("g") == StoredBook(1, FIRST, 1)
        store.append("g", 1, 5, LATER)
        assert store.load("g") == StoredBook(5, FIRST + LATER, 1)
        store.note_agreed("g", 5)
        assert store.load("g") == StoredBook(5, FIRST + LATER, 5)
        store.forget("g")
        store.append("g", 0, 1, FIRST)
        assert store.load("g") == StoredBook(1, FIRST)

    def test_holds_are_kept_by_game(self, store: BookStore) -> None:
        """A later hold of a game replaces its earlier one; forgetting a book keeps its hold."""
        store.put_hold(Hold("h", "difference", "ann", 3))
        store.put_hold(Hold("g", "difference", "bob", 4))
        store.put_hold(Hold("g", "broken_law", "cy", 5))
        store.forget("g")
        assert store.holds() == (Hold("g", "broken_law", "cy", 5), Hold("h", "difference", "ann", 3))
        store.remove_hold("g")
        store.remove_hold("unknown")
        assert store.holds() == (Hold("h", "difference", "ann", 3),)


class TestMemoryBookStore(BookStoreContract):
    """Books in memory."""

    @pytest.fixture
    def store(self, tmp_path: Path) -> BookStore:
        """A fresh store."""
        return MemoryBookStore()


class TestSqliteBookStore(BookStoreContract):
    """Books in a file."""

    @pytest.fixture
    def store(self, tmp_path: Path) -> BookStore:
        """A fresh file."""
        return SqliteBookStore(tmp_path / "books.db")

    def test_a_file_opened_again_holds_everything(self, store: BookStore, tmp_path: Path) -> None:
        """Books and holds are in the file."""
        store.append("g", 0, 1, FIRST)
        store.put_hold(Hold("g", "difference", "ann", 1))
        store.close()
        again = SqliteBookStore(tmp_path / "books.db")
        assert again.load("g") == StoredBook(1, FIRST)
        assert again.holds() == (Hold("g", "difference", "ann", 1),)


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    """A foreign file is left alone."""
    path = tmp_path / "letter.txt"
    path.write_text("Dear Sir, this is no database but a letter." * 50)
    with pytest.raises(sqlite3.DatabaseError):
        SqliteBookStore(path)


def damage(path: Path, *tables: str) -> None:
    """Write over the pages of a closed file where these tables begin."""
    with closing(sqlite3.connect(path)) as connection:
        (size,) = connection.execute("PRAGMA page_size").fetchone()
        roots = dict(connection.execute("SELECT name, rootpage FROM sqlite_master WHERE type = 'table'"))
    with path.open("r+b") as file:
        for table in tables:
            file.seek((roots[table] - 1) * size)
            file.write(b"\xff" * size)


def test_an_expendable_file_damaged_at_work_is_begun_anew(tmp_path: Path) -> None:
    """The operation that finds the damage raises; then the file is empty, of the same source, and stores books."""
    path = tmp_path / "books.db"
    before = SqliteBookStore(path)
    before.append("g", 0, 1, FIRST)
    before.close()
    damage(path, "ledger_books")
    store = SqliteBookStore(path, is_expendable=True)
    store.note_source("a log")
    with pytest.raises(sqlite3.DatabaseError, match="malformed"):
        store.load("g")
    assert store.load("g") is None
    store.append("g", 0, 1, FIRST)
    store.close()
    again = SqliteBookStore(path)
    assert (again.load("g"), again.source()) == (StoredBook(1, FIRST), "a log")
    again.close()


def test_a_file_that_cannot_be_begun_anew_yet_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Work resumes after a disk was read-only for a while."""
    path = tmp_path / "books.db"
    SqliteBookStore(path).close()
    damage(path, "ledger_books")
    store = SqliteBookStore(path, is_expendable=True)
    with pytest.raises(sqlite3.DatabaseError):
        store.load("g")

    def read_only(_path: Path) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    with monkeypatch.context() as failing:
        failing.setattr(sqlite, "remove_database", read_only)
        for _ in range(2):
            with pytest.raises(OSError, match="Read-only"):
                store.load("g")
    assert store.load("g") is None
    store.close()


def test_a_file_of_the_host_is_never_dropped(tmp_path: Path) -> None:
    """It may hold more than books."""
    path = tmp_path / "books.db"
    SqliteBookStore(path).close()
    damage(path, "ledger_books")
    store = SqliteBookStore(path)
    for _ in range(2):
        with pytest.raises(sqlite3.DatabaseError, match="malformed"):
            store.load("g")
    store.close()


DAMAGES: list[tuple[str, str]] = [
    ("UPDATE ledger_entries SET entries = x'00ff'", "game g: "),
    ("UPDATE ledger_books SET schema_version = 99", "game g: stored with schema 99"),
    ("DELETE FROM ledger_entries", "game g: entries up to sequence 10 are incomplete"),
]


@pytest.mark.parametrize(("statement", "problem"), DAMAGES)
def test_a_damaged_book_is_named_and_made_again(statement: str, problem: str, tmp_path: Path) -> None:
    """The store names what cannot be read, and the ledger rebuilds the book from the log."""
    path, log, alarms = tmp_path / "books.db", ListedLog(), RecordedAlarms()
    log.written["g"] = opening()
    first = Ledger(SqliteBookStore(path), log, RecordedHolds(), alarms)
    first.handle("g", opening())
    first.close()
    with sqlite3.connect(path) as connection:
        connection.execute(statement)
    connection.close()
    with pytest.raises(BrokenBookError, match=problem):
        SqliteBookStore(path).load("g")
    again = Ledger(SqliteBookStore(path), log, RecordedHolds(), alarms)
    with again.reading("g") as book:
        assert book.sequence == 10
    assert len(alarms.rebuilds) == 1


def test_a_file_that_cannot_grow_says_so(tmp_path: Path) -> None:
    """Nothing is stored, what is there is read, and with room it goes on."""
    store = SqliteBookStore(tmp_path / "books.db")
    store.append("g", 0, 1, FIRST)
    store._connection.execute("PRAGMA max_page_count = 1")
    large = (Declared(2, "x" * 50_000, "pay", 80, 8),)
    with pytest.raises(UnwritableStoreError, match="full"):
        store.append("g", 1, 2, large)
    assert store.load("g") == StoredBook(1, FIRST)
    store._connection.execute("PRAGMA max_page_count = 100000")
    store.append("g", 1, 2, large)
    assert store.load("g") == StoredBook(2, FIRST + large)
    store.close()
