"""The key of the cache: the same for problems that differ in names and order only, never for others."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from string import ascii_lowercase

import msgspec
import pytest
from msgspec.structs import replace

from services.routing.domain.canonical import reordered_for
from services.routing.domain.numbering import cache_key, number_names
from services.routing.domain.problem import Options, Parameters, RouteProblem
from services.routing.domain.shape import same_stop
from services.routing.domain.solver import solve
from services.routing.domain.verify import verify_solution
from tests.routing.boards import random_trains, small_board
from tests.routing.direct_boards import dense_board
from tests.routing.joint_boards import TRAIN_MIXES, random_network
from tests.routing.service.serving import easy_problem
from tests.routing.service.test_canonical import RICH, changed_problems, reordered
from tests.routing.term_boards import TERMS, term_board

BOARDS = 10
MAKERS: dict[str, Callable[[int], RouteProblem]] = {
    "direct routes": lambda seed: dense_board(6, 3, seed),
    "goods": lambda seed: small_board(seed, random_trains(seed, "normal+goods")),
    **{f"term {term}": lambda seed, term=term: term_board(seed, term) for term in TERMS},  # type: ignore[misc]
    **{f"network {mix}": lambda seed, mix=mix: random_network(seed, mix) for mix in TRAIN_MIXES},  # type: ignore[misc]
}


def new_names(names: Iterable[str], draw: random.Random, keeps_order: bool = True) -> dict[str, str]:
    """Another name for each; entries of one stop remain such."""
    old = sorted(set(names))
    wholes = sorted({same_stop(name) for name in old})
    letters = ["".join(draw.choices(ascii_lowercase, k=4)) for _ in wholes]
    fresh = [f"{letter}{number}" for number, letter in enumerate(letters)]
    fresh = sorted(f"{number:04d}{name}" for number, name in enumerate(fresh))
    if not keeps_order:
        draw.shuffle(fresh)
    new = dict(zip(wholes, fresh, strict=True))
    return {name: new[same_stop(name)] + name[len(same_stop(name)) :] for name in old}


def renamed(problem: RouteProblem, draw: random.Random) -> RouteProblem:
    """The same problem in other words: all names are others; those that decide between equals are in the same order."""
    parameters = problem.parameters
    stops = new_names((stop.id for stop in problem.stops), draw)
    places = new_names((stop.place for stop in problem.stops), draw)
    segments = new_names((each.id for each in problem.segments), draw)
    trains = new_names((train.id for train in problem.trains), draw)
    hexes = new_names((name for each in problem.segments for name in each.hexes), draw, keeps_order=False)
    resources = new_names((name for each in problem.segments for name in each.resources), draw, False)
    tariffs = {train.tariff for train in problem.trains}.union(
        *(stop.tariffs for stop in problem.stops),
        *(bonus.tariffs for bonus in parameters.bonuses),
        *(each.tariffs for each in parameters.requirements),
    )
    tariff_names = {**new_names(tariffs - {""}, draw), "": ""}
    companies = new_names(
        {problem.company, *(name for stop in problem.stops for name in stop.slots)} - {""}, draw, False
    )
    companies[""] = ""
    return replace(
        problem,
        company=companies[problem.company],
        stops=tuple(
            replace(
                stop,
                id=stops[stop.id],
                place=places[stop.place],
                slots=tuple(companies[name] for name in stop.slots),
                tariffs={tariff_names[name]: revenue for name, revenue in stop.tariffs.items()},
            )
            for stop in problem.stops
        ),
        segments=tuple(
            replace(
                each,
                id=segments[each.id],
                a=stops[each.a],
                b=stops[each.b],
                resources=tuple(resources[name] for name in each.resources),
                hexes=tuple(hexes[name] for name in each.hexes),
            )
            for each in problem.segments
        ),
        trains=tuple(
            replace(train, id=trains[train.id], tariff=tariff_names[train.tariff]) for train in problem.trains
        ),
        token_stops=tuple(stops[name] for name in problem.token_stops),
        parameters=renamed_terms(parameters, stops, tariff_names, draw),
    )


def renamed_terms(
    parameters: Parameters, stops: dict[str, str], tariffs: dict[str, str], draw: random.Random
) -> Parameters:
    """Bonuses and requirements of these stops and tariffs by new names, with the home."""
    bonuses = new_names((bonus.id for bonus in parameters.bonuses), draw)
    return replace(
        parameters,
        home=stops.get(parameters.home, ""),
        goals=tuple(stops[name] for name in parameters.goals),
        bonuses=tuple(
            replace(
                bonus,
                id=bonuses[bonus.id],
                groups=tuple({stops[name]: pays for name, pays in group.items()} for group in bonus.groups),
                tariffs=tuple(tariffs[name] for name in bonus.tariffs),
            )
            for bonus in parameters.bonuses
        ),
        requirements=tuple(
            replace(
                each,
                stops=tuple(stops[name] for name in each.stops),
                tariffs=tuple(tariffs[name] for name in each.tariffs),
            )
            for each in parameters.requirements
        ),
    )


@pytest.mark.parametrize("maker", MAKERS)
def test_problems_in_other_words_share_a_key_and_their_answer(maker: str) -> None:
    """The answer to one, taken over to the other, is what the solver finds for the other."""
    for seed in range(BOARDS):
        problem = MAKERS[maker](seed)
        draw = random.Random(seed)
        other = reordered(renamed(problem, draw), draw)
        (key, names), (other_key, other_names) = cache_key(problem), cache_key(other)
        assert other_key == key, seed
        taken_over = reordered_for(other, other_names.named(names.numbered(solve(problem))))
        assert verify_solution(other, taken_over) is None, seed
        found = solve(replace(other, options=Options()))
        assert (found.revenue, found.treasury_income) == (taken_over.revenue, taken_over.treasury_income), (
            seed
        )
        if problem.family != "one_network":
            assert found == taken_over, seed


@pytest.mark.parametrize("maker", MAKERS)
def test_nothing_that_decides_is_lost(maker: str) -> None:
    """The problem with numbers for names, which the key is a hash of, is a problem with the same answer.

    So problems with one key have one answer but for the names.
    """
    for seed in range(BOARDS):
        problem = MAKERS[maker](seed)
        numbered, names = number_names(problem)
        answer = reordered_for(problem, names.named(solve(numbered)))
        assert verify_solution(problem, answer) is None, seed
        found = solve(problem)
        assert (answer.revenue, answer.treasury_income) == (found.revenue, found.treasury_income), seed
        if problem.family != "one_network":
            assert answer == found, seed


def test_an_explanation_is_taken_over() -> None:
    """With the names of the other problem everywhere."""
    problem = replace(easy_problem(2), options=Options(explain=True))
    other = renamed(problem, random.Random(2))
    (_, names), (_, other_names) = cache_key(problem), cache_key(other)
    assert other_names.named(names.numbered(solve(problem))) == solve(other)


# Other names of the same things, and a token space that changes nothing about who may pass.
ALIKE = {
    "company",
    "stops.place",
    "stops.slots",
    "segments.id",
    "segments.resources",
    "bonuses.id",
    "requirements.id",
}
# These name what is not there: no valid problem.
INVALID = {"stops.id", "segments.a", "segments.b", "trains.id", "parameters.home"}


@pytest.mark.parametrize("name", sorted(set(changed_problems()) - INVALID))
def test_every_other_change_changes_the_key(name: str) -> None:
    """Any field of any part but names."""
    changed = changed_problems()[name]
    assert (cache_key(changed)[0] == cache_key(RICH)[0]) == (name in ALIKE)


def test_no_two_changes_share_a_key() -> None:
    """Of those that change it."""
    changed = changed_problems()
    keys = [cache_key(changed[name])[0] for name in set(changed) - INVALID - ALIKE]
    assert len(set(keys)) == len(keys)


def test_names_in_another_order_are_another_problem() -> None:
    """The smaller name decides between equals, so which one is smaller is part of the question."""
    problem = easy_problem(3)
    first, second, *_ = sorted(stop.id for stop in problem.stops)
    text = msgspec.json.encode(problem).decode()
    swapped = (
        text.replace(f'"{first}"', '"?"').replace(f'"{second}"', f'"{first}"').replace('"?"', f'"{second}"')
    )
    assert cache_key(msgspec.json.decode(swapped, type=RouteProblem))[0] != cache_key(problem)[0]
