"""Whom the services of the cluster host believe."""

from __future__ import annotations

from services.common.auth import Principal, TokenIssuer, TokenVerifier, load_or_create_signing_key
from services.common.clock import SystemClock
from services.common.settings import Settings

# A service asks for a new token before each call, so it need not be good for long.
SERVICE_TOKEN_SECONDS = 60


def token_verifier(settings: Settings) -> TokenVerifier:
    """Believes what the lobby signs. Raises `SigningKeyError`."""
    return TokenVerifier(_issuer(settings).public_key, SystemClock())


def service_token(settings: Settings, service: str) -> str:
    """A token with which a service asks another one. Raises `SigningKeyError`."""
    return _issuer(settings).issue(Principal(f"service:{service}", service)).token


def _issuer(settings: Settings) -> TokenIssuer:
    key = load_or_create_signing_key(settings.signing_key)
    return TokenIssuer(key, SERVICE_TOKEN_SECONDS, SystemClock())
