"""The cluster host: the four services and the web server as processes of this machine, over one Kafka and one Redis."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import grpc
import msgspec
from grpc_health.v1 import health_pb2, health_pb2_grpc

from services.common.grpc.channel import single_channel
from services.common.grpc.tls import PLAIN, TlsSettings, load_tls_settings
from services.common.kafka.settings import KafkaSettings
from services.common.process.exit_on_timeout import EXIT_HUNG
from services.common.process.stopping import StopFlag
from services.common.redis.settings import RedisSettings
from services.common.settings.service import PREFIX, Settings
from services.host.addresses import Addresses
from services.host.children import Child, answers, free_ports
from services.host.sites import HERE, Site
from services.rules.titles import SETTING as TITLES_SETTING

WEB = "web"
# Each after those that it calls.
SERVICES = ("routing", "rules", "ledger", "lobby", WEB)
# Of all together; the first start on a machine compiles the route solver.
START_SECONDS = 180.0
STOP_SECONDS = 30.0
HEALTH_SECONDS = 1.0
LOOK_EVERY_SECONDS = 0.05
STARTS_AFTER_HANGING = 2
"""How often a process that hung at its start is started again, as an orchestrator does."""


@dataclass(frozen=True, slots=True)
class Replicas:
    """How many processes of each service."""

    lobby: int = 1
    rules: int = 2
    routing: int = 2
    ledger: int = 1
    web: int = 0


class Replica:
    """One process of a service: killed, paused and started again at will, always at the same addresses."""

    def __init__(
        self,
        service: str,
        number: int,
        environment: Mapping[str, str],
        folder: Path,
        tls: TlsSettings = PLAIN,
        place: Site = HERE,
    ) -> None:
        """Starts nothing. `environment`: variables beside its name, its addresses and its folder."""
        self._tls = tls
        self.service = service
        self.name = f"{service}-{number}"
        port, metrics_port = free_ports(2)
        self.address = f"{place.host}:{port}"
        self.metrics = f"{place.host}:{metrics_port}"
        own = {
            f"{PREFIX}DATABASE": str((place.folder or folder) / "signalbox.db"),
            f"{PREFIX}HOST": place.host,
            f"{PREFIX}{service.upper()}_PORT": str(port),
            f"{PREFIX}METRICS_PORT": str(metrics_port),
            f"{PREFIX}KAFKA_INSTANCE": self.name,
        }
        if service == "rules":
            own[f"{PREFIX}RULES_PEER_ADDRESS"] = self.address
        command = place.command([sys.executable, "-m", "services.cli", "serve", service])
        self._tls = load_tls_settings(environment)
        self.process = Child(self.name, command, folder / f"{self.name}.log", {**environment, **own})

    def is_healthy(self) -> bool:
        """Whether it reports that it serves; of the web server, whether it takes connections."""
        if self.service == WEB:
            host, _, port = self.address.rpartition(":")
            return answers(int(port), host)
        with single_channel(self.address, self._tls) as channel:
            try:
                answer = health_pb2_grpc.HealthStub(channel).Check(
                    health_pb2.HealthCheckRequest(), timeout=HEALTH_SECONDS
                )
            except grpc.RpcError:
                return False
            return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)

    def wait_healthy(self, seconds: float = START_SECONDS) -> None:
        """Block until it serves. Raises `ChildFailed` with the end of its log."""
        self.process.wait_until(self.is_healthy, seconds)


class ClusterHost:
    """So many processes of each service, started and stopped together; all die with this process."""

    def __init__(
        self,
        folder: Path,
        kafka: KafkaSettings,
        redis: RedisSettings | None = None,
        replicas: Replicas | None = None,
        settings: Settings | None = None,
        on_progress: Callable[[str], None] | None = None,
        places: Mapping[str, Site] | None = None,
    ) -> None:
        """Starts nothing. Data and logs go to `folder`; the topics must be there. Of `settings`, ports and files are
        replaced. `on_progress` is called with the name of every process that serves. `signing_key`: file of the key of all
        tokens, there once it runs. `places` of processes by name, "" for those not named."""
        self._places = places or {}
        self.kafka = kafka
        self._replicas = replicas or Replicas()
        self._on_progress = on_progress or (lambda _name: None)
        self._folder = folder
        self._settings = settings or Settings()
        self.signing_key = folder / "signing-key.pem"
        shared = {
            **_plain_environment(),
            **environment_of(self._settings, PREFIX, skip=("host", "database")),
            **environment_of(kafka, f"{PREFIX}KAFKA_", skip=("instance",)),
            **({} if redis is None else environment_of(redis, f"{PREFIX}REDIS_")),
            f"{PREFIX}SIGNING_KEY": str(self.signing_key),
        }
        self.replicas: list[Replica] = []
        for service in SERVICES:
            called = SERVICES[:-1] if service == WEB else ("routing", "rules")
            known = {f"{PREFIX}{each.upper()}_ADDRESSES": self._addresses_of(each) for each in called}
            environment = shared | {name: value for name, value in known.items() if value}
            self.replicas += self._replicas_of(service, environment)
        self.addresses = Addresses(
            lobby=self._addresses_of("lobby"),
            rules=self._addresses_of("rules"),
            routing=self._addresses_of("routing"),
            ledger=self._addresses_of("ledger"),
            metrics=",".join(each.metrics for each in self.replicas),
            web=self._web_address(),
        )

    def _replicas_of(self, service: str, environment: Mapping[str, str]) -> Iterator[Replica]:
        for number in range(1, getattr(self._replicas, service) + 1):
            place = self._places.get(f"{service}-{number}", self._places.get("", HERE))
            yield Replica(service, number, environment, self._folder, self._settings.tls, place)

    def _addresses_of(self, service: str) -> str:
        return ",".join(each.address for each in self.replicas if each.service == service)

    def _web_address(self) -> str:
        scheme = "https" if self._settings.tls.is_served else "http"
        return ",".join(f"{scheme}://{each.address}" for each in self.replicas if each.service == WEB)

    def replica(self, name: str) -> Replica:
        """The process of this name, such as "rules-2"."""
        return next(each for each in self.replicas if each.name == name)

    def start(self, stop_event: StopFlag | None = None) -> None:
        """Start all and block until all serve, not beyond `stop_event`. Raises `ChildFailed` naming which did not come
        up, with the end of its log; all are stopped then."""
        with ExitStack() as if_it_fails:
            if_it_fails.callback(self.stop)
            for each in self.replicas:
                each.process.start()
            self._wait_healthy(stop_event)
            if_it_fails.pop_all()

    def _wait_healthy(self, stop_event: StopFlag | None) -> None:
        end = time.monotonic() + START_SECONDS
        waiting = list(self.replicas)
        starts_left = dict.fromkeys((each.name for each in waiting), STARTS_AFTER_HANGING)
        while waiting and not (stop_event is not None and stop_event.is_set()):
            for each in [each for each in waiting if each.is_healthy()]:
                waiting.remove(each)
                self._on_progress(each.name)
            for each in waiting:
                if each.process.exit_code == EXIT_HUNG and starts_left[each.name]:
                    starts_left[each.name] -= 1
                    each.process.start()
                elif not each.process.is_running or time.monotonic() > end:
                    each.wait_healthy(0.0)
            time.sleep(LOOK_EVERY_SECONDS)

    def stop(self) -> None:
        """Ask all to end and wait until they have."""
        ending = [each.process for each in self.replicas if each.process.is_running]
        for process in ending:
            os.kill(process.pid, signal.SIGTERM)
            process.resume()
        for process in [each.process for each in self.replicas if each.process.was_started]:
            process.wait_end(STOP_SECONDS)


def environment_of(settings: msgspec.Struct, prefix: str, skip: tuple[str, ...] = ()) -> dict[str, str]:
    """The variables that `load_...settings` reads back as these settings; what is empty is left out."""
    variables: dict[str, str] = {}
    for name in settings.__struct_fields__:
        value = getattr(settings, name)
        if name in skip or value is None or value in ("", ()):
            continue
        if isinstance(value, msgspec.Struct):
            variables |= environment_of(value, f"{prefix}{name.upper()}_")
        else:
            variables[prefix + name.upper()] = _as_text(value)
    return variables


def _as_text(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return ",".join(value) if isinstance(value, tuple) else str(value)


def _plain_environment() -> dict[str, str]:
    """Our environment without our own settings, but for the list of titles; packages are found where we find them."""
    plain = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(PREFIX) or name == TITLES_SETTING
    }
    return plain | {"PYTHONPATH": os.pathsep.join(filter(None, map(os.path.abspath, sys.path)))}
