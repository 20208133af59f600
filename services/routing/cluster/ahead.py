"""Solves ahead: precomputes best runs that rules expects to be asked for, while workers are idle."""

from __future__ import annotations

from google.protobuf.message import DecodeError
from prometheus_client import CollectorRegistry, Counter

from services.common.errors import SignalboxError
from services.common.kafka.unpacking import message_in
from services.common.telemetry.logs import get_logger
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.routing.convert import problem_from_message
from services.routing.domain.problem import ProblemError
from services.routing.handlers import InvalidAnswerError
from services.routing.ports import SolverFailedError
from services.routing.questions import ClosingError, DeadlyQuestionError, OverloadedError, WaitedTooLongError
from services.routing.service import Answer, RoutingService

SCHEMA_VERSION = 1
# Limit on the search for an answer that may never be asked for.
SECONDS_MOST = 5.0


class UnusableRequest(SignalboxError):
    """A record of routing.requests that cannot be answered; the message says why."""


class RoutesAhead:
    """Handles requests one by one. A skipped request only costs time later."""

    def __init__(self, service: RoutingService, registry: CollectorRegistry) -> None:
        """`service` caches what it proves."""
        self._service = service
        self._log = get_logger("routing")
        self._requests = Counter(
            "signalbox_routing_ahead",
            "Requests to solve ahead by result: proven, known, unproven, busy, failed, late",
            ("result",),
            registry=registry,
        )

    def pass_over(self) -> None:
        """Count a request that is too old to be useful."""
        self._requests.labels("late").inc()

    def handle(self, value: bytes, key: str) -> None:
        """Solve the problem in a record's value unless callers need the workers. Raises `UnusableRequest`."""
        wanted, result = read_request(value, key), "busy"
        try:
            answer = self._service.solve_ahead(problem_from_message(wanted.problem), SECONDS_MOST)
        except ProblemError as error:
            raise UnusableRequest(f"problem.{error.field}: {error.message}") from error
        except (OverloadedError, WaitedTooLongError, ClosingError):
            self._log.debug("no worker free for a request ahead", game=wanted.game_id)
        except (DeadlyQuestionError, SolverFailedError, InvalidAnswerError) as failure:
            # A retry would end as many workers again; a caller that needs the answer gets the error.
            result = "failed"
            self._log.error("request ahead failed", game=wanted.game_id, problem=repr(failure))
        else:
            result = _result_of(answer)
        self._requests.labels(result).inc()


def read_request(value: bytes, key: str) -> pb.RoutesWanted:
    """The request in the value of a record with this key. Raises `UnusableRequest`."""
    try:
        wanted = message_in(pb.RoutesWanted, value, key)
    except DecodeError as error:
        raise UnusableRequest(f"no request: {error}") from error
    if wanted.schema_version != SCHEMA_VERSION:
        raise UnusableRequest(f"schema version {wanted.schema_version} is not known, only {SCHEMA_VERSION}")
    return wanted


def _result_of(answer: Answer) -> str:
    if answer.is_cached:
        return "known"
    return "proven" if answer.solution.proven else "unproven"
