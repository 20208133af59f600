"""Title 1862, Railway Mania in the Eastern Counties, with its variants, as the core plays it."""

from __future__ import annotations

from pathlib import Path

from services.rules.domain.title import Title
from services.rules.titles.g1862.flow import advance, step_of
from services.rules.titles.g1862.rulings import RULINGS
from services.rules.titles.g1862.runs import problem_of, question, reckon
from services.rules.titles.g1862.scoring import player_value
from services.rules.titles.g1862.setup import check_options, opening_bank, set_up
from services.rules.titles.loading import loader_of

TITLE = Title(
    name="1862",
    options=(
        "short_game",
        "long_game",
        "mixed_length",
        "extra_companies",
        "simple_express",
        "simple_freight",
        "advanced_freight",
        "advanced_express",
        "shorter_game",
        "beginners",
        "eight_stations",
    ),
    player_counts=range(2, 9),
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
    check_options=check_options,
)
