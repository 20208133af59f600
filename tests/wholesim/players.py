"""Players and people of the fault runs, for games of limited number and length."""

from __future__ import annotations

from dataclasses import dataclass

from services.client.calls import NotAnsweredError
from tests.faults.answers import Answers
from tests.faults.failures import Failure
from tests.faults.players import PlayedGame, Player, ServiceGone
from tests.faults.tables import Tables

ADDRESSES_SPLIT = ","


@dataclass(frozen=True)
class Amount:
    """How much is played."""

    players: int = 2
    games: int = 1
    moves: int = 60


class LimitedPlayer(Player):
    """Plays some games for some moves each, in the thread that calls `run`."""

    def __init__(
        self,
        number: int,
        seed: int,
        addresses: str,
        tables: Tables,
        amount: Amount,
        watched: list[PlayedGame],
    ) -> None:
        """`watched`: where every game goes that begins."""
        people = tables.people()
        super().__init__(
            number, seed, addresses.split(ADDRESSES_SPLIT), lambda draw: tables.begin(people, draw)
        )
        self._amount = amount
        self._watched = watched
        self.is_done = False

    def run(self) -> None:
        """All games, or until something is wrong: see `failure`."""
        try:
            for _ in range(self._amount.games):
                game = PlayedGame(new := self._begin(self._draw), Answers(new.game_id))
                self.games.append(game)
                self._watched.append(game)
                while len(game.asked) < self._amount.moves and self._move(game):
                    pass
        except Exception as problem:
            where = self.games[-1].new.game_id if self.games else "no game yet"
            is_silent = isinstance(problem, ServiceGone | NotAnsweredError)
            what = f"{self.name} ({where}): {problem!r}"
            self.failure = Failure("standstill" if is_silent else "loss", what)
        finally:
            self.is_done = True
