"""Best runs found before anybody asks: what rules foresees is solved while workers have nothing else to do."""

from __future__ import annotations

from collections.abc import Callable

from google.protobuf.message import DecodeError
from prometheus_client import CollectorRegistry, Counter

from services.common.errors import SignalboxError
from services.common.telemetry.logs import get_logger
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.routing.convert import problem_from_message, solution_to_message
from services.routing.desk import Answer, RouteDesk
from services.routing.domain.canonical import problem_key
from services.routing.domain.problem import ProblemError
from services.routing.handlers import AnswerRefused
from services.routing.ports import SolverFailedError
from services.routing.questions import ClosingError, DeadlyQuestionError, NoRoomError, WaitedTooLongError

SCHEMA_VERSION = 1
# Of searching for an answer that may never be asked for.
SECONDS_MOST = 5.0


class UnusableRequest(SignalboxError):
    """A record of routing.requests that nobody can answer; the message says why."""


class RoutesAhead:
    """Answers one request after the other. Whatever it does not answer costs time later, and nothing else."""

    def __init__(
        self, desk: RouteDesk, publish: Callable[[pb.RoutesFound], None], registry: CollectorRegistry
    ) -> None:
        """`publish` is given what is proven, just now or before; the desk has put it into its cache by then."""
        self._desk = desk
        self._publish = publish
        self._log = get_logger("routing")
        self._requests = Counter(
            "signalbox_routing_ahead",
            "Requests for best runs ahead, by what became of them: proven, known, unproven, busy, failed, late",
            ("result",),
            registry=registry,
        )

    def pass_over(self) -> None:
        """A request came too late to be of use."""
        self._requests.labels("late").inc()

    def handle(self, value: bytes) -> None:
        """Solve what a record asks for, unless callers need the workers. Raises `UnusableRequest`."""
        wanted, result = read_request(value), "busy"
        try:
            answer = self._desk.solve_ahead(problem_from_message(wanted.problem), SECONDS_MOST)
        except ProblemError as error:
            raise UnusableRequest(f"problem.{error.field}: {error.message}") from error
        except (NoRoomError, WaitedTooLongError, ClosingError):
            self._log.debug("no worker free for a request ahead", game=wanted.game_id)
        except (DeadlyQuestionError, SolverFailedError, AnswerRefused) as failure:
            # Asked again it would end as many workers again; a caller who needs the answer is told so.
            result = "failed"
            self._log.error("request ahead failed", game=wanted.game_id, problem=repr(failure))
        else:
            result = _result_of(answer)
            if answer.solution.proven:
                self._publish(_found(wanted, answer))
        self._requests.labels(result).inc()


def read_request(value: bytes) -> pb.RoutesWanted:
    """The request in a record's value. Raises `UnusableRequest`."""
    try:
        wanted = pb.RoutesWanted.FromString(value)
    except DecodeError as error:
        raise UnusableRequest(f"no request: {error}") from error
    if wanted.schema_version != SCHEMA_VERSION:
        raise UnusableRequest(f"schema version {wanted.schema_version} is not known, only {SCHEMA_VERSION}")
    return wanted


def _result_of(answer: Answer) -> str:
    if answer.is_cached:
        return "known"
    return "proven" if answer.solution.proven else "unproven"


def _found(wanted: pb.RoutesWanted, answer: Answer) -> pb.RoutesFound:
    return pb.RoutesFound(
        schema_version=SCHEMA_VERSION,
        game_id=wanted.game_id,
        sequence=wanted.sequence,
        problem_key=problem_key(problem_from_message(wanted.problem)),
        solution=solution_to_message(answer.solution),
    )
