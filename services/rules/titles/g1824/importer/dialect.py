"""How 18xx.games writes recorded games of 1824."""

from __future__ import annotations

from services.rules.importer.dialect import Dialect
from services.rules.kernel.vocabulary import BANK, POOL
from services.rules.titles.g1824.importer import holders, trace
from services.rules.titles.g1824.importer.names import part_number, step_name
from services.rules.titles.g1824.importer.tracestate import TraceState1824
from services.rules.titles.g1824.importer.translate import TRANSLATORS


def _holder_name(holder: str, company: str) -> str:
    """The bank's certificates of a company stand under the company's own name, those of its pool are the market's."""
    return {BANK: company, POOL: "market"}.get(holder, holder)


DIALECT = Dialect(
    profile="services.rules.titles.g1824.importer",
    revenue_clause="1824/VII.9-a",
    treasury_income="mines",
    income_of=lambda action: action.income_of_run,
    step_name=step_name,
    translators=TRANSLATORS,
    part_of=part_number,
    trace_state=TraceState1824,
    round=trace.round_fields,
    players=holders.player_fields,
    corporations=holders.corporation_fields,
    minors=holders.minor_fields,
    depot=trace.depot_fields,
    other=trace.other_fields,
    setup=trace.setup_fields,
    routes=trace.route_fields,
    holder_name=_holder_name,
    has_certificates=holders.has_certificates,
    bought_as=("1824.exchanged",),
    variants={"1824 Cisleithania": ("cisleithania",)},
)
