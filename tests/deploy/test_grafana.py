"""Dashboards: what they show exists, and they find what they need."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.deploy.exported import exported, series_in
from tests.deploy.rendered import Rendered

FOLDER = Path(__file__).resolve().parents[2] / "deploy" / "grafana"
BOARDS = sorted((FOLDER / "dashboards").glob("*.json"))


def read(path: Path) -> Any:
    """A dashboard."""
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", BOARDS, ids=lambda path: path.stem)
def test_dashboards_show_metrics_that_exist(repository: Path, path: Path) -> None:
    """Every series on a dashboard is exported by the code, and every panel has a name of its own and shows something."""
    known = exported(repository)
    board = read(path)
    for panel in board["panels"]:
        assert panel["targets"], panel["title"]
        for target in panel["targets"]:
            used = series_in(target["expr"])
            assert used and used <= known, f"{panel['title']}: {sorted(used - known)}"
    titles = [panel["title"] for panel in board["panels"]]
    assert len(set(titles)) == len(titles)


def test_dashboards_find_their_source() -> None:
    """All panels ask the one source that is provisioned, and no two dashboards are the same to Grafana."""
    text = (FOLDER / "provisioning" / "datasources.yaml").read_text(encoding="utf-8")
    (source,) = yaml.safe_load(text)["datasources"]
    asked = {panel["datasource"]["uid"] for path in BOARDS for panel in read(path)["panels"]}
    assert asked == {source["uid"]}
    assert len({read(path)["uid"] for path in BOARDS}) == len(BOARDS) >= 3


def test_all_dashboards_are_rolled_out(overlay: Rendered) -> None:
    """Each file is in the map that Grafana reads."""
    assert set(overlay.config_map("grafana-dashboards")) == {path.name for path in BOARDS}


def test_every_metric_is_shown_somewhere(repository: Path) -> None:
    """Nothing is counted that nobody can see: each metric of the services is on a dashboard."""
    shown = {
        metric_of(name)
        for path in BOARDS
        for panel in read(path)["panels"]
        for target in panel["targets"]
        for name in series_in(target["expr"])
    }
    assert {metric_of(name) for name in exported(repository)} - shown == set()


def metric_of(series: str) -> str:
    """The metric to which a series belongs."""
    for ending in ("_bucket", "_sum", "_count"):
        series = series.removesuffix(ending)
    return series
