"""How many certificates a player has, and may have."""

from __future__ import annotations

from functools import lru_cache

from services.rules.kernel.game import Game
from services.rules.kernel.rejections import reject_if
from services.rules.kernel.title import printed_limit
from services.rules.kernel.titledata import TitleData
from services.rules.parts.shares.data import cards_of


def certificate_count(game: Game, data: TitleData, player: str) -> int:
    """The certificates of `player` that count toward his limit; a director's is one."""
    holdings = game.holdings
    held = [holdings.get((player, symbol), ()) for symbol in _counted(data)]
    return sum(map(len, held))


@lru_cache(maxsize=64)
def _counted(data: TitleData) -> tuple[str, ...]:
    return tuple(symbol for symbol, company in cards_of(data).items() if company.counts_for_limit)


def check_limit(game: Game, data: TitleData, player: str, clause: str) -> None:
    """Reject a certificate that would be one too many."""
    full = certificate_count(game, data, player) >= printed_limit(game, data)
    reject_if(full, "certificate_limit", clause)
