"""What one action brought, as a trace shows it: certificates traded, runs with the stops they counted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from services.rules.domain import events as e
from services.rules.domain.board import face, stop_value
from services.rules.domain.depot import kind_name
from services.rules.domain.game import Game
from services.rules.domain.titledata import TitleData
from services.rules.recorded import actions as a
from services.rules.recorded.names import Names, part_number

Fields = dict[str, Any]


def action_fields(
    action: a.Action, events: Sequence[e.Event], before: Game, data: TitleData, names: Names
) -> Fields:
    """Field `trade` or `routes` for an action that has one; `before` is the state the action met."""
    if isinstance(action, a.BuyShares | a.SellShares):
        traded = trade_fields(action, events, data, names)
        return {"trade": traded} if traded else {}
    if isinstance(action, a.RunRoutes):
        ran = next((event for event in events if isinstance(event, e.TrainsRan)), None)
        return {"routes": route_fields(action, ran, before, data)} if ran else {}
    return {}


def trade_fields(
    action: a.BuyShares | a.SellShares, events: Sequence[e.Event], data: TitleData, names: Names
) -> Fields | None:
    """The certificates that changed hands by the action itself and what they cost."""
    sold = isinstance(action, a.SellShares)
    reasons = ("sold",) if sold else ("bought", "exchanged")
    moves = [event for event in events if isinstance(event, e.CertificatesMoved) and event.reason in reasons]
    company = action.shares[0].rpartition("_")[0]
    moved = next((move for move in moves if move.company == company), None)
    if moved is None:
        return None
    sizes = data.companies[company].certificates
    numbers = [int(share.rpartition("_")[2]) for share in action.shares]
    paid = "certificate_sold" if sold else "certificate_bought"
    amounts = (event.amount for event in events if isinstance(event, e.CashMoved) and event.reason == paid)
    fields: Fields = {
        "corporation": company,
        "percent": action.percent,
        "from": _place(moved.source, names),
        "to": _place(moved.target, names),
        "price": sum(amounts),
        "certs": [[number, sizes[number]] for number in numbers],
    }
    if action.entity_type == "company":
        fields["exchange"] = action.entity
    return fields


def _place(holder: str, names: Names) -> int | str:
    return {e.BANK: "ipo", e.POOL: "market"}.get(holder) or names.of(holder)


def route_fields(action: a.RunRoutes, ran: e.TrainsRan, before: Game, data: TitleData) -> Fields:
    """The runs as this project counts them, in the direction in which the file draws them."""
    runs = {run.train: run for run in ran.runs}
    drawn = [(route, runs[route.train]) for route in action.routes if route.train in runs]
    return {
        "entity": action.entity,
        "routes": [_route(route, run, before, data) for route, run in drawn],
        "revenue": ran.revenue,
        "subsidy": ran.treasury_income,
        "extra": 0,
    }


def _route(route: a.Route, run: e.Run, before: Game, data: TitleData) -> Fields:
    path = _path(route)
    stops = [_split(stop) for stop in run.stops]
    if stops and path and stops[0][0] != path[0]:
        stops.reverse()
    return {
        "train": route.train,
        "name": kind_name(route.train),
        "hexes": list(route.hexes),
        "path": path,
        "visited": [[_place_name(data, before, stop), _kind(data, before, stop)] for stop in stops],
        "stops": [
            f"{_place_name(data, before, stop)}={stop_value(data, before.tiles, *stop, before.phase)}"
            for stop in stops
        ],
        "revenue": run.revenue,
        "text": route.revenue_str,
    }


def _path(route: a.Route) -> list[str]:
    """All hexes once per visit; a run of one hop goes the way its hop is written."""
    if len(route.connections) == 1:
        return list(route.connections[0])
    path: list[str] = []
    for start, hexes in zip(route.hexes, route.connections, strict=False):
        oriented = hexes if hexes[:1] == (start,) else hexes[::-1]
        path.extend(oriented if not path else oriented[1:])
    return path


def _split(stop: str) -> tuple[str, int]:
    hex_id, _, number = stop.rpartition(".")
    return hex_id, int(number)


def _place_name(data: TitleData, game: Game, stop: tuple[str, int]) -> str:
    hex_id, number = stop
    several = len(face(data, game.tiles, hex_id).stops) > 1
    return f"{hex_id}:{part_number(data, game, hex_id, number)}" if several else hex_id


def _kind(data: TitleData, game: Game, stop: tuple[str, int]) -> str:
    kind = face(data, game.tiles, stop[0]).stops[stop[1]].kind
    return "city" if kind == "mine" else kind
