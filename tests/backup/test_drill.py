"""A platform is lost and restored: games go on from a state that they had, and no more is lost than came after the last point."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

import pytest

from devtools.brokers.kafka import KafkaServers
from devtools.brokers.missing import BrokersMissing
from devtools.brokers.opening import open_kafka
from services.audit.kafka_check import check_kafka
from services.backup.backup import Backup
from services.backup.contents import FACTS
from services.backup.restore import restore
from services.client import Lobby
from services.common.kafka.administration import apply_topics
from services.common.kafka.settings import KafkaSettings
from services.common.objectstore.folder import FolderStore
from services.common.redis.settings import RedisSettings
from services.host.processes import ClusterHost, Replicas
from tests.backup.drill import Crowd, backing_up, books_of, elsewhere, last_sequences
from tests.backup.records import command, in_kafka
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


@pytest.mark.soak
def test_all_brokers_are_lost_while_people_play(
    redis_address: str, redis_prefix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A backup runs, everything is killed, brokers are wiped: prints how much is lost and how long it takes to play again."""
    store = f"folder:{tmp_path / 'store'}"
    with open_own_kafka(tmp_path / "kafka") as servers:
        kafka = servers.settings(partitions=PARTITIONS)
        apply_topics(kafka)
        folder = tmp_path / "lost"
        host = ClusterHost(
            folder, kafka, RedisSettings(address=redis_address, key_prefix=redis_prefix), settings=SETTINGS
        )
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
        truth = in_kafka(kafka, FACTS)
    began = time.monotonic()
    with open_own_kafka(tmp_path / "kafka") as servers:
        kafka = servers.settings(partitions=PARTITIONS)
        brokers_up = time.monotonic()
        ended = command(kafka, "restore", "--store", store)
        assert ended.returncode == 0, ended.stderr
        restored = time.monotonic()
        found = in_kafka(kafka, FACTS)
        assert all(records == truth[source][: len(records)] for source, records in found.items())
        sequences = last_sequences(found)
        lost = crowd.lost(sequences)
        assert all(each.time > point_time for each in lost)
        checked = time.monotonic()
        assert check_kafka(kafka).findings == []
        starting = time.monotonic()
        folder = tmp_path / "restored"
        again = restored_host(folder, kafka, host.signing_key, redis_address, f"{redis_prefix}new:")
        again.start()
        try:
            kept = [
                elsewhere(each, again.addresses) for each in crowd.gatherings if each.game_id in sequences
            ]
            kept[0].move()
            playing = time.monotonic()
            for gathering in kept:
                assert gathering.view().sequence >= sequences[gathering.game_id]
                assert Lobby(again.addresses.lobby, gathering.anybody().token).table(gathering.table.table_id)
                gathering.play(2)
            gather(again.addresses, ("Gus", "Hal", "Ida")).play(2)
            report = check_kafka(kafka, books=books_of(again, folder))
            assert report.findings == []
        finally:
            again.stop()
    with capsys.disabled():
        print(
            f"\n{len(crowd.acknowledged)} commands acknowledged at {len(crowd.gatherings)} tables in {PLAYING_SECONDS:.0f} s, "
            f"a point every {EVERY_SECONDS} s: {len(lost)} commands lost, of the last "
            f"{max((killed - each.time for each in lost), default=0):.1f} s; "
            f"{len(crowd.gatherings) - len(kept)} tables lost. Brokers up after {brokers_up - began:.1f} s, "
            f"restored after another {restored - brokers_up:.1f}, verified after {starting - checked:.1f}, "
            f"first command after {playing - starting:.1f}"
        )


def open_own_kafka(folder: Path) -> KafkaServers:
    """Brokers that may be killed, with nothing in them."""
    try:
        return open_kafka(folder, is_own=True)
    except BrokersMissing as missing:
        need(str(missing))
