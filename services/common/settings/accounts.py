"""Limits of signing in, variables SIGNALBOX_SIGN_IN_*, and of what one player may keep, SIGNALBOX_QUOTA_*."""

from __future__ import annotations

import os
from collections.abc import Mapping

import msgspec

from services.common.settings.variables import Reader, read_group, seconds, whole_number

COUNT_MAX = 1_000_000
BYTES_MAX = 2**40
HASH_MEBIBYTES_MAX = 4096
HASH_PASSES_MAX = 100
SECONDS_MAX = 24 * 3600.0


def _half_of_the_cores() -> int:
    return max(1, (os.cpu_count() or 1) // 2)


class SignInSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What an operator can choose about registering and signing in."""

    hashing_threads: int = msgspec.field(default_factory=_half_of_the_cores)
    """Passwords hashed at the same time; half of the cores by default."""
    hash_mebibytes: int = 64
    """Memory that each of them takes; it and the passes are argon2id's cost, by default RFC 9106's for little memory."""
    hash_passes: int = 3
    """How often the memory is gone through for a password."""
    hashing_queue: int = 16
    """Passwords that are hashed or wait for it at the same time; a call with one more is refused."""
    hashing_queue_per_address: int = 8
    """Those from one address among them."""
    free_attempts: int = 5
    """Attempts for one name from one address before each further one has to wait."""
    free_attempts_per_address: int = 30
    """Wrong attempts from one address, for any names, before each further one has to wait."""
    free_registrations_per_address: int = 200
    """Registrations from one address before each further one has to wait."""
    delay_seconds: float = 1.0
    """The first wait; each further one is twice as long."""
    delay_seconds_max: float = 60.0
    """The longest wait."""
    forget_seconds: float = 900.0
    """Attempts are forgotten when none has been made for so long."""


THROWAWAY_ACCOUNTS = SignInSettings(hash_mebibytes=1, hash_passes=1)
"""For accounts that end with the process that made them, as those of demos and benchmarks: their passwords protect nothing."""


class QuotaSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What an operator can choose about what one player may keep in the lobby, and in a game."""

    open_tables: int = 50
    """Tables that wait for players, of one owner."""
    seats: int = 500
    """Seats of one player at tables whose game has not ended."""
    stored_bytes: int = 16 * 1024 * 1024
    """Bytes that the requests of one player have stored in the log of the lobby, for ever."""
    joins_per_table: int = 20
    """How often one player may join the same table."""
    imports: int = 10_000
    """Games that one operator has imported, for ever."""
    tournaments: int = 20
    """Unfinished tournaments that one player directs."""
    game_events: int = 50_000
    """Events that the commands of one player have written into one game, undone ones included; from half of them on the
    player cannot undo."""


def load_sign_in_settings(environment: Mapping[str, str]) -> SignInSettings:
    """Settings from `environment`. Raises `SettingsError`."""
    readers: dict[str, Reader] = {
        name: _seconds if name.endswith(("seconds", "seconds_max")) else _count
        for name in SignInSettings.__struct_fields__
    }
    readers |= {"hash_mebibytes": _mebibytes, "hash_passes": _passes}
    return read_group(SignInSettings, "SIGN_IN", readers, environment)


def load_quota_settings(environment: Mapping[str, str]) -> QuotaSettings:
    """Settings from `environment`. Raises `SettingsError`."""
    readers: dict[str, Reader] = dict.fromkeys(QuotaSettings.__struct_fields__, _count)
    return read_group(QuotaSettings, "QUOTA", readers | {"stored_bytes": _bytes}, environment)


def _count(variable: str, text: str) -> int:
    return whole_number(variable, text, 1, COUNT_MAX)


def _mebibytes(variable: str, text: str) -> int:
    return whole_number(variable, text, 1, HASH_MEBIBYTES_MAX)


def _passes(variable: str, text: str) -> int:
    return whole_number(variable, text, 1, HASH_PASSES_MAX)


def _bytes(variable: str, text: str) -> int:
    return whole_number(variable, text, 1, BYTES_MAX)


def _seconds(variable: str, text: str) -> float:
    return seconds(variable, text, 0.001, SECONDS_MAX)
