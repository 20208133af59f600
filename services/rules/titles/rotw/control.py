"""Who controls a company: the player with the most shares, who loses it only to somebody with more (control-a to -d)."""

from __future__ import annotations

from services.rules.kernel.draft import Draft
from services.rules.kernel.game import Game
from services.rules.kernel.rejections import reject_if
from services.rules.kernel.title import Context
from services.rules.kernel.titledata import TitleData
from services.rules.parts.market.market import price_of
from services.rules.parts.market.state import market_of
from services.rules.parts.shares.data import cards_of
from services.rules.parts.shares.events import DirectorChanged
from services.rules.parts.shares.shares import rightful_director
from services.rules.parts.shares.state import companies_of


def settle_control(draft: Draft, company: str) -> None:
    """Record who controls the company now, if that has changed."""
    controller = rightful_director(draft.game, draft.data, company)
    if controller != companies_of(draft.game)[company].director:
        draft.emit(DirectorChanged(company, controller))


def is_controlled(game: Game, company: str) -> bool:
    """Whether any player controls the company."""
    return bool(companies_of(game)[company].director)


def controller(game: Game, context: Context) -> tuple[str, ...]:
    """Who decides for the company at turn."""
    return (companies_of(game)[game.actor].director,)


def acting_order(game: Game, data: TitleData) -> tuple[str, ...]:
    """The controlled companies by falling share value; of equals the one whose marker came last to the space goes first
    (company-b, company-c). One whose marker has left the track when the game ended has no place any more."""
    markers = market_of(game).markers

    def key(company: str) -> tuple[int, int]:
        arrived = market_of(game).cells[markers[company]].index(company)
        return -price_of(game, data, company), -arrived

    acting = (each for each in cards_of(data) if is_controlled(game, each) and each in markers)
    return tuple(sorted(acting, key=key))


def check_company(game: Game, company: str) -> None:
    """Reject a command for another company than the one at turn."""
    reject_if(company != game.actor, "not_your_turn", detail=company)
