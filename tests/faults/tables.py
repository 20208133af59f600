"""People who sit down at table after table, whatever becomes of the lobby meanwhile."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar
from uuid import uuid4

from services.client.calls import NotAnsweredError, Rejected, new_request_id
from services.client.lobby import Lobby, register, sign_in
from services.rules.kernel.directing.commands import Direct, EndGame
from services.rules.kernel.values import Score
from tests.faults.players import ANSWER_SECONDS, PAUSE_SECONDS, HasReleased, NewGame, nobody_releases

PASSWORD = "correct horse battery"
SEATS = 3
OVER = "game_finished"
TITLES = ("1824", "1862", "1865", "rotw")

Answer = TypeVar("Answer")


class Tables:
    """Where players get their games; each of them may ask at any time."""

    def __init__(self, address: str, has_released: HasReleased = nobody_releases) -> None:
        self._address = address
        self._has_released = has_released
        self.tables: dict[str, str] = {}
        """Id of the game of every table whose start was acknowledged."""
        self.ended: set[str] = set()
        """Games of which it was acknowledged that they are over."""

    def people(self) -> dict[str, str]:
        """Three new people: their tokens by id."""
        return dict(self._insist(self._person) for _ in range(SEATS))

    def begin(self, people: dict[str, str], draw: random.Random) -> NewGame:
        """A new game of these people."""
        title, seed = draw.choice(TITLES), draw.randrange(2**31)
        lobbies = [Lobby(self._address, token) for token in people.values()]
        try:
            table = self._insist(lambda: lobbies[0].create_table(title, SEATS, seed=seed, owner_directs=True))
            for lobby in lobbies[1:]:
                self._insist(lambda lobby=lobby: self._seated(lobby, table.table_id))  # type: ignore[misc]
            game_id = self._insist(lambda: self._started(lobbies[0], table.table_id))
        finally:
            for lobby in lobbies:
                lobby.close()
        self.tables[table.table_id] = game_id
        return NewGame(game_id, people)

    def end(self, game: NewGame, sequence: int) -> None:
        """The owner of its table decides that a game is over: it would take too long to play to its end."""
        table_id = next(table for table, game_id in list(self.tables.items()) if game_id == game.game_id)
        scores = tuple(Score(player, number) for number, player in enumerate(game.tokens, 1))
        said = Direct(EndGame(scores[::-1]), "enough was played")
        request_id = new_request_id()
        lobby = Lobby(self._address, next(iter(game.tokens.values())))
        try:
            self._insist(lambda: self._ended(lobby, table_id, game.game_id, said, sequence, request_id))
        finally:
            lobby.close()
        self.ended.add(game.game_id)

    def _ended(
        self, lobby: Lobby, table_id: str, game_id: str, said: Direct, sequence: int, request_id: str
    ) -> None:
        """Also when only the answer was lost, as it is the same request, or the game was over by its own rules."""
        try:
            lobby.direct(table_id, said, sequence, request_id=request_id)
        except Rejected as refused:
            if refused.reason != OVER:
                raise
        except NotAnsweredError as problem:
            self._has_released(game_id, str(problem))
            raise

    @staticmethod
    def _seated(lobby: Lobby, table_id: str) -> None:
        """A player who is seated already, because only the answer was lost, gets no second seat."""
        with suppress(Rejected):
            lobby.join_table(table_id)

    def _started(self, lobby: Lobby, table_id: str) -> str:
        """Id of the table's game, begun now or when the answer was lost."""
        try:
            with suppress(Rejected):
                return lobby.start_table(table_id).game_id
        except NotAnsweredError as problem:
            self._has_released(lobby.table(table_id).game_id, str(problem))
            raise
        game_id = lobby.table(table_id).game_id
        if not game_id:
            raise Rejected("TABLE_NOT_STARTED", "the table has no game yet")
        return game_id

    def _person(self) -> tuple[str, str]:
        name = f"P{uuid4().hex[:12]}"
        player_id = register(self._address, name, PASSWORD)
        return player_id, self._insist(lambda: sign_in(self._address, name, PASSWORD)).token

    def _insist(self, call: Callable[[], Answer]) -> Answer:
        """Again from the beginning while the lobby is away. What was half done stays so and hurts nobody."""
        deadline = time.monotonic() + ANSWER_SECONDS
        while True:
            try:
                return call()
            except (NotAnsweredError, Rejected):
                if time.monotonic() > deadline:
                    raise
                time.sleep(PAUSE_SECONDS)
