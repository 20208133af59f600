"""What the methods of a service take: who may call them and how much they may send. A file `methods.toml` beside each
service holds it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec
from google.protobuf.descriptor import ServiceDescriptor

from services.common.auth.scopes import Scope
from services.common.auth.tokens import ANYBODY, ONLY_PLAYERS, ONLY_SERVICES, Kind
from services.common.errors import SignalboxError

BYTES_MAX = 4_096
ELEMENTS_MAX = 1_000

CallerKind: TypeAlias = Literal["open", "player", "service", "anybody"]
KINDS: dict[CallerKind, tuple[Kind, ...]] = {
    "open": (),
    "player": ONLY_PLAYERS,
    "service": ONLY_SERVICES,
    "anybody": ANYBODY,
}


class MethodLimits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one method takes."""

    caller: CallerKind = "open"
    """Whose token it needs: a player's, that of one of our services, anybody's, or none (open)."""
    scopes: tuple[Scope, ...] | None = None
    """A token that is limited to scopes needs one of these; with none of them only a token without limits will do. Left out
    where no token is needed, and any will do."""
    bytes: int = BYTES_MAX
    """Size of the request."""
    elements: int = ELEMENTS_MAX
    """Fields and items of repeated fields that a request may hold, those of all its parts together."""
    slow: bool = False
    """Whether its calls wait long in their threads: then these are others than those of all other methods."""
    watch: bool = False
    """Whether its answers are a stream without an end of its own, for which there are quotas."""

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The kinds of tokens of which it needs one; empty where it needs none."""
        return KINDS[self.caller]


NO_LIMITS = MethodLimits()
_decode = msgspec.json.Decoder(dict[str, MethodLimits]).decode


class MethodsFileError(SignalboxError):
    """A `methods.toml` does not fit its service; the message names the file and what is wrong in it."""


def method_limits(path: Path, service: ServiceDescriptor) -> Mapping[str, MethodLimits]:
    """The limits by method in a `methods.toml`, which must name every method of `service` and nothing else: a method without
    limits would be open to everybody. Raises `MethodsFileError`."""
    try:
        limits = _decode(msgspec.json.encode(tomllib.loads(path.read_text("utf-8"))))
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise MethodsFileError(f"{path}: {error}") from error
    methods = {method.name for method in service.methods}
    if missing := sorted(methods - limits.keys()):
        raise MethodsFileError(f"{path}: nothing about {', '.join(missing)} of {service.full_name}")
    if unknown := sorted(limits.keys() - methods):
        raise MethodsFileError(f"{path}: {service.full_name} has no method {', '.join(unknown)}")
    if unscoped := sorted(name for name in methods if limits[name].kinds and limits[name].scopes is None):
        raise MethodsFileError(f"{path}: no scopes for {', '.join(unscoped)}")
    return limits
