"""Bots of the house: they play the seats that a director gave to them, in the process of the embedded host."""

from __future__ import annotations

import queue
from collections.abc import Iterator, Sequence

from services.common.balances import Balances
from services.common.process.threads import ServiceThread
from services.common.telemetry.logs import get_logger
from services.gen.signalbox.events.v1.events_pb2 import GameEvent
from services.gen.signalbox.log.v1.log_pb2 import GameStatus
from services.host.bot_memory import BotMemory
from services.lobby.domain.directing import house_bot_numbered, named_house_bot
from services.lobby.domain.players import HOUSE_BOT
from services.lobby.ports import GameSummaries
from services.rules.handlers import Rules
from services.rules.kernel.game import Game
from services.rules.requests import CommandRejected, Request, StaleSequenceError

# Games that wait although nothing happened: after a start, and after a move that failed.
LOOK_EVERY_SECONDS = 10.0
GAMES_AT_ONCE = 100
STOP = ""


class HouseBots:
    """Rules' `Follower` that moves for its seats, in a thread of its own between `start` and `stop`."""

    def __init__(
        self, rules: Rules, summaries: GameSummaries, seats_max: int, look_every: float = LOOK_EVERY_SECONDS
    ) -> None:
        """`summaries` knows which games wait; `seats_max`: of all titles."""
        self._rules = rules
        self._summaries = summaries
        self._accounts = [house_bot_numbered(number + 1).player_id for number in range(seats_max)]
        self._look_every = look_every
        self._waiting: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._memory = BotMemory()
        self._log = get_logger("house-bots")
        self._thread = ServiceThread("house-bots", self._work)

    def follow(
        self, game_id: str, events: Sequence[GameEvent], status: GameStatus, balances: Balances
    ) -> None:
        """See `Follower`."""
        ours = {each.seat for each in status.bearers if each.bearer.startswith(HOUSE_BOT)}
        if ours.intersection(status.acting_players):
            self._waiting.put(game_id)

    def start(self) -> None:
        """Play from now on."""
        self._thread.start()

    def stop(self) -> None:
        """End after the move at hand. May be called without `start`."""
        self._waiting.put(STOP)
        if self._thread.is_alive():
            self._thread.join()

    def _work(self) -> None:
        game_ids = self._found_waiting()
        while True:
            for game_id in game_ids:
                if game_id == STOP:
                    return
                self._move(game_id)
            game_ids = self._next()

    def _next(self) -> Sequence[str]:
        try:
            return [self._waiting.get(timeout=self._look_every)]
        except queue.Empty:
            return self._found_waiting()

    def _found_waiting(self) -> Sequence[str]:
        return [
            summary.game_id
            for account in self._accounts
            for summary in self._summaries.of_player(account, True, GAMES_AT_ONCE)
        ]

    def _move(self, game_id: str) -> None:
        """One move for each of our seats that is asked. What fails is tried again at the next look."""
        try:
            game = self._rules.reader.game_at(game_id).game
            for seat, account in _ours(game):
                self._move_seat(game_id, seat, account)
        except StaleSequenceError:
            # Somebody else moved: the status of that move wakes this up.
            return
        except Exception as problem:
            self._log.error("a bot cannot move", game_id=game_id, problem=repr(problem))

    def _move_seat(self, game_id: str, seat: str, account: str) -> None:
        options = self._rules.reader.options(game_id, seat, with_best_runs=True)
        if not options.choices:
            return
        command = self._memory.of(game_id, seat).choose(options.choices)
        request_id = f"{account}-{options.sequence}"
        result = self._rules.execute(Request(game_id, account, request_id, options.sequence, command))
        if isinstance(result, CommandRejected):
            rejection = result.rejection
            self._log.warning("the move of a bot is refused", game_id=game_id, reason=rejection.code)


def _ours(game: Game) -> Iterator[tuple[str, str]]:
    """Seats that bots of the house play, with their accounts."""
    for seat in game.players:
        account = game.bearer_of(seat).account
        if named_house_bot(account) is not None:
            yield seat, account
