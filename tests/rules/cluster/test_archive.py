"""Replicas with an archive: each drops what is there, reads it as before, and plays on what a director takes up again."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from services.common.archive.errors import ArchiveUnavailable
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import EVENTS
from services.rules.cluster.replica import RulesReplica
from services.rules.kernel.commands import Command, Pass
from services.rules.kernel.directing.commands import Direct, Direction, EndGame, RollBack
from services.rules.kernel.values import Score
from services.rules.requests import CommandAccepted, CommandRejected, CommandResult, Request
from tests.rules.cluster.harness import (
    PLAYERS,
    SECONDS,
    ClusterHarness,
    Table,
    answered,
    check_nothing_lost,
    new_table,
    until_read,
)
from tests.waiting import until

pytestmark = pytest.mark.integration
MOVES = 6


@pytest.fixture
def archived(own_kafka: KafkaSettings, tmp_path: Path) -> Iterator[ClusterHarness]:
    """Opens replicas that archive what is finished at once."""
    cluster = ClusterHarness(own_kafka, tmp_path, tmp_path / "archive")
    yield cluster
    cluster.close()


def direct(table: Table, direction: Direction, replica: RulesReplica) -> CommandResult:
    """What Olga decides."""
    request_id = f"olga-{direction.KIND}"
    command: Command = Direct(direction, "why not", "pia")
    request = Request(table.game_id, "olga", request_id, table.sequence, command)
    result = answered(lambda: replica.rules.execute(request, SECONDS))
    if isinstance(result, CommandAccepted):
        table.acknowledged[request_id] = result
        table.sequence = result.last
    return result


def finished(cluster: ClusterHarness, replica: RulesReplica) -> Table:
    """A game that was played and ended."""
    table = new_table(cluster.gateway)
    for _ in range(MOVES):
        table.move()
    scores = tuple(Score(player, 5) for player in PLAYERS)
    assert isinstance(direct(table, EndGame(scores), replica), CommandAccepted)
    return table


def rows(replica: RulesReplica, game_id: str) -> int:
    """How many records of a game the copy of a replica has."""
    return len(replica._copy.log.read(f"game/{game_id}"))


def in_archive(cluster: ClusterHarness, table: Table) -> bool:
    """Whether no replica has the game in its copy any more."""
    return all(
        rows(each, table.game_id) == 0
        and each._archive.log.archived.find(f"game/{table.game_id}") is not None
        for each in cluster.replicas.values()
    )


def copied(cluster: ClusterHarness, name: str, result: str) -> float:
    """How many commits a replica has met with this result."""
    labels = {"topic": EVENTS.name_in(cluster.kafka), "result": result}
    return cluster.registries[name].get_sample_value("signalbox_copy_commits_total", labels) or 0


def test_a_game_leaves_all_copies_and_comes_back(archived: ClusterHarness) -> None:
    """Its owner archives it, the others learn it. It is read at every replica, refuses moves as finished, and is rolled back,
    played on and read by all; nothing acknowledged is lost."""
    first, second = archived.open("a"), archived.open("b")
    table = finished(archived, first)
    for each in (first, second):
        until_read(each, table.game_id, table.sequence)
    before = first.rules.reader.events(table.game_id)
    live = new_table(archived.gateway)
    until(lambda: in_archive(archived, table))
    for each in (first, second):
        each._following.forget(lambda _: True)
        assert each.rules.reader.events(table.game_id) == before
        assert each.rules.reader.game_at(table.game_id).game.finished
        assert each.rules.reader.game_at(table.game_id, 5).game.sequence == 5
        late = Request(table.game_id, "ann", "late", table.sequence, Pass())
        refused = each.rules.execute(late, SECONDS)
        assert isinstance(refused, CommandRejected)
        assert refused.rejection.code == "game_finished"
        repeated = Request(table.game_id, "ann", "m0", 5, Pass())
        assert each.rules.execute(repeated, SECONDS) == CommandAccepted(
            table.acknowledged["m0"].first, table.acknowledged["m0"].last, repeated=True
        )
    played = table.acknowledged[f"m{MOVES - 1}"].last
    assert isinstance(direct(table, RollBack(played), second), CommandAccepted)
    for each in (first, second):
        until_read(each, table.game_id, table.sequence)
        assert not each.rules.reader.game_at(table.game_id).game.finished
    table.move()
    for each in (first, second):
        until(lambda each=each: rows(each, table.game_id) == table.sequence)  # type: ignore[misc]
    live.move()
    check_nothing_lost(archived, [table, live])


def test_a_replica_from_nothing_keeps_live_games_alone(archived: ClusterHarness) -> None:
    """What is in the archive is passed over while the log is read; a restart knows it from its file."""
    first = archived.open("a")
    table = finished(archived, first)
    live = new_table(archived.gateway)
    until(lambda: in_archive(archived, table))
    new = archived.open("new")
    assert rows(new, table.game_id) == 0
    assert copied(archived, "new", "archived") == len(archived.commits(table.game_id))
    assert copied(archived, "new", "conflict") == 0
    assert rows(new, live.game_id) == live.sequence
    assert new.rules.reader.game_at(table.game_id).game.finished
    new.stop()
    again = archived.open("new")
    assert rows(again, table.game_id) == 0
    assert again.rules.reader.last_sequence(table.game_id) == table.sequence


def test_games_in_play_do_not_need_the_archive(archived: ClusterHarness, tmp_path: Path) -> None:
    """While it is away, a game in it is not answered, a game in play goes on, and replicas start."""
    first = archived.open("a")
    table = finished(archived, first)
    live = new_table(archived.gateway)
    until(lambda: in_archive(archived, table))
    shutil.move(tmp_path / "archive", tmp_path / "away")
    (tmp_path / "archive").mkdir()
    (tmp_path / "archive" / "contents").write_text("no folder")
    try:
        first._following.forget(lambda _: True)
        with pytest.raises(ArchiveUnavailable):
            first.rules.reader.events(table.game_id)
        live.move()
        until_read(first, live.game_id, live.sequence)
        assert first.is_ready
        refused = Request(table.game_id, "ann", "late", table.sequence, Pass())
        with pytest.raises(ArchiveUnavailable):
            first.rules.execute(refused, SECONDS)
    finally:
        shutil.rmtree(tmp_path / "archive")
        shutil.move(tmp_path / "away", tmp_path / "archive")
    until(lambda: _is_read(first, table))


def _is_read(replica: RulesReplica, table: Table) -> bool:
    try:
        return replica.rules.reader.last_sequence(table.game_id) == table.sequence
    except ArchiveUnavailable:
        return False
