"""Deliveries over links: milliseconds of one core for all cubes of a company, the check included, and how many cubes are proven.

On networks as they grow on maps of hexes, up to 60 cities and 150 links, and on such as no map has: more than six links at a
city, or links that join any two cities.
`python -m tests.bench links`."""

from __future__ import annotations

import statistics
import sys
import time
from functools import partial

from services.routing.domain.links.every import warm_up_sweeps
from services.routing.domain.links.problem import DeliveryProblem
from services.routing.link_handlers import solve_deliveries
from tests.routing.link_networks import network_anywhere, network_on_a_map

SEEDS = 6
ANY_EXITS = 150
COMPANIES = (2, 3, 4, 5, 6)
SIZES = ((33, 41), (33, 60), (60, 80), (60, 100), (60, 120), (60, 150))
SIZES_WITHOUT_EXITS = ((60, 150),)
SIZES_ANYWHERE = ((33, 41), (60, 80), (60, 150))


def main() -> int:
    """Measure and print the table."""
    warm_up_sweeps()
    print(f"  {'networks':<34}{'p50':>9}{'p99':>9}{'max':>9} ms{'cubes':>8}   proven")
    for name, make, sizes in (
        ("on a map", network_on_a_map, SIZES),
        ("any exits", partial(network_on_a_map, exits=ANY_EXITS), SIZES_WITHOUT_EXITS),
        ("anywhere", network_anywhere, SIZES_ANYWHERE),
    ):
        for cities, links in sizes:
            problems = [
                make(seed, cities, links, companies) for companies in COMPANIES for seed in range(SEEDS)
            ]
            print(f"  {f'{name}, {cities} cities, {links} links':<34}{_figures(problems)}", flush=True)
    return 0


def _figures(problems: list[DeliveryProblem]) -> str:
    taken, proven = [], 0
    for problem in problems:
        began = time.process_time()
        answer = solve_deliveries(problem)
        taken.append(1000 * (time.process_time() - began))
        proven += answer.proven
    cuts = statistics.quantiles(taken, n=100)
    cubes = statistics.mean(len(problem.cubes) for problem in problems)
    times = "".join(f"{each:9.1f}" for each in (cuts[49], cuts[98], max(taken)))
    return f"{times}{cubes:11.0f}   {proven}/{len(problems)}"


if __name__ == "__main__":
    sys.exit(main())
