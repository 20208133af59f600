"""The platform on one host: the file of docker compose."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from services.common.grpc.exposure import check_exposure
from services.common.kafka.settings import load_kafka_settings
from services.common.redis.settings import load_redis_settings
from services.common.settings.service import load_settings
from tests.deploy.rendered import SERVICES, WEB
from tests.deploy.settings_names import variables

PORTS = {"lobby": 8401, "rules": 8402, "routing": 8403, "ledger": 8404}


@pytest.fixture(scope="module")
def compose(repository: Path) -> Any:
    """The file, with what YAML itself puts together."""
    return yaml.safe_load((repository / "deploy" / "compose.yaml").read_text(encoding="utf-8"))


def ours(compose: Any) -> dict[str, Any]:
    """What runs our image."""
    return {
        name: each for name, each in compose["services"].items() if each["image"].startswith("signalbox:")
    }


def test_all_parts_are_there(compose: Any) -> None:
    """Two of rules and of routing, one of lobby, ledger and web, the topics, the brokers, and what watches them."""
    started = sorted(" ".join(each["command"]) for each in ours(compose).values())
    assert started == [
        "serve ledger",
        "serve lobby",
        "serve routing",
        "serve routing",
        "serve rules",
        "serve rules",
        "serve web",
        "topics apply",
    ]
    assert {"kafka", "redis", "prometheus", "grafana"} <= set(compose["services"])


def test_variables_are_settings_and_their_values_are_taken(compose: Any) -> None:
    """Our containers get no setting that the code does not read, and none that it refuses."""
    for name, service in ours(compose).items():
        given = service["environment"]
        assert set(given) <= variables(), name
        check_exposure(name, load_settings(given), asks_for_token="routing" not in name)
        assert load_redis_settings(given) is not None
        kafka = load_kafka_settings(given)
        assert name == "topics" or kafka.instance == name


def test_everything_is_asked_for_its_health(compose: Any) -> None:
    """Each container that stays is checked; our services at their own port."""
    for name, service in compose["services"].items():
        if name == "topics":
            continue
        assert service["healthcheck"]["test"][0] == "CMD", name
        if name == WEB:
            assert "/health" in service["healthcheck"]["test"][-1]
        elif name in ours(compose):
            kind = service["command"][1]
            assert service["healthcheck"]["test"][-1] == str(PORTS[kind]), name


def test_services_wait_for_what_they_need(compose: Any) -> None:
    """Services start when the topics are made, topics are made when Kafka answers, and every name waited for exists."""
    services = compose["services"]
    for name, service in ours(compose).items():
        waited = {other: each["condition"] for other, each in service["depends_on"].items()}
        assert set(waited) <= set(services)
        expected = (
            {"kafka": "service_healthy"}
            if name == "topics"
            else {"topics": "service_completed_successfully", "redis": "service_healthy"}
        )
        assert waited == expected, name


def test_replicas_answer_to_one_name(compose: Any) -> None:
    """Rules and routing are found under the service's name, which callers and Prometheus ask for."""
    services = compose["services"]
    names = set(services)
    for service in services.values():
        names |= set((service.get("networks") or {}).get("default", {}).get("aliases", []))
    assert {*SERVICES, WEB, *(f"{name}-replicas" for name in (*SERVICES, WEB))} <= names
    asked = {address.partition(":")[0] for each in ours(compose).values() for address in addresses(each)}
    assert asked <= names


def addresses(service: Any) -> list[str]:
    """Where a container looks for others."""
    return [
        value
        for name, value in service["environment"].items()
        if name.endswith(("SERVERS", "ADDRESSES", "ADDRESS"))
    ]


def test_containers_have_no_rights(compose: Any) -> None:
    """Our containers, Redis and Prometheus cannot write to their image, have no capability and get none."""
    for name, service in compose["services"].items():
        if name in ("kafka", "grafana"):
            continue
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name


def test_images_are_the_same_as_on_kubernetes(compose: Any, repository: Path) -> None:
    """Every image is pinned, to the version that the manifests have."""
    path = repository / "deploy" / "k8s" / "components" / "images" / "kustomization.yaml"
    pinned = {
        f"{each['name']}:{each['newTag']}" for each in yaml.safe_load(path.read_text("utf-8"))["images"]
    }
    assert {each["image"] for each in compose["services"].values()} == pinned


def test_files_and_volumes_exist(compose: Any, repository: Path) -> None:
    """Whatever is mounted is a file of this repository or a declared volume, and no declared one is unused."""
    used = set()
    for service in compose["services"].values():
        for volume in service.get("volumes", []):
            source = volume.partition(":")[0]
            if source.startswith("."):
                assert (repository / "deploy" / source).exists(), source
            else:
                used.add(source)
    assert used == set(compose["volumes"])


def test_nothing_is_published_to_the_world(compose: Any) -> None:
    """Ports are on the host's own address unless an operator says otherwise, and no two are the same."""
    published = [port for each in compose["services"].values() for port in each.get("ports", [])]
    assert all(
        re.match(r"^(127\.0\.0\.1|\$\{SIGNALBOX_PUBLISH:-127\.0\.0\.1\}):\d+:\d+$", port)
        for port in published
    )
    outside = [port.rsplit(":", 2)[-2] for port in published]
    assert len(set(outside)) == len(outside)


def test_prometheus_throws_away_its_oldest_figures_before_the_disk_is_full(compose: Any) -> None:
    """The disk is that of Kafka and all services."""
    assert any(
        "--storage.tsdb.retention.size=" in each for each in compose["services"]["prometheus"]["command"]
    )


def test_a_full_redis_throws_away_only_what_ends_by_itself(compose: Any) -> None:
    """Lists of games have no time to live and are used as long as all of them are there."""
    command = compose["services"]["redis"]["command"]
    assert command[command.index("--maxmemory-policy") + 1] == "volatile-lru"
