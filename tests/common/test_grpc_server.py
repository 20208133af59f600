"""The server around every service: errors, limits, deadlines, health, reflection, metrics, stop."""

import io
import json
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any
from urllib.request import urlopen

import grpc
import pytest
import structlog
from google.protobuf.wrappers_pb2 import StringValue
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from msgspec.structs import replace

from services.common.errors import RETRY_HINT, TOO_LARGE, NotFound
from services.common.grpc.admission import AdmissionPolicy, Metadata, Rejection
from services.common.grpc.limit_settings import LimitSettings
from services.common.grpc.methods import MethodLimits
from services.common.grpc.server import AddressInUse, Guard, HostedService, SignalboxServer, create_server
from services.common.settings.service import Settings
from services.common.telemetry.logs import Telemetry, configure_logging, start_metrics_server
from tests.redis_connections import wait_until

SETTINGS = Settings(
    worker_threads=6,
    default_deadline_seconds=0.3,
    default_stream_seconds=0.3,
    stop_grace_seconds=1,
    limit=LimitSettings(address_anonymous_watchers=2, receive_seconds=60.0),
)
SECONDS = 60.0
SERVICE = "signalbox.sample.v1.Sample"
LIMITS = {"tick": MethodLimits(watch=True), "echo": MethodLimits(bytes=SETTINGS.message_bytes_max)}


class Sample:
    """A service whose rpcs do what their names say, with the text of a StringValue."""

    def __init__(self) -> None:
        self.released = threading.Event()
        self.entered = threading.Semaphore(0)

    def echo(self, request: StringValue, context: grpc.ServicerContext) -> StringValue:
        """Sends back."""
        return request

    def peer(self, request: StringValue, context: grpc.ServicerContext) -> StringValue:
        """Tells over which connection it was called."""
        return StringValue(value=context.peer())

    def fail(self, request: StringValue, context: grpc.ServicerContext) -> StringValue:
        """Breaks."""
        raise RuntimeError(f"secret of {request.value}")

    def refuse(self, request: StringValue, context: grpc.ServicerContext) -> StringValue:
        """Knows nothing."""
        raise NotFound(f"no {request.value}")

    def abort(self, request: StringValue, context: grpc.ServicerContext) -> StringValue:
        """Ends the call itself."""
        context.abort(grpc.StatusCode.DATA_LOSS, request.value)

    def linger(self, request: StringValue, context: grpc.ServicerContext) -> StringValue:
        """Waits until released or until its time is over."""
        self.entered.release()
        self.released.wait(context.time_remaining())
        return request

    def tick(self, request: StringValue, context: grpc.ServicerContext) -> Iterator[StringValue]:
        """Sends for ever."""
        while True:
            yield request
            time.sleep(0.02)


def add_sample(sample: Sample, server: Any) -> None:
    """What generated code does for a service."""
    codec = {
        "request_deserializer": StringValue.FromString,
        "response_serializer": StringValue.SerializeToString,
    }
    handlers: dict[str, grpc.RpcMethodHandler[StringValue, StringValue]] = {
        name: grpc.unary_unary_rpc_method_handler(getattr(sample, name), **codec)  # type: ignore[arg-type]
        for name in ("echo", "peer", "fail", "refuse", "abort", "linger")
    }
    handlers["tick"] = grpc.unary_stream_rpc_method_handler(sample.tick, **codec)  # type: ignore[arg-type]
    server.add_registered_method_handlers(SERVICE, handlers)


class Served:
    """A served sample, its telemetry and log."""

    def __init__(self) -> None:
        self.sample = Sample()
        self.telemetry = Telemetry()
        self.log = io.StringIO()
        configure_logging("info", self.log)
        self.server: SignalboxServer
        hosted = HostedService(SERVICE, add_sample, self.sample, LIMITS)
        self.server, self.port = create_server([hosted], SETTINGS, self.telemetry)
        self.channel = grpc.insecure_channel(
            f"127.0.0.1:{self.port}", options=[("grpc.max_receive_message_length", -1)]
        )

    def call(self, name: str, text: str = "ann", timeout: float | None = SECONDS) -> str:
        """Calls an rpc and gives the text of its answer."""
        rpc = self.channel.unary_unary(f"/{SERVICE}/{name}", _bytes, StringValue.FromString)
        return str(rpc(StringValue(value=text), timeout=timeout).value)

    def call_raw(self, name: str, content: bytes) -> object:
        """Calls an rpc with bytes."""
        rpc: grpc.UnaryUnaryMultiCallable[bytes, bytes] = self.channel.unary_unary(f"/{SERVICE}/{name}")
        return rpc(content, timeout=SECONDS)

    def ticks(self, timeout: float | None = SECONDS) -> Iterator[StringValue]:
        """Opens the stream."""
        rpc = self.channel.unary_stream(f"/{SERVICE}/tick", _bytes, StringValue.FromString)
        return iter(rpc(StringValue(value="tick"), timeout=timeout))

    def calls_counted(self, method: str, code: str) -> float:
        """How many calls of a method ended so."""
        labels = {"service": SERVICE, "method": method, "code": code}
        return self.telemetry.registry.get_sample_value("signalbox_rpc_calls_total", labels) or 0.0


def _bytes(message: StringValue) -> bytes:
    return message.SerializeToString()


@pytest.fixture
def served() -> Iterator[Served]:
    """A started server."""
    served = Served()
    served.server.start()
    yield served
    served.sample.released.set()
    served.channel.close()
    served.server.stop(0)
    structlog.reset_defaults()


def failure(call: Callable[[], object]) -> grpc.RpcError:
    """The error of a call."""
    with pytest.raises(grpc.RpcError) as caught:
        call()
    return caught.value


def test_malformed_message_is_invalid_and_the_server_lives(served: Served) -> None:
    """Bytes that are no such message are INVALID_ARGUMENT, for single answers and streams alike."""
    garbage = b"\x0a\xff\xff\xff\xff\x0fnot a message"
    error = failure(lambda: served.call_raw("echo", garbage))
    assert error.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert "malformed" in (error.details() or "")
    rpc: grpc.UnaryStreamMultiCallable[bytes, bytes] = served.channel.unary_stream(f"/{SERVICE}/tick")
    stream = rpc(garbage, timeout=SECONDS)
    assert failure(lambda: next(stream)).code() is grpc.StatusCode.INVALID_ARGUMENT
    assert served.call("echo") == "ann"


def test_oversized_messages_are_refused_and_the_server_lives(served: Served) -> None:
    """A message above the limit is RESOURCE_EXHAUSTED, and one above its method's not to be sent again; one below passes."""
    too_long = "x" * (SETTINGS.message_bytes_max + 1)
    assert failure(lambda: served.call("echo", too_long)).code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    refused = failure(lambda: served.call("peer", "x" * (SETTINGS.message_bytes_max - 10)))
    assert {("signalbox-reason", TOO_LARGE), (RETRY_HINT, "-1")} <= set(refused.trailing_metadata() or ())
    assert (
        len(served.call("echo", "x" * (SETTINGS.message_bytes_max - 10))) == SETTINGS.message_bytes_max - 10
    )


def test_unexpected_error_shows_only_an_id(served: Served) -> None:
    """The caller gets INTERNAL and an id; the text and the traceback are in the log under that id."""
    error = failure(lambda: served.call("fail"))
    assert error.code() is grpc.StatusCode.INTERNAL
    details = error.details() or ""
    assert "secret" not in details
    error_id = details.removeprefix("internal error ")
    lines = [json.loads(line) for line in served.log.getvalue().splitlines()]
    logged = next(line for line in lines if line.get("error_id") == error_id)
    assert "secret of ann" in logged["exception"]
    assert served.call("echo") == "ann"


def test_errors_raised_on_purpose_keep_status_and_text(served: Served) -> None:
    """A `CallError` and an abort of the handler's own reach the caller as they are, and are counted so."""
    refused = failure(lambda: served.call("refuse"))
    aborted = failure(lambda: served.call("abort"))
    assert (refused.code(), refused.details()) == (grpc.StatusCode.NOT_FOUND, "no ann")
    assert (aborted.code(), aborted.details()) == (grpc.StatusCode.DATA_LOSS, "ann")
    assert served.calls_counted("refuse", "NOT_FOUND") == 1
    assert served.calls_counted("abort", "DATA_LOSS") == 1


def test_call_without_deadline_gets_one(served: Served) -> None:
    """A call that would wait for ever ends after the default time; so does a stream."""
    started = time.monotonic()
    assert failure(lambda: served.call("linger", timeout=None)).code() is grpc.StatusCode.DEADLINE_EXCEEDED
    assert failure(lambda: list(served.ticks(timeout=None))).code() is grpc.StatusCode.DEADLINE_EXCEEDED
    assert time.monotonic() - started < SECONDS


def test_expired_deadline_ends_the_call_and_the_server_lives(served: Served) -> None:
    """The caller's own deadline counts, be it shorter or longer than the default."""
    error = failure(lambda: served.call("linger", timeout=0.05))
    assert error.code() is grpc.StatusCode.DEADLINE_EXCEEDED
    assert failure(lambda: served.call("echo", timeout=-1)).code() is grpc.StatusCode.DEADLINE_EXCEEDED
    threading.Timer(0.5, served.sample.released.set).start()
    assert served.call("linger", timeout=SECONDS) == "ann"


def test_streams_leave_room_for_calls(served: Served) -> None:
    """One stream too many is RESOURCE_EXHAUSTED, and calls are still answered; an ended stream makes room."""
    streams = [served.ticks(), served.ticks()]
    for stream in streams:
        next(stream)
    assert failure(lambda: next(served.ticks())).code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert served.call("echo") == "ann"
    streams[0].cancel()  # type: ignore[attr-defined]

    def has_place() -> bool:
        try:
            next(served.ticks())
        except grpc.RpcError:
            return False
        return True

    wait_until(has_place)


def test_unknown_method_is_unimplemented(served: Served) -> None:
    """What does not exist is UNIMPLEMENTED."""
    assert failure(lambda: served.call("dance")).code() is grpc.StatusCode.UNIMPLEMENTED


def test_health_is_per_service(served: Served) -> None:
    """Each service and the whole report serving; one of them can be set aside."""
    stub = health_pb2_grpc.HealthStub(served.channel)

    def status(name: str) -> int:
        return int(stub.Check(health_pb2.HealthCheckRequest(service=name), timeout=SECONDS).status)

    assert status("") == status(SERVICE) == health_pb2.HealthCheckResponse.SERVING
    served.server.set_serving(SERVICE, False)
    assert status(SERVICE) == health_pb2.HealthCheckResponse.NOT_SERVING
    assert status("") == health_pb2.HealthCheckResponse.SERVING


def test_not_serving_until_reported_ready() -> None:
    """A server may answer before it is ready: health tells the difference, and watching it takes no stream's place."""
    server, port = create_server([HostedService(SERVICE, add_sample, Sample())], SETTINGS, Telemetry())
    server.start(is_ready=False)
    with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
        stub = health_pb2_grpc.HealthStub(channel)
        watches = [
            iter(stub.Watch(health_pb2.HealthCheckRequest(service=name), timeout=SECONDS))
            for name in ("", SERVICE, "", SERVICE, "", SERVICE, "", SERVICE)
        ]
        status = health_pb2.HealthCheckResponse
        assert {next(watch).status for watch in watches} == {status.NOT_SERVING}
        server.report_ready()
        assert {next(watch).status for watch in watches} == {status.SERVING}
    server.stop(0)


def test_watchers_of_health_may_leave_while_it_changes(served: Served) -> None:
    """However watchers come and go while health changes, the server goes on."""
    stub = health_pb2_grpc.HealthStub(served.channel)

    def come_and_go() -> None:
        for _ in range(60):
            watch = stub.Watch(health_pb2.HealthCheckRequest(service=SERVICE), timeout=SECONDS)
            next(watch)
            watch.cancel()

    watchers = [threading.Thread(target=come_and_go, daemon=True) for _ in range(4)]
    for watcher in watchers:
        watcher.start()
    changing = threading.Thread(target=_change_health, args=(served.server, watchers), daemon=True)
    changing.start()
    changing.join(90)
    assert not changing.is_alive()


def _change_health(server: SignalboxServer, while_alive: list[threading.Thread]) -> None:
    while any(watcher.is_alive() for watcher in while_alive):
        for is_serving in (False, True):
            server.set_serving(SERVICE, is_serving)


def test_calls_are_rejected_without_a_thread() -> None:
    """A rejected call is RESOURCE_EXHAUSTED with the hint although no thread is free; an admitted call
    waits for one, until too many do."""
    sample = Sample()

    def rejection(metadata: Metadata, is_crowded: bool) -> Rejection | None:
        if metadata.get("name") == "bob" or is_crowded:
            return Rejection(f"full, {is_crowded}", (("come-again", "12"),))
        return None

    hosted = HostedService(SERVICE, add_sample, sample)
    telemetry = Telemetry()
    server, port = create_server(
        [hosted], SETTINGS, telemetry, guard=Guard(admission=AdmissionPolicy(1, 1, rejection))
    )
    server.start()
    with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
        linger = channel.unary_unary(f"/{SERVICE}/linger", _bytes, StringValue.FromString)
        ann = [linger.future(StringValue(value="ann"), timeout=SECONDS)]
        assert sample.entered.acquire(timeout=SECONDS)
        assert turned_away(linger, "bob") == ("full, False", "12")
        ann.append(linger.future(StringValue(value="ann"), timeout=SECONDS))
        refused = 0

        def is_crowded() -> bool:
            nonlocal refused
            refused += 1
            return turned_away(linger, "bob") == ("full, True", "12")

        wait_until(is_crowded)
        assert turned_away(linger, "ann") == ("full, True", "12")
        sample.released.set()
        assert [call.result().value for call in ann] == ["ann", "ann"]
    labels = {"service": SERVICE, "method": "linger", "code": "RESOURCE_EXHAUSTED"}
    assert telemetry.registry.get_sample_value("signalbox_rpc_calls_total", labels) == 2 + refused
    server.stop(0)


def turned_away(call: Any, name: str) -> tuple[str | None, str]:
    """Message and hint of the rejection."""
    error = failure(lambda: call(StringValue(value=name), timeout=SECONDS, metadata=(("name", name),)))
    assert error.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    trailing = {item.key: item.value for item in error.trailing_metadata()}
    return error.details(), str(trailing["come-again"])


def test_reflection_lists_the_services(served: Served) -> None:
    """Tools can find out what is served."""
    stub = reflection_pb2_grpc.ServerReflectionStub(served.channel)
    request = reflection_pb2.ServerReflectionRequest(list_services="")
    answer = next(stub.ServerReflectionInfo(iter([request]), timeout=SECONDS))
    assert SERVICE in {service.name for service in answer.list_services_response.service}


def test_metrics_are_served_over_http(served: Served) -> None:
    """Calls are counted by method and status, and can be fetched."""
    served.call("echo")
    stop, port = start_metrics_server(served.telemetry, "127.0.0.1", 0)
    with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=SECONDS) as response:
        text = response.read().decode()
    with pytest.raises(OSError, match=f"127.0.0.1:{port}"):
        start_metrics_server(Telemetry(), "127.0.0.1", port)
    stop()
    assert f'signalbox_rpc_calls_total{{code="OK",method="echo",service="{SERVICE}"}} 1.0' in text


def test_stop_lets_running_calls_end(served: Served) -> None:
    """A stop with grace answers what runs and takes nothing new."""
    answers: list[str] = []
    caller = threading.Thread(target=lambda: answers.append(served.call("linger")))
    caller.start()
    assert served.sample.entered.acquire(timeout=SECONDS)
    threading.Timer(0.1, served.sample.released.set).start()
    served.server.stop(5)
    caller.join()
    assert answers == ["ann"]
    assert failure(lambda: served.call("echo")).code() is grpc.StatusCode.UNAVAILABLE


def test_connections_end_without_harm() -> None:
    """After its time a connection gives way to a new one: no call fails, and a stream goes on where it began."""
    settings = replace(SETTINGS, connection_age_seconds=0.5)
    server, port = create_server([HostedService(SERVICE, add_sample, Sample())], settings, Telemetry())
    server.start()
    with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
        tick = channel.unary_stream(f"/{SERVICE}/tick", _bytes, StringValue.FromString)
        ticks = tick(StringValue(value="tick"), timeout=120)
        ask = channel.unary_unary(f"/{SERVICE}/peer", _bytes, StringValue.FromString)
        peers: set[str] = set()

        def has_moved_twice() -> bool:
            peers.add(ask(StringValue(), timeout=SECONDS).value)
            return len(peers) > 2

        assert next(ticks).value == "tick"
        wait_until(has_moved_twice)
        assert [next(ticks).value for _ in range(3)] == ["tick"] * 3
        assert ticks.is_active()
        ticks.cancel()
    server.stop(0)


def test_taken_address_is_named(served: Served) -> None:
    """A second server on the same port says which address it could not get."""
    with pytest.raises(AddressInUse, match=f"127.0.0.1:{served.port}"):
        create_server([], SETTINGS, Telemetry(), served.port)
