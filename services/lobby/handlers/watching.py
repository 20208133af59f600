"""Telling a player of the player's games as they move on."""

import time
from collections.abc import Callable, Iterator

from services.common.notifier import Bell
from services.lobby.domain.games import GameCard
from services.lobby.ports import GameCards, Place

# After which time a change is told that nobody rang for.
LOOK_SECONDS = 3.0
PAGE_SIZE = 20


def topic_of(player_id: str) -> str:
    """What the bell rings for when a game of this player has moved on."""
    return f"player/{player_id}"


class GameWatchHandlers:
    """Cards to whoever watches. A ring makes it quick; that nothing is missed comes from looking without one as well."""

    def __init__(
        self, cards: GameCards, kept: GameCards, bell: Bell, look_seconds: float = LOOK_SECONDS
    ) -> None:
        """`cards` has a change when it is rung for, as a rule; `kept` has every change sooner or later."""
        self._cards = cards
        self._kept = kept
        self._bell = bell
        self._look_seconds = look_seconds

    def watch(self, player_id: str, goes_on: Callable[[], bool]) -> Iterator[GameCard]:
        """All games of the player, the one that moved on last first, then each again when it has moved on, while
        `goes_on` and until `end_watches`."""
        sent: dict[str, int] = {}
        with self._bell.listening(topic_of(player_id)) as listener:
            listener.expect()
            yield from _news(self._cards, player_id, sent, is_thorough=True)
            look_at = time.monotonic() + self._look_seconds
            while goes_on() and not self._bell.closed:
                if listener.wait(max(look_at - time.monotonic(), 0)):
                    listener.expect()
                    yield from _news(self._cards, player_id, sent, is_thorough=False)
                if time.monotonic() >= look_at:
                    yield from _news(self._kept, player_id, sent, is_thorough=True)
                    look_at = time.monotonic() + self._look_seconds

    def end_watches(self) -> None:
        """Let everybody who watches go; nobody can watch from now on."""
        self._bell.close()


def _news(cards: GameCards, player_id: str, sent: dict[str, int], *, is_thorough: bool) -> Iterator[GameCard]:
    """Cards later than those sent, noted as sent; unless thorough, up to a page on which there is none."""
    place = None
    while True:
        page = cards.of_player(player_id, False, PAGE_SIZE, place)
        news = [card for card in page if card.sequence > sent.get(card.game_id, -1)]
        for card in news:
            sent[card.game_id] = card.sequence
            yield card
        if len(page) < PAGE_SIZE or not (news or is_thorough):
            return
        place = Place(page[-1].time_ms, page[-1].game_id)
