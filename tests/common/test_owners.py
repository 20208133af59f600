"""What a caller keeps of what is reported to it about the owners of games, without servers."""

from __future__ import annotations

from typing import Any

import grpc
import pytest

from services.common.errors import RETRY_HINT
from services.common.grpc import owners as module
from services.common.grpc.owners import (
    AVOIDED_SECONDS,
    BELIEVED_SECONDS,
    OWNER_KEY,
    REPLICAS_MAX,
    UNKNOWN,
    KnownReplica,
    Owners,
    first_seconds,
    game_in,
    owner_metadata,
)
from services.common.partitions import partition_of
from services.gen.signalbox.rules.v1 import rules_pb2 as pb

PARTITIONS = 12
GAME = "game"
HERE = "rules-0.rules:8402"
READ, CHANGE = "/signalbox.rules.v1.Rules/GetGame", "/signalbox.rules.v1.Rules/Execute"


class Failed:
    """An error as gRPC raises it."""

    def __init__(self, code: grpc.StatusCode, hint: str = "") -> None:
        self._code, self._hint = code, hint

    def code(self) -> grpc.StatusCode:
        return self._code

    def trailing_metadata(self) -> list[tuple[str, str]]:
        return [(RETRY_HINT, self._hint)] if self._hint else []


class Caller:
    """Owners whose probes the test answers, in the time of the test."""

    def __init__(self, only: list[str] | None = None) -> None:
        self.now = 1000.0
        self.probed: list[str] = []
        self.is_serving: bool | None = True
        self.owners: Owners[str] = Owners(self._probe, only, lambda: self.now)

    def _probe(self, replica: KnownReplica[str]) -> None:
        self.probed.append(replica.address)
        replica.channel = f"to {replica.address}"
        if self.is_serving is not None:
            self.owners.probed(replica, self.is_serving)

    def hears(self, address: str, game: str = GAME, partitions: int = PARTITIONS) -> None:
        self.owners.learn(game, [owner_metadata(partition_of(game, partitions), partitions, address)])

    def goes_to(self, game: str = GAME) -> str:
        """The channel of the next call, empty for any replica."""
        begun = self.owners.begin(game)
        if begun is None:
            return ""
        self.owners.end(begun[0])
        return begun[1]

    def asks(self, game: str = GAME) -> str:
        ((key, value),) = self.owners.asking(game, None)
        assert key == OWNER_KEY
        return str(value)

    def misses(self, method: str, code: grpc.StatusCode, seconds: float | None = 5.0, hint: str = "") -> bool:
        """A call to the owner ends so; whether any replica is asked."""
        begun = self.owners.begin(GAME)
        assert begun is not None
        try:
            return self.owners.missed(begun[0], method, Failed(code, hint), seconds)
        finally:
            self.owners.end(begun[0])


def test_who_does_not_accept_the_token_is_asked_again_and_another_replica_as_well() -> None:
    """Its clock may be wrong, or the token bad: that a caller brings a bad one sets nobody aside."""
    caller = Caller()
    caller.hears(HERE)
    assert caller.misses(READ, grpc.StatusCode.UNAUTHENTICATED)
    assert caller.misses(CHANGE, grpc.StatusCode.UNAUTHENTICATED)
    assert caller.owners.lost(GAME, Failed(grpc.StatusCode.UNAUTHENTICATED))
    assert not caller.misses(READ, grpc.StatusCode.PERMISSION_DENIED)
    assert caller.goes_to() == f"to {HERE}" and caller.asks() == HERE


def same_partition(game: str) -> str:
    """Another game of its partition."""
    wanted = partition_of(game, PARTITIONS)
    return next(f"g{n}" for n in range(1000) if partition_of(f"g{n}", PARTITIONS) == wanted)


def test_what_is_told_counts_for_the_whole_partition() -> None:
    """And for no other one; the caller then asks whether that is still so."""
    caller = Caller()
    assert caller.goes_to() == "" and caller.asks() == UNKNOWN
    caller.hears(HERE)
    assert caller.goes_to() == caller.goes_to(same_partition(GAME)) == f"to {HERE}"
    assert caller.asks() == HERE
    other = next(
        f"g{n}" for n in range(100) if partition_of(f"g{n}", PARTITIONS) != partition_of(GAME, PARTITIONS)
    )
    assert caller.goes_to(other) == "" and caller.asks(other) == UNKNOWN
    caller.hears("elsewhere:1")
    assert caller.goes_to() == "to elsewhere:1"


@pytest.mark.parametrize(
    "value",
    [
        "",
        "nonsense",
        f"{PARTITIONS}",
        f"0/0 {HERE}",
        f"0/99999 {HERE}",
        f"-1/12 {HERE}",
        "{p}/12 rules",
        "{p}/12 rules:0",
        "{p}/12 rules:65536",
        "{p}/12 rules:80a",
        "{p}/12 unix:/tmp/sock",
        "{p}/12 unix:///tmp/sock:1",
        "{p}/12 dns://8.8.8.8/evil:1",
        "{p}/12 a,b:1",
        "{p}/12 user@evil:1",
        "{p}/12 evil:1\n",
        "{p}/12 -evil:1",
        "{p}/12 " + "a" * 300 + ":1",
        "{p}/12 " + HERE + " more",
        "{q}/12 " + HERE,
        b"\xff\x00",
    ],
)
def test_what_is_malformed_or_about_other_games_does_not_count(value: Any) -> None:
    """Nor is anybody asked for its health because of it."""
    partition = partition_of(GAME, PARTITIONS)
    if isinstance(value, str):
        value = value.replace("{p}", str(partition)).replace("{q}", str((partition + 1) % PARTITIONS))
    caller = Caller()
    caller.owners.learn(GAME, [("other", "x"), (OWNER_KEY, value)])
    assert caller.probed == [] and caller.asks() == UNKNOWN
    caller.owners.learn(GAME, None)


@pytest.mark.parametrize(
    "address", ["10.1.2.3:8402", "[2001:db8::1]:8402", "rules-0.rules.ns.svc:8402", "h:1"]
)
def test_names_and_numbers_are_addresses(address: str) -> None:
    """All that settings take for replicas."""
    caller = Caller()
    caller.hears(address)
    assert caller.goes_to() == f"to {address}"


def test_only_named_addresses_are_called_where_that_is_asked_for() -> None:
    """The caller names the owner that was reported to it, so that it gets no more reports, and connects to nobody."""
    caller = Caller(only=["known:1"])
    caller.hears(HERE)
    assert caller.probed == [] and caller.goes_to() == "" and caller.asks() == HERE
    caller.hears("known:1")
    assert caller.goes_to() == "to known:1"


def test_nobody_is_called_who_has_not_said_that_it_serves() -> None:
    """One probe at a time; after one that fails the next comes later and later."""
    caller = Caller()
    caller.is_serving = None
    caller.hears(HERE)
    assert caller.goes_to() == caller.goes_to() == "" and caller.probed == [HERE]
    caller.owners.probed(caller.owners._replicas[HERE], False)
    caller.is_serving = False
    for trials in (2, 3, 4):
        caller.now += AVOIDED_SECONDS * 2 ** (trials - 2) - 1
        assert caller.goes_to() == "" and len(caller.probed) == trials - 1
        caller.now += 2
        assert caller.goes_to() == "" and len(caller.probed) == trials
        caller.hears(HERE)
    caller.is_serving = True
    caller.now += AVOIDED_SECONDS * 16
    caller.hears(HERE)
    assert caller.goes_to() == "" and caller.goes_to() == f"to {HERE}"


@pytest.mark.parametrize(
    ("method", "code", "is_elsewhere", "is_avoided"),
    [
        (READ, grpc.StatusCode.UNAVAILABLE, True, True),
        (CHANGE, grpc.StatusCode.UNAVAILABLE, True, True),
        (CHANGE, grpc.StatusCode.CANCELLED, True, True),
        (READ, grpc.StatusCode.DEADLINE_EXCEEDED, True, True),
        (CHANGE, grpc.StatusCode.DEADLINE_EXCEEDED, False, True),
        (READ, grpc.StatusCode.NOT_FOUND, False, False),
        (CHANGE, grpc.StatusCode.ABORTED, False, False),
        (CHANGE, grpc.StatusCode.RESOURCE_EXHAUSTED, False, False),
    ],
)
def test_who_does_not_answer_is_avoided_for_a_while(
    method: str, code: grpc.StatusCode, is_elsewhere: bool, is_avoided: bool
) -> None:
    """Any replica is asked at once, but for a change whose time is over. An answer is an answer."""
    caller = Caller()
    caller.hears(HERE)
    assert caller.misses(method, code) is is_elsewhere
    assert caller.goes_to() == ("" if is_avoided else f"to {HERE}")
    if is_avoided:
        assert caller.probed == [HERE]
        caller.now += AVOIDED_SECONDS + 1
        assert caller.goes_to() == "" and caller.goes_to() == f"to {HERE}"


def test_a_hint_not_to_ask_again_is_kept_and_little_time_proves_nothing() -> None:
    """A caller with a deadline of milliseconds costs the others no owner."""
    caller = Caller()
    caller.hears(HERE)
    assert caller.misses(READ, grpc.StatusCode.DEADLINE_EXCEEDED, 0.01)
    assert caller.goes_to() == f"to {HERE}"
    assert not caller.misses(READ, grpc.StatusCode.UNAVAILABLE, hint="-1")


def test_many_calls_that_fail_at_once_count_as_one() -> None:
    """All that are under way when an owner dies."""
    caller = Caller()
    caller.hears(HERE)
    begun = [caller.owners.begin(GAME) for _ in range(20)]
    for each in begun:
        assert each is not None
        assert caller.owners.missed(each[0], READ, Failed(grpc.StatusCode.UNAVAILABLE), 5.0)
        caller.owners.end(each[0])
    caller.now += AVOIDED_SECONDS + 1
    assert caller.goes_to() == "" and caller.goes_to() == f"to {HERE}"


def test_everything_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Partitions, replicas, calls to one of them, and how long something is believed."""
    caller = Caller()
    games = [next(f"g{n}" for n in range(9999) if partition_of(f"g{n}", 300) == p) for p in range(300)]
    for number, game in enumerate(games):
        caller.hears(f"r{number}:1", game, 300)
    assert len(caller.owners._replicas) == REPLICAS_MAX and len(caller.owners._believed) == 300
    assert caller.goes_to(games[0]) == "to r0:1" and caller.goes_to(games[-1]) == ""
    for game in games:
        caller.hears("r0:1", game, 300)
    assert set(caller.owners._replicas) == {"r0:1"}
    monkeypatch.setattr(module, "CALLS_MAX", 2)
    monkeypatch.setattr(module, "STREAMS_MAX", 1)
    assert caller.owners.begin(games[0], is_stream=True) is not None
    assert caller.owners.begin(games[0], is_stream=True) is None
    assert caller.owners.begin(games[0]) is not None
    assert caller.owners.begin(games[0]) is None
    caller.now += BELIEVED_SECONDS + 1
    assert caller.asks(games[0]) == UNKNOWN
    caller.hears(HERE)
    assert len(caller.owners._believed) == 1


def test_after_the_end_nothing_is_learned() -> None:
    """The channels are given back to be closed."""
    caller = Caller()
    caller.hears(HERE)
    assert caller.owners.close() == [f"to {HERE}"]
    caller.hears("late:1")
    assert caller.goes_to() == "" and caller.probed == [HERE]


def test_reads_give_the_first_replica_a_part_of_their_time() -> None:
    """Changes give it all."""
    assert [first_seconds(READ, each) for each in (2.0, 60.0, None)] == [1.0, 3.0, 3.0]
    assert [first_seconds(CHANGE, each) for each in (2.0, 60.0, None)] == [2.0, 60.0, None]


def test_a_request_is_about_one_game_or_goes_anywhere() -> None:
    """A watch of one game is; of two, it is not."""
    one, two = (pb.WatchMovesRequest(games=[pb.WatchedGame(game_id=GAME)] * count) for count in (1, 2))
    assert game_in(one) == game_in(pb.GetGameRequest(game_id=GAME)) == GAME
    assert game_in(two) == game_in(pb.ListTitlesRequest()) == game_in(b"bytes") == ""
