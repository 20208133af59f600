"""Variables SIGNALBOX_* that nothing reads are named."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from services.common.process import crashpoints
from services.common.settings.known import DEVELOPMENT, OF_TITLES, SINGLE, check_variables, known_settings
from services.common.settings.variables import PREFIX, SettingsError
from services.common.telemetry import tracing
from services.rules.titles import SETTING

NAME = re.compile(r"SIGNALBOX_[A-Z0-9_]+")
# An example in a text about secrets.
EXAMPLES = {"SIGNALBOX_X_FILE"}


def test_what_is_read_is_known() -> None:
    """Each setting, those of groups too, and what is read beside the settings."""
    known = known_settings()
    for name in ("LOBBY_PORT", "TLS_CA_FILE", "RATE_PLAYER_BURST", "KAFKA_SERVERS", "REDIS_TLS", "TITLES"):
        assert PREFIX + name in known
    assert "SIGNALBOX_TLS" not in known
    assert {SETTING, tracing.VARIABLE, crashpoints.VARIABLE} == {PREFIX + name for name in SINGLE}
    check_variables(dict.fromkeys(known, "any"))


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("SIGNALBOX_LOBY_PORT", "SIGNALBOX_LOBBY_PORT"),
        ("SIGNALBOX_DATABSE", "SIGNALBOX_DATABASE"),
        ("SIGNALBOX_KAFKA_SERVER", "SIGNALBOX_KAFKA_SERVERS"),
        ("SIGNALBOX_TLS_CA", "SIGNALBOX_TLS_CA_FILE"),
        ("SIGNALBOX_TITTLES", "SIGNALBOX_TITLES"),
    ],
)
def test_a_misspelt_setting_is_named_with_the_nearest(name: str, nearest: str) -> None:
    """Refused: it would do nothing, and its author would not know."""
    with pytest.raises(SettingsError) as caught:
        check_variables({"PATH": "/bin", name: "1"})
    assert str(caught.value) == f"{name}: there is no such setting; did you mean {nearest}?"


def test_all_unknown_settings_are_named_at_once() -> None:
    """One that resembles nothing gets no proposal."""
    with pytest.raises(SettingsError) as caught:
        check_variables({"SIGNALBOX_XYZZY": "1", "SIGNALBOX_HOSTS": "1"})
    assert str(caught.value) == (
        "SIGNALBOX_HOSTS: there is no such setting; did you mean SIGNALBOX_HOST?; "
        "SIGNALBOX_XYZZY: there is no such setting"
    )


def test_others_may_have_variables_of_their_own() -> None:
    """Other programs, titles of other packages, tests, and Kubernetes for services named signalbox-something."""
    check_variables(
        {
            "LOBBY_PORT": "1",
            "SIGNALBOX_TITLE_TRAMWAYS_DATA": "/srv",
            "SIGNALBOX_NEED_BROKERS": "true",
            "SIGNALBOX_KAFKA_BOOTSTRAP_SERVICE_HOST": "10.0.0.1",
            "SIGNALBOX_KAFKA_BOOTSTRAP_SERVICE_PORT_TCP_TLS": "9093",
            "SIGNALBOX_KAFKA_BOOTSTRAP_PORT": "tcp://10.0.0.1:9093",
            "SIGNALBOX_KAFKA_BOOTSTRAP_PORT_9093_TCP_ADDR": "10.0.0.1",
        }
    )
    with pytest.raises(SettingsError):
        check_variables({"SIGNALBOX_RULE_PORT": "8402"})


def _named_in(repository: Path) -> Iterator[tuple[str, str]]:
    files = [repository / "Dockerfile", repository / "README.md"]
    for folder in ("deploy", "docs"):
        files += [path for path in (repository / folder).rglob("*") if path.is_file()]
    for path in files:
        for name in NAME.findall(path.read_text(encoding="utf-8", errors="ignore")):
            yield path.relative_to(repository).as_posix(), name


def test_what_deployments_and_pages_name_exists(repository: Path) -> None:
    """A setting that was renamed is renamed everywhere; a name that ends in _ stands for its group."""
    known = known_settings() | {PREFIX + name for name in DEVELOPMENT} | EXAMPLES | {OF_TITLES}
    wrong = {
        (path, name)
        for path, name in _named_in(repository)
        if name not in known and not any(name.endswith("_") and each.startswith(name) for each in known)
    }
    assert wrong == set()
