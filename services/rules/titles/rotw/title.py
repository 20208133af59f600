"""Railways of the World, the advanced share game, as the core plays it, on house layouts: the published board is not known."""

from __future__ import annotations

from pathlib import Path

from services.rules.kernel.game import Game
from services.rules.kernel.stepclauses import STEP_CLAUSES
from services.rules.kernel.titledata import TitleData
from services.rules.loading import title_in
from services.rules.parts.auctions.part import AUCTIONS
from services.rules.parts.botpreferences import BOT_PREFERENCES
from services.rules.parts.leastharm import LEAST_HARM
from services.rules.parts.market.part import MARKET
from services.rules.parts.presentation import PRESENTATION
from services.rules.parts.shares.data import cards_of
from services.rules.parts.shares.part import SHARES
from services.rules.titles.rotw.botpreferences import PREFERENCES
from services.rules.titles.rotw.clauses import CLAUSES
from services.rules.titles.rotw.figures import SCHEMA
from services.rules.titles.rotw.flow import FLOW
from services.rules.titles.rotw.leastharm import OWN_HARM
from services.rules.titles.rotw.own import OWN
from services.rules.titles.rotw.presentation import OWN_PRESENTATION
from services.rules.titles.rotw.rulings import RULINGS
from services.rules.titles.rotw.setup import set_up


def _all_shares(game: Game, data: TitleData) -> int:
    """There is no limit: a player may have every share."""
    return sum(len(card.certificates) for card in cards_of(data).values())


TITLE = title_in(
    Path(__file__).parent,
    SCHEMA,
    FLOW,
    parts=(SHARES, MARKET, AUCTIONS),
    own=OWN,
    rulings=RULINGS,
    set_up=set_up,
    certificate_limit=_all_shares,
    capabilities={
        PRESENTATION: OWN_PRESENTATION,
        BOT_PREFERENCES: PREFERENCES,
        LEAST_HARM: OWN_HARM,
        STEP_CLAUSES: CLAUSES,
    },
)
