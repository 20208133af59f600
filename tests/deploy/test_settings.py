"""Manifests set nothing that the code does not read, and everything that it needs."""

from __future__ import annotations

from services.common.kafka.settings import load_kafka_settings
from services.common.redis.settings import load_redis_settings
from services.common.settings.service import load_settings
from tests.deploy.rendered import SERVICES, Rendered
from tests.deploy.settings_names import variables


def values(overlay: Rendered, name: str) -> dict[str, str]:
    """A service's variables; those known only when it runs are given a value, and files are left out."""
    found = overlay.environment(overlay.workload(name))
    numbers = {"SIGNALBOX_ROUTING_WORKERS": "2"}
    return {
        key: value if value is not None else numbers.get(key, f"{name}-0")
        for key, value in found.items()
        if value is None or not value.startswith("/etc/")
    }


def test_variables_are_settings(overlay: Rendered) -> None:
    """Every variable of the services and of the job is one that the code reads."""
    for name in (*SERVICES, "topics", "operator"):
        unknown = set(overlay.environment(overlay.workload(name))) - variables()
        assert unknown == set(), name


def test_values_are_taken(overlay: Rendered) -> None:
    """The code takes the values: no number out of range, no malformed address."""
    for name in SERVICES:
        given = values(overlay, name)
        settings = load_settings(given)
        assert settings.host == "0.0.0.0", name
        locked = ("SIGNALBOX_KAFKA_PROTOCOL", "SIGNALBOX_KAFKA_USER")
        plain = {key: value for key, value in given.items() if key not in locked}
        assert load_kafka_settings(plain).instance == f"{name}-0"
        assert (load_redis_settings(given) is not None) is (name != "ledger")


def test_production_copies_and_encrypts(production: Rendered) -> None:
    """In production every record stands three times, and nothing travels or comes in openly."""
    given = {**production.config_map("signalbox"), **production.config_map("signalbox-redis")}
    assert given["SIGNALBOX_KAFKA_REPLICATION"] == "3"
    assert given["SIGNALBOX_KAFKA_PROTOCOL"] == "SASL_SSL"
    assert given["SIGNALBOX_REDIS_TLS"] == "on"
