"""A company's turn in Island Railways: ferry, track, token, runs, dividend, train."""

from __future__ import annotations

from collections.abc import Iterator

from services.routing.domain.problem import RouteProblem
from services.routing.domain.verify import RunFault
from services.rules.kernel.choice import Choice
from services.rules.kernel.commands import Pass
from services.rules.kernel.draft import Draft
from services.rules.kernel.events import RoundEnded, RoundStarted
from services.rules.kernel.game import Game
from services.rules.kernel.passing import PASS
from services.rules.kernel.rejections import reject_if
from services.rules.kernel.title import Action, Context, Step
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.turnstep import TurnStep
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.map.board import city_slots, terrain_cost
from services.rules.parts.map.boardview import has_token, home_city, view_of
from services.rules.parts.map.commands import LayTile, PlaceToken
from services.rules.parts.map.laying import allowed_lay, lay_of, position_of, record_lay
from services.rules.parts.map.placing import (
    TokenClauses,
    check_connected,
    check_hex_is_new,
    check_slot,
    check_token_cost,
    check_token_left,
    place_next_token,
    token_action,
)
from services.rules.parts.map.state import map_of, track_turn
from services.rules.parts.map.tilelay import legal_tiles
from services.rules.parts.market.data import chart_of
from services.rules.parts.market.market import operating_order, shift
from services.rules.parts.shares.companyturns import CompanyTurns
from services.rules.parts.shares.data import cards_of
from services.rules.parts.shares.state import companies_of
from services.rules.parts.trains.commands import BuyTrain, RunTrains
from services.rules.parts.trains.depot import kind_name, kind_of, leave_depot, limit, on_sale
from services.rules.parts.trains.dividends import dividend_step, pay_out, withhold
from services.rules.parts.trains.part import TRAINS
from services.rules.parts.trains.routes import RunTerms, route_problem, train_of
from services.rules.parts.trains.running import check_trains, run_trains
from services.rules.parts.trains.runs import RunLaw, resolve_runs
from services.rules.parts.trains.state import Run, owned_by, phase_of, train_turn
from tests.samples.island.own import FerryHired, HireFerry, State


def decides(game: Game, context: Context) -> tuple[str, ...]:
    """The director of the company at turn."""
    return (companies_of(game)[game.actor].director,)


def _check_ferry(game: Game, context: Context, player: str, command: HireFerry) -> None:
    reject_if(command.company != game.actor, "not_your_turn", detail=command.company)
    reject_if(bool(State.of(game).ferry), "island.ferry_hired", "island/2", State.of(game).ferry)
    price = context.data.figures.ferry_price
    reject_if(game.money(game.actor) < price, "not_enough_cash", "island/2", str(price))


def _ferry(draft: Draft, context: Context, player: str, command: HireFerry) -> None:
    draft.pay(command.company, BANK, context.data.figures.ferry_price, "island.ferry_hired", command.company)
    draft.emit(FerryHired(command.company))


def _ferries(game: Game, context: Context, player: str) -> Iterator[Choice]:
    yield Choice(player, HireFerry(game.actor), cost=context.data.figures.ferry_price)


def _check_lay(game: Game, context: Context, player: str, command: LayTile) -> None:
    data = context.data
    reject_if(command.company != game.actor, "not_your_turn", detail=command.company)
    reject_if(bool(track_turn(game).laid), "tile_already_laid", "island/3")
    allowed_lay(view_of(data, game), position_of(game, data, "least_restrictive"), lay_of(command))
    cost = terrain_cost(data, map_of(game).tiles, command.hex)
    reject_if(cost > game.money(game.actor), "not_enough_cash", "island/3", str(cost))


def _lay(draft: Draft, context: Context, player: str, command: LayTile) -> None:
    data, game = context.data, draft.game
    outcome = allowed_lay(view_of(data, game), position_of(game, data, "least_restrictive"), lay_of(command))
    cost = terrain_cost(data, map_of(game).tiles, command.hex)
    draft.pay(command.company, BANK, cost, "tile_cost", command.hex)
    record_lay(draft, data, command.company, command.hex, outcome)


def _lays(game: Game, context: Context, player: str) -> Iterator[Choice]:
    for lay in legal_tiles(position_of(game, context.data, "least_restrictive")):
        cost = terrain_cost(context.data, map_of(game).tiles, lay.hex)
        yield Choice(player, LayTile(game.actor, lay.hex, lay.tile, lay.rotation), cost=cost)


def _slots(game: Game, data: TitleData, city: tuple[str, int]) -> tuple[str, ...]:
    return city_slots(data, map_of(game).tiles, map_of(game).tokens, city)


TOKEN_CLAUSES = TokenClauses(*["island/4"] * 6)


def _check_token(game: Game, context: Context, player: str, command: PlaceToken) -> None:
    check_token_left(game, context.data, command, TOKEN_CLAUSES)
    check_hex_is_new(game, command, TOKEN_CLAUSES)
    check_connected(game, context.data, command, TOKEN_CLAUSES)
    check_slot(game, context.data, command, TOKEN_CLAUSES.slot_taken)
    check_token_cost(game, command, TOKEN_CLAUSES)


def problem_of(game: Game, data: TitleData, company: str) -> RouteProblem:
    """Which runs of `company` earn the most."""
    trains = [(train, kind_name(train)) for train in owned_by(game, company)]
    return route_problem(view_of(data, game), company, trains, phase_of(game))


def _reason(fault: RunFault) -> tuple[str, str]:
    known = fault.reason if fault.reason in TRAINS.reasons else "route_unknown_track"
    return known, "island/5"


def resolve(game: Game, data: TitleData, command: RunTrains) -> tuple[Run, ...]:
    """The runs with what they earn; any legal runs will do."""
    check_trains(game, command, "island/5", "island/5")
    trains = [train_of(data, run.train, kind_name(run.train)) for run in command.runs]
    law = RunLaw(RunTerms(), _reason, ("route_unknown_track", "island/5"))
    return resolve_runs(view_of(data, game), command.company, trains, command.runs, phase_of(game), law)


def _any_runs(game: Game, context: Context, command: RunTrains, runs: tuple[Run, ...]) -> None:
    """The best runs are not demanded."""


def _divide(draft: Draft, context: Context, company: str, kind: str) -> None:
    """Pay the revenue to the players or keep it, and move the marker."""
    revenue, moves, per_share = train_turn(draft.game).revenue, chart_of(context.data).moves, 0
    if kind == "withhold":
        withhold(draft, company, kind, revenue)
    else:
        per_share = pay_out(draft, context.data, company, kind, revenue, draft.game.players)
    shift(draft, context.data, company, moves.dividend if per_share else moves.no_dividend, "dividend")


def _divide_nothing(draft: Draft, context: Context) -> None:
    """Nothing earned is nothing to decide."""
    if not train_turn(draft.game).revenue:
        _divide(draft, context, draft.game.actor, "withhold")


def _check_train(game: Game, context: Context, player: str, command: BuyTrain) -> None:
    reject_if(command.company != game.actor, "not_your_turn", detail=command.company)
    plain = command == BuyTrain(command.company, command.train, command.price)
    reject_if(
        not plain or command.train not in on_sale(game, context.data), "train_not_available", "island/7"
    )
    room = len(owned_by(game, game.actor)) < limit(context.data, game, game.actor)
    reject_if(not room, "train_limit", "island/7")
    price = kind_of(context.data, command.train).price
    reject_if(command.price != price, "train_price", "island/7", str(price))
    reject_if(price > game.money(game.actor), "not_enough_cash", "island/7", str(price))


def _train(draft: Draft, context: Context, player: str, command: BuyTrain) -> None:
    draft.pay(command.company, BANK, command.price, "train_bought", command.train)
    leave_depot(draft, context.data, command.train, command.company, "bought")


def _trains(game: Game, context: Context, player: str) -> Iterator[Choice]:
    for train in on_sale(game, context.data):
        price = kind_of(context.data, train).price
        yield Choice(player, BuyTrain(game.actor, train, price), cost=price)


FERRY, LAY, TOKEN = (
    Action(_check_ferry, _ferry, _ferries),
    Action(_check_lay, _lay, _lays),
    token_action(_check_token),
)
TRAIN = Action(_check_train, _train, _trains)


def _turn_step(name: str, action: Action, command: type) -> TurnStep:
    """A step that may be passed, and is left out when there is nothing to do in it."""
    step = Step(name, {command: action, Pass: PASS}, decides)
    return TurnStep(step, lambda game, context: action.is_open(game, context, ""))


def _must_run(game: Game, context: Context) -> bool:
    trains = owned_by(game, game.actor)
    return bool(trains) and not train_turn(game).ran and view_of(context.data, game).route_exists(game.actor)


DIVIDE = dividend_step(
    decides, lambda data, company: ("pay", "withhold"), _divide, "island/6", begin=_divide_nothing
)
STEPS = (
    _turn_step("hire_ferry", FERRY, HireFerry),
    _turn_step("lay_track", LAY, LayTile),
    _turn_step("place_token", TOKEN, PlaceToken),
    TurnStep(Step("run_trains", {RunTrains: run_trains(resolve, _any_runs)}, decides), _must_run),
    DIVIDE,
    _turn_step("buy_trains", TRAIN, BuyTrain),
)


def start_round(draft: Draft, context: Context, turn: int, number: int, count: int) -> None:
    """The ferry pays, then the open companies act by falling price."""
    data, game = context.data, draft.game
    opened = [symbol for symbol, company in companies_of(game).items() if company.opened]
    order = tuple(operating_order(game, data, opened))
    draft.emit(RoundStarted("operating", turn, number, count, order))
    ferry = State.of(game).ferry
    if ferry:
        director = companies_of(game)[ferry].director
        receiver = ferry if game.rulings["ferry_income"] == "company" else director
        draft.pay(BANK, receiver, data.figures.ferry_income, "island.ferry_income", ferry)
    TURNS.start_next(draft, context)


def _begin_turn(draft: Draft, context: Context) -> None:
    """The home token comes before everything else."""
    data, company = context.data, draft.game.actor
    if not has_token(map_of(draft.game).tokens, company):
        home = cards_of(data)[company].home
        assert home is not None
        city = (home.hex, home_city(data, map_of(draft.game).tiles, home.hex, home.stop))
        slots = _slots(draft.game, data, city)
        place_next_token(draft, company, city, slots.index(""), len(slots), "home")


def end_round(draft: Draft, context: Context) -> None:
    """Nothing but the end itself."""
    draft.emit(RoundEnded("operating"))


TURNS = CompanyTurns(STEPS, lambda game, company: True, _begin_turn)
