"""Choices, refusals and runs of trains as answers of the rules service."""

from __future__ import annotations

from services.gen.signalbox.rules.v1 import rejection_pb2, rules_pb2 as pb
from services.routing.domain.solution import RouteSolution, runs_in_order
from services.rules.adapters.codec import choice_message, run_message
from services.rules.kernel.rejections import Rejection
from services.rules.parts.trains.runs import as_run
from services.rules.reading import Options
from services.rules.valuing import ValuedRuns


def rejection_message(rejection: Rejection, best_runs: RouteSolution | None) -> rejection_pb2.Rejection:
    """A refusal; `best_runs`: those that earn more."""
    message = rejection_pb2.Rejection(
        code=rejection.code,
        message=rejection.message,
        clause=rejection.clause,
        retryable=rejection.retryable,
    )
    if best_runs is not None:
        message.best_runs.CopyFrom(best_runs_message(best_runs))
    return message


def valued_message(valued: ValuedRuns) -> pb.ValuedRuns:
    """What runs would earn."""
    return pb.ValuedRuns(
        sequence=valued.sequence,
        runs=[run_message(run) for run in valued.ran.runs],
        revenue=valued.ran.revenue,
        treasury_income=valued.ran.treasury_income,
    )


def options_message(options: Options) -> pb.ListChoicesResponse:
    """What a player may do."""
    message = pb.ListChoicesResponse(sequence=options.sequence)
    for choice in options.choices:
        sent = choice_message(choice)
        sent.clause = options.clauses.get(type(choice.command), "")
        message.choices.append(sent)
    if options.best_runs is not None:
        message.best_runs.CopyFrom(best_runs_message(options.best_runs))
    return message


def best_runs_message(solution: RouteSolution) -> rejection_pb2.BestRuns:
    """The best runs of a company."""
    return rejection_pb2.BestRuns(
        runs=[run_message(as_run(run)) for run in runs_in_order(solution)],
        revenue=solution.revenue,
        treasury_income=solution.treasury_income,
        proven=solution.proven,
        upper_bound=solution.upper_bound,
    )
