"""Converts the rulings of a problem between protobuf messages and domain types."""

from __future__ import annotations

from services.gen.signalbox.routing.v1 import routing_pb2
from services.routing.domain.problem import (
    Bonus,
    Family,
    FreightJoins,
    Links,
    Parameters,
    PlacesOnce,
    ProblemError,
    Requirement,
    Where,
)

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
WHERE_NUMBERS = {where: number for number, where in WHERES.items()}
PLACES_ONCE_NUMBERS = {once: number for number, once in PLACES_ONCE.items()}
LINKS_NUMBERS = {links: number for number, links in LINKS.items()}
FREIGHT_JOINS_NUMBERS = {joins: number for number, joins in FREIGHT_JOINS.items()}


def parameters_from_message(family: Family, message: routing_pb2.RouteProblem) -> Parameters:
    """The rulings of `family` that a problem's message holds. Raises `ProblemError` for a rule that does not exist."""
    if family == "separate_track":
        return _separate_track_from_message(message.separate_track)
    if family == "direct_routes":
        direct = message.direct_routes
        return Parameters(
            traffic=direct.traffic, coverage_beside=direct.coverage_beside, goals=tuple(direct.goals)
        )
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


def separate_track_to_message(parameters: Parameters) -> routing_pb2.SeparateTrackFamily:
    """The message that holds the rulings where no two runs share track."""
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


def network_to_message(parameters: Parameters) -> routing_pb2.OneNetworkFamily:
    """The message that holds the rulings of one network."""
    return routing_pb2.OneNetworkFamily(
        compare_treasury_income=parameters.compare_treasury_income,
        home=parameters.home,
        links=LINKS_NUMBERS[parameters.links],
        freight_joins=FREIGHT_JOINS_NUMBERS[parameters.freight_joins],
        bonus_per_hex=parameters.bonus_per_hex,
        bonus_per_hex_port=parameters.bonus_per_hex_port,
        subsidy_per_hex=parameters.subsidy_per_hex,
    )


def direct_routes_to_message(parameters: Parameters) -> routing_pb2.DirectRoutesFamily:
    """The message that holds the parameters of direct routes."""
    return routing_pb2.DirectRoutesFamily(
        traffic=parameters.traffic, coverage_beside=parameters.coverage_beside, goals=parameters.goals
    )
