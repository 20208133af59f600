"""Converts between protobuf messages and domain types."""

from __future__ import annotations

from services.gen.signalbox.routing.v1 import routing_pb2
from services.routing.domain.problem import (
    Bonus,
    Family,
    FreightJoins,
    Links,
    LockedRun,
    Measure,
    Options,
    Parameters,
    PlacesOnce,
    ProblemError,
    Requirement,
    RouteProblem,
    Segment,
    Stop,
    StopKind,
    TownRule,
    Train,
    TrainKind,
    Where,
)
from services.routing.domain.solution import RouteSolution, Run

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
WHERES: dict[routing_pb2.Where, Where] = {
    routing_pb2.WHERE_UNSPECIFIED: "visited",
    routing_pb2.WHERE_VISITED: "visited",
    routing_pb2.WHERE_COUNTED: "counted",
    routing_pb2.WHERE_ENDS: "ends",
    routing_pb2.WHERE_COUNTED_ENDS: "counted_ends",
}
PLACES_ONCE: dict[routing_pb2.PlacesOnce, PlacesOnce] = {
    routing_pb2.PLACES_ONCE_UNSPECIFIED: "run",
    routing_pb2.PLACES_ONCE_RUN: "run",
    routing_pb2.PLACES_ONCE_COMPANY: "company",
}
MEASURES: dict[routing_pb2.Measure, Measure] = {
    routing_pb2.MEASURE_UNSPECIFIED: "stops",
    routing_pb2.MEASURE_STOPS: "stops",
    routing_pb2.MEASURE_HEXES: "hexes",
}
LINKS: dict[routing_pb2.Links, Links] = {
    routing_pb2.LINKS_UNSPECIFIED: "cities",
    routing_pb2.LINKS_CITIES: "cities",
    routing_pb2.LINKS_ANY_STOP: "any_stop",
}
FREIGHT_JOINS: dict[routing_pb2.FreightJoins, FreightJoins] = {
    routing_pb2.FREIGHT_JOINS_UNSPECIFIED: "one_route",
    routing_pb2.FREIGHT_JOINS_ONE_ROUTE: "one_route",
    routing_pb2.FREIGHT_JOINS_ENDS_MEET: "ends_meet",
}
STOP_KIND_NUMBERS = {kind: number for number, kind in STOP_KINDS.items()}
TRAIN_KIND_NUMBERS = {kind: number for number, kind in TRAIN_KINDS.items()}
TOWN_RULE_NUMBERS = {rule: number for number, rule in TOWN_RULES.items()}
WHERE_NUMBERS = {where: number for number, where in WHERES.items()}
PLACES_ONCE_NUMBERS = {once: number for number, once in PLACES_ONCE.items()}
MEASURE_NUMBERS = {measure: number for number, measure in MEASURES.items()}
LINKS_NUMBERS = {links: number for number, links in LINKS.items()}
FREIGHT_JOINS_NUMBERS = {joins: number for number, joins in FREIGHT_JOINS.items()}


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
        parameters=_parameters_from_message(family, message),
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
        separate_track=_separate_track_to_message(parameters) if problem.family == "separate_track" else None,
        one_network=_network_to_message(parameters) if problem.family == "one_network" else None,
        options=routing_pb2.SolveOptions(
            locked_runs=[
                routing_pb2.LockedRun(train=run.train, stops=run.stops, segments=run.segments)
                for run in options.locked_runs
            ],
            deadline_ms=options.deadline_ms,
            node_budget=options.node_budget,
        ),
    )


def solution_from_message(message: routing_pb2.RouteSolution) -> RouteSolution:
    """The solution that `message` holds."""
    return RouteSolution(
        runs=tuple(
            Run(
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
            for run in message.runs
        ),
        revenue=message.revenue,
        treasury_income=message.treasury_income,
        proven=message.proven,
        upper_bound=message.upper_bound,
        nodes_explored=message.nodes_explored,
    )


def solution_to_message(solution: RouteSolution) -> routing_pb2.RouteSolution:
    """The message that holds `solution`."""
    return routing_pb2.RouteSolution(
        runs=[
            routing_pb2.Run(
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
            for run in solution.runs
        ],
        revenue=solution.revenue,
        treasury_income=solution.treasury_income,
        proven=solution.proven,
        upper_bound=solution.upper_bound,
        nodes_explored=solution.nodes_explored,
    )


def _stop_from_message(index: int, message: routing_pb2.Stop) -> Stop:
    kind = STOP_KINDS.get(message.kind)
    if kind is None:
        raise ProblemError(f"stops[{index}].kind", "unknown_kind", f"stop {message.id!r} has no known kind")
    position = (message.position.q, message.position.r) if message.HasField("position") else None
    return Stop(
        message.id,
        kind,
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
    kind = TRAIN_KINDS.get(message.kind)
    if kind is None:
        raise ProblemError(f"trains[{index}].kind", "unknown_kind", f"train {message.id!r} has no known kind")
    towns, measure = TOWN_RULES.get(message.towns), MEASURES.get(message.measure)
    if towns is None:
        raise ProblemError(f"trains[{index}].towns", "unknown_town_rule", f"there is no rule {message.towns}")
    if measure is None:
        raise ProblemError(
            f"trains[{index}].measure", "unknown_measure", f"there is no measure {message.measure}"
        )
    return Train(
        id=message.id,
        kind=kind,
        reach=message.reach,
        towns=towns,
        counts=message.counts,
        measure=measure,
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
    )


def _options_from_message(message: routing_pb2.SolveOptions) -> Options:
    return Options(
        locked_runs=tuple(
            LockedRun(run.train, tuple(run.stops), tuple(run.segments)) for run in message.locked_runs
        ),
        deadline_ms=message.deadline_ms,
        node_budget=message.node_budget,
    )


def _parameters_from_message(family: Family, message: routing_pb2.RouteProblem) -> Parameters:
    if family == "separate_track":
        return _separate_track_from_message(message.separate_track)
    network = message.one_network
    links, joins = LINKS.get(network.links), FREIGHT_JOINS.get(network.freight_joins)
    if links is None:
        raise ProblemError("parameters.links", "unknown_links", f"there is no rule {network.links}")
    if joins is None:
        raise ProblemError(
            "parameters.freight_joins", "unknown_freight_joins", f"there is no rule {network.freight_joins}"
        )
    return Parameters(
        compare_treasury_income=network.compare_treasury_income,
        home=network.home,
        links=links,
        freight_joins=joins,
        bonus_per_hex=network.bonus_per_hex,
        bonus_per_hex_port=network.bonus_per_hex_port,
        subsidy_per_hex=network.subsidy_per_hex,
    )


def _separate_track_from_message(message: routing_pb2.SeparateTrackFamily) -> Parameters:
    once = PLACES_ONCE.get(message.places_once)
    if once is None:
        raise ProblemError(
            "parameters.places_once", "unknown_places_once", f"there is no rule {message.places_once}"
        )
    return Parameters(
        compare_treasury_income=message.compare_treasury_income,
        bonuses=tuple(_bonus_from_message(index, bonus) for index, bonus in enumerate(message.bonuses)),
        requirements=tuple(
            Requirement(
                each.id,
                tuple(each.stops),
                _where_from_message(f"parameters.requirements[{index}].where", each.where),
                tuple(each.tariffs),
            )
            for index, each in enumerate(message.requirements)
        ),
        places_once=once,
    )


def _bonus_from_message(index: int, message: routing_pb2.Bonus) -> Bonus:
    return Bonus(
        id=message.id,
        groups=tuple(dict(group.stops) for group in message.groups),
        where=_where_from_message(f"parameters.bonuses[{index}].where", message.where),
        pays=message.pays,
        runs=message.runs,
        tariffs=tuple(message.tariffs),
        to_treasury=message.to_treasury,
    )


def _where_from_message(field: str, number: routing_pb2.Where) -> Where:
    where = WHERES.get(number)
    if where is None:
        raise ProblemError(field, "unknown_where", f"there is no rule {number}")
    return where


def _separate_track_to_message(parameters: Parameters) -> routing_pb2.SeparateTrackFamily:
    return routing_pb2.SeparateTrackFamily(
        compare_treasury_income=parameters.compare_treasury_income,
        bonuses=[
            routing_pb2.Bonus(
                id=bonus.id,
                groups=[routing_pb2.StopGroup(stops=group) for group in bonus.groups],
                where=WHERE_NUMBERS[bonus.where],
                pays=bonus.pays,
                runs=bonus.runs,
                tariffs=bonus.tariffs,
                to_treasury=bonus.to_treasury,
            )
            for bonus in parameters.bonuses
        ],
        requirements=[
            routing_pb2.Requirement(
                id=each.id, stops=each.stops, where=WHERE_NUMBERS[each.where], tariffs=each.tariffs
            )
            for each in parameters.requirements
        ],
        places_once=PLACES_ONCE_NUMBERS[parameters.places_once],
    )


def _network_to_message(parameters: Parameters) -> routing_pb2.OneNetworkFamily:
    return routing_pb2.OneNetworkFamily(
        compare_treasury_income=parameters.compare_treasury_income,
        home=parameters.home,
        links=LINKS_NUMBERS[parameters.links],
        freight_joins=FREIGHT_JOINS_NUMBERS[parameters.freight_joins],
        bonus_per_hex=parameters.bonus_per_hex,
        bonus_per_hex_port=parameters.bonus_per_hex_port,
        subsidy_per_hex=parameters.subsidy_per_hex,
    )
