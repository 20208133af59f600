"""The draw that begins a game of 1862: which companies are offered, in which order, with which licence (2.4.1, 2.4.2).

It is a function of the table's seed (see `kernel.chance`).
"""

from __future__ import annotations

from msgspec import Struct

from services.rules.kernel.chance import numbers_from, shuffled
from services.rules.kernel.titledata import TitleData
from services.rules.parts.shares.data import cards_of
from services.rules.titles.g1862.companies import kinds_in_play
from services.rules.titles.g1862.figures import figures_of, phases_of
from services.rules.titles.g1862.state import ServiceKind

# The cards of the licences as they lie before the shuffle: so many rows of one licence of each kind.
LICENCE_ROW: tuple[ServiceKind, ...] = ("freight", "express", "local")


class Offer(Struct, frozen=True):
    """A company on the offer: from which phase on it can be opened, and its licence."""

    company: str
    phase: str
    licence: ServiceKind


def draw(data: TitleData, players: int, seed: int, extra_companies: bool) -> tuple[Offer, ...]:
    """The companies in play in the order of the offer's spaces; companies not named are out of the game."""
    numbers = numbers_from(seed)
    symbols = tuple(cards_of(data))
    groups = _group_sizes(data, players, extra_companies)
    offered = shuffled(symbols, numbers)[-sum(groups.values()) :]
    licences = iter(shuffled(_licences(data, players, len(offered)), numbers))
    dealt: dict[str, ServiceKind] = {symbol: next(licences, "") for symbol in symbols if symbol in offered}
    phases = [phase for phase, size in groups.items() for _ in range(size)]
    return tuple(Offer(symbol, phase, dealt[symbol]) for symbol, phase in zip(offered, phases, strict=True))


def _group_sizes(data: TitleData, players: int, extra_companies: bool) -> dict[str, int]:
    """How many companies can be opened from which phase on; the extra ones from the start (1862/2.4.2-c)."""
    figures = figures_of(data)
    sizes = figures.companies_from
    first = next(iter(phases_of(data)))
    groups = {phase: sizes[phase][players] for phase in phases_of(data) if phase in sizes}
    groups[first] += figures.extra_companies[players] if extra_companies else 0
    return groups


def _licences(data: TitleData, players: int, companies: int) -> list[ServiceKind]:
    """The licences that go into the draw; none in a simple game, two kinds by halves in an advanced one (11.1)."""
    kinds = kinds_in_play(data.variants)
    if len(kinds) == 1:
        return []
    if len(kinds) < len(LICENCE_ROW):
        return [kind for _ in range(-(-companies // 2)) for kind in kinds]
    counts = figures_of(data).licences
    rows = max(count[players] for count in counts.values())
    return [kind for row in range(rows) for kind in LICENCE_ROW if row < counts[kind][players]]
