"""Who has what: the companies in play with their trains and last runs, the players with money and certificates."""

from __future__ import annotations

from collections.abc import Sequence

from services.drawing.legend import swatch
from services.drawing.lettering import width_of
from services.drawing.marks import token
from services.drawing.panel import Column, Drawn, Panel, Row, table
from services.drawing.routes import TrainLine
from services.drawing.svg import lettering
from services.drawing.trainnames import train_name
from services.rules.domain.events import BANK, POOL
from services.rules.domain.game import Game
from services.rules.domain.market import price_of
from services.rules.domain.shares import percent_held
from services.rules.domain.titledata import TitleData

COMPANY_COLUMNS = (
    Column("", 34),
    Column("company", 270),
    Column("director", 110),
    Column("price", 55, right=True),
    Column("treasury", 75, right=True),
    Column("trains", 120),
    Column("tokens left", 100),
    Column("in bank", 65, right=True),
    Column("in pool", 65, right=True),
)
# Told where a title knows such things.
LICENCE_COLUMN = Column("licences", 62)
OWN_COLUMN = Column("own", 48, right=True)
FIRST_PRICE_COLUMN = Column("initial", 50, right=True)
RUNS_HEADING = "last runs (revenue + income of the treasury)"
LEAST_RUNS_WIDTH = 270.0
RUN_SIZE = 11.0
PLAYER_COLUMNS = (Column("player", 140), Column("cash", 80, right=True), Column("debt", 70, right=True))


def in_play(data: TitleData, game: Game) -> list[str]:
    """Companies that somebody owns or directs and that still exist, in operating order as far as there is one."""
    order = game.round.order if game.round is not None else ()
    found = [
        symbol
        for symbol in data.companies
        if (state := game.companies.get(symbol)) is not None
        and not state.closed
        and (state.bought or state.opened or state.par or _is_held(game, symbol))
    ]
    return sorted(found, key=lambda symbol: order.index(symbol) if symbol in order else len(order))


def _is_held(game: Game, symbol: str) -> bool:
    return any(game.held(player, symbol) for player in game.players)


def company_panel(data: TitleData, game: Game, lines: Sequence[TrainLine], width: float) -> Panel:
    """The companies in play."""
    told = [*COMPANY_COLUMNS, *_further_columns(game)]
    columns = (
        *told,
        Column(RUNS_HEADING, max(width - sum(column.width for column in told), LEAST_RUNS_WIDTH)),
    )
    rows = []
    for symbol in in_play(data, game):
        cells = (*_company_cells(data, game, symbol), *_further_cells(data, game, symbol))
        runs = Drawn(_runs(data, game, symbol, lines, columns[-1].width))
        rows.append(Row((*cells, runs), marked=symbol == game.actor))
    return table("Companies", columns, rows)


def _company_cells(data: TitleData, game: Game, symbol: str) -> tuple[str | Drawn, ...]:
    state = game.companies[symbol]
    price = price_of(game, data, symbol)
    return (
        Drawn(token(data, symbol, 12 + 0j, 10)),
        data.companies[symbol].name,
        state.director or ("receivership" if state.opened and not state.bought else ""),
        str(price) if price else "",
        str(game.money(symbol)) if state.opened or game.money(symbol) else "",
        ", ".join(train_name(data, game, train) for train in game.trains.get(symbol, ())),
        ", ".join(map(str, state.charter)) if any(state.charter) else str(len(state.charter) or ""),
        _percent(percent_held(game, data, BANK, symbol)),
        _percent(percent_held(game, data, POOL, symbol)),
    )


def _has_licences(game: Game) -> bool:
    return any(state.offered_from for state in game.companies.values())


def _further_columns(game: Game) -> tuple[Column, ...]:
    return (OWN_COLUMN, FIRST_PRICE_COLUMN, LICENCE_COLUMN) if _has_licences(game) else ()


def _further_cells(data: TitleData, game: Game, symbol: str) -> tuple[str, ...]:
    if not _has_licences(game):
        return ()
    state = game.companies[symbol]
    licences = " ".join(licence[:1].upper() for licence in state.licences)
    return (_percent(percent_held(game, data, symbol, symbol)), str(state.par or ""), licences)


def _percent(share: int) -> str:
    return f"{share} %" if share else ""


def _runs(data: TitleData, game: Game, symbol: str, lines: Sequence[TrainLine], room: float) -> str:
    """The last runs of a company, each with the colour of its line where it is drawn."""
    drawn = {(line.company, line.run.train): line for line in lines}
    parts = []
    x = 0.0
    for run in game.last_runs.get(symbol, ()):
        earned = f"{run.revenue} + {run.treasury_income}" if run.treasury_income else str(run.revenue)
        words = f"{train_name(data, game, run.train)}: {earned}"
        line = drawn.get((symbol, run.train))
        if x + 30 + width_of(words, RUN_SIZE) > room:
            parts.append(lettering(complex(x, 0), "…", RUN_SIZE, anchor="start"))
            break
        if line is not None:
            parts.append(swatch(line, complex(x + 10, 0)))
        parts.append(lettering(complex(x + 26, 0), words, RUN_SIZE, anchor="start"))
        x += 44 + width_of(words, RUN_SIZE)
    return "".join(parts)


def player_panel(data: TitleData, game: Game, width: float) -> Panel:
    """The players in seat order with what they hold; the director of a company is marked by a star."""
    fixed = sum(column.width for column in PLAYER_COLUMNS)
    columns = (*PLAYER_COLUMNS, Column("certificates (* director)", width - fixed))
    debts = any(game.debts.values())
    rows = []
    for player in game.players:
        name = f"{player} (priority)" if player == game.priority else player
        answers = "".join(
            f"; answers for {symbol}" for holder, symbol in game.obligations if holder == player
        )
        debt = str(game.debts.get(player, 0)) if debts else ""
        cells = (name, str(game.money(player)), debt, _certificates(data, game, player) + answers)
        rows.append(Row(cells, marked=player in (game.actor, _director_at_work(game))))
    rows.append(Row(("bank", str(game.money(BANK)), "", ""), faint=True))
    return table("Players", columns, rows)


def _director_at_work(game: Game) -> str:
    state = game.companies.get(game.actor)
    return state.director if state is not None else ""


def _certificates(data: TitleData, game: Game, player: str) -> str:
    found = []
    for symbol in data.companies:
        share = percent_held(game, data, player, symbol)
        state = game.companies.get(symbol)
        if share and state is not None and not state.closed:
            star = "*" if state.director == player else ""
            found.append(f"{symbol}{star}" if share == 100 else f"{symbol}{star} {share} %")
    return ", ".join(found)
