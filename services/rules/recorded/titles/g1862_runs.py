"""One run of 1862 as a trace shows it: the stops its train counts, what the file booked and what it earns here."""

from __future__ import annotations

from services.rules.domain.board import stop_value
from services.rules.domain.game import Game
from services.rules.domain.titledata import TitleData
from services.rules.recorded.spelling import Drawn, Fields
from services.rules.recorded.titles.g1862_names import place_name, train_name
from services.rules.recorded.trace_actions import split_stop, visited_fields


def route_fields(drawn: Drawn, before: Game, data: TitleData) -> Fields:
    """The file's revenue, and ours beside it where the two differ."""
    route, run = drawn.route, drawn.run
    counted = {split_stop(stop) for stop in run.counted}
    fields: Fields = {
        "train": route.train,
        "name": train_name(data, before, route.train),
        "hexes": list(route.hexes),
        "path": drawn.path,
        "visited": visited_fields(data, before, drawn.stops, place_name),
        "stops": [
            f"{place_name(data, before, stop)}={stop_value(data, before.tiles, *stop, before.phase)}"
            for stop in drawn.stops
            if stop in counted
        ],
        "revenue": route.revenue,
        "subsidy": run.treasury_income,
        "text": route.revenue_str,
    }
    if run.revenue != route.revenue:
        fields["recomputed"] = run.revenue
    return fields
