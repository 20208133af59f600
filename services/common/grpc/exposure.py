"""Which addresses a service may listen on: beyond this machine only with encryption and known callers."""

from __future__ import annotations

import ipaddress

from services.common.settings.service import PREFIX, Settings, SettingsError
from services.common.telemetry.logs import get_logger

NEEDS_TLS = f"TLS ({PREFIX}TLS_CERTIFICATE_FILE and {PREFIX}TLS_KEY_FILE)"
NEEDS_CALLERS = f"client certificates ({PREFIX}TLS_CLIENT_CA_FILE), since this service asks for no token"
OVERRIDE = f"{PREFIX}ALLOW_INSECURE"


def check_exposure(service: str, settings: Settings, asks_for_token: bool = True) -> None:
    """Raise `SettingsError` for a service that other machines could reach without TLS, or without it knowing who calls;
    with the setting `allow_insecure` a warning is logged instead."""
    missing = _missing(settings, asks_for_token)
    if is_loopback(settings.host) or not missing:
        return
    lack = f"{PREFIX}HOST: other machines reach {service} at {settings.host}, without {' and '.join(missing)}"
    if not settings.allow_insecure:
        raise SettingsError(
            f"{lack}; set them, or {PREFIX}HOST=127.0.0.1, or {OVERRIDE}=on if the network is trusted"
        )
    get_logger(service).warning(
        "insecure address allowed", host=settings.host, missing=missing, allowed_by=OVERRIDE
    )


def is_loopback(host: str) -> bool:
    """Whether only programs on this machine reach this address."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def _missing(settings: Settings, asks_for_token: bool) -> list[str]:
    missing = []
    if not settings.tls.is_served:
        missing.append(NEEDS_TLS)
    if not asks_for_token and settings.tls.client_ca_file is None:
        missing.append(NEEDS_CALLERS)
    return missing
