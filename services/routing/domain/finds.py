"""Buffers for the routes that a compiled kernel finds, and the kernel's result codes."""

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


def empty_finds(routes: int, parts: int) -> Finds:
    """Empty buffers for `routes` routes with `parts` parts in total."""
    return Finds(*(np.zeros(size, np.int64) for size in (routes, routes, routes, parts)))


def doubled(finds: Finds) -> Finds:
    """The same finds in buffers of twice the size."""
    return Finds(*(np.concatenate((each, np.zeros_like(each))) for each in finds))
