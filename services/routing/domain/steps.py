"""What a sweep knows of the map and of each of its steps."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from services.routing.domain.network import Flags, Numbers, Words

NO_STOP = -1


class Map(NamedTuple):
    """The stops as the sweep needs them: what each yields, what it costs to go through, its kind, its marks as bits.

    `end_score`: what it adds as an end, `end_most` at most. `needed`: the marks of a complete route.
    """

    score: Numbers
    through: Numbers
    is_end: Flags
    is_mine: Flags
    has_token: Flags
    is_goods: bool
    may_end: Flags
    end_score: Numbers
    end_most: int
    marks: Words
    end_marks: Words
    needed: np.uint64


class Step(NamedTuple):
    """One segment of the sweep: its stops and their slots, what it excludes, and what is over once it is done.

    `first_a`, `first_b`: exclusions that hold when the stop is touched for the first time. `stops`: the stop in each
    slot afterwards. `to_come`: what the stops not yet in a slot yield; `end_to_come`, `next_end_to_come`: the two best of
    those that only end a route; `ways_to_come`: what the segments to come add. `price` is less by what this one adds.
    """

    stop_a: int
    stop_b: int
    slot_a: int
    slot_b: int
    final_a: bool
    final_b: bool
    leaves_a: bool
    leaves_b: bool
    excludes: np.uint64
    first_a: np.uint64
    first_b: np.uint64
    keeps: np.uint64
    stops: Numbers
    to_come: int
    end_to_come: int
    next_end_to_come: int
    ways_to_come: int
    allowed: bool
    price: int
