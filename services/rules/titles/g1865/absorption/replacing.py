"""Which tokens of the target an absorber of 1865 replaces by its own, and which mines it gives up (6.3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, combinations

from msgspec import Struct

from services.rules.kernel.game import Game
from services.rules.kernel.rejections import reject_if
from services.rules.kernel.titledata import TitleData
from services.rules.parts.map.board import CityId, token_cities
from services.rules.parts.map.state import map_of, unplaced_tokens
from services.rules.titles.g1865.directroutes import direct_routes
from services.rules.titles.g1865.mines import has_too_many, is_mine, mines_of


class Tokens(Struct, frozen=True):
    """The tokens of both companies by hex: the absorber's `own`, its `mines` among them, those of the target that it could
    replace, `others`, and of these the ones in mines. `spare`: how many tokens it has left; `joined`: pairs of hexes that a
    direct route joins."""

    own: frozenset[str]
    mines: frozenset[str]
    others: frozenset[str]
    other_mines: frozenset[str]
    spare: int
    joined: frozenset[tuple[str, str]]


def tokens_of(game: Game, data: TitleData, company: str, target: str) -> Tokens:
    """The tokens of absorber and target as they are."""
    ours = token_cities(map_of(game).tokens, company)
    theirs = tuple(city for city in token_cities(map_of(game).tokens, target) if city not in ours)
    return Tokens(
        own=frozenset(hex_id for hex_id, _ in ours),
        mines=frozenset(hex_id for hex_id, _ in mines_of(game, data, company)),
        others=frozenset(hex_id for hex_id, _ in theirs),
        other_mines=frozenset(city[0] for city in theirs if is_mine(game, data, city)),
        spare=len(unplaced_tokens(game, company)),
        joined=frozenset(_joined(game, data, (*ours, *theirs))),
    )


def _joined(game: Game, data: TitleData, cities: tuple[CityId, ...]) -> Iterator[tuple[str, str]]:
    for city in cities:
        for route in direct_routes(game, data, city):
            if route.goal in cities:
                yield city[0], route.goal[0]


def is_joined(tokens: Tokens, hexes: frozenset[str]) -> bool:
    """Whether every token in these hexes is joined to another one by a direct route (6.3-e)."""
    if len(hexes) <= 1:
        return True
    return all(any((one, other) in tokens.joined for other in hexes) for one in hexes)


def is_possible(data: TitleData, tokens: Tokens, replaced: frozenset[str], abandoned: frozenset[str]) -> bool:
    """Whether the absorber has the tokens for it, they stay joined, and the district has no second one (5.3-d, 6.3-d, 6.3-e)."""
    after = (tokens.own - abandoned) | replaced
    enough = len(replaced) <= tokens.spare + len(abandoned)
    return enough and is_joined(tokens, after) and not has_too_many(data, set(after))


def leaves_out(
    data: TitleData, tokens: Tokens, replaced: frozenset[str], abandoned: frozenset[str]
) -> tuple[str, ...]:
    """The fewest tokens of the target that could be replaced too, none if none could; mines may be given up (6.3-b, 6.3-f)."""
    for more in _subsets(tokens.others - replaced - tokens.other_mines):
        if more and is_possible(data, tokens, replaced.union(more), abandoned):
            return more
    return ()


def check_replacing(
    data: TitleData, tokens: Tokens, replaced: tuple[str, ...], abandoned: tuple[str, ...]
) -> None:
    """Reject tokens that cannot be replaced or given up so, and any that is left out without need."""
    new, gone = frozenset(replaced), frozenset(abandoned)
    known = new <= tokens.others and gone <= tokens.mines
    twice = len(new) != len(replaced) or len(gone) != len(abandoned)
    reject_if(not known or twice, "1865.tokens_unknown", "1865/6.3-b", ", ".join((*replaced, *abandoned)))
    few = len(new) > tokens.spare + len(gone)
    reject_if(few, "no_token_left", "1865/6.3-d", str(tokens.spare))
    after = (tokens.own - gone) | new
    reject_if(has_too_many(data, set(after)), "1865.mine_of_district", "1865/5.3-d")
    reject_if(not is_joined(tokens, after), "1865.tokens_not_joined", "1865/6.3-e")
    left_out = leaves_out(data, tokens, new, gone)
    reject_if(bool(left_out), "1865.tokens_left_out", "1865/6.3-b", ", ".join(left_out))


def ways_of_replacing(data: TitleData, tokens: Tokens) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Everything that `check_replacing` lets through: what is replaced, and which mines are given up."""
    for abandoned in _subsets(tokens.mines):
        for replaced in _subsets(tokens.others):
            new, gone = frozenset(replaced), frozenset(abandoned)
            if is_possible(data, tokens, new, gone) and not leaves_out(data, tokens, new, gone):
                yield replaced, abandoned


def _subsets(hexes: Iterable[str]) -> Iterator[tuple[str, ...]]:
    listed = sorted(hexes)
    return chain.from_iterable(combinations(listed, count) for count in range(len(listed) + 1))
