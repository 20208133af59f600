"""Title 1865, Sardinia, with its short game, as the core plays it."""

from __future__ import annotations

from pathlib import Path

from services.rules.kernel.stepclauses import STEP_CLAUSES
from services.rules.loading import title_in
from services.rules.parts.botpreferences import BOT_PREFERENCES
from services.rules.parts.presentation import PRESENTATION
from services.rules.parts.railway import RAILWAY
from services.rules.titles.g1865.botpreferences import PREFERENCES
from services.rules.titles.g1865.clauses import CLAUSES
from services.rules.titles.g1865.figures import SCHEMA
from services.rules.titles.g1865.flow import FLOW
from services.rules.titles.g1865.own import OWN
from services.rules.titles.g1865.presentation import OWN_PRESENTATION
from services.rules.titles.g1865.rulings import RULINGS
from services.rules.titles.g1865.setup import set_up

TITLE = title_in(
    Path(__file__).parent,
    SCHEMA,
    FLOW,
    parts=RAILWAY,
    own=OWN,
    rulings=RULINGS,
    set_up=set_up,
    capabilities={PRESENTATION: OWN_PRESENTATION, BOT_PREFERENCES: PREFERENCES, STEP_CLAUSES: CLAUSES},
)
