"""Hosts of all four services, on free ports, for tests and benchmarks: in this process or as processes of their own."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Protocol

import grpc
import pytest
from msgspec.structs import replace

from services.client.games import Games
from services.client.lobby import Lobby, register, sign_in
from services.common.grpc.limit_settings import LimitSettings
from services.common.settings.accounts import THROWAWAY_ACCOUNTS
from services.common.settings.service import Settings
from services.common.telemetry.logs import configure_logging
from services.gen.signalbox.lobby.v1 import table_pb2
from services.host.addresses import Addresses
from services.host.embedded import EmbeddedHost

NAMES = ("Ann", "Bob", "Cem", "Dora", "Eve", "Finn")
PASSWORD = "correct horse battery"
# For a ledger in another process to have followed.
FOLLOWING_SECONDS = 60.0
HOSTS = ("embedded", "cluster")
LOOK_EVERY_SECONDS = 0.02
_numbers = count(1)


class Host(Protocol):
    """Either host, as far as a client sees it."""

    @property
    def addresses(self) -> Addresses:
        """Where its services answer."""


def new_name(name: str) -> str:
    """A name that nobody of this test session has registered under."""
    return f"{name} {next(_numbers)}"


def channel_to(address: str, *options: tuple[str, int]) -> grpc.Channel:
    """A plain channel to one replica of those at `address`, without repeats."""
    return grpc.insecure_channel(f"ipv4:{address}" if "," in address else address, options=options)


def followed(addresses: Addresses, is_so: Callable[[], bool]) -> bool:
    """Whether what follows the rules has come so far: at once in one process, after a while with several."""
    end = time.monotonic() + (FOLLOWING_SECONDS if "," in addresses.rules else 0.0)
    while not is_so():
        if time.monotonic() >= end:
            return False
        time.sleep(LOOK_EVERY_SECONDS)
    return True


def settings_in(folder: Path) -> Settings:
    """A host with its files in `folder`: free ports, quick to stop, few streams, small messages."""
    return Settings(
        database=folder / "signalbox.db",
        signing_key=folder / "key.pem",
        lobby_port=0,
        rules_port=0,
        routing_port=0,
        ledger_port=0,
        metrics_port=0,
        routing_workers=0,
        stop_grace_seconds=1,
        message_bytes_max=256 * 1024,
        limit=LimitSettings(player_watchers=4),
        worker_threads=12,
        sign_in=THROWAWAY_ACCOUNTS,
    )


@contextmanager
def hosting(folder: Path, routing_addresses: tuple[str, ...] = ()) -> Iterator[EmbeddedHost]:
    """A running host with its files in `folder`; stopped at the end. Routing may be elsewhere."""
    configure_logging("error")
    host = EmbeddedHost(replace(settings_in(folder), routing_addresses=routing_addresses))
    host.start()
    try:
        yield host
    finally:
        host.stop()


def host_of_kind(request: pytest.FixtureRequest, folder: Path) -> Iterator[Host]:
    """For fixtures: the shared cluster host where the parameter is `cluster`, else an embedded host of the test's own."""
    if request.param == "cluster":
        yield request.getfixturevalue("cluster_host")
        return
    with hosting(folder) as running:
        yield running


@dataclass(frozen=True, slots=True)
class Seated:
    """A started game: its id, player ids in seat order, and everybody's token."""

    game_id: str
    seats: tuple[str, ...]
    tokens: Mapping[str, str]

    def games(self, host: Host, seat: int) -> Games:
        """The rules service as the player in this seat sees it."""
        return Games(host.addresses.rules, self.tokens[self.seats[seat]])


def seat(
    host: Host,
    title: str,
    player_count: int,
    ruling_profile: str = "",
    undo_policy: table_pb2.UndoPolicy = table_pb2.UNDO_POLICY_OWN_TURN,
    options: tuple[str, ...] = (),
    names: Sequence[str] = NAMES,
) -> Seated:
    """Register players, gather them at a table and start it."""
    tokens = {}
    for name in map(new_name, names[:player_count]):
        player_id = register(host.addresses.lobby, name, PASSWORD)
        tokens[player_id] = sign_in(host.addresses.lobby, name, PASSWORD).token
    owner, *others = (Lobby(host.addresses.lobby, token) for token in tokens.values())
    table = owner.create_table(title, player_count, options, ruling_profile, undo_policy=undo_policy, seed=11)
    for other in others:
        other.join_table(table.table_id)
    started = owner.start_table(table.table_id)
    return Seated(started.game_id, tuple(started.seats), tokens)
