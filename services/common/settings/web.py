"""The web process: variables SIGNALBOX_WEB_*."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from services.common.settings.variables import Reader, folder, read_group, seconds, whole_number

GROUP = "WEB"


class WebSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What an operator can choose. An address is that of the connection, or whom a trusted proxy speaks for."""

    port: int = 8400
    """Port of pages and API."""
    body_bytes: int = 1_048_576
    """Largest body of a request."""
    body_seconds: float = 10.0
    """Until the body of a request is complete."""
    header_seconds: float = 10.0
    """Until the headers of the first or the next request of a connection are complete."""
    write_seconds: float = 20.0
    """For a client that does not read its answer."""
    connections: int = 4_096
    """Connections at the same time, whether requests come over them or not."""
    address_connections: int = 256
    """Those from one address among them; a trusted proxy may have all."""
    requests: int = 512
    """Requests at the same time, streams not counted."""
    address_requests: int = 64
    """Those from one address among them."""
    streams: int = 2_000
    """Streams at the same time."""
    address_streams: int = 100
    """Those from one address among them."""
    deadline_seconds: float = 30.0
    """Time for a call that brings no deadline of its own, and the longest deadline that is passed on."""
    translations: str = ""
    """Folder with translations of the texts of the pages; empty for English alone."""


COUNTS = ("connections", "address_connections", "requests", "address_requests", "streams", "address_streams")
SECONDS = ("body_seconds", "header_seconds", "write_seconds", "deadline_seconds")


def load_web_settings(environment: Mapping[str, str]) -> WebSettings:
    """Settings from `environment`. Raises `SettingsError`."""
    readers: dict[str, Reader] = {
        "port": lambda variable, text: whole_number(variable, text, 0, 65_535),
        "body_bytes": lambda variable, text: whole_number(variable, text, 1_024, 256 * 1024 * 1024),
        "translations": folder,
        **dict.fromkeys(COUNTS, lambda variable, text: whole_number(variable, text, 1, 1_000_000)),
        **dict.fromkeys(SECONDS, lambda variable, text: seconds(variable, text, 0.01, 3_600.0)),
    }
    return read_group(WebSettings, GROUP, readers, environment)
