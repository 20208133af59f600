"""Converts between protobuf messages and domain types."""

from __future__ import annotations

from services.gen.signalbox.routing.v1 import routing_pb2
from services.routing.convert_direct import (
    covered_from_message,
    covered_to_message,
    goal_from_message,
    goal_to_message,
)
from services.routing.convert_parameters import (
    direct_routes_to_message,
    network_to_message,
    parameters_from_message,
    separate_track_to_message,
    word_for,
)
from services.routing.domain.problem import (
    LockedRun,
    Measure,
    Options,
    ProblemError,
    RouteProblem,
    Segment,
    Stop,
    StopKind,
    TownRule,
    Train,
    TrainKind,
)
from services.routing.domain.solution import (
    AloneRun,
    BoundBy,
    BoundStep,
    Explanation,
    RouteSolution,
    Run,
    SecondBest,
)

STOP_KINDS: dict[routing_pb2.StopKind, StopKind] = {
    routing_pb2.STOP_KIND_CITY: "city",
    routing_pb2.STOP_KIND_TOWN: "town",
    routing_pb2.STOP_KIND_OFFBOARD: "offboard",
    routing_pb2.STOP_KIND_MINE: "mine",
    routing_pb2.STOP_KIND_PORT: "port",
}
TRAIN_KINDS: dict[routing_pb2.TrainKind, TrainKind] = {
    routing_pb2.TRAIN_KIND_NORMAL: "normal",
    routing_pb2.TRAIN_KIND_GOODS: "goods",
    routing_pb2.TRAIN_KIND_FREIGHT: "freight",
    routing_pb2.TRAIN_KIND_LOCAL: "local",
    routing_pb2.TRAIN_KIND_EXPRESS: "express",
}
TOWN_RULES: dict[routing_pb2.TownRule, TownRule] = {
    routing_pb2.TOWN_RULE_UNSPECIFIED: "stop",
    routing_pb2.TOWN_RULE_STOP: "stop",
    routing_pb2.TOWN_RULE_SKIP: "skip",
    routing_pb2.TOWN_RULE_FREE: "free",
    routing_pb2.TOWN_RULE_EXTRA: "extra",
}
MEASURES: dict[routing_pb2.Measure, Measure] = {
    routing_pb2.MEASURE_UNSPECIFIED: "stops",
    routing_pb2.MEASURE_STOPS: "stops",
    routing_pb2.MEASURE_HEXES: "hexes",
}
BOUNDS_BY: dict[routing_pb2.BoundBy, BoundBy] = {
    routing_pb2.BOUND_BY_ALONE: "alone",
    routing_pb2.BOUND_BY_PRICES: "prices",
    routing_pb2.BOUND_BY_ROUTES: "routes",
    routing_pb2.BOUND_BY_BESIDE: "beside",
    routing_pb2.BOUND_BY_FLOWS: "flows",
}
STOP_KIND_NUMBERS = {kind: number for number, kind in STOP_KINDS.items()}
TRAIN_KIND_NUMBERS = {kind: number for number, kind in TRAIN_KINDS.items()}
TOWN_RULE_NUMBERS = {rule: number for number, rule in TOWN_RULES.items()}
BOUND_BY_NUMBERS = {by: number for number, by in BOUNDS_BY.items()}
MEASURE_NUMBERS = {measure: number for number, measure in MEASURES.items()}


def problem_from_message(message: routing_pb2.RouteProblem) -> RouteProblem:
    """The problem that `message` holds. Raises `ProblemError` for a missing or unknown kind or rule family."""
    family = message.WhichOneof("family")
    if family is None:
        raise ProblemError("family", "missing_family", "no rule family is given")
    return RouteProblem(
        company=message.company,
        stops=tuple(_stop_from_message(index, stop) for index, stop in enumerate(message.stops)),
        segments=tuple(_segment_from_message(segment) for segment in message.segments),
        trains=tuple(_train_from_message(index, train) for index, train in enumerate(message.trains)),
        token_stops=tuple(message.token_stops),
        family=family,
        parameters=parameters_from_message(family, message),
        options=_options_from_message(message.options),
    )


def problem_to_message(problem: RouteProblem) -> routing_pb2.RouteProblem:
    """The message that holds `problem`."""
    options, parameters = problem.options, problem.parameters
    return routing_pb2.RouteProblem(
        company=problem.company,
        stops=[_stop_to_message(stop) for stop in problem.stops],
        segments=[_segment_to_message(segment) for segment in problem.segments],
        trains=[_train_to_message(train) for train in problem.trains],
        token_stops=problem.token_stops,
        separate_track=separate_track_to_message(parameters) if problem.family == "separate_track" else None,
        one_network=network_to_message(parameters) if problem.family == "one_network" else None,
        direct_routes=direct_routes_to_message(parameters) if problem.family == "direct_routes" else None,
        options=routing_pb2.SolveOptions(
            locked_runs=[
                routing_pb2.LockedRun(train=run.train, stops=run.stops, segments=run.segments)
                for run in options.locked_runs
            ],
            deadline_ms=options.deadline_ms,
            node_budget=options.node_budget,
            explain=options.explain,
        ),
    )


def solution_from_message(message: routing_pb2.RouteSolution) -> RouteSolution:
    """The solution that `message` holds."""
    has_explanation = message.HasField("explanation")
    return RouteSolution(
        runs=tuple(map(_run_from_message, message.runs)),
        revenue=message.revenue,
        treasury_income=message.treasury_income,
        proven=message.proven,
        upper_bound=message.upper_bound,
        nodes_explored=message.nodes_explored,
        explanation=_explanation_from_message(message.explanation) if has_explanation else None,
        goals=tuple(map(goal_from_message, message.goals)),
        covered=tuple(map(covered_from_message, message.covered)),
        order=tuple(message.order),
    )


def solution_to_message(solution: RouteSolution) -> routing_pb2.RouteSolution:
    """The message that holds `solution`."""
    explanation = solution.explanation
    return routing_pb2.RouteSolution(
        runs=map(_run_to_message, solution.runs),
        revenue=solution.revenue,
        treasury_income=solution.treasury_income,
        proven=solution.proven,
        upper_bound=solution.upper_bound,
        nodes_explored=solution.nodes_explored,
        explanation=_explanation_to_message(explanation) if explanation is not None else None,
        goals=map(goal_to_message, solution.goals),
        covered=map(covered_to_message, solution.covered),
        order=solution.order,
    )


def _run_from_message(run: routing_pb2.Run) -> Run:
    return Run(
        train=run.train,
        stops=tuple(run.stops),
        segments=tuple(run.segments),
        hexes=tuple(run.hexes),
        revenue=run.revenue,
        treasury_income=run.treasury_income,
        counted_stops=tuple(run.counted_stops),
        bonus=run.bonus,
        joined_trains=tuple(run.joined_trains),
        bonuses=tuple(run.bonuses),
    )


def _run_to_message(run: Run) -> routing_pb2.Run:
    return routing_pb2.Run(
        train=run.train,
        stops=run.stops,
        segments=run.segments,
        hexes=run.hexes,
        revenue=run.revenue,
        treasury_income=run.treasury_income,
        counted_stops=run.counted_stops,
        bonus=run.bonus,
        joined_trains=run.joined_trains,
        bonuses=run.bonuses,
    )


def _explanation_from_message(message: routing_pb2.Explanation) -> Explanation:
    second = message.second
    return Explanation(
        bounds=tuple(BoundStep(BOUNDS_BY[step.by], step.bound) for step in message.bounds),
        alone=tuple(
            AloneRun(each.train, _run_from_message(each.run) if each.HasField("run") else None, each.proven)
            for each in message.alone
        ),
        second=SecondBest(
            second.train,
            tuple(map(_run_from_message, second.runs)),
            second.revenue,
            second.treasury_income,
            second.loses,
        )
        if message.HasField("second")
        else None,
        complete=message.complete,
    )


def _explanation_to_message(explanation: Explanation) -> routing_pb2.Explanation:
    second = explanation.second
    return routing_pb2.Explanation(
        bounds=[
            routing_pb2.BoundStep(by=BOUND_BY_NUMBERS[step.by], bound=step.bound)
            for step in explanation.bounds
        ],
        alone=[
            routing_pb2.AloneRun(
                train=each.train,
                run=_run_to_message(each.run) if each.run is not None else None,
                proven=each.proven,
            )
            for each in explanation.alone
        ],
        second=routing_pb2.SecondBest(
            train=second.train,
            runs=map(_run_to_message, second.runs),
            revenue=second.revenue,
            treasury_income=second.treasury_income,
            loses=second.loses,
        )
        if second is not None
        else None,
        complete=explanation.complete,
    )


def _stop_from_message(index: int, message: routing_pb2.Stop) -> Stop:
    position = (message.position.q, message.position.r) if message.HasField("position") else None
    return Stop(
        message.id,
        word_for(STOP_KINDS, message.kind, f"stops[{index}].kind", "unknown_kind"),
        message.place,
        message.revenue,
        tuple(message.slots),
        dict(message.tariffs),
        position,
        message.beyond,
    )


def _stop_to_message(stop: Stop) -> routing_pb2.Stop:
    position = stop.position
    return routing_pb2.Stop(
        id=stop.id,
        kind=STOP_KIND_NUMBERS[stop.kind],
        place=stop.place,
        revenue=stop.revenue,
        slots=stop.slots,
        tariffs=stop.tariffs,
        position=None if position is None else routing_pb2.HexPosition(q=position[0], r=position[1]),
        beyond=stop.beyond,
    )


def _train_from_message(index: int, message: routing_pb2.Train) -> Train:
    field = f"trains[{index}]"
    return Train(
        id=message.id,
        kind=word_for(TRAIN_KINDS, message.kind, f"{field}.kind", "unknown_kind"),
        reach=message.reach,
        towns=word_for(TOWN_RULES, message.towns, f"{field}.towns", "unknown_town_rule"),
        counts=message.counts,
        measure=word_for(MEASURES, message.measure, f"{field}.measure", "unknown_measure"),
        tariff=message.tariff,
        joins=message.joins,
        town_reach=message.town_reach,
        factor=message.factor or 1,
        only_tokens=message.only_tokens,
    )


def _train_to_message(train: Train) -> routing_pb2.Train:
    return routing_pb2.Train(
        id=train.id,
        kind=TRAIN_KIND_NUMBERS[train.kind],
        reach=train.reach,
        towns=TOWN_RULE_NUMBERS[train.towns],
        counts=train.counts,
        measure=MEASURE_NUMBERS[train.measure],
        tariff=train.tariff,
        joins=train.joins,
        town_reach=train.town_reach,
        factor=train.factor,
        only_tokens=train.only_tokens,
    )


def _segment_from_message(message: routing_pb2.Segment) -> Segment:
    return Segment(
        id=message.id,
        a=message.a,
        b=message.b,
        resources=tuple(message.resources),
        hexes=tuple(message.hexes),
        terminal_a=message.terminal_a,
        terminal_b=message.terminal_b,
        length=message.length,
        revenue=message.revenue,
        cost=message.cost,
    )


def _segment_to_message(segment: Segment) -> routing_pb2.Segment:
    return routing_pb2.Segment(
        id=segment.id,
        a=segment.a,
        b=segment.b,
        resources=segment.resources,
        hexes=segment.hexes,
        terminal_a=segment.terminal_a,
        terminal_b=segment.terminal_b,
        length=segment.length,
        revenue=segment.revenue,
        cost=segment.cost,
    )


def _options_from_message(message: routing_pb2.SolveOptions) -> Options:
    return Options(
        locked_runs=tuple(
            LockedRun(run.train, tuple(run.stops), tuple(run.segments)) for run in message.locked_runs
        ),
        deadline_ms=message.deadline_ms,
        node_budget=message.node_budget,
        explain=message.explain,
    )
