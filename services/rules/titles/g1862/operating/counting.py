"""Counting the stops of a company's runs train by train: a way beside the rulebook's, by which all trains count the most.

A train that leaves stops out leaves out those by which all stops counted are worth most, the hexes of one area taken for
different stops. Then every place is paid to the first train that counts it, and so is every hex to the first local train."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, combinations, product
from typing import NamedTuple

from msgspec.structs import replace

from services.routing.domain.joint.meeting import FreightRun, LongerRun, longer_runs
from services.routing.domain.solution import Run as SolvedRun
from services.rules.kernel.game import Game
from services.rules.kernel.rejections import Rejected
from services.rules.kernel.titledata import TitleData
from services.rules.parts.map.board import Tiles, face
from services.rules.parts.map.state import map_of
from services.rules.parts.map.tiles import Stop
from services.rules.parts.map.ways import city_of
from services.rules.parts.trains.state import Run, phase_of
from services.rules.titles.g1862.figures import figures_of, phases_of
from services.rules.titles.g1862.state import own
from services.rules.titles.g1862.trains.depots import is_permanent, train_face

Stops = tuple[str, ...]


class Counted(NamedTuple):
    """A run with what it brings, and the stops its train counts, no matter who is paid for them."""

    run: Run
    stops: Stops


def count_in_turn(
    game: Game, data: TitleData, runs: Sequence[Run], judged: Sequence[SolvedRun]
) -> tuple[Counted, ...]:
    """What these legal runs of one company bring, in the order and each in the direction in which it is given.

    `judged`: the same runs by routing's judge, who says which freight trains are joined and with what bonus; the train of
    a longer run that was given first has it (1862/7.8.1-c to 7.8.1-g)."""
    bonus_of = {run.train: run.bonus for run in judged}
    freight = _freight_runs(game, data, runs)
    groups = dict.fromkeys(run.joined_trains or (run.train,) for run in judged if run.train in freight)
    longer: list[LongerRun] = []
    bonuses: dict[str, int] = {}
    for group in groups:
        longer += _joined([run for train, run in freight.items() if train in group])
        bonuses[longer[-1].leader] = sum(bonus_of[train] for train in group)
    return _counted(game, data, runs, longer, bonuses)


def count_where_ends_meet(game: Game, data: TitleData, runs: Sequence[Run]) -> tuple[Counted, ...]:
    """The same for freight trains joined wherever their ends meet, but for the bonuses."""
    longer = _joined(list(_freight_runs(game, data, runs).values()))
    return _counted(game, data, runs, longer, {})


def _counted(
    game: Game, data: TitleData, runs: Sequence[Run], longer: Sequence[LongerRun], bonuses: Mapping[str, int]
) -> tuple[Counted, ...]:
    tiles = map_of(game).tiles
    stop_of = {name: _stop(data, tiles, name) for name in dict.fromkeys(chain(*(run.stops for run in runs)))}
    revenue = phases_of(data)[phase_of(game)].revenue
    value_of = {name: stop.value(revenue) for name, stop in stop_of.items()}
    ways = [_ways(game, data, run, longer, stop_of) for run in runs]
    chosen = max(product(*ways), key=lambda way: _worth(way, value_of))
    counted = [_with_towns(game, data, run, way, stop_of) for run, way in zip(runs, chosen, strict=True)]
    return tuple(_paid(game, data, runs, counted, bonuses, stop_of, value_of))


def in_direction(run: Run, first_hex: str) -> Run:
    """The run from its end in this hex."""
    if run.hexes[0] == first_hex:
        return run
    return replace(run, stops=run.stops[::-1], segments=run.segments[::-1], hexes=run.hexes[::-1])


def _stop(data: TitleData, tiles: Tiles, name: str) -> Stop:
    hex_id, number = city_of(name)
    return face(data, tiles, hex_id).stops[number]


def _freight_runs(game: Game, data: TitleData, runs: Sequence[Run]) -> dict[str, FreightRun]:
    return {
        run.train: FreightRun(run.train, run.stops[0], run.stops[-1], not is_permanent(data, run.train))
        for run in runs
        if own(game).train_kinds[run.train] == "freight"
    }


def _joined(runs: Sequence[FreightRun]) -> list[LongerRun]:
    found = longer_runs(runs)
    if found is None:
        raise Rejected("1862.freight_not_joined", "1862/7.8.1-l", "a longer run ends in its own middle")
    return found


def _ways(
    game: Game, data: TitleData, run: Run, longer: Sequence[LongerRun], stop_of: Mapping[str, Stop]
) -> list[Stops]:
    """The large stops that a train may count, in every way it may leave some out."""
    if own(game).train_kinds[run.train] == "freight":
        return [_ends_within(run, longer)]
    large = [name for name in run.stops if stop_of[name].kind != "town"]
    counts = train_face(game, data, run.train).counts or len(large)
    return list(combinations(large, min(counts, len(large))))


def _ends_within(run: Run, longer: Sequence[LongerRun]) -> Stops:
    """The ends of the longer run that this one is a part of, as far as they are its own."""
    whole = next(each for each in longer if any(part.train == run.train for part in each.parts))
    own = dict.fromkeys((run.stops[0], run.stops[-1]))
    return tuple(name for name in own if name in (whole.begin, whole.end))


def _worth(way: Sequence[Stops], value_of: Mapping[str, int]) -> int:
    return sum(value_of[name] for name in {name for stops in way for name in stops})


def _with_towns(game: Game, data: TitleData, run: Run, way: Stops, stop_of: Mapping[str, Stop]) -> Stops:
    """A local train counts its towns, too: in their places, or last where it may leave stops out."""
    if own(game).train_kinds[run.train] != "local":
        return way
    if not train_face(game, data, run.train).counts:
        return run.stops
    return (*way, *(name for name in run.stops if stop_of[name].kind == "town"))


def _paid(
    game: Game,
    data: TitleData,
    runs: Sequence[Run],
    counted: Sequence[Stops],
    bonuses: Mapping[str, int],
    stop_of: Mapping[str, Stop],
    value_of: Mapping[str, int],
) -> Iterator[Counted]:
    places: set[str] = set()
    hexes: set[str] = set()
    for run, stops in zip(runs, counted, strict=True):
        paid = tuple(name for name in stops if (stop_of[name].area or name) not in places)
        places.update(stop_of[name].area or name for name in stops)
        new = set(run.hexes) - hexes if own(game).train_kinds[run.train] == "local" else set()
        hexes |= new
        revenue = sum(value_of[name] for name in paid) + bonuses.get(run.train, 0)
        subsidy = len(new) * figures_of(data).subsidy_per_hex
        yield Counted(replace(run, revenue=revenue, treasury_income=subsidy, counted=paid), stops)
