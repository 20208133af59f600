"""The tables of 1865 that pictures show: the Dragon table, the traffic of railways in cubes, the sea companies."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.parts.market.data import chart_of
from services.rules.parts.presentation import ShownCell, ShownTable
from services.rules.parts.trains.state import phase_of
from services.rules.titles.g1865.companies import is_launched, rank_of
from services.rules.titles.g1865.dragontable import TableRow, table_of, zone_in
from services.rules.titles.g1865.figures import figures_of, railway_cards
from services.rules.titles.g1865.hexsides import PLAIN
from services.rules.titles.g1865.maritime import maritime_cards
from services.rules.titles.g1865.revenue import coverage_of
from services.rules.titles.g1865.state import own, traffic_of

PHASE_WIDTH = 66
RANK_WIDTH = 50
TOKENS_BESIDE = 2
RAILWAY_WIDTH = 42
NAME_WIDTH = 130
PLACE_WIDTH = 170
NUMBER_WIDTH = 76
CUBES_WIDTH = 300


def own_tables(data: TitleData, game: Game) -> tuple[ShownTable, ...]:
    """All tables that only 1865 has."""
    return _dragon_table(data, game), _traffic(data, game), _sea_companies(data, game)


def prices_with_premium(data: TitleData, price: int) -> str:
    """What a Dragon share costs at this value, by zone: a line for each."""
    at = chart_of(data).rows[0].index(price)
    return "\n".join(f"{zone[0]} {prices[at]}" for zone, prices in table_of(data).premium_prices.items())


def cost_of_kind(data: TitleData, side: str) -> str:
    """What a token pays for a side of this kind."""
    return str(figures_of(data).token_cost[side])


def cost_of_plain(data: TitleData) -> str:
    """What a token pays for every other side."""
    return f"all others ({PLAIN}) {cost_of_kind(data, PLAIN)}"


def _dragon_table(data: TitleData, game: Game) -> ShownTable:
    """Each company on its row at its rank; the row of the phase at hand is marked."""
    ranks = range(1, figures_of(data).rank_most + 1)
    columns = (("phase", PHASE_WIDTH), *((str(rank), RANK_WIDTH) for rank in ranks))
    rows = chain.from_iterable(_dragon_rows(data, game, row) for row in table_of(data).rows)
    heading = "Dragon table by phase and rank (red: they sell, white: hold, green: buy)"
    return ShownTable(heading, columns, tuple(rows))


def _dragon_rows(data: TitleData, game: Game, row: TableRow) -> Iterator[tuple[ShownCell, ...]]:
    """The row of a phase, and as many again as its tokens need that do not fit into one."""
    at_rank: dict[int, tuple[str, ...]] = {}
    for company in railway_cards(data):
        if is_launched(game, company) and own(game).rows[company] == row.name:
            rank = min(rank_of(game, data, company), figures_of(data).rank_most)
            at_rank[rank] = (*at_rank.get(rank, ()), company)
    name = f"{row.name} (now)" if row.name == phase_of(game) else row.name
    for first in range(0, max(map(len, at_rank.values()), default=1), TOKENS_BESIDE):
        cells = (
            ShownCell(tokens=at_rank.get(rank, ())[first : first + TOKENS_BESIDE], ground=zone_in(row, rank))
            for rank in range(1, figures_of(data).rank_most + 1)
        )
        yield ShownCell("" if first else name), *cells


def _traffic(data: TitleData, game: Game) -> ShownTable:
    """What each railway has, what its trains cover of it, and the cubes it takes."""
    columns = (
        ("railway", RAILWAY_WIDTH),
        ("traffic", NUMBER_WIDTH),
        ("coverage", NUMBER_WIDTH),
        ("cubes", CUBES_WIDTH),
    )
    rows = (
        (
            ShownCell(tokens=(company,)),
            ShownCell(str(traffic_of(game, company))),
            ShownCell(str(coverage_of(game, data, company))),
            ShownCell(cubes=tuple(_cubes(data, traffic_of(game, company)))),
        )
        for company in railway_cards(data)
        if is_launched(game, company)
    )
    worth = ", ".join(f"{colour} {count}" for colour, count in figures_of(data).cubes.items())
    return ShownTable(f"Traffic ({worth})", columns, tuple(rows))


def _cubes(data: TitleData, traffic: int) -> Iterator[str]:
    """The fewest cubes that stand for so much, by colour."""
    for colour, count in figures_of(data).cubes.items():
        number, traffic = divmod(traffic, count)
        yield from (colour,) * number


def _sea_companies(data: TitleData, game: Game) -> ShownTable:
    """Where each is at home, and who has it."""
    columns = (
        ("", RAILWAY_WIDTH),
        ("sea company", PLACE_WIDTH),
        ("held by", NAME_WIDTH),
        ("port", NAME_WIDTH),
    )
    state = own(game)
    rows = (
        (
            ShownCell(card.name),
            ShownCell(card.title),
            _holder(data, state.maritime.get(card.name, "")),
            ShownCell("traffic brought" if card.name in state.ports else ""),
        )
        for card in maritime_cards(data).values()
    )
    return ShownTable("Sea companies", columns, tuple(rows))


def _holder(data: TitleData, holder: str) -> ShownCell:
    return ShownCell(tokens=(holder,)) if holder in railway_cards(data) else ShownCell(holder)
