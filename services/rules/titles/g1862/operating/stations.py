"""Station tokens of 1862 on the map (7.7), and which companies they join (7.5.2)."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.kernel.game import Game
from services.rules.kernel.rejections import reject_if
from services.rules.kernel.title import Context
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.turnstep import optional_step
from services.rules.parts.map.board import CityId, token_cities
from services.rules.parts.map.boardview import view_of
from services.rules.parts.map.commands import PlaceToken
from services.rules.parts.map.placing import (
    TOKEN_PLACED,
    TokenClauses,
    check_slot,
    check_token,
    check_token_left,
    reached_cities,
    token_action,
)
from services.rules.parts.map.state import map_of, track_turn, unplaced_tokens
from services.rules.parts.shares.companyturns import director_of_actor
from services.rules.titles.g1862.operating.building import must_build_at_home
from services.rules.titles.g1862.operating.homes import home_place, lacks_home
from services.rules.titles.g1862.operating.london import (
    check_terminal,
    has_terminal,
    reaches_london,
    terminals,
)
from services.rules.titles.g1862.rulings import plays

CLAUSES = TokenClauses(
    none_left="1862/7.7-b",
    again="1862/7.7-a",
    in_hex="1862/7.7-c",
    slot_taken="1862/7.7-c",
    not_connected="1862/7.7-c",
    too_dear="1862/7.7-b",
)


def connected(game: Game, data: TitleData, first: str, second: str) -> bool:
    """Whether track that no full city blocks leads from a station of one company to one of the other; terminals do not
    count (1862/7.5.2). The company at turn counts as joined to its home tile before its token is there (1862/7.2-g)."""
    view = view_of(data, game)
    stations = set(token_cities(map_of(game).tokens, second)).difference(terminals(data))
    if not stations.isdisjoint(view.reach(first).stops):
        return True
    return any(
        one == game.actor
        and lacks_home(game, data, one)
        and home_place(game, data, one) in view.reach(other).stops
        for one, other in ((first, second), (second, first))
    )


def _check(game: Game, context: Context, player: str, command: PlaceToken) -> None:
    data, company = context.data, game.actor
    if (command.hex, command.city) in terminals(data):
        check_token_left(game, data, command, CLAUSES)
        reject_if(must_build_at_home(game, data, company), "1862.home_first", "1862/7.2-i", command.hex)
        check_terminal(game, data, company)
        check_slot(game, data, command, "1862/7.6.5-b")
    else:
        check_token(game, data, command, CLAUSES)


def _cities(game: Game, data: TitleData, company: str) -> Iterator[CityId]:
    yield from reached_cities(game, data, company)
    yield from terminals(data)


def _asked_in_vain(game: Game, context: Context) -> bool:
    """By one ruling a company that could have a terminal is asked, though all of them may be taken."""
    data, symbol = context.data, game.actor
    if not plays(game, "idle_turns", "asked") or TOKEN_PLACED in game.turn.actions:
        return False
    if not unplaced_tokens(game, symbol) or track_turn(game).laid or has_terminal(game, data, symbol):
        return False
    return reaches_london(game, data, symbol)


PLACE = optional_step(
    "place_token",
    {PlaceToken: token_action(_check, _cities)},
    director_of_actor,
    asked_in_vain=_asked_in_vain,
)
