"""The George Hudson manoeuvre: a dividend raised from the treasury to the share price (1862/7.8.6)."""

from __future__ import annotations

from services.rules.domain.game import Game
from services.rules.domain.market import price_of
from services.rules.domain.rejections import refuse_if
from services.rules.domain.titledata import TitleData
from services.rules.titles.g1862.companies import BEGINNERS
from services.rules.titles.g1862.rulings import plays


def added_by_hudson(game: Game, data: TitleData, symbol: str) -> int:
    """The least multiple of 10 that lifts the revenue to the share price or just above it (1862/7.8.6-b)."""
    step = data.figures.limits["hudson_step"]
    missing = price_of(game, data, symbol) - game.turn.revenue
    return -(-missing // step) * step


def check_hudson(game: Game, data: TitleData, symbol: str) -> None:
    """Refuse the manoeuvre in the beginners' game, without local trains' income, when the revenue reaches the price anyway,
    and when treasury and subsidy do not hold what is to be added."""
    refuse_if(BEGINNERS in game.options, "variant_forbids", "1862/11.3-d")
    least = data.figures.limits["hudson_step"]
    if plays(game, "hudson_income", "local_trains"):
        refuse_if(_local_income(game, symbol) < least, "hudson_not_possible", "1862/7.8.6-a", "local trains")
    else:
        refuse_if(game.turn.revenue <= least, "hudson_not_possible", "1862/7.8.6-a", str(game.turn.revenue))
    reached = game.turn.revenue >= price_of(game, data, symbol)
    refuse_if(reached, "hudson_not_possible", "1862/7.8.6-a", str(game.turn.revenue))
    added = added_by_hudson(game, data, symbol)
    at_hand = game.money(symbol) + game.turn.treasury_income
    refuse_if(added > at_hand, "hudson_not_possible", "1862/7.8.6-c", f"{added} of {at_hand}")


def _local_income(game: Game, symbol: str) -> int:
    """What this turn's local runs brought in, their subsidy included."""
    runs = game.last_runs.get(symbol, ()) if game.turn.ran else ()
    return sum(
        run.revenue + run.treasury_income for run in runs if game.train_kinds.get(run.train) == "local"
    )
