"""Buying trains in 1862: from the bank, from other companies, forced, automatic in receivership (7.3, 7.9, 7.11, 8.0)."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.kernel.choice import Choice
from services.rules.kernel.draft import Draft
from services.rules.kernel.events import ActionTaken
from services.rules.kernel.game import Game
from services.rules.kernel.passing import pass_unless
from services.rules.kernel.rejections import reject_if
from services.rules.kernel.title import Action, Context
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.turnstep import optional_step
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.shares.companyturns import director_of_actor
from services.rules.parts.trains.buying import (
    BuyingTerms,
    TrainClauses,
    answer_at_fixed_price,
    at_price,
    check_known,
    check_on_sale,
    check_price,
    check_source,
    take_used,
    train_purchase,
)
from services.rules.parts.trains.commands import BuyTrain
from services.rules.parts.trains.state import trains_of
from services.rules.titles.g1862.commands import BuyNewTrain, RaiseCash
from services.rules.titles.g1862.companies import decider, has_train, in_receivership, kinds_in_play
from services.rules.titles.g1862.events import AbandonedTrainTaken
from services.rules.titles.g1862.figures import kind_of
from services.rules.titles.g1862.rulings import plays
from services.rules.titles.g1862.state import ServiceKind, own
from services.rules.titles.g1862.trains.bankruptcy import go_bankrupt
from services.rules.titles.g1862.trains.depots import (
    bank_train,
    has_room,
    has_room_for_kind,
    licensed_kinds,
    take_from_bank,
    used_price,
)
from services.rules.titles.g1862.trains.forced import (
    RAISE_CASH,
    abandoned_on_sale,
    has_raised,
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


def _check_seller(game: Game, data: TitleData, command: BuyTrain) -> None:
    reject_if(bool(own(game).monopoly), "1862.after_monopoly", "1862/10.3-h", command.seller)
    reject_if(in_receivership(game, command.seller), "1862.in_receivership", "1862/8.0-e", command.seller)
    reject_if(has_raised(game), "train_not_available", "1862/7.11-d", command.seller)


def _is_offered(game: Game, data: TitleData, command: BuyTrain) -> bool:
    left = (command.train, command.seller) in abandoned_on_sale(game, data)
    owned = left or command.train in trains_of(game).owned.get(command.seller, ())
    return owned and command.seller != game.actor


def _variant_clause(game: Game) -> str:
    return next((clause for variant, clause in CLAUSE_OF_VARIANT.items() if variant in game.options), "")


def _check_room(game: Game, data: TitleData, kind: ServiceKind) -> None:
    reject_if(not has_room(game, data, game.actor, kind), "train_limit", "1862/7.9-g", kind)


def _check_cash(game: Game, cost: int) -> None:
    missing = cost - game.money(game.actor)
    reject_if(missing > 0, "not_enough_cash", "1862/7.9-b", str(missing))


def _check_new(game: Game, context: Context, player: str, command: BuyNewTrain) -> None:
    """The kind is named when the train comes from the bank (1862/2.2-a)."""
    data, train, kind = context.data, command.train, command.kind
    check_known(game, data, command.company, train)
    check_on_sale(game, data, train, TERMS.clauses.not_on_sale)
    reject_if(not kind, "1862.train_kind_not_chosen", "1862/2.2-a", train)
    reject_if(kind not in kinds_in_play(game.options), "1862.variant_forbids", _variant_clause(game), kind)
    _check_room(game, data, kind)
    price = kind_of(data, train).price
    check_price(command.price, price, "1862/7.9-b")
    check_warranties(game, data, train, command.warranties)
    _check_cash(game, price + cost_of(data, command.warranties))


def _check_used(game: Game, context: Context, player: str, command: BuyTrain) -> None:
    """A train of another company keeps the kind it has; the bank's come with their kind alone (1862/2.2-a, 2.2-b)."""
    data, train = context.data, command.train
    check_known(game, data, command.company, train)
    check_source(game, data, command, TERMS)
    reject_if(command.seller == BANK, "1862.train_kind_not_chosen", "1862/2.2-a", train)
    _check_room(game, data, own(game).train_kinds[train])
    price = used_price(game, data, train)
    check_price(command.price, price, "1862/7.9-b")
    _check_cash(game, price)


def _is_free(game: Game, command: BuyTrain) -> bool:
    abandoned = command.train in own(game).abandoned
    return abandoned or plays(game, "train_sale_between_directors", "not_asked")


def _buy(draft: Draft, context: Context, command: BuyTrain) -> None:
    """A used train changes hands with its kind and its warranties (1862/7.9-c, 7.10-f)."""
    take_used(draft, command)
    if command.train in own(draft.game).abandoned:
        draft.emit(AbandonedTrainTaken(command.train))


def _perform_new(draft: Draft, context: Context, player: str, command: BuyNewTrain) -> None:
    buy_new(draft, context.data, command.company, command.kind, command.warranties)


def buy_new(draft: Draft, data: TitleData, symbol: str, kind: ServiceKind, warranties: int) -> None:
    """The bank's train goes to a company with what it pays for warranties (1862/7.9-d, 7.10-a)."""
    train = bank_train(draft.game, data)
    draft.pay(symbol, BANK, kind_of(data, train).price, "train_bought", train)
    draft.pay(symbol, BANK, cost_of(data, warranties), "1862.warranty_bought", train)
    take_from_bank(draft, data, symbol, kind, warranties)


def _new_trains(game: Game, context: Context, player: str) -> Iterator[Choice]:
    """What the company has a licence for comes first."""
    data, symbol = context.data, game.actor
    train = bank_train(game, data)
    price = kind_of(data, train).price
    if price > game.money(symbol):
        return
    licensed = licensed_kinds(game, symbol)
    kinds = [each for each in kinds_in_play(game.options) if has_room(game, data, symbol, each)]
    for kind in sorted(kinds, key=lambda each: each not in licensed):
        for count in range(most_to_buy(data, train) + 1):
            command = BuyNewTrain(symbol, train, price, kind, count)
            yield Choice(player, command, cost=price + cost_of(data, count))


def _used_trains(game: Game, context: Context, player: str) -> Iterator[Choice]:
    data, symbol = context.data, game.actor
    for used, seller in used_offers(game, data, symbol):
        yield at_price(player, symbol, used, used_price(game, data, used), seller)


def _must_buy(game: Game, context: Context) -> bool:
    return not has_train(game, game.actor)


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


TERMS = BuyingTerms(
    TrainClauses(not_on_sale="1862/7.9-a", declined="1862/7.9-c", not_offered="1862/7.9-c"),
    _check_seller,
    _is_offered,
    price=lambda game, data, train, seller: used_price(game, data, train),
    decider=decider,
    is_free=_is_free,
    buy=_buy,
)
ANSWER = answer_at_fixed_price(TERMS)
BUY = optional_step(
    BUY_TRAINS,
    {
        BuyNewTrain: Action(_check_new, _perform_new, _new_trains),
        BuyTrain: train_purchase(_check_used, _used_trains, TERMS),
        RaiseCash: RAISE_CASH,
    },
    director_of_actor,
    begin=_begin,
    leave=_leave,
    passing=pass_unless(_must_buy, "1862/7.11-a"),
)
