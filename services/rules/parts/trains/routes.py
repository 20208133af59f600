"""From the map to the question put to the routing service, and from a player's words to a run in its terms.

Segments, the ways from stop to stop, depend on the tiles alone; they are kept with the view of the map.
"""

from collections.abc import Iterable, Mapping, Sequence, Set as AbstractSet
from enum import StrEnum
from functools import lru_cache
from typing import Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from services.routing.domain.problem import (
    Bonus,
    Family,
    Parameters,
    RouteProblem,
    Segment,
    Stop,
    Train,
    is_blocked,
)
from services.rules.kernel.titledata import TitleData
from services.rules.parts.map.board import CityId, LaidTile, Tiles, Tokens
from services.rules.parts.map.boardview import BoardView
from services.rules.parts.map.data import map_data
from services.rules.parts.map.hexes import axial
from services.rules.parts.map.track import track_of
from services.rules.parts.map.ways import city_of, stop_id, ways_of
from services.rules.parts.trains.data import phases_of, train_kinds_of
from services.rules.parts.trains.entries import entry, plain, with_entries

# Which stops of one hex are one place, so that no route visits two of them?
OneStopPerHex = Literal["cities", "none"]

# Stops that no route passes.
ROUTE_ENDS = frozenset(("offboard", "mine", "port"))


# A segment as a run goes along it: its id, the stop it leaves and the stop it comes to.
_Way = tuple[str, str, str]


class HexBonus(Struct, frozen=True):
    """What a run earns once, in whole currency units, beside its stops when it visits a hex of every group. A hex is in one
    group at most."""

    id: str
    pays: int
    groups: tuple[tuple[str, ...], ...]


class RunTerms(Struct, frozen=True, cache_hash=True):
    """What a title and its rulings say about the runs of one company: the rule family with its parameters, which stops
    are one place, the stops (by id) that no run of this company comes to, and what runs earn beside their stops."""

    family: Family = "separate_track"
    parameters: Parameters = Parameters()
    one_stop_per_hex: OneStopPerHex = "cities"
    closed: frozenset[str] = frozenset()
    bonuses: tuple[HexBonus, ...] = ()

    def parameters_on(self, stops: Iterable[str]) -> Parameters:
        """The parameters of a problem with these stops: with the bonuses that a run to some of them could have."""
        names = tuple(stops)
        found = tuple(bonus for each in self.bonuses if (bonus := _bonus_on(each, names)))
        own = self.parameters
        return replace(own, bonuses=(*own.bonuses, *found)) if found else own


def _bonus_on(bonus: HexBonus, stops: tuple[str, ...]) -> Bonus | None:
    """The bonus in terms of these stops; nothing where they have none of one of its groups."""
    groups = tuple({name: 0 for name in stops if city_of(plain(name))[0] in hexes} for hexes in bonus.groups)
    return Bonus(bonus.id, groups, pays=bonus.pays) if all(groups) else None


class Network(NamedTuple):
    """All segments of a map. `by_hexes`: those that pass these hexes, listed from the end that sorts first."""

    segments: tuple[Segment, ...]
    by_hexes: dict[tuple[str, ...], tuple[Segment, ...]]


class RunReason(StrEnum):
    """Why the hops of a run cannot be understood."""

    NO_HOPS = "run_without_hops"
    NO_SUCH_TRACK = "run_not_on_track"
    HOPS_NOT_JOINED = "run_hops_not_joined"


class RunRejection(Struct, frozen=True):
    """Why a run is refused: the code, the number of the hop from 0, and a sentence."""

    reason: RunReason
    hop: int
    sentence: str


class ResolvedRun(Struct, frozen=True):
    """A run in terms of the route problem: stop ids in order, and the segment ids between them."""

    stops: tuple[str, ...]
    segments: tuple[str, ...]


def route_problem(
    view: BoardView,
    company: str,
    trains: Sequence[tuple[str, str]],
    phase: str,
    one_stop_per_hex: OneStopPerHex = "cities",
    bonuses: tuple[HexBonus, ...] = (),
) -> RouteProblem:
    """The route problem of a company with these trains, pairs of id and kind, whose runs share no track."""
    running = tuple(train_of(view.data, train_id, kind) for train_id, kind in trains)
    terms = RunTerms(one_stop_per_hex=one_stop_per_hex, bonuses=bonuses)
    return problem_on_terms(view, company, running, phase, terms)


def problem_on_terms(
    view: BoardView, company: str, trains: Sequence[Train], phase: str, terms: RunTerms
) -> RouteProblem:
    """The route problem of a company with these trains: every stop and way that a run of it could use.

    Ways and stops that no run of these trains could use are left out; they change no answer."""
    found = view.reach(company)
    has_goods = any(train.kind == "goods" for train in trains)
    own = frozenset(stop_id(city) for city in found.starts) - terms.closed
    stops: dict[str, Stop] = {}
    for city in sorted(found.stops):
        stop = stop_on_terms(view, stop_id(city), phase, terms)
        if stop.id not in terms.closed and (has_goods or stop.kind != "mine"):
            stops[stop.id] = stop
    segments = on_terms(view, _ways_between(view, found.stops, stops, own), terms)
    joined = own.union(*((segment.a, segment.b) for segment in segments))
    for name in joined.difference(stops):
        stops[name] = stop_on_terms(view, name, phase, terms)
    used = tuple(stop for stop in stops.values() if stop.id in joined)
    return RouteProblem(
        company=company,
        stops=used,
        segments=segments,
        trains=tuple(trains),
        token_stops=tuple(stop_id(city) for city in sorted(found.starts) if stop_id(city) in own),
        family=terms.family,
        parameters=terms.parameters_on(stop.id for stop in used),
    )


def on_terms(view: BoardView, segments: tuple[Segment, ...], terms: RunTerms) -> tuple[Segment, ...]:
    """The ways between stops as these terms tell stops apart."""
    if terms.family == "separate_track":
        return segments
    return with_entries(view.data, view.tiles, segments)


def _ways_between(
    view: BoardView, cities: Iterable[CityId], stops: Mapping[str, Stop], own: AbstractSet[str]
) -> tuple[Segment, ...]:
    """The ways between these stops that a run could use, in order of id.

    A run comes to a place once, so none joins two stops of one place. A way that can be neither left behind nor come to
    along other track is a whole run, which needs a token."""
    ways = view.ways
    last = {stop.id for stop in stops.values() if stop.kind in ROUTE_ENDS or is_blocked(stop, own)}
    found = []
    for city in cities:
        for way in ways[city].segments if city in ways else ():
            a, b = stops.get(way.a), stops.get(way.b)
            if a is None or b is None or a.place == b.place:
                continue
            alone = (way.terminal_a or a.id in last) and (way.terminal_b or b.id in last)
            if not alone or a.id in own or b.id in own:
                found.append(way)
    return tuple(sorted(found, key=_id_of))


def resolve_connections(network: Network, hops: Sequence[Sequence[str]]) -> ResolvedRun | RunRejection:
    """Read a run given hop by hop: for each hop the hexes from stop to stop, listed from either end."""
    if not hops:
        return RunRejection(RunReason.NO_HOPS, 0, "a run has at least one hop")
    ways: list[list[_Way]] = []
    for number, hop in enumerate(hops):
        found = network.by_hexes.get(_from_first_end(tuple(hop)), ())
        if not found:
            sentence = f"no track leads from stop to stop over {', '.join(hop)}"
            return RunRejection(RunReason.NO_SUCH_TRACK, number, sentence)
        ways.append([way for each in found for way in ((each.id, each.a, each.b), (each.id, each.b, each.a))])
    furthest = 0
    chains: list[tuple[_Way, ...]] = [()]
    while chains:
        chain = chains.pop()
        if len(chain) == len(ways):
            stops = (chain[0][1], *[end for _, _, end in chain])
            return ResolvedRun(stops, tuple([name for name, _, _ in chain]))
        furthest = max(furthest, len(chain))
        for way in reversed(ways[len(chain)]):
            if not chain or chain[-1][2] == way[1]:
                chains.append((*chain, way))
    sentence = f"hop {furthest} does not begin at the stop where hop {furthest - 1} ends"
    return RunRejection(RunReason.HOPS_NOT_JOINED, furthest, sentence)


def network_of(title: TitleData, tiles: Tiles) -> Network:
    """All segments of a map."""
    ways = ways_of(track_of(title, tiles))
    segments = tuple(sorted((way for of_stop in ways.values() for way in of_stop.segments), key=_id_of))
    by_hexes: dict[tuple[str, ...], tuple[Segment, ...]] = {}
    for segment in segments:
        key = _from_first_end(segment.hexes)
        by_hexes[key] = (*by_hexes.get(key, ()), segment)
    return Network(segments=segments, by_hexes=by_hexes)


def _from_first_end(hexes: tuple[str, ...]) -> tuple[str, ...]:
    return min(hexes, hexes[::-1])


def stop_of(
    title: TitleData,
    tiles: Tiles,
    tokens: Tokens,
    city: CityId,
    phase: str,
    one_stop_per_hex: OneStopPerHex,
) -> Stop:
    """The stop of a city or other place in a route problem, valued for the phase."""
    return _stop(title, tiles.get(city[0]), city, tokens.get(city), phase, one_stop_per_hex)


def stop_on_terms(view: BoardView, name: str, phase: str, terms: RunTerms) -> Stop:
    """The stop with this id for these terms; where runs make one network it knows from where distances are measured."""
    city = city_of(plain(name))
    if terms.family == "separate_track":
        return stop_of(view.data, view.tiles, view.tokens, city, phase, terms.one_stop_per_hex)
    laid, held = view.tiles.get(city[0]), view.tokens.get(city)
    return _measured_stop(view.data, laid, name, held, phase, terms.one_stop_per_hex)


@lru_cache(maxsize=1 << 14)
def _measured_stop(
    title: TitleData,
    laid: LaidTile | None,
    name: str,
    held: tuple[str, ...] | None,
    phase: str,
    one_stop_per_hex: OneStopPerHex,
) -> Stop:
    """A stop that knows from where distances are measured, by the id that says from where it is entered."""
    city, before = city_of(plain(name)), entry(name)
    stop = _stop(title, laid, city, held, phase, one_stop_per_hex)
    position = axial(before or city[0], map_data(title).figures.orientation)
    return replace(stop, id=name, position=position, beyond=1 if before else 0)


@lru_cache(maxsize=1 << 14)
def _stop(
    title: TitleData,
    laid: LaidTile | None,
    city: CityId,
    held: tuple[str, ...] | None,
    phase: str,
    one_stop_per_hex: OneStopPerHex,
) -> Stop:
    hex_id, number = city
    visible = (
        map_data(title).hexes[hex_id].face
        if laid is None
        else map_data(title).faces[laid.tile, laid.rotation]
    )
    shown = visible.stops[number]
    place = shown.area or stop_id(city)
    if shown.kind == "city" and not shown.area and one_stop_per_hex == "cities":
        place = hex_id
    return Stop(
        id=stop_id(city),
        kind=shown.kind,
        place=place,
        revenue=shown.value(phases_of(title)[phase].revenue),
        slots=(held or ("",) * shown.slots) if shown.kind == "city" else (),
    )


def _id_of(segment: Segment) -> str:
    return segment.id


def train_of(title: TitleData, train_id: str, name: str) -> Train:
    """A train of the company in a route problem."""
    train = train_kinds_of(title)[name]
    if train.kind == "goods":
        return Train(id=train_id, kind="goods", reach=train.stops, towns="free")
    return Train(id=train_id, kind="normal", reach=train.stops)
