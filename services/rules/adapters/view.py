"""A game as its players and watchers see it: the state with the figures of its title, as a message."""

from __future__ import annotations

from collections.abc import Callable

from google.protobuf.message import Message
from msgspec import Struct

from services.gen.signalbox.rules.v1 import game_pb2
from services.rules.adapters.codec import (
    UNDO_POLICIES,
    ruling_message,
    run_message,
    score_message,
)
from services.rules.adapters.directingview import add_directing
from services.rules.adapters.messages import pair
from services.rules.adapters.registry import OWN, own_form
from services.rules.kernel.decide import acting_players
from services.rules.kernel.game import Game, Interrupt, Round
from services.rules.kernel.title import Title
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.values import Ruling
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.auctions.state import Auction, auction_of, auction_round
from services.rules.parts.map.state import map_of, track_turn, unplaced_tokens
from services.rules.parts.market.market import price_at, price_of
from services.rules.parts.market.state import market_of
from services.rules.parts.shares.data import cards_of
from services.rules.parts.shares.shares import shares_of
from services.rules.parts.shares.state import Company, companies_of, stock_turn
from services.rules.parts.trains.data import has_trains, train_kinds_of
from services.rules.parts.trains.state import phase_of, train_turn, trains_of

_interrupt_message: Callable[[Interrupt], game_pb2.Interrupt] = pair(Interrupt, game_pb2.Interrupt).encode

_VIEWS: dict[str, Callable[[Struct], Message]] = {
    name: own_form(part, part.view_type, "View")[1].encode
    for name, part in OWN.items()
    if part.view_type is not None
}
_auction_message: Callable[[Auction], game_pb2.Auction] = pair(Auction, game_pb2.Auction).encode


def game_view(game_id: str, title: Title, data: TitleData, game: Game) -> game_pb2.GameView:
    """Everything a client needs to draw `game` and to play in it."""
    view = game_pb2.GameView(
        game_id=game_id,
        sequence=game.sequence,
        title=game.title,
        rules_version=game.rules_version,
        options=game.options,
        rulings=[ruling_message(Ruling(name, value)) for name, value in game.rulings.items()],
        undo_policy=UNDO_POLICIES[game.undo_policy],
        players=[_player(title, data, game, player) for player in game.players],
        companies=[_company(data, game, symbol, company) for symbol, company in companies_of(game).items()],
        bank_cash=game.money(BANK),
        phase=phase_of(game),
        priority=game.priority,
        turn=_turn(game),
        acting_players=acting_players(title, data, game),
        interrupts=[_interrupt_message(each) for each in game.interrupts],
        ending=game.ending,
        finished=game.finished,
        scores=[score_message(score) for score in game.scores],
    )
    add_directing(view, game)
    if game.round is not None:
        view.round.CopyFrom(_round(game, game.round))
    _add_table(view, data, game)
    _add_map(view, game)
    auction = auction_of(game)
    if auction is not None:
        view.auction.CopyFrom(_auction_message(auction))
    _add_title(view, title, data, game)
    return view


def _player(title: Title, data: TitleData, game: Game, player: str) -> game_pb2.PlayerView:
    counted = (
        len(numbers)
        for (holder, company), numbers in game.holdings.items()
        if holder == player and cards_of(data)[company].counts_for_limit
    )
    return game_pb2.PlayerView(
        player=player,
        cash=game.money(player),
        debt=game.debts.get(player, 0),
        certificate_count=sum(counted),
        certificate_limit=title.certificate_limit(game, data),
        value=title.player_value(game, data, player),
    )


def _company(data: TitleData, game: Game, symbol: str, company: Company) -> game_pb2.CompanyView:
    printed = cards_of(data)[symbol]
    return game_pb2.CompanyView(
        company=symbol,
        name=printed.name,
        kind=printed.kind,
        bought=company.bought,
        opened=company.opened,
        closed=company.closed,
        operated=company.operated,
        director=company.director,
        shares=company.shares,
        debt=game.debts.get(symbol, 0),
        par=company.par,
        price=price_of(game, data, symbol),
        price_paid=company.price_paid,
        cash=game.money(symbol),
        trains=trains_of(game).owned.get(symbol, ()),
        charter_tokens=unplaced_tokens(game, symbol),
    )


def _round(game: Game, current: Round) -> game_pb2.RoundView:
    return game_pb2.RoundView(
        kind=current.kind,
        turn=current.turn,
        number=current.number,
        count=current.count,
        order=current.order,
        actor=game.actor,
        step=current.step,
        passed=current.passed,
        ended=current.ended,
        won=auction_round(game).won,
    )


def _turn(game: Game) -> game_pb2.TurnView:
    turn, stock, track, run = game.turn, stock_turn(game), track_turn(game), train_turn(game)
    return game_pb2.TurnView(
        acted=turn.acted,
        bought=stock.bought,
        sold=stock.sold,
        laid=track.laid,
        upgraded=track.upgraded,
        declined=turn.declined,
        ran=run.ran,
        dividend=run.dividend,
        passed=turn.passed,
        revenue=run.revenue,
        treasury_income=run.treasury_income,
        actions=turn.actions,
    )


def _add_table(view: game_pb2.GameView, data: TitleData, game: Game) -> None:
    for (holder, company), numbers in game.holdings.items():
        if numbers:
            shares = shares_of(data, company, numbers)
            view.holdings.add(holder=holder, company=company, numbers=numbers, shares=shares)
    for cell in sorted(market_of(game).cells):
        row, column = cell
        view.market.add(
            row=row, column=column, price=price_at(data, cell), companies=market_of(game).cells[cell]
        )
    for name, kind in train_kinds_of(data).items() if has_trains(data) else ():
        left = kind.count - trains_of(game).depot_gone.get(name, 0) if kind.count else None
        view.depot.add(train=name, price=kind.price, left_count=left)


def _add_map(view: game_pb2.GameView, game: Game) -> None:
    for hex_id, laid in map_of(game).tiles.items():
        view.tiles.add(hex=hex_id, tile=laid.tile, rotation=laid.rotation, copy=laid.copy)
    for hex_id, city in sorted(map_of(game).tokens):
        view.tokens.add(hex=hex_id, city=city, slots=map_of(game).tokens[hex_id, city])
    for company, runs in trains_of(game).last_runs.items():
        view.last_runs.add(company=company, runs=[run_message(run) for run in runs])


def _add_title(view: game_pb2.GameView, title: Title, data: TitleData, game: Game) -> None:
    """The title's own state, which counts on what the whole set-up has brought, such as companies and a market."""
    if title.own.view is not None and game.round is not None:
        view.title_state.Pack(_VIEWS[title.name](title.own.view(game, data)))
