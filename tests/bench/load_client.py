"""A load generator, run as a process of its own: a plan as JSON on standard input, what came of it on standard output.

Requests are read ready-made from a file and answers are hardly looked at, so that the generator takes little of the
cores that it shares with the servers.
"""

from __future__ import annotations

import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import grpc
import msgspec

from services.common.grpc.channel import balanced_channel
from services.routing.bootstrap import SERVICE_NAME

METHOD = f"/{SERVICE_NAME}/Solve"
CALLERS = 8


class Plan(msgspec.Struct, frozen=True):
    """`requests`: file of serialized requests. `rate`: calls begun a second, 0: each of `callers` asks anew when it
    is answered. `warm_seconds` are not counted. `repeats`: the channel may try again."""

    addresses: tuple[str, ...]
    requests: str
    seconds: float
    warm_seconds: float = 0.0
    callers: int = CALLERS
    rate: float = 0.0
    repeats: bool = True
    timeout: float = 20.0


class Outcome(msgspec.Struct):
    """Milliseconds of the calls answered, and how many ended with which status.

    `late_ms`: how much later than planned the generator began a call at worst."""

    asked: int
    seconds: float
    milliseconds: list[float]
    statuses: dict[str, int]
    refused_milliseconds: list[float]
    late_ms: float


class Tally:
    """What came of the calls so far."""

    def __init__(self, count_from: float) -> None:
        self._count_from = count_from
        self._lock = threading.Lock()
        self.asked = 0
        self.latest_by = 0.0
        self.taken: list[float] = []
        self.refused: list[float] = []
        self.statuses: Counter[str] = Counter()

    def note(self, began: float, status: grpc.StatusCode) -> None:
        """One call has ended."""
        now = time.perf_counter()
        if began < self._count_from:
            return
        with self._lock:
            self.asked += 1
            self.statuses[status.name] += 1
            (self.taken if status is grpc.StatusCode.OK else self.refused).append((now - began) * 1000)


def main() -> None:
    """Carry the plan out."""
    plan = msgspec.json.decode(sys.stdin.buffer.read(), type=Plan)
    requests = msgspec.msgpack.decode(Path(plan.requests).read_bytes(), type=list[bytes])
    channel = balanced_channel(plan.addresses, SERVICE_NAME) if plan.repeats else _plain(plan.addresses)
    grpc.channel_ready_future(channel).result(timeout=30)
    began = time.perf_counter()
    tally = Tally(began + plan.warm_seconds)
    (_at_a_rate if plan.rate else _one_after_the_other)(plan, requests, channel, tally)
    seconds = time.perf_counter() - began - plan.warm_seconds
    outcome = Outcome(
        tally.asked, seconds, tally.taken, dict(tally.statuses), tally.refused, tally.latest_by * 1000
    )
    sys.stdout.buffer.write(msgspec.json.encode(outcome))


def _plain(addresses: tuple[str, ...]) -> grpc.Channel:
    return grpc.insecure_channel(addresses[0], options=[("grpc.enable_retries", 0)])


def _one_after_the_other(plan: Plan, requests: list[bytes], channel: grpc.Channel, tally: Tally) -> None:
    solve: grpc.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(METHOD)
    end = time.perf_counter() + plan.warm_seconds + plan.seconds

    def ask(number: int) -> None:
        while (began := time.perf_counter()) < end:
            status = grpc.StatusCode.OK
            try:
                solve(requests[number % len(requests)], timeout=plan.timeout)
            except grpc.RpcError as error:
                status = error.code()
            tally.note(began, status)
            number += plan.callers

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(plan.callers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _at_a_rate(plan: Plan, requests: list[bytes], channel: grpc.Channel, tally: Tally) -> None:
    """Calls begin when their time has come, whatever became of those before."""
    solve: grpc.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(METHOD)
    start = time.perf_counter()
    count = int(plan.rate * (plan.warm_seconds + plan.seconds))
    open_calls = threading.Semaphore(0)

    def noting(began: float) -> Callable[[grpc.Future[bytes]], None]:
        def note(call: grpc.Future[bytes]) -> None:
            error = call.exception()
            tally.note(began, error.code() if isinstance(error, grpc.RpcError) else grpc.StatusCode.OK)
            open_calls.release()

        return note

    for number in range(count):
        due = start + number / plan.rate
        time.sleep(max(0.0, due - time.perf_counter()))
        sent = time.perf_counter()
        tally.latest_by = max(tally.latest_by, sent - due)
        metadata = (("signalbox-caller", f"caller {number % plan.callers}"),)
        call = solve.future(requests[number % len(requests)], timeout=plan.timeout, metadata=metadata)
        call.add_done_callback(noting(sent))
    for _ in range(count):
        open_calls.acquire()


if __name__ == "__main__":
    main()
