"""Cards of games in an SQLite file, which may be the host's own: all tables bear the prefix `lobby_`.

Commits do not wait for the disk, since every card can be made again from the log, which does wait.
"""

import sqlite3
import threading
from pathlib import Path
from typing import Any

from services.lobby.card_codec import UnreadableCard, decode_card, encode_card
from services.lobby.domain.games import GameCard
from services.lobby.ports import Place

SCHEMA_VERSION = 1
BUSY_TIMEOUT_SECONDS = 30.0
TABLES = """
CREATE TABLE IF NOT EXISTS lobby_cards (
    game_id TEXT PRIMARY KEY, sequence INTEGER NOT NULL, time_ms INTEGER NOT NULL, is_timed INTEGER NOT NULL,
    card BLOB NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS lobby_cards_recent ON lobby_cards (time_ms, game_id);
CREATE INDEX IF NOT EXISTS lobby_cards_timed ON lobby_cards (game_id) WHERE is_timed;
CREATE TABLE IF NOT EXISTS lobby_card_players (
    player_id TEXT NOT NULL, game_id TEXT NOT NULL, is_waited_for INTEGER NOT NULL, PRIMARY KEY (player_id, game_id)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS lobby_cards_schema (version INTEGER NOT NULL);
"""
DROP_TABLES = """
DROP TABLE IF EXISTS lobby_cards;
DROP TABLE IF EXISTS lobby_card_players;
DROP TABLE IF EXISTS lobby_cards_schema;
"""
BEYOND = "(time_ms, game_id) < (?, ?) ORDER BY time_ms DESC, game_id DESC LIMIT ?"
RECENT = f"SELECT card FROM lobby_cards WHERE {BEYOND}"
OF_PLAYER = f"""
    SELECT card FROM lobby_card_players JOIN lobby_cards USING (game_id)
    WHERE player_id = ? AND is_waited_for >= ? AND {BEYOND}"""
# Beyond every time and id there can be.
FIRST_PLACE = Place(2**63 - 1, "")


class SqliteCards:
    """The `GameCards` port over one connection of its own."""

    def __init__(self, path: Path) -> None:
        """Opens or makes the file; `sqlite3.DatabaseError` when it is something else."""
        self._lock = threading.Lock()
        self._is_complete = False
        self._connection = sqlite3.connect(
            path, isolation_level=None, check_same_thread=False, timeout=BUSY_TIMEOUT_SECONDS
        )
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = NORMAL")
        self._make_tables()

    def _make_tables(self) -> None:
        """Tables of another version hold nothing that cannot be made again."""
        self._connection.executescript(TABLES)
        version = self._connection.execute("SELECT max(version) FROM lobby_cards_schema").fetchone()[0]
        if version != SCHEMA_VERSION:
            self._connection.executescript(DROP_TABLES + TABLES)
            self._connection.execute("INSERT INTO lobby_cards_schema VALUES (?)", (SCHEMA_VERSION,))

    @property
    def is_complete(self) -> bool:
        """See `GameCards`."""
        return self._is_complete

    def mark_complete(self) -> None:
        """See `GameCards`."""
        self._is_complete = True

    def put(self, card: GameCard) -> bool:
        """See `GameCards`."""
        with self._lock, self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            return put_card_within(self._connection, card)

    def get(self, game_id: str) -> GameCard | None:
        """See `GameCards`."""
        found = self._cards("SELECT card FROM lobby_cards WHERE game_id = ?", (game_id,))
        return found[0] if found else None

    def of_player(
        self, player_id: str, only_waiting: bool, most: int, before: Place | None = None
    ) -> list[GameCard]:
        """See `GameCards`."""
        place = before or FIRST_PLACE
        return self._cards(OF_PLAYER, (player_id, only_waiting, place.time_ms, place.game_id, most))

    def recent(self, most: int, before: Place | None = None) -> list[GameCard]:
        """See `GameCards`."""
        place = before or FIRST_PLACE
        return self._cards(RECENT, (place.time_ms, place.game_id, most))

    def timed(self) -> list[GameCard]:
        """See `GameCards`."""
        return self._cards("SELECT card FROM lobby_cards WHERE is_timed", ())

    def close(self) -> None:
        """Closes the file."""
        with self._lock:
            self._connection.close()

    def _cards(self, query: str, parameters: tuple[Any, ...]) -> list[GameCard]:
        with self._lock:
            rows = self._connection.execute(query, parameters).fetchall()
        return [card for (stored,) in rows if (card := _readable(stored)) is not None]


def put_card_within(connection: sqlite3.Connection, card: GameCard) -> bool:
    """`GameCards.put` as part of a transaction that is open."""
    kept = connection.execute(
        "SELECT sequence, card FROM lobby_cards WHERE game_id = ?", (card.game_id,)
    ).fetchone()
    if kept is not None and kept[0] >= card.sequence and _readable(kept[1]) is not None:
        return False
    row = (card.game_id, card.sequence, card.time_ms, card.is_timed, encode_card(card))
    players = [(each, card.game_id, each in card.waits_for) for each in card.standing.players]
    connection.execute("INSERT OR REPLACE INTO lobby_cards VALUES (?, ?, ?, ?, ?)", row)
    connection.executemany("INSERT OR REPLACE INTO lobby_card_players VALUES (?, ?, ?)", players)
    return True


def _readable(stored: bytes) -> GameCard | None:
    """A damaged card is as good as none: it is made again."""
    try:
        return decode_card(stored)
    except UnreadableCard:
        return None
