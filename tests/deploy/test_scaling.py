"""Routing is scaled by what it exports, and as docs/operations.md says: the queries of the manifest, evaluated by Prometheus, and
what a HorizontalPodAutoscaler makes of them."""

from __future__ import annotations

import math
import re
import subprocess
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client import CollectorRegistry

from services.common.settings.service import Settings
from services.routing.bootstrap import RoutingRuntime
from tests.deploy.exported import exported, series_in
from tests.deploy.rendered import Rendered

QUEUE, BUSY = "signalbox_routing_queue_length", "signalbox_routing_solving_seconds_sum"
# A HorizontalPodAutoscaler looks every 15 s and leaves alone what is within a tenth of what it should be.
SYNC_SECONDS, TOLERANCE = 15, 0.1
WORKERS = 2
ROW = re.compile(r"^\| (\d+) \| ([\d.]+) \| (\d+) \|$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Scaler:
    """What the manifest asks for."""

    least: int
    most: int
    queries: dict[str, str]
    thresholds: dict[str, float]
    down_every: int
    stable_seconds: int

    def wanted(self, replicas: int, values: dict[str, float]) -> int:
        """Pods for these values of the queries: of each as many as share it out, the most of them."""
        each = [self._for(replicas, value, self.thresholds[name]) for name, value in values.items()]
        return min(self.most, max(self.least, *each))

    @staticmethod
    def _for(replicas: int, value: float, threshold: float) -> int:
        if abs(value / (threshold * replicas) - 1) <= TOLERANCE:
            return replicas
        return math.ceil(value / threshold)


@pytest.fixture
def scaled_object(production: Rendered) -> Any:
    """The ScaledObject of production."""
    (scaled,) = production.of_kind("ScaledObject")
    return scaled


@pytest.fixture
def scaler(scaled_object: Any) -> Scaler:
    """The same as figures."""
    spec = scaled_object["spec"]
    down = spec["advanced"]["horizontalPodAutoscalerConfig"]["behavior"]["scaleDown"]
    (policy,) = down["policies"]
    assert (policy["type"], policy["value"]) == ("Pods", 1)
    metadata = [trigger["metadata"] for trigger in spec["triggers"]]
    of_series = {next(iter(series_in(each["query"]))): each for each in metadata}
    return Scaler(
        spec["minReplicaCount"],
        spec["maxReplicaCount"],
        {name: each["query"] for name, each in of_series.items()},
        {name: float(each["threshold"]) for name, each in of_series.items()},
        policy["periodSeconds"],
        down["stabilizationWindowSeconds"],
    )


def test_it_asks_for_what_routing_exports(
    scaled_object: Any, scaler: Scaler, production: Rendered, repository: Path
) -> None:
    """Of the Prometheus of the overlay, and scales routing alone."""
    spec = scaled_object["spec"]
    assert spec["scaleTargetRef"]["name"] == "routing"
    assert "replicas" not in production.workload("routing").document["spec"]
    assert scaler.least < scaler.most
    assert set(scaler.queries) == {QUEUE, BUSY} <= exported(repository)
    services = {each["metadata"]["name"]: each for each in production.of_kind("Service")}
    for trigger in spec["triggers"]:
        host, _, port = trigger["metadata"]["serverAddress"].removeprefix("http://").partition(":")
        name, _, namespace = host.partition(".")
        assert namespace == scaled_object["metadata"]["namespace"] + ".svc"
        assert int(port) in {each["port"] for each in services[name]["spec"]["ports"]}


def test_the_registry_of_a_service_has_both_series() -> None:
    """From its beginning, so that the queries have a value while nothing was asked yet."""
    registry = CollectorRegistry()
    RoutingRuntime(Settings(routing_workers=0), registry)
    names = {sample.name for metric in registry.collect() for sample in metric.samples}
    assert {QUEUE, BUSY} <= names


def test_every_look_finds_two_samples(scaler: Scaler, repository: Path) -> None:
    """The windows of the queries hold two samples at least, for a rate needs two."""
    settings = yaml.safe_load((repository / "deploy" / "prometheus" / "prometheus.yml").read_text("utf-8"))
    interval = int(settings["global"]["scrape_interval"].removesuffix("s"))
    for query in scaler.queries.values():
        (number, unit) = re.findall(r"\[(\d+)([sm])\]", query)[0]
        assert int(number) * (60 if unit == "m" else 1) >= 2 * interval


def evaluated(promtool: str, query: str, series: dict[str, str], expected: float, folder: Path) -> None:
    """Prometheus gives `expected` for the query after five minutes of these series, one sample every 10 s."""
    test = {
        "evaluation_interval": "10s",
        "tests": [
            {
                "interval": "10s",
                "input_series": [{"series": name, "values": text} for name, text in series.items()],
                "promql_expr_test": [
                    {
                        "expr": f"round({query}, 0.001)",
                        "eval_time": "5m",
                        "exp_samples": [{"labels": "{}", "value": expected}],
                    }
                ],
            }
        ],
    }
    file = folder / "query.yaml"
    file.write_text(yaml.safe_dump(test), encoding="utf-8")
    done = subprocess.run([promtool, "test", "rules", str(file)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_queries_add_up_all_pods(promtool: str, scaler: Scaler, tmp_path: Path) -> None:
    """Questions that wait in three pods; workers at work, of which one pod has two all the time and one half of one."""
    pods = {
        f'{QUEUE}{{instance="{name}"}}': f"{length}x60" for name, length in (("a", 0), ("b", 5), ("c", 7))
    }
    evaluated(promtool, scaler.queries[QUEUE], pods, 12, tmp_path)
    busy = {f'{BUSY}{{instance="a"}}': "0+20x60", f'{BUSY}{{instance="b"}}': "100+5x60"}
    evaluated(promtool, scaler.queries[BUSY], busy, 2.5, tmp_path)


def test_pods_are_those_of_the_documentation(scaler: Scaler, repository: Path) -> None:
    """The table in docs/operations.md: questions waiting and workers at work, and how many pods there will be."""
    rows = ROW.findall((repository / "docs" / "operations.md").read_text(encoding="utf-8"))
    assert len(rows) >= 6
    for waiting, busy, pods in rows:
        values = {QUEUE: float(waiting), BUSY: float(busy)}
        assert scaler.wanted(1, values) == int(pods), (waiting, busy)


def replicas_under(load: list[float], scaler: Scaler) -> tuple[list[int], list[float]]:
    """Pods and waiting work (seconds of a worker) every 15 s under a load in workers, as the autoscaler sets them."""
    replicas, backlog = scaler.least, 0.0
    busy_minute: deque[float] = deque(maxlen=60 // SYNC_SECONDS)
    recent: deque[int] = deque(maxlen=scaler.stable_seconds // SYNC_SECONDS)
    pods, waiting, last_down = [], [], 0
    for step, wanted_work in enumerate(load):
        arriving, capacity = wanted_work * SYNC_SECONDS, replicas * WORKERS * SYNC_SECONDS
        done = min(backlog + arriving, capacity)
        backlog += arriving - done
        busy_minute.append(done / SYNC_SECONDS)
        # Questions of 10 ms each; what a queue does not hold is refused.
        queue = min(backlog / 0.01, 128.0 * replicas)
        backlog = min(backlog, queue * 0.01)
        recent.append(scaler.wanted(replicas, {QUEUE: queue, BUSY: sum(busy_minute) / len(busy_minute)}))
        now = step * SYNC_SECONDS
        if recent[-1] > replicas:
            replicas = recent[-1]
        elif max(recent) < replicas and now - last_down >= scaler.down_every:
            replicas, last_down = replicas - 1, now
        pods.append(replicas)
        waiting.append(backlog)
    return pods, waiting


@pytest.mark.parametrize("load", [0.5, 4.0, 9.3, 15.0])
def test_pods_settle_and_go_again(scaler: Scaler, load: float) -> None:
    """Under an even load there are soon enough pods, then always the same, with 1.4 busy workers each; later the least."""
    hour = 3600 // SYNC_SECONDS
    pods, waiting = replicas_under([load] * hour + [0.0] * hour, scaler)
    enough = max(scaler.least, math.ceil(load / WORKERS))
    assert min(pods[4:hour]) >= enough
    assert max(waiting[8:hour]) < 1e-9
    settled = set(pods[hour // 2 : hour])
    assert len(settled) == 1
    assert (
        abs(settled.pop() - max(scaler.least, load / scaler.thresholds[BUSY])) <= 1 + TOLERANCE * scaler.most
    )
    assert pods[-1] == scaler.least
