"""What the methods of a service take: who may call them and how much they may send. A file `methods.toml` beside each
service holds it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec

from services.common.auth.tokens import ANYBODY, ONLY_PLAYERS, Kind

BYTES_MAX = 4_096
ELEMENTS_MAX = 1_000

CallerKind: TypeAlias = Literal["open", "player", "anybody"]
KINDS: dict[CallerKind, tuple[Kind, ...]] = {"open": (), "player": ONLY_PLAYERS, "anybody": ANYBODY}


class MethodLimits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one method takes."""

    caller: CallerKind = "open"
    """Whose token it needs: a player's, anybody's, or none (open)."""
    bytes: int = BYTES_MAX
    """Size of the request."""
    elements: int = ELEMENTS_MAX
    """Fields and items of repeated fields that a request may hold, those of all its parts together."""
    watch: bool = False
    """Whether its answers are a stream without an end of its own, for which there are quotas."""

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The kinds of tokens of which it needs one; empty where it needs none."""
        return KINDS[self.caller]


NO_LIMITS = MethodLimits()
_decode = msgspec.json.Decoder(dict[str, MethodLimits]).decode


def method_limits(path: Path) -> Mapping[str, MethodLimits]:
    """The limits by method in a `methods.toml`. Raises `msgspec.ValidationError` for an unknown key or a wrong value."""
    return _decode(msgspec.json.encode(tomllib.loads(path.read_text("utf-8"))))
