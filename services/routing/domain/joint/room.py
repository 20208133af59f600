"""Lists of rows that are long: more room for them, their parts, another order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from services.routing.domain.budget import Budget
from services.routing.domain.network import Numbers, Words

Rows = TypeVar("Rows", Numbers, Words)
# Numbers that are copied between two looks at the clock.
COPIED_PER_LOOK = 50_000


def twice_as_long(rows: Rows, budget: Budget) -> Rows:
    """These rows and as many without content. Raises `BudgetSpent`."""
    longer: Rows = np.empty((2 * len(rows), *rows.shape[1:]), rows.dtype)
    width = max(1, rows[:1].size)
    for part in budget.in_parts(len(rows), max(1, COPIED_PER_LOOK // width)):
        longer[part] = rows[part]
    return longer


def below_each_other(tables: Sequence[Rows], budget: Budget) -> Rows:
    """These tables as one, as wide as the widest. Raises `BudgetSpent`."""
    width = max(table.shape[1] for table in tables)
    together: Rows = np.zeros((sum(map(len, tables)), width), tables[0].dtype)
    first = 0
    for table in tables:
        for part in budget.between_parts(len(table), COPIED_PER_LOOK // max(1, width)):
            together[first + part.start : first + part.stop, : table.shape[1]] = table[part]
        first += len(table)
    return together


def in_order(rows: Rows, order: Numbers, budget: Budget) -> Rows:
    """The rows of these numbers. Raises `BudgetSpent`."""
    found: Rows = np.empty((len(order), *rows.shape[1:]), rows.dtype)
    width = max(1, rows[:1].size)
    for part in budget.between_parts(len(order), max(1, COPIED_PER_LOOK // width)):
        found[part] = rows[order[part]]
    return found


def begins_of(sizes: Numbers) -> Numbers:
    """Where each of some parts of these sizes begins in a row of all, and where the last one ends."""
    begins: Numbers = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes, out=begins[1:])
    return begins
