"""The page of one's own account: tokens for programs, made, listed and taken back."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from services.gen.signalbox.lobby.v1 import api_tokens_service_pb2 as wire, lobby_service_pb2 as lobby
from services.web.pages import fields
from services.web.pages.sending import Failed, failed_with, shown_with
from services.web.pages.site import Site, to_page
from services.web.pages.visitors import Visitor, check_signed_in
from services.web.problems import ProblemError

SCOPE = "scope."
AS_OPERATOR = "operator:*"


class TokenPages:
    """Their endpoints."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._ask = site.backend.ask

    def routes(self) -> list[Route]:
        """For an application."""
        page = self._site.page
        return [
            Route("/account", page(self._account)),
            Route("/account/tokens/make", page(self._make), methods=["POST"]),
            Route("/account/tokens/{token_id}/revoke", page(self._revoke), methods=["POST"]),
        ]

    async def _account(self, request: Request, visitor: Visitor) -> Response:
        return await self._page(visitor, is_revoked=request.query_params.get("done") == "revoke")

    async def _page(
        self, visitor: Visitor, failed: Failed | None = None, made: str = "", is_revoked: bool = False
    ) -> Response:
        """`made`: the token that was made just now, which is shown this once."""
        check_signed_in(visitor)
        listed = await self._ask(wire.ListApiTokensRequest(), wire.ListApiTokensResponse, visitor.caller)
        return shown_with(
            self._site,
            "tokens.html",
            visitor,
            failed,
            tokens=listed.tokens,
            made=made,
            is_revoked=is_revoked,
            as_operator=AS_OPERATOR,
        )

    async def _make(self, request: Request, visitor: Visitor) -> Response:
        check_signed_in(visitor)
        form = await self._site.form(request, visitor)
        try:
            wanted = lobby.MakeApiTokenRequest(
                scopes=_scopes(form), lifetime_days=fields.small(form, "days"), label=form.get("label", "")
            )
            made = await self._ask(wanted, lobby.MakeApiTokenResponse, visitor.caller)
        except ProblemError as failed:
            return await self._page(visitor, failed_with(form, failed))
        return await self._page(visitor, made=made.token)

    async def _revoke(self, request: Request, visitor: Visitor) -> Response:
        check_signed_in(visitor)
        form = await self._site.form(request, visitor)
        wanted = wire.RevokeApiTokenRequest(token_id=request.path_params["token_id"])
        try:
            await self._ask(wanted, wire.RevokeApiTokenResponse, visitor.caller)
        except ProblemError as failed:
            return await self._page(visitor, failed_with(form, failed))
        return to_page("/account?done=revoke")


def _scopes(form: Mapping[str, str]) -> list[str]:
    return [name.removeprefix(SCOPE) for name in form if name.startswith(SCOPE)]
