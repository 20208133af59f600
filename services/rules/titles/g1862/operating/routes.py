"""From the map of 1862 to the question which runs earn a company the most, and what its clauses say to a run (7.4, 7.8)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from services.routing.domain.problem import (
    FreightJoins,
    Links,
    Parameters,
    RouteProblem,
    Train,
    TrainKind,
)
from services.routing.domain.verify import RunFault
from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.parts.map.boardview import view_of
from services.rules.parts.map.data import map_data
from services.rules.parts.map.state import map_of
from services.rules.parts.map.ways import stop_id
from services.rules.parts.trains.routes import RunTerms, problem_on_terms
from services.rules.parts.trains.runs import Reason, RunLaw
from services.rules.parts.trains.state import phase_of
from services.rules.titles.g1862.companies import LONDON, in_receivership
from services.rules.titles.g1862.figures import figures_of
from services.rules.titles.g1862.operating.homes import home_place
from services.rules.titles.g1862.operating.london import has_terminal, terminals
from services.rules.titles.g1862.rulings import plays
from services.rules.titles.g1862.state import own
from services.rules.titles.g1862.trains.depots import is_permanent, runnable_trains, train_face

NO_TRACK = ("route_unknown_track", "1862/7.8-i")
NO_TERMINAL = ("route_no_token", "1862/7.4-g")
PASSES_AREA = ("route_passes_terminal", "1862/7.4-e")
FAULTS: dict[str, Reason] = {
    "unknown_train": ("train_not_owned", "1862/7.8.4-a"),
    "unknown_stop": NO_TRACK,
    "unknown_segment": NO_TRACK,
    "train_runs_twice": ("route_runs_twice", "1862/7.8-a"),
    "route_not_connected": NO_TRACK,
    "route_too_short": ("route_too_short", "1862/7.8-b"),
    "route_repeats_place": ("route_repeats_place", "1862/7.4-b"),
    "route_track_reused": ("route_track_reused", "1862/7.4-d"),
    "route_no_token": ("route_no_token", "1862/7.4-a"),
    "route_offboard_in_middle": ("route_passes_terminal", "1862/7.4-e"),
    "route_port_in_middle": ("route_passes_terminal", "1862/7.4-e"),
    "route_passes_terminal_track": ("route_passes_terminal", "1862/7.4-e"),
    "route_passes_blocked_city": ("route_passes_blocked_city", "1862/7.4-c"),
    "route_ends_at_town": ("1862.route_ends_at_town", "1862/7.8-a"),
    "route_two_ports": ("1862.route_two_areas", "1862/7.4-f"),
    "route_two_offboards": ("1862.route_two_areas", "1862/7.4-f"),
    "local_off_board": ("train_kind", "1862/7.8.2-a"),
    "no_run_at_home": ("1862.route_misses_home", "1862/7.8-e"),
    "route_misses_network": ("1862.route_misses_network", "1862/7.8-f"),
    "freight_not_joined": ("1862.freight_not_joined", "1862/7.8.1-l"),
}
TOO_LONG = {"freight": "1862/7.8.1-a", "local": "1862/7.8.2-c", "express": "1862/7.8.3-a"}


def must_run_best(game: Game, symbol: str) -> bool:
    """Whether only the runs that bring the most, subsidies included, will do (1862/7.3-c)."""
    return in_receivership(game, symbol) and plays(game, "receivership_run", "best")


_TRAIN_KINDS: Mapping[str, TrainKind] = {"freight": "freight", "local": "local", "express": "express"}


def problem_of(game: Game, data: TitleData, symbol: str) -> RouteProblem:
    """The best-run question of a company on the map as it stands, for the trains it may run."""
    trains = tuple(train_of(game, data, train) for train in runnable_trains(game, symbol))
    return problem_on_terms(view_of(data, game), symbol, trains, phase_of(game), terms_of(game, data, symbol))


def train_of(game: Game, data: TitleData, train: str) -> Train:
    """A train in a route problem; freight trains that will become obsolete run joined (1862/7.8.1-g to 7.8.1-l)."""
    face, kind = train_face(game, data, train), own(game).train_kinds[train]
    joins = kind == "freight" and not is_permanent(data, train)
    return Train(id=train, kind=_TRAIN_KINDS[kind], reach=face.reach, counts=face.counts, joins=joins)


def terms_of(game: Game, data: TitleData, symbol: str) -> RunTerms:
    """The terms on which a company's runs are judged; London is closed to it without a terminal (1862/7.4-g)."""
    return _terms(
        data,
        must_run_best(game, symbol),
        _home_of(game, data, symbol),
        "cities" if plays(game, "runs_meet", "in_large_stations") else "any_stop",
        "one_route" if plays(game, "joined_freight", "one_route") else "ends_meet",
        has_terminal(game, data, symbol),
    )


@lru_cache(maxsize=1024)
def _terms(
    data: TitleData,
    is_for_most: bool,
    home: str,
    links: Links,
    freight_joins: FreightJoins,
    has_terminal: bool,
) -> RunTerms:
    limits = figures_of(data)
    areas, terminal_slots = _london(data)
    return RunTerms(
        family="one_network",
        parameters=Parameters(
            compare_treasury_income=is_for_most,
            home=home,
            links=links,
            freight_joins=freight_joins,
            bonus_per_hex=limits.freight_bonus_per_hex,
            bonus_per_hex_port=limits.freight_bonus_per_hex_port,
            subsidy_per_hex=limits.subsidy_per_hex,
        ),
        closed=terminal_slots if has_terminal else terminal_slots | areas,
    )


def law_of(game: Game, data: TitleData, symbol: str) -> RunLaw:
    """The clauses with which a company's runs are refused."""

    def reason(fault: RunFault) -> Reason:
        if fault.reason == "route_too_long":
            return "route_too_long", TOO_LONG[own(game).train_kinds[fault.train]]
        return FAULTS[fault.reason]

    return RunLaw(terms_of(game, data, symbol), reason, NO_TRACK, NO_TERMINAL, PASSES_AREA)


def _home_of(game: Game, data: TitleData, symbol: str) -> str:
    """The stop of the company's home station, empty while none stands there (1862/7.8-e)."""
    city = home_place(game, data, symbol)
    return stop_id(city) if symbol in map_of(game).tokens.get(city, ()) else ""


@lru_cache(maxsize=64)
def _london(data: TitleData) -> tuple[frozenset[str], frozenset[str]]:
    """The stops of London, and the cities that take its terminals (1862/7.6.5)."""
    areas = (
        stop_id((hex_id, number))
        for hex_id, printed in map_data(data).hexes.items()
        for number, stop in enumerate(printed.face.stops)
        if stop.area == LONDON
    )
    return frozenset(areas), frozenset(stop_id(city) for city in terminals(data))
