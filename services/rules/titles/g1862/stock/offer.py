"""The offer: which companies can be opened, as chartered ones or not (1862/3.2, 4.3-e, 6.5.3)."""

from __future__ import annotations

from services.rules.kernel.game import Game
from services.rules.kernel.rejections import reject_if
from services.rules.kernel.titledata import TitleData
from services.rules.parts.shares.state import companies_of
from services.rules.parts.trains.state import phase_of
from services.rules.titles.g1862.companies import in_game, is_started, require_company
from services.rules.titles.g1862.figures import phases_of
from services.rules.titles.g1862.operating.homes import can_place_home
from services.rules.titles.g1862.rulings import plays
from services.rules.titles.g1862.state import charter_of, own


def can_be_opened(game: Game, data: TitleData, symbol: str) -> bool:
    """Whether nobody has started the company, its turn has come, and its home token will find a place."""
    if not in_game(game, symbol) or is_started(game, symbol):
        return False
    return _is_available(game, data, symbol) and can_place_home(game, data, symbol)


def openable(game: Game, data: TitleData) -> list[str]:
    """All companies that can be opened now, in the order of the offer."""
    return [symbol for symbol in companies_of(game) if can_be_opened(game, data, symbol)]


def require_openable(game: Game, data: TitleData, symbol: str) -> None:
    """Refuse a company that cannot be opened now, and say why."""
    require_company(game, data, symbol)
    reject_if(is_started(game, symbol), "company_has_price", "1862/6.5.3-a", symbol)
    reject_if(bool(own(game).monopoly), "1862.after_monopoly", "1862/10.3-e", symbol)
    reject_if(_is_barred(game, symbol), "company_not_offered", "1862/4.3-e", symbol)
    reject_if(not _is_available(game, data, symbol), "company_not_offered", "1862/3.2-a", symbol)
    reject_if(not can_place_home(game, data, symbol), "1862.home_blocked", "1862/3.2-g", symbol)


def _is_barred(game: Game, symbol: str) -> bool:
    """Whether it failed its obligation since the last stock round began."""
    return symbol in own(game).failed and plays(game, "failed_company_available", "next_stock_round")


def _is_available(game: Game, data: TitleData, symbol: str) -> bool:
    """Whether the phase of its group has come, it did not just fail its obligation, and companies can still be opened."""
    phases = list(phases_of(data))
    reached = phases.index(charter_of(game, symbol).offered_from) <= phases.index(phase_of(game))
    return reached and not _is_barred(game, symbol) and not own(game).monopoly
