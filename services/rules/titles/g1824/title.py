"""Title 1824, base game and variant C (Goods Time), as the core plays it."""

from __future__ import annotations

from pathlib import Path

from services.rules.domain.title import Title
from services.rules.titles.g1824.flow import advance, step_of
from services.rules.titles.g1824.rulings import RULINGS
from services.rules.titles.g1824.runs import problem_of, question, reckon
from services.rules.titles.g1824.scoring import player_value
from services.rules.titles.g1824.setup import opening_bank, set_up
from services.rules.titles.loading import loader_of

TITLE = Title(
    name="1824",
    options=("goods_time",),
    player_counts=range(3, 7),
    rulings=RULINGS,
    load=loader_of(Path(__file__).parent),
    opening_bank=opening_bank,
    set_up=set_up,
    advance=advance,
    step_of=step_of,
    player_value=player_value,
    route_problem=problem_of,
    route_question=question,
    reckon=reckon,
)
