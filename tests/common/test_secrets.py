"""Secrets come from files and go nowhere else: not into logs, not into messages, not into what is printed of settings."""

from __future__ import annotations

import io
import logging
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from services.client.calls import NotAnsweredError
from services.client.lobby import register, sign_in
from services.common.auth.tokens import Principal, TokenIssuer, TokenVerifier
from services.common.clock import SystemClock
from services.common.errors import Unauthenticated
from services.common.kafka.clients import KafkaUnreachable, client_config, new_admin, new_producer
from services.common.kafka.settings import load_kafka_settings
from services.common.redis.connection import RedisConnection
from services.common.redis.settings import load_redis_settings
from services.common.settings import variables
from services.common.settings.service import SettingsError, load_settings
from services.common.telemetry.logs import configure_logging
from services.host.children import free_ports
from services.host.processes import environment_of
from tests.hosting import hosting

SECRET = "pass-PHRASE-nobody-may-see"


@pytest.fixture
def secret_file(tmp_path: Path) -> Path:
    """The file of the secret."""
    file = tmp_path / "secret"
    file.write_text(f"{SECRET}\n")
    return file


@pytest.fixture
def logs() -> io.StringIO:
    """All that is logged, down to the least."""
    lines = io.StringIO()
    configure_logging("debug", lines)
    return lines


def full_text(error: BaseException | None) -> str:
    """What an error and those that led to it say."""
    text = ""
    while error is not None:
        text += repr(error) + str(error)
        error = error.__cause__ or error.__context__
    return text


def test_a_file_that_is_no_text_is_named_and_not_shown(tmp_path: Path) -> None:
    """Not even by the errors that led to the message."""
    file = tmp_path / "secret"
    file.write_bytes(SECRET.encode() + b"\xff")
    with pytest.raises(SettingsError, match=r"SIGNALBOX_X_FILE: .*secret: is no text in utf-8") as refused:
        variables.secret("SIGNALBOX_X_FILE", file)
    assert SECRET not in full_text(refused.value)


def test_settings_name_files_not_secrets(secret_file: Path) -> None:
    """Neither printed nor handed to another process do settings hold what stands in the file."""
    nobody = f"127.0.0.1:{free_ports(1)[0]}"
    environment = {
        "SIGNALBOX_REDIS_ADDRESS": nobody,
        "SIGNALBOX_REDIS_PASSWORD_FILE": str(secret_file),
        "SIGNALBOX_KAFKA_SERVERS": nobody,
        "SIGNALBOX_KAFKA_PROTOCOL": "SASL_PLAINTEXT",
        "SIGNALBOX_KAFKA_USER": "ann",
        "SIGNALBOX_KAFKA_PASSWORD_FILE": str(secret_file),
        "SIGNALBOX_SERVICE_TOKEN_FILE": str(secret_file),
    }
    for settings in (
        load_redis_settings(environment),
        load_kafka_settings(environment),
        load_settings(environment),
    ):
        assert settings is not None
        assert SECRET not in repr(settings)
        assert SECRET not in repr(environment_of(settings, "X_"))


def test_what_fails_says_no_password(
    secret_file: Path, logs: io.StringIO, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Kafka and Redis out of reach: errors and logs name addresses, never the password."""
    caplog.set_level(logging.DEBUG)
    monkeypatch.setattr("services.common.kafka.clients.ANSWER_SECONDS", 1.0)
    nobody = f"127.0.0.1:{free_ports(1)[0]}"
    kafka = load_kafka_settings(
        {
            "SIGNALBOX_KAFKA_SERVERS": nobody,
            "SIGNALBOX_KAFKA_PROTOCOL": "SASL_PLAINTEXT",
            "SIGNALBOX_KAFKA_USER": "ann",
            "SIGNALBOX_KAFKA_PASSWORD_FILE": str(secret_file),
        }
    )
    assert client_config(kafka)["sasl.password"] == SECRET
    with pytest.raises(KafkaUnreachable, match=nobody) as caught:
        new_admin(kafka)
    new_producer(kafka).flush(0.5)
    redis = load_redis_settings(
        {"SIGNALBOX_REDIS_ADDRESS": nobody, "SIGNALBOX_REDIS_PASSWORD_FILE": str(secret_file)}
    )
    assert redis is not None
    connection = RedisConnection(redis)
    connection.start()
    connection.close()
    assert nobody in logs.getvalue()
    for text in (full_text(caught.value), logs.getvalue(), caplog.text):
        assert SECRET not in text


def test_a_refused_token_is_not_repeated(logs: io.StringIO) -> None:
    """The message about a bad token holds no part of it."""
    clock = SystemClock()
    verifier = TokenVerifier(TokenIssuer(Ed25519PrivateKey.generate(), 60, clock).keys, clock)
    forged = TokenIssuer(Ed25519PrivateKey.generate(), 60, clock).issue(Principal("p", SECRET)).token
    with pytest.raises(Unauthenticated) as caught:
        verifier.verify(forged)
    for part in forged.split("."):
        assert part not in str(caught.value)


@pytest.mark.integration
def test_a_host_logs_neither_passwords_nor_tokens(
    tmp_path: Path, logs: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Registering, signing in rightly and wrongly, with everything logged."""
    monkeypatch.setattr("tests.hosting.configure_logging", lambda _: configure_logging("debug", logs))
    with hosting(tmp_path) as host:
        register(host.addresses.lobby, "Ann", SECRET)
        token = sign_in(host.addresses.lobby, "Ann", SECRET).token
        with pytest.raises(Exception, match="do not belong together") as caught:
            sign_in(host.addresses.lobby, "Ann", f"{SECRET}?")
    assert not isinstance(caught.value, NotAnsweredError)
    assert "LogIn" in logs.getvalue()
    for secret in (SECRET, token, token.split(".")[2]):
        assert secret not in logs.getvalue()
    key = (tmp_path / "key.pem").read_text()
    assert key.splitlines()[1] not in logs.getvalue()
