"""What is played on a node, from its start to an upgrade under way."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from services.host.children import Child
from tests.deploy.node import configuration
from tests.deploy.node.endings import endings
from tests.deploy.node.games import play_while
from tests.deploy.node.node import Node
from tests.deploy.node.overlay import NAMESPACE, OURS, render, wait_until_ready, write_overlay
from tests.deploy.node.walls import breaches
from tests.deploy.operators_page import type_in, upgrade_commands
from tests.deploy.pod_history import events_of, is_ready
from tests.deploy.rendered import Rendered

REPOSITORY = Path(__file__).parents[3]
IMAGE = "docker.io/library/signalbox"
NEXT_TAG = "next"
PARTITIONS = "SIGNALBOX_KAFKA_PARTITIONS"
ROLL_SECONDS = 1_800.0
DEMO_SECONDS = 900.0
Say = Callable[[str], None]


def play(place: Path, folder: Path, rules: int, say: Say) -> list[str]:
    """Play all of it with so many replicas of rules; everything that was not as it should be, in words."""
    with ExitStack() as running:
        node = Node(place, folder)
        node.start(running)
        Path("/etc/resolv.conf").write_text(configuration.resolver(NAMESPACE), encoding="ascii")
        (described,) = node.kubectl.items("nodes")
        info = described["status"]["nodeInfo"]
        say(f"node ready: kubelet {info['kubeletVersion']}, {info['containerRuntimeVersion']}")
        overlay = _install(node, folder, rules, say)
        problems = _try_walls(node, say)
        problems += _demo(say)
        problems += _roll(node, overlay, folder, rules, running, say)
        return problems


def _install(node: Node, folder: Path, rules: int, say: Say) -> Rendered:
    """As the operators' page says for a first start: namespace, secrets, everything else."""
    kubectl, began = node.kubectl, time.monotonic()
    chosen = write_overlay(folder / "before", REPOSITORY, _tag(), rules)
    overlay = render(kubectl, chosen)
    k8s = REPOSITORY / "deploy" / "k8s"
    kubectl("apply", "-f", str(k8s / "overlays" / "laptop" / "namespace.yaml"))
    program = f"{sys.executable} -m services.cli"
    made = subprocess.run(
        ["bash", str(k8s / "secrets.sh")],
        env={**os.environ, "SIGNALBOX": str(_script(folder, program))},
        check=True,
        capture_output=True,
        text=True,
    )
    kubectl("apply", OURS, "-f", "-", given=made.stdout)
    kubectl("apply", "-k", str(chosen))
    wait_until_ready(kubectl, overlay)
    pods = kubectl.items("pods", OURS)
    ended = {each["metadata"]["name"]: _restarts(each) for each in pods if _restarts(each)}
    say(f"{len(overlay.documents)} objects applied and all pods ready after {time.monotonic() - began:.0f} s")
    say(f"started more than once until then: {ended or 'none'}")
    return overlay


def _script(folder: Path, command: str) -> Path:
    path = folder / "signalbox"
    path.write_text(f'#!/bin/sh\nexec {command} "$@"\n', encoding="utf-8")
    path.chmod(0o755)
    return path


def _tag() -> str:
    """Of our image, as the manifests name it."""
    text = (REPOSITORY / "deploy/k8s/components/images/kustomization.yaml").read_text(encoding="utf-8")
    return text.partition("name: signalbox\n    newTag: ")[2].split()[0]


def _restarts(pod: Any) -> int:
    return sum(int(each["restartCount"]) for each in pod["status"].get("containerStatuses", []))


def _serving(node: Node) -> list[Any]:
    return [each for each in node.kubectl.items("pods", OURS) if is_ready(each)]


def _try_walls(node: Node, say: Say) -> list[str]:
    pods = _serving(node)
    problems = [each for pod in pods for each in breaches(node.kubectl, pod)]
    say(f"walls of {len(pods)} containers tried: {len(problems)} breaches")
    return problems


def _demo(say: Say) -> list[str]:
    """`signalbox demo` as a player of this platform would see it."""
    began = time.monotonic()
    places = ["--lobby", "lobby:8401", "--rules", "rules:8402", "--ledger", "ledger:8404"]
    done = subprocess.run(
        [sys.executable, "-m", "services.cli", "demo", "--host", "running", *places],
        capture_output=True,
        text=True,
        timeout=DEMO_SECONDS,
        check=False,
    )
    for line in done.stdout.splitlines():
        if line.startswith(("over after", "ledger", "the state")):
            say(f"demo: {line}")
    say(f"demo: exit {done.returncode} after {time.monotonic() - began:.0f} s")
    return [] if done.returncode == 0 else [f"signalbox demo: {done.stdout[-2000:]}{done.stderr[-2000:]}"]


def _roll(node: Node, overlay: Rendered, folder: Path, rules: int, running: ExitStack, say: Say) -> list[str]:
    """The commands of "Upgrade without downtime" while bots play."""
    node.images("tag", "--force", f"{IMAGE}:{_tag()}", f"{IMAGE}:{NEXT_TAG}")
    newer = write_overlay(folder / "after", REPOSITORY, NEXT_TAG, rules)
    log = folder / "pods.json"
    watch = [str(node.kubectl.program), "get", "pods", OURS, "--watch", "--output-watch-events", "-o", "json"]
    watching = Child("watch", watch, log, node.kubectl.environment)
    running.callback(watching.stop)
    watching.start()

    def upgrade() -> None:
        commands = upgrade_commands(REPOSITORY).replace("deploy/k8s/overlays/production", str(newer))
        script = f'#!/bin/sh\nexec {node.kubectl.program} "$@"\n'
        typed = folder / "typed"
        typed.mkdir()
        began = time.monotonic()
        type_in(commands, script, REPOSITORY / "deploy", typed, node.kubectl.environment, ROLL_SECONDS)
        wait_until_ready(node.kubectl, render(node.kubectl, newer))
        say(f"rolled after {time.monotonic() - began:.0f} s")

    played = play_while(upgrade, int(overlay.config_map("signalbox")[PARTITIONS]))
    say(f"games meanwhile: {played}")
    events = list(events_of(log))
    ended = list(endings(events))
    for each in ended:
        say(f"{each.pod} ended with {each.exit_code} after {each.seconds:.0f} of {each.grace_seconds:.0f} s")
    killed = [f"{each.pod} ended with {each.exit_code}" for each in ended if each.exit_code != 0]
    old = [
        pod["metadata"]["name"]
        for pod in _serving(node)
        if pod["spec"]["containers"][0]["image"].endswith(f"signalbox:{_tag()}")
    ]
    return [*played.problems, *killed, *(f"{each} was not rolled" for each in old)]
