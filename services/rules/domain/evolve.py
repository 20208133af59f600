"""The fold: each event written into the state, never decided. Unknown or ill-fitting events are named, not guessed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from services.rules.domain import events as e
from services.rules.domain.board import LaidTile
from services.rules.domain.game import (
    IDLE_TURN,
    Auction,
    Company,
    Exchange,
    Game,
    Interrupt,
    Option,
    Round,
    Turn,
)


class BrokenLog(Exception):
    """The log holds an event that cannot follow the state before it."""


def evolve(game: Game, event: e.Event) -> Game:
    """The state after `event`; `game` itself is left as it was."""
    successor = game.copy()
    apply(successor, event)
    return successor


def fold(game: Game, events: Iterable[e.Event]) -> Game:
    """Apply all `events` to `game` in place and return it."""
    for event in events:
        apply(game, event)
    return game


def apply(game: Game, event: e.Event) -> None:
    """Write `event` into `game`, which the caller owns."""
    writer = WRITERS.get(type(event))
    if writer is None:
        raise BrokenLog(f"no way to apply an event of type {type(event).__name__}")
    writer(game, event)
    game.sequence += 1


def effective(log: Iterable[e.Event]) -> list[e.Event | None]:
    """The log with what was undone blanked out: `None` keeps its place, so that sequences stay true."""
    kept: list[e.Event | None] = []
    for event in log:
        if isinstance(event, e.Undone):
            kept[event.to_sequence :] = [None] * (len(kept) - event.to_sequence)
            kept.append(None)
        else:
            kept.append(event)
    return kept


def replay(log: Iterable[e.Event]) -> Game:
    """The state after a whole log from its first event, undone stretches left out."""
    game = Game()
    for event in effective(log):
        if event is None:
            game.sequence += 1
        else:
            apply(game, event)
    return game


def _round(game: Game) -> Round:
    return game.current_round


def _company(game: Game, symbol: str) -> Company:
    return game.companies.get(symbol) or Company()


def _created(game: Game, event: e.GameCreated) -> None:
    game.title = event.title
    game.rules_version = event.rules_version
    game.players = event.players
    game.options = event.options
    game.rulings = {ruling.name: ruling.value for ruling in event.rulings}
    game.undo_policy = event.undo_policy
    game.seed = event.seed
    game.cash = dict.fromkeys(event.players, 0)
    game.cash[e.BANK] = event.bank_cash


def _cash_moved(game: Game, event: e.CashMoved) -> None:
    cash = game.cash
    cash[event.source] = cash.get(event.source, 0) - event.amount
    cash[event.target] = cash.get(event.target, 0) + event.amount


def _certificates_moved(game: Game, event: e.CertificatesMoved) -> None:
    holdings, moved = game.holdings, event.numbers
    if event.source:
        key = (event.source, event.company)
        held = holdings.get(key, ())
        left = tuple(number for number in held if number not in moved)
        if len(left) + len(moved) != len(held):
            raise BrokenLog(f"{event.source} does not hold certificates {moved} of {event.company}")
        holdings[key] = left
    if event.target:
        key = (event.target, event.company)
        holdings[key] = holdings.get(key, ()) + moved


def _certificates_reserved(game: Game, event: e.CertificatesReserved) -> None:
    game.companies[event.company] = replace(_company(game, event.company), reserved=event.numbers)


def _company_bought(game: Game, event: e.CompanyBought) -> None:
    game.companies[event.company] = replace(
        _company(game, event.company), bought=True, director=event.owner, price_paid=event.price
    )


def _stand(game: Game, company: str, cell: tuple[int, int]) -> None:
    """Put the marker under those of the cell, also when it stood there already."""
    _take_off(game, company)
    game.markers[company] = cell
    game.cells[cell] = (*game.cells.get(cell, ()), company)


def _take_off(game: Game, company: str) -> None:
    old = game.markers.pop(company, None)
    if old is not None:
        left = tuple(symbol for symbol in game.cells[old] if symbol != company)
        if left:
            game.cells[old] = left
        else:
            del game.cells[old]


def _price_started(game: Game, event: e.PriceStarted) -> None:
    game.companies[event.company] = replace(_company(game, event.company), par=event.price)
    _stand(game, event.company, (event.row, event.column))


def _price_moved(game: Game, event: e.PriceMoved) -> None:
    _stand(game, event.company, (event.row, event.column))


def _company_opened(game: Game, event: e.CompanyOpened) -> None:
    game.companies[event.company] = replace(_company(game, event.company), opened=True)


def _director_changed(game: Game, event: e.DirectorChanged) -> None:
    game.companies[event.company] = replace(_company(game, event.company), director=event.director)


def _company_closed(game: Game, event: e.CompanyClosed) -> None:
    company = _company(game, event.company)
    game.companies[event.company] = replace(
        company, closed=True, opened=False, director="", charter=(), reserved=()
    )
    game.trains.pop(event.company, None)


def _tile_laid(game: Game, event: e.TileLaid) -> None:
    if event.station:
        game.beneath.setdefault(event.hex, game.tiles[event.hex])
    else:
        game.beneath.pop(event.hex, None)
    game.tiles = {**game.tiles, event.hex: LaidTile(event.tile, event.rotation, event.copy)}
    turn = game.turn
    game.turn = replace(turn, laid=(*turn.laid, event.hex), upgraded=turn.upgraded or event.upgrade)


def _tokens_arranged(game: Game, event: e.TokensArranged) -> None:
    tokens = {key: slots for key, slots in game.tokens.items() if key[0] != event.hex}
    tokens.update(((event.hex, city.city), city.slots) for city in event.cities)
    game.tokens = tokens


def _set_slot(game: Game, hex_id: str, city: int, slot: int, symbol: str, spaces: int = 0) -> None:
    slots = list(game.tokens.get((hex_id, city)) or ("",) * spaces)
    slots[slot] = symbol
    game.tokens = {**game.tokens, (hex_id, city): tuple(slots)}


def _token_placed(game: Game, event: e.TokenPlaced) -> None:
    _set_slot(game, event.hex, event.city, event.slot, event.company, event.slots)
    company = _company(game, event.company)
    charter = list(company.charter)
    if event.charter_cost in charter:
        charter.remove(event.charter_cost)
    game.companies[event.company] = replace(company, charter=tuple(charter))
    game.placements = (*game.placements, (event.hex, event.company))
    if event.reason == "bought":
        game.turn = replace(game.turn, tokened=event.hex)


def _token_replaced(game: Game, event: e.TokenReplaced) -> None:
    _set_slot(game, event.hex, event.city, event.slot, event.successor)
    standing = list(game.placements)
    placed = (event.hex, event.company)
    if placed in standing:
        after = [(event.hex, event.successor)] if event.successor else []
        standing[standing.index(placed) : standing.index(placed) + 1] = after
    game.placements = tuple(standing)


def _charter_tokens_set(game: Game, event: e.CharterTokensSet) -> None:
    game.companies[event.company] = replace(_company(game, event.company), charter=event.costs)


def _train_moved(game: Game, event: e.TrainMoved) -> None:
    if event.source == e.BANK:
        name = event.train.rsplit("-", 1)[0]
        game.depot_gone[name] = game.depot_gone.get(name, 0) + 1
        if event.reason == "bought":
            game.depot_sold = game.depot_sold | {name}
    else:
        left = tuple(train for train in game.trains.get(event.source, ()) if train != event.train)
        game.trains[event.source] = left
    if event.target:
        game.trains[event.target] = (*game.trains.get(event.target, ()), event.train)
    if event.reason == "traded_in":
        game.turn = replace(game.turn, traded_in=event.train)


def _phase_started(game: Game, event: e.PhaseStarted) -> None:
    game.phase = event.phase


def _round_started(game: Game, event: e.RoundStarted) -> None:
    game.round = Round(event.kind, event.turn, event.number, event.count, event.order, position=-1)
    game.turn = IDLE_TURN


def _round_ended(game: Game, event: e.RoundEnded) -> None:
    game.round = replace(_round(game), ended=True, step="")


def _order_changed(game: Game, event: e.OrderChanged) -> None:
    game.round = replace(_round(game), order=event.order)


def _turn_started(game: Game, event: e.TurnStarted) -> None:
    game.round = replace(_round(game), position=event.position, step="")
    game.turn = IDLE_TURN


def _step_started(game: Game, event: e.StepStarted) -> None:
    game.round = replace(_round(game), step=event.step)


def _step_passed(game: Game, event: e.StepPassed) -> None:
    game.turn = replace(game.turn, passed=event.step)


def _dividend_declared(game: Game, event: e.DividendDeclared) -> None:
    game.turn = replace(game.turn, dividend=event.kind)


def _player_passed(game: Game, event: e.PlayerPassed) -> None:
    current = _round(game)
    if event.acted:
        return
    passed, successive = current.passed, current.passed_in_succession
    game.round = replace(
        current,
        passed=passed if event.player in passed else (*passed, event.player),
        passed_in_succession=successive if event.player in successive else (*successive, event.player),
    )


def _turn_ended(game: Game, event: e.TurnEnded) -> None:
    if _round(game).kind == "operating":
        game.companies[event.actor] = replace(_company(game, event.actor), operated=True)


def _stock_turn_acted(game: Game, event: e.StockTurnActed) -> None:
    current, turn = _round(game), game.turn
    sold = current.sold
    if event.sold and (event.player, event.sold) not in sold:
        sold = (*sold, (event.player, event.sold))
    purchases = (*current.purchases, (event.player, event.bought)) if event.bought else current.purchases
    passed = tuple(player for player in current.passed if player != event.player)
    game.round = replace(
        current,
        last_to_act=event.player,
        passed=passed,
        passed_in_succession=(),
        sold=sold,
        purchases=purchases,
    )
    game.turn = Turn(
        acted=True,
        bought=event.bought or turn.bought,
        sold=(*turn.sold, event.sold) if event.sold else turn.sold,
    )


def _trains_ran(game: Game, event: e.TrainsRan) -> None:
    game.last_runs[event.company] = event.runs
    game.turn = replace(game.turn, ran=True, revenue=event.revenue, treasury_income=event.treasury_income)


def _revenue_corrected(game: Game, event: e.RevenueCorrected) -> None:
    game.turn = replace(game.turn, revenue=event.revenue, treasury_income=event.treasury_income)


def _priority_moved(game: Game, event: e.PriorityMoved) -> None:
    game.priority = event.player


def _debt_changed(game: Game, event: e.DebtChanged) -> None:
    left = game.debts.get(event.player, 0) + event.amount
    if left:
        game.debts[event.player] = left
    else:
        game.debts.pop(event.player, None)


def _interrupt_raised(game: Game, event: e.InterruptRaised) -> None:
    game.interrupts = (*game.interrupts, Interrupt(event.kind, event.player, event.company, event.subject))


def _interrupt_settled(game: Game, event: e.InterruptSettled) -> None:
    for index, open_interrupt in enumerate(game.interrupts):
        if (open_interrupt.kind, open_interrupt.company) == (event.kind, event.company):
            game.interrupts = game.interrupts[:index] + game.interrupts[index + 1 :]
            if not event.agreed:
                game.turn = replace(game.turn, declined=(*game.turn.declined, open_interrupt.subject))
            return
    raise BrokenLog(f"no open interrupt {event.kind} about {event.company}")


def _game_end_triggered(game: Game, event: e.GameEndTriggered) -> None:
    game.ending = event.reason
    current = _round(game)
    game.ending_round = (current.turn, current.number if current.kind == "operating" else 0)


def _game_ended(game: Game, event: e.GameEnded) -> None:
    game.finished = True
    game.ending = event.reason
    game.scores = event.scores


def _company_offered(game: Game, event: e.CompanyOffered) -> None:
    licences = (event.licence,) if event.licence else ()
    game.companies[event.company] = replace(
        _company(game, event.company), offered_from=event.phase, licence=event.licence, licences=licences
    )


def _licences_set(game: Game, event: e.LicencesSet) -> None:
    game.companies[event.company] = replace(_company(game, event.company), licences=event.licences)


def _charter_side_set(game: Game, event: e.CharterSideSet) -> None:
    game.companies[event.company] = replace(_company(game, event.company), chartered=event.chartered)


def _ipo_marker_set(game: Game, event: e.IpoMarkerSet) -> None:
    game.companies[event.company] = replace(_company(game, event.company), par=event.price)


def _price_removed(game: Game, event: e.PriceRemoved) -> None:
    _take_off(game, event.company)


def _company_reset(game: Game, event: e.CompanyReset) -> None:
    company = _company(game, event.company)
    licences = (company.licence,) if company.licence else ()
    game.companies[event.company] = Company(
        offered_from=company.offered_from, licence=company.licence, licences=licences
    )
    game.trains.pop(event.company, None)


def _auction_opened(game: Game, event: e.AuctionOpened) -> None:
    game.auction = Auction(event.company, event.bidders)


def _auction(game: Game) -> Auction:
    if game.auction is None:
        raise BrokenLog("no auction is open")
    return game.auction


def _bid_made(game: Game, event: e.BidMade) -> None:
    game.auction = replace(_auction(game), leader=event.player, price=event.price)


def _auction_passed(game: Game, event: e.AuctionPassed) -> None:
    auction = _auction(game)
    game.auction = replace(auction, bidders=tuple(each for each in auction.bidders if each != event.player))


def _auction_won(game: Game, event: e.AuctionWon) -> None:
    game.auction = replace(_auction(game), leader=event.player, price=event.price, bidders=(), won=True)
    game.round = replace(_round(game), won=(*_round(game).won, event.player))


def _auction_closed(game: Game, event: e.AuctionClosed) -> None:
    game.auction = None


def _obligation_taken(game: Game, event: e.ObligationTaken) -> None:
    game.obligations = (*game.obligations, (event.player, event.company))


def _obligation_ended(game: Game, event: e.ObligationEnded) -> None:
    ended = (event.player, event.company)
    game.obligations = tuple(each for each in game.obligations if each != ended)


def _train_kind_chosen(game: Game, event: e.TrainKindChosen) -> None:
    game.train_kinds[event.train] = event.kind


def _warranties_set(game: Game, event: e.WarrantiesSet) -> None:
    if event.count:
        game.warranties[event.train] = event.count
    else:
        game.warranties.pop(event.train, None)


def _action_taken(game: Game, event: e.ActionTaken) -> None:
    game.turn = replace(game.turn, actions=(*game.turn.actions, event.action))


def _exchange_started(game: Game, event: e.ExchangeStarted) -> None:
    game.exchange = Exchange(event.kind, event.company, event.other, event.player, event.price, event.holders)


def _exchange(game: Game) -> Exchange:
    if game.exchange is None:
        raise BrokenLog("no exchange of shares is under way")
    return game.exchange


def _option_marked(game: Game, event: e.OptionMarked) -> None:
    exchange = _exchange(game)
    option = Option(event.holder, event.company, event.number, event.redeem_price, event.give_up_price)
    others = tuple(each for each in exchange.options if each.holder != event.holder)
    game.exchange = replace(exchange, options=(*others, option))


def _option_settled(game: Game, event: e.OptionSettled) -> None:
    exchange = _exchange(game)
    left = tuple(each for each in exchange.options if each.holder != event.holder)
    game.exchange = replace(exchange, options=left)


def _holder_settled(game: Game, event: e.HolderSettled) -> None:
    exchange = _exchange(game)
    left = tuple(holder for holder in exchange.holders if holder != event.holder)
    game.exchange = replace(exchange, holders=left)


def _exchange_ended(game: Game, event: e.ExchangeEnded) -> None:
    game.exchange = None


def _monopoly_formed(game: Game, event: e.MonopolyFormed) -> None:
    game.monopoly = event.name
    game.certificate_limit = event.certificate_limit


WRITERS: dict[type[e.Event], Callable[[Game, Any], None]] = {
    e.GameCreated: _created,
    e.CashMoved: _cash_moved,
    e.CertificatesMoved: _certificates_moved,
    e.CertificatesReserved: _certificates_reserved,
    e.CompanyBought: _company_bought,
    e.PriceStarted: _price_started,
    e.PriceMoved: _price_moved,
    e.CompanyOpened: _company_opened,
    e.DirectorChanged: _director_changed,
    e.CompanyClosed: _company_closed,
    e.TileLaid: _tile_laid,
    e.TokensArranged: _tokens_arranged,
    e.TokenPlaced: _token_placed,
    e.TokenReplaced: _token_replaced,
    e.CharterTokensSet: _charter_tokens_set,
    e.TrainMoved: _train_moved,
    e.PhaseStarted: _phase_started,
    e.RoundStarted: _round_started,
    e.RoundEnded: _round_ended,
    e.OrderChanged: _order_changed,
    e.TurnStarted: _turn_started,
    e.StepStarted: _step_started,
    e.StepPassed: _step_passed,
    e.PlayerPassed: _player_passed,
    e.TurnEnded: _turn_ended,
    e.StockTurnActed: _stock_turn_acted,
    e.TrainsRan: _trains_ran,
    e.RevenueCorrected: _revenue_corrected,
    e.DividendDeclared: _dividend_declared,
    e.PriorityMoved: _priority_moved,
    e.DebtChanged: _debt_changed,
    e.InterruptRaised: _interrupt_raised,
    e.InterruptSettled: _interrupt_settled,
    e.GameEndTriggered: _game_end_triggered,
    e.GameEnded: _game_ended,
    e.CompanyOffered: _company_offered,
    e.LicencesSet: _licences_set,
    e.CharterSideSet: _charter_side_set,
    e.IpoMarkerSet: _ipo_marker_set,
    e.PriceRemoved: _price_removed,
    e.CompanyReset: _company_reset,
    e.AuctionOpened: _auction_opened,
    e.BidMade: _bid_made,
    e.AuctionPassed: _auction_passed,
    e.AuctionWon: _auction_won,
    e.AuctionClosed: _auction_closed,
    e.ObligationTaken: _obligation_taken,
    e.ObligationEnded: _obligation_ended,
    e.TrainKindChosen: _train_kind_chosen,
    e.WarrantiesSet: _warranties_set,
    e.ActionTaken: _action_taken,
    e.ExchangeStarted: _exchange_started,
    e.OptionMarked: _option_marked,
    e.OptionSettled: _option_settled,
    e.HolderSettled: _holder_settled,
    e.ExchangeEnded: _exchange_ended,
    e.MonopolyFormed: _monopoly_formed,
}
