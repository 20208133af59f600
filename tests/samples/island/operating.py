"""A company's turn in Island Railways: ferry, track, token, runs, dividend, train."""

from __future__ import annotations

from collections.abc import Iterator

from services.routing.domain.verify import RunFault
from services.rules.kernel.choice import Choice
from services.rules.kernel.draft import Draft
from services.rules.kernel.events import RoundStarted
from services.rules.kernel.game import Game
from services.rules.kernel.payments import check_cash
from services.rules.kernel.rejections import reject_if
from services.rules.kernel.title import Action, Context
from services.rules.kernel.turnstep import optional_step
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.map.board import city_slots
from services.rules.parts.map.boardview import has_token, home_city
from services.rules.parts.map.commands import LayTile, PlaceToken
from services.rules.parts.map.placing import TokenClauses, check_token, place_next_token, token_action
from services.rules.parts.map.state import map_of
from services.rules.parts.map.trackstep import LayTerms, lay_action, one_tile_a_turn
from services.rules.parts.shares.companyturns import CompanyTurns, director_of_actor, open_companies
from services.rules.parts.shares.data import cards_of
from services.rules.parts.shares.state import companies_of
from services.rules.parts.trains.buying import at_price, check_known, check_on_sale, check_price, check_room
from services.rules.parts.trains.commands import BuyTrain
from services.rules.parts.trains.depot import kind_of, leave_depot, on_sale
from services.rules.parts.trains.dividends import divide_and_move, dividend_step
from services.rules.parts.trains.part import TRAINS
from services.rules.parts.trains.running import run_step
from services.rules.parts.trains.runrules import RunRules, can_run
from services.rules.parts.trains.state import train_turn
from tests.samples.island.own import FerryHired, HireFerry, State


def _check_ferry(game: Game, context: Context, player: str, command: HireFerry) -> None:
    reject_if(command.company != game.actor, "not_your_turn", detail=command.company)
    reject_if(bool(State.of(game).ferry), "island.ferry_hired", "island/2", State.of(game).ferry)
    check_cash(game, command.company, context.data.figures.ferry_price, "island/2")


def _ferry(draft: Draft, context: Context, player: str, command: HireFerry) -> None:
    draft.pay(command.company, BANK, context.data.figures.ferry_price, "island.ferry_hired", command.company)
    draft.emit(FerryHired(command.company))


def _ferries(game: Game, context: Context, player: str) -> Iterator[Choice]:
    yield Choice(player, HireFerry(game.actor), cost=context.data.figures.ferry_price)


def _reason(fault: RunFault) -> tuple[str, str]:
    return fault.reason if fault.reason in TRAINS.reasons else "route_unknown_track", "island/5"


TOKEN_CLAUSES = TokenClauses(*["island/4"] * 6)
RUNS = RunRules(_reason, ("route_unknown_track", "island/5"), not_owned="island/5", twice="island/5")


def _divide(draft: Draft, context: Context, company: str, kind: str) -> None:
    divide_and_move(draft, context.data, company, kind, train_turn(draft.game).revenue)


def _check_train(game: Game, context: Context, player: str, command: BuyTrain) -> None:
    data, company, train = context.data, command.company, command.train
    check_known(game, data, company, train)
    reject_if(command != BuyTrain(company, train, command.price), "train_not_available", "island/7")
    check_on_sale(game, data, train, "island/7")
    check_room(game, data, company, "island/7")
    check_price(command.price, kind_of(data, train).price, "island/7")
    check_cash(game, company, command.price, "island/7")


def _train(draft: Draft, context: Context, player: str, command: BuyTrain) -> None:
    draft.pay(command.company, BANK, command.price, "train_bought", command.train)
    leave_depot(draft, context.data, command.train, command.company, "bought")


def _trains(game: Game, context: Context, player: str) -> Iterator[Choice]:
    for train in on_sale(game, context.data):
        yield at_price(player, game.actor, train, kind_of(context.data, train).price)


TOKEN = token_action(
    lambda game, context, player, command: check_token(game, context.data, command, TOKEN_CLAUSES)
)
LAY_TERMS = LayTerms(one_tile_a_turn("island/3"), lambda game: "least_restrictive", too_dear="island/3")
DIVIDE = dividend_step(director_of_actor, lambda data, company: ("pay", "withhold"), _divide, "island/6")
STEPS = (
    optional_step("hire_ferry", {HireFerry: Action(_check_ferry, _ferry, _ferries)}, director_of_actor),
    optional_step("lay_track", {LayTile: lay_action(LAY_TERMS)}, director_of_actor),
    optional_step("place_token", {PlaceToken: TOKEN}, director_of_actor),
    run_step(director_of_actor, RUNS.resolve, lambda game, context: can_run(game, context.data)),
    DIVIDE,
    optional_step("buy_trains", {BuyTrain: Action(_check_train, _train, _trains)}, director_of_actor),
)


def start_round(draft: Draft, context: Context, turn: int, number: int, count: int) -> None:
    """The ferry pays, then the open companies act by falling price."""
    data, game = context.data, draft.game
    draft.emit(RoundStarted("operating", turn, number, count, open_companies(game, data)))
    ferry = State.of(game).ferry
    if ferry:
        director = companies_of(game)[ferry].director
        receiver = ferry if game.rulings["ferry_income"] == "company" else director
        draft.pay(BANK, receiver, data.figures.ferry_income, "island.ferry_income", ferry)
    TURNS.start_next(draft, context)


def _begin_turn(draft: Draft, context: Context) -> None:
    """The home token comes before everything else."""
    data, company, board = context.data, draft.game.actor, map_of(draft.game)
    home = cards_of(data)[company].home
    if home is not None and not has_token(board.tokens, company):
        city = (home.hex, home_city(data, board.tiles, home.hex, home.stop))
        slots = city_slots(data, board.tiles, board.tokens, city)
        place_next_token(draft, company, city, slots.index(""), len(slots), "home")


TURNS = CompanyTurns(STEPS, lambda game, company: True, _begin_turn)
