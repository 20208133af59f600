"""How pages look, as each browser chose it: colours that everybody can tell apart, with patterns, or the usual ones; and their
language."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from services.web.pages.site import Site, to_page
from services.web.pages.visitors import HOME, LOOK, OWN_LANGUAGE, PATTERNS, Visitor, own_page

KEPT_SECONDS = 365 * 24 * 3600


class LookPages:
    """Their endpoints."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def routes(self) -> list[Route]:
        """For an application."""
        page = self._site.page
        return [
            Route("/look", page(self._choose_look), methods=["POST"]),
            Route("/language", page(self._choose_language), methods=["POST"]),
        ]

    async def _choose_look(self, request: Request, visitor: Visitor) -> Response:
        return await self._kept(request, visitor, LOOK, "look", (PATTERNS,))

    async def _choose_language(self, request: Request, visitor: Visitor) -> Response:
        return await self._kept(
            request, visitor, OWN_LANGUAGE, "language", tuple(self._site.languages.names())
        )

    async def _kept(
        self, request: Request, visitor: Visitor, cookie: str, field: str, values: tuple[str, ...]
    ) -> Response:
        """A field of the form in a cookie; empty for what is none of these values."""
        form = await self._site.form(request, visitor)
        answer = to_page(own_page(form.get("next", HOME)))
        given = form.get(field, "")
        answer.set_cookie(
            cookie,
            given if given in values else "",
            max_age=KEPT_SECONDS,
            httponly=True,
            secure=self._site.is_secure(request),
            samesite="lax",
        )
        return answer
