"""A platform is lost and restored: games go on from a state that they had, and no more is lost than came after the last point."""

from __future__ import annotations

import shutil
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from devtools.brokers.kafka import KafkaServers
from devtools.brokers.missing import BrokersMissing
from devtools.brokers.opening import open_kafka
from services.audit.kafka_check import check_kafka
from services.backup.backup import Backup
from services.backup.catalogue import Catalogue
from services.backup.contents import Source
from services.backup.restore import restore
from services.client import Lobby
from services.common.kafka.administration import apply_topics
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import EVENTS, FACTS
from services.common.objectstore.folder import FolderStore
from services.common.objectstore.location import open_store
from services.common.redis.settings import RedisSettings
from services.host.processes import ClusterHost, Replicas
from tests.backup.drill import Crowd, Stopwatch, backing_up, books_of, elsewhere, last_sequences
from tests.backup.records import Content, command, in_kafka
from tests.brokers import PARTITIONS, need, own_topics
from tests.clusters import SETTINGS
from tests.integration.tables import gather

pytestmark = pytest.mark.integration

ONE_OF_EACH = Replicas(lobby=1, rules=1, routing=1, ledger=1)
GAMES = 4
PLAYING_SECONDS = 30.0
EVERY_SECONDS = 3
POINT_SECONDS = 60.0


def restored_host(
    folder: Path, kafka: KafkaSettings, signing_key: Path, redis_address: str, redis_prefix: str
) -> ClusterHost:
    """Services with new files and an empty Redis; of before they have the key of the tokens alone."""
    folder.mkdir()
    host = ClusterHost(
        folder, kafka, RedisSettings(address=redis_address, key_prefix=redis_prefix), ONE_OF_EACH, SETTINGS
    )
    shutil.copy(signing_key, host.signing_key)
    return host


def test_a_game_goes_on_where_the_backup_has_it(
    cluster_host: ClusterHost,
    kafka_servers: KafkaServers,
    redis_address: str,
    redis_prefix: str,
    tmp_path: Path,
) -> None:
    """With its players' tokens; what came after the point is gone; the checker finds nothing before or after new moves."""
    gathering = gather(cluster_host.addresses, ("Ann", "Bob", "Cem"))
    gathering.play(20)
    store = FolderStore(tmp_path / "store")
    backup = Backup(cluster_host.kafka, store)
    backup.run()
    backup.close()
    view = gathering.view()
    gathering.play(5)
    with own_topics(kafka_servers) as kafka:
        restore(kafka, store)
        assert check_kafka(kafka).findings == []
        folder = tmp_path / "restored"
        host = restored_host(folder, kafka, cluster_host.signing_key, redis_address, redis_prefix)
        host.start()
        try:
            again = elsewhere(gathering, host.addresses)
            assert again.view() == view
            again.play(8)
            gather(host.addresses, ("Dora", "Eve", "Finn")).play(2)
            assert check_kafka(kafka, books=books_of(host, folder)).findings == []
        finally:
            host.stop()


@dataclass(frozen=True, slots=True)
class Loss:
    """A platform that is gone: what was in its log, what its players know, and until when the backup had everything."""

    crowd: Crowd
    truth: Mapping[Source, list[Content]]
    signing_key: Path
    point_time: float
    killed: float


def lose_all(folder: Path, store: str, redis_address: str, redis_prefix: str) -> Loss:
    """People play while a backup runs; then everything is killed and the brokers are wiped."""
    with open_own_kafka(folder / "kafka") as servers:
        kafka = servers.settings(partitions=PARTITIONS)
        apply_topics(kafka)
        redis = RedisSettings(address=redis_address, key_prefix=redis_prefix)
        host = ClusterHost(folder / "lost", kafka, redis, settings=SETTINGS)
        host.start()
        crowd = Crowd(host.addresses)
        with backing_up(kafka, store, EVERY_SECONDS) as backup:
            crowd.start(GAMES)
            time.sleep(PLAYING_SECONDS)
            backup.wait_for_point(time.time() - 2 * EVERY_SECONDS, POINT_SECONDS)
            point_time = backup.point_time()
        killed = time.time()
        for replica in host.replicas:
            replica.process.kill()
        crowd.stop()
        return Loss(crowd, in_kafka(kafka, FACTS), host.signing_key, point_time, killed)


def play_again(
    loss: Loss, host: ClusterHost, folder: Path, sequences: Mapping[str, int]
) -> tuple[int, float]:
    """Start the services; games go on and new ones begin, and the books are right. Returns how many tables there are, and
    after how many seconds the first command was acknowledged."""
    began = time.monotonic()
    host.start()
    try:
        kept = [
            elsewhere(each, host.addresses) for each in loss.crowd.gatherings if each.game_id in sequences
        ]
        kept[0].move()
        seconds = time.monotonic() - began
        for gathering in kept:
            assert gathering.view().sequence >= sequences[gathering.game_id]
            assert Lobby(host.addresses.lobby, gathering.anybody().token).table(gathering.table.table_id)
            gathering.play(2)
        gather(host.addresses, ("Gus", "Hal", "Ida")).play(2)
        assert check_kafka(host.kafka, books=books_of(host, folder)).findings == []
    finally:
        host.stop()
    return len(kept), seconds


@pytest.mark.soak
def test_all_brokers_are_lost_while_people_play(
    redis_address: str, redis_prefix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each game is at a state that it had; prints how much is lost (RPO) and how long it takes to play again (RTO)."""
    store = f"folder:{tmp_path / 'store'}"
    loss = lose_all(tmp_path, store, redis_address, redis_prefix)
    watch = Stopwatch()
    with open_own_kafka(tmp_path / "kafka") as servers:
        kafka = servers.settings(partitions=PARTITIONS)
        watch.note("brokers")
        ended = command(kafka, "restore", "--store", store)
        assert ended.returncode == 0, ended.stderr
        watch.note("restore")
        assert check_kafka(kafka).findings == []
        watch.note("verify")
        found = in_kafka(kafka, FACTS)
        assert all(records == loss.truth[source][: len(records)] for source, records in found.items())
        sequences = last_sequences(found)
        lost = loss.crowd.lost(sequences)
        assert all(each.time > loss.point_time for each in lost)
        folder = tmp_path / "restored"
        host = restored_host(folder, kafka, loss.signing_key, redis_address, f"{redis_prefix}new:")
        kept, seconds = play_again(loss, host, folder, sequences)
    commands = sum(len(records) for (topic, _), records in found.items() if topic == EVENTS.name)
    stored = Catalogue(open_store(store)).newest_consistent().bytes
    with capsys.disabled():
        print(f"\n{len(loss.crowd.acknowledged)} commands acknowledged in {PLAYING_SECONDS:.0f} s")
        age = max((loss.killed - each.time for each in lost), default=0.0)
        print(f"a point every {EVERY_SECONDS} s: {len(lost)} commands lost, of the last {age:.1f} s")
        print(f"{len(loss.crowd.gatherings) - kept} of {len(loss.crowd.gatherings)} tables lost")
        print(f"{watch}, services to the first command {seconds:.1f} s")
        print(f"{stored / commands:.0f} bytes a command in the store")


def open_own_kafka(folder: Path) -> KafkaServers:
    """Brokers that may be killed, with nothing in them."""
    try:
        return open_kafka(folder, is_own=True)
    except BrokersMissing as missing:
        need(str(missing))
