"""Traffic that companies get: whenever it changes, one fact says how much, why and where."""

from __future__ import annotations

from services.rules.kernel.draft import Draft
from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.parts.map.board import CityId, stop_value, token_cities
from services.rules.parts.map.state import map_of
from services.rules.parts.trains.state import phase_of
from services.rules.titles.g1865.events import PortUsed, TrafficChanged
from services.rules.titles.g1865.figures import present_phase
from services.rules.titles.g1865.maritime import maritime_cards
from services.rules.titles.g1865.state import maritime_of, own


def traffic_at(game: Game, data: TitleData, city: CityId) -> int:
    """The traffic that a city, town or mine shows."""
    return stop_value(data, map_of(game).tiles, *city, phase_of(game))


def give_traffic(draft: Draft, company: str, amount: int, reason: str, subject: str) -> None:
    """The company gets so much traffic, or loses it; nothing is recorded for none."""
    if amount:
        draft.emit(TrafficChanged(company, amount, reason, subject))


def use_ports(draft: Draft, data: TitleData, company: str) -> None:
    """Every sea company of the railway at whose location it has a token brings its traffic, if it has not yet: as much as the
    number of the phase (1865/3-h to 3-k)."""
    game = draft.game
    hexes = {hex_id for hex_id, _ in token_cities(map_of(game).tokens, company)}
    for name in maritime_of(game, company):
        if name not in own(game).ports and not hexes.isdisjoint(maritime_cards(data)[name].ports):
            draft.emit(PortUsed(name, company))
            give_traffic(draft, company, present_phase(game, data).number, "port", name)
