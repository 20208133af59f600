"""Laws of single titles that hold in every state of every game, and between two states that follow each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from services.rules.kernel.events import Event
from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.vocabulary import BANK, POOL
from services.rules.parts.map.board import base_of, face
from services.rules.parts.map.data import map_data
from services.rules.parts.map.state import map_of, unplaced_tokens
from services.rules.parts.shares.shares import shares_of
from services.rules.parts.shares.state import companies_of
from services.rules.parts.trains.state import trains_of
from services.rules.titles.g1862.figures import figures_of
from services.rules.titles.g1862.operating.london import terminals
from services.rules.titles.g1862.state import charter_of, own
from services.rules.titles.g1865.dragontable import table_of
from services.rules.titles.g1865.figures import figures_of as figures_1865
from services.rules.titles.g1865.mines import has_too_many
from services.rules.titles.g1865.state import own as own_1865
from tests.positions.reading import moved_trains
from tests.positions.trains import earnings
from tests.simulation.laws_of_rotw import check_rotw
from tests.titles.g1865.table import traffic_changes

Check = Callable[[Game, Game, Sequence[Event], TitleData], None]


def _check_1862(before: Game, after: Game, events: Sequence[Event], data: TitleData) -> None:
    """What 1862 adds to the laws of all titles."""
    _check_shares(after, data)
    _check_stations(after, data)
    _check_track(after, data)
    _check_warranties(before, after, events)
    _check_places_counted(after, events, data)


def _check_shares(game: Game, data: TitleData) -> None:
    """The certificates of every company in the game add up to the shares that it is divided into."""
    for symbol, company in companies_of(game).items():
        if charter_of(game, symbol).offered_from and not company.closed:
            shares = [
                shares_of(data, each, held) for (_, each), held in game.holdings.items() if each == symbol
            ]
            assert sum(shares) == company.shares, (symbol, shares)


def _check_stations(game: Game, data: TitleData) -> None:
    """Stations on the map and on the charter together are never more than a company may have, and a company that is not
    quoted has none; every station that was placed is on the map once."""
    figures = figures_of(data)
    most = (
        figures.tokens_most_with_eight_stations if "eight_stations" in game.options else figures.tokens_most
    )
    on_map = Counter(symbol for slots in map_of(game).tokens.values() for symbol in slots if symbol)
    for symbol, company in companies_of(game).items():
        assert on_map[symbol] + len(unplaced_tokens(game, symbol)) <= most, symbol
        assert company.opened or not on_map[symbol], symbol
    placed = Counter(symbol for _, symbol in map_of(game).placements)
    assert placed == on_map


def _check_track(game: Game, data: TitleData) -> None:
    """No tile lies more often than it has pieces, whatever stations are added (unless a ruling says otherwise); no track
    leaves the map; one terminal each."""
    shared = map_data(data).figures.kinds_share_pieces
    used = Counter(base_of(data, laid.tile) if shared else laid.tile for laid in map_of(game).tiles.values())
    for tile, count in used.items():
        assert count <= map_data(data).tiles[tile].count, tile
    for hex_id in map_of(game).tiles:
        for edge in face(data, map_of(game).tiles, hex_id).exits:
            assert map_data(data).neighbours[hex_id][edge] is not None, hex_id
    holders = Counter(
        symbol for city in terminals(data) for symbol in map_of(game).tokens.get(city, ()) if symbol
    )
    assert max(holders.values(), default=1) == 1, holders


def _check_warranties(before: Game, after: Game, events: Sequence[Event]) -> None:
    """Warranties belong to the train for which they were bought: they grow with its purchase alone, and go with it."""
    owned = {train for trains in trains_of(after).owned.values() for train in trains}
    bought = {train for train, source, _ in moved_trains(events) if source == BANK}
    assert set(own(after).warranties) <= owned | own(after).abandoned.keys()
    for train, count in own(after).warranties.items():
        assert count <= own(before).warranties.get(train, 0) or train in bought, train


def _check_places_counted(game: Game, events: Sequence[Event], data: TitleData) -> None:
    """No place is counted twice in a company's runs (1862/7.8-l)."""
    for ran in earnings(events):
        counted = Counter(_place(game, data, stop) for run in ran.runs for stop in run.counted)
        assert max(counted.values(), default=1) == 1, (ran.company, counted)


def _place(game: Game, data: TitleData, stop: str) -> str:
    """The place that a stop `HEX.n` is, an area as a whole."""
    hex_id, _, number = stop.partition(".")
    return face(data, map_of(game).tiles, hex_id).stops[int(number)].area or stop


def _check_1865(before: Game, after: Game, events: Sequence[Event], data: TitleData) -> None:
    """What 1865 adds to the laws of all titles."""
    _check_holdings(after, data)
    _check_places(after, data)
    _check_traffic(before, after, events)


def _check_holdings(game: Game, data: TitleData) -> None:
    """Nobody but players directs; the pool and the Dragons have no more than half of a company, and a president's certificate is
    with the president or, before the launch, in the offer (1865/4.3-k, 4.3-l, 4.4-h)."""
    dragons = table_of(data).holder
    for symbol, company in companies_of(game).items():
        for holder in (POOL, dragons):
            assert 2 * shares_of(data, symbol, game.held(holder, symbol)) <= company.shares, (symbol, holder)
        assert company.director in ("", *game.players)
        assert 0 in game.held(company.director or symbol, symbol), symbol
        assert game.debts.get(symbol, 0) <= figures_1865(data).loan * figures_1865(data).loans_most


def _check_places(game: Game, data: TitleData) -> None:
    """Tokens on the map and on the charter are never more than a major has, mines have one at most, and a company one in the
    district at most (1865/4.8-f, 5.3-b, 5.3-d)."""
    for symbol in companies_of(game):
        hexes = [hex_id for (hex_id, _), slots in map_of(game).tokens.items() if symbol in slots]
        assert len(hexes) + len(unplaced_tokens(game, symbol)) <= figures_1865(data).major_tokens, symbol
        assert len(set(hexes)) == len(hexes) and not has_too_many(data, set(hexes)), symbol
    for tile, count in Counter(laid.tile for laid in map_of(game).tiles.values()).items():
        assert count <= map_data(data).tiles[tile].count, tile


def _check_traffic(before: Game, after: Game, events: Sequence[Event]) -> None:
    """Traffic changes by the facts about it alone and is never below 0."""
    changes = Counter[str]()
    for company, amount, _, _ in traffic_changes(events):
        changes[company] += amount
    for company in companies_of(after):
        traffic = own_1865(after).traffic.get(company, 0)
        assert traffic == own_1865(before).traffic.get(company, 0) + changes[company] >= 0, company


CHECKS: Mapping[str, Check] = {"1862": _check_1862, "1865": _check_1865, "rotw": check_rotw}


def check_title(before: Game, after: Game, events: Sequence[Event], data: TitleData) -> None:
    """The further laws of the game's title, when `events` led from `before` to `after`."""
    check = CHECKS.get(after.title)
    if check is not None:
        check(before, after, events, data)
