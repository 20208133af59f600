"""Manifests set nothing that the code does not read, and everything that it needs."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from services.common.grpc.exposure import check_exposure
from services.common.grpc.tls import TlsSettings
from services.common.kafka.settings import load_kafka_settings
from services.common.redis.settings import load_redis_settings
from services.common.settings.service import SettingsError, load_settings
from tests.deploy.rendered import SERVICES, WEB, Rendered
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
    for name in (*SERVICES, WEB, "topics", "operator"):
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


def test_only_the_laptop_listens_without_encryption(overlays: dict[str, Rendered]) -> None:
    """The small overlay says that it is wanted; in production each service has what it needs to listen openly."""
    laptop, production = overlays["laptop"], overlays["production"]
    for name in (*SERVICES, WEB):
        asks_for_token = name != "routing"
        check_exposure(name, load_settings(values(laptop, name)), asks_for_token)
        given = production.environment(production.workload(name))
        assert "SIGNALBOX_ALLOW_INSECURE" not in given
        fields = ("certificate_file", "key_file", "client_ca_file")
        named = {each: given.get(f"SIGNALBOX_TLS_{each.upper()}") for each in fields}
        tls = TlsSettings(**{each: Path(file) for each, file in named.items() if file})
        settings = msgspec.structs.replace(load_settings(values(production, name)), tls=tls)
        check_exposure(name, settings, asks_for_token)
        with pytest.raises(SettingsError, match="SIGNALBOX_HOST"):
            check_exposure(name, msgspec.structs.replace(settings, tls=TlsSettings()), asks_for_token)


def test_production_copies_and_encrypts(production: Rendered) -> None:
    """In production every record stands three times, and nothing travels or comes in openly."""
    given = {**production.config_map("signalbox"), **production.config_map("signalbox-redis")}
    assert given["SIGNALBOX_KAFKA_REPLICATION"] == "3"
    assert given["SIGNALBOX_KAFKA_PROTOCOL"] == "SASL_SSL"
    assert given["SIGNALBOX_REDIS_TLS"] == "on"
