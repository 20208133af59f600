"""Title 1824, base game and variant C (Goods Time), as the core plays it."""

from __future__ import annotations

from pathlib import Path

from services.rules.importer.dialect import RECORDED_GAMES
from services.rules.kernel.stepclauses import STEP_CLAUSES
from services.rules.loading import title_in
from services.rules.parts.botpreferences import BOT_PREFERENCES
from services.rules.parts.leastharm import LEAST_HARM
from services.rules.parts.presentation import PRESENTATION
from services.rules.parts.railway import RAILWAY
from services.rules.parts.trains.bestruns import BEST_RUNS, BestRuns, question_of
from services.rules.titles.g1824.botpreferences import PREFERENCES
from services.rules.titles.g1824.clauses import CLAUSES
from services.rules.titles.g1824.figures import SCHEMA
from services.rules.titles.g1824.flow import FLOW
from services.rules.titles.g1824.importer.dialect import DIALECT
from services.rules.titles.g1824.leastharm import OWN_HARM
from services.rules.titles.g1824.own import OWN
from services.rules.titles.g1824.presentation import OWN_PRESENTATION
from services.rules.titles.g1824.rulings import RULINGS
from services.rules.titles.g1824.runs import RUNS, demands_best
from services.rules.titles.g1824.setup import opening_bank, set_up

TITLE = title_in(
    Path(__file__).parent,
    SCHEMA,
    FLOW,
    parts=RAILWAY,
    own=OWN,
    rulings=RULINGS,
    opening_bank=opening_bank,
    set_up=set_up,
    capabilities={
        PRESENTATION: OWN_PRESENTATION,
        BEST_RUNS: BestRuns(RUNS.problem, question_of(RUNS.problem, demands_best), RUNS.reckon),
        RECORDED_GAMES: DIALECT,
        BOT_PREFERENCES: PREFERENCES,
        LEAST_HARM: OWN_HARM,
        STEP_CLAUSES: CLAUSES,
    },
)
