"""Settings for Kafka that would do nothing or harm are named."""

from __future__ import annotations

from pathlib import Path

import pytest

from services.common.kafka.settings import load_kafka_settings
from services.common.settings.service import SettingsError

BASE = {"SIGNALBOX_KAFKA_SERVERS": "kafka:9092"}


def test_an_empty_name_is_no_name() -> None:
    """As where a variable is filled in from another that is not set: replicas must not all be called the same."""
    assert load_kafka_settings(BASE | {"SIGNALBOX_KAFKA_INSTANCE": ""}).instance != ""


@pytest.mark.parametrize("name", ["CA_FILE", "CERTIFICATE_FILE", "KEY_FILE", "USER", "PASSWORD_FILE"])
def test_what_a_plain_connection_does_not_use_is_refused(name: str, tmp_path: Path) -> None:
    """A certificate or a user without a protocol would silently mean plain text."""
    file = tmp_path / "file"
    file.write_text("x")
    with pytest.raises(SettingsError, match=f"SIGNALBOX_KAFKA_{name}: says nothing with PLAINTEXT"):
        load_kafka_settings(BASE | {f"SIGNALBOX_KAFKA_{name}": str(file)})


def test_values_are_packed_unless_that_is_switched_off() -> None:
    """A platform that is upgraded switches it off until all its processes read packed values."""
    assert load_kafka_settings(BASE).packs_values
    assert load_kafka_settings(BASE | {"SIGNALBOX_KAFKA_PACKS_VALUES": "on"}).packs_values
    assert not load_kafka_settings(BASE | {"SIGNALBOX_KAFKA_PACKS_VALUES": "off"}).packs_values
    with pytest.raises(SettingsError, match="SIGNALBOX_KAFKA_PACKS_VALUES: 'no' is neither on nor off"):
        load_kafka_settings(BASE | {"SIGNALBOX_KAFKA_PACKS_VALUES": "no"})
