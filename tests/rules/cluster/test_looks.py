"""What a call does that met a replica without its game, while nobody says who has it now. No Kafka, no servers."""

from __future__ import annotations

import asyncio
import threading
import time
from types import SimpleNamespace
from typing import Any, cast

import grpc
import pytest
from prometheus_client import CollectorRegistry

from services.common.errors import Unavailable
from services.common.grpc.answering import Method
from services.common.grpc.context import CallContext
from services.rules.cluster import forwarding
from services.rules.cluster.forwarding import NOT_OWNER, Forwarder, GamePlaces
from services.rules.cluster.peer_proof import REASON_KEY
from services.rules.cluster.peers import Metadata, Peers
from services.rules.cluster.placement import Placement

WITHOUT, WITH = "owner:1", "standby:1"
SECONDS = 6.0
CALLS = 20
METHOD = SimpleNamespace(
    name=SimpleNamespace(method="GetGame"), request=lambda _message: SimpleNamespace(game_id="g")
)


class SilentGroup:
    """A view of the group that cannot be renewed for as long as the test takes."""

    followed: frozenset[int] = frozenset()

    def __init__(self) -> None:
        self.placement = Placement(
            {0: ("owner", "standby")}, {"owner": WITHOUT, "standby": WITH, "other": "other:1"}
        )
        self.looks = 0
        self.is_over = threading.Event()

    def is_here(self, _partition: int) -> bool:
        return False

    def look(self) -> None:
        self.looks += 1
        self.is_over.wait(SECONDS)

    def listen(self, _listener: object) -> None:
        """Nothing changes."""


class Replica:
    """One other replica: it has the game, or says that it does not."""

    is_avoided = False

    def __init__(self, address: str) -> None:
        self.address = address

    def note(self, is_reached: bool) -> None:
        assert is_reached

    async def call(self, _name: str, _message: bytes, _metadata: Metadata, seconds: float) -> bytes:
        assert seconds > 0
        if self.address == WITH:
            return b"answer"
        nothing = grpc.aio.Metadata()
        reason = grpc.aio.Metadata((REASON_KEY, NOT_OWNER))
        raise grpc.aio.AioRpcError(grpc.StatusCode.UNAVAILABLE, nothing, reason)


def forwarder(places: SilentGroup) -> Forwarder:
    replicas = {each: Replica(each) for each in places.placement.addresses.values()}
    return Forwarder(
        "here",
        1,
        cast(GamePlaces, places),
        cast(Peers, SimpleNamespace(at=replicas.__getitem__)),
        cast(Any, None),
        lambda: "token",
        CollectorRegistry(),
    )


async def asked(through: Forwarder) -> bytes:
    """One read."""
    end = time.monotonic() + SECONDS
    context = SimpleNamespace(
        is_forwarded=False,
        caller=SimpleNamespace(address="1.2.3.4"),
        invocation_metadata=lambda: (),
        trailing_metadata=lambda: (),
        set_trailing_metadata=lambda _own: None,
        time_remaining=lambda: end - time.monotonic(),
    )

    async def here() -> bytes:
        raise AssertionError("it is not here")

    return await through.answer(cast(Method, METHOD), b"", cast(CallContext, context), here)


def test_a_call_goes_on_to_the_standby_while_the_group_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many calls look together, so that they do not take all threads."""
    monkeypatch.setattr(forwarding, "LOOK_SECONDS_MAX", 0.1)
    places = SilentGroup()

    async def all_asked() -> list[bytes]:
        through = forwarder(places)
        try:
            return await asyncio.gather(*(asked(through) for _ in range(CALLS)))
        finally:
            places.is_over.set()

    began = time.monotonic()
    assert asyncio.run(all_asked()) == [b"answer"] * CALLS
    assert time.monotonic() - began < SECONDS / 2 and places.looks == 1


def test_where_nobody_else_has_it_the_call_ends_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the status that says to try again."""
    monkeypatch.setattr(forwarding, "LOOK_SECONDS_MAX", 0.1)
    places = SilentGroup()
    places.placement = Placement({0: ("owner", "other")}, places.placement.addresses)

    async def one_asked() -> bytes:
        try:
            return await asked(forwarder(places))
        finally:
            places.is_over.set()

    began = time.monotonic()
    with pytest.raises(Unavailable):
        asyncio.run(one_asked())
    assert time.monotonic() - began < SECONDS / 2
