"""What messages that are made to be expensive cost the process that gets them."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from tests.attack.floods import FLOODS, GIANT_CALLS
from tests.attack.giants import GIANTS
from tests.attack.scene import MIB, Scene, Usage
from tests.host_process import HostProcess

SECONDS = 60.0
PROCESSOR_SECONDS = 1.0
MEMORY_BYTES = 50 * MIB
IDLE_SECONDS = 0.5
# Of processor time, in that time.
IDLE = 0.05


@pytest.fixture(scope="module")
def under_attack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Scene, Usage]]:
    """A host in a process of its own, with a game that nobody plays meanwhile."""
    environment = {"SIGNALBOX_ROUTING_WORKERS": "0", "SIGNALBOX_LOG_LEVEL": "error"}
    host = HostProcess(tmp_path_factory.mktemp("host"), environment)
    scene = Scene(host.addresses)
    yield scene, Usage(host.process.pid)
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
def test_a_hundred_giants_cost_little(under_attack: tuple[Scene, Usage], kind: str) -> None:
    """Compressed, of many elements or of long texts: under a second of processor time and 50 MB in all, and nothing is left
    behind."""
    scene, usage = under_attack
    wait_until_idle(usage)
    memory, processor = usage.memory_bytes(), usage.processor_seconds()
    with usage.measured():
        result = FLOODS[kind](scene.target, SECONDS)
    assert usage.processor_seconds() - processor < PROCESSOR_SECONDS
    assert usage.peak_bytes - memory < MEMORY_BYTES
    assert (result.tried, result.wrong) == (GIANT_CALLS, [])
    assert scene.check() == []
