"""Chooses one offer for each train by local search: one changes at a time."""

from __future__ import annotations

import numpy as np

from services.routing.domain.budget import Budget, BudgetSpent
from services.routing.domain.joint.pool import (
    NOTHING,
    WORK_AT_ONCE,
    WORK_PER_STEP,
    Chosen,
    Pool,
    Workspace,
    is_connected,
    is_soon_connected,
    workspace_for,
    worth_beside,
)
from services.routing.domain.kernel import inner, tight
from services.routing.domain.network import Numbers, Words

OFFERS_PER_STEP = 4
# Where a search has come to.
SLOT, OFFER, BETTER, PLACE_SIZE = 0, 1, 2, 3


def improved(
    pool: Pool, slots: Numbers, table: Numbers, start: Numbers, budget: Budget, partly: bool = False
) -> Chosen:
    """Local search from `start` until changing one offer no longer helps; `table` is that of the weights.

    If `start` is not connected, the search begins with no offers. `partly` gives what was reached when the budget ends.
    """
    workspace = workspace_for(pool, len(slots))
    chosen = start.copy()
    taken = np.zeros((len(slots) + 1, pool.counted.shape[1]), np.uint64)
    place = np.zeros(PLACE_SIZE, np.int64)
    better = True
    try:
        if not is_connected(pool, chosen, workspace, budget):
            chosen[:] = NOTHING
        while better:
            budget.spend(len(pool.bonus) // OFFERS_PER_STEP)
            place[:], finished = 0, False
            while not finished:
                before = int(workspace.work[0])
                finished = _improve(
                    pool, slots, table, chosen, taken, workspace, place, before + WORK_AT_ONCE
                )
                budget.spend(1 + (int(workspace.work[0]) - before) // WORK_PER_STEP)
            better = bool(place[BETTER])
    except BudgetSpent:
        if not partly:
            raise
    if not (
        is_soon_connected(pool, chosen, workspace)
        or (not partly and is_connected(pool, chosen, workspace, budget))
    ):
        chosen[:] = NOTHING
    return Chosen(_score(pool, table, chosen, taken), chosen, workspace.ways.copy())


@tight
def _score(pool: Pool, table: Numbers, chosen: Numbers, taken: Words) -> int:
    """The score of a connected choice."""
    total = 0
    for word in range(taken.shape[1]):
        taken[0, word] = 0
    for number in range(len(chosen)):
        if chosen[number] != NOTHING:
            total += pool.bonus[chosen[number]] + worth_beside(pool.counted, chosen[number], taken, 0, table)
            for word in range(taken.shape[1]):
                taken[0, word] |= pool.counted[chosen[number], word]
    return total


@tight
def _improve(
    pool: Pool,
    slots: Numbers,
    table: Numbers,
    chosen: Numbers,
    taken: Words,
    workspace: Workspace,
    place: Numbers,
    work_at: int,
) -> bool:
    """Choose the offer of each slot again, the others fixed; false where so much work is done that it must be continued.

    `place`: the slot and the offer of it, counted from its first, that come next, and whether any improved.
    """
    work = workspace.work
    for slot in range(place[SLOT], len(slots)):
        _count_others(pool, chosen, slot, taken)
        best, best_worth = chosen[slot], 0
        if best != NOTHING:
            best_worth = pool.bonus[best] + worth_beside(pool.counted, best, taken, 0, table)
        first, past = pool.begin[slots[slot]], pool.begin[slots[slot] + 1]
        for offer in range(first + place[OFFER], past):
            if work[0] >= work_at:
                place[SLOT], place[OFFER] = slot, offer - first
                return False
            work[0] += taken.shape[1]
            worth = pool.bonus[offer] + worth_beside(pool.counted, offer, taken, 0, table)
            if worth > best_worth:
                chosen[slot] = offer
                if is_soon_connected(pool, chosen, workspace):
                    best, best_worth, place[BETTER] = offer, worth, 1
                chosen[slot] = best
        place[OFFER] = 0
    return True


@inner
def _count_others(pool: Pool, chosen: Numbers, slot: int, taken: Words) -> None:
    """What the other slots count, in the first row of `taken`."""
    for word in range(taken.shape[1]):
        taken[0, word] = 0
    for other in range(len(chosen)):
        if other != slot and chosen[other] != NOTHING:
            for word in range(taken.shape[1]):
                taken[0, word] |= pool.counted[chosen[other], word]
