"""What owners, players and directors of a table do there, and the page of an invitation link."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from typing import Any

from google.protobuf.message import Message
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from services.gen.signalbox.events.v1 import events_pb2
from services.gen.signalbox.lobby.v1 import lobby_service_pb2 as wire, table_pb2
from services.web.pages import fields
from services.web.pages.sending import shown_with
from services.web.pages.site import Site
from services.web.pages.visitors import Visitor

Form = Mapping[str, str]
SECONDS_OF_MINUTE = 60


class HostingPages:
    """Their endpoints."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def routes(self) -> list[Route]:
        """For an application. The forms are sent to `LobbyPages`."""
        return [Route("/tables/{table_id}/join", self._site.page(self._by_link))]

    async def _by_link(self, request: Request, visitor: Visitor) -> Response:
        """Says nothing about the table, which may be hidden: the lobby lets in who has its link."""
        table_id, link = request.path_params["table_id"], request.query_params.get("link", "")
        return shown_with(self._site, "join.html", visitor, None, table_id=table_id, link=link)


def playing(table: table_pb2.Table) -> Set[str]:
    """The people who play the seats of a begun game now, without bots."""
    takers = {each.seat: each for each in table.seat_takers}
    bots = {seat for seat, each in takers.items() if each.kind == events_pb2.BEARER_KIND_BOT}
    return {
        takers[seat].bearer.player_id if seat in takers else seat for seat in table.seats if seat not in bots
    }


def _grant(given: Any, form: Form) -> Message:
    return wire.GrantTimeRequest(
        **given,
        seat=form.get("seat", ""),
        seconds=fields.small(form, "minutes") * SECONDS_OF_MINUTE,
        reason=form.get("reason", ""),
    )


REQUESTS: Mapping[str, Callable[[Any, Form], Message]] = {
    "join": lambda given, form: wire.JoinTableRequest(**given, link_token=form.get("link", "")),
    "offer": lambda given, _form: wire.JoinTableRequest(**given, as_substitute=True),
    "leave": lambda given, _form: wire.LeaveTableRequest(**given),
    "start": lambda given, _form: wire.StartTableRequest(**given),
    "invite": lambda given, form: wire.InvitePlayerRequest(
        **given, player_name=form.get("player_name", "").strip()
    ),
    "withdraw": lambda given, form: wire.WithdrawInvitationRequest(
        **given, player_id=form.get("player_id", "")
    ),
    "link": lambda given, _form: wire.MakeInvitationLinkRequest(**given),
    "remove": lambda given, form: wire.RemovePlayerRequest(**given, player_id=form.get("player_id", "")),
    "rematch": lambda given, _form: wire.RematchTableRequest(**given),
    "agree": lambda given, form: wire.AgreeToEndRequest(**given, does_agree=form.get("does_agree") == "1"),
    "grant": _grant,
}
