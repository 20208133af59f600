"""Public keys as a JSON Web Key Set (RFC 7517, RFC 8037): the form in which every JWT library takes them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from jwt.algorithms import OKPAlgorithm

ALGORITHM = "EdDSA"


class JwksError(ValueError):
    """The document is no set of public keys; the message says why."""


def jwks_document(keys: Mapping[str, Ed25519PublicKey]) -> str:
    """The keys by id as a document, in this order. An empty id is left out: the only key of a process."""
    return json.dumps({"keys": [_entry(key_id, key) for key_id, key in keys.items()]}, indent=2) + "\n"


def _entry(key_id: str, key: Ed25519PublicKey) -> dict[str, Any]:
    named = {"kid": key_id} if key_id else {}
    return {**OKPAlgorithm.to_jwk(key, as_dict=True), **named, "use": "sig", "alg": ALGORITHM}


def read_jwks(text: str | bytes) -> dict[str, Ed25519PublicKey]:
    """The Ed25519 keys of a document by id; keys of other kinds are ignored, as RFC 7517 asks. Raises `JwksError`."""
    keys: dict[str, Ed25519PublicKey] = {}
    for key_id, key in _entries(text):
        if not key_id or key_id in keys:
            raise JwksError(f"kid {key_id!r} is missing or stands twice")
        keys[key_id] = key
    return keys


def public_keys_in(text: str | bytes) -> tuple[Ed25519PublicKey, ...]:
    """The Ed25519 keys of a document, those without an id too. Raises `JwksError`."""
    return tuple(key for _, key in _entries(text))


def _entries(text: str | bytes) -> Iterator[tuple[str | None, Ed25519PublicKey]]:
    try:
        found = jwt.PyJWKSet.from_json(text if isinstance(text, str) else text.decode("utf-8"))
    except (jwt.PyJWTError, ValueError, AttributeError, TypeError) as error:
        raise JwksError(f"holds no JSON Web Key Set with a usable key: {error}") from error
    for each in found.keys:
        if isinstance(each.key, Ed25519PrivateKey):
            raise JwksError(f"key {each.key_id!r} is a private key")
        if isinstance(each.key, Ed25519PublicKey):
            yield each.key_id, each.key
