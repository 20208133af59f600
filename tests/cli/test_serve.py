"""`signalbox serve`: what a process lacks to begin with is named, and it ends with 1."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from typer.testing import CliRunner

from services.cli import serve
from services.cli.main import app

KAFKA = {"SIGNALBOX_KAFKA_SERVERS": "127.0.0.1:1"}


@pytest.mark.parametrize(
    ("service", "environment", "words"),
    [
        ("lobby", {}, "SIGNALBOX_KAFKA_SERVERS: is needed"),
        ("rules", {}, "SIGNALBOX_KAFKA_SERVERS: is needed"),
        ("ledger", {}, "SIGNALBOX_KAFKA_SERVERS: is needed"),
        ("rules", KAFKA, "SIGNALBOX_ROUTING_ADDRESSES: is needed"),
        ("ledger", KAFKA, "SIGNALBOX_RULES_ADDRESSES: is needed"),
        ("ledger", {**KAFKA, "SIGNALBOX_RULES_ADDRESSES": "rules"}, "SIGNALBOX_RULES_ADDRESSES: 'rules'"),
        (
            "rules",
            {**KAFKA, "SIGNALBOX_ROUTING_ADDRESSES": "routing:8403", "SIGNALBOX_RULES_COPIES": "2"},
            "SIGNALBOX_RULES_PEER_ADDRESS: is needed",
        ),
        ("rules", {**KAFKA, "SIGNALBOX_RULES_PEER_ADDRESS": "me"}, "SIGNALBOX_RULES_PEER_ADDRESS: 'me'"),
        ("rules", {**KAFKA, "SIGNALBOX_KAFKA_PARTITIONS": "none"}, "SIGNALBOX_KAFKA_PARTITIONS: 'none'"),
        (
            "lobby",
            {**KAFKA, "SIGNALBOX_LOBBY_SUMMARIES": "some"},
            "SIGNALBOX_LOBBY_SUMMARIES: 'some' is not one of",
        ),
        ("lobby", {**KAFKA, "SIGNALBOX_LOBBY_SUMMARIES": "followed"}, "SIGNALBOX_REDIS_ADDRESS: is needed"),
        ("routing", {"SIGNALBOX_REDIS_ADDRESS": "here"}, "SIGNALBOX_REDIS_ADDRESS: 'here'"),
        ("routing", {"SIGNALBOX_ROUTING_PORT": "many"}, "SIGNALBOX_ROUTING_PORT: 'many'"),
        ("rules", {**KAFKA, "SIGNALBOX_KAFKA_PROTOCOL": "SASL_SSL"}, "SIGNALBOX_KAFKA_USER: is needed"),
    ],
)
def test_a_setting_that_is_missing_or_wrong_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, service: str, environment: dict[str, str], words: str
) -> None:
    """The message is one sentence with the command's name and the variable."""
    monkeypatch.setenv("SIGNALBOX_DATABASE", str(tmp_path / "signalbox.db"))
    monkeypatch.setenv("SIGNALBOX_SIGNING_KEY", str(tmp_path / "key.pem"))
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    ended = CliRunner().invoke(app, ["serve", service])
    assert ended.exit_code == 1
    assert ended.stderr.startswith(f"signalbox serve {service}: {words}")


def test_what_is_wrong_with_a_file_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The message is one sentence with the command's name, the folder and SQLite's error."""

    def full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setenv("SIGNALBOX_DATABASE", str(tmp_path / "signalbox.db"))
    monkeypatch.setattr(serve, "serve_until_stopped", full)
    ended = CliRunner().invoke(app, ["serve", "ledger"])
    assert ended.exit_code == 1
    assert ended.stderr == f"signalbox serve ledger: a file in {tmp_path}: database or disk is full\n"


@pytest.mark.parametrize("service", ["lobby", "rules", "routing", "ledger"])
def test_help_names_the_settings(service: str) -> None:
    """The help of every service lists its variables and when it exits with 1."""
    helped = CliRunner().invoke(app, ["serve", service, "--help"])
    assert helped.exit_code == 0
    assert f"SIGNALBOX_{service.upper()}_PORT" in helped.stdout and "Exit 1" in helped.stdout
