"""Tokens and the key that signs them."""

import stat
from pathlib import Path

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from services.common.auth.operators import Operators
from services.common.auth.scopes import Scope
from services.common.auth.token_keys import SigningKeyError
from services.common.auth.tokens import (
    Principal,
    TokenIssuer,
    TokenVerifier,
    check_scopes,
    load_or_create_signing_key,
)
from services.common.clock import ManualClock
from services.common.errors import PermissionDenied, Unauthenticated

ANN = Principal("p1", "Ann")


def test_token_proves_its_bearer_until_it_ends() -> None:
    """A token is good to its last second and not longer."""
    clock = ManualClock()
    issuer = TokenIssuer(Ed25519PrivateKey.generate(), 60, clock)
    verifier = TokenVerifier(issuer.public_key, clock)
    issued = issuer.issue(ANN)
    clock.advance(59_999)
    assert verifier.verify(issued.token) == ANN
    clock.advance(1)
    assert clock.now_ms() == issued.expire_time_ms
    with pytest.raises(Unauthenticated, match="has ended"):
        verifier.verify(issued.token)


def test_tokens_of_others_are_refused() -> None:
    """Another key, no signature, a shared-secret signature, another issuer and missing claims do not pass."""
    clock = ManualClock()
    key = Ed25519PrivateKey.generate()
    issuer = TokenIssuer(key, 60, clock)
    end = clock.now_ms() // 1000 + 60
    claims = {"sub": "p1", "name": "Ann", "iss": "signalbox-lobby", "iat": end - 60, "exp": end}
    good = issuer.issue(ANN).token
    forged = [
        TokenIssuer(Ed25519PrivateKey.generate(), 60, clock).issue(ANN).token,
        jwt.encode(claims, key="", algorithm="none"),
        jwt.encode(claims, key=issuer.public_key, algorithm="HS256"),
        jwt.encode(claims | {"iss": "elsewhere"}, key, algorithm="EdDSA"),
        jwt.encode({"sub": "p1", "iss": "signalbox-lobby"}, key, algorithm="EdDSA"),
        jwt.encode(claims | {"exp": "never"}, key, algorithm="EdDSA"),
        good[:-4] + "AAAA",
        "",
    ]
    for token in forged:
        with pytest.raises(Unauthenticated, match="not one of this lobby"):
            TokenVerifier(issuer.public_key, clock).verify(token)


def test_signing_key_is_made_once_and_kept_private(tmp_path: Path) -> None:
    """The first start makes the key for its owner's eyes only, later starts read the same key."""
    path = tmp_path / "keys" / "signing.pem"
    clock = ManualClock()
    first = TokenIssuer(load_or_create_signing_key(path), 60, clock)
    second = TokenIssuer(load_or_create_signing_key(path), 60, clock)
    assert first.public_key == second.public_key
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_unusable_signing_key_is_named(tmp_path: Path) -> None:
    """A file that holds something else is refused by its name."""
    path = tmp_path / "signing.pem"
    path.write_text("not a key")
    with pytest.raises(SigningKeyError, match=r"signing\.pem: holds no PEM private key"):
        load_or_create_signing_key(path)
    other = generate_private_key(SECP256R1())
    path.write_bytes(other.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    with pytest.raises(SigningKeyError, match=r"signing\.pem: is not an Ed25519 key"):
        load_or_create_signing_key(path)


def test_a_token_is_limited_to_its_scopes() -> None:
    """For as long as it says; scopes of a later version allow nothing here."""
    clock = ManualClock()
    key = Ed25519PrivateKey.generate()
    issuer = TokenIssuer(key, 60, clock)
    verifier = TokenVerifier(issuer.public_key, clock)
    issued = issuer.issue(Principal("p1", "Ann", scopes=("game:read", "bot:play")), 10)
    limited = verifier.verify(issued.token)
    assert issued.expire_time_ms == clock.now_ms() + 10_000
    check_scopes(limited, ("game:play", "bot:play"))
    too_few: tuple[tuple[Scope, ...], ...] = (("game:play",), ())
    for scopes in too_few:
        with pytest.raises(PermissionDenied) as denied:
            check_scopes(limited, scopes)
        assert denied.value.trailing == (("signalbox-reason", "scope_missing"),)
    check_scopes(ANN, ())
    end = clock.now_ms() // 1000 + 60
    claims = {"sub": "p1", "name": "Ann", "iss": "signalbox-lobby", "iat": end - 60, "exp": end}
    later = jwt.encode(claims | {"scope": "game:read moon:fly"}, key, algorithm="EdDSA")
    assert verifier.verify(later).scopes == ("game:read",)
    with pytest.raises(Unauthenticated):
        verifier.verify(jwt.encode(claims | {"scope": ["game:read"]}, key, algorithm="EdDSA"))


def test_an_operators_rights_need_their_scope() -> None:
    """A token for a bot of an operator is no operator's."""
    clock = ManualClock()
    verifier = TokenVerifier(TokenIssuer(Ed25519PrivateKey.generate(), 60, clock).public_key, clock)
    operators = Operators(verifier, ("p1",))
    assert operators.includes(ANN)
    assert operators.includes(Principal("p1", "Ann", scopes=("operator:*",)))
    assert not operators.includes(Principal("p1", "Ann", scopes=("bot:play",)))
    assert not operators.includes(Principal("p2", "Bob", scopes=("operator:*",)))
