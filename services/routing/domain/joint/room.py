"""More room for lists of ways that grow, and where each of them begins."""

from __future__ import annotations

from typing import TypeVar

import numpy as np

from services.routing.domain.budget import Budget
from services.routing.domain.network import Numbers, Words

Rows = TypeVar("Rows", Numbers, Words)
# Numbers that are copied between two looks at the clock.
COPIED_PER_LOOK = 500_000


def twice_as_long(rows: Rows, budget: Budget) -> Rows:
    """These rows and as many without content. Raises `BudgetSpent`."""
    longer: Rows = np.zeros((2 * len(rows), *rows.shape[1:]), rows.dtype)
    width = max(1, rows[:1].size)
    for part in budget.in_parts(len(rows), max(1, COPIED_PER_LOOK // width)):
        longer[part] = rows[part]
    return longer


def begins_of(sizes: Numbers) -> Numbers:
    """Where each of some parts of these sizes begins in a row of all, and where the last one ends."""
    begins: Numbers = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes, out=begins[1:])
    return begins
