"""Encrypted gRPC connections: who proves to be whom, by variables SIGNALBOX_TLS_*."""

from __future__ import annotations

import ssl
from collections.abc import Mapping
from pathlib import Path

import grpc
import msgspec

from services.common.telemetry import get_logger
from services.common.variables import PREFIX, SettingsError, file, read_group

GROUP = "TLS"


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
    if settings.certificate_file is not None and settings.key_file is not None:
        _check_pair(settings.certificate_file, settings.key_file)
    for name in ("client_ca_file", "ca_file"):
        path = getattr(settings, name)
        if path is not None:
            _check_authority(_variable(name), path)
    return settings


def server_credentials(settings: TlsSettings) -> grpc.ServerCredentials:
    """For a server that shows the certificate; files that are replaced count for the next connection."""
    files = _ServerFiles(settings)
    return grpc.dynamic_ssl_server_credentials(
        files.read(),
        files.replaced,  # type: ignore[arg-type]  # None is allowed, the stubs leave it out
        require_client_authentication=settings.client_ca_file is not None,
    )


def channel_credentials(settings: TlsSettings) -> grpc.ChannelCredentials:
    """For a client that trusts the authorities of `ca_file` and shows its own certificate where it has one."""
    return grpc.ssl_channel_credentials(
        root_certificates=_bytes(settings.ca_file),
        private_key=_bytes(settings.key_file),
        certificate_chain=_bytes(settings.certificate_file),
    )


class _ServerFiles:
    """The files that a server reads, as they are now."""

    def __init__(self, settings: TlsSettings) -> None:
        self._settings = settings
        self._seen = self._marks()
        self._log = get_logger("tls")

    def read(self) -> grpc.ServerCertificateConfiguration:
        """Their content."""
        settings = self._settings
        key, certificate = _bytes(settings.key_file), _bytes(settings.certificate_file)
        if key is None or certificate is None:
            raise SettingsError(f"{_variable('certificate_file')} and {_variable('key_file')}: are needed")
        return grpc.ssl_server_certificate_configuration(
            [(key, certificate)], root_certificates=_bytes(settings.client_ca_file)
        )

    def replaced(self) -> grpc.ServerCertificateConfiguration | None:
        """Their content if they were replaced, None to go on as before. Called for every new connection."""
        marks = self._marks()
        if marks == self._seen:
            return None
        self._seen = marks
        settings = self._settings
        try:
            if settings.certificate_file is not None and settings.key_file is not None:
                _check_pair(settings.certificate_file, settings.key_file)
            if settings.client_ca_file is not None:
                _check_authority(_variable("client_ca_file"), settings.client_ca_file)
            fresh = self.read()
        except (SettingsError, OSError) as error:
            self._log.warning("replaced certificate is not taken", reason=str(error))
            return None
        self._log.info("replaced certificate is taken", certificate=str(settings.certificate_file))
        return fresh

    def _marks(self) -> tuple[tuple[int, int, int] | None, ...]:
        paths = (
            self._settings.certificate_file,
            self._settings.key_file,
            self._settings.client_ca_file,
        )
        return tuple(_mark(path) for path in paths)


def _mark(path: Path | None) -> tuple[int, int, int] | None:
    """Changes when a file is replaced or rewritten."""
    try:
        status = None if path is None else path.stat()
    except OSError:
        return None
    return None if status is None else (status.st_ino, status.st_mtime_ns, status.st_size)


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
