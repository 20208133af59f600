"""How 18xx.games spells 1824."""

from __future__ import annotations

from services.rules.domain.events import BANK
from services.rules.recorded.spelling import Spelling
from services.rules.recorded.titles import g1824_holders as holders, g1824_trace as trace
from services.rules.recorded.titles.g1824_chronicle import Chronicle1824
from services.rules.recorded.titles.g1824_names import part_number, step_name
from services.rules.recorded.titles.g1824_translate import TRANSLATORS


def _holder_name(holder: str, company: str) -> str:
    """The bank's certificates of a company stand under the company's own name."""
    return company if holder == BANK else holder


SPELLING = Spelling(
    revenue_clause="1824/VII.9-a",
    treasury_income="mines",
    step_name=step_name,
    translators=TRANSLATORS,
    part_of=part_number,
    chronicle=Chronicle1824,
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
)
