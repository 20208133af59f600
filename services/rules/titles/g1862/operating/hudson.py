"""The George Hudson manoeuvre: a dividend raised from the treasury to the share price (1862/7.8.6)."""

from __future__ import annotations

from services.rules.kernel.game import Game
from services.rules.kernel.rejections import reject_if
from services.rules.kernel.titledata import TitleData
from services.rules.parts.market.market import price_of
from services.rules.parts.trains.state import train_turn, trains_of
from services.rules.titles.g1862.companies import BEGINNERS
from services.rules.titles.g1862.figures import figures_of
from services.rules.titles.g1862.rulings import plays
from services.rules.titles.g1862.state import own


def added_by_hudson(game: Game, data: TitleData, symbol: str) -> int:
    """The least multiple of 10 that lifts the revenue to the share price or just above it (1862/7.8.6-b)."""
    step = figures_of(data).hudson_step
    missing = price_of(game, data, symbol) - train_turn(game).revenue
    return -(-missing // step) * step


def check_hudson(game: Game, data: TitleData, symbol: str) -> None:
    """Refuse the manoeuvre in the beginners' game, without local trains' income, when the revenue reaches the price anyway,
    and when treasury and subsidy do not hold what is to be added."""
    reject_if(BEGINNERS in game.options, "1862.variant_forbids", "1862/11.3-d")
    least = figures_of(data).hudson_step
    if plays(game, "hudson_income", "local_trains"):
        reject_if(
            _local_income(game, symbol) < least, "1862.hudson_not_possible", "1862/7.8.6-a", "local trains"
        )
    else:
        reject_if(
            train_turn(game).revenue <= least,
            "1862.hudson_not_possible",
            "1862/7.8.6-a",
            str(train_turn(game).revenue),
        )
    reached = train_turn(game).revenue >= price_of(game, data, symbol)
    reject_if(reached, "1862.hudson_not_possible", "1862/7.8.6-a", str(train_turn(game).revenue))
    added = added_by_hudson(game, data, symbol)
    at_hand = game.money(symbol) + train_turn(game).treasury_income
    reject_if(added > at_hand, "1862.hudson_not_possible", "1862/7.8.6-c", f"{added} of {at_hand}")


def _local_income(game: Game, symbol: str) -> int:
    """What this turn's local runs brought in, their subsidy included."""
    runs = trains_of(game).last_runs.get(symbol, ()) if train_turn(game).ran else ()
    return sum(
        run.revenue + run.treasury_income for run in runs if own(game).train_kinds.get(run.train) == "local"
    )
