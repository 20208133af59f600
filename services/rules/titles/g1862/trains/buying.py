"""Buying trains in 1862: from the bank, from other companies, forced, automatic in receivership (7.3, 7.9, 7.11, 8.0)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from services.rules.kernel.choice import Choice
from services.rules.kernel.commands import Pass
from services.rules.kernel.draft import Draft
from services.rules.kernel.events import ActionTaken
from services.rules.kernel.game import Game
from services.rules.kernel.passing import PASS
from services.rules.kernel.rejections import reject_if
from services.rules.kernel.title import Action, Context, Step
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.turnstep import TurnStep
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.shares.data import cards_of
from services.rules.parts.trains.commands import BuyTrain
from services.rules.parts.trains.data import train_kinds_of
from services.rules.parts.trains.depot import kind_name
from services.rules.parts.trains.events import TrainMoved
from services.rules.parts.trains.offers import answer_step, ask_for_train
from services.rules.parts.trains.state import trains_of
from services.rules.titles.g1862.commands import RaiseCash
from services.rules.titles.g1862.companies import (
    decider,
    decides,
    has_train,
    in_receivership,
    kinds_in_play,
)
from services.rules.titles.g1862.events import AbandonedTrainTaken
from services.rules.titles.g1862.figures import kind_of
from services.rules.titles.g1862.rulings import plays
from services.rules.titles.g1862.state import ServiceKind, own
from services.rules.titles.g1862.trains.bankruptcy import go_bankrupt
from services.rules.titles.g1862.trains.depots import (
    bank_price,
    bank_train,
    has_room,
    has_room_for_kind,
    licensed_kinds,
    rooms,
    take_from_bank,
    used_price,
)
from services.rules.titles.g1862.trains.forced import (
    RAISE_CASH,
    abandoned_on_sale,
    has_raised,
    has_tried,
    is_short,
    raise_the_only_way,
    takes_only_way,
    used_offers,
)
from services.rules.titles.g1862.trains.redeeming import MISSED, can_redeem
from services.rules.titles.g1862.trains.warranties import check_warranties, cost_of, most_to_buy

BUY_TRAINS = "buy_trains"
# What a company in receivership buys first of what it has a licence for (1862/8.0-c).
RECEIVERSHIP_ORDER: tuple[ServiceKind, ...] = ("express", "freight", "local")

# The clauses of the variants with fewer kinds of train.
CLAUSE_OF_VARIANT = {
    "simple_express": "1862/11.1-a",
    "simple_freight": "1862/11.1-b",
    "advanced_freight": "1862/11.1-c",
    "advanced_express": "1862/11.1-d",
}


def price_of_train(game: Game, data: TitleData, train: str, seller: str) -> int:
    """The fixed price of a train at the bank or at a company, warranties left aside (1862/7.9-b, 7.10-g)."""
    return kind_of(data, train).price if seller == BANK else used_price(game, data, train)


def _check_source(game: Game, data: TitleData, command: BuyTrain) -> None:
    reject_if(kind_name(command.train) not in train_kinds_of(data), "unknown_train", detail=command.train)
    if command.seller == BANK:
        on_sale = command.train == bank_train(game, data)
        reject_if(not on_sale, "train_not_available", "1862/7.9-a", command.train)
        return
    reject_if(command.seller not in cards_of(data), "unknown_company", detail=command.seller)
    reject_if(bool(own(game).monopoly), "1862.after_monopoly", "1862/10.3-h", command.seller)
    reject_if(in_receivership(game, command.seller), "1862.in_receivership", "1862/8.0-e", command.seller)
    reject_if(has_raised(game), "train_not_available", "1862/7.11-d", command.seller)
    reject_if(command.train in game.turn.declined, "offer_declined", "1862/7.9-c", command.train)
    left = (command.train, command.seller) in abandoned_on_sale(game, data)
    owned = left or command.train in trains_of(game).owned.get(command.seller, ())
    reject_if(not owned or command.seller == game.actor, "train_not_available", "1862/7.9-c", command.train)


def _variant_clause(game: Game) -> str:
    return next((clause for variant, clause in CLAUSE_OF_VARIANT.items() if variant in game.options), "")


def _check_kind(game: Game, data: TitleData, command: BuyTrain) -> None:
    """The kind is named when the train comes from the bank, and stays (1862/2.2-a, 2.2-b)."""
    kind = command.kind
    if command.seller == BANK:
        reject_if(not kind, "1862.train_kind_not_chosen", "1862/2.2-a", command.train)
        reject_if(
            kind not in kinds_in_play(game.options), "1862.variant_forbids", _variant_clause(game), kind
        )
    else:
        chosen = own(game).train_kinds[command.train]
        reject_if(bool(kind), "train_kind", "1862/2.2-b", chosen)
        kind = chosen
    if kind:
        reject_if(not has_room(game, data, game.actor, kind), "train_limit", "1862/7.9-g", kind)


def _check(game: Game, context: Context, player: str, command: BuyTrain) -> None:
    data = context.data
    reject_if(command.company != game.actor, "not_your_turn", detail=command.company)
    _check_source(game, data, command)
    _check_kind(game, data, command)
    reject_if(bool(command.trade_in), "trade_in_not_possible", "1862/7.9-b", command.trade_in)
    price = price_of_train(game, data, command.train, command.seller)
    reject_if(command.price != price, "train_price", "1862/7.9-b", str(price))
    check_warranties(game, data, command.train, command.seller, command.warranties)
    missing = price + cost_of(data, command.warranties) - game.money(command.company)
    reject_if(missing > 0, "not_enough_cash", "1862/7.9-b", str(missing))


def _perform(draft: Draft, context: Context, player: str, command: BuyTrain) -> None:
    game = draft.game
    if command.seller != BANK and _needs_consent(game, context.data, command):
        owner = decider(game, context.data, command.seller)
        ask_for_train(draft, owner, command.company, command.train)
    elif command.seller != BANK:
        buy_used(draft, context.data, command.company, command.train, command.seller)
    elif command.kind:
        buy_new(draft, context.data, command.company, command.kind, command.warranties)


def _needs_consent(game: Game, data: TitleData, command: BuyTrain) -> bool:
    """A train of another director's company changes hands only with his consent."""
    if command.train in own(game).abandoned or plays(game, "train_sale_between_directors", "not_asked"):
        return False
    return decider(game, data, command.seller) != decider(game, data, command.company)


def _hand_over(draft: Draft, context: Context, company: str, train: str, seller: str) -> None:
    buy_used(draft, context.data, company, train, seller)


def buy_used(draft: Draft, data: TitleData, symbol: str, train: str, seller: str) -> None:
    """A train changes hands with its kind and its warranties (1862/7.9-c, 7.10-f)."""
    draft.pay(symbol, seller, used_price(draft.game, data, train), "train_bought", train)
    draft.emit(TrainMoved(train, seller, symbol, "bought"))
    if train in own(draft.game).abandoned:
        draft.emit(AbandonedTrainTaken(train))


def buy_new(draft: Draft, data: TitleData, symbol: str, kind: ServiceKind, warranties: int) -> None:
    """The bank's train goes to a company with what it pays for warranties (1862/7.9-d, 7.10-a)."""
    train = bank_train(draft.game, data)
    draft.pay(symbol, BANK, kind_of(data, train).price, "train_bought", train)
    draft.pay(symbol, BANK, cost_of(data, warranties), "1862.warranty_bought", train)
    take_from_bank(draft, data, symbol, kind, warranties)


def _candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
    """What the company has a licence for comes first."""
    data, symbol = context.data, game.actor
    train, price = bank_train(game, data), bank_price(game, data)
    licensed = licensed_kinds(game, symbol)
    for kind in sorted(kinds_in_play(game.options), key=lambda each: each not in licensed):
        for count in range(most_to_buy(game, data, train) + 1):
            command = BuyTrain(symbol, train, price, kind=kind, warranties=count)
            yield Choice(player, command, cost=price + cost_of(data, count))
    for used, seller in used_offers(game, data, symbol):
        price = used_price(game, data, used)
        yield Choice(player, BuyTrain(symbol, used, price, seller), cost=price)


def _check_pass(game: Game, context: Context, player: str, command: Pass) -> None:
    reject_if(not has_train(game, game.actor), "may_not_pass", "1862/7.11-a", game.actor)


def _is_waiting(game: Game, context: Context) -> bool:
    """Whether a director has to buy, or could: a company in receivership buys automatically (1862/7.3-e)."""
    data, symbol = context.data, game.actor
    if in_receivership(game, symbol):
        return False
    if not has_train(game, symbol):
        return not (is_short(game, data, symbol) and has_tried(game, data, symbol))
    new = not is_short(game, data, symbol) and bool(rooms(game, data, symbol))
    return new or bool(used_offers(game, data, symbol))


def _begin(draft: Draft, context: Context) -> None:
    """A company that has only one way to its train takes it automatically, by one ruling (1862/7.11-a, 7.11-b)."""
    game, symbol = draft.game, draft.game.actor
    asks = plays(game, "only_way_of_raising_cash", "asked") or in_receivership(game, symbol)
    if not asks and takes_only_way(game, context.data, symbol):
        raise_the_only_way(draft, context, symbol)
        _miss_redeeming(draft, context, symbol)


def _miss_redeeming(draft: Draft, context: Context, symbol: str) -> None:
    """By one ruling a company whose refinancing waits for the holders is done with redeeming if it cannot redeem now."""
    waits = bool(draft.game.interrupts) and plays(
        draft.game, "redeeming_after_refinancing", "if_possible_before"
    )
    if waits and not can_redeem(draft.game, context):
        draft.emit(ActionTaken(MISSED))


def _leave(draft: Draft, context: Context) -> None:
    """At the end of the step a company in receivership has bought one train if it could, and a company that has none and
    can pay for none is bankrupt (1862/7.3-e to 7.3-g, 7.11.2-c)."""
    data, symbol = context.data, draft.game.actor
    if in_receivership(draft.game, symbol) and not is_short(draft.game, data, symbol):
        kind = _kind_in_receivership(draft.game, data, symbol)
        if kind:
            buy_new(draft, data, symbol, kind, 0)
    if not has_train(draft.game, symbol):
        go_bankrupt(draft, context, symbol, "train")


def _kind_in_receivership(game: Game, data: TitleData, symbol: str) -> str:
    """Express, freight or local, the first that it has a licence and room for (1862/8.0-c)."""
    kinds = licensed_kinds(game, symbol)
    by_kind = plays(game, "receivership_train_limit", "of_each_kind")
    has_place = has_room_for_kind if by_kind else has_room
    found = (kind for kind in RECEIVERSHIP_ORDER if kind in kinds and has_place(game, data, symbol, kind))
    return next(found, "")


ANSWER = answer_step(_hand_over)
STEP = Step(
    BUY_TRAINS,
    {
        BuyTrain: Action(_check, _perform, _candidates),
        RaiseCash: RAISE_CASH,
        Pass: replace(PASS, check=_check_pass),
    },
    decides,
)
BUY = TurnStep(STEP, _is_waiting, _begin, _leave)
