"""The page of one table for directors: the evidence, rulings and appeals, absences and substitutes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from google.protobuf.message import Message
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from services.common.substitutes import turns_of
from services.gen.signalbox.lobby.v1 import (
    lobby_service_pb2 as lobby,
    tournament_desk_service_pb2 as wire,
    tournament_pb2 as pb,
    tournament_round_pb2 as round_pb,
)
from services.gen.signalbox.rules.v1 import direction_pb2
from services.web.pages import fields
from services.web.pages.eventview import EventReader, ShownRound
from services.web.pages.sending import Failed, failed_with, shown_with
from services.web.pages.site import Site, to_page
from services.web.pages.visitors import Visitor, check_signed_in
from services.web.problems import ProblemError, of_http

Form: TypeAlias = Mapping[str, str]
WORTH, POINTS = "worth.", "points."
HOLDERS = ("source", "target")


class RoomPages:
    """Their endpoints."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._ask = site.backend.ask
        self._reader = EventReader(site.backend)

    def routes(self) -> list[Route]:
        """For an application."""
        page, table = self._site.page, "/events/{event_id}/rounds/{round_id}/tables/{number}"
        return [
            Route(table, page(self._room)),
            Route(table + "/{action}", page(self._act), methods=["POST"]),
        ]

    async def _room(self, request: Request, visitor: Visitor) -> Response:
        return await self._page(request, visitor)

    async def _page(self, request: Request, visitor: Visitor, failed: Failed | None = None) -> Response:
        check_signed_in(visitor)
        found, state = await self._table(request, visitor)
        runs = fields.small(request.query_params, "runs")
        number = state.table.number
        return shown_with(
            self._site,
            "room.html",
            visitor,
            failed,
            shown=found.shown,
            found=found,
            state=state,
            runs=runs or 1,
            evidence=await self._reader.evidence(visitor, found.round.round_id, number, runs),
            kind_name=pb.AdjudicationKind.Name,
            turns_of=turns_of,
        )

    async def _table(self, request: Request, visitor: Visitor) -> tuple[ShownRound, round_pb.RoundTableState]:
        given = request.path_params
        found = await self._reader.round(visitor, given["event_id"], given["round_id"])
        number = fields.in_path(given["number"])
        state = next((each for each in found.round.tables if each.table.number == number), None)
        if state is None:
            raise of_http(404, "not_found", "there is no such table")
        return found, state

    async def _act(self, request: Request, visitor: Visitor) -> Response:
        check_signed_in(visitor)
        given, action = request.path_params, request.path_params["action"]
        form = await self._site.form(request, visitor)
        try:
            found, state = await self._table(request, visitor)
            form = _with_ids(form, state, found.shown.names)
            if action in DIRECTIONS:
                asked = _direction(action, state, form)
            elif action in REQUESTS:
                table = {"round_id": found.round.round_id, "table": state.table.number}
                asked = REQUESTS[action]({"request_id": form.get("request_id", ""), **table}, form)
            else:
                raise of_http(404, "not_found", "there is no such page")
            await self._ask(asked, Message, visitor.caller)
        except ProblemError as failed:
            return await self._page(request, visitor, failed_with(form, failed))
        return to_page(f"/events/{given['event_id']}/rounds/{given['round_id']}/tables/{given['number']}")


def _with_ids(form: Form, state: round_pb.RoundTableState, names: Mapping[str, str]) -> Form:
    """A form in which the ids of players stand for their names as holders of money."""
    ids = {names.get(seat, seat).casefold(): seat for seat in state.table.seats}
    given = {name: form[name].strip() for name in HOLDERS if name in form}
    return {**form, **{name: ids.get(holder.casefold(), holder) for name, holder in given.items()}}


def _direction(action: str, state: round_pb.RoundTableState, form: Form) -> Message:
    """What a director decides about the game without a ruling."""
    return lobby.DirectTableRequest(
        request_id=form.get("request_id", ""),
        table_id=state.table.table_id,
        direction=direction_pb2.Direction(reason=form.get("reason", ""), **DIRECTIONS[action]),
    )


def _award(given: Any, form: Form) -> Message:
    awards = [
        pb.Award(player_id=name.removeprefix(POINTS), points=fields.millionths(form, name))
        for name in form
        if name.startswith(POINTS)
    ]
    return _ruling(given, form, pb.ADJUDICATION_KIND_AWARD, awards=awards)


def _end(given: Any, form: Form) -> Message:
    worths = [
        pb.FinalWorth(player_id=name.removeprefix(WORTH), worth=fields.whole(form, name))
        for name in form
        if name.startswith(WORTH)
    ]
    return _ruling(given, form, pb.ADJUDICATION_KIND_AWARD, worths=worths, **_position(form))


def _roll_back(given: Any, form: Form) -> Message:
    sequence = fields.whole(form, "sequence")
    return _ruling(given, form, pb.ADJUDICATION_KIND_ROLL_BACK, sequence=sequence, **_position(form))


def _correct(given: Any, form: Form) -> Message:
    transfer = pb.MoneyTransfer(
        source=form.get("source", ""),
        target=form.get("target", ""),
        amount=fields.whole(form, "amount"),
        subject=form.get("subject", ""),
    )
    return _ruling(given, form, pb.ADJUDICATION_KIND_CORRECT, transfer=transfer, **_position(form))


def _position(form: Form) -> dict[str, int]:
    """The sequence of the game that the director looked at."""
    return {"expected_sequence": fields.whole(form, "expected_sequence")}


def _ruling(given: Any, form: Form, kind: pb.AdjudicationKind, **more: Any) -> Message:
    return wire.AdjudicateRequest(**given, kind=kind, reason=form.get("reason", ""), **more)


def _not_a_substitute(given: Any, form: Form) -> Message:
    player_id, _, substitute_id = form.get("seat", "").partition(" ")
    return wire.WithdrawSubstitutionRequest(
        **given, player_id=player_id, substitute_id=substitute_id, reason=form.get("reason", "")
    )


def _substitute(given: Any, form: Form) -> Message:
    return wire.RecordSubstitutionRequest(
        **given,
        player_id=form.get("player_id", ""),
        substitute_id=form.get("substitute", "").strip(),
        substitute_turns=fields.small(form, "substitute_turns"),
        turns=fields.small(form, "turns"),
        reason=form.get("reason", ""),
    )


DIRECTIONS: Mapping[str, Mapping[str, Any]] = {
    "suspend": {"suspend": direction_pb2.Suspend()},
    "resume": {"resume": direction_pb2.Resume()},
}
REQUESTS: Mapping[str, Callable[[Any, Form], Message]] = {
    "continue": lambda given, form: _ruling(given, form, pb.ADJUDICATION_KIND_CONTINUE),
    "void": lambda given, form: _ruling(given, form, pb.ADJUDICATION_KIND_VOID),
    "award": _award,
    "end": _end,
    "roll-back": _roll_back,
    "correct": _correct,
    "agree": lambda given, form: wire.ConfirmAdjudicationRequest(
        **given, adjudication=fields.small(form, "adjudication")
    ),
    "decide": lambda given, form: wire.DecideAppealRequest(
        **given,
        adjudication=fields.small(form, "adjudication"),
        is_upheld=form.get("is_upheld") == "1",
        reason=form.get("reason", ""),
    ),
    "no-show": lambda given, form: wire.RecordNoShowRequest(
        **given, player_id=form.get("player_id", ""), reason=form.get("reason", "")
    ),
    "was-there": lambda given, form: wire.WithdrawNoShowRequest(
        **given, player_id=form.get("player_id", ""), reason=form.get("reason", "")
    ),
    "substitute": _substitute,
    "not-a-substitute": _not_a_substitute,
}
