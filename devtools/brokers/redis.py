"""A real Redis on the loopback address that keeps nothing on disk."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from devtools.brokers.certificates import Certificates, make_certificates
from services.host.children import Child, Program, answers, free_ports
from services.host.sites import HERE, LOOPBACK, Site

START_SECONDS = 20.0


class RedisLauncher(Protocol):
    """How a Redis server is run: as a program of this machine or in a container."""

    def server(self, arguments: Sequence[str], folder: Path, place: Site = HERE) -> Program:
        """A server with these arguments, not started yet."""


@dataclass(frozen=True, slots=True)
class RedisAccess:
    """Credentials of a client; a password if there is a file, TLS if there are certificates."""

    password_file: Path | None = None
    certificates: Certificates | None = None

    @property
    def password(self) -> str | None:
        """The password, if one is needed."""
        return None if self.password_file is None else self.password_file.read_text()


class RedisServer:
    """A Redis to work with. `program` is None if this process did not start it and cannot kill it."""

    def __init__(
        self,
        address: str,
        program: Program | None = None,
        access: RedisAccess | None = None,
        folder: Path | None = None,
    ) -> None:
        self.address = address
        self.program = program
        self.access = access or RedisAccess()
        self._folder = folder

    def client(self) -> Any:
        """An authenticated client of the library `redis`."""
        from redis import Redis

        host, _, port = self.address.rpartition(":")
        certificates = self.access.certificates
        return Redis(
            host=host,
            port=int(port),
            password=self.access.password,
            ssl=certificates is not None,
            ssl_ca_certs=None if certificates is None else str(certificates.authority),
        )

    def start(self) -> None:
        """Start it, also after a kill; it serves when this is over, and is empty. Raises `ChildFailed`."""
        host, _, port = self.address.rpartition(":")
        self._ours().start()
        self._ours().wait_until(lambda: answers(int(port), host), START_SECONDS)

    def kill(self) -> None:
        """kill -9; everything in it is gone."""
        self._ours().kill()

    def pause(self) -> None:
        """Pause it with its connections open."""
        self._ours().pause()

    def resume(self) -> None:
        """Resume it."""
        self._ours().resume()

    def flush(self) -> None:
        """FLUSHALL: everybody's keys are gone."""
        with self.client() as client:
            client.flushall()

    def close(self) -> None:
        """End our server and remove its folder; leave that of others alone."""
        if self.program is not None:
            self.program.kill()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    def _ours(self) -> Program:
        if self.program is None:
            raise ValueError(f"the Redis at {self.address} is not ours to kill")
        return self.program

    def __enter__(self) -> RedisServer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class LocalRedis:
    """See `RedisLauncher`: the program `redis-server` of this machine."""

    def __init__(self, program: str) -> None:
        self._program = program

    def server(self, arguments: Sequence[str], folder: Path, place: Site = HERE) -> Program:
        """See `RedisLauncher`."""
        return Child("Redis", place.command([self._program, *arguments]), folder / "redis.log")


def start_redis(
    launcher: RedisLauncher,
    folder: Path,
    has_password: bool = False,
    has_tls: bool = False,
    place: Site = HERE,
) -> RedisServer:
    """Start a server of our own and wait until it lets clients in. Raises `ChildFailed`."""
    folder.mkdir(parents=True, exist_ok=True)
    port = free_ports(1)[0]
    password_file = None
    arguments = ["--bind", place.host, "--save", "", "--appendonly", "no", "--dir", str(folder)]
    if place.host != LOOPBACK:
        arguments += ["--protected-mode", "no"]
    if has_password:
        password_file = folder / "password"
        password_file.touch(mode=0o600)
        password_file.write_text(secrets.token_urlsafe(16))
        configuration = folder / "redis.conf"
        configuration.touch(mode=0o600)
        configuration.write_text(f"requirepass {password_file.read_text()}\n")
        arguments = [str(configuration), *arguments]
    certificates = make_certificates(folder / "certificates") if has_tls else None
    arguments += ["--port", str(port)] if certificates is None else _tls(port, certificates)
    program = launcher.server(arguments, folder, place)
    server = RedisServer(f"{place.host}:{port}", program, RedisAccess(password_file, certificates), folder)
    try:
        server.start()
    except BaseException:
        server.close()
        raise
    return server


def _tls(port: int, certificates: Certificates) -> list[str]:
    return [
        *("--port", "0", "--tls-port", str(port), "--tls-auth-clients", "no"),
        *("--tls-cert-file", str(certificates.server.certificate)),
        *("--tls-key-file", str(certificates.server.key)),
        *("--tls-ca-cert-file", str(certificates.authority)),
    ]
