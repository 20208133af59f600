"""The gRPC service: decode, call `RoutingService`, encode."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import grpc

from services.common.errors import RETRY_HINT
from services.common.grpc.admission import Metadata, Rejection
from services.common.shown import cut
from services.gen.signalbox.routing.v1 import routing_pb2, routing_pb2_grpc
from services.routing.callers import caller_of, name_in
from services.routing.convert import problem_from_message, solution_to_message
from services.routing.convert_links import (
    deliveries_from_message,
    deliveries_to_message,
    track_from_message,
    track_to_message,
)
from services.routing.domain.problem import ProblemError, RouteProblem
from services.routing.handlers import InvalidAnswerError
from services.routing.link_handlers import InvalidLinkAnswerError, solve_deliveries, solve_track
from services.routing.ports import SolverFailedError
from services.routing.questions import (
    CallCancelledError,
    ClosingError,
    DeadlyQuestionError,
    OverloadedError,
    WaitedTooLongError,
)
from services.routing.reasons import ANSWER_WITHHELD, REASON_KEY
from services.routing.service import Answer, RoutingService

# Reserved from a caller's deadline so that the best answer so far still reaches the caller.
REPLY_SECONDS = 0.05
REPLY_FRACTION = 0.4
BATCH_COUNT_MAX = 256
# Trailing metadata of INVALID_ARGUMENT: the path of the bad field, beside a reason.
FIELD_KEY = "signalbox-field"
# Trailing metadata of RESOURCE_EXHAUSTED for readers, beside the hint for gRPC's own retry policy.
RETRY_AFTER_KEY = "signalbox-retry-after-ms"


class RoutingServicer(routing_pb2_grpc.RoutingServicer):
    """Answers `signalbox.routing.v1.Routing`. `clock` gives seconds and never goes back."""

    def __init__(self, service: RoutingService, clock: Callable[[], float] = time.monotonic) -> None:
        self._service = service
        self._clock = clock

    def rejection(self, metadata: Metadata, is_crowded: bool) -> Rejection | None:
        """How a call that would be rejected ends before it is decoded; None for any other. See `AdmissionPolicy`.

        A caller without a name is known by its address, which is checked later.
        """
        try:
            self._service.check_capacity(name_in(metadata), is_crowded)
        except OverloadedError as busy:
            return Rejection(str(busy), _hint(busy))
        return None

    def Solve(
        self, request: routing_pb2.SolveRequest, context: grpc.ServicerContext
    ) -> routing_pb2.SolveResponse:
        """The best runs for the request's problem; INVALID_ARGUMENT names the bad field of an invalid problem."""
        began = self._clock()
        with _answering(context):
            caller = _caller(context)
            self._service.check_capacity(caller)
            problem = problem_from_message(request.problem)
            answer = self._service.solve(problem, caller, self._end(context, began), context.add_callback)
        return self._response(answer, began)

    def SolveStream(
        self, request: routing_pb2.SolveRequest, context: grpc.ServicerContext
    ) -> Iterator[routing_pb2.SolveResponse]:
        """Improving answers, the final one last. A slow reader skips answers and never delays the search."""
        began = self._clock()
        with _answering(context):
            caller = _caller(context)
            self._service.check_capacity(caller)
            problem = problem_from_message(request.problem)
            end = self._end(context, began)
            for answer in self._service.improve(problem, caller, end, context.add_callback):
                yield self._response(answer, began)

    def SolveBatch(
        self, request: routing_pb2.SolveBatchRequest, context: grpc.ServicerContext
    ) -> routing_pb2.SolveBatchResponse:
        """An answer or a fault for each problem, in order."""
        began = self._clock()
        if len(request.problems) > BATCH_COUNT_MAX:
            message = f"{len(request.problems)} given, at most {BATCH_COUNT_MAX} are allowed"
            _abort_invalid(context, "problems", "too_many", message)
        with _answering(context):
            problems = [_problem_or_fault(message) for message in request.problems]
            end = self._end(context, began)
            answers = self._service.solve_all(problems, _caller(context), end, context.add_callback)
        return routing_pb2.SolveBatchResponse(
            answers=[self._batch_answer(answer, began) for answer in answers]
        )

    def SolveTrack(
        self, request: routing_pb2.SolveTrackRequest, context: grpc.ServicerContext
    ) -> routing_pb2.SolveTrackResponse:
        """The cheapest tracks between two cities. It takes milliseconds, so no worker is asked."""
        with _answering(context):
            self._service.check_capacity(_caller(context))
            return track_to_message(solve_track(track_from_message(request.problem)))

    def SolveDeliveries(
        self, request: routing_pb2.SolveDeliveriesRequest, context: grpc.ServicerContext
    ) -> routing_pb2.SolveDeliveriesResponse:
        """The deliveries that are not dominated, searched in as many steps as the question allows; no worker is asked."""
        with _answering(context):
            self._service.check_capacity(_caller(context))
            problem = deliveries_from_message(request.problem)
            return deliveries_to_message(solve_deliveries(problem, lambda: not context.is_active()))

    def _end(self, context: grpc.ServicerContext, began: float) -> float:
        return began + search_seconds(context.time_remaining())

    def _response(self, answer: Answer, began: float) -> routing_pb2.SolveResponse:
        return routing_pb2.SolveResponse(
            solution=solution_to_message(answer.solution),
            elapsed_us=int((self._clock() - began) * 1_000_000),
            cached=answer.is_cached,
            final=answer.is_final,
        )

    def _batch_answer(self, answer: Answer | ProblemError, began: float) -> routing_pb2.BatchAnswer:
        if isinstance(answer, Answer):
            return routing_pb2.BatchAnswer(solved=self._response(answer, began))
        fault = routing_pb2.ProblemFault(
            field=cut(answer.field), reason=answer.reason, message=cut(answer.message)
        )
        return routing_pb2.BatchAnswer(fault=fault)


def _caller(context: grpc.ServicerContext) -> str:
    return caller_of(dict(context.invocation_metadata()), context.peer())


def _hint(busy: OverloadedError) -> tuple[tuple[str, str], ...]:
    wait = str(busy.retry_after_ms)
    return ((REASON_KEY, busy.reason), (RETRY_AFTER_KEY, wait), (RETRY_HINT, wait))


def search_seconds(call_seconds: float | None) -> float:
    """Seconds of search: the call's remaining time less what the reply needs; infinite without a limit."""
    if call_seconds is None:
        return math.inf
    return call_seconds - min(REPLY_SECONDS, call_seconds * REPLY_FRACTION)


def _problem_or_fault(message: routing_pb2.RouteProblem) -> RouteProblem | ProblemError:
    try:
        return problem_from_message(message)
    except ProblemError as fault:
        return fault


@contextmanager
def _answering(context: grpc.ServicerContext) -> Iterator[None]:
    """Maps exceptions to gRPC statuses."""
    try:
        yield
    except ProblemError as error:
        _abort_invalid(context, f"problem.{error.field}", error.reason, error.message)
    except OverloadedError as busy:
        context.set_trailing_metadata(_hint(busy))
        context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, str(busy))
    except WaitedTooLongError:
        context.abort(grpc.StatusCode.DEADLINE_EXCEEDED, "the deadline passed before a worker was free")
    except CallCancelledError:
        context.abort(grpc.StatusCode.CANCELLED, "the call was cancelled")
    except ClosingError:
        context.abort(grpc.StatusCode.UNAVAILABLE, "the server is being stopped")
    except (InvalidAnswerError, InvalidLinkAnswerError):
        context.set_trailing_metadata(((REASON_KEY, ANSWER_WITHHELD),))
        context.abort(grpc.StatusCode.INTERNAL, "the answer failed verification and was withheld")
    except SolverFailedError:
        context.abort(grpc.StatusCode.INTERNAL, "the solver failed; the log has the details")
    except DeadlyQuestionError as error:
        context.set_trailing_metadata(((REASON_KEY, "deadly_question"),))
        context.abort(grpc.StatusCode.INTERNAL, str(error))


def _abort_invalid(context: grpc.ServicerContext, field: str, reason: str, message: str) -> None:
    # Metadata takes printable ASCII only, and the path may repeat an id of the request.
    path = cut(field.encode("unicode_escape").decode("ascii"))
    context.set_trailing_metadata(((FIELD_KEY, path), (REASON_KEY, reason)))
    context.abort(grpc.StatusCode.INVALID_ARGUMENT, cut(f"{field}: {message}"))
