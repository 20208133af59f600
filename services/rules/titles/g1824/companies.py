"""Who is who in 1824: kinds of companies, owners, who opens when, and what counts toward the limits."""

from __future__ import annotations

from services.rules.domain import events as e
from services.rules.domain.draft import Draft
from services.rules.domain.game import Game
from services.rules.domain.rejections import refuse_if
from services.rules.domain.shares import DIRECTOR, holders, percent_held, plain_for_sale, settle_director
from services.rules.domain.titledata import TitleData
from services.rules.titles.g1824.rulings import plays

MOUNTAIN, COAL, PRE_STATE, REGIONAL, NATIONAL = "mountain", "coal", "pre_state", "regional", "national"
MAJORS = (REGIONAL, NATIONAL)
MINORS = (COAL, PRE_STATE)
PRIVATES = (MOUNTAIN, COAL, PRE_STATE)
BLOCKER = "B"


def of_kind(data: TitleData, *kinds: str) -> list[str]:
    """Companies of these kinds in the order of the printed list."""
    return [symbol for symbol, company in data.companies.items() if company.kind in kinds]


def in_play(game: Game, symbol: str) -> bool:
    """Whether the company is still part of the game."""
    company = game.companies.get(symbol)
    return company is not None and not company.closed


def is_owned(game: Game, symbol: str) -> bool:
    """Whether a privately held company is open in a player's hands."""
    company = game.companies[symbol]
    return company.bought and not company.closed


def require_company(game: Game, data: TitleData, symbol: str, *kinds: str) -> None:
    """Refuse a company that does not exist, is not of these kinds, or is out of play."""
    refuse_if(symbol not in data.companies, "unknown_company", detail=symbol)
    refuse_if(data.companies[symbol].kind not in kinds, "company_not_offered", detail=symbol)
    refuse_if(not in_play(game, symbol), "company_closed", detail=symbol)


def certificate_count(game: Game, data: TitleData, player: str) -> int:
    """Certificates of `player` that count toward his limit (1824/VI.7, IV.1-n)."""
    companies = data.companies
    return sum(
        len(numbers)
        for (holder, symbol), numbers in game.holdings.items()
        if holder == player and companies[symbol].counts_for_limit
    )


def certificate_limit(game: Game, data: TitleData) -> int:
    """The certificate limit at this table (1824/VI.7-a)."""
    return data.figures.certificate_limit[len(game.players)]


def keeps_director_certificate(game: Game, data: TitleData, symbol: str) -> bool:
    """Whether the director's certificate is still kept back: for the coal owner, for the one who will set the price
    (IV.1-l), or until a state forms."""
    if DIRECTOR in game.companies[symbol].reserved or not game.companies[symbol].par:
        return True
    forming = data.companies[symbol].kind == NATIONAL and not game.companies[symbol].opened
    return forming and plays(game, "state_director_certificate", "at_formation")


def shares_changed(draft: Draft, data: TitleData, symbol: str, swap_to: str = "") -> None:
    """After certificates of a major changed hands: settle its director, and open a regional that is ready."""
    if not keeps_director_certificate(draft.game, data, symbol):
        settle_director(draft, data, symbol, swap_to)
    open_regional(draft, data, symbol)


def open_regional(draft: Draft, data: TitleData, symbol: str) -> None:
    """Open a regional that fulfils its opening condition and pay its capital in (1824/VI.5, IV.4.2, IV.4.3)."""
    game = draft.game
    company = data.companies[symbol]
    if company.kind != REGIONAL or game.companies[symbol].opened or not may_open(game, data, symbol):
        return
    draft.emit(e.CompanyOpened(symbol))
    linked = any(game.companies[coal].bought for coal in company.linked)
    times = company.capital_times_price if linked else company.capital_times_price_unlinked
    draft.pay(e.BANK, symbol, times * game.companies[symbol].par, "capital_paid_in", symbol)


def may_open(game: Game, data: TitleData, symbol: str) -> bool:
    """Priced, directed, its coal company exchanged or gone, and half of it in players' hands."""
    state = game.companies[symbol]
    if not state.par or not state.director or DIRECTOR in state.reserved:
        return False
    held = holders(game, data, symbol)
    if plays(game, "regional_opening", "one_player"):
        return held.get(state.director, 0) >= (data.companies[symbol].float_percent or 0)
    return sum(held.values()) >= (data.companies[symbol].float_percent or 0)


def is_sold_out(game: Game, data: TitleData, symbol: str) -> bool:
    """Whether all certificates of a company are in players' hands (1824/VIII.3-d)."""
    return percent_held(game, data, e.BANK, symbol) == 0


def exchangeable_regionals(game: Game, data: TitleData) -> list[str]:
    """Regionals of which the bank still has a plain certificate (1824/IV.1-e, IV.1-f)."""
    return [symbol for symbol in of_kind(data, REGIONAL) if plain_for_sale(game, symbol)]
