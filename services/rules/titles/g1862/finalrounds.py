"""The last rounds of 1862: what each company earns is computed once and counts three times (10.3)."""

from __future__ import annotations

from services.rules.kernel.draft import Draft
from services.rules.kernel.game import Game
from services.rules.kernel.title import Context
from services.rules.parts.map.boardview import view_of
from services.rules.parts.trains.events import TrainsRan
from services.rules.parts.trains.state import trains_of
from services.rules.titles.g1862.rulings import plays
from services.rules.titles.g1862.state import own
from services.rules.titles.g1862.trains.depots import runnable_trains


def are_valued_once(game: Game) -> bool:
    """Whether the LNER has formed at a table where its rounds are valued once (1862/10.3-j)."""
    return bool(own(game).monopoly) and plays(game, "final_rounds", "valued_once")


def repeat_runs(draft: Draft, context: Context) -> None:
    """From the second of the last rounds on a company earns again what it earned in the first, whatever it bought since.

    A company with nothing to run in the first earns nothing in any."""
    game = draft.game
    symbol, first = game.actor, game.current_round.number == 1
    if not are_valued_once(game):
        return
    if first and runnable_trains(game, symbol) and view_of(context.data, game).route_exists(symbol):
        return
    runs = () if first else trains_of(game).last_runs.get(symbol, ())
    revenue = sum(run.revenue for run in runs)
    draft.emit(TrainsRan(symbol, runs, revenue, sum(run.treasury_income for run in runs)))
