"""Plans of faults."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from services.common.process.crashpoints import POINTS as KNOWN_POINTS
from tests.faults.cluster import INSIDE_VARIABLE
from tests.faults.kinds.partitions import cuts, one_way
from tests.faults.plan import (
    ANY_MOMENT,
    ARCHIVE_POINTS,
    ISOLATED_KINDS,
    KINDS,
    LONG,
    LONG_SECONDS,
    POINTS,
    SECONDS,
    SHARED_ISOLATED_KINDS,
    SHARED_KINDS,
    Kind,
    kinds_for,
    make_plan,
)

PROCESSES = {
    "rules": ("rules-1", "rules-2"),
    "ledger": ("ledger-1",),
    "lobby": ("lobby-1",),
    "routing": ("routing-1",),
}


def test_a_seed_is_a_plan() -> None:
    """The same seed plans the same faults, another one others."""
    assert make_plan(1, 60, 8, PROCESSES) == make_plan(1, 60, 8, PROCESSES)
    assert make_plan(1, 60, 8, PROCESSES) != make_plan(2, 60, 8, PROCESSES)


def test_a_long_plan_comes_by_everywhere() -> None:
    """So many deaths as wished, every process and every point of the code among them, and every disturbance."""
    plan = make_plan(5, 300, 2 * len(KINDS), PROCESSES)
    assert sum(map(len, plan.deaths.values())) == 300
    assert all(plan.deaths[name] for names in PROCESSES.values() for name in names)
    points = {death.point for deaths in plan.deaths.values() for death in deaths}
    assert points == {point for of_service in POINTS.values() for point in of_service} | {ANY_MOMENT}
    assert Counter(each.kind for each in plan.disturbances) == dict.fromkeys(KINDS, 2)


@pytest.mark.parametrize("is_isolated", [False, True])
def test_faults_between_replicas_with_parts_of_the_log_are_planned_where_there_are_such(
    is_isolated: bool,
) -> None:
    """Those of the network only in one of the run's own."""
    whole, shared = (kinds_for(is_isolated, is_shared=each) for each in (False, True))
    assert set(shared) - set(whole) == {*SHARED_KINDS, *(SHARED_ISOLATED_KINDS if is_isolated else ())}
    assert len(set(shared)) == len(shared) and set(whole) >= set(KINDS)
    plan = make_plan(5, 10, len(shared), PROCESSES, shared)
    for disturbance in plan.disturbances:
        least, most = SECONDS.get(disturbance.kind, (0.0, float("inf")))
        assert least <= disturbance.seconds <= most


def test_kinds_that_need_their_own_network_are_planned_where_it_is_there() -> None:
    """Each as often as any other, and some of them last longer than a session."""
    kinds = KINDS + ISOLATED_KINDS
    plan = make_plan(5, 10, 2 * len(kinds), PROCESSES, kinds)
    assert Counter(each.kind for each in plan.disturbances) == dict.fromkeys(kinds, 2)
    least, most = LONG_SECONDS
    assert all(least <= each.seconds <= most for each in plan.disturbances if each.kind in LONG)


@pytest.mark.parametrize(
    ("kind", "number", "within"),
    [
        ("cut off broker", 12, {"b1"}),
        ("cut broker from brokers", 4, {"b1"}),
        ("cut off rules", 6, {"r1"}),
        ("cut answers to rules", 3, {"r1"}),
        ("cut rules from broker", 2, {"b1", "r1"}),
        ("cut rules from redis", 2, {"r1", "redis"}),
    ],
)
def test_a_cut_concerns_the_chosen_place_only(kind: Kind, number: int, within: set[str]) -> None:
    """All others hear each other as before."""
    found = cuts(kind, "b1", ("b1", "b2", "b3"), "r1", ("outside", "redis", "r2"))
    assert len(set(found)) == len(found) == number
    assert all(within & set(cut) for cut in found)


@pytest.mark.parametrize(("is_deaf", "source"), [(False, "r1"), (True, "r2")])
def test_a_cut_in_one_direction_leaves_the_other(is_deaf: bool, source: str) -> None:
    """Between one replica and all others."""
    found = one_way("r1", ("r2", "r3"), is_deaf)
    assert len(found) == 2 and {"r1", source} <= {*found[0]} and found[0][0] == source
    assert {other for cut in found for other in cut} == {"r1", "r2", "r3"}


def test_planned_points_exist_and_all_are_planned() -> None:
    """The code's points and the plan's are the same, but for taking out of the archive and for snapshots of partitions:
    `tests/rules/archive` and `tests/common/partition_snapshots` meet those."""
    planned = {point for of_service in POINTS.values() for point in of_service}
    reached = {point for point in KNOWN_POINTS if not point.startswith(("archive.after-live", "partition."))}
    assert {*planned, *ARCHIVE_POINTS} - {ANY_MOMENT} == reached


@pytest.mark.parametrize("has_archive", [False, True])
def test_owners_die_while_they_archive_where_there_is_an_archive(has_archive: bool) -> None:
    """At each of its points, in rules alone."""
    plan = make_plan(5, 300, 0, PROCESSES, has_archive=has_archive)
    met = {(name[:5], each.point) for name, deaths in plan.deaths.items() for each in deaths}
    met = {each for each in met if each[1].startswith("archive.")}
    assert met == ({("rules", point) for point in ARCHIVE_POINTS} if has_archive else set())


def test_a_clock_jumps_as_its_file_says(tmp_path: Path) -> None:
    """A process on whose path the folder stands reads the offset whenever it asks for the time."""
    (tmp_path / "rules-1.clock").write_text("-86400")
    environment = os.environ | {
        "PYTHONPATH": str(Path(__file__).with_name("inside")),
        INSIDE_VARIABLE: str(tmp_path),
        "SIGNALBOX_KAFKA_INSTANCE": "rules-1",
    }
    printed = subprocess.run(
        [sys.executable, "-c", "import time; print(time.time_ns())"],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert -86_460 < int(printed) / 1e9 - time.time() < -86_340
