"""What all pages share: templates, limits, the session, problems, and headers that keep foreign scripts out."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from services.common.settings.service import Settings
from services.web.assets import ADDRESS
from services.web.limits import FORM, RequestLimits, address_of, proxies_of
from services.web.pages.backend import Backend
from services.web.pages.clockwords import shown_hours
from services.web.pages.phrases import plain
from services.web.pages.shown import FILTERS, counts
from services.web.pages.texts import Languages, Texts
from services.web.pages.times import now_ms, shown_left, shown_time
from services.web.pages.visitors import (
    HOME,
    OWN_LANGUAGE,
    Visitor,
    asked_page,
    check_form,
    end_session,
    is_ended,
    visitor_in,
)
from services.web.problems import ProblemError, of_http
from services.web.sessions import EndedSessions
from services.web.viewers import ViewerChecks
from services.web.watched import WatchedGames

TEMPLATES = Path(__file__).parent / "templates"
FIELDS_MAX = 200
# The name of the catalogue in templates.
TEXTS = "t"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}
# A service is away, or was when the time was over.
AWAY = (502, 503, 504)
# The header of what a module of ours asks for: it puts the answer into the page that is there.
MODULE = "x-signalbox-module"
# The attribute of a request that has the form it brought.
FORM_SENT = "form_sent"
Handler = Callable[[Request, Visitor], Awaitable[Response]]


class Again(NamedTuple):
    """A form that did not reach a service: where it is sent again, as it was, and so carried out once."""

    path: str
    form: Mapping[str, str]


class Site:
    """Pages are made with it. Used on one event loop."""

    def __init__(
        self, settings: Settings, limits: RequestLimits, backend: Backend, ended: EndedSessions
    ) -> None:
        self.backend = backend
        self.languages = Languages(settings.web.translations)
        self.limits = limits
        self.checks = ViewerChecks(ended, backend.check_sight)
        self.watched = WatchedGames(backend.moves, backend.clocks, self.checks)
        self._is_tls_served = settings.tls.is_served
        self._proxies = proxies_of(settings)
        self._templates = Environment(
            loader=FileSystemLoader(TEMPLATES),
            auto_reload=False,
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._templates.filters.update(FILTERS)
        self._templates.filters["shown_name"] = _shown_name
        self._templates.filters["shown_time"] = shown_time
        self._templates.filters["shown_hours"] = in_language(shown_hours)
        self._templates.filters["counts"] = in_language(counts)
        self._templates.filters["duration"] = in_language(shown_left)
        self._templates.filters["plain"] = plain
        self._templates.filters["said"] = in_language(lambda texts, sentence: texts.said(sentence))
        self._templates.filters["shown_left"] = in_language(shown_left)
        self._templates.globals["assets"] = ADDRESS
        self._templates.globals["now_ms"] = now_ms
        self._templates.globals["operators"] = frozenset(settings.operators)
        self._templates.globals["languages"] = self.languages.names()

    def visitor(self, request: Request) -> Visitor:
        """Who makes a request."""
        peer = request.client.host if request.client else ""
        found = visitor_in(request, address_of(peer, request.headers, self._proxies))
        accepted = request.headers.get("accept-language", "")
        return replace(found, language=self.languages.chosen(request.cookies.get(OWN_LANGUAGE, ""), accepted))

    def texts(self, visitor: Visitor) -> Texts:
        """In the language of a visitor."""
        return self.languages.texts(visitor.language)

    def is_secure(self, request: Request) -> bool:
        """Whether a browser came over TLS, which perhaps a proxy ended. Who writes that header only makes an own cookie fail."""
        return self._is_tls_served or request.headers.get("x-forwarded-proto") == "https"

    def address(self, request: Request) -> str:
        """Of this site, as the browser knows it."""
        scheme = "https" if self.is_secure(request) else "http"
        return f"{scheme}://{request.headers.get('host', '')}"

    def page(self, handler: Handler) -> Callable[[Request], Awaitable[Response]]:
        """An endpoint: within the limits, and with problems shown on a page."""

        async def endpoint(request: Request) -> Response:
            visitor = self.visitor(request)
            try:
                with self.limits.entered(visitor.caller.address, is_stream=False):
                    await self.checks.check_session(visitor.caller)
                    return await handler(request, visitor)
            except ProblemError as failed:
                return self.failed(request, visitor, failed)

        return endpoint

    def failed(self, request: Request, visitor: Visitor, failed: ProblemError) -> Response:
        """The page for a request that ended so; who has to sign in is led there and back. For a module the reason alone."""
        problem = failed.problem
        if MODULE in request.headers:
            text = self.written("refusal.html", visitor, problem=problem)
            return HTMLResponse(text, problem.status, HEADERS)
        if not is_ended(failed):
            is_away, form = problem.status in AWAY, getattr(request.state, FORM_SENT, None)
            again = None if form is None or not is_away else Again(request.url.path, form)
            return self.shown(
                "problem.html", visitor, problem.status, problem=problem, is_away=is_away, again=again
            )
        wanted = quote(asked_page(request) if request.method == "GET" else HOME, safe="/")
        answer = RedirectResponse(f"/sign-in?next={wanted}", status_code=303)
        end_session(answer)
        return answer

    def shown(self, template: str, visitor: Visitor, status: int = 200, **values: object) -> Response:
        """A page."""
        return HTMLResponse(self.written(template, visitor, **values), status, HEADERS)

    def written(self, template: str, visitor: Visitor, **values: object) -> str:
        """The text of a page or of a part of one."""
        given = {"visitor": visitor, "problem": None, TEXTS: self.texts(visitor), **values}
        return self._templates.get_template(template).render(given)

    async def form(
        self, request: Request, visitor: Visitor, fields_max: int = FIELDS_MAX
    ) -> Mapping[str, str]:
        """The fields of a form of ours. Raises `ProblemError`."""
        body = await self.limits.body(request, FORM)
        try:
            given = dict(parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=fields_max))
        except ValueError as error:
            raise of_http(400, "malformed_request", f"the form is malformed: {error}") from error
        check_form(request, visitor, given)
        setattr(request.state, FORM_SENT, given)
        return given


def in_language(write: Callable[[Texts, Any], str]) -> Callable[[Context, Any], str]:
    """A filter that writes in the language of the page."""

    @pass_context
    def filtered(context: Context, value: Any) -> str:
        return write(context[TEXTS], value)

    return filtered


@pass_context
def _shown_name(context: Context, holder: str, names: Mapping[str, str]) -> str:
    """A player's name; another holder's, such as that of the bank, in the language of the page."""
    return names.get(holder) or str(context[TEXTS].said(holder))


def to_page(path: str) -> Response:
    """Lead to a page after a form."""
    return RedirectResponse(path, status_code=303, headers={"Cache-Control": "no-store"})
