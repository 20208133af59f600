"""Encrypted gRPC connections: who proves to be whom, by variables SIGNALBOX_TLS_*."""

from __future__ import annotations

import ssl
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Generic, TypeVar

import grpc
import msgspec

from services.common.settings.variables import PREFIX, SettingsError, file, read_group
from services.common.telemetry.logs import get_logger

GROUP = "TLS"

Content = TypeVar("Content")


class TlsSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What an operator can choose; all files are PEM. Without any, connections are plain."""

    certificate_file: Path | None = None
    """This process' own certificate with those that lead to its authority. With it servers take TLS connections only;
    where the other side asks who calls, clients show it."""
    key_file: Path | None = None
    """Key of that certificate."""
    client_ca_file: Path | None = None
    """Servers take only callers whose certificate one of these authorities signed."""
    ca_file: Path | None = None
    """Clients call over TLS, and only servers whose certificate one of these authorities signed."""

    @property
    def is_served(self) -> bool:
        """Whether servers take TLS connections."""
        return self.certificate_file is not None

    @property
    def is_called(self) -> bool:
        """Whether clients call over TLS."""
        return self.ca_file is not None


PLAIN = TlsSettings()


def load_tls_settings(environment: Mapping[str, str]) -> TlsSettings:
    """Settings from `environment`. Raises `SettingsError` naming what is missing, damaged or does not fit."""
    settings = read_group(TlsSettings, GROUP, dict.fromkeys(TlsSettings.__struct_fields__, file), environment)
    if (settings.certificate_file is None) != (settings.key_file is None):
        raise SettingsError(f"{_variable('certificate_file')} and {_variable('key_file')}: belong together")
    if settings.client_ca_file is not None and not settings.is_served:
        raise SettingsError(f"{_variable('client_ca_file')}: needs {_variable('certificate_file')}")
    _check_files(settings, "client_ca_file", "ca_file")
    return settings


def server_credentials(settings: TlsSettings) -> grpc.ServerCredentials:
    """For a server that shows the certificate; files that are replaced count for the next connection."""
    files = ReplacedFiles(settings, "client_ca_file", _server_configuration)
    return grpc.dynamic_ssl_server_credentials(
        files.read(),
        files.replaced,  # type: ignore[arg-type]  # None is allowed, the stubs leave it out
        require_client_authentication=settings.client_ca_file is not None,
    )


def channel_files(settings: TlsSettings) -> ReplacedFiles[grpc.ChannelCredentials]:
    """For a client that trusts the authorities of `ca_file` and shows its own certificate where it has one."""
    return ReplacedFiles(settings, "ca_file", _channel_credentials)


class ReplacedFiles(Generic[Content]):
    """The files of one side of a connection, as they are now."""

    def __init__(self, settings: TlsSettings, authority: str, read: Callable[[TlsSettings], Content]) -> None:
        """`authority`: the field of the settings that names whom this side trusts. `read` makes their content."""
        paths = {each: getattr(settings, each) for each in ("certificate_file", "key_file", authority)}
        self._paths: dict[str, Path] = {name: path for name, path in paths.items() if path is not None}
        self._settings = settings
        self._authority = authority
        self._read = read
        self._seen = self._marks()
        self._log = get_logger("tls")

    def read(self) -> Content:
        """Their content."""
        return self._read(self._settings)

    def replaced(self) -> Content | None:
        """Their content if they were replaced, None to keep the old ones; also if they do not fit together."""
        marks = self._marks()
        if marks == self._seen:
            return None
        self._seen = marks
        try:
            _check_files(self._settings, self._authority)
            fresh = self.read()
        except (SettingsError, OSError) as error:
            self._log.warning("replaced certificate is not taken", reason=str(error))
            return None
        self._log.info("replaced certificate is taken", files=[str(path) for path in self._paths.values()])
        return fresh

    def _marks(self) -> tuple[tuple[int, int, int] | None, ...]:
        return tuple(_mark(path) for path in self._paths.values())


def _server_configuration(settings: TlsSettings) -> grpc.ServerCertificateConfiguration:
    key, certificate = _bytes(settings.key_file), _bytes(settings.certificate_file)
    if key is None or certificate is None:
        raise SettingsError(f"{_variable('certificate_file')} and {_variable('key_file')}: are needed")
    return grpc.ssl_server_certificate_configuration(
        [(key, certificate)], root_certificates=_bytes(settings.client_ca_file)
    )


def _channel_credentials(settings: TlsSettings) -> grpc.ChannelCredentials:
    return grpc.ssl_channel_credentials(
        root_certificates=_bytes(settings.ca_file),
        private_key=_bytes(settings.key_file),
        certificate_chain=_bytes(settings.certificate_file),
    )


def _mark(path: Path) -> tuple[int, int, int] | None:
    """Changes when a file is replaced or rewritten."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns, status.st_size


def _check_files(settings: TlsSettings, *authorities: str) -> None:
    """Certificate and key, and the authorities that these fields name, as far as they are set."""
    if settings.certificate_file is not None and settings.key_file is not None:
        _check_pair(settings.certificate_file, settings.key_file)
    for name in authorities:
        path = getattr(settings, name)
        if path is not None:
            _check_authority(_variable(name), path)


def _check_pair(certificate: Path, key: Path) -> None:
    names = f"{_variable('certificate_file')} {certificate}, {_variable('key_file')} {key}"
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key, password=_no_password)
    except (OSError, ValueError) as error:
        raise SettingsError(f"{names}: {error}") from error


def _no_password() -> str:
    raise ValueError("the key needs a password")


def _check_authority(variable: str, path: Path) -> None:
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(path)
    except OSError as error:
        raise SettingsError(f"{variable}: {path}: {error}") from error


def _bytes(path: Path | None) -> bytes | None:
    return None if path is None else path.read_bytes()


def _variable(name: str) -> str:
    return f"{PREFIX}{GROUP}_{name.upper()}"
