"""Converts the answers for direct routes between protobuf messages and domain types."""

from __future__ import annotations

from services.gen.signalbox.routing.v1 import routing_pb2
from services.routing.domain.direct.answer import Covered, DirectRoute, Goal


def goal_from_message(message: routing_pb2.Goal) -> Goal:
    """The goal that `message` holds."""
    return Goal(
        stop=message.stop,
        routes=tuple(
            DirectRoute(
                stops=tuple(route.stops),
                segments=tuple(route.segments),
                hexes=tuple(route.hexes),
                cost=route.cost,
                traffic=route.traffic,
            )
            for route in message.routes
        ),
        least_cost=message.least_cost,
        most_traffic=message.most_traffic,
        proven=message.proven,
    )


def goal_to_message(goal: Goal) -> routing_pb2.Goal:
    """The message that holds `goal`."""
    return routing_pb2.Goal(
        stop=goal.stop,
        routes=[
            routing_pb2.DirectRoute(
                stops=route.stops,
                segments=route.segments,
                hexes=route.hexes,
                cost=route.cost,
                traffic=route.traffic,
            )
            for route in goal.routes
        ],
        least_cost=goal.least_cost,
        most_traffic=goal.most_traffic,
        proven=goal.proven,
    )


def covered_from_message(message: routing_pb2.Covered) -> Covered:
    """What a train covers, as `message` holds it."""
    return Covered(message.train, message.traffic)


def covered_to_message(covered: Covered) -> routing_pb2.Covered:
    """The message that holds what a train covers."""
    return routing_pb2.Covered(train=covered.train, traffic=covered.traffic)
