"""How this title is shown to people."""

from __future__ import annotations

from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.parts.presentation import CompanyColumn, Presentation
from services.rules.titles.rotw.financing import bonds_of
from services.rules.titles.rotw.sketch import sketch_of
from services.rules.titles.rotw.state import links_of, own


def _links(data: TitleData, game: Game, company: str) -> str:
    return str(len(links_of(game, company)) or "")


def _income(data: TitleData, game: Game, company: str) -> str:
    return str(own(game).income.get(company, 0))


def _bonds(data: TitleData, game: Game, company: str) -> str:
    return str(bonds_of(game, data, company) or "")


def _reserve(data: TitleData, game: Game, company: str) -> str:
    return str(len(game.held(company, company)))


OWN_PRESENTATION = Presentation(
    round_names={
        "rotw.opening": ("opening auctions", "OA"),
        "rotw.companies": ("company round", "CR"),
        "rotw.dividends": ("dividends", "DIV"),
        "rotw.mergers": ("mergers", "MER"),
        "rotw.new_shares": ("auction of new shares", "ANS"),
    },
    company_columns=(
        CompanyColumn("reserve", 60, _reserve, right=True),
        CompanyColumn("links", 45, _links, right=True),
        CompanyColumn("income", 55, _income, right=True),
        CompanyColumn("bonds", 50, _bonds, right=True),
    ),
    sketch=sketch_of,
)
