"""Title 1862, Railway Mania in the Eastern Counties, with its variants, as the core plays it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from services.rules.domain.title import Title
from services.rules.domain.titledata import TitleData
from services.rules.titles.g1862.flow import advance, step_of
from services.rules.titles.g1862.rulings import RULINGS
from services.rules.titles.g1862.runs import problem_of, question
from services.rules.titles.g1862.scoring import player_value
from services.rules.titles.g1862.setup import check_options, opening_bank, set_up
from services.rules.titles.loading import load_title

FOLDER = Path(__file__).parent


@lru_cache(maxsize=64)
def _load(options: tuple[str, ...], rulings: frozenset[tuple[str, str]]) -> TitleData:
    return load_title(FOLDER, options, dict(rulings))


def load(options: tuple[str, ...], rulings: Mapping[str, str]) -> TitleData:
    """The data of 1862 as a table with these options and rulings plays it; loaded once for each combination."""
    return _load(options, frozenset(rulings.items()))


TITLE = Title(
    name="1862",
    options=(
        "short_game",
        "long_game",
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
    load=load,
    opening_bank=opening_bank,
    set_up=set_up,
    advance=advance,
    step_of=step_of,
    player_value=player_value,
    route_problem=problem_of,
    route_question=question,
    check_options=check_options,
)
