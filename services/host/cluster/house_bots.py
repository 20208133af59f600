"""Bots of the house on the cluster host: replicas of the lobby play the seats that directors gave to bots, as clients of rules.

Each replica looks at the lists of games. Several may want to make the same move: rules takes one, since all expect
the same sequence."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from services.client.calls import NotAnsweredError, Rejected
from services.client.games import Games, MovedOnError
from services.common.auth.tokens import Principal, TokenIssuer
from services.common.errors import Unavailable
from services.common.process.repeating import RepeatingThread
from services.common.telemetry.logs import get_logger
from services.host.bot_memory import BotMemory
from services.lobby.domain.directing import house_bot_numbered
from services.lobby.domain.players import Player
from services.lobby.ports import GameLists

LOOK_EVERY_SECONDS = 2.0
GAMES_AT_ONCE = 100


class ClusterHouseBots:
    """Moves for the bots of the house, in a thread of its own between `start` and `stop`."""

    def __init__(
        self,
        lists: GameLists,
        games_with: Callable[[str], Games],
        issuer: TokenIssuer,
        seats_max: int,
        look_every: float = LOOK_EVERY_SECONDS,
    ) -> None:
        """`games_with` connects to rules with a token. `seats_max`: of all titles."""
        self._lists = lists
        self._games_with = games_with
        self._issuer = issuer
        self._bots: Sequence[Player] = [house_bot_numbered(number + 1) for number in range(seats_max)]
        self._memory = BotMemory()
        self._log = get_logger("house-bots")
        self._thread = RepeatingThread("house-bots", self._work, look_every)

    def start(self) -> None:
        """Play from now on."""
        self._thread.start()

    def stop(self) -> None:
        """End after the move at hand. May be called without `start`."""
        self._thread.close()

    def _work(self) -> None:
        for bot in self._bots:
            try:
                self._play_waiting(bot)
            except Unavailable:
                # Lists that are in Redis alone come back with it; that it is away is in the log.
                return
            except Exception as problem:
                self._log.error("a bot cannot move", bot=bot.player_id, problem=repr(problem))

    def _play_waiting(self, bot: Player) -> None:
        """The turns of all games that wait for a bot. What fails is tried again at the next look."""
        waiting = self._lists.of_player(bot.player_id, True, GAMES_AT_ONCE)
        if not waiting:
            return
        games = self._games_with(self._issuer.issue(Principal(bot.player_id, bot.name)).token)
        try:
            for summary in waiting:
                while not self._thread.is_closing and self._move(games, summary.game_id, bot.player_id):
                    pass
        finally:
            games.close()

    def _move(self, games: Games, game_id: str, account: str) -> bool:
        """Whether the bot made a move."""
        try:
            offer = games.choices(game_id)
            if not offer.choices:
                return False
            command = self._memory.of(game_id, account).choose(offer.choices)
            games.execute(game_id, offer.sequence, command)
        except MovedOnError:
            return False
        except (Rejected, NotAnsweredError) as problem:
            self._log.warning("the move of a bot is refused", game_id=game_id, problem=str(problem))
            return False
        return True
