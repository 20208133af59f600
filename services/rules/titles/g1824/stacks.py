"""The stacks of private companies that two players share out before their first stock round (1824/X.3, X.5)."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.kernel.chance import numbers_from, shuffled
from services.rules.kernel.choice import Choice
from services.rules.kernel.commands import Pass
from services.rules.kernel.draft import Draft
from services.rules.kernel.events import RoundEnded, RoundStarted, StepStarted, TurnStarted
from services.rules.kernel.game import Game
from services.rules.kernel.rejections import Rejected, reject_if
from services.rules.kernel.title import Action, Context, Step
from services.rules.kernel.turns import actor_alone
from services.rules.parts.shares.state import companies_of, stock_turn
from services.rules.titles.g1824.buying import BUY_COMPANY
from services.rules.titles.g1824.commands import BuyCompany
from services.rules.titles.g1824.companies import MOUNTAIN, in_play, is_owned, of_kind
from services.rules.titles.g1824.construction import begin_construction
from services.rules.titles.g1824.events import StacksLaid
from services.rules.titles.g1824.figures import ConstructionTerms, cards_of
from services.rules.titles.g1824.rulings import plays
from services.rules.titles.g1824.state import Stack, State, construction_of

ALLOTMENT = "1824.allotment"
MOUNTAIN_RULING = "mountain_company_in_allotment"


def draw_stacks(terms: ConstructionTerms, seed: int) -> tuple[Stack, ...]:
    """The construction companies, the companies beside them, and what is left of the small pre-states and of the coal
    companies: four stacks of two (X.3-a)."""
    numbers = numbers_from(seed)
    drawn = [shuffled(companies, numbers)[0] for companies in terms.drawn]
    left = (
        tuple(symbol for symbol in companies if symbol not in drawn) for companies in reversed(terms.drawn)
    )
    return (Stack(tuple(drawn)), Stack(terms.beside), *map(Stack, left))


def start_allotment(draft: Draft, terms: ConstructionTerms, seed: int) -> None:
    """Lay the stacks out; the players take companies in the printed order, then a mountain company each (X.5), which by ruling
    they may buy in the stock round instead."""
    draft.emit(StacksLaid(draw_stacks(terms, seed)))
    here = plays(draft.game, MOUNTAIN_RULING, "bought")
    seats = (*terms.order, *(terms.mountain_order if here else ()))
    draft.emit(RoundStarted(ALLOTMENT, 1, 1, 1, tuple(draft.game.players[seat] for seat in seats)))
    draft.emit(TurnStarted(0))


def offered(game: Game, context: Context) -> tuple[str, ...]:
    """The companies that may be taken now: the rest of the stack that was begun, else any company of the stacks that are
    left, and after them the mountain companies."""
    left = [
        [symbol for symbol in stack.companies if not is_owned(game, symbol)]
        for stack in State.of(game).stacks
    ]
    begun = [symbols for symbols in left if len(symbols) == 1]
    found = tuple(symbol for symbols in begun or left for symbol in symbols)
    if found:
        return found
    mountains = of_kind(context.data, MOUNTAIN)
    return tuple(each for each in mountains if in_play(game, each) and not companies_of(game)[each].bought)


def _check(game: Game, context: Context, player: str, command: BuyCompany) -> None:
    reject_if(command.company not in cards_of(context.data), "unknown_company", detail=command.company)
    takes = command.company in offered(game, context)
    reject_if(not takes, "1824.stack_order", "1824/X.5-a", command.company)
    if command.company in construction_of(game):
        wanted = _terms(context).price
        reject_if(command.price != wanted, "price_not_offered", "1824/X.5-d", str(command.price))
        reject_if(game.money(player) < wanted, "not_enough_cash", "1824/X.5-d")
    else:
        BUY_COMPANY.check(game, context, player, command)


def _perform(draft: Draft, context: Context, player: str, command: BuyCompany) -> None:
    if command.company in construction_of(draft.game):
        begin_construction(draft, context.data, _terms(context), player, command.company)
    else:
        BUY_COMPANY.perform(draft, context, player, command)


def _candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
    for symbol in offered(game, context):
        card = cards_of(context.data)[symbol]
        prices = card.price_options or (card.price or 0,)
        for price in (_terms(context).price,) if symbol in construction_of(game) else prices:
            yield Choice(player, BuyCompany(symbol, price), cost=price)


def _check_pass(game: Game, context: Context, player: str, command: Pass) -> None:
    """Companies are taken without exception (X.5-f, X.5-g)."""
    at_stacks = any(cards_of(context.data)[symbol].kind != MOUNTAIN for symbol in offered(game, context))
    raise Rejected("may_not_pass", "1824/X.5-f" if at_stacks else "1824/X.5-g")


def _perform_no_pass(draft: Draft, context: Context, player: str, command: Pass) -> None:
    raise AssertionError("every pass is refused")


def _no_pass(game: Game, context: Context, player: str) -> Iterator[Choice]:
    yield from ()


def _next_turn(draft: Draft) -> None:
    draft.emit(TurnStarted(draft.game.current_round.position + 1))


STEP = Step(
    "allotment_turn",
    {
        BuyCompany: Action(_check, _perform, _candidates),
        Pass: Action(_check_pass, _perform_no_pass, _no_pass),
    },
    actor_alone,
)


def advance(draft: Draft, context: Context) -> bool:
    """Carry the allotment on; true when a player has to take a company, false when all have."""
    while draft.game.actor and stock_turn(draft.game).bought:
        _next_turn(draft)
    if draft.game.actor and draft.game.current_round.step != STEP.name:
        draft.emit(StepStarted(STEP.name))
    return bool(draft.game.actor)


def end_allotment(draft: Draft, context: Context) -> None:
    """The stock round goes on as usual (X.5-h)."""
    draft.emit(RoundEnded(ALLOTMENT))


def _terms(context: Context) -> ConstructionTerms:
    terms: ConstructionTerms = context.data.figures.construction
    return terms
