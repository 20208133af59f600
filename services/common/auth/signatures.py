"""Signatures of files by the keys that sign tokens. What is signed begins with its purpose, which no token does."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from services.common.auth.jwks import JwksError, public_keys_in
from services.common.auth.token_keys import SigningKeyError, TokenKeys

PURPOSE = b"signalbox file\n"


class Signature(NamedTuple):
    """A signature, and the id of its key, empty where there is but one."""

    key_id: str
    value: bytes


def sign(keys: TokenKeys, content: bytes) -> Signature:
    """The signature of `content`. Raises `SigningKeyError` where there is no key to sign with."""
    key_id, key = keys.signing()
    return Signature(key_id, key.sign(PURPOSE + content))


class TrustedKeys:
    """The keys of this platform and of others that it trusts."""

    def __init__(self, keys: TokenKeys, others: Path | None = None) -> None:
        """`others`: a JSON Web Key Set. Raises `SigningKeyError` if it cannot be read."""
        self._keys = keys
        self._others: Sequence[Ed25519PublicKey] = () if others is None else _read(others)

    def have_signed(self, content: bytes, signature: bytes) -> bool:
        """Whether one of them has signed `content`."""
        own = (each.key for each in self._keys.published())
        return any(_is_signed(key, content, signature) for key in (*own, *self._others))


def _is_signed(key: Ed25519PublicKey, content: bytes, signature: bytes) -> bool:
    try:
        key.verify(signature, PURPOSE + content)
    except InvalidSignature:
        return False
    return True


def _read(path: Path) -> Sequence[Ed25519PublicKey]:
    try:
        return public_keys_in(path.read_bytes())
    except OSError as error:
        raise SigningKeyError(f"public keys {path}: {error.strerror}") from error
    except JwksError as error:
        raise SigningKeyError(f"public keys {path}: {error}") from error
