"""The way to a new version: the commands of the operators' page, run with a cluster that records its calls."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from tests.deploy.operators_page import type_in, upgrade_commands

# Renders as the real one does; of what is applied it keeps each call's documents, of all else the words.
KUBECTL = """#!/bin/sh
if [ "$1" = kustomize ]; then shift; exec {render} "$@"; fi
number=$(ls "$CALLS" | wc -l)
if [ "$1 $2" = "apply -f" ]; then cat; else echo "said: $*"; fi > "$CALLS/$(printf %03d "$number")"
"""
BEFORE_ALL = {"Certificate", "ConfigMap", "KafkaUser", "NetworkPolicy", "Service", "ServiceAccount"}


@pytest.fixture
def calls(repository: Path, kustomize: list[str], tmp_path: Path) -> list[str]:
    """The calls of the cluster, in order."""
    calls = tmp_path / "calls"
    calls.mkdir()
    kubectl = KUBECTL.format(render=" ".join(kustomize))
    type_in(upgrade_commands(repository), kubectl, repository / "deploy", tmp_path, {"CALLS": str(calls)})
    return [each.read_text(encoding="utf-8") for each in sorted(calls.iterdir())]


def applied(call: str) -> list[tuple[str, str]]:
    """Kind and name of each object of a call."""
    objects = [] if call.startswith("said: ") else [each for each in yaml.safe_load_all(call) if each]
    return [(each["kind"], each["metadata"]["name"]) for each in objects]


def test_what_a_version_needs_is_there_before_it(calls: list[str]) -> None:
    """Rights and settings first, then topics, then the services in their order, each whole; all else at the end."""
    assert {kind for kind, _ in applied(calls[0])} == BEFORE_ALL
    orders = [found[0] if (found := applied(call)) else call.split()[-1] for call in calls[1:]]
    assert orders == [
        ("Deployment", "operator"),
        "--replicas=1",
        "deployment/operator",
        "apply",
        ("Deployment", "routing"),
        "--timeout=30m",
        ("StatefulSet", "ledger"),
        "--timeout=30m",
        ("StatefulSet", "lobby"),
        "--timeout=30m",
        ("StatefulSet", "rules"),
        "--timeout=30m",
        "--ignore-not-found",
        "deploy/k8s/overlays/production",
    ]
    assert all(len(applied(call)) <= 1 for call in calls[1:])
