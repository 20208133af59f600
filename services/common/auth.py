"""Signed tokens: the lobby issues them, every service verifies them with the lobby's public key.

A token is a JSON web token signed with Ed25519 ("EdDSA"): subject = player id, name = player name, issuer, time of
issue, time of end.
"""

import os
from pathlib import Path
from typing import Any

import grpc
import jwt
import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)

from services.common.clock import Clock
from services.common.errors import SignalboxError, Unauthenticated

ALGORITHM = "EdDSA"
ISSUER = "signalbox-lobby"
METADATA_KEY = "authorization"
SCHEME = "bearer "
REQUIRED_CLAIMS = ("sub", "name", "iss", "iat", "exp")


class SigningKeyError(SignalboxError):
    """The file of the signing key cannot be used; the message names it."""


class Principal(msgspec.Struct, frozen=True):
    """Who makes a call."""

    player_id: str
    name: str


class IssuedToken(msgspec.Struct, frozen=True):
    """A token and when it ends, in milliseconds since 1970 UTC."""

    token: str
    expire_time_ms: int


def load_or_create_signing_key(path: Path) -> Ed25519PrivateKey:
    """The key in the PEM file `path`; a missing file is made with a new key, readable by its owner only.

    Raises `SigningKeyError` if the file holds no Ed25519 key or cannot be read or written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return _load_signing_key(path)
    except OSError as error:
        raise SigningKeyError(f"signing key {path}: {error.strerror}") from error
    key = Ed25519PrivateKey.generate()
    with os.fdopen(descriptor, "wb") as file:
        file.write(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
        file.flush()
        os.fsync(file.fileno())
    return key


def _load_signing_key(path: Path) -> Ed25519PrivateKey:
    try:
        key = load_pem_private_key(path.read_bytes(), password=None)
    except OSError as error:
        raise SigningKeyError(f"signing key {path}: {error.strerror}") from error
    except (ValueError, TypeError) as error:
        raise SigningKeyError(f"signing key {path}: holds no PEM private key") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise SigningKeyError(f"signing key {path}: is not an Ed25519 key")
    return key


class TokenIssuer:
    """Signs tokens; only the lobby has one."""

    def __init__(self, key: Ed25519PrivateKey, lifetime_seconds: int, clock: Clock) -> None:
        self._key = key
        self._lifetime_seconds = lifetime_seconds
        self._clock = clock

    @property
    def public_key(self) -> bytes:
        """The 32 bytes with which anybody can verify the tokens."""
        return self._key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)

    def issue(self, principal: Principal) -> IssuedToken:
        """A token that proves for the lifetime that its bearer is `principal`."""
        issued = self._clock.now_ms() // 1000
        end = issued + self._lifetime_seconds
        claims = {
            "sub": principal.player_id,
            "name": principal.name,
            "iss": ISSUER,
            "iat": issued,
            "exp": end,
        }
        return IssuedToken(jwt.encode(claims, self._key, algorithm=ALGORITHM), end * 1000)


class TokenVerifier:
    """Tells from a token who calls; needs only the public key."""

    def __init__(self, public_key: bytes, clock: Clock) -> None:
        self._key = Ed25519PublicKey.from_public_bytes(public_key)
        self._clock = clock

    def verify(self, token: str) -> Principal:
        """Who bears `token`. Raises `Unauthenticated` for one that is forged, damaged or has ended."""
        try:
            claims: dict[str, Any] = jwt.decode(
                token,
                self._key,
                algorithms=[ALGORITHM],
                issuer=ISSUER,
                options={"require": list(REQUIRED_CLAIMS), "verify_exp": False, "verify_iat": False},
            )
        except jwt.InvalidTokenError as error:
            raise Unauthenticated("the token is not one of this lobby") from error
        player_id, name, end = claims["sub"], claims["name"], claims["exp"]
        if not (isinstance(player_id, str) and isinstance(name, str) and isinstance(end, int)):
            raise Unauthenticated("the token is not one of this lobby")
        if self._clock.now_ms() >= end * 1000:
            raise Unauthenticated("the token has ended; sign in again")
        return Principal(player_id, name)

    def authenticate(self, context: grpc.ServicerContext) -> Principal:
        """Who makes the call, from its metadata `authorization: Bearer <token>`. Raises `Unauthenticated`."""
        given = [value for key, value in context.invocation_metadata() if key.lower() == METADATA_KEY]
        if len(given) != 1:
            raise Unauthenticated("the call needs one metadata entry authorization: Bearer <token>")
        text = given[0].decode("ascii", "replace") if isinstance(given[0], bytes) else given[0]
        if not text.lower().startswith(SCHEME):
            raise Unauthenticated("the metadata entry authorization does not read: Bearer <token>")
        return self.verify(text[len(SCHEME) :].strip())
