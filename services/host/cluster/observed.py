"""What a process shows beside its work, so that operators hear of it in time: whether it serves, the room on its
disk, and when the certificates and the token end that it was given."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import jwt
from cryptography import x509
from prometheus_client import CollectorRegistry, Gauge

from services.common.settings.service import PREFIX

CERTIFICATE_ENDINGS = ("CERTIFICATE_FILE", "CA_FILE")
TOKEN_FILE = f"{PREFIX}SERVICE_TOKEN_FILE"
ENDED = 0.0
"""What is shown for a file that cannot be read: it is of as little use as one that has ended."""


def show_readiness(registry: CollectorRegistry) -> Callable[[bool], None]:
    """A metric for whether the process serves, and how to set it."""
    ready = Gauge("signalbox_ready", "1 while the process reports that it serves", registry=registry)
    return lambda is_ready: ready.set(int(is_ready))


def show_disk(registry: CollectorRegistry, folder: Path) -> None:
    """Metrics for the disk on which `folder` is, or will be."""
    whole = Gauge("signalbox_disk_bytes", "Bytes of the disk of this process' files", registry=registry)
    free = Gauge("signalbox_disk_free_bytes", "Bytes of it that are free", registry=registry)
    whole.set_function(lambda: _room(folder)[0])
    free.set_function(lambda: _room(folder)[1])


def _room(folder: Path) -> tuple[int, int]:
    there = next((each for each in (folder, *folder.parents) if each.exists()), Path("/"))
    found = os.statvfs(there)
    return found.f_blocks * found.f_frsize, found.f_bavail * found.f_frsize


def show_ends(registry: CollectorRegistry, environment: Mapping[str, str]) -> None:
    """Metrics for when each certificate and the token end that the variables SIGNALBOX_*_FILE name, as the files are now."""
    certificates = Gauge(
        "signalbox_certificate_end_seconds",
        "When the first certificate of a file ends, seconds since 1970 UTC",
        ("file",),
        registry=registry,
    )
    for name, path in environment.items():
        if name.startswith(PREFIX) and name.endswith(CERTIFICATE_ENDINGS) and path:
            label = name.removeprefix(PREFIX).lower()
            certificates.labels(label).set_function(partial(certificate_end, Path(path)))
    if environment.get(TOKEN_FILE):
        token = Gauge(
            "signalbox_token_end_seconds",
            "When this service's own token ends, seconds since 1970 UTC",
            registry=registry,
        )
        token.set_function(partial(token_end, Path(environment[TOKEN_FILE])))


def certificate_end(path: Path) -> float:
    """When the first certificate in a PEM file ends, `ENDED` if it cannot be read."""
    try:
        found = x509.load_pem_x509_certificates(path.read_bytes())
    except (OSError, ValueError):
        return ENDED
    return min(each.not_valid_after_utc.timestamp() for each in found)


def token_end(path: Path) -> float:
    """When the token in a file ends, `ENDED` if it cannot be read."""
    try:
        claims = jwt.decode(path.read_text(encoding="ascii").strip(), options={"verify_signature": False})
        return float(claims["exp"])
    except (OSError, ValueError, KeyError, jwt.InvalidTokenError):
        return ENDED
