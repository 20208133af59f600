"""The slow truth about one network: every route of every train, every combination of them, every joining and counting.

Written from the words of the rules alone and sharing no code with the solver or the verifier.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise, permutations, product
from math import prod

from services.routing.domain.problem import RouteProblem, Segment, Stop, Train
from tests.routing.meeting_oracle import paid_in_some_order

Money = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Path:
    """Stops and the track between them."""

    stops: tuple[Stop, ...]
    segments: tuple[Segment, ...]

    def backwards(self) -> Path:
        """The same way from its other end."""
        return Path(self.stops[::-1], self.segments[::-1])


def best_network_money(problem: RouteProblem) -> Money:
    """Revenue and treasury income of the best runs, by what is maximised and then what decides ties."""
    choices = [[None, *paths] for paths in _choices(problem)]
    best: Money = (0, 0)
    for chosen in product(*choices):
        runs = {
            train.id: path for train, path in zip(problem.trains, chosen, strict=True) if path is not None
        }
        money = money_of(problem, runs)
        if money is not None and rank(problem, money) > rank(problem, best):
            best = money
    return best


def choice_count(problem: RouteProblem) -> int:
    """How many combinations the truth is found among."""
    return prod(1 + len(paths) for paths in _choices(problem))


def _choices(problem: RouteProblem) -> list[list[Path]]:
    """The routes of each train, each listed in one direction."""
    paths = [path for path in paths_of(problem) if path.stops[0].id < path.stops[-1].id]
    return [
        _apart(train, [path for path in paths if may_run(problem, train, path)]) for train in problem.trains
    ]


def rank(problem: RouteProblem, money: Money) -> Money:
    """Money in the order of what is maximised and what decides ties."""
    if problem.parameters.compare_treasury_income:
        return sum(money), money[0]
    return money


def paths_of(problem: RouteProblem) -> Iterator[Path]:
    """Every way over at least two stops that uses no place and no track twice."""
    by_id = {stop.id: stop for stop in problem.stops}

    def onward(path: Path) -> Iterator[Path]:
        if path.segments:
            yield path
        here = path.stops[-1]
        for segment in problem.segments:
            if here.id not in (segment.a, segment.b):
                continue
            there = by_id[segment.b if here.id == segment.a else segment.a]
            used = {name for each in path.segments for name in each.resources}
            if there.place in {stop.place for stop in path.stops} or used & set(segment.resources):
                continue
            if segment not in path.segments:
                yield from onward(Path((*path.stops, there), (*path.segments, segment)))

    for stop in problem.stops:
        yield from onward(Path((stop,), ()))


def is_full(problem: RouteProblem, stop: Stop) -> bool:
    """Whether nobody but others has a token space there."""
    return stop.slots != () and "" not in stop.slots and stop.id not in problem.token_stops


def is_terminal(segment: Segment, stop: Stop) -> bool:
    """Whether a route that uses the segment ends at the stop."""
    return (segment.a == stop.id and segment.terminal_a) or (segment.b == stop.id and segment.terminal_b)


def is_one_route(problem: RouteProblem, path: Path) -> bool:
    """Whether a train could go this way from end to end as far as the stops decide it."""
    first, last = path.stops[0], path.stops[-1]
    if "town" in (first.kind, last.kind) or (first.kind == last.kind and first.kind in ("port", "offboard")):
        return False
    for place in range(1, len(path.stops) - 1):
        stop = path.stops[place]
        if stop.kind in ("port", "offboard") or is_full(problem, stop):
            return False
        if is_terminal(path.segments[place - 1], stop) or is_terminal(path.segments[place], stop):
            return False
    return True


def may_run(problem: RouteProblem, train: Train, path: Path) -> bool:
    """Whether the way is a route of this train."""
    if not is_one_route(problem, path) or not any(stop.id in problem.token_stops for stop in path.stops):
        return False
    if train.kind == "freight":
        return sum(each.length or len(each.hexes) - 1 for each in path.segments) <= train.reach
    if train.kind == "local" and any(stop.kind in ("port", "offboard") for stop in path.stops):
        return False
    return len([stop for stop in path.stops if stop.kind != "town"]) <= train.reach


def _apart(train: Train, paths: Sequence[Path]) -> list[Path]:
    """One of each set of equivalent ways."""
    seen: dict[object, Path] = {}
    for path in paths:
        stops = frozenset(stop.id for stop in path.stops)
        hexes = frozenset(name for each in path.segments for name in each.hexes)
        key: object = (stops, hexes)
        if train.kind == "freight":
            key = (frozenset(_ends(path)), stops, frozenset(each.id for each in path.segments))
        seen.setdefault(key, path)
    return list(seen.values())


def money_of(problem: RouteProblem, runs: Mapping[str, Path]) -> Money | None:
    """The most that these runs earn together, None where they are not legal together."""
    if not runs:
        return 0, 0
    kind_of = {train.id: train.kind for train in problem.trains}
    if not _hangs_together(problem, runs, kind_of):
        return None
    hexes = {
        name
        for train, path in runs.items()
        if kind_of[train] == "local"
        for segment in path.segments
        for name in segment.hexes
    }
    earned = [bonus + _counted(problem, runs, ends) for bonus, ends in _joinings(problem, runs, kind_of)]
    if not earned:
        return None
    return max(earned), len(hexes) * problem.parameters.subsidy_per_hex


def _hangs_together(problem: RouteProblem, runs: Mapping[str, Path], kind_of: Mapping[str, str]) -> bool:
    """Whether the home is visited and a way leads from every run to every other over what they have in common."""
    wide, meet = problem.parameters.links == "any_stop", problem.parameters.freight_joins == "ends_meet"
    touched: list[set[str]] = []
    for train, path in runs.items():
        touched.append(
            {stop.place if wide else stop.id for stop in path.stops if stop.kind == "city" or wide}
        )
        if kind_of[train] == "freight" and meet:
            touched[-1] |= {f"freight ends at {end}" for end in _ends(path)}
    if not any(stop.id == problem.parameters.home for path in runs.values() for stop in path.stops):
        return False
    network, waiting = touched[0], touched[1:]
    while waiting:
        near = [each for each in waiting if each & network]
        if not near:
            return False
        network = network.union(*near)
        waiting = [each for each in waiting if each not in near]
    return True


def _counted(problem: RouteProblem, runs: Mapping[str, Path], ends: Sequence[Stop]) -> int:
    """The most that places are worth of which each counts once, by trial of everything that may be left out."""
    value = {stop.place: stop.revenue for stop in problem.stops}
    sure = {stop.place for stop in ends}
    choices: list[list[frozenset[str]]] = []
    for train in problem.trains:
        if train.id not in runs or train.kind == "freight":
            continue
        stops = runs[train.id].stops
        if train.kind == "local":
            sure |= {stop.place for stop in stops if stop.kind == "town"}
        large = [stop.place for stop in stops if stop.kind != "town"]
        count = min(len(large), train.counts or len(large))
        choices.append([frozenset(some) for some in combinations(large, count)])
    return max(sum(value[place] for place in sure.union(*some)) for some in product(*choices))


def _joinings(
    problem: RouteProblem, runs: Mapping[str, Path], kind_of: Mapping[str, str]
) -> Iterator[tuple[int, list[Stop]]]:
    """Total bonus and counting ends for every legal way of joining the freight runs."""
    freight = sorted(train for train in runs if kind_of[train] == "freight")
    if problem.parameters.freight_joins == "ends_meet":
        yield from _joined_in_every_order(problem, runs, freight)
        return
    for groups in _groupings(freight):
        if not _groups_legal(problem, runs, groups):
            continue
        for rows in product(*(list(_rows(problem, runs, group)) for group in groups)):
            ends = [end for row in rows for end in (row[0].stops[0], row[-1].stops[-1])]
            yield sum(_bonus(problem, row[0].stops[0], row[-1].stops[-1]) for row in rows), ends


def _joined_in_every_order(
    problem: RouteProblem, runs: Mapping[str, Path], freight: Sequence[str]
) -> Iterator[tuple[int, list[Stop]]]:
    must = {train.id for train in problem.trains if train.joins}
    stops = [(runs[name].stops[0], runs[name].stops[-1]) for name in freight]
    ends = [(_plain(one), _plain(other)) for one, other in stops]
    for paid in paid_in_some_order(ends, [name in must for name in freight]):
        counting = [[stops[number][side] for number, side in longer] for longer in paid]
        bonus = sum(_bonus(problem, *pair) for pair in counting if len(pair) == 2)
        yield bonus, [stop for pair in counting for stop in pair]


def _groupings(names: Sequence[str]) -> Iterator[list[list[str]]]:
    if not names:
        yield []
        return
    for groups in _groupings(names[1:]):
        yield [[names[0]], *groups]
        for place, group in enumerate(groups):
            yield [*groups[:place], [names[0], *group], *groups[place + 1 :]]


def _groups_legal(problem: RouteProblem, runs: Mapping[str, Path], groups: Sequence[Sequence[str]]) -> bool:
    must = {train.id for train in problem.trains if train.joins}
    with_must = [group for group in groups if must & set(group)]
    everyone = {name for group in groups for name in group}
    if len(with_must) > 1:
        return False
    return not with_must or len(with_must[0]) > 1 or len(everyone) == 1


def _ends(path: Path) -> tuple[str, str]:
    """Where a run ends; a stop is the same whatever follows its `@`."""
    return _plain(path.stops[0]), _plain(path.stops[-1])


def _plain(stop: Stop) -> str:
    return stop.id.partition("@")[0]


def _rows(problem: RouteProblem, runs: Mapping[str, Path], group: Sequence[str]) -> Iterator[list[Path]]:
    """Every order and direction in which the runs of a group stand end to end."""
    for order in permutations(group):
        for turns in product((False, True), repeat=len(order)):
            row = [
                runs[name].backwards() if turn else runs[name]
                for name, turn in zip(order, turns, strict=True)
            ]
            if _is_row(problem, row):
                yield row


def _is_row(problem: RouteProblem, row: Sequence[Path]) -> bool:
    if any(_plain(one.stops[-1]) != _plain(other.stops[0]) for one, other in pairwise(row)):
        return False
    whole = Path(
        (row[0].stops[0], *(stop for path in row for stop in path.stops[1:])),
        tuple(segment for path in row for segment in path.segments),
    )
    places = [stop.place for stop in whole.stops]
    pieces = [segment.id for segment in whole.segments]
    resources = [name for segment in whole.segments for name in set(segment.resources)]
    apart = all(len(set(names)) == len(names) for names in (places, pieces, resources))
    return apart and is_one_route(problem, whole)


def _bonus(problem: RouteProblem, one: Stop, other: Stop) -> int:
    assert one.position is not None
    assert other.position is not None
    across, down = one.position[0] - other.position[0], one.position[1] - other.position[1]
    distance = (abs(across) + abs(down) + abs(across + down)) // 2
    rate = problem.parameters.bonus_per_hex
    if "port" in (one.kind, other.kind):
        rate = problem.parameters.bonus_per_hex_port
    return rate * max(distance - 1 + one.beyond + other.beyond, 0)
