"""Direct over gRPC and on the way to the owner of a game; and who may call what after a seat has changed."""

from __future__ import annotations

from typing import cast

import pytest
from hypothesis import given, strategies as st

from services.common.auth.identity import service_id
from services.common.auth.tokens import Kind, Principal, TokenVerifier, check_kind
from services.common.errors import PermissionDenied, Unavailable
from services.common.grpc.context import Aborted
from services.common.grpc.waiting import WaitFirst
from services.common.watching.feeds import Feeds
from services.gen.signalbox.events.v1 import events_pb2
from services.gen.signalbox.rules.v1 import direction_pb2, rules_pb2 as pb
from services.rules.adapters.codec import command_message
from services.rules.adapters.directions import direction_message, read_direction
from services.rules.adapters.messages import MalformedMessageError
from services.rules.cluster.records import UnreadableRecord, command_sent, request_in
from services.rules.grpc_server import RulesServicer
from services.rules.kernel.commands import Pass
from services.rules.kernel.directing.commands import (
    DIRECTIONS,
    ActForSeat,
    AssignSeat,
    Correct,
    Direct,
    Direction,
    RollBack,
    Suspend,
)
from services.rules.moves import move_feeds
from services.rules.pictures import PictureReader
from services.rules.requests import CommandAccepted, CommandRejected, Request
from services.rules.titlereader import TitleReader
from services.rules.titles.g1824.commands import RepayDebt
from tests.grpc_context import call_context
from tests.rules.cluster.test_deciding import SingleOwner
from tests.rules.conftest import Desk
from tests.rules.directing.directors import directed
from tests.rules.test_codec import structs

LOBBY = Principal(service_id("lobby"), "lobby", "service")
# All but one are plain; that one carries a command.
directions = st.one_of(
    *(structs(kind) for kind in DIRECTIONS if kind is not ActForSeat),
    st.builds(ActForSeat, st.text(max_size=5), st.builds(RepayDebt, st.integers(0, 99))),
)


class Caller:
    """A verifier that takes every call for this caller's."""

    def __init__(self, principal: Principal) -> None:
        self._principal = principal

    def authenticate(self, _context: object, kinds: tuple[Kind, ...] = ("player",)) -> Principal:
        """See `TokenVerifier`."""
        check_kind(self._principal, kinds)
        return self._principal


class NoNews:
    """Feeds in which nothing ever happens."""

    async def reach(self, *_: object) -> None:
        """See `Feeds`."""


def servicer(desk: Desk, caller: Principal) -> RulesServicer:
    """The rpcs as this caller meets them."""
    verifier = cast("TokenVerifier", Caller(caller))
    reader = desk.rules.reader
    feeds = cast("Feeds", NoNews())
    return RulesServicer(
        desk.rules, feeds, move_feeds(reader), verifier, TitleReader({}), PictureReader(reader)
    )


def player(name: str) -> Principal:
    """Somebody signed in."""
    return Principal(name, name)


def decision(direction: Direction, expected: int = 0, author: str = "olga") -> pb.DirectRequest:
    """A request of the lobby."""
    message = direction_message(Direct(direction, "why not"))
    return pb.DirectRequest(
        game_id="g", request_id="d1", expected_sequence=expected, author=author, direction=message
    )


def passing(desk: Desk, ahead: int = 0) -> pb.ExecuteRequest:
    """A pass at the game as it is."""
    sequence = desk.game().sequence + ahead
    return pb.ExecuteRequest(
        game_id="g", request_id="r", expected_sequence=sequence, command=command_message(Pass())
    )


@given(directions, st.text(max_size=9), st.text(max_size=9))
def test_every_direction_survives_its_bytes(direction: Direction, reason: str, confirmed_by: str) -> None:
    """What is read is what was sent, over gRPC and to the owner of the game."""
    command = Direct(direction, reason, confirmed_by)
    sent = direction_message(command).SerializeToString()
    assert read_direction(direction_pb2.Direction.FromString(sent), 7) == command
    request = Request("g", "olga", "d1", 7, command)
    assert request_in(command_sent(request, "x")) == request


@pytest.mark.parametrize("kind", DIRECTIONS, ids=lambda kind: kind.__name__)
def test_what_depends_on_the_position_says_which_one_it_expects(kind: type[Direction]) -> None:
    """The others may come at any."""
    message = direction_pb2.Direction(reason="why not")
    getattr(message, str(kind.KIND)).SetInParent()
    if kind is AssignSeat:
        message.assign_seat.kind = events_pb2.BEARER_KIND_PLAYER
    if kind is ActForSeat:
        message.act_for_seat.command.CopyFrom(command_message(Pass()))
    assert read_direction(message, 1).direction.KIND == kind.KIND
    if not kind.NEEDS_SEQUENCE:
        assert read_direction(message, 0).direction.KIND == kind.KIND
        return
    with pytest.raises(MalformedMessageError, match="expected_sequence"):
        read_direction(message, 0)


@pytest.mark.parametrize(
    ("message", "field"),
    [
        (direction_pb2.Direction(reason="why not"), "direction: nothing is decided"),
        (
            direction_pb2.Direction(assign_seat=direction_pb2.AssignSeat(seat="ann", bearer="sue")),
            "direction.assign_seat.kind: 0 is not one of its values",
        ),
        (
            direction_pb2.Direction(act_for_seat=direction_pb2.ActForSeat(seat="ann")),
            "direction.act_for_seat.command: no command is set",
        ),
    ],
)
def test_a_malformed_direction_is_named(message: direction_pb2.Direction, field: str) -> None:
    """By the field that cannot be read."""
    with pytest.raises(MalformedMessageError) as refused:
        read_direction(message, 1)
    assert str(refused.value) == field
    sent = command_sent(Request("g", "olga", "d1", 1, Pass()), "x")
    sent.direction.CopyFrom(message)
    with pytest.raises(UnreadableRecord, match=f"CommandSent.{field}"):
        request_in(sent)


@pytest.mark.parametrize(
    "caller",
    [
        player("ann"),
        player("olga"),
        Principal(service_id("ledger"), "ledger", "service"),
        Principal("op", "Op", "operator"),
    ],
    ids=lambda each: each.player_id,
)
def test_only_the_lobby_passes_decisions_on(desk: Desk, caller: Principal) -> None:
    """Neither players nor operators nor other services do."""
    with pytest.raises(PermissionDenied):
        servicer(desk, caller).Direct(decision(Suspend()), call_context())
    assert not desk.game().suspended


def test_a_decision_over_grpc(desk: Desk) -> None:
    """Carried out once, refused by reason, and stale where the game has moved on."""
    lobby = servicer(desk, LOBBY)
    done = lobby.Direct(decision(Suspend()), call_context()).accepted
    assert [event.WhichOneof("body") for event in done.events] == ["director_decided", "game_suspended"]
    again = lobby.Direct(decision(Suspend()), call_context()).accepted
    assert (again.first_sequence, again.repeated_request) == (done.first_sequence, True)
    other = decision(RollBack(2), done.last_sequence)
    other.request_id = "d2"
    assert lobby.Direct(other, call_context()).rejected.code == "undo_target"
    stale = decision(Correct("bank", "ann", 1), 5)
    stale.request_id = "d3"
    for request, status in ((stale, "ABORTED"), (decision(Suspend(), author=""), "INVALID_ARGUMENT")):
        context = call_context()
        with pytest.raises(Aborted):
            lobby.Direct(request, context)
        assert context.code().name == status


def test_a_former_bearer_is_refused_from_that_moment(desk: Desk) -> None:
    """Moves are refused and no choices listed, also for the account after which the seat is called."""
    ann, sue = servicer(desk, player("ann")), servicer(desk, player("sue"))
    assert ann.ListChoices(pb.ListChoicesRequest(game_id="g"), call_context()).choices
    assert sue.Execute(passing(desk), call_context()).rejected.code == "not_a_player"
    directed(desk, AssignSeat("ann", "sue", "substitute"))
    assert ann.Execute(passing(desk), call_context()).rejected.code == "not_a_player"
    assert not ann.ListChoices(pb.ListChoicesRequest(game_id="g"), call_context()).choices
    assert sue.ListChoices(pb.ListChoicesRequest(game_id="g"), call_context()).choices
    assert _outcome(sue.Execute(passing(desk), call_context())) == "accepted"


def test_a_seat_taken_a_moment_ago_is_waited_for(desk: Desk) -> None:
    """A caller who knows a later sequence than this replica is not refused for good."""
    context, sue = call_context(), servicer(desk, player("sue"))
    with pytest.raises(WaitFirst):
        sue.Execute(passing(desk, ahead=2), context)
    with pytest.raises(Unavailable):
        sue.Execute(passing(desk, ahead=2), context)
    assert (
        servicer(desk, player("sue")).Execute(passing(desk), call_context()).rejected.code == "not_a_player"
    )


def _outcome(message: pb.ExecuteResponse) -> str:
    return str(message.WhichOneof("outcome"))


def test_the_owner_of_a_game_decides_who_moves() -> None:
    """In a cluster the sender may not know yet that a seat was taken: the owner of the game does."""
    owner = SingleOwner()
    owner.create()
    assign = Direct(AssignSeat("ann", "sue", "substitute"), "why not")
    assert owner.send("g", "olga", "d1", 0, assign) == CommandAccepted(6, 7)
    refused = owner.send("g", "ann", "r1", 7, Pass())
    assert isinstance(refused, CommandRejected)
    assert refused.rejection.code == "not_a_player"
    owner.commit()
    assert owner.send("g", "sue", "r2", 7, RepayDebt(1)) == CommandAccepted(8, 8)
    repeated = owner.send("g", "olga", "d1", 0, assign)
    assert isinstance(repeated, CommandAccepted)
    assert (repeated.first, repeated.last, repeated.repeated) == (6, 7, True)
