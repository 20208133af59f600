"""Building links: one, and a second one in the same action for a surcharge (build-a to -k)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from services.routing.domain.links.grid import SIDES, Grid, Laid
from services.routing.domain.links.track import TrackSearch
from services.rules.kernel.choice import Choice
from services.rules.kernel.draft import Draft
from services.rules.kernel.events import ActionTaken
from services.rules.kernel.game import Game
from services.rules.kernel.title import Action, Context
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.vocabulary import BANK
from services.rules.titles.rotw.board import Board, board_of
from services.rules.titles.rotw.commands import BuildLink
from services.rules.titles.rotw.control import check_company
from services.rules.titles.rotw.events import ActionChosen, LinkBuilt
from services.rules.titles.rotw.figures import TrackCosts, figures_of
from services.rules.titles.rotw.financing import (
    Issue,
    Need,
    carry_out,
    check_issue,
    least_issue,
    most_to_spend,
)
from services.rules.titles.rotw.rulings import plays
from services.rules.titles.rotw.state import BUILD, links_of, own
from services.rules.titles.rotw.track import (
    LaidTrack,
    check_track,
    cities_of,
    laid_track,
    paths_of,
    track_cost,
    track_over,
)


def is_second(game: Game) -> bool:
    """Whether the company at turn has built a link in this action."""
    return BUILD in game.turn.actions


def built_all(game: Game, data: TitleData) -> bool:
    """Whether the company at turn has built as many links as an action allows."""
    return game.turn.actions.count(BUILD) >= figures_of(data).links_in_build


def _need(game: Game, data: TitleData, command: BuildLink) -> Need:
    laid = laid_track(game, board_of(data))
    cost = track_cost(data, laid, command.path, is_second(game))
    return Need(command.company, cost, game.money(command.company))


def _check(game: Game, context: Context, player: str, command: BuildLink) -> None:
    check_company(game, command.company)
    check_track(game, context.data, command.company, command.path)
    need = _need(game, context.data, command)
    check_issue(game, context.data, need, Issue(command.shares, command.bonds))


def _perform(draft: Draft, context: Context, player: str, command: BuildLink) -> None:
    company = command.company
    need = _need(draft.game, context.data, command)
    if not is_second(draft.game):
        draft.emit(ActionChosen(company, BUILD))
    draft.emit(ActionTaken(BUILD))
    carry_out(draft, company, Issue(command.shares, command.bonds))
    draft.emit(LinkBuilt(str(len(own(draft.game).links) + 1), company, command.path))
    draft.pay(company, BANK, need.cost, "tile_cost", company)


class NumberedBoard(NamedTuple):
    """A board as a grid of hexes by number, with their names."""

    grid: Grid
    names: tuple[str, ...]
    numbers: dict[str, int]


@lru_cache(maxsize=16)
def numbered_board(board: Board, costs: TrackCosts) -> NumberedBoard:
    """The grid of a board."""
    names = tuple(sorted(board.terrain))
    numbers = {name: number for number, name in enumerate(names)}
    by_terrain = {"open": costs.open, "water": costs.water, "mountain": costs.mountain, "city": 0}
    beside: list[int] = []
    side_cost: list[int] = []
    for name in names:
        for side in range(SIDES):
            other = board.neighbours[name][side]
            beside.append(-1 if other is None else numbers[other])
            at_city = name in board.by_hex or other in board.by_hex
            ridge = costs.ridge_at_city if at_city else costs.ridge
            side_cost.append(ridge if (name, side) in board.ridges else 0)
    hex_cost = [by_terrain[board.terrain[name]] for name in names]
    grid = Grid(beside, side_cost, hex_cost, frozenset(numbers[at] for at in board.by_hex))
    return NumberedBoard(grid, names, numbers)


def laid_on(board: Board, numbered: NumberedBoard, costs: TrackCosts, laid: LaidTrack, second: bool) -> Laid:
    """The track on a board by the numbers of its hexes; a second link pays for every hex."""
    number = numbered.numbers
    surcharge = costs.second_link_per_hex if second else 0
    more = dict.fromkeys(range(len(numbered.names)), surcharge) if surcharge else {}
    for name, tracks in laid.tracks.items():
        more[number[name]] = surcharge + (costs.crossing if tracks else 0)
    return Laid(
        closed=frozenset(number[name] * SIDES + side for name, side in laid.sides),
        more=more,
        full=frozenset(
            number[name] for name, tracks in laid.tracks.items() if tracks >= costs.tracks_in_hex_most
        ),
        # Whether the last city has an exit left is checked with each choice.
        shut=frozenset(),
    )


class _Searches:
    """Searches for track on one board, each beside other links. A new one begins with what the last one found out: the next
    state of a game has one link more, or none."""

    def __init__(self, board: Board, costs: TrackCosts, second: bool) -> None:
        self._board, self._costs, self._second = board, costs, second
        self._numbered = numbered_board(board, costs)
        self._last: TrackSearch | None = None

    def beside(self, paths: tuple[tuple[str, ...], ...]) -> TrackSearch:
        laid = laid_on(self._board, self._numbered, self._costs, track_over(self._board, paths), self._second)
        self._last = TrackSearch(self._numbered.grid, laid, self._last)
        return self._last


_searches = lru_cache(maxsize=16)(_Searches)


@lru_cache(maxsize=16)
def _search_on(
    board: Board, costs: TrackCosts, paths: tuple[tuple[str, ...], ...], second: bool
) -> TrackSearch:
    """The search for track beside links over these hexes; many states of a game have the same ones."""
    return _searches(board, costs, second).beside(paths)


def _candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
    """From each city in which a link may begin, the cheapest track to every other, as far as the company could pay it."""
    data, company, board = context.data, game.actor, board_of(context.data)
    costs = figures_of(data).track
    numbered = numbered_board(board, costs)
    limit = most_to_spend(game, data, company)
    search = _search_on(board, costs, paths_of(game), is_second(game))
    listed: set[frozenset[str]] = set()
    for start in _starts(game, board, company):
        for path in search.cheapest_to_all(numbered.numbers[start], limit):
            hexes = tuple([numbered.names[each] for each in path.hexes])
            ends = frozenset((hexes[0], hexes[-1]))
            issue = least_issue(game, data, Need(company, path.cost, game.money(company)))
            if issue is not None and ends not in listed:
                listed.add(ends)
                yield Choice(player, BuildLink(company, hexes, issue.shares, issue.bonds), cost=path.cost)


def _starts(game: Game, board: Board, company: str) -> list[str]:
    """The cities, by hex, from which a link is searched for: those of the network, or all before there is one."""
    if not links_of(game, company):
        return sorted(board.by_hex)
    if plays(game, "links_to_connect_to", "own"):
        return sorted(cities_of(game, company))
    return sorted({end for link in own(game).links.values() for end in (link.path[0], link.path[-1])})


LINK = Action(_check, _perform, _candidates)
