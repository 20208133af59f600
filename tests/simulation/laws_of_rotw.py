"""Laws of Railways of the World that hold in every state of every game, and between two states that follow each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from services.rules.kernel.events import Event
from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.parts.market.market import price_of
from services.rules.parts.shares.shares import holders
from services.rules.parts.shares.state import companies_of
from services.rules.titles.rotw.board import board_of
from services.rules.titles.rotw.figures import figures_of
from services.rules.titles.rotw.financing import bonds_left
from services.rules.titles.rotw.state import own
from services.rules.titles.rotw.track import laid_track, sides_of


def check_rotw(before: Game, after: Game, events: Sequence[Event], data: TitleData) -> None:
    """All of them."""
    _check_companies(after, data)
    _check_track(after, data)
    _check_goods(before, after, data)


def _check_companies(game: Game, data: TitleData) -> None:
    """Nobody has more shares than the controller; no company has more bonds than links, nor a value below 1 in play."""
    for symbol, company in companies_of(game).items():
        shares = holders(game, data, symbol)
        assert shares.get(company.director, 0) == max(shares.values(), default=0), symbol
        assert bool(shares) == bool(company.director), symbol
        assert bonds_left(game, data, symbol) >= 0, symbol
        assert game.finished or price_of(game, data, symbol) >= figures_of(data).banknote, symbol


def _check_track(game: Game, data: TitleData) -> None:
    """Links join two different cities; no side of a hex is crossed twice, no hex has too much track, no city too many ends."""
    board = board_of(data)
    laid = laid_track(game, board)
    sides = [side for link in own(game).links.values() for side in sides_of(board, link.path)]
    assert len(sides) == len(set(sides))
    assert max(laid.tracks.values(), default=0) <= figures_of(data).track.tracks_in_hex_most
    assert all(count <= board.by_hex[at].exits for at, count in laid.ends.items())
    for link in own(game).links.values():
        assert link.path[0] != link.path[-1] and not set(link.path[1:-1]) & board.by_hex.keys()


def _check_goods(before: Game, after: Game, data: TitleData) -> None:
    """Cubes only leave; the cities without any have a marker, once each."""
    emptied = own(after).emptied
    for city, cubes in own(after).goods.items():
        assert not Counter(cubes) - Counter(own(before).goods.get(city, cubes))
        assert (city in emptied) == (not cubes), city
    assert len(set(emptied)) == len(emptied)
