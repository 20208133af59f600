"""A few faults of every kind while games are played; `make faults` does many."""

from __future__ import annotations

from pathlib import Path

import pytest

from devtools.brokers.missing import BrokersMissing
from tests.brokers import need
from tests.faults.run import Scale, run

pytestmark = pytest.mark.integration

SEED = 8064
DEATHS = 6
DISTURBANCES = 2


def test_nothing_acknowledged_is_lost_or_doubled(tmp_path: Path) -> None:
    """Some kills and disturbances: every acknowledged command is in the log once, and the books agree."""
    try:
        outcome = run(Scale(SEED, DEATHS, DISTURBANCES), tmp_path, print)
    except BrokersMissing as error:
        need(str(error))
    print(*outcome.lines(), sep="\n")
    assert outcome.failures == []
    assert outcome.kills >= DEATHS
    assert outcome.acknowledged > 50
