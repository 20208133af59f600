"""Signed tokens: the owner of a signing key issues them, every service verifies them with the public keys.

A token is a JSON web token signed with Ed25519 ("EdDSA"): subject = id, name, kind (players' tokens leave it out),
issuer, time of issue, time of end; one for a program also an id and the scopes to which it is limited. Its header names the
key where there are several. A good token is refused once it was taken back, or the sessions of its player were ended
(`Revocations`).
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

import grpc
import jwt
import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from services.common.auth.jwks import ALGORITHM
from services.common.auth.revocations import Revocations
from services.common.auth.scopes import Scope, scopes_in
from services.common.auth.token_keys import (
    SigningKeyError,
    SingleKey,
    TokenKeys,
    read_private_key,
    write_private_key,
)
from services.common.clock import Clock
from services.common.errors import PermissionDenied, Unauthenticated

ISSUER = "signalbox-lobby"
METADATA_KEY = "authorization"
SCHEME = "bearer "
REQUIRED_CLAIMS = ("sub", "name", "iss", "iat", "exp")
KEPT_TOKENS = 4_096
SCOPE_MISSING = (("signalbox-reason", "scope_missing"),)
TOKEN_REVOKED = (("signalbox-reason", "token_revoked"),)
ENDED = "the token has ended; sign in again"
REVOKED = "the token was taken back, or an operator ended the sessions of this player; sign in again"

Kind: TypeAlias = Literal["player", "service", "operator"]
ONLY_PLAYERS: tuple[Kind, ...] = ("player",)
ONLY_SERVICES: tuple[Kind, ...] = ("service",)
ONLY_STAFF: tuple[Kind, ...] = ("service", "operator")
ANYBODY: tuple[Kind, ...] = ("player", "service", "operator")


class Principal(msgspec.Struct, frozen=True):
    """Who makes a call: a player, one of our services, or an operator with a tool."""

    player_id: str
    name: str
    kind: Kind = "player"
    scopes: tuple[Scope, ...] | None = None
    """What the token is limited to; None for all that its bearer may do."""

    def is_allowed_any(self, scopes: Collection[Scope]) -> bool:
        """Whether the token has one of these scopes, or no limits."""
        return self.scopes is None or not frozenset(scopes).isdisjoint(self.scopes)


class Bearer(msgspec.Struct, frozen=True):
    """Whom a good token proves, when it ends and when it was issued, in milliseconds since 1970 UTC, and its id if it has
    one."""

    principal: Principal
    end_ms: int
    issued_ms: int
    token_id: str = ""


class IssuedToken(msgspec.Struct, frozen=True):
    """A token and when it ends, in milliseconds since 1970 UTC."""

    token: str
    expire_time_ms: int


def load_or_create_signing_key(path: Path) -> Ed25519PrivateKey:
    """The key in the PEM file `path`; a missing file is made with a new key, readable by its owner only.

    Raises `SigningKeyError` if the file holds no Ed25519 key or cannot be read or written.
    """
    key = Ed25519PrivateKey.generate()
    try:
        if path.exists():
            # Perhaps in a folder that nobody may write to.
            return read_private_key(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_private_key(path, key)
    except FileExistsError:
        return read_private_key(path)
    except OSError as error:
        raise SigningKeyError(f"signing key {path}: {error.strerror}") from error
    return key


def _raw(key: Ed25519PublicKey) -> bytes:
    return key.public_bytes(Encoding.Raw, PublicFormat.Raw)


class TokenIssuer:
    """Signs tokens."""

    def __init__(self, keys: TokenKeys | Ed25519PrivateKey, lifetime_seconds: int, clock: Clock) -> None:
        self.keys: TokenKeys = SingleKey(keys) if isinstance(keys, Ed25519PrivateKey) else keys
        self._lifetime_seconds = lifetime_seconds
        self._clock = clock

    @property
    def public_key(self) -> bytes:
        """The 32 bytes with which anybody can verify the tokens signed now."""
        return _raw(self.keys.signing().key.public_key())

    @property
    def public_keys(self) -> Mapping[str, bytes]:
        """By id the 32 bytes of every key that tokens may be signed with, the oldest first; the only one has no id."""
        return {each.key_id: _raw(each.key) for each in self.keys.published()}

    def issue(
        self, principal: Principal, lifetime_seconds: int | None = None, token_id: str = ""
    ) -> IssuedToken:
        """A token that proves that its bearer is `principal`, for a lifetime of its own or that of all. One with an id can be
        refused by itself. Raises `SigningKeyError`."""
        now_ms = self._clock.now_ms()
        end = now_ms // 1000 + (self._lifetime_seconds if lifetime_seconds is None else lifetime_seconds)
        claims = {
            "sub": principal.player_id,
            "name": principal.name,
            "iss": ISSUER,
            # With its milliseconds (RFC 7519, 2: NumericDate), so that a session begun just after others were ended is good.
            "iat": now_ms / 1000,
            "exp": end,
        }
        if principal.kind != "player":
            claims["kind"] = principal.kind
        if principal.scopes is not None:
            claims["scope"] = " ".join(principal.scopes)
        if token_id:
            claims["jti"] = token_id
        key_id, key = self.keys.signing()
        token = jwt.encode(claims, key, algorithm=ALGORITHM, headers={"kid": key_id} if key_id else None)
        return IssuedToken(token, end * 1000)


class VerifiedToken(NamedTuple):
    """What is kept of a token: the id of the key that it names, and whom it proves."""

    key_id: str
    bearer: Bearer


class TokenVerifier:
    """Identifies a caller by its token; needs only public keys. Caches the latest tokens."""

    def __init__(self, keys: TokenKeys | bytes, clock: Clock, revocations: Revocations | None = None) -> None:
        """`revocations`: which players' tokens are refused though they have not ended; none by default."""
        self.revocations = revocations or Revocations(clock)
        self._keys: TokenKeys = (
            SingleKey(Ed25519PublicKey.from_public_bytes(keys)) if isinstance(keys, bytes) else keys
        )
        self._clock = clock
        self._lock = threading.Lock()
        self._verified: OrderedDict[str, VerifiedToken] = OrderedDict()
        self._generation = self._keys.generation

    def verify(self, token: str) -> Principal:
        """Who bears `token`. Raises `Unauthenticated` for one that is forged, damaged or has ended."""
        return self._verified_bearer(token).principal

    def _verified_bearer(self, token: str) -> Bearer:
        with self._lock:
            before = self._verified.get(token)
        # Reading the id of a key costs as much as all other checks of a token that was verified before.
        key_id = _key_id(token) if before is None else before.key_id
        keys = self._keys.verifying(key_id)
        found = self._remembered(token) or self._read(token, key_id, keys)
        if self.seconds_left(found.end_ms) <= 0:
            raise Unauthenticated(ENDED)
        who = found.principal
        if who.kind == "player" and self.revocations.is_revoked(
            who.player_id, found.issued_ms, found.token_id
        ):
            revoked = Unauthenticated(REVOKED)
            revoked.trailing = TOKEN_REVOKED
            raise revoked
        return found

    def seconds_left(self, end_ms: int) -> float:
        """Until a token that ends at `end_ms` does so."""
        return (end_ms - self._clock.now_ms()) / 1000

    def authenticate(
        self, context: grpc.ServicerContext, kinds: tuple[Kind, ...] = ONLY_PLAYERS
    ) -> Principal:
        """Who makes the call, from its metadata `authorization: Bearer <token>`.

        Raises `Unauthenticated`, and `PermissionDenied` for a caller of none of `kinds`.
        """
        principal = self.bearer(context.invocation_metadata()).principal
        check_kind(principal, kinds)
        return principal

    def bearer(self, metadata: Iterable[tuple[str, str | bytes]]) -> Bearer:
        """Whose token is in the metadata of a call. Raises `Unauthenticated`."""
        given = [value for key, value in metadata if key.lower() == METADATA_KEY]
        if len(given) != 1:
            raise Unauthenticated("the call needs one metadata entry authorization: Bearer <token>")
        text = given[0].decode("ascii", "replace") if isinstance(given[0], bytes) else given[0]
        if not text.lower().startswith(SCHEME):
            raise Unauthenticated("the metadata entry authorization does not read: Bearer <token>")
        return self._verified_bearer(text[len(SCHEME) :].strip())

    def _remembered(self, token: str) -> Bearer | None:
        with self._lock:
            if self._generation != self._keys.generation:
                self._generation = self._keys.generation
                self._verified.clear()
            known = self._verified.get(token)
        return None if known is None else known.bearer

    def _read(self, token: str, key_id: str, keys: Any) -> Bearer:
        for key in keys:
            try:
                claims: dict[str, Any] = jwt.decode(
                    token,
                    key,
                    algorithms=[ALGORITHM],
                    issuer=ISSUER,
                    options={"require": list(REQUIRED_CLAIMS), "verify_exp": False, "verify_iat": False},
                )
            except jwt.InvalidTokenError:
                continue
            found = _bearer(claims)
            with self._lock:
                self._verified[token] = VerifiedToken(key_id, found)
                if len(self._verified) > KEPT_TOKENS:
                    self._verified.popitem(last=False)
            return found
        raise Unauthenticated("the token is not one of this lobby")


def check_kind(principal: Principal, kinds: tuple[Kind, ...]) -> None:
    """Raises `PermissionDenied` for a caller of none of `kinds`."""
    if principal.kind not in kinds:
        raise PermissionDenied(f"this call is for {' and '.join(kinds)}, not for {principal.kind}")


def check_scopes(principal: Principal, scopes: Collection[Scope]) -> None:
    """Raises `PermissionDenied` for a caller whose token is limited to other scopes."""
    if not principal.is_allowed_any(scopes):
        needed = " or ".join(sorted(scopes)) or "no limits: sign in"
        denied = PermissionDenied(f"this call needs a token with {needed}")
        denied.trailing = SCOPE_MISSING
        raise denied


def _key_id(token: str) -> str:
    try:
        key_id = jwt.get_unverified_header(token).get("kid", "")
    except jwt.InvalidTokenError as error:
        raise Unauthenticated("the token is not one of this lobby") from error
    return key_id if isinstance(key_id, str) else ""


def _bearer(claims: dict[str, Any]) -> Bearer:
    player_id, name, end, kind = claims["sub"], claims["name"], claims["exp"], claims.get("kind", "player")
    scope, issued, token_id = claims.get("scope"), claims["iat"], claims.get("jti", "")
    is_whole = isinstance(player_id, str) and isinstance(name, str) and isinstance(end, int)
    is_whole = is_whole and isinstance(issued, int | float) and isinstance(token_id, str)
    if not is_whole or not isinstance(scope, str | None) or kind not in ANYBODY:
        raise Unauthenticated("the token is not one of this lobby")
    who = Principal(player_id, name, kind, None if scope is None else scopes_in(scope))
    return Bearer(who, end * 1000, round(issued * 1000), token_id)
