"""Warranties of trains in 1862: bought with a train, given with A and D trains, lost one by one (7.10)."""

from __future__ import annotations

from services.rules.kernel.draft import Draft
from services.rules.kernel.game import Game
from services.rules.kernel.rejections import reject_if
from services.rules.kernel.titledata import TitleData
from services.rules.parts.trains.events import TrainMoved
from services.rules.parts.trains.state import trains_of
from services.rules.titles.g1862.companies import BEGINNERS
from services.rules.titles.g1862.events import WarrantiesSet
from services.rules.titles.g1862.figures import figures_of, kind_of
from services.rules.titles.g1862.state import own
from services.rules.titles.g1862.trains.depots import is_obsolete


def most_to_buy(data: TitleData, train: str) -> int:
    """How many warranties may be bought with this train: three in all with the free one (1862/7.10-b, 7.10.1-a)."""
    return figures_of(data).warranties_most - kind_of(data, train).free_warranties


def cost_of(data: TitleData, count: int) -> int:
    """What so many warranties cost (1862/7.10-a)."""
    return count * figures_of(data).warranty_cost


def check_warranties(game: Game, data: TitleData, train: str, count: int) -> None:
    """Refuse more warranties than a train may have, and any in the beginners' game."""
    if not count:
        return
    reject_if(BEGINNERS in game.options, "1862.variant_forbids", "1862/11.3-c")
    most = most_to_buy(data, train)
    reject_if(not 0 < count <= most, "1862.warranty_limit", "1862/7.10-b", f"at most {most} can be bought")


def lose_warranties(draft: Draft, data: TitleData, symbol: str) -> None:
    """After a company's trains ran every one of them that has a warranty loses one, whatever it earned; an obsolete train
    goes with its last (1862/7.10-d, 7.10-e)."""
    for train in trains_of(draft.game).owned.get(symbol, ()):
        left = own(draft.game).warranties.get(train, 0)
        if left:
            draft.emit(WarrantiesSet(train, left - 1))
            if left == 1 and is_obsolete(draft.game, data, train):
                draft.emit(TrainMoved(train, symbol, "", "rusted"))
