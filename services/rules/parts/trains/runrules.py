"""The runs of a title whose trains run as their printed kind says: the best-run question, and what a player's runs earn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from services.routing.domain.problem import RouteProblem
from services.routing.domain.solution import RouteSolution
from services.routing.domain.verify import RunFault
from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.values import kind_name
from services.rules.parts.map.boardview import view_of
from services.rules.parts.trains.bestruns import Reckoning, reckoned
from services.rules.parts.trains.commands import RunTrains
from services.rules.parts.trains.routes import HexBonus, OneStopPerHex, RunTerms, route_problem, train_of
from services.rules.parts.trains.running import check_trains
from services.rules.parts.trains.runs import Reason, RunLaw, resolve_runs
from services.rules.parts.trains.state import Run, owned_by, phase_of, train_turn


def cities_are_one(game: Game) -> OneStopPerHex:
    """No run visits two cities of a hex."""
    return "cities"


def no_bonuses(data: TitleData) -> tuple[HexBonus, ...]:
    """Runs earn nothing beside their stops."""
    return ()


@dataclass(frozen=True, slots=True)
class RunRules:
    """How runs are judged.

    `fault`: the reason code and clause for what the judge of runs objects to, `no_track` for a hop without track. `not_owned`,
    `twice`: the clauses that refuse a train of others, and one that runs twice. `one_stop_per_hex`: which stops of a hex are
    one place at this table. `bonuses`: what runs earn beside their stops."""

    fault: Callable[[RunFault], Reason]
    no_track: Reason
    not_owned: str
    twice: str
    one_stop_per_hex: Callable[[Game], OneStopPerHex] = cities_are_one
    bonuses: Callable[[TitleData], tuple[HexBonus, ...]] = no_bonuses

    def problem(self, game: Game, data: TitleData, company: str) -> RouteProblem:
        """The question which runs of `company` earn the most on the map as it stands."""
        trains = tuple((train, kind_name(train)) for train in owned_by(game, company))
        view, one_stop = view_of(data, game), self.one_stop_per_hex(game)
        return route_problem(view, company, trains, phase_of(game), one_stop, self.bonuses(data))

    def resolve(self, game: Game, data: TitleData, command: RunTrains) -> tuple[Run, ...]:
        """The runs with what they earn; one that breaks a rule is refused with its own reason."""
        check_trains(game, command, self.not_owned, self.twice)
        trains = tuple(train_of(data, run.train, kind_name(run.train)) for run in command.runs)
        view, phase, one_stop = view_of(data, game), phase_of(game), self.one_stop_per_hex(game)
        terms = RunTerms(one_stop_per_hex=one_stop, bonuses=self.bonuses(data))
        law = RunLaw(terms, self.fault, self.no_track)
        return view.once(
            ("runs", command, phase, one_stop),
            lambda: resolve_runs(view, command.company, trains, command.runs, phase, law),
        )

    def reckon(self, game: Game, data: TitleData, solution: RouteSolution) -> Reckoning:
        """What the rules make of the best runs known of the company at turn."""
        return reckoned(
            self.problem(game, data, game.actor),
            solution,
            lambda proposed: self.resolve(game, data, RunTrains(game.actor, proposed)),
        )


def can_run(game: Game, data: TitleData) -> bool:
    """Whether the company at turn has trains that have still to run, and somewhere to go."""
    waiting = not train_turn(game).ran and bool(owned_by(game, game.actor))
    return waiting and view_of(data, game).route_exists(game.actor)
