"""People who sit down at table after table, whatever becomes of the lobby meanwhile."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from typing import TypeVar
from uuid import uuid4

from services.client.calls import NotAnsweredError, RefusedError
from services.client.lobby import Lobby, register, sign_in
from tests.faults.players import ANSWER_SECONDS, PAUSE_SECONDS, NewGame

PASSWORD = "correct horse battery"
SEATS = 3
TITLES = ("1824", "1862")

Answer = TypeVar("Answer")


class Tables:
    """Where players get their games; each of them may ask at any time."""

    def __init__(self, address: str, is_ending: threading.Event) -> None:
        self._address = address
        self._is_ending = is_ending
        self.tables: dict[str, str] = {}
        """Id of the game of every table whose start was acknowledged."""

    def people(self) -> dict[str, str]:
        """Three new people: their tokens by id."""
        return dict(self._insist(self._person) for _ in range(SEATS))

    def begin(self, people: dict[str, str], draw: random.Random) -> NewGame:
        """A new game of these people."""
        title, seed = draw.choice(TITLES), draw.randrange(2**31)
        return self._insist(lambda: self._begin(people, title, seed))

    def _person(self) -> tuple[str, str]:
        name = f"P{uuid4().hex[:12]}"
        player_id = register(self._address, name, PASSWORD)
        return player_id, self._insist(lambda: sign_in(self._address, name, PASSWORD)).token

    def _begin(self, people: dict[str, str], title: str, seed: int) -> NewGame:
        lobbies = [Lobby(self._address, token) for token in people.values()]
        try:
            table = lobbies[0].create_table(title, SEATS, seed=seed)
            for lobby in lobbies[1:]:
                lobby.join_table(table.table_id)
            started = lobbies[0].start_table(table.table_id)
        finally:
            for lobby in lobbies:
                lobby.close()
        self.tables[table.table_id] = started.game_id
        return NewGame(started.game_id, people)

    def _insist(self, call: Callable[[], Answer]) -> Answer:
        """Again from the beginning while the lobby is away. What was half done stays so and hurts nobody."""
        deadline = time.monotonic() + ANSWER_SECONDS
        while True:
            try:
                return call()
            except (NotAnsweredError, RefusedError):
                if time.monotonic() > deadline or self._is_ending.is_set():
                    raise
                time.sleep(PAUSE_SECONDS)
