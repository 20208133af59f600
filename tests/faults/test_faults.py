"""A few faults of every kind while games are played; `make faults` does many."""

from __future__ import annotations

from pathlib import Path

import pytest

from devtools.brokers.missing import BrokersMissing
from tests.brokers import need
from tests.faults.plan import SHARED_KINDS
from tests.faults.run import Scale, run

pytestmark = pytest.mark.integration

SEED = 8064
DEATHS = 6
DISTURBANCES = 2


@pytest.mark.parametrize("copies", [0, pytest.param(2, marks=pytest.mark.soak)])
def test_nothing_acknowledged_is_lost_or_doubled(tmp_path: Path, copies: int) -> None:
    """Some kills and disturbances: every acknowledged command is in the log once, and the books agree. Where replicas keep a
    part of the log each, no answer is too old."""
    kinds = SHARED_KINDS if copies else None
    try:
        outcome = run(Scale(SEED, DEATHS, DISTURBANCES, kinds, copies=copies), tmp_path, print)
    except BrokersMissing as error:
        need(str(error))
    print(*outcome.lines(), sep="\n")
    assert outcome.failures == []
    assert outcome.kills >= DEATHS
    assert outcome.acknowledged > 50
    assert bool(outcome.answers_read) == bool(copies) == bool(outcome.archived)
