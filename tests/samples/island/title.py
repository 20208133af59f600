"""Island Railways: a small share railway game, added to the platform from outside."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from services.rules.kernel.botpreferences import BOT_PREFERENCES, BotPreference
from services.rules.kernel.commands import CreateGame
from services.rules.kernel.conversion import Converter
from services.rules.kernel.draft import Draft
from services.rules.kernel.events import GameEnded, PriorityMoved
from services.rules.kernel.flow import Flow, RoundRules
from services.rules.kernel.game import Game
from services.rules.kernel.presentation import CompanyColumn, Presentation
from services.rules.kernel.scoring import ranked
from services.rules.kernel.title import Context, RulingChoice, Title
from services.rules.kernel.titlebuild import Schema, no_faults
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.vocabulary import BANK
from services.rules.loading import header_of, loader_of
from services.rules.parts.map.events import CharterTokensSet
from services.rules.parts.map.homes import home_faults
from services.rules.parts.map.part import MAP
from services.rules.parts.map.reading import MAP_DATA
from services.rules.parts.market.data import MARKET_DATA
from services.rules.parts.market.market import price_of
from services.rules.parts.market.part import MARKET
from services.rules.parts.shares.data import CompanyCard, cards_of, shares_reader
from services.rules.parts.shares.events import CompanyAdded
from services.rules.parts.shares.part import SHARES
from services.rules.parts.shares.shares import divide_shares, shares_of
from services.rules.parts.shares.state import companies_of
from services.rules.parts.shares.stockround import start_stock_round
from services.rules.parts.trains.bestruns import BEST_RUNS, BestRuns, reckoned
from services.rules.parts.trains.commands import RunTrains
from services.rules.parts.trains.data import Phase, TrainKind, phases_of, trains_reader
from services.rules.parts.trains.events import PhaseStarted
from services.rules.parts.trains.part import TRAINS
from services.rules.parts.trains.state import phase_of
from tests.samples.island import operating, stock
from tests.samples.island.own import OWN, Figures, HireFerry, State

FOLDER = Path(__file__).parent
HEADER = header_of(FOLDER)
SCHEMA = Schema(
    Converter(Figures),
    (
        MAP_DATA,
        shares_reader(Converter(CompanyCard), home_faults),
        trains_reader(Converter(TrainKind), Converter(Phase), no_faults),
        MARKET_DATA,
    ),
)
RULINGS = (
    RulingChoice(
        "ferry_income",
        ("company", "director"),
        "company",
        ("island/2",),
        "Who gets what the ferry brings in?",
    ),
)


def set_up(draft: Draft, context: Context, command: CreateGame) -> None:
    """Deal money, lay out the certificates and tokens, and begin with a stock round."""
    data, players = context.data, command.players
    for player in players:
        draft.pay(BANK, player, data.header.starting_cash[len(players)], "starting_cash")
    for symbol, card in cards_of(data).items():
        draft.emit(CompanyAdded(symbol))
        divide_shares(draft, symbol, card.divided_into[0], BANK)
        draft.emit(CharterTokensSet(symbol, card.tokens))
    draft.emit(PhaseStarted(next(iter(phases_of(data)))))
    draft.emit(PriorityMoved(players[0]))
    start_stock_round(draft, 1)


def _start_next_round(draft: Draft, context: Context) -> None:
    game, data, ended = draft.game, context.data, draft.game.current_round
    if ended.kind == "stock":
        operating.start_round(draft, context, ended.turn, 1, phases_of(data)[phase_of(game)].operating_rounds)
    elif ended.number < ended.count:
        operating.start_round(draft, context, ended.turn, ended.number + 1, ended.count)
    elif ended.turn == data.figures.game_turns:
        draft.emit(GameEnded("island.rounds_played", ranked(game, data, player_value)))
    else:
        _divide_anew(draft, data)
        start_stock_round(draft, ended.turn + 1)


def _divide_anew(draft: Draft, data: TitleData) -> None:
    """An open company that has few shares issues more between two game turns; those of its holders count for less of it."""
    for symbol, company in list(companies_of(draft.game).items()):
        more = [shares for shares in cards_of(data)[symbol].divided_into if shares > company.shares]
        if company.opened and more:
            divide_shares(draft, symbol, more[0], BANK)


def _shares(game: Game, data: TitleData, player: str) -> Iterator[int]:
    for (holder, symbol), numbers in game.holdings.items():
        if holder == player:
            yield shares_of(data, symbol, numbers) * price_of(game, data, symbol)


def player_value(game: Game, data: TitleData, player: str) -> int:
    """Cash, and shares at their price."""
    return game.money(player) + sum(_shares(game, data, player))


FLOW = Flow(
    rounds={
        "stock": RoundRules(lambda game: stock.STEP, stock.advance, stock.end_round),
        "operating": RoundRules(operating.TURNS.step_of, operating.TURNS.advance, operating.end_round),
    },
    questions={},
    start_next=_start_next_round,
    player_value=player_value,
    closes_turn=lambda game: game.current_round.kind == "operating",
)
TITLE = Title(
    name="island",
    parts=(SHARES, MARKET, MAP, TRAINS),
    own=OWN,
    options=HEADER.options,
    player_counts=HEADER.player_counts,
    rulings=RULINGS,
    load=loader_of(FOLDER, SCHEMA),
    opening_bank=lambda data, players, rulings: data.header.bank,
    set_up=set_up,
    advance=FLOW.advance,
    step_of=FLOW.step_of,
    player_value=player_value,
    certificate_limit=lambda game, data: data.header.certificate_limit[len(game.players)],
    presentation=Presentation(
        company_columns=(
            CompanyColumn("ferry", 50, lambda data, game, symbol: "yes" * (State.of(game).ferry == symbol)),
        )
    ),
    capabilities={
        BOT_PREFERENCES: (BotPreference(HireFerry, "after_trains"),),
        BEST_RUNS: BestRuns(
            problem=operating.problem_of,
            question=lambda game, data, command: None,
            reckon=lambda game, data, solution: reckoned(
                operating.problem_of(game, data, game.actor),
                solution,
                lambda runs: operating.resolve(game, data, RunTrains(game.actor, runs)),
            ),
        ),
    },
)
