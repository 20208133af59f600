"""How pages look, as each browser chose it: colours that everybody can tell apart, with patterns, or the usual ones."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from services.web.pages.site import Site, to_page
from services.web.pages.visitors import HOME, LOOK, PATTERNS, Visitor, own_page

KEPT_SECONDS = 365 * 24 * 3600


class LookPages:
    """The endpoint."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def routes(self) -> list[Route]:
        """For an application."""
        return [Route("/look", self._site.page(self._choose), methods=["POST"])]

    async def _choose(self, request: Request, visitor: Visitor) -> Response:
        form = await self._site.form(request, visitor)
        answer = to_page(own_page(form.get("next", HOME)))
        chosen = PATTERNS if form.get("look") == PATTERNS else ""
        secure = self._site.is_secure(request)
        answer.set_cookie(LOOK, chosen, max_age=KEPT_SECONDS, httponly=True, secure=secure, samesite="lax")
        return answer
