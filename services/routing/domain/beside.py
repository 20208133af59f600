"""Work that cannot be interrupted, done in a thread of its own while the budget is asked."""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread

from services.routing.domain.budget import Budget

LOOK_SECONDS = 0.005


def run_beside(work: Callable[[], object], budget: Budget) -> None:
    """Return when the work is done. Raises `BudgetSpent`; work that is so given up uses its thread until it ends."""
    run = Thread(target=work)
    run.start()
    while run.is_alive():
        budget.spend(0)
        run.join(LOOK_SECONDS)
