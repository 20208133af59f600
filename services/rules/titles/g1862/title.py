"""Title 1862, Railway Mania in the Eastern Counties, with its variants, as the core plays it."""

from __future__ import annotations

from pathlib import Path

from services.rules.importer.dialect import RECORDED_GAMES
from services.rules.kernel.stepclauses import STEP_CLAUSES
from services.rules.loading import title_in
from services.rules.parts.auctions.part import AUCTIONS
from services.rules.parts.botpreferences import BOT_PREFERENCES
from services.rules.parts.leastharm import LEAST_HARM
from services.rules.parts.presentation import PRESENTATION
from services.rules.parts.railway import RAILWAY
from services.rules.parts.trains.bestruns import BEST_RUNS, BestRuns, question_of
from services.rules.titles.g1862.botpreferences import PREFERENCES
from services.rules.titles.g1862.clauses import CLAUSES
from services.rules.titles.g1862.companies import certificate_limit
from services.rules.titles.g1862.figures import SCHEMA
from services.rules.titles.g1862.flow import FLOW
from services.rules.titles.g1862.importer.dialect import DIALECT
from services.rules.titles.g1862.leastharm import OWN_HARM
from services.rules.titles.g1862.operating.runs import demands_best, problem_of, reckon
from services.rules.titles.g1862.own import OWN
from services.rules.titles.g1862.presentation import OWN_PRESENTATION
from services.rules.titles.g1862.rulings import RULINGS
from services.rules.titles.g1862.setup import set_up

TITLE = title_in(
    Path(__file__).parent,
    SCHEMA,
    FLOW,
    parts=(*RAILWAY, AUCTIONS),
    own=OWN,
    rulings=RULINGS,
    set_up=set_up,
    certificate_limit=certificate_limit,
    capabilities={
        PRESENTATION: OWN_PRESENTATION,
        BEST_RUNS: BestRuns(problem_of, question_of(problem_of, demands_best), reckon),
        RECORDED_GAMES: DIALECT,
        BOT_PREFERENCES: PREFERENCES,
        LEAST_HARM: OWN_HARM,
        STEP_CLAUSES: CLAUSES,
    },
)
