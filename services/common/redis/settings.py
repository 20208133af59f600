"""Redis's address and credentials: variables SIGNALBOX_REDIS_* of the environment."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec

from services.common.settings.service import PREFIX, SettingsError, addresses, seconds, switch, whole_number
from services.common.settings.variables import secret

FILES = ("password_file", "ca_file", "certificate_file", "key_file")
TLS_FILES = ("ca_file", "certificate_file", "key_file")


class RedisSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What an operator can choose; the variable of `user` is SIGNALBOX_REDIS_USER."""

    address: str
    """Where Redis answers, host:port."""
    key_prefix: str = "signalbox:"
    """Put before every key and channel, so that several platforms can share a Redis."""
    database: int = 0
    """Number of the database in it."""
    user: str = ""
    """User name; empty for the default user."""
    password_file: Path | None = None
    """File with the password of that user; read again for every connection."""
    tls: bool = False
    """Whether the connection is encrypted: on or off."""
    ca_file: Path | None = None
    """Certificates of the authorities that signed Redis' certificate, PEM; the system's own without it."""
    certificate_file: Path | None = None
    """This client's own certificate, PEM, where Redis asks for one."""
    key_file: Path | None = None
    """Key of that certificate, PEM."""
    timeout_seconds: float = 0.05
    """How long a call waits for an answer before it does without."""
    connections: int = 8
    """Connections that the calls of one process share."""

    def password(self) -> str | None:
        """The password from its file, None without one. Raises `SettingsError` naming a file that cannot be used."""
        if self.password_file is None:
            return None
        return secret(_variable("password_file"), self.password_file)


def load_redis_settings(environment: Mapping[str, str]) -> RedisSettings | None:
    """Settings from the variables SIGNALBOX_REDIS_*, None if they name no Redis.

    Raises `SettingsError` naming what is missing or malformed.
    """
    given = {
        name: environment[_variable(name)]
        for name in RedisSettings.__struct_fields__
        if _variable(name) in environment
    }
    if not given:
        return None
    if not given.get("address"):
        raise SettingsError(f"{_variable('address')}: is needed, host:port")
    chosen = {name: _value_of(name, text) for name, text in given.items()}
    settings = RedisSettings(**chosen)  # type: ignore[arg-type]
    _check_whole(settings)
    return settings


def _variable(name: str) -> str:
    return f"{PREFIX}REDIS_{name.upper()}"


def _value_of(name: str, text: str) -> object:
    variable = _variable(name)
    if name == "address":
        found = addresses(variable, text)
        if len(found) > 1:
            raise SettingsError(f"{variable}: {text!r} names more than one Redis")
        return found[0]
    if name == "database":
        return whole_number(variable, text, 0, 65_535)
    if name == "connections":
        return whole_number(variable, text, 1, 1_000)
    if name == "timeout_seconds":
        return seconds(variable, text, 0.001, 10.0)
    if name == "tls":
        return switch(variable, text)
    return Path(text) if name in FILES else text


def _check_whole(settings: RedisSettings) -> None:
    if settings.user and settings.password_file is None:
        raise SettingsError(f"{_variable('password_file')}: is needed with {_variable('user')}")
    settings.password()
    if (settings.certificate_file is None) != (settings.key_file is None):
        raise SettingsError(f"{_variable('certificate_file')} and {_variable('key_file')}: belong together")
    for name in TLS_FILES:
        file = getattr(settings, name)
        if file is not None and not settings.tls:
            raise SettingsError(f"{_variable(name)}: says nothing while {_variable('tls')} is off")
        if file is not None and not file.is_file():
            raise SettingsError(f"{_variable(name)}: {file} is no file")
