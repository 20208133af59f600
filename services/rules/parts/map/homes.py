"""Whether the homes of companies fit on the map."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.kernel.titledata import TitleData
from services.rules.parts.map.data import map_data
from services.rules.parts.shares.data import cards_of


def home_faults(data: TitleData) -> Iterator[str]:
    """The companies whose home is not a token space of the map."""
    hexes = map_data(data).hexes
    for symbol, company in cards_of(data).items():
        where, home = f"companies.toml: companies {symbol}", company.home
        if home is not None and home.hex not in hexes:
            yield f"{where}: home: there is no hex {home.hex!r}"
        elif home is not None:
            stops = hexes[home.hex].face.stops
            if not (home.stop < len(stops) and stops[home.stop].slots):
                yield f"{where}: home: stop {home.stop} of {home.hex} has no token space"
