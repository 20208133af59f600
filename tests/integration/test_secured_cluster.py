"""A cluster in which everything is locked: mutual TLS, rotating keys, a Redis with a password, shared rate limits."""

from __future__ import annotations

from dataclasses import replace as with_fields
from itertools import islice
from pathlib import Path

import pytest
from msgspec.structs import replace

from devtools.brokers.certificates import make_certificates
from devtools.brokers.kafka import KafkaServers
from devtools.brokers.opening import open_redis
from services.client import AT_ONCE, Books, Games
from services.client.calls import NotAnsweredError
from services.client.lobby import register
from services.common.auth.token_keys import KeyFolder, new_key
from services.common.auth.tokens import Principal, TokenIssuer
from services.common.clock import SystemClock
from services.common.grpc.rate_settings import RateSettings
from services.common.grpc.tls import TlsSettings
from services.common.redis.settings import RedisSettings
from services.host.processes import ClusterHost, Replicas
from tests.brokers import own_topics
from tests.clusters import SETTINGS
from tests.hosting import PASSWORD, seat
from tests.integration.test_whole_games import players_of, turns
from tests.redis_connections import wait_until

pytestmark = pytest.mark.integration

ONE_EACH = with_fields(Replicas(), rules=1, routing=1)
COMMANDS = 12


def service_token(keys: Path) -> str:
    """A token for a service, by the keys of a folder; one is made if there is none."""
    clock = SystemClock()
    if not keys.exists():
        new_key(keys, clock)
    issuer = TokenIssuer(KeyFolder(keys, clock), 60, clock)
    return issuer.issue(Principal("service:x", "x", "service")).token


def test_a_game_is_played_behind_locked_doors(
    kafka_servers: KafkaServers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Services find each other and the ledger books; a client without certificate or token is rejected."""
    certificates = make_certificates(tmp_path / "certificates")
    tls = TlsSettings(
        certificate_file=certificates.server.certificate,
        key_file=certificates.server.key,
        client_ca_file=certificates.authority,
        ca_file=certificates.authority,
    )
    keys = tmp_path / "keys"
    new_key(keys, SystemClock())
    settings = replace(SETTINGS, tls=tls, token_keys=keys, rate=RateSettings(shared=True))
    with (
        open_redis(tmp_path / "redis", has_password=True, has_tls=True) as server,
        own_topics(kafka_servers) as kafka,
    ):
        assert server.access.certificates is not None
        redis = RedisSettings(
            address=server.address,
            password_file=server.access.password_file,
            tls=True,
            ca_file=server.access.certificates.authority,
        )
        host = ClusterHost(tmp_path / "host", kafka, redis, ONE_EACH, settings)
        host.start()
        try:
            monkeypatch.setenv("SIGNALBOX_TLS_CA_FILE", str(certificates.authority))
            with pytest.raises(NotAnsweredError, match="UNAVAILABLE"):
                register(host.addresses.lobby, "Ann", PASSWORD, AT_ONCE)
            monkeypatch.setenv("SIGNALBOX_TLS_CERTIFICATE_FILE", str(certificates.client.certificate))
            monkeypatch.setenv("SIGNALBOX_TLS_KEY_FILE", str(certificates.client.key))
            seated = seat(host, "1824", 3)
            *_, sequence = islice(turns(players_of(seated, host, "sensible"), seated.game_id), COMMANDS)
            assert sequence >= COMMANDS
            books = Books(host.addresses.ledger, service_token(keys))
            wait_until(lambda: books.audit(seated.game_id).compared_sequence >= sequence)
            assert books.trial_balance(seated.game_id).balanced
            service = Games(host.addresses.rules, service_token(keys))
            assert service.game(seated.game_id).sequence >= sequence
            with pytest.raises(NotAnsweredError, match="PERMISSION_DENIED"):
                service.choices(seated.game_id)
            with pytest.raises(NotAnsweredError, match="UNAUTHENTICATED"):
                Games(host.addresses.rules, service_token(tmp_path / "others")).game(seated.game_id)
            with server.client() as client:
                player = seated.games(host, 0)

                def is_counted() -> bool:
                    """Asked for again and again: a second after its last call a player is forgotten."""
                    player.game(seated.game_id)
                    return any(key.startswith(b"signalbox:rate:player:") for key in client.keys("*"))

                wait_until(is_counted)
        finally:
            host.stop()
