"""Converts the questions about links between protobuf messages and domain types."""

from __future__ import annotations

from services.gen.signalbox.routing.v1 import routing_pb2 as pb
from services.routing.domain.links.problem import (
    STEPS_USUAL,
    Cube,
    DeliveryAnswer,
    DeliveryProblem,
    GoodsCity,
    OwnedLink,
    TrackAnswer,
    TrackHex,
    TrackProblem,
    TrackSide,
)


def track_from_message(message: pb.TrackProblem) -> TrackProblem:
    """A question about track."""
    return TrackProblem(tuple(map(_hex, message.hexes)), message.start, message.end, message.count)


def _hex(message: pb.TrackHex) -> TrackHex:
    sides = tuple(TrackSide(side.beyond, side.cost, side.is_closed) for side in message.sides)
    return TrackHex(message.id, message.cost, sides, message.is_city, message.is_full)


def track_to_message(answer: TrackAnswer) -> pb.SolveTrackResponse:
    """Its answer."""
    tracks = [pb.Track(cost=each.cost, hexes=each.hexes) for each in answer.tracks]
    return pb.SolveTrackResponse(tracks=tracks, proven=answer.proven)


def deliveries_from_message(message: pb.DeliveryProblem) -> DeliveryProblem:
    """A question about deliveries; without a number of steps the usual one is meant."""
    return DeliveryProblem(
        company=message.company,
        cities=tuple(GoodsCity(each.id, each.colour) for each in message.cities),
        links=tuple(OwnedLink(each.id, each.one, each.other, each.owner) for each in message.links),
        cubes=tuple(Cube(each.city, each.colour) for each in message.cubes),
        steps=message.steps or STEPS_USUAL,
    )


def deliveries_to_message(answer: DeliveryAnswer) -> pb.SolveDeliveriesResponse:
    """Its answer."""
    found = [
        pb.CubeDelivery(
            city=each.city,
            colour=each.colour,
            own=each.own,
            others=each.others,
            links=each.links,
            target=each.target,
        )
        for each in answer.deliveries
    ]
    return pb.SolveDeliveriesResponse(deliveries=found, proven=answer.proven, own_most=answer.own_most)
