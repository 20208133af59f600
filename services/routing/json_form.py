"""The JSON form of problems and solutions; docs/routes-json.md documents it."""

from __future__ import annotations

import re

import msgspec

from services.routing.domain.problem import ProblemError, RouteProblem
from services.routing.domain.solution import RouteSolution

WHOLE = "$"
# Beginnings of msgspec's messages with the stable code for each; any other message is a value of the wrong type.
REASONS = (
    ("Object contains unknown field", "unknown_field"),
    ("Object missing required field", "missing_field"),
    ("Invalid enum value", "unknown_value"),
)
LOCATION = re.compile(r"(?s)(?P<message>.*) - at `(?:key in )?\$\.?(?P<field>.*)`")

_decode_problem = msgspec.json.Decoder(RouteProblem).decode


def problem_from_json(content: bytes) -> RouteProblem:
    """The problem in a JSON text. Raises `ProblemError` with the path of what is wrong, `$` for the whole text.

    Only the form is checked here; `validate_problem` checks the content.
    """
    try:
        return _decode_problem(content)
    except msgspec.ValidationError as error:
        found = LOCATION.fullmatch(str(error))
        field, message = (found["field"], found["message"]) if found else ("", str(error))
        reason = next((code for begin, code in REASONS if message.startswith(begin)), "wrong_type")
        raise ProblemError(field or WHOLE, reason, message) from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ProblemError(WHOLE, "malformed_json", str(error)) from error


def problem_to_json(problem: RouteProblem) -> bytes:
    """The JSON text of a problem, one line."""
    return msgspec.json.encode(problem)


def solution_to_json(solution: RouteSolution) -> bytes:
    """The JSON text of a solution, one line: equal solutions have equal texts."""
    return msgspec.json.encode(solution)
