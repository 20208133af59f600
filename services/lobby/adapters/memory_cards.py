"""Cards of games in memory: for tests and simulations."""

import threading
from collections.abc import Callable

from services.lobby.domain.games import GameCard
from services.lobby.ports import Place


class MemoryCards:
    """The `GameCards` port in a dict."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._cards: dict[str, GameCard] = {}
        self._is_complete = False

    @property
    def is_complete(self) -> bool:
        """See `GameCards`."""
        return self._is_complete

    def mark_complete(self) -> None:
        """See `GameCards`."""
        self._is_complete = True

    def put(self, card: GameCard) -> bool:
        """See `GameCards`."""
        with self._lock:
            known = self._cards.get(card.game_id)
            if known is not None and known.sequence >= card.sequence:
                return False
            self._cards[card.game_id] = card
            return True

    def get(self, game_id: str) -> GameCard | None:
        """See `GameCards`."""
        return self._cards.get(game_id)

    def of_player(
        self, player_id: str, only_waiting: bool, most: int, before: Place | None = None
    ) -> list[GameCard]:
        """See `GameCards`."""

        def fits(card: GameCard) -> bool:
            return player_id in (card.waits_for if only_waiting else card.standing.players)

        return self._list(fits, most, before)

    def recent(self, most: int, before: Place | None = None) -> list[GameCard]:
        """See `GameCards`."""
        return self._list(lambda card: True, most, before)

    def timed(self) -> list[GameCard]:
        """See `GameCards`."""
        with self._lock:
            return [card for card in self._cards.values() if card.is_timed]

    def _list(self, fits: Callable[[GameCard], bool], most: int, before: Place | None) -> list[GameCard]:
        with self._lock:
            cards = [card for card in self._cards.values() if fits(card)]
        cards.sort(key=_place_of, reverse=True)
        limit = None if before is None else (before.time_ms, before.game_id)
        return [card for card in cards if limit is None or _place_of(card) < limit][:most]


def _place_of(card: GameCard) -> tuple[int, str]:
    return (card.time_ms, card.game_id)
