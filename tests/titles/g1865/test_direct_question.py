"""Direct routes of whole games: the rules and the routing service, which share no code for them, find the same."""

from __future__ import annotations

import pytest

from services.routing.domain.solver import solve
from services.routing.domain.validation import validate_problem
from services.routing.domain.verify import verify_solution
from services.rules.kernel.commands import CreateGame
from services.rules.kernel.decide import Accepted
from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.parts.map.ways import city_of, stop_id
from services.rules.titles.g1865.directroutes import routes_of
from services.rules.titles.g1865.figures import railway_cards
from services.rules.titles.g1865.revenue import coverage_of
from services.rules.titles.g1865.state import traffic_of
from tests.simulation.play import Play
from tests.titles.g1865.direct_question import direct_problem

EVERY = 20
COMMANDS = 400


def compare(game: Game, data: TitleData) -> int:
    """Every railway's direct routes by routing and by the rules; how many there are."""
    routes = 0
    for company in railway_cards(data):
        problem = direct_problem(game, data, company)
        validate_problem(problem)
        solution = solve(problem)
        assert solution.proven
        assert verify_solution(problem, solution) is None
        own = routes_of(game, data, company)
        own_goals = {goal for goal in map(stop_id, own) if goal not in problem.token_stops}
        asked = {stop.id for stop in problem.stops if "" in stop.slots}
        assert {goal.stop for goal in solution.goals} == asked.intersection(own_goals)
        for goal in solution.goals:
            found = [(each.cost, each.traffic) for each in goal.routes]
            assert found == best([(each.cost, each.traffic) for each in own[city_of(goal.stop)]])
            routes += len(found)
        assert solution.revenue == min(traffic_of(game, company), coverage_of(game, data, company))
    return routes


def best(routes: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """(cost, traffic) of those of which no other one is as cheap and brings as much, by rising cost."""
    kept: list[tuple[int, int]] = []
    for cost, traffic in sorted(routes, key=lambda route: (route[0], -route[1])):
        if not kept or traffic > kept[-1][1]:
            kept.append((cost, traffic))
    return kept


@pytest.mark.clause("1865/5.2-d")
@pytest.mark.clause("1865/5.2-e")
@pytest.mark.clause("1865/5.4-a")
@pytest.mark.parametrize(("bot", "seed"), [("random", 3), ("sensible", 4)])
def test_rules_and_routing_find_the_same(bot: str, seed: int) -> None:
    """Through a game the routes to every goal agree in cost and traffic, and so does the traffic that trains cover."""
    play = Play(CreateGame("1865", ("ann", "bob", "cleo"), seed=seed), bot)
    routes = 0
    for number in range(COMMANDS):
        if play.game.finished:
            break
        outcome = play.decided(play.player, play.choose())
        assert isinstance(outcome, Accepted), outcome
        play.carry_out(outcome)
        if number % EVERY == 0:
            routes += compare(play.game, play.data)
    assert routes > 10
