"""The signs of 1865 on the map: where railways are to go, and where sea companies are at home."""

from __future__ import annotations

from collections.abc import Mapping

from services.rules.kernel.titledata import TitleData
from services.rules.parts.presentation import PlaceMark
from services.rules.titles.g1865.figures import railway_cards
from services.rules.titles.g1865.maritime import maritime_cards


def place_marks(data: TitleData) -> Mapping[str, tuple[PlaceMark, ...]]:
    """Destinations and ports by hex."""
    found: dict[str, tuple[PlaceMark, ...]] = {}
    for symbol, card in railway_cards(data).items():
        if card.destination is not None:
            mark = PlaceMark(f"→{symbol}", f"destination of {symbol} {card.name}", symbol)
            found[card.destination.hex] = (*found.get(card.destination.hex, ()), mark)
    for maritime in maritime_cards(data).values():
        for hex_id in maritime.ports:
            mark = PlaceMark(maritime.name, f"port of {maritime.name} {maritime.title}")
            found[hex_id] = (*found.get(hex_id, ()), mark)
    return found
