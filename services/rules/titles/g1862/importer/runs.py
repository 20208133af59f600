"""The runs of a company of 1862 as a trace shows them: the stops each train counts, and what each brought.

The peer shows every stop that a train counts, also where another train is paid for it."""

from __future__ import annotations

from collections.abc import Sequence

from services.rules.importer.dialect import Drawn, Fields
from services.rules.importer.trace_actions import split_stop, visited_fields
from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.parts.map.board import stop_value
from services.rules.parts.map.state import map_of
from services.rules.parts.trains.state import phase_of
from services.rules.titles.g1862.importer.names import place_name, train_name
from services.rules.titles.g1862.operating.counting import count_where_ends_meet


def route_fields(runs: Sequence[Drawn], before: Game, data: TitleData) -> list[Fields]:
    """The runs in the file's order; the file's revenue, and ours beside it where the two differ."""
    counted = count_where_ends_meet(before, data, [drawn.run for drawn in runs])
    return [
        _run(drawn, [split_stop(name) for name in each.stops], each.run.treasury_income, before, data)
        for drawn, each in zip(runs, counted, strict=True)
    ]


def _run(
    drawn: Drawn, counted: Sequence[tuple[str, int]], subsidy: int, before: Game, data: TitleData
) -> Fields:
    route = drawn.route
    values = (
        f"{place_name(data, before, stop)}={stop_value(data, map_of(before).tiles, *stop, phase_of(before))}"
        for stop in counted
    )
    fields: Fields = {
        "train": route.train,
        "name": train_name(data, before, route.train),
        "hexes": list(route.hexes),
        "path": drawn.path,
        "visited": visited_fields(data, before, drawn.stops, place_name),
        "stops": list(values),
        "revenue": route.revenue,
        "subsidy": subsidy,
        "text": route.revenue_str,
    }
    if drawn.run.revenue != route.revenue:
        fields["recomputed"] = drawn.run.revenue
    return fields
