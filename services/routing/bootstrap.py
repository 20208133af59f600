"""The routing service put together: the only place that chooses its adapters."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from prometheus_client import CollectorRegistry

from services.common.grpc.admission import Door
from services.common.grpc.server import HostedService
from services.common.process.stopping import StopFlag
from services.common.settings.service import Settings
from services.common.telemetry.logs import get_logger
from services.gen.signalbox.routing.v1 import routing_pb2
from services.gen.signalbox.routing.v1.routing_pb2_grpc import add_RoutingServicer_to_server
from services.routing.adapters.memory_cache import MemorySolutionCache
from services.routing.adapters.process_worker import ProcessWorker
from services.routing.adapters.thread_worker import ThreadWorker
from services.routing.desk import ProvenAnswers, RouteDesk
from services.routing.dispatcher import Dispatcher
from services.routing.domain.kernel import KEPT
from services.routing.domain.waiting import WaitingRoom
from services.routing.grpc_server import RoutingServicer
from services.routing.metrics import RoutingMetrics
from services.routing.ports import SolutionCache, Worker
from services.routing.questions import Job

SERVICE_NAME: str = routing_pb2.DESCRIPTOR.services_by_name["Routing"].full_name
THREAD_WORKERS = 2
LOOK_EVERY_SECONDS = 0.1
# Threads beside those whose calls wait or are solved: for refusals and for answers on their way out.
SPARE_THREADS = 16
# Calls that may wait for one of them; more are refused before they are looked at.
WAITING_FOR_THREADS = 32


class RoutingService:
    """The service without a port: `hosted` is for a server with this `door`."""

    def __init__(
        self,
        settings: Settings,
        registry: CollectorRegistry,
        make_worker: Callable[[], Worker] | None = None,
        cache: SolutionCache | None = None,
    ) -> None:
        """Nothing runs before `start`. Call once per registry. Answers are kept in this process unless `cache` is given."""
        self._log = get_logger("routing")
        self._began = 0.0
        worker_count = settings.routing_workers or THREAD_WORKERS
        adapter = ProcessWorker if settings.routing_workers else ThreadWorker
        metrics = RoutingMetrics(registry)
        known = ProvenAnswers(cache or MemorySolutionCache(settings.routing_cache_entries), metrics)
        room: WaitingRoom[Job] = WaitingRoom(settings.routing_queue, settings.routing_caller_queue)
        self.dispatcher = Dispatcher(
            make_worker or adapter, worker_count, room, metrics, known.keep, settings.routing_wait_seconds
        )
        self.desk = RouteDesk(self.dispatcher, known, metrics, worker_count)
        servicer = RoutingServicer(self.desk)
        self.hosted = HostedService(SERVICE_NAME, add_RoutingServicer_to_server, servicer)
        threads = settings.routing_queue + worker_count + settings.stream_limit + SPARE_THREADS
        self.door = Door(SERVICE_NAME, threads, WAITING_FOR_THREADS, servicer.refusal)

    def start(self) -> None:
        """Let the workers come; questions may be asked at once and wait for them."""
        self._log.info("kernels are being made ready", kept=KEPT)
        if not KEPT:
            self._log.warning(
                "every worker compiles for itself: no folder to keep kernels in, see NUMBA_CACHE_DIR"
            )
        self._began = time.monotonic()
        self.dispatcher.start()

    @property
    def is_ready(self) -> bool:
        """Whether all workers are warmed up."""
        return self.dispatcher.wait_ready(0.0)

    def wait_ready(self, seconds: float | None = None, is_unwanted: StopFlag | None = None) -> bool:
        """Block until all workers are warmed up; False if it takes longer than `seconds` or is not wanted any more."""
        end = math.inf if seconds is None else time.monotonic() + seconds
        while not self.dispatcher.wait_ready(LOOK_EVERY_SECONDS):
            if time.monotonic() >= end or (is_unwanted is not None and is_unwanted.is_set()):
                return False
        self._log.info("kernels are ready", seconds=round(time.monotonic() - self._began, 1))
        return True

    def close(self) -> None:
        """End the workers. Blocks until they are gone."""
        self.dispatcher.close()
