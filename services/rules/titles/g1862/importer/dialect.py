"""How 18xx.games writes recorded games of 1862."""

from __future__ import annotations

from services.rules.importer.dialect import Dialect
from services.rules.kernel.vocabulary import POOL
from services.rules.titles.g1862.importer import holders, trace
from services.rules.titles.g1862.importer.names import (
    OPTIONS,
    OPTIONS_BY_PLAYERS,
    OPTIONS_TOGETHER,
    part_number,
    step_name,
)
from services.rules.titles.g1862.importer.runs import route_fields
from services.rules.titles.g1862.importer.tracestate import TraceState1862
from services.rules.titles.g1862.importer.translate import TRANSLATORS


def _holder_name(holder: str, company: str) -> str:
    return "market" if holder == POOL else holder


DIALECT = Dialect(
    profile="services.rules.titles.g1862.importer",
    revenue_clause="1862/7.8-l",
    treasury_income="subsidy",
    income_of=lambda action: action.income_of_routes,
    step_name=step_name,
    options=OPTIONS,
    options_by_players=OPTIONS_BY_PLAYERS,
    options_together=OPTIONS_TOGETHER,
    translators=TRANSLATORS,
    part_of=part_number,
    trace_state=TraceState1862,
    round=trace.round_fields,
    players=holders.player_fields,
    corporations=holders.corporation_fields,
    depot=trace.depot_fields,
    other=trace.other_fields,
    setup=trace.setup_fields,
    routes=route_fields,
    holder_name=_holder_name,
    has_certificates=holders.is_listed,
    bought_as=("1862.redeemed",),
    paid_as=("1862.share_redeemed",),
)
