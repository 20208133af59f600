"""By which keys a process signs and verifies tokens, and by which token it calls other services."""

from __future__ import annotations

from services.common.auth.token_keys import KeyFolder, SingleKey, TokenKeys
from services.common.auth.tokens import Principal, TokenIssuer, load_or_create_signing_key
from services.common.clock import Clock
from services.common.settings.service import PREFIX, Settings
from services.common.settings.variables import secret

# A service asks for a new token before each call, so it need not be good for long.
SERVICE_TOKEN_SECONDS = 60


def token_keys(settings: Settings, clock: Clock) -> TokenKeys:
    """The folder of keys where there is one, else the single key, made when missing. Raises `SigningKeyError`."""
    if settings.token_keys is not None:
        return KeyFolder(settings.token_keys, clock)
    return SingleKey(load_or_create_signing_key(settings.signing_key))


def service_id(service: str) -> str:
    """Whom the token of a service names; `service`: its short name, such as ledger."""
    return f"service:{service}"


class ServiceIdentity:
    """Proves to other services that one of ours calls."""

    def __init__(self, settings: Settings, service: str, clock: Clock) -> None:
        """`service`: its short name, such as ledger. Raises `SettingsError` and `SigningKeyError`."""
        self._file = settings.service_token_file
        if self._file is None:
            self._issuer = TokenIssuer(token_keys(settings, clock), SERVICE_TOKEN_SECONDS, clock)
            self._principal = Principal(service_id(service), service, "service")
        self.token()

    def token(self) -> str:
        """The token for the next call; a file that was replaced counts. Raises `SettingsError`, `SigningKeyError`."""
        if self._file is None:
            return self._issuer.issue(self._principal).token
        return secret(f"{PREFIX}SERVICE_TOKEN_FILE", self._file, "ascii")
