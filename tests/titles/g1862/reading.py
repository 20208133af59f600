"""What the facts say that 1862 alone has: exchanges of shares, obligations, licences, the LNER."""

from __future__ import annotations

from collections.abc import Sequence

from services.rules.kernel.events import Event
from services.rules.parts.map.board import LaidTile
from services.rules.titles.g1862.events import (
    ChartAreaSet,
    ExchangeStarted,
    LicencesSet,
    MonopolyFormed,
    ObligationFailed,
    ObligationMet,
    OptionMarked,
    OptionSettled,
    StationAdded,
)
from services.rules.titles.g1862.state import Exchange, Option, ServiceKind
from tests.positions.reading import Events, facts, index_of


def exchanges(events: Events) -> list[Exchange]:
    """The exchanges of shares as they began."""
    return [
        Exchange(each.kind, each.company, each.other, each.player, each.price, each.holders)
        for each in facts(events, ExchangeStarted)
    ]


def options(events: Events, *holders: str) -> list[Option]:
    """The certificates that became options, all of them or those of these holders."""
    return [
        Option(each.holder, each.company, each.number, each.redeem_price, each.give_up_price)
        for each in facts(events, OptionMarked)
        if not holders or each.holder in holders
    ]


def settled_options(events: Events) -> list[tuple[str, str, bool]]:
    """(holder, company, whether it was redeemed) of options that are over."""
    return [(each.holder, each.company, each.redeemed) for each in facts(events, OptionSettled)]


def chart_areas(events: Events) -> list[tuple[str, bool]]:
    """(company, whether in the chartered area) where the area of a marker of initial offers was set."""
    return [(each.company, each.chartered_area) for each in facts(events, ChartAreaSet)]


def obligations_met(events: Events) -> list[tuple[str, str]]:
    """(player, company) where the company was quoted in time."""
    return [(each.player, each.company) for each in facts(events, ObligationMet)]


def obligations_failed(events: Events) -> list[tuple[str, str]]:
    """(player, company) where the company was not quoted in time."""
    return [(each.player, each.company) for each in facts(events, ObligationFailed)]


def licences(events: Events) -> list[tuple[str, tuple[ServiceKind, ...]]]:
    """(company, licences) where licences changed."""
    return [(each.company, each.licences) for each in facts(events, LicencesSet)]


def added_stations(events: Events) -> list[tuple[str, LaidTile]]:
    """(hex, tile beneath) where a small station was added."""
    return [(each.hex, each.beneath) for each in facts(events, StationAdded)]


def monopolies(events: Events) -> list[tuple[str, int]]:
    """(name, certificate limit) of a company that absorbed all others."""
    return [(each.name, each.certificate_limit) for each in facts(events, MonopolyFormed)]


def before_exchange(events: Sequence[Event]) -> Sequence[Event]:
    """What happened until the first exchange began; one must have."""
    return events[: index_of(events, ExchangeStarted)]
