"""Tokens of players, services and operators: none passes for another."""

from __future__ import annotations

from pathlib import Path

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec.structs import replace

from services.common.auth.identity import ServiceIdentity, token_keys
from services.common.auth.tokens import (
    ANYBODY,
    ONLY_PLAYERS,
    ONLY_STAFF,
    Kind,
    Principal,
    TokenIssuer,
    TokenVerifier,
)
from services.common.clock import ManualClock, SystemClock
from services.common.errors import PermissionDenied, Unauthenticated
from services.common.settings.service import Settings, SettingsError
from tests.grpc_context import call_context

KINDS: tuple[Kind, ...] = ("player", "service", "operator")


@pytest.fixture
def issuer() -> TokenIssuer:
    """Signs."""
    return TokenIssuer(Ed25519PrivateKey.generate(), 60, ManualClock())


@pytest.fixture
def verifier(issuer: TokenIssuer) -> TokenVerifier:
    """Verifies what `issuer` signs."""
    return TokenVerifier(issuer.keys, ManualClock())


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_passes_where_it_is_wanted_only(
    issuer: TokenIssuer, verifier: TokenVerifier, kind: Kind
) -> None:
    """A player is no service, a service no player, an operator neither; some calls are for anybody."""
    principal = Principal("x1", "X", kind)
    context = call_context(authorization=f"Bearer {issuer.issue(principal).token}")
    assert verifier.authenticate(context, ANYBODY) == principal
    for wanted in (ONLY_PLAYERS, ONLY_STAFF):
        if kind in wanted:
            assert verifier.authenticate(context, wanted) == principal
        else:
            with pytest.raises(PermissionDenied, match=f"not for {kind}"):
                verifier.authenticate(context, wanted)


def test_players_only_is_what_a_call_is_for_unless_it_says_otherwise(
    issuer: TokenIssuer, verifier: TokenVerifier
) -> None:
    """A service that calls where it was not thought of is refused."""
    token = issuer.issue(Principal("service:ledger", "ledger", "service")).token
    with pytest.raises(PermissionDenied):
        verifier.authenticate(call_context(authorization=f"Bearer {token}"))


def test_a_kind_that_is_not_known_is_nobody(verifier: TokenVerifier, issuer: TokenIssuer) -> None:
    """Signed rightly or not, it proves nothing."""
    claims = {"sub": "x", "name": "X", "iss": "signalbox-lobby", "iat": 0, "exp": 2**40, "kind": "god"}
    token = jwt.encode(claims, issuer.keys.signing().key, algorithm="EdDSA")
    with pytest.raises(Unauthenticated):
        verifier.verify(token)


def test_players_tokens_are_as_they_were(issuer: TokenIssuer) -> None:
    """Neither kind nor key id is added to them, so that older services read them."""
    token = issuer.issue(Principal("p1", "Ann")).token
    assert set(jwt.decode(token, options={"verify_signature": False})) == {"sub", "name", "iss", "iat", "exp"}
    assert "kid" not in jwt.get_unverified_header(token)


def test_a_service_proves_itself_by_key_or_by_file(tmp_path: Path) -> None:
    """The owner of a signing key makes tokens; others read theirs from a file, again for every call."""
    settings = Settings(signing_key=tmp_path / "key.pem")
    clock = SystemClock()
    verifier = TokenVerifier(token_keys(settings, clock), clock)
    by_key = ServiceIdentity(settings, "ledger", clock).token()
    assert verifier.verify(by_key) == Principal("service:ledger", "ledger", "service")
    file = tmp_path / "token"
    by_file = replace(settings, service_token_file=file)
    with pytest.raises(SettingsError, match=r"SIGNALBOX_SERVICE_TOKEN_FILE: .*No such file"):
        ServiceIdentity(by_file, "ledger", clock)
    file.write_text(f"{by_key}\n")
    identity = ServiceIdentity(by_file, "ledger", clock)
    assert identity.token() == by_key
    file.write_text("another")
    assert identity.token() == "another"
    file.write_text("")
    with pytest.raises(SettingsError, match="is empty"):
        identity.token()
