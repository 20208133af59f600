"""Which replica owns which game, as far as a caller knows: a call sent straight there takes no hop (decision 40).

A caller asks with its calls, by naming the owner that it believes in; a replica that knows better says so with the answer.
Nothing rests on it: a caller that learned wrong, or late, takes a hop more, or asks any replica once more.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, overload

import grpc

from services.common.errors import RETRY_HINT
from services.common.grpc.connections import CALLS_OF_CONNECTION
from services.common.partitions import partition_of

HEALTH_CHECK = "/grpc.health.v1.Health/Check"
OWNER_KEY = "signalbox-owner"
# Of a caller that believes in nobody yet.
UNKNOWN = "?"
PARTITIONS_MAX = 10_000
REPLICAS_MAX = 200
# A replica that misled a caller, or was mistaken, does so for no longer than this.
BELIEVED_SECONDS = 600.0
# One that did not answer is not tried for so long, and twice as long after each trial that fails as well.
AVOIDED_SECONDS = 15.0
AVOIDED_SECONDS_MAX = 600.0
PROBE_SECONDS = 2.0
CALLS_MAX = CALLS_OF_CONNECTION
# Watches leave room for the others.
STREAMS_MAX = 35
# Who gave a replica less time than this does not know whether it answers.
JUDGED_SECONDS = 1.0
CHANGES = ("Execute", "Direct")
# Reads that the first replica does not answer in a part of their time are answered by another: it has a copy as well.
FIRST_SHARE = 0.5
FIRST_SECONDS_MAX = 3.0
UNREACHED = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED)
# The clock or the keys of the owner may be wrong, and not the token: another replica is asked as well.
DOUBTS_TOKEN = grpc.StatusCode.UNAUTHENTICATED
NEVER_AGAIN = "-"
# As a name or a number with a port: no other way of gRPC to name a server.
ADDRESS = re.compile(
    r"(?:[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?|\[[0-9A-Fa-f:.]{2,45}\]):[1-9][0-9]{0,4}"
)
REPORT = re.compile(rf"([0-9]{{1,5}})/([1-9][0-9]{{0,4}}) ({ADDRESS.pattern})")
PORT_MAX = 65_535

Metadata = Sequence[tuple[str, Any]]
Channel = TypeVar("Channel")


def owner_metadata(partition: int, partitions: int, address: str) -> tuple[str, str]:
    """The metadata with which a replica says who owns a partition."""
    return OWNER_KEY, f"{partition}/{partitions} {address}"


def game_in(request: Any) -> str:
    """The game that a request is about; empty where it is about none or several."""
    games: Sequence[Any] = getattr(request, "games", ())
    return str(games[0].game_id if len(games) == 1 else getattr(request, "game_id", ""))


@overload
def first_seconds(method: str, seconds: float) -> float: ...
@overload
def first_seconds(method: str, seconds: float | None) -> float | None: ...
def first_seconds(method: str, seconds: float | None) -> float | None:
    """The part of its time that a call gives to the replica asked first; a change waits for its answer."""
    if method.rpartition("/")[2] in CHANGES:
        return seconds
    return FIRST_SECONDS_MAX if seconds is None else min(seconds * FIRST_SHARE, FIRST_SECONDS_MAX)


@dataclass(slots=True, eq=False)
class KnownReplica(Generic[Channel]):
    """A replica that was reported to a caller. Calls go to its `channel` once it `is_proven`: it has said that it serves."""

    address: str
    channel: Channel | None = None
    is_proven: bool = False
    is_probed: bool = False
    failures: int = 0
    avoided_until: float = 0.0
    calls: int = 0


class Owners(Generic[Channel]):
    """What was reported to one caller. From any thread."""

    def __init__(
        self,
        probe: Callable[[KnownReplica[Channel]], None],
        only: Collection[str] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`probe` connects to a replica without a caller's token and without blocking, and calls `probed` at the end. `only`: the
        addresses that calls may go to; None: to any."""
        self._probe = probe
        self._only = only
        self._clock = clock
        self._lock = threading.Lock()
        self._partitions = 1
        self._believed: dict[int, tuple[str, float]] = {}
        self._replicas: dict[str, KnownReplica[Channel]] = {}
        self._is_closed = False

    def asking(self, game_id: str, metadata: Metadata | None) -> Metadata:
        """The metadata of a call about a game: it asks who owns the game, if that is somebody else than is believed."""
        return (*(metadata or ()), (OWNER_KEY, self._address_of(game_id) or UNKNOWN))

    def begin(self, game_id: str, is_stream: bool = False) -> tuple[KnownReplica[Channel], Channel] | None:
        """Where to send a call about a game, until `end`; None: to any replica."""
        with self._lock:
            replica = self._replicas.get(self._address_of(game_id))
            if replica is None:
                return None
            if replica.channel is not None and replica.is_proven:
                if replica.calls >= (STREAMS_MAX if is_stream else CALLS_MAX):
                    return None
                replica.calls += 1
                return replica, replica.channel
            is_due = not replica.is_probed and self._clock() >= replica.avoided_until
            replica.is_probed = replica.is_probed or is_due
        if is_due:
            self._probe(replica)
        return None

    def end(self, replica: KnownReplica[Channel]) -> None:
        """A call is over."""
        with self._lock:
            replica.calls -= 1

    def learn(self, game_id: str, trailing: Metadata | None) -> None:
        """What came with the answer to a call about a game. What is malformed or about other games does not count."""
        value = next((each for key, each in trailing or () if key == OWNER_KEY), None)
        match = REPORT.fullmatch(value) if isinstance(value, str) else None
        if match is None:
            return
        partition, partitions, address = int(match[1]), int(match[2]), match[3]
        if partitions > PARTITIONS_MAX or int(address.rpartition(":")[2]) > PORT_MAX:
            return
        if partition_of(game_id, partitions) == partition:
            self._believe(partition, partitions, address)

    def lost(self, game_id: str, error: Any) -> bool:
        """A stream about a game ended with this error (a `grpc.RpcError`); whether to begin it at any replica. The game may
        have moved, so any replica is asked next."""
        if error.code() not in UNREACHED:
            return error.code() is DOUBTS_TOKEN
        with self._lock:
            self._believed.pop(partition_of(game_id, self._partitions), None)
        return True

    def missed(self, replica: KnownReplica[Channel], method: str, error: Any, seconds: float | None) -> bool:
        """A call to a replica got this error (a `grpc.RpcError`) within `seconds`; whether to ask any other replica."""
        code = error.code()
        if code is grpc.StatusCode.DEADLINE_EXCEEDED:
            if seconds is None or seconds >= JUDGED_SECONDS:
                self._disprove(replica)
            return method.rpartition("/")[2] not in CHANGES
        if code not in UNREACHED:
            return code is DOUBTS_TOKEN
        self._disprove(replica)
        hint = next((each for key, each in error.trailing_metadata() or () if key == RETRY_HINT), "")
        return not str(hint).startswith(NEVER_AGAIN)

    def probed(self, replica: KnownReplica[Channel], is_serving: bool) -> None:
        """What came of `probe`."""
        with self._lock:
            replica.is_probed, replica.is_proven = False, is_serving
            if is_serving:
                replica.failures = 0
            else:
                self._avoid(replica)

    def close(self) -> list[Channel]:
        """Nothing is learned any more. Returns the channels, to be closed."""
        with self._lock:
            self._is_closed = True
            replicas, self._replicas = self._replicas, {}
            return [each.channel for each in replicas.values() if each.channel is not None]

    def _address_of(self, game_id: str) -> str:
        address, until = self._believed.get(partition_of(game_id, self._partitions), ("", 0.0))
        return address if self._clock() < until else ""

    def _believe(self, partition: int, partitions: int, address: str) -> None:
        with self._lock:
            if self._is_closed:
                return
            if partitions != self._partitions:
                self._partitions = partitions
                self._believed.clear()
            self._believed[partition] = (address, self._clock() + BELIEVED_SECONDS)
            needed = {each for each, _ in self._believed.values()}
            self._replicas = {
                name: replica for name, replica in self._replicas.items() if name in needed or replica.calls
            }
            is_allowed = self._only is None or address in self._only
            if address in self._replicas or len(self._replicas) >= REPLICAS_MAX or not is_allowed:
                return
            replica: KnownReplica[Channel] = KnownReplica(address, is_probed=True)
            self._replicas[address] = replica
        self._probe(replica)

    def _disprove(self, replica: KnownReplica[Channel]) -> None:
        """A call to it was not answered. Of many at the same time the first counts."""
        with self._lock:
            if replica.is_proven:
                self._avoid(replica)

    def _avoid(self, replica: KnownReplica[Channel]) -> None:
        """Calls under way may still end well; the next trial begins with a new connection."""
        seconds = min(AVOIDED_SECONDS * 2**replica.failures, AVOIDED_SECONDS_MAX)
        replica.avoided_until = self._clock() + seconds
        # More than enough for the longest time.
        replica.failures = min(replica.failures + 1, 10)
        replica.is_proven, replica.channel = False, None
