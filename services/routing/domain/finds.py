"""Room for the routes that a compiled kernel comes across, and why it came back."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from services.routing.domain.network import Numbers

FINISHED, INTERRUPTED, FULL = 0, 1, 2


class Finds(NamedTuple):
    """Routes found: worth, and the first of their parts (arcs, or steps of a sweep) and the one past the last."""

    worth: Numbers
    begin: Numbers
    end: Numbers
    parts: Numbers


def room(routes: int, parts: int) -> Finds:
    """Room for so many routes of so many parts together."""
    return Finds(*(np.zeros(size, np.int64) for size in (routes, routes, routes, parts)))


def doubled(finds: Finds) -> Finds:
    """The same finds with as much room again."""
    return Finds(*(np.concatenate((each, np.zeros_like(each))) for each in finds))
