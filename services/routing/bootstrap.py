"""Wires the routing service and chooses its adapters."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace
from prometheus_client import CollectorRegistry

from services.common.grpc.admission import AdmissionPolicy
from services.common.grpc.methods import method_limits
from services.common.grpc.server import HostedService
from services.common.process.stopping import StopFlag
from services.common.settings.service import Settings
from services.common.telemetry.logs import get_logger
from services.gen.signalbox.routing.v1 import routing_pb2
from services.gen.signalbox.routing.v1.routing_pb2_grpc import add_RoutingServicer_to_server
from services.routing.adapters.memory_cache import MemorySolutionCache
from services.routing.adapters.process_worker import ProcessWorker
from services.routing.adapters.thread_worker import ThreadWorker
from services.routing.dispatcher import Dispatcher
from services.routing.domain.fair_queue import FairQueue
from services.routing.domain.kernel import KEPT
from services.routing.grpc_server import RoutingServicer
from services.routing.metrics import RoutingMetrics
from services.routing.ports import SolutionCache, Worker
from services.routing.questions import PLATFORM, Job
from services.routing.service import ProvenAnswers, RoutingService

METHODS = method_limits(Path(__file__).with_name("methods.toml"))
SERVICE_NAME: str = routing_pb2.DESCRIPTOR.services_by_name["Routing"].full_name
THREAD_WORKERS = 2
POLL_SECONDS = 0.1
# Threads beyond those of waiting and running calls: for rejections and for sending answers.
SPARE_THREADS = 64
# Calls that may wait for a thread; more are rejected before they are decoded.
WAITING_FOR_THREADS = 32


class RoutingRuntime:
    """The running service without a port: give `hosted` and `admission` to a gRPC server."""

    def __init__(
        self,
        settings: Settings,
        registry: CollectorRegistry,
        make_worker: Callable[[], Worker] | None = None,
        cache: SolutionCache | None = None,
        serves_players: bool = False,
    ) -> None:
        """Nothing runs before `start`. Call once per registry. Answers are cached in this process unless `cache` is given.

        `serves_players`: callers are players, whose questions are limited and come after the platform's; see the README."""
        self._log = get_logger("routing")
        self._began = 0.0
        worker_count = settings.routing_workers or THREAD_WORKERS
        adapter = ProcessWorker if settings.routing_workers else ThreadWorker
        metrics = RoutingMetrics(registry)
        known = ProvenAnswers(cache or MemorySolutionCache(settings.routing_cache_entries), metrics)
        queue: FairQueue[Job] = FairQueue(settings.routing_queue, settings.routing_caller_queue, PLATFORM)
        self.dispatcher = Dispatcher(
            make_worker or adapter,
            worker_count,
            queue,
            metrics,
            known.keep,
            settings.routing_wait_seconds,
            searches_per_caller=max(1, worker_count - 1) if serves_players else None,
        )
        self.service = RoutingService(
            self.dispatcher,
            known,
            metrics,
            worker_count,
            caller_seconds=settings.routing_search_seconds if serves_players else math.inf,
        )
        servicer = RoutingServicer(self.service)
        limits = {name: replace(each, caller="anybody") for name, each in METHODS.items()}
        self.hosted = HostedService(
            SERVICE_NAME, add_RoutingServicer_to_server, servicer, limits if serves_players else METHODS
        )
        threads = settings.routing_queue + worker_count + SPARE_THREADS
        self.admission = AdmissionPolicy(threads, WAITING_FOR_THREADS, servicer.rejection)

    def start(self) -> None:
        """Start the workers; questions may be asked at once and wait for them."""
        self._log.info("compiling or loading kernels", kept=KEPT)
        if not KEPT:
            self._log.warning(
                "every worker compiles its own kernels: no writable cache folder, see NUMBA_CACHE_DIR"
            )
        self._began = time.monotonic()
        self.dispatcher.start()

    @property
    def is_ready(self) -> bool:
        """Whether all workers are warmed up."""
        return self.dispatcher.wait_ready(0.0)

    def wait_ready(self, seconds: float | None = None, stop: StopFlag | None = None) -> bool:
        """Block until all workers are warmed up; False after `seconds` or once `stop` is set."""
        end = math.inf if seconds is None else time.monotonic() + seconds
        while not self.dispatcher.wait_ready(POLL_SECONDS):
            if time.monotonic() >= end or (stop is not None and stop.is_set()):
                return False
        self._log.info("kernels are ready", seconds=round(time.monotonic() - self._began, 1))
        return True

    def close(self) -> None:
        """End the workers. Blocks until they have ended."""
        self.dispatcher.close()
