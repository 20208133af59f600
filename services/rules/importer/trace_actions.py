"""The effects of one action in a trace: certificates traded, runs with the stops they count."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from services.rules.importer import actions as a
from services.rules.importer.dialect import Dialect, Drawn, Fields
from services.rules.importer.names import Names
from services.rules.importer.trace_holders import sizes_of
from services.rules.kernel.events import CashMoved, CertificatesMoved, Event
from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.vocabulary import BANK, POOL
from services.rules.parts.map.board import face
from services.rules.parts.map.state import map_of
from services.rules.parts.trains.events import RevenueCorrected, TrainsRan

PlaceName = Callable[[TitleData, Game, tuple[str, int]], str]


def action_fields(
    dialect: Dialect,
    action: a.Action,
    events: Sequence[Event],
    before: Game,
    data: TitleData,
    names: Names,
) -> Fields:
    """Field `trade` or `routes` for an action that has one; `before` is the state the action met."""
    if isinstance(action, a.BuyShares | a.SellShares):
        traded = trade_fields(dialect, action, events, before, data, names)
        return {"trade": traded} if traded else {}
    if isinstance(action, a.RunRoutes):
        ran = next((event for event in events if isinstance(event, TrainsRan)), None)
        booked = next((event for event in events if isinstance(event, RevenueCorrected)), ran)
        return {"routes": route_fields(dialect, action, ran, booked, before, data)} if ran and booked else {}
    return {}


def trade_fields(
    dialect: Dialect,
    action: a.BuyShares | a.SellShares,
    events: Sequence[Event],
    before: Game,
    data: TitleData,
    names: Names,
) -> Fields | None:
    """The certificates that changed hands by the action itself and what they cost; what was paid for others that went at
    the end of the round, or in the turn that followed, is no part of it."""
    sold = isinstance(action, a.SellShares)
    reasons = ("sold",) if sold else ("bought", *dialect.bought_as)
    moves = [event for event in events if isinstance(event, CertificatesMoved) and event.reason in reasons]
    company = action.shares[0].rpartition("_")[0]
    moved = next((move for move in moves if move.company == company), None)
    if moved is None:
        return None
    sizes = sizes_of(before, data, company)
    numbers = [int(share.rpartition("_")[2]) for share in action.shares]
    paid = ("certificate_sold",) if sold else ("certificate_bought", *dialect.paid_as)
    payments = (event for event in events if isinstance(event, CashMoved) and event.reason in paid)
    fields: Fields = {
        "corporation": company,
        "percent": action.percent,
        "from": _place(moved.source, company, names),
        "to": _place(moved.target, company, names),
        "price": next((payment.amount for payment in payments if payment.subject == company), 0),
        "certs": [[number, sizes[number]] for number in numbers],
    }
    if action.entity_type == "company":
        fields["exchange"] = action.entity
    return fields


def _place(holder: str, company: str, names: Names) -> int | str:
    return {BANK: "ipo", POOL: "market", company: "treasury"}.get(holder) or names.of(holder)


def route_fields(
    dialect: Dialect,
    action: a.RunRoutes,
    ran: TrainsRan,
    booked: TrainsRan | RevenueCorrected,
    before: Game,
    data: TitleData,
) -> Fields:
    """The runs as this project counts them, in the direction in which the file draws them, with the totals booked."""
    return {
        "entity": action.entity,
        "routes": dialect.routes(list(_drawn(action, ran)), before, data),
        "revenue": booked.revenue,
        "subsidy": booked.treasury_income,
        "extra": 0,
    }


def _drawn(action: a.RunRoutes, ran: TrainsRan) -> Iterator[Drawn]:
    runs = {run.train: run for run in ran.runs}
    for route in action.routes:
        if route.train in runs:
            run, path = runs[route.train], _path(route)
            stops = [split_stop(stop) for stop in run.stops]
            if stops and path and stops[0][0] != path[0]:
                stops.reverse()
            yield Drawn(route, run, path, stops)


def _path(route: a.Route) -> list[str]:
    """All hexes once per visit; a run of one hop goes the way its hop is written."""
    if len(route.connections) == 1:
        return list(route.connections[0])
    path: list[str] = []
    for start, hexes in zip(route.hexes, route.connections, strict=False):
        oriented = hexes if hexes[:1] == (start,) else hexes[::-1]
        path.extend(oriented if not path else oriented[1:])
    return path


def split_stop(stop: str) -> tuple[str, int]:
    """Hex and number of a stop written `HEX.n`."""
    hex_id, _, number = stop.rpartition(".")
    return hex_id, int(number)


def visited_fields(
    data: TitleData, game: Game, stops: Sequence[tuple[str, int]], name_of: PlaceName
) -> list[Any]:
    """Every stop with its kind."""
    return [[name_of(data, game, stop), _kind(data, game, stop)] for stop in stops]


def _kind(data: TitleData, game: Game, stop: tuple[str, int]) -> str:
    kind = face(data, map_of(game).tiles, stop[0]).stops[stop[1]].kind
    return {"mine": "city", "port": "offboard"}.get(kind, kind)
