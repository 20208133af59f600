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


def grown(finds: Finds, times: int) -> Finds:
    """The same finds in buffers so many times as large."""
    larger = Finds(*(np.zeros(times * len(each), np.int64) for each in finds))
    for old, new in zip(finds, larger, strict=True):
        new[: len(old)] = old
    return larger
