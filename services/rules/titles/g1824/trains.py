"""Buying trains in 1824: from the bank, from other companies, by trade-in, and by force (VII.11 to VII.15)."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.kernel.choice import Choice
from services.rules.kernel.draft import Draft
from services.rules.kernel.events import ActionTaken, DebtChanged, OrderChanged
from services.rules.kernel.game import Game
from services.rules.kernel.passing import pass_unless
from services.rules.kernel.rejections import Rejected, reject_if
from services.rules.kernel.title import Action, Context
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.turnstep import optional_step
from services.rules.kernel.values import kind_name
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.market.market import operating_order, price_of
from services.rules.parts.shares.commands import SellCertificates
from services.rules.parts.shares.companyturns import director_of_actor
from services.rules.parts.shares.state import companies_of
from services.rules.parts.trains.buying import (
    BuyingTerms,
    TrainClauses,
    answer_at_fixed_price,
    at_price,
    check_known,
    check_on_sale,
    check_price,
    check_room,
    check_source,
    take_used,
    train_purchase,
)
from services.rules.parts.trains.commands import BuyTrain
from services.rules.parts.trains.depot import has_room, has_started, leave_depot, next_normal, on_sale
from services.rules.parts.trains.events import TrainMoved
from services.rules.parts.trains.state import trains_of
from services.rules.titles.g1824.bond import note_train_gone, note_used_train
from services.rules.titles.g1824.commands import TradeInTrain
from services.rules.titles.g1824.companies import COAL, MAJORS, MOUNTAIN, has_director, is_owned, of_kind
from services.rules.titles.g1824.construction import close_construction
from services.rules.titles.g1824.exchanges import (
    force_coal_exchanges,
    raise_discards,
    raise_mountain_exchanges,
)
from services.rules.titles.g1824.figures import cards_of, figures_of, kind_of
from services.rules.titles.g1824.holderlist import last_director, listed_shares, most_of_others
from services.rules.titles.g1824.rulings import plays
from services.rules.titles.g1824.selling import check_owner_may_sell, check_sale, sale_candidates, sell
from services.rules.titles.g1824.stock import percent_up

BUY_TRAINS = "buy_trains"
TRADED_IN = "traded_in"


def may_own(data: TitleData, company: str, train: str) -> bool:
    """Whether this kind of company may own this kind of train (IV.2-g)."""
    return kind_of(data, train).kind in cards_of(data)[company].train_kinds


def across_allowed(game: Game, data: TitleData) -> bool:
    """Whether trains may be bought from other companies yet (VII.11-t)."""
    return has_started(game, data, figures_of(data).trains_between_companies_after)


def bank_offers(game: Game, data: TitleData, company: str) -> tuple[str, ...]:
    """Trains in the bank this company might buy."""
    return tuple(train for train in on_sale(game, data) if may_own(data, company, train))


def other_offers(game: Game, data: TitleData, company: str) -> tuple[tuple[str, str], ...]:
    """(train, seller) of other companies' trains this company might buy."""
    if not across_allowed(game, data):
        return ()
    return tuple(
        (train, seller)
        for seller, trains in trains_of(game).owned.items()
        if seller != company and _may_part_with_trains(game, seller)
        for train in trains
        if may_own(data, company, train) and train not in game.turn.declined
    )


def _may_part_with_trains(game: Game, seller: str) -> bool:
    """Somebody decides for it, and it may already use what it inherited (IV.2-r)."""
    state = companies_of(game)[seller]
    usable = state.opened or plays(game, "trains_of_unopened_regional", "for_sale")
    undirected = state.opened and plays(game, "trains_of_state_without_director", "for_sale")
    return usable and (bool(state.director) or undirected)


def must_buy(game: Game, data: TitleData, company: str) -> bool:
    """Whether the company has no train and the bank has one for it (VII.11-m, VII.11-n)."""
    return not trains_of(game).owned.get(company) and bool(bank_offers(game, data, company))


def is_forced(game: Game, data: TitleData, company: str) -> bool:
    """Whether it must buy and cannot pay for any train in the bank itself: emergency financing (VII.12-a)."""
    if not must_buy(game, data, company):
        return False
    if plays(game, "emergency_purchase", "any_train"):
        return True
    cheapest = min(kind_of(data, train).price for train in bank_offers(game, data, company))
    return game.money(company) < cheapest


def traded_price(data: TitleData, train: str, handed_in: str) -> int | None:
    """The price of `train` when `handed_in` is traded in, nothing when it cannot be (VII.13-a)."""
    trade = kind_of(data, train).trade_in
    return trade.price if trade and trade.train == kind_name(handed_in) else None


def _check_seller(game: Game, data: TitleData, command: BuyTrain) -> None:
    reject_if(not across_allowed(game, data), "train_not_available", "1824/VII.11-t", command.train)


def _is_offered(game: Game, data: TitleData, command: BuyTrain) -> bool:
    return (command.train, command.seller) in other_offers(game, data, command.company)


def _check_trade_in(game: Game, data: TitleData, company: str, command: TradeInTrain) -> None:
    owned = command.trade_in in trains_of(game).owned.get(company, ())
    reject_if(not owned, "train_not_owned", "1824/VII.13-a", command.trade_in)
    again = TRADED_IN in game.turn.actions
    reject_if(again, "1824.trade_in_not_possible", "1824/VII.13-c", command.trade_in)
    price = traded_price(data, command.train, command.trade_in)
    if price is None:
        raise Rejected("1824.trade_in_not_possible", "1824/VII.13-a", command.trade_in)
    check_price(command.price, price, "1824/VII.13-b")


def _check_price(game: Game, data: TitleData, company: str, command: BuyTrain) -> None:
    printed = kind_of(data, command.train)
    check_room(game, data, company, "1824/VII.11-p")
    if command.seller == BANK:
        check_price(command.price, printed.price, printed.clause)
    elif _director_of(game, data, command.seller) != _director_of(game, data, company):
        check_price(command.price, printed.price, "1824/VII.11-v")
    else:
        reject_if(command.price < 1, "train_price", "1824/VII.11-u", str(command.price))


def _check(game: Game, context: Context, player: str, command: BuyTrain | TradeInTrain) -> None:
    data, company, train = context.data, game.actor, command.train
    check_known(game, data, command.company, train)
    reject_if(not may_own(data, company, train), "train_kind", "1824/IV.2-g", train)
    if isinstance(command, TradeInTrain):
        check_on_sale(game, data, train, TERMS.clauses.not_on_sale)
        _check_trade_in(game, data, company, command)
    else:
        check_source(game, data, command, TERMS)
        _check_price(game, data, company, command)
    missing = command.price - game.money(company)
    if missing > 0:
        reject_if(not is_forced(game, data, company), "not_enough_cash", "1824/V-b", str(missing))
        face = kind_of(data, command.train).price
        reject_if(command.price > face, "train_price", "1824/VII.12-j", str(face))


def _director_of(game: Game, data: TitleData, company: str) -> str:
    return last_director(game, company)


def _is_free(game: Game, command: BuyTrain) -> bool:
    """Whether a train changes hands without asking: by ruling, or as nobody directs its company (VII.11-t)."""
    not_asked = plays(game, "train_sale_between_directors", "not_asked")
    return not_asked or not companies_of(game)[command.seller].director


def _buy(draft: Draft, context: Context, command: BuyTrain) -> None:
    """Pay for the train and take it, with what the director has to add."""
    data, company, train = context.data, command.company, command.train
    missing = command.price - draft.game.money(company)
    if missing > 0:
        cover_shortage(draft, data, _director_of(draft.game, data, company), company, missing)
    if command.seller != BANK:
        take_used(draft, command)
        note_used_train(draft, data, train, company)
        return
    draft.pay(company, BANK, command.price, "train_bought", train)
    take_from_depot(draft, data, train, company, "bought")


def _trade_in(draft: Draft, context: Context, player: str, command: TradeInTrain) -> None:
    """The train handed in leaves the game (VII.13-d)."""
    company, train = command.company, command.train
    draft.pay(company, BANK, command.price, "train_bought", train)
    draft.emit(TrainMoved(command.trade_in, company, "", "1824.traded_in"))
    draft.emit(ActionTaken(TRADED_IN))
    take_from_depot(draft, context.data, train, company, "bought")


def cover_shortage(draft: Draft, data: TitleData, director: str, company: str, missing: int) -> None:
    """The director pays what the treasury lacks; what he has not becomes a debt with interest at once (VII.12)."""
    lacking = missing - draft.game.money(director)
    if lacking > 0:
        interest = percent_up(lacking, figures_of(data).interest_percent_at_once)
        draft.pay(BANK, director, lacking, "1824.loan_taken", company)
        draft.emit(DebtChanged(director, lacking, "1824.loan"))
        draft.emit(DebtChanged(director, interest, "1824.interest"))
    draft.pay(director, company, missing, "1824.emergency_contribution", company)


def take_from_depot(draft: Draft, data: TitleData, train: str, target: str, reason: str) -> None:
    """A train leaves the depot, with everything that its first copy sets off (VII.14).

    What an export sets off for mountain companies waits for the round that follows."""
    is_first = leave_depot(draft, data, train, target, reason)
    note_train_gone(draft, data, train, target)
    if not is_first:
        return
    name = kind_name(train)
    close_construction(draft, data, name)
    if _is_forced_by(data, COAL, name):
        force_coal_exchanges(draft, data)
    raise_discards(draft, data)
    if _is_forced_by(data, MOUNTAIN, name) and target:
        raise_mountain_exchanges(draft, data)


def _is_forced_by(data: TitleData, kind: str, train: str) -> bool:
    exchanges = (cards_of(data)[symbol].exchange for symbol in of_kind(data, kind))
    return any(exchange is not None and exchange.forced_by_train == train for exchange in exchanges)


def mountain_exchange_is_due(game: Game, data: TitleData) -> bool:
    """Whether the train that forces mountain exchanges is out while mountain companies are still open."""
    left = [symbol for symbol in of_kind(data, MOUNTAIN) if is_owned(game, symbol)]
    exchanges = (cards_of(data)[symbol].exchange for symbol in left)
    return any(
        exchange is not None and has_started(game, data, exchange.forced_by_train) for exchange in exchanges
    )


def export_train(draft: Draft, data: TitleData) -> None:
    """The bank exports the next normal train at the end of a set of operating rounds (VII.15)."""
    first = figures_of(data).first_train_exported_after
    waits = (
        plays(draft.game, "export_needs_first_2_train", "yes")
        and first not in trains_of(draft.game).depot_sold
    )
    train = next_normal(draft.game, data)
    if train and not waits:
        take_from_depot(draft, data, train, "", "1824.exported")


def _candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
    """Every purchase, those in which a train is handed in beside the others of the same train."""
    data, company = context.data, game.actor
    is_room = has_room(game, data, company)
    for train in bank_offers(game, data, company):
        if is_room:
            yield at_price(player, company, train, kind_of(data, train).price)
        for own in dict.fromkeys(trains_of(game).owned.get(company, ())):
            reduced = traded_price(data, train, own)
            if reduced is not None:
                yield Choice(player, TradeInTrain(company, train, reduced, own), cost=reduced)
    for train, seller in other_offers(game, data, company) if is_room else ():
        yield from _across_candidates(game, data, player, company, train, seller)


def _across_candidates(
    game: Game, data: TitleData, player: str, company: str, train: str, seller: str
) -> Iterator[Choice]:
    face = kind_of(data, train).price
    if _director_of(game, data, seller) != _director_of(game, data, company):
        yield at_price(player, company, train, face, seller)
        return
    highest = max(game.money(company), face if is_forced(game, data, company) else 0)
    if highest >= 1:
        yield Choice(player, BuyTrain(company, train, 1, seller), "price", 1, highest, cost=1)


def _none_of_their_own(game: Game, context: Context, player: str) -> Iterator[Choice]:
    """Trade-ins are listed among the purchases."""
    return iter(())


def _must_buy(game: Game, context: Context) -> bool:
    return must_buy(game, context.data, game.actor)


def _check_emergency_sale(game: Game, context: Context, player: str, command: SellCertificates) -> None:
    """Only for a forced purchase, no more than it needs, and without a change of director (VII.12-c, VII.12-d)."""
    data, company, symbol = context.data, game.actor, command.company
    as_needed = plays(game, "emergency_sales", "as_needed")
    reject_if(as_needed and not is_forced(game, data, company), "sales_forbidden", "1824/VII.12-k")
    if as_needed:
        check_sale(game, context, player, command)
    else:
        check_owner_may_sell(game, context, player, command)
    other_free = plays(game, "emergency_director_change", "other_companies") and symbol != company
    if companies_of(game)[symbol].director == player and not other_free:
        left = listed_shares(game, data, symbol)[player] - command.shares
        changes = left < most_of_others(game, data, symbol, player)
        reject_if(changes, "director_would_change", "1824/VII.12-d", symbol)
    if as_needed:
        offers = (
            *bank_offers(game, data, company),
            *(train for train, _ in other_offers(game, data, company)),
        )
        dearest = max(kind_of(data, train).price for train in offers)
        missing = dearest - game.money(company) - game.money(player)
        share_price = price_of(game, data, symbol)
        before_last = share_price * (command.shares - 1)
        reject_if(before_last >= missing, "sales_forbidden", "1824/VII.12-c", symbol)


def _perform_emergency_sale(draft: Draft, context: Context, player: str, command: SellCertificates) -> None:
    sell(draft, context, player, command)
    reorder(draft, context.data)


def reorder(draft: Draft, data: TitleData) -> None:
    """Majors that have not operated yet follow the prices after an emergency sale (VII.4-d)."""
    current = draft.game.current_round
    done, rest = current.order[: current.position + 1], current.order[current.position + 1 :]
    majors = [symbol for symbol in rest if cards_of(data)[symbol].kind in MAJORS]
    minors = tuple(symbol for symbol in rest if symbol not in majors)
    order = (*done, *minors, *operating_order(draft.game, data, majors))
    if order != current.order:
        draft.emit(OrderChanged(order))


def _is_waiting(game: Game, context: Context) -> bool:
    """Whether the company can buy some train or trade one in. That a certificate could be sold is no reason to ask: sales
    serve a purchase (VII.12-c)."""
    if not has_director(game):
        return False
    return _is_asked_in_vain(game, context.data, game.actor) or PURCHASE.is_open(
        game, context, director_of_actor(game, context)[0]
    )


def _is_asked_in_vain(game: Game, data: TitleData, company: str) -> bool:
    """Under the ruling that asks all the same: there is a train for it, and money for the cheapest of all, its own kind or
    not."""
    if not (plays(game, "idle_turns", "asked") and has_room(game, data, company)):
        return False
    if not (bank_offers(game, data, company) or other_offers(game, data, company)):
        return False
    prices = [kind_of(data, train).price for train in on_sale(game, data)]
    if across_allowed(game, data) and any(
        trains for owner, trains in trains_of(game).owned.items() if owner != company
    ):
        prices.append(1)
    return min(prices) <= game.money(company)


TERMS = BuyingTerms(
    TrainClauses(not_on_sale="1824/VII.11-r", declined="1824/VII.11-t", not_offered="1824/VII.11-o"),
    _check_seller,
    _is_offered,
    price=lambda game, data, train, seller: kind_of(data, train).price,
    decider=_director_of,
    is_free=_is_free,
    buy=_buy,
)
ANSWER = answer_at_fixed_price(TERMS)
PURCHASE = train_purchase(_check, _candidates, TERMS)
BUY = optional_step(
    BUY_TRAINS,
    {
        BuyTrain: PURCHASE,
        TradeInTrain: Action(_check, _trade_in, _none_of_their_own),
        SellCertificates: Action(_check_emergency_sale, _perform_emergency_sale, sale_candidates),
    },
    director_of_actor,
    _is_waiting,
    passing=pass_unless(_must_buy, "1824/VII.11-m"),
)
