"""What a sweep knows after each of its steps."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from services.routing.domain.network import Flags, Numbers, Words


class States(NamedTuple):
    """The states after one step: their words, best score, upper bound and parent state."""

    words: Words
    score: Numbers
    bound: Numbers
    parent: Numbers
    took: Flags


class Links(NamedTuple):
    """All transitions from states before a step to states after it, with the worth of each."""

    parent: Numbers
    took: Flags
    target: Numbers
    worth: Numbers
    total: Numbers


class Completed(NamedTuple):
    """Routes complete after a step: from which state, whether the segment was taken, and their worth."""

    state: Numbers
    took: Flags
    worth: Numbers
    total: Numbers


class Work(NamedTuple):
    """A step that is being swept: what it has made so far, and `best`, see `advance`."""

    made: States
    links: Links
    completed: Completed
    table: NDArray[np.int32]
    best: Numbers
