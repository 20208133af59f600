"""Kafka's servers and credentials: variables SIGNALBOX_KAFKA_* of the environment."""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import msgspec

from services.common.settings.service import PREFIX, SettingsError, addresses, whole_number
from services.common.settings.variables import secret, switch

Protocol = Literal["PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"]
PROTOCOLS: tuple[Protocol, ...] = ("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL")
MECHANISMS = ("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512")
FILES = ("ca_file", "certificate_file", "key_file", "password_file")
PARTITIONS_MAX = 1024


class KafkaSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What an operator can choose; the variable of `user` is SIGNALBOX_KAFKA_USER."""

    servers: tuple[str, ...]
    """Brokers to begin with, host:port separated by commas."""
    topic_prefix: str = ""
    """Put before every topic, group and transactional id, so that several platforms can share a Kafka."""
    partitions: int = 12
    """Partitions of every topic keyed by game; those of the topics that were made under this prefix."""
    replication: int = 1
    """Copies of every partition; 3 in production, where 2 of them must be in step."""
    session_seconds: int = 10
    """An owner of games that is not heard of for so long has lost them to others."""
    packs_values: bool = True
    """Whether values are packed with a dictionary; `off` while processes run that cannot read it yet (decision 48)."""
    instance: str = ""
    """Name of this replica, the same after every restart and unlike any other's; host name and process by default."""
    protocol: Protocol = "PLAINTEXT"
    """One of `PROTOCOLS`."""
    ca_file: Path | None = None
    """Certificates of the authorities that signed the brokers' certificates, PEM."""
    certificate_file: Path | None = None
    """This client's own certificate, PEM, where brokers ask for one."""
    key_file: Path | None = None
    """Key of that certificate, PEM."""
    mechanism: str = "SCRAM-SHA-512"
    """One of `MECHANISMS`; only with SASL."""
    user: str = ""
    """User name; only with SASL."""
    password_file: Path | None = None
    """File with the password of that user; only with SASL."""

    @property
    def has_sasl(self) -> bool:
        """Whether a user name and a password are needed."""
        return self.protocol.startswith("SASL")

    @property
    def has_tls(self) -> bool:
        """Whether the connection is encrypted."""
        return self.protocol.endswith("SSL")

    def password(self) -> str:
        """The password from its file. Raises `SettingsError` naming a file that cannot be read or is empty."""
        if self.password_file is None:
            raise SettingsError(f"{_variable('password_file')}: is needed with {self.protocol}")
        return secret(_variable("password_file"), self.password_file)


def load_kafka_settings(environment: Mapping[str, str]) -> KafkaSettings:
    """Settings from the variables SIGNALBOX_KAFKA_*. Raises `SettingsError` naming what is missing or malformed."""
    given = {
        name: environment[_variable(name)]
        for name in KafkaSettings.__struct_fields__
        if _variable(name) in environment
    }
    if not given.get("servers"):
        raise SettingsError(f"{_variable('servers')}: is needed, host:port separated by commas")
    chosen: dict[str, object] = {name: _value_of(name, text) for name, text in given.items()}
    chosen["instance"] = chosen.get("instance") or f"{socket.gethostname()}-{os.getpid()}"
    settings = KafkaSettings(**chosen)  # type: ignore[arg-type]
    _check_whole(settings)
    return settings


def _variable(name: str) -> str:
    return f"{PREFIX}KAFKA_{name.upper()}"


def _value_of(name: str, text: str) -> object:
    variable = _variable(name)
    if name == "servers":
        return addresses(variable, text)
    if name == "partitions":
        return whole_number(variable, text, 1, PARTITIONS_MAX)
    if name == "session_seconds":
        return whole_number(variable, text, 6, 300)
    if name == "replication":
        return whole_number(variable, text, 1, 9)
    if name == "packs_values":
        return switch(variable, text)
    if name in FILES:
        return Path(text)
    allowed = {"protocol": PROTOCOLS, "mechanism": MECHANISMS}.get(name)
    if allowed is not None and text not in allowed:
        raise SettingsError(f"{variable}: {text!r} is not one of {', '.join(allowed)}")
    return text


def _check_whole(settings: KafkaSettings) -> None:
    uses = {"ca_file": settings.has_tls, "certificate_file": settings.has_tls, "key_file": settings.has_tls}
    uses |= {"user": settings.has_sasl, "password_file": settings.has_sasl}
    for name, is_used in uses.items():
        if getattr(settings, name) and not is_used:
            raise SettingsError(f"{_variable(name)}: says nothing with {settings.protocol}")
    if settings.has_sasl:
        if not settings.user:
            raise SettingsError(f"{_variable('user')}: is needed with {settings.protocol}")
        settings.password()
    if (settings.certificate_file is None) != (settings.key_file is None):
        raise SettingsError(f"{_variable('certificate_file')} and {_variable('key_file')}: belong together")
    for name in FILES:
        file = getattr(settings, name)
        if file is not None and not file.is_file():
            raise SettingsError(f"{_variable(name)}: {file} is no file")
