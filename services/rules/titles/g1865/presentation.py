"""How pictures and texts show what only 1865 has."""

from __future__ import annotations

from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.parts.presentation import CompanyColumn, Presentation, TrainTerms
from services.rules.parts.shares.shares import percent_text, shares_held
from services.rules.titles.g1865.companies import is_launched, rank_of, zone_of
from services.rules.titles.g1865.dragontable import table_of
from services.rules.titles.g1865.figures import kind_of
from services.rules.titles.g1865.owntables import cost_of_kind, cost_of_plain, own_tables, prices_with_premium
from services.rules.titles.g1865.places import place_marks
from services.rules.titles.g1865.seadraft import DRAFT
from services.rules.titles.g1865.state import maritime_of, traffic_of


def _traffic(data: TitleData, game: Game, company: str) -> str:
    return str(traffic_of(game, company) or "")


def _rank(data: TitleData, game: Game, company: str) -> str:
    if not is_launched(game, company):
        return ""
    return f"{rank_of(game, data, company)} {zone_of(game, data, company)}"


def _at_sea(data: TitleData, game: Game, owner: str) -> str:
    return " ".join(maritime_of(game, owner))


def _of_dragons(data: TitleData, game: Game, company: str) -> str:
    return percent_text(game, company, shares_held(game, data, table_of(data).holder, company))


def _in_offer(data: TitleData, game: Game, company: str) -> str:
    return percent_text(game, company, shares_held(game, data, company, company))


def _coverage(data: TitleData, kind: str) -> str:
    return str(kind_of(data, f"{kind}-0").coverage)


OWN_PRESENTATION = Presentation(
    round_names={DRAFT: ("draft of the sea companies", "SD")},
    train_terms=TrainTerms(reach_heading="covers", reach=_coverage),
    company_columns=(
        CompanyColumn("in offer", 62, _in_offer, right=True),
        CompanyColumn("traffic", 48, _traffic, right=True),
        CompanyColumn("rank", 74, _rank),
        CompanyColumn("at sea", 70, _at_sea),
        CompanyColumn("Dragons", 62, _of_dragons, right=True),
    ),
    player_note=_at_sea,
    price_note=prices_with_premium,
    side_note=cost_of_kind,
    plain_note=cost_of_plain,
    shows_runs=False,
    place_marks=place_marks,
    tables=own_tables,
)
