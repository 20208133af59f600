"""What a railway of 1865 earns in its turn: the yield of mines, revenue for covered traffic, and its division (5.3, 5.4)."""

from __future__ import annotations

from services.rules.kernel.draft import Draft
from services.rules.kernel.game import Game
from services.rules.kernel.title import Context
from services.rules.kernel.titledata import TitleData
from services.rules.parts.map.state import map_of
from services.rules.parts.market.data import chart_of
from services.rules.parts.market.market import shift
from services.rules.parts.shares.companyturns import director_of_actor
from services.rules.parts.trains.dividends import WITHHOLD, dividend_step, keep_or_pay
from services.rules.parts.trains.events import TrainsRan
from services.rules.parts.trains.state import owned_by, train_turn
from services.rules.titles.g1865.events import RevenueReckoned
from services.rules.titles.g1865.mines import mines_of
from services.rules.titles.g1865.operating.tokens import MINE_OPENED
from services.rules.titles.g1865.revenue import coverage_of, revenue_of
from services.rules.titles.g1865.rulings import plays
from services.rules.titles.g1865.state import maritime_of, traffic_of
from services.rules.titles.g1865.traffic import give_traffic, traffic_at

DIVIDEND_KINDS = ("pay", WITHHOLD)


def _earn(draft: Draft, context: Context) -> None:
    """Mines yield, then the revenue is reckoned; without any there is nothing to decide (5.3-a, 5.4-a)."""
    data, company = context.data, draft.game.actor
    for mine in mines_of(draft.game, data, company):
        if not _has_yielded(draft.game, mine[0]):
            give_traffic(draft, company, traffic_at(draft.game, data, mine), "mine", mine[0])
    game = draft.game
    trains, at_sea = owned_by(game, company), maritime_of(game, company)
    coverage = coverage_of(game, data, company)
    draft.emit(RevenueReckoned(company, traffic_of(game, company), coverage, trains, at_sea))
    revenue = revenue_of(game, data, company)
    if revenue:
        draft.emit(TrainsRan(company, (), revenue, 0))
    else:
        divide(draft, context, company, WITHHOLD)


def _has_yielded(game: Game, hex_id: str) -> bool:
    """Whether the mine got its token in this turn and so yielded already (5.3-b)."""
    opened = MINE_OPENED in game.turn.actions and map_of(game).placements[-1] == (hex_id, game.actor)
    return opened and plays(game, "mine_with_new_token", "yields_once")


def divide(draft: Draft, context: Context, company: str, kind: str) -> None:
    """A dividend goes to every share in players' hands, by ruling also to those in the offer; the value rises with it, falls
    without revenue and stays when it is kept (5.4-c, 5.4-d, 4.9-a, 4.9-d, 4.9-e)."""
    data, revenue = context.data, train_turn(draft.game).revenue
    keep_or_pay(draft, data, company, kind, revenue, _receivers(draft.game, company))
    if not revenue:
        shift(draft, data, company, chart_of(data).moves.no_dividend, "withheld")
    elif kind != WITHHOLD:
        shift(draft, data, company, chart_of(data).moves.dividend, "dividend")


def _receivers(game: Game, company: str) -> tuple[str, ...]:
    if plays(game, "dividends_of_the_offer", "to_the_company"):
        return (*game.players, company)
    return game.players


def _kinds(data: TitleData, company: str) -> tuple[str, ...]:
    return DIVIDEND_KINDS


DIVIDE = dividend_step(director_of_actor, _kinds, divide, "1865/5.4-c", begin=_earn)
