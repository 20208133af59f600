"""A replica whose disk has no room for its copy goes on to answer what it can, and goes on copying when there is room."""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from uuid import uuid4

import pytest

from services.common.errors import DeadlineExceeded
from services.rules.cluster.replica import RulesReplica
from services.rules.kernel.commands import CreateGame, Pass
from services.rules.requests import CommandAccepted, Request
from tests.rules.cluster.harness import (
    FIRST,
    PARTITIONS,
    PLAYERS,
    SECONDS,
    ClusterHarness,
    create,
    until_read,
)
from tests.waiting import until

pytestmark = pytest.mark.integration
NO_LIMIT = 1_000_000_000
EVERYTHING = frozenset(range(PARTITIONS))


def limit_pages(replica: RulesReplica, most: int) -> None:
    """SQLite's own limit stands for the end of the disk; it does not go below what is there."""

    def limit(connection: sqlite3.Connection) -> None:
        connection.execute(f"PRAGMA max_page_count = {most}")

    replica._copy._file._database.write(limit)


def passed(replica: RulesReplica, game_id: str, player: str, expected: int) -> CommandAccepted:
    """A player passes at this replica."""
    result = replica.rules.execute(Request(game_id, player, uuid4().hex, expected, Pass()), SECONDS)
    assert isinstance(result, CommandAccepted)
    return result


def test_a_replica_without_room_serves_and_owns_nothing(cluster: ClusterHarness) -> None:
    """It shows the games it has, takes commands for owners that have room, and takes its part again when it has room."""
    full, other = cluster.open("a"), cluster.open("b")
    until(lambda: bool(full.owned) and bool(other.owned))
    game = create(cluster.gateway)
    until_read(full, game, FIRST)
    until_read(other, game, FIRST)

    limit_pages(full, 1)
    while full._copy.is_writable:
        create(cluster.gateway)
    until(lambda: not full.owned and other.owned == EVERYTHING)
    assert full.is_ready and full.progress.stalled() == ""
    done = passed(full, game, "ann", FIRST)
    assert not full.rules.reader.has_reached(game, done.last)
    assert full.rules.reader.game_at(game).game.sequence == FIRST
    done = passed(full, game, "bob", done.last)
    until_read(other, game, done.last)

    limit_pages(full, NO_LIMIT)
    until_read(full, game, done.last)
    until(lambda: bool(full.owned) and full.owned | other.owned == EVERYTHING)


def test_where_nobody_has_room_games_can_be_read(cluster: ClusterHarness) -> None:
    """No command is carried out; who asks again when there is room is served."""
    replica = cluster.open("a")
    until(lambda: replica.owned == EVERYTHING)
    game = create(cluster.gateway)
    until_read(replica, game, FIRST)
    limit_pages(replica, 1)
    set_up, asked = CreateGame("tiny", PLAYERS), list[str]()
    while replica._copy.is_writable:
        asked.append(f"g{uuid4().hex[:8]}")
        with suppress(DeadlineExceeded):
            cluster.gateway.create(asked[-1], set_up, 0.5)
    until(lambda: not replica.owned)
    assert replica.is_ready
    assert replica.rules.reader.game_at(game).game.sequence == FIRST
    limit_pages(replica, NO_LIMIT)
    until(lambda: replica.owned == EVERYTHING)
    assert passed(replica, game, "ann", FIRST).first == FIRST + 1
    for each in asked:
        # A command that was met after its deadline changed nothing.
        assert isinstance(cluster.gateway.create(each, set_up, SECONDS), CommandAccepted)
        until_read(replica, each, FIRST)
