"""Whom the services of the cluster host believe, and what they say who they are."""

from __future__ import annotations

from services.common.auth.identity import ServiceIdentity, token_keys
from services.common.auth.revocations import Revocations
from services.common.auth.tokens import TokenVerifier
from services.common.clock import SystemClock
from services.common.settings.service import Settings


def token_verifier(settings: Settings, revocations: Revocations) -> TokenVerifier:
    """Accepts every token that one of our keys signed and nobody took back. Raises `SigningKeyError`."""
    clock = SystemClock()
    return TokenVerifier(token_keys(settings, clock), clock, revocations)


def service_identity(settings: Settings, service: str) -> ServiceIdentity:
    """Tokens with which a service asks another one. Raises `SettingsError` and `SigningKeyError`."""
    return ServiceIdentity(settings, service, SystemClock())
