"""Listening beyond this machine needs TLS and known callers, or is wanted explicitly."""

from __future__ import annotations

from collections.abc import MutableMapping
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from services.cli.main import app
from services.common.grpc.exposure import check_exposure, is_loopback
from services.common.grpc.tls import TlsSettings
from services.common.settings.service import Settings, SettingsError, load_settings
from services.host.embedded import EmbeddedHost
from tests.hosting import settings_in

OPEN = "0.0.0.0"
TLS = TlsSettings(certificate_file=Path("tls.crt"), key_file=Path("tls.key"))


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.8.8", "::1", "[::1]", "localhost"])
def test_this_machine_alone_needs_nothing(host: str) -> None:
    """Loopback is never refused."""
    assert is_loopback(host)
    check_exposure("lobby", Settings(host=host))


@pytest.mark.parametrize("host", [OPEN, "::", "10.0.0.7", "games.example.org", ""])
def test_other_addresses_need_encryption(host: str) -> None:
    """The sentence names the address, what is missing, and how to allow it."""
    with pytest.raises(SettingsError) as refused:
        check_exposure("lobby", Settings(host=host))
    for part in (host, "SIGNALBOX_TLS_CERTIFICATE_FILE", "SIGNALBOX_ALLOW_INSECURE=on"):
        assert part in str(refused.value)
    check_exposure("lobby", Settings(host=host, tls=TLS))


def test_who_asks_for_no_token_needs_certificates_of_its_callers() -> None:
    """Routing alone knows no players: TLS without client certificates is not enough."""
    encrypted = Settings(host=OPEN, tls=TLS)
    with pytest.raises(SettingsError, match="SIGNALBOX_TLS_CLIENT_CA_FILE"):
        check_exposure("routing", encrypted, asks_for_token=False)
    known = replace(encrypted, tls=replace(TLS, client_ca_file=Path("ca.crt")))
    check_exposure("routing", known, asks_for_token=False)


def test_what_is_wanted_is_logged_as_a_warning(logged: list[MutableMapping[str, Any]]) -> None:
    """With the setting it goes on, loudly."""
    settings = load_settings({"SIGNALBOX_HOST": OPEN, "SIGNALBOX_ALLOW_INSECURE": "on"})
    check_exposure("rules", settings)
    (line,) = (line for line in logged if line["event"] == "insecure address allowed")
    assert (line["log_level"], line["host"]) == ("warning", OPEN)
    with pytest.raises(SettingsError, match="neither on nor off"):
        load_settings({"SIGNALBOX_ALLOW_INSECURE": "yes"})


def test_the_embedded_host_refuses_before_it_touches_anything(tmp_path: Path) -> None:
    """No file is made."""
    with pytest.raises(SettingsError, match="other machines reach host"):
        EmbeddedHost(replace(settings_in(tmp_path), host=OPEN))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", [("up",), ("serve", "routing"), ("routes", "serve")])
def test_the_commands_end_with_the_sentence(
    command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Exit code 1, and one line on standard error."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIGNALBOX_HOST", OPEN)
    monkeypatch.setenv("SIGNALBOX_ROUTING_WORKERS", "0")
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 1
    assert "SIGNALBOX_ALLOW_INSECURE=on" in done.stderr and "Traceback" not in done.output
