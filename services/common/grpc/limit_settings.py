"""What one caller may use of a server at the same time: variables SIGNALBOX_LIMIT_*."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from services.common.settings.variables import (
    PREFIX,
    Reader,
    SettingsError,
    read_group,
    seconds,
    whole_number,
)

GROUP = "LIMIT"
MEBIBYTE = 1024 * 1024


class LimitSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What an operator can choose. A caller is a player with a good token, else an address. Services and operators count
    towards the limits of the process only."""

    receive_seconds: float = 5.0
    """Time for the message of a call to arrive; until then the call holds no thread."""
    calls: int = 8_000
    """Calls of a process at the same time, in whatever state; streams are counted apart."""
    caller_calls: int = 200
    """Those of one caller among them."""
    caller_threads: int = 8
    """Calls of one caller that are worked on at the same time; its others wait for them, but not for other callers."""
    bytes_in_flight: int = 64 * MEBIBYTE
    """Bytes of the messages that a process receives and works on at the same time."""
    caller_bytes: int = 8 * MEBIBYTE
    """Those of one caller among them; at least the largest message that a method takes."""
    connection_streams: int = 256
    """Calls and streams of one connection at the same time; more wait on the client's side."""
    watchers: int = 20_000
    """Watch streams of a process."""
    player_watchers: int = 50
    """Those of one player among them."""
    address_watchers: int = 5_000
    """Those of players at one address among them."""
    anonymous_watchers: int = 500
    """Streams of callers without a token, reflection included."""
    address_anonymous_watchers: int = 50
    """Those from one address among them."""
    write_seconds: float = 15.0
    """How long a watcher may take to read what it was sent; then its stream ends."""


WHOLE_NUMBER_RANGES: dict[str, tuple[int, int]] = {
    "calls": (1, 1_000_000),
    "caller_calls": (1, 1_000_000),
    "caller_threads": (1, 1_000),
    "bytes_in_flight": (1_024, 1024 * 1024 * MEBIBYTE),
    "caller_bytes": (1_024, 1024 * 1024 * MEBIBYTE),
    "connection_streams": (1, 1_000_000),
    "watchers": (0, 1_000_000),
    "player_watchers": (0, 1_000_000),
    "address_watchers": (0, 1_000_000),
    "anonymous_watchers": (0, 1_000_000),
    "address_anonymous_watchers": (0, 1_000_000),
}
SECONDS_RANGES: dict[str, tuple[float, float]] = {
    "receive_seconds": (0.01, 3_600.0),
    "write_seconds": (0.01, 3_600.0),
}


def load_limit_settings(environment: Mapping[str, str]) -> LimitSettings:
    """Settings from `environment`. Raises `SettingsError`."""
    readers = {name: _reader(name) for name in LimitSettings.__struct_fields__}
    settings = read_group(LimitSettings, GROUP, readers, environment)
    if settings.caller_bytes > settings.bytes_in_flight:
        raise SettingsError(
            f"{PREFIX}{GROUP}_CALLER_BYTES: {settings.caller_bytes} must not be more than "
            f"{PREFIX}{GROUP}_BYTES_IN_FLIGHT, {settings.bytes_in_flight}"
        )
    return settings


def _reader(name: str) -> Reader:
    if name in WHOLE_NUMBER_RANGES:
        return lambda variable, text: whole_number(variable, text, *WHOLE_NUMBER_RANGES[name])
    return lambda variable, text: seconds(variable, text, *SECONDS_RANGES[name])
