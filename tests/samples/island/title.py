"""Island Railways: a small share railway game, added to the platform from outside."""

from __future__ import annotations

from pathlib import Path

from services.rules.kernel.commands import CreateGame
from services.rules.kernel.conversion import Converter
from services.rules.kernel.draft import Draft
from services.rules.kernel.events import GameEnded, PriorityMoved
from services.rules.kernel.flow import Flow
from services.rules.kernel.game import Game
from services.rules.kernel.payments import deal_cash
from services.rules.kernel.scoring import ranked
from services.rules.kernel.title import Context, RulingChoice
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.vocabulary import BANK
from services.rules.loading import title_in
from services.rules.parts.botpreferences import BOT_PREFERENCES, BotPreference
from services.rules.parts.map.events import CharterTokensSet
from services.rules.parts.presentation import PRESENTATION, CompanyColumn, Presentation
from services.rules.parts.railway import RAILWAY, railway_schema
from services.rules.parts.shares.companyturns import closes_set
from services.rules.parts.shares.data import cards_of
from services.rules.parts.shares.shares import add_company, divide_shares
from services.rules.parts.shares.state import companies_of
from services.rules.parts.shares.stockround import start_stock_round
from services.rules.parts.shares.worth import worth_of_shares
from services.rules.parts.trains.bestruns import BEST_RUNS, BestRuns
from services.rules.parts.trains.depot import operating_rounds, start_first_phase
from tests.samples.island import operating, stock
from tests.samples.island.own import OWN, Figures, HireFerry, State

SCHEMA = railway_schema(Converter(Figures))
FERRY_INCOME = RulingChoice(
    "ferry_income", ("company", "director"), "company", ("island/2",), "Who gets what the ferry brings in?"
)


def set_up(draft: Draft, context: Context, command: CreateGame) -> None:
    """Deal money, lay out the certificates and tokens, and begin with a stock round."""
    deal_cash(draft)
    for symbol, card in cards_of(context.data).items():
        add_company(draft, symbol)
        draft.emit(CharterTokensSet(symbol, card.tokens))
    start_first_phase(draft)
    draft.emit(PriorityMoved(command.players[0]))
    start_stock_round(draft, 1)


def _start_next_round(draft: Draft, context: Context) -> None:
    game, data, ended = draft.game, context.data, draft.game.current_round
    if ended.kind == "stock":
        operating.start_round(draft, context, ended.turn, 1, operating_rounds(game, data))
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


def player_value(game: Game, data: TitleData, player: str) -> int:
    """Cash, and shares at their price."""
    return game.money(player) + worth_of_shares(game, data, player)


FLOW = Flow(
    rounds={"stock": stock.ROUND, "operating": operating.TURNS.round_rules()},
    questions={},
    start_next=_start_next_round,
    player_value=player_value,
    closes_turn=closes_set,
)
TITLE = title_in(
    Path(__file__).parent,
    SCHEMA,
    FLOW,
    parts=RAILWAY,
    own=OWN,
    rulings=(FERRY_INCOME,),
    set_up=set_up,
    capabilities={
        PRESENTATION: Presentation(
            company_columns=(
                CompanyColumn(
                    "ferry", 50, lambda data, game, symbol: "yes" * (State.of(game).ferry == symbol)
                ),
            )
        ),
        BOT_PREFERENCES: (BotPreference(HireFerry, "after_trains"),),
        BEST_RUNS: BestRuns(operating.RUNS.problem, lambda game, data, command: None, operating.RUNS.reckon),
    },
)
