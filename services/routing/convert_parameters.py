"""Converts the rulings of a problem between protobuf messages and domain types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

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

Number = TypeVar("Number")
Word = TypeVar("Word")


def word_for(words: Mapping[Number, Word], number: Number, field: str, reason: str) -> Word:
    """The word that stands for an enum's `number`. Raises `ProblemError` for a number that stands for none."""
    word = words.get(number)
    if word is None:
        raise ProblemError(field, reason, f"{number} has no meaning here")
    return word


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
    return Parameters(
        compare_treasury_income=network.compare_treasury_income,
        home=network.home,
        links=word_for(LINKS, network.links, "parameters.links", "unknown_links"),
        freight_joins=word_for(
            FREIGHT_JOINS, network.freight_joins, "parameters.freight_joins", "unknown_freight_joins"
        ),
        bonus_per_hex=network.bonus_per_hex,
        bonus_per_hex_port=network.bonus_per_hex_port,
        subsidy_per_hex=network.subsidy_per_hex,
    )


def _separate_track_from_message(message: routing_pb2.SeparateTrackFamily) -> Parameters:
    return Parameters(
        compare_treasury_income=message.compare_treasury_income,
        bonuses=tuple(_bonus_from_message(index, bonus) for index, bonus in enumerate(message.bonuses)),
        requirements=tuple(
            Requirement(
                each.id,
                tuple(each.stops),
                word_for(WHERES, each.where, f"parameters.requirements[{index}].where", "unknown_where"),
                tuple(each.tariffs),
            )
            for index, each in enumerate(message.requirements)
        ),
        places_once=word_for(
            PLACES_ONCE, message.places_once, "parameters.places_once", "unknown_places_once"
        ),
    )


def _bonus_from_message(index: int, message: routing_pb2.Bonus) -> Bonus:
    return Bonus(
        id=message.id,
        groups=tuple(dict(group.stops) for group in message.groups),
        where=word_for(WHERES, message.where, f"parameters.bonuses[{index}].where", "unknown_where"),
        pays=message.pays,
        runs=message.runs,
        tariffs=tuple(message.tariffs),
        to_treasury=message.to_treasury,
        times_factor=message.times_factor,
    )


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
                times_factor=bonus.times_factor,
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
