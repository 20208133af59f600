"""A company's turn in Island Railways: ferry, track, token, runs, dividend, train."""

from __future__ import annotations

from collections.abc import Iterator

from services.routing.domain.problem import RouteProblem
from services.routing.domain.verify import RunFault
from services.rules.kernel.choice import Choice
from services.rules.kernel.commands import Pass
from services.rules.kernel.draft import Draft
from services.rules.kernel.events import RoundStarted, TurnStarted
from services.rules.kernel.game import Game
from services.rules.kernel.passing import PASS
from services.rules.kernel.rejections import reject_if
from services.rules.kernel.title import Action, Context, Step
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.turnstep import TurnStep, take_steps
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.map.board import city_slots, terrain_cost
from services.rules.parts.map.boardview import has_token, home_city, view_of
from services.rules.parts.map.commands import LayTile, PlaceToken
from services.rules.parts.map.laying import allowed_lay, lay_of, position_of, record_lay
from services.rules.parts.map.placing import (
    TOKEN_PLACED,
    check_city,
    place_bought_token,
    place_next_token,
    reached_cities,
)
from services.rules.parts.map.state import map_of, track_turn, unplaced_tokens
from services.rules.parts.map.tilelay import legal_tiles
from services.rules.parts.market.data import chart_of
from services.rules.parts.market.market import operating_order, shift
from services.rules.parts.shares.data import cards_of
from services.rules.parts.shares.dealing import end_company_turn
from services.rules.parts.shares.shares import pay_holders
from services.rules.parts.shares.state import companies_of
from services.rules.parts.trains.commands import BuyTrain, DeclareDividend, RunTrains
from services.rules.parts.trains.depot import kind_name, kind_of, leave_depot, limit, on_sale
from services.rules.parts.trains.events import DividendDeclared
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


def _check_token(game: Game, context: Context, player: str, command: PlaceToken) -> None:
    reject_if(command.company != game.actor, "not_your_turn", detail=command.company)
    check_city(game, context.data, command)
    left, city = unplaced_tokens(game, game.actor), (command.hex, command.city)
    reject_if(not left or TOKEN_PLACED in game.turn.actions, "no_token_left", "island/4")
    slots = _slots(game, context.data, city)
    reject_if(game.actor in slots, "token_twice", "island/4", command.hex)
    taken = "" not in slots if command.slot < 0 else slots[command.slot] != ""
    reject_if(taken, "token_slot_taken", "island/4", command.hex)
    reached = city in view_of(context.data, game).reach(game.actor).stops
    reject_if(not reached, "token_not_connected", "island/4", command.hex)
    reject_if(left[0] > game.money(game.actor), "not_enough_cash", "island/4", str(left[0]))


def _token(draft: Draft, context: Context, player: str, command: PlaceToken) -> None:
    cost, city = unplaced_tokens(draft.game, command.company)[0], (command.hex, command.city)
    slots = _slots(draft.game, context.data, city)
    draft.pay(command.company, BANK, cost, "token_cost", command.hex)
    slot = command.slot if command.slot >= 0 else slots.index("")
    place_bought_token(draft, command.company, city, slot, len(slots))


def _tokens(game: Game, context: Context, player: str) -> Iterator[Choice]:
    for city in reached_cities(game, context.data, game.actor):
        cost = unplaced_tokens(game, game.actor)[:1]
        yield Choice(player, PlaceToken(game.actor, *city), cost=sum(cost))


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


def _check_dividend(game: Game, context: Context, player: str, command: DeclareDividend) -> None:
    reject_if(command.company != game.actor, "not_your_turn", detail=command.company)
    reject_if(command.kind not in ("pay", "withhold"), "dividend_kind", "island/6", command.kind)


def _dividend(draft: Draft, context: Context, player: str, command: DeclareDividend) -> None:
    divide(draft, context, command.kind)


def divide(draft: Draft, context: Context, kind: str) -> None:
    """Pay the revenue to the players or keep it, and move the marker."""
    company, revenue = draft.game.actor, train_turn(draft.game).revenue
    moves = chart_of(context.data).moves
    per_share = share_count = 0
    if kind == "withhold":
        draft.pay(BANK, company, revenue, "revenue_withheld", company)
    else:
        per_share = revenue // companies_of(draft.game)[company].shares
        share_count = pay_holders(draft, context.data, company, per_share, draft.game.players)
    draft.emit(DividendDeclared(company, kind, revenue, per_share, share_count))
    shift(draft, context.data, company, moves.dividend if per_share else moves.no_dividend, "dividend")


def _dividends(game: Game, context: Context, player: str) -> Iterator[Choice]:
    for kind in ("pay", "withhold"):
        yield Choice(player, DeclareDividend(game.actor, kind))


def _divide_nothing(draft: Draft, context: Context) -> None:
    """Nothing earned is nothing to decide."""
    if not train_turn(draft.game).revenue:
        divide(draft, context, "withhold")


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
    Action(_check_token, _token, _tokens),
)
DIVIDEND, TRAIN = Action(_check_dividend, _dividend, _dividends), Action(_check_train, _train, _trains)


def _turn_step(name: str, action: Action, command: type) -> TurnStep:
    """A step that may be passed, and is left out when there is nothing to do in it."""
    step = Step(name, {command: action, Pass: PASS}, decides)
    return TurnStep(step, lambda game, context: action.is_open(game, context, ""))


def _must_run(game: Game, context: Context) -> bool:
    trains = owned_by(game, game.actor)
    return bool(trains) and not train_turn(game).ran and view_of(context.data, game).route_exists(game.actor)


STEPS = (
    _turn_step("hire_ferry", FERRY, HireFerry),
    _turn_step("lay_track", LAY, LayTile),
    _turn_step("place_token", TOKEN, PlaceToken),
    TurnStep(Step("run_trains", {RunTrains: run_trains(resolve, _any_runs)}, decides), _must_run),
    TurnStep(
        Step("declare_dividend", {DeclareDividend: DIVIDEND}, decides),
        lambda game, context: not train_turn(game).dividend,
        _divide_nothing,
    ),
    _turn_step("buy_trains", TRAIN, BuyTrain),
)
BY_NAME = {each.step.name: each.step for each in STEPS}


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
    _next_company(draft, data)


def _next_company(draft: Draft, data: TitleData) -> None:
    """The next company's turn; its home token comes first."""
    draft.emit(TurnStarted(draft.game.current_round.position + 1))
    company = draft.game.actor
    if company and not has_token(map_of(draft.game).tokens, company):
        home = cards_of(data)[company].home
        assert home is not None
        city = (home.hex, home_city(data, map_of(draft.game).tiles, home.hex, home.stop))
        slots = _slots(draft.game, data, city)
        place_next_token(draft, company, city, slots.index(""), len(slots), "home")


def advance(draft: Draft, context: Context) -> bool:
    """Carry the round on; true when somebody has to decide, false when no company is left."""
    while draft.game.actor:
        if take_steps(draft, context, STEPS):
            return True
        end_company_turn(draft)
        _next_company(draft, context.data)
    return False
