"""Pages about money: worth over time, and from which entries of the ledger a figure comes."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from services.gen.signalbox.ledger.v1 import ledger_pb2 as ledger
from services.gen.signalbox.rules.v1 import game_pb2, rules_pb2 as rules
from services.web.pages.gameview import words
from services.web.pages.phrases import Phrases, plain
from services.web.pages.site import Site
from services.web.pages.visitors import Visitor, check_signed_in
from services.web.problems import of_http

LINES = 200
WIDTH, HEIGHT = 640, 300
UNITS = {"money": ledger.UNIT_MONEY, "shares": ledger.UNIT_SHARES, "debt": ledger.UNIT_DEBT}


@dataclass(frozen=True, slots=True)
class Curve:
    """What a player was worth, as the points of a line in a drawing of `WIDTH` by `HEIGHT`."""

    player: str
    points: str
    last: int


@dataclass(frozen=True, slots=True)
class Part:
    """What the certificates of one company add to a player's worth: shares at a price; a whole company has no shares."""

    company: str
    shares: int
    price: int

    @property
    def value(self) -> int:
        """In whole currency units."""
        return self.price * (self.shares or 1)


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a statement in words."""

    sequence: int
    words: str
    change: int
    balance: int


class BookPages:
    """Their endpoints."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._ask = site.backend.ask

    def routes(self) -> list[Route]:
        """For an application."""
        page = self._site.page
        return [
            Route("/games/{game_id}/worth", page(self._worth)),
            Route("/games/{game_id}/holders/{holder}", page(self._holder)),
        ]

    async def _worth(self, request: Request, visitor: Visitor) -> Response:
        check_signed_in(visitor)
        game_id = request.path_params["game_id"]
        worth = await self._net_worth(game_id, visitor)
        points = [*worth.points, worth.present]
        players = [each.player for each in worth.present.players]
        said = self._site.texts(visitor).said
        return self._site.shown(
            "worth.html",
            visitor,
            game_id=game_id,
            points=points,
            curves=curves(points),
            round_names=[said(plain(each.moment.round_kind)) for each in points],
            names=await self._site.backend.names(players, visitor.caller),
            most=_most(points),
            least=_least(points),
            width=WIDTH,
            height=HEIGHT,
        )

    async def _holder(self, request: Request, visitor: Visitor) -> Response:
        check_signed_in(visitor)
        game_id, holder = request.path_params["game_id"], request.path_params["holder"]
        query = request.query_params
        unit, company = query.get("unit", "money"), query.get("company", "")
        if unit not in UNITS:
            raise of_http(400, "malformed_request", f"unit: is none of {', '.join(UNITS)}")
        account = ledger.Account(holder=holder, unit=UNITS[unit], company=company)
        asked = ledger.GetStatementRequest(
            game_id=game_id, account=account, page_size=LINES, page_token=query.get("page", "")
        )
        statement, worth, game = await asyncio.gather(
            self._ask(asked, ledger.GetStatementResponse, visitor.caller),
            self._net_worth(game_id, visitor),
            self._ask(rules.GetGameRequest(game_id=game_id), rules.GetGameResponse, visitor.caller),
        )
        players = [each.player for each in worth.present.players]
        names = await self._site.backend.names(players, visitor.caller)
        return self._site.shown(
            "statement.html",
            visitor,
            game_id=game_id,
            holder=holder,
            unit=unit,
            company=company,
            names=names,
            lines=_lines(statement, names, self._site.texts(visitor).said),
            next_page=statement.next_page_token,
            worth=next((each for each in worth.present.players if each.player == holder), None),
            own_count=next((each.value for each in game.game.players if each.player == holder), 0),
            parts=parts_of(game.game, holder),
        )

    async def _net_worth(self, game_id: str, visitor: Visitor) -> ledger.GetNetWorthResponse:
        asked = ledger.GetNetWorthRequest(game_id=game_id)
        return await self._ask(asked, ledger.GetNetWorthResponse, visitor.caller)


def curves(points: Sequence[ledger.NetWorthPoint]) -> Sequence[Curve]:
    """One for each player, over the rounds."""
    totals = [[each.total for each in point.players] for point in points]
    most = _most(points)
    least = _least(points)
    across = WIDTH / max(1, len(points) - 1)

    def at(index: int, total: int) -> str:
        return f"{index * across:.1f},{HEIGHT * (most - total) / (most - least):.1f}"

    return [
        Curve(
            player.player,
            " ".join(at(index, row[seat]) for index, row in enumerate(totals)),
            totals[-1][seat],
        )
        for seat, player in enumerate(points[-1].players)
    ]


def _most(points: Sequence[ledger.NetWorthPoint]) -> int:
    """The figure at the top of the drawing."""
    return max((each.total for point in points for each in point.players), default=0) or 1


def _least(points: Sequence[ledger.NetWorthPoint]) -> int:
    """The figure at its bottom."""
    return min((0, *(each.total for point in points for each in point.players)))


def parts_of(game: game_pb2.GameView, holder: str) -> Sequence[Part]:
    """What a player's certificates are worth, company by company."""
    companies = {each.company: each for each in game.companies}
    held = [each for each in game.holdings if each.holder == holder]
    listed = [
        Part(each.company, each.shares, companies[each.company].price)
        for each in held
        if each.company in companies and companies[each.company].price
    ]
    owned = [
        Part(each.company, 0, each.price_paid)
        for each in game.companies
        if each.director == holder and each.price_paid and not each.closed
    ]
    return [*listed, *owned]


def _lines(statement: ledger.GetStatementResponse, names: Mapping[str, str], said: Phrases) -> Sequence[Line]:
    return [
        Line(each.sequence, said(words(each.sentence.parts, names) or each.reason), each.change, each.balance)
        for each in statement.lines
    ]
