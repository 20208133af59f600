"""Launching companies in 1865: the president's certificate at twice a price of the phase, and what follows at 60 % (4.6)."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.kernel.choice import Choice
from services.rules.kernel.draft import Draft
from services.rules.kernel.game import Game
from services.rules.kernel.payments import check_cash
from services.rules.kernel.rejections import reject_if
from services.rules.kernel.title import Action, Context
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.turns import end_player_turn
from services.rules.parts.map.board import city_slots, face, token_cities
from services.rules.parts.map.data import map_data
from services.rules.parts.map.state import map_of
from services.rules.parts.market.data import MarketCell, chart_of
from services.rules.parts.shares.commands import StartCompany
from services.rules.parts.shares.dealing import note_purchase
from services.rules.parts.shares.events import CompanyOpened
from services.rules.parts.shares.limits import check_limit
from services.rules.parts.shares.shares import DIRECTOR, holders, settle_director
from services.rules.parts.shares.state import companies_of
from services.rules.parts.shares.trading import (
    StartTerms,
    check_not_sold,
    cost_to_start,
    is_enough_to_open,
    set_par,
    start_action,
    take_certificate,
)
from services.rules.titles.g1865.commands import LaunchAnew
from services.rules.titles.g1865.companies import home_of, is_launched, is_major
from services.rules.titles.g1865.events import HomeChosen, TableRowSet
from services.rules.titles.g1865.figures import figures_of, present_phase, railway_cards
from services.rules.titles.g1865.rulings import plays
from services.rules.titles.g1865.setup import place_home
from services.rules.titles.g1865.state import own
from services.rules.titles.g1865.stock.opening import set_charter
from services.rules.titles.g1865.traffic import give_traffic, traffic_at


def starting_prices(game: Game, data: TitleData, company: str) -> tuple[int, ...]:
    """The values of the share line at which a company may start in the phase at hand (4.6-b)."""
    least, most = present_phase(game, data).starting_prices
    return tuple(price for price in chart_of(data).rows[0] if least <= price <= most)


def launch(draft: Draft, data: TitleData, player: str, company: str, price: int) -> None:
    """The player pays the company for the president's certificate; its markers go under the others at that value and on the
    Dragon table (4.6-a, 4.6-d, 4.6-f, 4.6-g)."""
    cell: MarketCell = (0, chart_of(data).rows[0].index(price))
    set_par(draft, company, price, cell)
    draft.emit(TableRowSet(company, present_phase(draft.game, data).starting_row))
    take_certificate(draft, player, company, DIRECTOR, cost_to_start(data, company, price), company, company)
    note_purchase(draft, player, company)


def after_purchase(draft: Draft, data: TitleData, player: str, company: str) -> None:
    """See who is president, and whether the company has started; a purchase ends the turn (4.4-a, 4.4-g, 4.6-c)."""
    settle_director(draft, data, company)
    open_if_sold(draft, data, company)
    end_player_turn(draft, player)


def open_if_sold(draft: Draft, data: TitleData, company: str) -> None:
    """A company of which players have 60 % has started: it gets its tokens and the traffic of its home (4.6-c, 4.6-e)."""
    game = draft.game
    sold = sum(holders(game, data, company).values())
    if companies_of(game)[company].opened or not is_enough_to_open(game, data, company, sold):
        return
    draft.emit(CompanyOpened(company))
    if is_major(game, data, company):
        on_map = len(token_cities(map_of(game).tokens, company))
        set_charter(draft, company, tokens_of_new_major(draft.game, data, company) - on_map)
    home = home_of(draft.game, data, company)
    give_traffic(draft, company, traffic_at(draft.game, data, home), "home", home[0])


def tokens_of_new_major(game: Game, data: TitleData, company: str) -> int:
    """All tokens from phase 5 on (4.8-f); before, an absorbed company launched anew has those of a converted one (4.8-g)."""
    phase = present_phase(game, data)
    if phase.starts_major or plays(game, "tokens_launched_anew", "all"):
        return figures_of(data).major_tokens
    return len(railway_cards(data)[company].tokens) + phase.conversion_tokens


def _check_company(game: Game, context: Context, company: str) -> None:
    reject_if(company not in railway_cards(context.data), "unknown_company", detail=company)
    reject_if(is_launched(game, company), "company_has_price", "1865/4.6-a", company)
    reject_if(company in own(game).absorbed, "1865.home_not_chosen", "1865/6.3-g", company)


def _check_player(game: Game, context: Context, player: str, company: str) -> None:
    check_not_sold(game, player, company, "1865/4.4-o")
    check_limit(game, context.data, player, "1865/4.4-q")


def _start(draft: Draft, context: Context, player: str, command: StartCompany) -> None:
    launch(draft, context.data, player, command.company, command.price)
    after_purchase(draft, context.data, player, command.company)


START = start_action(
    StartTerms(
        lambda game, context, player: railway_cards(context.data),
        _check_company,
        _start,
        not_offered="1865/4.6-b",
        too_dear="1865/4.6-a",
        check_player=_check_player,
        prices=starting_prices,
    )
)


def _check_anew(game: Game, context: Context, player: str, command: LaunchAnew) -> None:
    """As any launch, and the home has to be a city with a free slot (6.3-g)."""
    data, company = context.data, command.company
    reject_if(company not in railway_cards(data), "unknown_company", detail=company)
    reject_if(company not in own(game).absorbed, "1865.not_absorbed", "1865/6.3-g", company)
    offered = command.price in starting_prices(game, data, company)
    reject_if(not offered, "price_not_offered", "1865/4.6-b", str(command.price))
    _check_player(game, context, player, company)
    free = command.hex in map_data(data).hexes and command.city in free_cities(game, data, command.hex)
    reject_if(not free, "1865.home_not_free", "1865/6.3-g", command.hex)
    check_cash(game, player, cost_to_start(data, company, command.price), "1865/4.6-a")


def free_cities(game: Game, data: TitleData, hex_id: str) -> tuple[int, ...]:
    """The cities of the hex that have a free slot."""
    board = map_of(game)
    return tuple(
        number
        for number, stop in enumerate(face(data, board.tiles, hex_id).stops)
        if stop.kind == "city" and "" in city_slots(data, board.tiles, board.tokens, (hex_id, number))
    )


def _start_anew(draft: Draft, context: Context, player: str, command: LaunchAnew) -> None:
    data, company = context.data, command.company
    draft.emit(HomeChosen(company, command.hex, command.city))
    place_home(draft, context, company)
    launch(draft, data, player, company, command.price)
    after_purchase(draft, data, player, company)


def _anew_candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
    data = context.data
    for company in own(game).absorbed:
        for hex_id in map_data(data).hexes:
            for city in free_cities(game, data, hex_id):
                for price in starting_prices(game, data, company):
                    cost = cost_to_start(data, company, price)
                    yield Choice(player, LaunchAnew(company, price, hex_id, city), cost=cost)


START_ANEW = Action(_check_anew, _start_anew, _anew_candidates)
