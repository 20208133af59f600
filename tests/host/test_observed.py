"""What a process shows of its disk, its certificates and its token."""

from __future__ import annotations

import time
from datetime import timedelta
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from prometheus_client import CollectorRegistry

from devtools.brokers.certificates import make_certificates
from services.common.auth.tokens import Principal, TokenIssuer
from services.common.clock import SystemClock
from services.host.cluster.observed import ENDED, show_disk, show_ends, show_readiness

DAY = timedelta(days=1)


def shown(registry: CollectorRegistry, name: str, **labels: str) -> float:
    """A metric."""
    value = registry.get_sample_value(name, labels)
    assert value is not None, f"{name} {labels} is not shown"
    return value


def test_the_end_of_each_certificate_is_shown(tmp_path: Path) -> None:
    """Of those that variables name, as the files are now: replaced ones count, missing ones have ended."""
    made = make_certificates(tmp_path / "first", server_lifetime=DAY)
    file = tmp_path / "tls.crt"
    file.write_bytes(made.server.certificate.read_bytes())
    registry = CollectorRegistry()
    show_ends(
        registry,
        {
            "SIGNALBOX_TLS_CERTIFICATE_FILE": str(file),
            "SIGNALBOX_KAFKA_CA_FILE": str(made.authority),
            "SIGNALBOX_REDIS_CA_FILE": str(tmp_path / "missing"),
            "SIGNALBOX_TLS_KEY_FILE": str(made.server.key),
        },
    )

    def end(name: str) -> float:
        return shown(registry, "signalbox_certificate_end_seconds", file=name)

    assert 0 < end("tls_certificate_file") - time.time() <= DAY.total_seconds()
    assert 0 < end("kafka_ca_file") - time.time() <= DAY.total_seconds()
    assert end("redis_ca_file") == ENDED
    assert registry.get_sample_value("signalbox_certificate_end_seconds", {"file": "tls_key_file"}) is None
    file.write_bytes(
        make_certificates(tmp_path / "next", server_lifetime=3 * DAY).server.certificate.read_bytes()
    )
    assert end("tls_certificate_file") - time.time() > DAY.total_seconds()


def test_the_end_of_the_token_is_shown(tmp_path: Path) -> None:
    """Without verifying it: the service that is asked does that."""
    file = tmp_path / "token"
    registry = CollectorRegistry()
    show_ends(registry, {"SIGNALBOX_SERVICE_TOKEN_FILE": str(file)})
    assert shown(registry, "signalbox_token_end_seconds") == ENDED
    issuer = TokenIssuer(Ed25519PrivateKey.generate(), 600, SystemClock())
    file.write_text(issuer.issue(Principal("service:ledger", "ledger", "service")).token + "\n")
    assert 500 < shown(registry, "signalbox_token_end_seconds") - time.time() <= 600


def test_the_room_on_the_disk_is_shown(tmp_path: Path) -> None:
    """Also before the folder is made."""
    registry = CollectorRegistry()
    show_disk(registry, tmp_path / "later" / "data")
    assert 0 < shown(registry, "signalbox_disk_free_bytes") <= shown(registry, "signalbox_disk_bytes")


def test_readiness_is_shown() -> None:
    """0 until it is set."""
    registry = CollectorRegistry()
    show = show_readiness(registry)
    assert shown(registry, "signalbox_ready") == 0
    show(True)
    assert shown(registry, "signalbox_ready") == 1
