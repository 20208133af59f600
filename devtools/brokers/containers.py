"""Servers in Docker containers, through testcontainers: a library of development that is imported only when needed.

Containers share this machine's network and the folder of their server, so the same files of settings serve as for
programs of this machine, and what a server has written survives its kill.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from devtools.brokers.jars import KAFKA_VERSION
from devtools.brokers.missing import WayClosed
from services.host.children import LOOK_EVERY_SECONDS, ChildFailed, Program
from services.host.sites import HERE, Site

KAFKA_IMAGE = f"apache/kafka:{KAFKA_VERSION}"
REDIS_IMAGE = "redis:7.4.7-alpine"
KAFKA_PROGRAMS = "/opt/kafka/bin"
LOG_LINES = 20
DAEMON_SECONDS = 5


def need_docker() -> None:
    """Come back where a daemon answers. Raises `WayClosed` naming what is missing."""
    try:
        import docker
        import testcontainers.core.container  # noqa: F401
    except ImportError as error:
        raise WayClosed(f"no Docker: the library {error.name} is not installed") from error
    try:
        client = docker.from_env(timeout=DAEMON_SECONDS)
        client.ping()
        client.close()
    except Exception as error:
        raise WayClosed("no Docker: no daemon answers") from error


def _need_no_entrance(place: Site) -> None:
    if place.entrance:
        raise WayClosed("a container cannot be put into a network of this machine")


class ContainerProgram:
    """See `Program`."""

    def __init__(self, name: str, image: str, command: Sequence[str], folder: Path) -> None:
        """Nothing is started yet; `folder` has the same name inside."""
        self.name = name
        self._image = image
        self._command = list(command)
        self._folder = folder
        self._container: Any = None

    def start(self) -> None:
        """See `Program`."""
        try:
            if self._container is None:
                self._container = self._new().start().get_wrapped_container()
            else:
                self._container.start()
        except Exception as error:
            raise ChildFailed(f"{self.name}: {error}") from error

    def _new(self) -> Any:
        from testcontainers.core.container import DockerContainer

        folder = str(self._folder)
        return (
            DockerContainer(self._image)
            .with_command(self._command)
            .with_volume_mapping(folder, folder, "rw")
            .with_kwargs(network_mode="host", user=f"{os.getuid()}:{os.getgid()}", entrypoint="")
        )

    @property
    def is_running(self) -> bool:
        """See `Program`."""
        if self._container is None:
            return False
        self._container.reload()
        return self._container.status in ("running", "paused")

    def wait_until(self, is_ready: Callable[[], bool], seconds: float) -> None:
        """See `Program`."""
        deadline = time.monotonic() + seconds
        while not is_ready():
            if not self.is_running:
                raise ChildFailed(f"{self.name} ended: {self._last_words()}")
            if time.monotonic() > deadline:
                raise ChildFailed(f"{self.name} does not serve after {seconds:.0f} s: {self._last_words()}")
            time.sleep(LOOK_EVERY_SECONDS)

    def wait_end(self) -> None:
        """Until it has done its work. Raises `ChildFailed` where that failed."""
        code = self._container.wait()["StatusCode"]
        if code != 0:
            raise ChildFailed(f"{self.name} ended with code {code}: {self._last_words()}")

    def _last_words(self) -> str:
        said: bytes = self._container.logs(tail=LOG_LINES)
        return said.decode(errors="replace").strip()

    def kill(self) -> None:
        """See `Program`."""
        if self.is_running:
            self._container.kill()
            self._container.wait()

    def stop(self) -> None:
        """See `Program`."""
        if self.is_running:
            self._container.stop()

    def pause(self) -> None:
        """See `Program`."""
        self._container.pause()

    def resume(self) -> None:
        """See `Program`."""
        self._container.unpause()

    def remove(self) -> None:
        """Leave nothing of it behind."""
        if self._container is not None:
            with suppress(Exception):
                self._container.remove(force=True)


class ContainerKafka:
    """See `Launcher`: Apache's own image."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def format(self, arguments: Sequence[str]) -> None:
        """See `Launcher`."""
        tool = self._program("Kafka's storage tool", "kafka-storage.sh", *arguments)
        tool.start()
        try:
            tool.wait_end()
        finally:
            tool.remove()

    def server(self, name: str, properties: Path, log: Path, place: Site = HERE) -> Program:
        """See `Launcher`; Docker keeps the log. Raises `WayClosed` for places that have an entrance."""
        _need_no_entrance(place)
        return self._program(name, "kafka-server-start.sh", str(properties))

    def _program(self, name: str, script: str, *arguments: str) -> ContainerProgram:
        command = [f"{KAFKA_PROGRAMS}/{script}", *arguments]
        return ContainerProgram(name, KAFKA_IMAGE, command, self._folder)


class ContainerRedis:
    """See `RedisLauncher`: the image of Docker's library."""

    def server(self, arguments: Sequence[str], folder: Path, place: Site = HERE) -> Program:
        """See `RedisLauncher`. Raises `WayClosed` for places that have an entrance."""
        _need_no_entrance(place)
        return ContainerProgram("Redis", REDIS_IMAGE, ["redis-server", *arguments], folder)
