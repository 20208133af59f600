"""What the first train of a later kind brings in 1865, beside the end of old trains (3-f, 4.8-d, 5.5-m)."""

from __future__ import annotations

from services.rules.kernel.draft import Draft
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.vocabulary import POOL
from services.rules.parts.shares.shares import divide_shares
from services.rules.parts.trains.depot import is_crowded
from services.rules.parts.trains.events import TrainMoved
from services.rules.parts.trains.state import owned_by
from services.rules.titles.g1865.companies import is_launched, is_major
from services.rules.titles.g1865.events import MaritimeClosed
from services.rules.titles.g1865.figures import figures_of, kind_of, present_phase, railway_cards
from services.rules.titles.g1865.rulings import plays
from services.rules.titles.g1865.state import own


def begin_phase(draft: Draft, data: TitleData) -> None:
    """Sea companies of players close, new companies are majors, and trains above the limit go."""
    phase = present_phase(draft.game, data)
    if phase.closes_maritime:
        for name, owner in list(own(draft.game).maritime.items()):
            if owner in draft.game.players:
                draft.emit(MaritimeClosed(name, owner))
    for company in railway_cards(data):
        if phase.starts_major and not is_launched(draft.game, company):
            make_major(draft, data, company)
        discard_trains(draft, data, company)


def make_major(draft: Draft, data: TitleData, company: str) -> None:
    """A company that nobody has launched is divided as a major, with all its shares in its offer."""
    if not is_major(draft.game, data, company):
        divide_shares(draft, company, figures_of(data).major_shares, company)


def discard_trains(draft: Draft, data: TitleData, company: str) -> None:
    """The smallest trains of a company above its limit go to the bank pool, or by ruling out of the game."""
    target = POOL if plays(draft.game, "trains_above_the_limit", "bank_pool") else ""
    while is_crowded(draft.game, data, company):
        smallest = min(owned_by(draft.game, company), key=lambda train: kind_of(data, train).number)
        draft.emit(TrainMoved(smallest, company, target, "discarded"))
