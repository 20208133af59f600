"""What the two packing methods share: list the runs, pack them within the time left."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from services.routing.domain.problem import RouteProblem
from tests.bench.alternatives.exchange import Outcome, answer_all
from tests.bench.alternatives.listing import Candidates, TooMany, list_candidates

Pack = Callable[[list[Candidates], float], tuple[int, bool]]
WITHIN_GAP = "--within-gap"


def answer_by_packing(pack: Pack) -> int:
    """Answer the questions of the command line by listing and packing."""
    within_gap = WITHIN_GAP in sys.argv
    if within_gap:
        sys.argv.remove(WITHIN_GAP)

    def solve(problem: RouteProblem, end: float) -> Outcome:
        began = time.process_time()
        try:
            listed = list_candidates(problem, end, within_gap)
        except TooMany:
            return Outcome(0, False, time.process_time() - began)
        listing = time.process_time() - began
        if not any(each.values for each in listed):
            return Outcome(0, True, listing)
        return Outcome(*pack(listed, end), listing)

    return answer_all(solve)
