"""How 18xx.games spells 1862."""

from __future__ import annotations

from services.rules.domain.events import POOL
from services.rules.recorded.spelling import Spelling
from services.rules.recorded.titles import g1862_holders as holders, g1862_trace as trace
from services.rules.recorded.titles.g1862_chronicle import Chronicle1862
from services.rules.recorded.titles.g1862_names import OPTIONS, OPTIONS_BY_PLAYERS, part_number, step_name
from services.rules.recorded.titles.g1862_runs import route_fields
from services.rules.recorded.titles.g1862_translate import TRANSLATORS


def _holder_name(holder: str, company: str) -> str:
    return "market" if holder == POOL else holder


SPELLING = Spelling(
    revenue_clause="1862/7.8-l",
    treasury_income="subsidy",
    step_name=step_name,
    options=OPTIONS,
    options_by_players=OPTIONS_BY_PLAYERS,
    translators=TRANSLATORS,
    part_of=part_number,
    chronicle=Chronicle1862,
    round=trace.round_fields,
    players=holders.player_fields,
    corporations=holders.corporation_fields,
    depot=trace.depot_fields,
    other=trace.other_fields,
    setup=trace.setup_fields,
    routes=route_fields,
    holder_name=_holder_name,
    has_certificates=holders.is_listed,
)
