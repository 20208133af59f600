"""Alerts: rules that Prometheus takes, that fire when they should, of metrics that exist, each with a page."""

from __future__ import annotations

import re
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from tests.deploy.alert_cases import STORIES
from tests.deploy.exported import OF_KUBELETS, exported, label_values_in, said, series_in
from tests.deploy.rendered import ALERTS_PORT, SERVICES, WEB
from tests.deploy.story import Story


@cache
def groups(repository: Path) -> list[Any]:
    """All groups of alerts, not to be changed."""
    text = (repository / "deploy" / "prometheus" / "alerts.yaml").read_text(encoding="utf-8")
    found: list[Any] = yaml.safe_load(text)["groups"]
    return found


def alerts(repository: Path) -> list[Any]:
    """All alerts."""
    return [rule for group in groups(repository) for rule in group["rules"]]


def run(promtool: str, *arguments: str) -> None:
    """Run promtool; what it finds fails the test."""
    done = subprocess.run([promtool, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_prometheus_takes_configuration_and_rules(promtool: str, repository: Path) -> None:
    """Prometheus' own checker finds nothing in either file."""
    folder = repository / "deploy" / "prometheus"
    run(promtool, "check", "rules", str(folder / "alerts.yaml"))
    run(promtool, "check", "config", str(folder / "prometheus.yml"))


def as_promtool(story: Story, rule: Any, rules_file: Path) -> dict[str, Any]:
    """A story as promtool reads it."""
    ringing = {
        "exp_labels": {"severity": rule["labels"]["severity"], **story.labels},
        "exp_annotations": {**rule["annotations"], "summary": story.summary},
    }
    return {
        "rule_files": [str(rules_file)],
        "evaluation_interval": "10s",
        "tests": [
            {
                "interval": "10s",
                "input_series": [{"series": name, "values": text} for name, text in story.series.items()],
                "alert_rule_test": [
                    {"eval_time": f"{minutes}m", "alertname": story.alert, "exp_alerts": expected}
                    for minutes, expected in ((story.silent_at, []), (story.rings_at, [ringing]))
                ],
            }
        ],
    }


def test_alerts_fire_when_they_should(promtool: str, repository: Path, tmp_path: Path) -> None:
    """Each alert is silent while all is well, and fires with the right text when it is not. One run of promtool for all: it
    names the file of each story that goes otherwise."""
    by_alert = {rule["alert"]: (group, rule) for group in groups(repository) for rule in group["rules"]}
    files = []
    for story in STORIES:
        group, rule = by_alert[story.alert]
        rules_file = tmp_path / f"{story.alert}.rules.yaml"
        rules_file.write_text(yaml.safe_dump({"groups": [{**group, "rules": [rule]}]}), encoding="utf-8")
        file = tmp_path / f"{story.alert}.yaml"
        file.write_text(yaml.safe_dump(as_promtool(story, rule, rules_file)), encoding="utf-8")
        files.append(str(file))
    run(promtool, "test", "rules", *files)


def test_every_stream_is_left_out_of_unanswered_calls(repository: Path) -> None:
    """The alert leaves out all methods that stream and no others."""
    (rule,) = (each for each in alerts(repository) if each["alert"] == "SignalboxCallsUnanswered")
    (left_out,) = set(re.findall(r'method!~"([^"]+)"', rule["expr"]))
    for path in (repository / "proto").rglob("*.proto"):
        for name, stream in re.findall(
            r"rpc (\w+)\(.*returns \((stream )?", path.read_text(encoding="utf-8")
        ):
            assert bool(re.fullmatch(left_out, name)) is bool(stream), name


def test_every_alert_has_a_story(repository: Path) -> None:
    """No alert is without a test that makes it fire."""
    assert [rule["alert"] for rule in alerts(repository)] == [story.alert for story in STORIES]


def test_alerts_are_of_metrics_that_exist(repository: Path) -> None:
    """Every series in an alert is exported by the code, or by kubelets."""
    known = exported(repository) | OF_KUBELETS
    for rule in alerts(repository):
        used = series_in(rule["expr"])
        assert used and used <= known, f"{rule['alert']}: {sorted(used - known)}"


def test_alerts_are_of_labels_that_exist(repository: Path) -> None:
    """Every value of a label in an alert or in its story is one that the code says."""
    known = said(repository)
    for rule in alerts(repository):
        assert label_values_in(rule["expr"]) <= known, rule["alert"]
    for story in STORIES:
        for series in story.series:
            assert label_values_in(series) <= known, story.alert


def test_every_alert_has_its_page(repository: Path) -> None:
    """Each alert says how severe it is, what happened, and which heading of the operators' page says what to do."""
    text = (repository / "docs" / "operations.md").read_text(encoding="utf-8")
    headings = set(re.findall(r"^#+ (\S+)$", text, re.MULTILINE))
    for rule in alerts(repository):
        name = rule["alert"]
        assert rule["labels"]["severity"] in ("critical", "warning"), name
        assert rule["annotations"]["summary"], name
        assert rule["annotations"]["runbook_url"] == f"docs/operations.md#{name.lower()}"
        assert name in headings
    assert {name for name in headings if name.startswith("Signalbox")} == {
        rule["alert"] for rule in alerts(repository)
    }


def test_every_service_is_watched(repository: Path) -> None:
    """Each service is scraped under its name, where its metrics are."""
    text = (repository / "deploy" / "prometheus" / "prometheus.yml").read_text(encoding="utf-8")
    jobs = {
        each["job_name"]: [(found["names"], found["port"]) for found in each["dns_sd_configs"]]
        for each in yaml.safe_load(text)["scrape_configs"]
    }
    assert jobs == {name: [([f"{name}-replicas"], 8409)] for name in (*SERVICES, WEB, "backup")}


def test_a_missing_service_is_seen_whichever_it_is(repository: Path) -> None:
    """Also one of which there is no address."""
    by_name = {rule["alert"]: rule["expr"] for rule in alerts(repository)}
    for name in ("SignalboxServiceMissing", "SignalboxReplicaDown"):
        (watched,) = re.findall(r'up\{job=~"([^"]+)"\}', by_name[name])
        assert set(watched.split("|")) == {*SERVICES, WEB}, name
    absent = re.findall(r'absent\(up\{job="([^"]+)"\}\)', by_name["SignalboxServiceMissing"])
    assert set(absent) == {*SERVICES, WEB}


def test_alerts_are_sent(repository: Path) -> None:
    """Prometheus looks for the Alertmanager at the port that it may reach, and the page names both."""
    text = (repository / "deploy" / "prometheus" / "prometheus.yml").read_text(encoding="utf-8")
    (manager,) = yaml.safe_load(text)["alerting"]["alertmanagers"]
    (found,) = manager["dns_sd_configs"]
    assert (found["names"], found["type"], found["port"]) == (["alertmanager"], "A", ALERTS_PORT)
    page = (repository / "docs" / "operations.md").read_text(encoding="utf-8")
    assert "`alertmanager`" in page and "`signalbox/alerts=true`" in page and str(ALERTS_PORT) in page
