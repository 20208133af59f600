"""Rate limits of calls: variables SIGNALBOX_RATE_*."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from typing import TypeAlias

import msgspec

from services.common.settings.variables import SettingsError, read_group, switch, whole_number

GROUP = "RATE"
PER_SECOND_MAX = 1_000_000.0
BURST_MAX = 10_000_000

Network: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network


class RateSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What an operator can choose. The defaults hold up nobody who plays, by hand or by bot."""

    player_per_second: float = 500.0
    """Calls of one player on the long run; 0 for no limit."""
    player_burst: int = 2_000
    """Calls of one player at once."""
    address_per_second: float = 1_000.0
    """Calls from one address on the long run; 0 for no limit."""
    address_burst: int = 2_000
    """Calls from one address at once."""
    refusals_per_second: float = 100.0
    """Refused calls of one player, or of one address without tokens, that end in a second; others wait for their turn. 0 for
    no limit."""
    trusted_proxies: tuple[str, ...] = ()
    """Networks, separated by commas, whose word in x-forwarded-for is taken for who calls."""
    shared: bool = False
    """Whether all replicas count together, in Redis: on or off. Costs every call a question to Redis."""


def load_rate_settings(environment: Mapping[str, str]) -> RateSettings:
    """Settings from `environment`. Raises `SettingsError`."""
    return read_group(
        RateSettings,
        GROUP,
        {
            "player_per_second": _per_second,
            "player_burst": _burst,
            "address_per_second": _per_second,
            "address_burst": _burst,
            "refusals_per_second": _per_second,
            "trusted_proxies": _networks,
            "shared": switch,
        },
        environment,
    )


def _per_second(variable: str, text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if not 0 <= number <= PER_SECOND_MAX:
        raise SettingsError(f"{variable}: {text!r} is not a number of calls from 0 to {PER_SECOND_MAX:.0f}")
    return number


def _burst(variable: str, text: str) -> int:
    return whole_number(variable, text, 1, BURST_MAX)


def _networks(variable: str, text: str) -> tuple[str, ...]:
    given = tuple(each.strip() for each in text.split(","))
    for each in given:
        try:
            ipaddress.ip_network(each)
        except ValueError as error:
            raise SettingsError(f"{variable}: {each!r} is no network such as 10.0.0.0/8: {error}") from error
    return given
