"""A short seeded fuzz of every service: no error of ours, nothing changed by what was refused, nothing lost or doubled."""

from __future__ import annotations

import random
from pathlib import Path

import grpc
import pytest

from tests.attack.fuzz import ask_again, send_inputs
from tests.attack.giants import (
    ENVELOPE_BYTES,
    UNPACKED_BYTES,
    empty_elements,
    fitting,
    long_strings,
    unpacked,
)
from tests.attack.inputs import inputs
from tests.attack.plan import DETAILS_MAX, Result, Target
from tests.attack.scene import Scene
from tests.attack.surface import all_methods
from tests.hosting import hosting

COUNT = 1_000
SEED = 20_260_101


@pytest.mark.integration
def test_inputs_of_all_kinds(tmp_path: Path) -> None:
    """1,000 of those that `make attack` sends, while an honest player plays."""
    with hosting(tmp_path) as host:
        scene = Scene(host.addresses)
        scene.honest.start()
        result, effects = send_inputs(scene.target, inputs(scene.target, COUNT, SEED))
        scene.effects.add(effects)
        _, effects = ask_again(scene.target, scene.effects.unknown)
        scene.effects.add(effects)
        scene.honest.stop()
        assert (result.wrong, scene.check()) == ([], [])
        assert result.tried == COUNT
        assert scene.honest.seconds
        check_that_checks_find(scene)


def check_that_checks_find(scene: Scene) -> None:
    """What was acknowledged and is not in the log is found, and so is what nobody acknowledged."""
    (game_id, known), *_ = scene.honest.acknowledged.items()
    known[max(known)] = b"something else"
    scene.effects.sequences.add((scene.target.sequence + 1, scene.target.sequence + 1))
    scene.effects.tables[scene.target.table_id] -= 1
    found = "\n".join(scene.check())
    assert f"game {game_id}: acknowledged events" in found
    assert "acknowledged were" in found
    assert f"table {scene.target.table_id} has version" in found


NOWHERE = Target("a", "b", "c", "d", {}, "game", 7, "table", "player", "name")


def test_inputs_reach_everything_and_are_drawn_from_the_seed() -> None:
    """Every method and every field gets its special values, and the same seed gives the same inputs."""
    made = inputs(NOWHERE, 20_000, 1)
    assert {(each.service, each.method) for each in made} == {
        (method.service, method.name) for method in all_methods()
    }
    assert {each.role for each in made} == {"anonymous", "forged", "stranger", "player"}
    assert made == inputs(NOWHERE, 20_000, 1)
    assert made != inputs(NOWHERE, 20_000, 2)
    assert len({each.content for each in random.Random(1).sample(made, 1_000)}) > 600


def test_giants_are_what_they_are_called() -> None:
    """Each can be parsed, is close to the largest message there is, or fits its method."""
    made = empty_elements(unpacked)
    assert {method.service for method, _ in made} >= {"lobby", "rules", "routing"}
    for method, content in made[:3]:
        assert UNPACKED_BYTES - ENVELOPE_BYTES < len(content) < 4 * 1024 * 1024
        assert method.request().ParseFromString(content) == len(content)
    for method, content in (*empty_elements(fitting), *long_strings(fitting)):
        assert method.limits.bytes - 2 * ENVELOPE_BYTES < len(content) <= method.limits.bytes


@pytest.mark.parametrize(
    ("status", "details", "is_wrong"),
    [
        (grpc.StatusCode.INVALID_ARGUMENT, "no", False),
        (grpc.StatusCode.INTERNAL, "", True),
        (grpc.StatusCode.UNKNOWN, "", True),
        (grpc.StatusCode.NOT_FOUND, "x" * (DETAILS_MAX + 1), True),
    ],
)
def test_what_counts_as_wrong(status: grpc.StatusCode, details: str, is_wrong: bool) -> None:
    """Errors of ours, and statuses that repeat what they were given."""
    result = Result()
    result.count(status, details, "call")
    assert (result.tried, result.refused, bool(result.wrong)) == (1, 1, is_wrong)
