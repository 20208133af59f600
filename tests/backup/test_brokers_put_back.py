"""Disks of brokers are put back to an earlier state as docs/operations.md says: topics keep their identity and end earlier."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from devtools.brokers.kafka import KafkaServers
from services.audit.kafka_check import check_kafka
from services.audit.sqlite_check import check_sqlite
from services.common.kafka.administration import apply_topics
from services.common.kafka.copyaside import SET_ASIDE
from services.common.kafka.offsets import ends
from services.common.kafka.topics import EVENTS
from services.common.process.exit_on_timeout import EXIT_HUNG
from services.host.processes import ClusterHost, Replica, Replicas
from tests.backup.drill import books_of, elsewhere
from tests.backup.test_drill import open_own_kafka
from tests.brokers import PARTITIONS
from tests.clusters import SETTINGS
from tests.integration.tables import Gathering, gather

pytestmark = [pytest.mark.integration, pytest.mark.soak]

SERVICES = Replicas(lobby=1, rules=2, routing=1, ledger=1)
SECONDS = 180.0
NOTICED = "Kafka has lost records that the copy has"


@dataclass(frozen=True, slots=True)
class Platform:
    """Brokers and services of which a test may do anything."""

    folder: Path
    servers: KafkaServers
    host: ClusterHost

    def back_up(self) -> None:
        """A copy of the brokers' data folders, while no broker runs."""
        for node in self.servers.nodes:
            node.stop()
            shutil.copytree(node.data, self._backup_of(node.node_id))
        self.start_brokers()

    def put_back(self) -> None:
        """The data folders as they were, whole; no broker runs afterwards."""
        for node in self.servers.nodes:
            node.stop()
            shutil.rmtree(node.data)
            shutil.copytree(self._backup_of(node.node_id), node.data)

    def start_brokers(self) -> None:
        """All of them."""
        for node in self.servers.nodes:
            node.start()

    def set_aside(self) -> list[str]:
        """The files of copies that were set aside."""
        return sorted(each.name for each in self.folder.glob(f"*{SET_ASIDE}*"))

    def _backup_of(self, node_id: int) -> Path:
        return self.folder / f"backup-{node_id}"


@pytest.fixture
def platform(tmp_path: Path) -> Iterator[Platform]:
    """Nothing of it runs but the brokers."""
    with open_own_kafka(tmp_path / "kafka") as servers:
        kafka = servers.settings(partitions=PARTITIONS)
        apply_topics(kafka)
        folder = tmp_path / "platform"
        host = ClusterHost(folder, kafka, replicas=SERVICES, settings=SETTINGS)
        try:
            yield Platform(folder, servers, host)
        finally:
            host.stop()


def until(holds: Callable[[], bool], what: str) -> None:
    """Wait for what other processes bring about."""
    end = time.monotonic() + SECONDS
    while not holds():
        assert time.monotonic() < end, what
        time.sleep(0.1)


def test_yesterdays_brokers_by_the_runbook(platform: Platform) -> None:
    """What was played since is gone but from the copies that were set aside, and games go on from where the brokers are."""
    host = platform.host
    host.start()
    gathering = gather(host.addresses, ("Ann", "Bob", "Cem"))
    gathering.play(10)
    kept = gathering.view()
    host.stop()
    platform.back_up()
    host.start()
    later = elsewhere(gathering, host.addresses)
    later.play(6)
    gather(host.addresses, ("Dora", "Eve", "Finn"))
    # The runbook, steps 1 to 6.
    host.stop()
    platform.put_back()
    books = books_of(host, platform.folder)
    for file in platform.folder.glob(f"{books.name}*"):
        file.unlink()
    platform.start_brokers()
    assert check_kafka(host.kafka).findings == []
    host.start()
    assert platform.set_aside() == [
        f"{each}.copy.db{SET_ASIDE}" for each in ("lobby-lobby-1", "rules-rules-1", "rules-rules-2")
    ]
    again = elsewhere(gathering, host.addresses)
    assert again.view() == kept
    again.play(9)
    gather(host.addresses, ("Gil", "Hal", "Ida")).play(2)
    until(lambda: check_kafka(host.kafka, books=books).findings == [], "books match the log")
    host.stop()
    for name in ("rules-rules-1", "rules-rules-2"):
        report = check_sqlite(platform.folder / f"{name}.copy.db{SET_ASIDE}")
        assert report.findings == [], name
        assert report.titles["1824"].games == 2, "what was lost, the later game with it"


def test_services_that_ran_meanwhile_notice_by_themselves(platform: Platform) -> None:
    """Others play on past the old end before the services are reached again: no offset is missing then, and only a comparison
    shows that the records are others. What begins it is the client's report of the lost connection."""
    host = platform.host
    host.start()
    gathering = gather(host.addresses, ("Ann", "Bob", "Cem"))
    gathering.play(4)
    host.stop()
    platform.back_up()
    host.start()
    elsewhere(gathering, host.addresses).play(4)
    old_ends = ends(host.kafka, [EVENTS])
    for each in host.replicas:
        each.process.pause()
    platform.put_back()
    platform.start_brokers()
    play_past_the_old_end(platform, gathering)
    assert all(offset >= old_ends[place] for place, offset in ends(host.kafka, [EVENTS]).items())
    for each in host.replicas:
        each.process.resume()
    for each in (each for each in host.replicas if each.service == "rules"):
        until(partial(has_noticed, each), f"{each.name} has noticed")
        assert each.process.wait_end(SECONDS) == EXIT_HUNG
        each.process.start()
    for each in host.replicas:
        if not each.process.is_running:
            each.process.start()
        each.wait_healthy()
    assert {f"rules-rules-{number}.copy.db{SET_ASIDE}" for number in (1, 2)} <= set(platform.set_aside())
    again = elsewhere(gathering, host.addresses)
    again.play(4)
    books = books_of(host, platform.folder)
    until(lambda: check_kafka(host.kafka, books=books).findings == [], "books match the log")


def play_past_the_old_end(platform: Platform, gathering: Gathering) -> None:
    """By other services over the same brokers, which are gone afterwards."""
    others = ClusterHost(
        platform.folder / "others", platform.host.kafka, replicas=SERVICES, settings=SETTINGS
    )
    (platform.folder / "others").mkdir()
    shutil.copy(platform.host.signing_key, others.signing_key)
    others.start()
    try:
        elsewhere(gathering, others.addresses).play(20)
    finally:
        others.stop()


def has_noticed(replica: Replica) -> bool:
    """Whether its log says so."""
    return NOTICED in replica.process.log.read_text(errors="replace")
