"""Directors' commands between the domain and the wire."""

from __future__ import annotations

from services.gen.signalbox.rules.v1 import direction_pb2 as pb
from services.rules.adapters.codec import command_message, read_command
from services.rules.adapters.messages import MalformedMessageError, Pair, pair
from services.rules.kernel.directing.commands import (
    DIRECTIONS,
    ActForSeat,
    Direct,
    Direction,
    LeastMove,
)

ACT_FOR_SEAT = "act_for_seat"
NEEDS_SEQUENCE = "needs the sequence of the last event known"
_PAIRS: dict[type[Direction], Pair] = {
    kind: pair(kind, getattr(pb, kind.__name__)) for kind in DIRECTIONS if kind is not ActForSeat
}
_BY_NAME = {kind.KIND: both for kind, both in _PAIRS.items()}


def direction_message(command: Direct) -> pb.Direction:
    """A director's command as it goes over the wire."""
    direction = command.direction
    message = pb.Direction(reason=command.reason, confirmed_by=command.confirmed_by)
    body = getattr(message, direction.KIND)
    # Some have no fields.
    body.SetInParent()
    if isinstance(direction, ActForSeat):
        body.MergeFrom(_act_for_seat(direction))
    else:
        body.MergeFrom(_PAIRS[type(direction)].encode(direction))
    return message


def read_direction(message: pb.Direction, expected_sequence: int) -> Direct:
    """The director's command in a request that expects this sequence; `MalformedMessageError` names the field that cannot be
    read."""
    direction = _read_body(message)
    least = 1 if direction.NEEDS_SEQUENCE else 0
    if expected_sequence < least:
        raise MalformedMessageError("expected_sequence", NEEDS_SEQUENCE)
    return Direct(direction, message.reason, message.confirmed_by)


def _read_body(message: pb.Direction) -> Direction:
    name = message.WhichOneof("body")
    if name is None:
        raise MalformedMessageError("direction", "nothing is decided")
    try:
        if name == ACT_FOR_SEAT:
            return _read_act(message.act_for_seat)
        direction: Direction = _BY_NAME[name].decode(getattr(message, name))
    except MalformedMessageError as problem:
        raise MalformedMessageError(f"direction.{name}.{problem.field}", problem.problem) from None
    return direction


def _act_for_seat(direction: ActForSeat) -> pb.ActForSeat:
    if isinstance(direction.command, LeastMove):
        return pb.ActForSeat(seat=direction.seat, least=True)
    return pb.ActForSeat(seat=direction.seat, command=command_message(direction.command))


def _read_act(message: pb.ActForSeat) -> ActForSeat:
    if not message.least:
        return ActForSeat(message.seat, read_command(message.command))
    if message.HasField("command"):
        raise MalformedMessageError("least", "stands beside a command")
    return ActForSeat(message.seat, LeastMove())
