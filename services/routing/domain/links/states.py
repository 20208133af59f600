"""The states of a sweep over the links, and what a step makes of one; compiled.

A way grows in pieces. A state says of each open city, in its slot: it is in no piece (the slot's own code), it takes no more
links (0), or it is the loose end of a piece, whose other end is an open city (the code of its slot) or an end of the way
(`WAY_END`). Which of its two ends makes no difference to what can follow."""

from __future__ import annotations

from typing import NamedTuple

from services.routing.domain.kernel import inner
from services.routing.domain.network import Numbers

SLOTS, SLOT_BITS = 14, 4
SLOT_MASK = (1 << SLOT_BITS) - 1
# The codes of slots are 1 to `SLOTS`.
WAY_END = SLOTS + 1
HAS_BEGUN = 1 << (SLOTS * SLOT_BITS)
HAS_ENDED = HAS_BEGUN << 1
# What else becomes of a state: no way at all, or a whole one.
DEAD, WHOLE = -1, -2
# What a step decides: whether a way uses a link between two cities, ends over a link, or begins over one.
LINK, END, BEGIN = 0, 1, 2


class Steps(NamedTuple):
    """The steps of a sweep. `slot`: of its city; `other`: the slot of the other city of a link between two; `link`: its number;
    `own`: own links that this is, 0 for another's; `source`, `other_source`: the number of the source if a way can begin over
    this link in the city, or before it, and in the other city, else -1; `entering`: the codes of cities that become open
    before it; `leaving`: bits of slots that are free after it; `needed`: what a way must have by then."""

    kind: Numbers
    slot: Numbers
    other: Numbers
    link: Numbers
    own: Numbers
    source: Numbers
    other_source: Numbers
    entering: Numbers
    leaving: Numbers
    needed: Numbers


@inner
def used(state: int, steps: Steps, step: int) -> int:
    """The state after a step whose link is used within a way, or as its last; without `left`."""
    if steps.kind[step] == BEGIN:
        return DEAD
    slot = int(steps.slot[step])
    code = state >> (SLOT_BITS * slot) & SLOT_MASK
    if code == 0:
        return DEAD
    state &= ~(SLOT_MASK << (SLOT_BITS * slot))
    if steps.kind[step] == END:
        return DEAD if state & HAS_ENDED else _joined(state | HAS_ENDED, code, WAY_END)
    other = steps.other[step]
    other_code = state >> (SLOT_BITS * other) & SLOT_MASK
    if other_code == 0 or code == other + 1:
        return DEAD
    return _joined(state & ~(SLOT_MASK << (SLOT_BITS * other)), code, other_code)


@inner
def begun(state: int, steps: Steps, step: int, in_other: bool) -> int:
    """The state after a step whose link is the first of a way; without `left`."""
    slot = int(steps.slot[step])
    if steps.kind[step] == LINK:
        first = steps.other[step] if in_other else slot
        slot = slot if in_other else steps.other[step]
        if state >> (SLOT_BITS * first) & SLOT_MASK != first + 1:
            return DEAD
        state &= ~(SLOT_MASK << (SLOT_BITS * first))
    code = state >> (SLOT_BITS * slot) & SLOT_MASK
    if code == 0:
        return DEAD
    return _joined(state & ~(SLOT_MASK << (SLOT_BITS * slot)) | HAS_BEGUN, WAY_END, code)


@inner
def _joined(state: int, one: int, other: int) -> int:
    """A state in which a piece is added with these ends; whole if they are the ends of a way and no other piece is left."""
    if one <= SLOTS:
        state = state & ~(SLOT_MASK << (SLOT_BITS * (one - 1))) | other << (SLOT_BITS * (one - 1))
    if other <= SLOTS:
        state = state & ~(SLOT_MASK << (SLOT_BITS * (other - 1))) | one << (SLOT_BITS * (other - 1))
    if one <= SLOTS or other <= SLOTS:
        return state
    for slot in range(SLOTS):
        code = state >> (SLOT_BITS * slot) & SLOT_MASK
        if code not in (0, slot + 1):
            return DEAD
    return WHOLE


@inner
def left(state: int, leaving: int, needed: int) -> int:
    """The state when cities are closed: no loose end is left in one."""
    if state < 0 or state & needed != needed:
        return DEAD
    slot = 0
    while leaving:
        if leaving & 1:
            code = state >> (SLOT_BITS * slot) & SLOT_MASK
            if code not in (0, slot + 1):
                return DEAD
            state &= ~(SLOT_MASK << (SLOT_BITS * slot))
        leaving >>= 1
        slot += 1
    return state
