"""Tournaments at two replicas of the lobby over Kafka."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from devtools.brokers.kafka import KafkaServers
from services.cli.main import app
from services.cli.tournament_log import check_tournament_file
from services.common.auth.tokens import Principal
from services.lobby.cluster.replica import LobbyReplica
from services.lobby.domain.players import Player
from services.lobby.domain.tournaments.charter import charter_json
from tests.lobby.kafka_topics import OF_A_REPLICA, own_topics
from tests.lobby.test_cluster_lobby import Cluster, ended, status
from tests.lobby.tournaments.club import ONE_ROUND, done, reason
from tests.waiting import until

pytestmark = pytest.mark.integration


@pytest.fixture(scope="module")
def cluster(kafka_servers: KafkaServers, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Two replicas."""
    with own_topics(kafka_servers, *OF_A_REPLICA) as kafka:
        cluster = Cluster(kafka, tmp_path_factory.mktemp("cluster"), None)
        cluster.open("a")
        cluster.open("b")
        yield cluster
        for name in list(cluster.replicas):
            cluster.stop(name)


def person(replica: LobbyReplica, name: str) -> Principal:
    """Somebody who is registered."""
    player = replica.lobby.players.register(f"r-{name}", name, "correct horse", address="a")
    assert isinstance(player, Player)
    return Principal(player.player_id, player.name)


def test_a_tournament_is_run_at_either_replica(cluster: Cluster, tmp_path: Path) -> None:
    """Created at one, entered at the other, published once; the result that Kafka brings and its undoing reach both. The
    log of Kafka alone checks and exports it."""
    first, second = cluster.replicas["a"], cluster.replicas["b"]
    director = person(first, "Dora")
    made = done(first.lobby.tournaments.handlers.create(director, "c", charter_json(ONE_ROUND)))
    event_id = made.tournament_id
    desk, rounds = second.lobby.tournaments.handlers, second.lobby.tournaments.rounds
    done(desk.set_entries(director, "o", event_id, True))
    for name in ("Ann", "Bob", "Cy", "Dan"):
        player = person(first, name)
        done(first.lobby.tournaments.handlers.enter(player, "e", event_id, (), ()))
        assert reason(desk.enter(player, "again", event_id, (), ())) == "ALREADY_ENTERED"
    done(desk.start_stage(director, "s", event_id))
    proposed = done(rounds.propose(director, "p", event_id))
    published = done(rounds.publish(director, "q", proposed.round_id, 0))
    first.lobby.tournaments.publisher.publish_all_due()
    assert len(cluster.starter.games) == 1
    table = first.lobby.tables.get(published.tables[1].table.table_id)

    def result_at(replica: LobbyReplica) -> object:
        return replica.lobby.tournaments.rounds.get("", proposed.round_id).tables[1].result

    cluster.write(status(table, 3))
    cluster.write(ended(table, 7))
    for replica in (first, second):
        until(lambda r=replica: result_at(r) is not None)  # type: ignore[misc]
    digests = {each.lobby.tournaments.reader.leaderboard("")[1] for each in (first, second)}
    assert len(digests) == 1
    cluster.write(status(table, 8))
    for replica in (first, second):
        until(lambda r=replica: result_at(r) is None)  # type: ignore[misc]
    cluster.write(ended(table, 9))
    until(lambda: result_at(first) is not None)
    over = done(first.lobby.tournaments.handlers.finish_stage(director, "f", event_id))
    assert over.is_finished
    location = f"kafka:{','.join(cluster.kafka.servers)}/{cluster.kafka.topic_prefix}"
    checked = CliRunner().invoke(app, ["tournament", "check", event_id, "--log", location])
    assert checked.exit_code == 0, checked.output
    assert checked.stdout.splitlines()[-1] == "pairings, results and standings follow from the streams"
    exported = CliRunner().invoke(app, ["tournament", "export", event_id, str(tmp_path), "--log", location])
    assert exported.exit_code == 0, exported.output
    assert check_tournament_file(tmp_path / f"{event_id}.json") == 0
