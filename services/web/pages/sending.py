"""Pages with several forms: which form was sent, and the page again with the reason in it where it was refused."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from starlette.responses import Response

from services.web.pages.fields import zones
from services.web.pages.site import Site
from services.web.pages.visitors import Visitor
from services.web.problems import Problem, ProblemError

WHICH = "which"
REFUSED_IN_FORM = 'id="refused"'


@dataclass(frozen=True, slots=True)
class Failed:
    """A form that was refused: its id on the page, its fields, and why."""

    which: str
    form: Mapping[str, str]
    problem: Problem


def failed_with(form: Mapping[str, str], error: ProblemError) -> Failed:
    """The form of a request that ended so."""
    return Failed(form.get(WHICH, ""), form, error.problem)


def shown_with(site: Site, template: str, visitor: Visitor, failed: Failed | None, **values: Any) -> Response:
    """A page of forms. What was refused stands in its form, or at the top where the page has this form no more."""
    values |= {"failed": failed, "request_id": secrets.token_hex(8), "zones": zones()}
    status = 200 if failed is None else failed.problem.status
    if failed is not None and REFUSED_IN_FORM not in site.written(template, visitor, **values):
        values["problem"] = failed.problem
    return site.shown(template, visitor, status, **values)
