"""The count of what a message holds, before it is parsed."""

from __future__ import annotations

import time

import pytest
from google.protobuf.any_pb2 import Any
from hypothesis import given, strategies as st

from services.common.errors import InvalidRequest
from services.common.grpc.elements import check_elements
from services.gen.signalbox.lobby.v1 import lobby_service_pb2 as lobby
from services.gen.signalbox.routing.v1 import routing_pb2 as routing
from services.gen.signalbox.rules.v1 import command_pb2, rules_pb2 as rules

MOST = 100


def giant(count: int) -> bytes:
    """An Execute whose run holds so many empty hops, of two bytes each."""
    hops = [command_pb2.Hop() for _ in range(count)]
    run = command_pb2.TrainRun(hops=hops)
    command = command_pb2.Command(run_trains=command_pb2.RunTrains(runs=[run]))
    return rules.ExecuteRequest(command=command).SerializeToString()


def test_as_many_as_allowed_pass() -> None:
    """The three fields around the hops count too."""
    check_elements(giant(MOST - 3), rules.ExecuteRequest, MOST)
    with pytest.raises(InvalidRequest, match="ExecuteRequest holds more than 100 fields and items"):
        check_elements(giant(MOST - 2), rules.ExecuteRequest, MOST)


def test_packed_numbers_and_messages_in_an_any_count() -> None:
    """Whether the type of the Any comes before its value or after."""
    numbers = rules.ExecuteRequest(
        command=command_pb2.Command(
            title_command=Any(type_url="x/" + rules.ExecuteRequest.DESCRIPTOR.full_name)
        )
    )
    numbers.command.title_command.value = giant(MOST)
    with pytest.raises(InvalidRequest):
        check_elements(numbers.SerializeToString(), rules.ExecuteRequest, MOST)
    value_first = Any(value=giant(MOST)).SerializeToString()
    type_last = Any(type_url="x/" + rules.ExecuteRequest.DESCRIPTOR.full_name).SerializeToString()
    with pytest.raises(InvalidRequest):
        check_elements(value_first + type_last, Any, MOST)


def test_the_cost_is_that_of_the_limit() -> None:
    """A message of a thousand times as many elements costs no more than one just above the limit."""
    data = giant(1_000_000)
    began = time.process_time()
    for _ in range(100):
        with pytest.raises(InvalidRequest):
            check_elements(data, rules.ExecuteRequest, 1_000)
    assert time.process_time() - began < 2.0


@given(st.binary(max_size=400))
def test_any_bytes_are_counted_or_left_to_the_parser(data: bytes) -> None:
    """Nothing but `InvalidRequest` is raised, whatever comes."""
    for kind in (rules.ExecuteRequest, lobby.CreateTableRequest, routing.SolveBatchRequest, Any):
        try:
            check_elements(data, kind, 10)
        except InvalidRequest:
            continue
