"""What a railway of 1865 earns: its traffic, as far as its trains and sea companies cover it (5.4)."""

from __future__ import annotations

from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.parts.trains.state import owned_by
from services.rules.titles.g1865.figures import figures_of, kind_of
from services.rules.titles.g1865.state import maritime_of, traffic_of


def coverage_of(game: Game, data: TitleData, company: str) -> int:
    """How much traffic its trains cover, and its sea companies with them; nothing without a train (3-d, 3-l, 5.4-b)."""
    trains = owned_by(game, company)
    if not trains:
        return 0
    at_sea = len(maritime_of(game, company)) * figures_of(data).maritime_coverage
    return at_sea + sum(kind_of(data, train).coverage for train in trains)


def revenue_of(game: Game, data: TitleData, company: str) -> int:
    """10 for all traffic that is covered (5.4-a); the traffic stays (5.4-e)."""
    covered = min(traffic_of(game, company), coverage_of(game, data, company))
    return covered * figures_of(data).revenue_per_traffic
