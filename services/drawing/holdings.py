"""Who has what: the companies in play with their trains and last runs, the players with money and certificates."""

from __future__ import annotations

from collections.abc import Sequence

from services.drawing.legend import swatch
from services.drawing.lettering import width_of
from services.drawing.marks import token
from services.drawing.panel import Column, Drawn, Panel, Row, table
from services.drawing.routes import TrainLine
from services.drawing.svg import lettering
from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.vocabulary import BANK, POOL
from services.rules.parts.map.data import has_map
from services.rules.parts.map.state import unplaced_tokens
from services.rules.parts.market.data import has_market
from services.rules.parts.market.market import price_of
from services.rules.parts.presentation import Presentation
from services.rules.parts.shares.data import cards_of
from services.rules.parts.shares.shares import percent_text, shares_held
from services.rules.parts.shares.state import companies_of
from services.rules.parts.trains.data import has_trains
from services.rules.parts.trains.state import trains_of

PRICE, TRAINS, TOKENS = "price", "trains", "tokens left"
COMPANY_COLUMNS = (
    Column("", 34),
    Column("company", 270),
    Column("director", 110),
    Column(PRICE, 55, right=True),
    Column("treasury", 75, right=True),
    Column(TRAINS, 120),
    Column(TOKENS, 100),
    Column("in bank", 65, right=True),
    Column("in pool", 65, right=True),
)
RUNS_HEADING = "last runs (revenue + income of the treasury)"
LEAST_RUNS_WIDTH = 270.0
RUN_SIZE = 11.0
PLAYER_COLUMNS = (Column("player", 140), Column("cash", 80, right=True), Column("debt", 70, right=True))


def in_play(data: TitleData, game: Game) -> list[str]:
    """Companies that somebody owns or directs and that still exist, in operating order as far as there is one."""
    order = game.round.order if game.round is not None else ()
    found = [
        symbol
        for symbol in cards_of(data)
        if (state := companies_of(game).get(symbol)) is not None
        and not state.closed
        and (state.bought or state.opened or state.par or _is_held(game, symbol))
    ]
    return sorted(found, key=lambda symbol: order.index(symbol) if symbol in order else len(order))


def _is_held(game: Game, symbol: str) -> bool:
    return any(game.held(player, symbol) for player in game.players)


def company_panel(
    words: Presentation, data: TitleData, game: Game, lines: Sequence[TrainLine], width: float
) -> Panel:
    """The companies in play."""
    absent = _absent_headings(data)
    fixed = [
        *(column for column in COMPANY_COLUMNS if column.heading not in absent),
        *(Column(each.heading, each.width, right=each.right) for each in words.company_columns),
    ]
    shows_runs = words.shows_runs and has_trains(data)
    room = max(width - sum(column.width for column in fixed), LEAST_RUNS_WIDTH if shows_runs else 0.0)
    columns = (*fixed, Column(RUNS_HEADING if shows_runs else "", room))
    rows = []
    for symbol in in_play(data, game):
        printed = zip(COMPANY_COLUMNS, _company_cells(words, data, game, symbol), strict=True)
        cells = (
            *(cell for column, cell in printed if column.heading not in absent),
            *(each.text(data, game, symbol) for each in words.company_columns),
        )
        runs = Drawn(_runs(words, data, game, symbol, lines, columns[-1].width))
        rows.append(Row((*cells, runs), marked=symbol == game.actor))
    return table("Companies", columns, rows)


def _absent_headings(data: TitleData) -> frozenset[str]:
    """The columns that say nothing in a title without price chart, trains or map."""
    needed = {PRICE: has_market(data), TRAINS: has_trains(data), TOKENS: has_map(data)}
    return frozenset(heading for heading, is_there in needed.items() if not is_there)


def _company_cells(words: Presentation, data: TitleData, game: Game, symbol: str) -> tuple[str | Drawn, ...]:
    state = companies_of(game)[symbol]
    price = price_of(game, data, symbol)
    return (
        Drawn(token(data, symbol, 12 + 0j, 10)),
        cards_of(data)[symbol].name,
        state.director or ("receivership" if state.opened and not state.bought else ""),
        str(price) if price else "",
        str(game.money(symbol)) if state.opened or game.money(symbol) else "",
        ", ".join(words.train_name(data, game, train) for train in trains_of(game).owned.get(symbol, ())),
        _tokens(unplaced_tokens(game, symbol)),
        percent_text(game, symbol, shares_held(game, data, BANK, symbol)),
        percent_text(game, symbol, shares_held(game, data, POOL, symbol)),
    )


def _tokens(costs: tuple[int, ...]) -> str:
    return ", ".join(map(str, costs)) if any(costs) else str(len(costs) or "")


def _runs(
    words: Presentation, data: TitleData, game: Game, symbol: str, lines: Sequence[TrainLine], room: float
) -> str:
    """The last runs of a company, each with the colour of its line where it is drawn."""
    drawn = {(line.company, line.run.train): line for line in lines}
    parts = []
    x = 0.0
    for run in trains_of(game).last_runs.get(symbol, ()):
        earned = f"{run.revenue} + {run.treasury_income}" if run.treasury_income else str(run.revenue)
        text = f"{words.train_name(data, game, run.train)}: {earned}"
        line = drawn.get((symbol, run.train))
        if x + 30 + width_of(text, RUN_SIZE) > room:
            parts.append(lettering(complex(x, 0), "…", RUN_SIZE, anchor="start"))
            break
        if line is not None:
            parts.append(swatch(line, complex(x + 10, 0)))
        parts.append(lettering(complex(x + 26, 0), text, RUN_SIZE, anchor="start"))
        x += 44 + width_of(text, RUN_SIZE)
    return "".join(parts)


def player_panel(words: Presentation, data: TitleData, game: Game, width: float) -> Panel:
    """The players in seat order with what they hold; the director of a company is marked by a star."""
    fixed = sum(column.width for column in PLAYER_COLUMNS)
    columns = (*PLAYER_COLUMNS, Column("certificates (* director)", width - fixed))
    debts = any(game.debts.values())
    rows = []
    for player in game.players:
        name = f"{player} (priority)" if player == game.priority else player
        note = words.player_note(data, game, player)
        debt = str(game.debts.get(player, 0)) if debts else ""
        cells = (name, str(game.money(player)), debt, _certificates(data, game, player) + note)
        rows.append(Row(cells, marked=player in (game.actor, _director_at_work(game))))
    rows.append(Row(("bank", str(game.money(BANK)), "", ""), faint=True))
    return table("Players", columns, rows)


def _director_at_work(game: Game) -> str:
    state = companies_of(game).get(game.actor)
    return state.director if state is not None else ""


def _certificates(data: TitleData, game: Game, player: str) -> str:
    found = []
    for symbol in cards_of(data):
        shares = shares_held(game, data, player, symbol)
        state = companies_of(game).get(symbol)
        if shares and state is not None and not state.closed:
            star = "*" if state.director == player else ""
            share = "" if shares == state.shares else f" {percent_text(game, symbol, shares)}"
            found.append(f"{symbol}{star}{share}")
    return ", ".join(found)
