"""Title 1824, base game and variant C (Goods Time), as the core plays it."""

from __future__ import annotations

from pathlib import Path

from services.rules.importer.dialect import RECORDED_GAMES
from services.rules.kernel.botpreferences import BOT_PREFERENCES
from services.rules.kernel.title import Title
from services.rules.loading import header_of, loader_of
from services.rules.parts.map.part import MAP
from services.rules.parts.market.part import MARKET
from services.rules.parts.shares.part import SHARES
from services.rules.parts.trains.bestruns import BEST_RUNS, BestRuns
from services.rules.parts.trains.part import TRAINS
from services.rules.titles.g1824.botpreferences import PREFERENCES
from services.rules.titles.g1824.companies import certificate_limit
from services.rules.titles.g1824.figures import SCHEMA
from services.rules.titles.g1824.flow import FLOW
from services.rules.titles.g1824.importer.dialect import DIALECT
from services.rules.titles.g1824.own import OWN
from services.rules.titles.g1824.presentation import PRESENTATION
from services.rules.titles.g1824.rulings import RULINGS
from services.rules.titles.g1824.runs import problem_of, question, reckon
from services.rules.titles.g1824.scoring import player_value
from services.rules.titles.g1824.setup import opening_bank, set_up

FOLDER = Path(__file__).parent
HEADER = header_of(FOLDER)

TITLE = Title(
    name="1824",
    parts=(SHARES, MARKET, MAP, TRAINS),
    own=OWN,
    options=HEADER.options,
    player_counts=HEADER.player_counts,
    rulings=RULINGS,
    load=loader_of(FOLDER, SCHEMA),
    opening_bank=opening_bank,
    set_up=set_up,
    advance=FLOW.advance,
    step_of=FLOW.step_of,
    player_value=player_value,
    certificate_limit=certificate_limit,
    presentation=PRESENTATION,
    capabilities={
        BEST_RUNS: BestRuns(problem_of, question, reckon),
        RECORDED_GAMES: DIALECT,
        BOT_PREFERENCES: PREFERENCES,
    },
)
