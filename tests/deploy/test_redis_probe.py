"""What asks whether the secured Redis lives: as the cluster would ask it, of a real one."""

from __future__ import annotations

import subprocess
from datetime import timedelta
from pathlib import Path

import pytest

from devtools.brokers.certificates import Certificates, make_certificates
from devtools.brokers.missing import BrokersMissing
from devtools.brokers.opening import open_redis
from devtools.brokers.redis import RedisServer
from tests import brokers
from tests.deploy.rendered import Rendered
from tests.programs import need

MOUNTED = "/etc/redis/tls/ca.crt"


def probe(production: Rendered) -> list[str]:
    """The command of the liveness probe."""
    command = production.workload("redis").container["livenessProbe"]["exec"]["command"]
    return [str(word) for word in command]


def certificates_of(server: RedisServer) -> Certificates:
    """Those with which a Redis of ours began."""
    assert server.access.certificates is not None
    return server.access.certificates


def test_the_probe_finds_its_authority(production: Rendered) -> None:
    """What the probe trusts is mounted beside the certificate of the server."""
    redis = production.workload("redis")
    assert MOUNTED in probe(production)
    (volume,) = (each for each in redis.pod["volumes"] if each["name"] == "tls")
    assert {"key": "ca.crt", "path": "ca.crt"} in volume["secret"]["items"]


@pytest.mark.integration
def test_a_redis_whose_certificate_has_ended_does_not_live(production: Rendered, tmp_path: Path) -> None:
    """The probe needs no password, fails when the certificate has ended, and is content after a start with a new one."""
    redis_cli = need(("redis-cli",), "on Debian, apt install redis-tools")
    try:
        server = open_redis(tmp_path / "redis", has_password=True, has_tls=True)
    except BrokersMissing as missing:
        brokers.need(str(missing))
    authority = str(certificates_of(server).authority)
    words = [authority if word == MOUNTED else word for word in probe(production)[1:]]
    command = [redis_cli, "-p", server.address.rpartition(":")[2], *words]

    def lives() -> bool:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0

    with server:
        assert lives()
        make_certificates(certificates_of(server).authority.parent, server_lifetime=timedelta(minutes=-1))
        server.kill()
        server.start()
        assert not lives()
        make_certificates(certificates_of(server).authority.parent)
        server.kill()
        server.start()
        assert lives()
