"""What messages that are made to be expensive cost the process that gets them."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.attack.floods import FLOODS, GIANT_CALLS
from tests.attack.giants import GIANTS
from tests.attack.scene import MIB, Scene, Usage
from tests.host_process import HostProcess

pytestmark = pytest.mark.integration

SECONDS = 60.0
# Half a second to one; to unpack a single one takes nearly half a second.
PROCESSOR_SECONDS = 3.0
# Eight messages of 4 MB are on their way at once, in buffers of both ends' transport; a single one that is unpacked takes 200 MB.
MEMORY_BYTES = 100 * MIB
IDLE_SECONDS = 0.5
# Of processor time, in that time.
IDLE = 0.05


@dataclass(frozen=True, slots=True)
class Attacked:
    """A host with a game that nobody plays meanwhile, what it uses of the machine, and where it writes its log."""

    scene: Scene
    usage: Usage
    log: Path


@pytest.fixture(scope="module")
def under_attack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attacked]:
    """In a process of its own."""
    environment = {"SIGNALBOX_ROUTING_WORKERS": "0", "SIGNALBOX_LOG_LEVEL": "error"}
    host = HostProcess(tmp_path_factory.mktemp("host"), environment)
    scene = Scene(host.addresses)
    yield Attacked(scene, Usage(host.process.pid), host.log)
    host.end()


def wait_until_idle(usage: Usage) -> None:
    """Until the process does nothing of its own any more."""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        before = usage.processor_seconds()
        time.sleep(IDLE_SECONDS)
        if usage.processor_seconds() - before < IDLE:
            return
    pytest.fail("the host does not come to rest")


@pytest.mark.parametrize("kind", GIANTS)
def test_a_hundred_giants_cost_little(under_attack: Attacked, kind: str) -> None:
    """Compressed, of many elements or of long texts: little processor time and memory in all, and no line in the log."""
    scene, usage = under_attack.scene, under_attack.usage
    wait_until_idle(usage)
    logged = under_attack.log.stat().st_size
    memory, processor = usage.memory_bytes(), usage.processor_seconds()
    with usage.measured():
        result = FLOODS[kind](scene.target, SECONDS)
    assert usage.processor_seconds() - processor < PROCESSOR_SECONDS
    assert usage.peak_bytes - memory < MEMORY_BYTES
    assert under_attack.log.stat().st_size == logged
    assert (result.tried, result.wrong) == (GIANT_CALLS, [])
    assert scene.check() == []
