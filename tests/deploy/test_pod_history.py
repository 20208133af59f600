"""How the tests with a real control plane read what happened to pods."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.deploy.pod_history import PodEvent, events_of, fewest_serving, span_of


def pod(name: str, image: str = "old", ready: bool = True, going: bool = False) -> Any:
    """A pod of the service `rules`."""
    metadata: dict[str, Any] = {"name": name, "labels": {"app.kubernetes.io/name": "rules"}}
    if going:
        metadata["deletionTimestamp"] = "now"
    conditions = [{"type": "Ready", "status": "True" if ready else "False"}]
    return {
        "metadata": metadata,
        "spec": {"containers": [{"image": image}]},
        "status": {"conditions": conditions},
    }


ROLL = [
    PodEvent("ADDED", pod("rules-0", ready=False)),
    PodEvent("MODIFIED", pod("rules-0")),
    PodEvent("ADDED", pod("rules-1")),
    PodEvent("MODIFIED", pod("rules-1", going=True)),
    PodEvent("DELETED", pod("rules-1", going=True)),
    PodEvent("ADDED", pod("rules-1", "new", ready=False)),
    PodEvent("MODIFIED", pod("rules-1", "new")),
]


def test_fewest_pods_count_from_when_all_were_there() -> None:
    """While pods are first made there may be none; a pod that is about to go serves no longer."""
    assert fewest_serving(ROLL[:2], {"rules": 2}) == {}
    assert fewest_serving(ROLL[:3], {"rules": 2}) == {"rules": 2}
    assert fewest_serving(ROLL, {"rules": 2}) == {"rules": 1}


def test_two_pods_away_at_once_are_seen() -> None:
    """One pod goes before the other one is back."""
    events = [*ROLL[:4], PodEvent("MODIFIED", pod("rules-0", ready=False)), *ROLL[4:]]
    assert fewest_serving(events, {"rules": 2}) == {"rules": 0}


def test_the_span_of_a_roll_ends_when_its_last_pod_is_ready() -> None:
    """It begins with the first new pod."""
    assert span_of(ROLL, "rules", "new") == (5, 6)


def test_an_event_that_is_still_being_written_is_left_out(tmp_path: Path) -> None:
    """All before it are read."""
    log = tmp_path / "pods.json"
    whole = json.dumps({"type": "ADDED", "object": pod("rules-0")}, indent=4)
    log.write_text(f"{whole}\n{whole[:-40]}")
    assert [each.name for each in events_of(log)] == ["rules-0"]
