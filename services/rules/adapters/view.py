"""A game as its players and watchers see it: the state with the figures of its title, as a message."""

from __future__ import annotations

from collections.abc import Callable

from services.gen.signalbox.rules.v1 import game_pb2
from services.rules.adapters.codec import (
    ROUND_KINDS,
    SERVICE_KINDS,
    UNDO_POLICIES,
    ruling_message,
    run_message,
    score_message,
)
from services.rules.adapters.messages import pair
from services.rules.domain import events as e
from services.rules.domain.decide import acting_players
from services.rules.domain.game import Auction, Company, Exchange, Game, Interrupt, Round, Turn
from services.rules.domain.market import price_at, price_of
from services.rules.domain.shares import percent_of
from services.rules.domain.title import Title
from services.rules.domain.titledata import TitleData

_turn_message: Callable[[Turn], game_pb2.TurnView] = pair(Turn, game_pb2.TurnView).encode
_interrupt_message: Callable[[Interrupt], game_pb2.Interrupt] = pair(Interrupt, game_pb2.Interrupt).encode

_auction_message: Callable[[Auction], game_pb2.Auction] = pair(Auction, game_pb2.Auction).encode
_exchange_message: Callable[[Exchange], game_pb2.ShareExchange] = pair(
    Exchange, game_pb2.ShareExchange
).encode


def game_view(game_id: str, title: Title, data: TitleData, game: Game) -> game_pb2.GameView:
    """Everything a client needs to draw `game` and to play in it."""
    view = game_pb2.GameView(
        game_id=game_id,
        sequence=game.sequence,
        title=game.title,
        rules_version=game.rules_version,
        options=game.options,
        rulings=[ruling_message(e.Ruling(name, value)) for name, value in game.rulings.items()],
        undo_policy=UNDO_POLICIES[game.undo_policy],
        players=[_player(title, data, game, player) for player in game.players],
        companies=[_company(data, game, symbol, company) for symbol, company in game.companies.items()],
        bank_cash=game.money(e.BANK),
        phase=game.phase,
        priority=game.priority,
        turn=_turn_message(game.turn),
        acting_players=acting_players(title, data, game),
        interrupts=[_interrupt_message(each) for each in game.interrupts],
        ending=game.ending,
        finished=game.finished,
        scores=[score_message(score) for score in game.scores],
    )
    if game.round is not None:
        view.round.CopyFrom(_round(game, game.round))
    _add_table(view, data, game)
    _add_map(view, game)
    _add_deals(view, game)
    return view


def _player(title: Title, data: TitleData, game: Game, player: str) -> game_pb2.PlayerView:
    counted = (
        len(numbers)
        for (holder, company), numbers in game.holdings.items()
        if holder == player and data.companies[company].counts_for_limit
    )
    return game_pb2.PlayerView(
        player=player,
        cash=game.money(player),
        debt=game.debts.get(player, 0),
        certificate_count=sum(counted),
        certificate_limit=game.certificate_limit or data.figures.certificate_limit[len(game.players)],
        value=title.player_value(game, data, player),
    )


def _company(data: TitleData, game: Game, symbol: str, company: Company) -> game_pb2.CompanyView:
    printed = data.companies[symbol]
    return game_pb2.CompanyView(
        company=symbol,
        name=printed.name,
        kind=printed.kind,
        bought=company.bought,
        opened=company.opened,
        closed=company.closed,
        operated=company.operated,
        director=company.director,
        par=company.par,
        price=price_of(game, data, symbol),
        price_paid=company.price_paid,
        cash=game.money(symbol),
        trains=game.trains.get(symbol, ()),
        charter_tokens=company.charter,
        reserved_numbers=company.reserved,
        chartered=company.chartered,
        offered_from=company.offered_from,
        licence=SERVICE_KINDS[company.licence],
        licences=[SERVICE_KINDS[licence] for licence in company.licences],
    )


def _round(game: Game, current: Round) -> game_pb2.RoundView:
    return game_pb2.RoundView(
        kind=ROUND_KINDS[current.kind],
        turn=current.turn,
        number=current.number,
        count=current.count,
        order=current.order,
        actor=game.actor,
        step=current.step,
        passed=current.passed,
        ended=current.ended,
        won=current.won,
    )


def _add_table(view: game_pb2.GameView, data: TitleData, game: Game) -> None:
    for (holder, company), numbers in game.holdings.items():
        if numbers:
            percent = percent_of(data, company, numbers)
            view.holdings.add(holder=holder, company=company, numbers=numbers, percent=percent)
    for cell in sorted(game.cells):
        row, column = cell
        view.market.add(row=row, column=column, price=price_at(data, cell), companies=game.cells[cell])
    for name, kind in data.trains.items():
        left = kind.count - game.depot_gone.get(name, 0) if kind.count else None
        view.depot.add(train=name, price=kind.price, left_count=left)


def _add_map(view: game_pb2.GameView, game: Game) -> None:
    for hex_id, laid in game.tiles.items():
        view.tiles.add(hex=hex_id, tile=laid.tile, rotation=laid.rotation, copy=laid.copy)
    for hex_id, laid in game.beneath.items():
        view.beneath.add(hex=hex_id, tile=laid.tile, rotation=laid.rotation, copy=laid.copy)
    for hex_id, city in sorted(game.tokens):
        view.tokens.add(hex=hex_id, city=city, slots=game.tokens[hex_id, city])
    for company, runs in game.last_runs.items():
        view.last_runs.add(company=company, runs=[run_message(run) for run in runs])


def _add_deals(view: game_pb2.GameView, game: Game) -> None:
    """Auctions, obligations, exchanges of shares and what trains run as, for titles that know them."""
    if game.auction is not None:
        view.auction.CopyFrom(_auction_message(game.auction))
    if game.exchange is not None:
        view.exchange.CopyFrom(_exchange_message(game.exchange))
    for player, company in game.obligations:
        view.obligations.add(player=player, company=company)
    for train in sorted(game.train_kinds.keys() | game.warranties.keys()):
        kind = SERVICE_KINDS[game.train_kinds.get(train, "")]
        view.train_terms.add(train=train, kind=kind, warranties=game.warranties.get(train, 0))
    view.monopoly = game.monopoly
