"""A sweep over the links, compiled: all states step by step, what each has gained or can still gain, and the best ways of every
source.

What a state without a beginning has gained is the most own links for each number of others'; of a state with one it is what
it can still gain. Where a way begins both are put together, so that one sweep answers for the cubes of all cities."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from services.routing.domain.kernel import tight
from services.routing.domain.links.states import BEGIN, HAS_BEGUN, WHOLE, Steps, left, used
from services.routing.domain.network import Numbers

Indices = NDArray[np.int32]
Gains = NDArray[np.int16]

FULL = -1
# No transition into a state; no gain with this number of others' links.
NONE = -1
HASH_FACTOR, HASH_SHIFT = 0x9E3779B97F4A7C1, 24


class Sweep(NamedTuple):
    """All states. `first`: of each step the first state before it. `skipping`, `using`: the state after, or `DEAD`, or
    `WHOLE`. `into`: the last transition into a state, and `before`: that before a transition; a transition is twice the
    number of the state before, and 1 more where the step is used. `gains`: own links by others'."""

    first: Indices
    states: Numbers
    skipping: Indices
    using: Indices
    into: Indices
    before: Indices
    gains: Gains


class Best(NamedTuple):
    """Of each source, by others' links: the most own links, and where such a way begins: the step, the state before it, and
    how many of others' links are in that state's gain."""

    own: Gains
    step: Indices
    state: Indices
    gained: Indices


def empty_sweep(steps: int, states_most: int, others_most: int) -> Sweep:
    """Room for a sweep."""
    return Sweep(
        np.zeros(steps + 1, np.int32),
        np.zeros(states_most, np.int64),
        np.empty(states_most, np.int32),
        np.empty(states_most, np.int32),
        np.empty(states_most, np.int32),
        np.empty(2 * states_most, np.int32),
        np.empty((states_most, others_most + 1), np.int16),
    )


def no_best(sources: int, others_most: int) -> Best:
    """Nothing found yet."""
    shape = sources, others_most + 1
    return Best(
        np.full(shape, NONE, np.int16),
        np.zeros(shape, np.int32),
        np.zeros(shape, np.int32),
        np.zeros(shape, np.int32),
    )


@tight
def find_states(sweep: Sweep, steps: Steps, table: Indices, most: int) -> int:
    """Find all states; returns how many there are, or `FULL` if they are more than `most`. `table`: zeros, its size a power of
    two."""
    sweep.states[0], sweep.into[0] = 0, NONE
    count = 1
    for step in range(len(steps.kind)):
        end = count
        sweep.first[step + 1] = end
        for number in range(sweep.first[step], end):
            state = sweep.states[number] | steps.entering[step]
            for is_used in range(2):
                target = used(state, steps, step) if is_used else state
                if target != WHOLE:
                    target = left(target, steps.leaving[step], steps.needed[step])
                if target >= 0:
                    target = _number_of(sweep, table, target, end, count)
                    if target == most:
                        return FULL
                    count = max(count, target + 1)
                    sweep.before[2 * number + is_used] = sweep.into[target]
                    sweep.into[target] = 2 * number + is_used
                if is_used:
                    sweep.using[number] = target
                else:
                    sweep.skipping[number] = target
    return count


@tight
def _number_of(sweep: Sweep, table: Indices, state: int, begin: int, count: int) -> int:
    """The number of a state among those from `begin` on: its own, else `count`, under which it is added if there is room."""
    mask = len(table) - 1
    place = (state * HASH_FACTOR >> HASH_SHIFT) & mask
    known = int(table[place])
    while known >= begin:
        if sweep.states[known] == state:
            return known
        place = (place + 1) & mask
        known = int(table[place])
    if count < len(sweep.states):
        table[place] = count
        sweep.states[count], sweep.into[count] = state, NONE
    return count


@tight
def find_gains(sweep: Sweep, steps: Steps, count: int) -> None:
    """What each of the states has gained, or can still gain."""
    gains = sweep.gains
    for number in range(count):
        for others in range(gains.shape[1]):
            gains[number, others] = NONE
    gains[0, 0] = 0
    last = len(steps.kind)
    for step in range(last):
        for number in range(sweep.first[step], sweep.first[step + 1]):
            if not sweep.states[number] & HAS_BEGUN:
                skipping, using = sweep.skipping[number], sweep.using[number]
                if skipping >= 0:
                    _raise(gains, skipping, number, 0, 0)
                if using >= 0 and steps.kind[step] != BEGIN:
                    _raise(gains, using, number, steps.own[step], 1 - steps.own[step])
    for step in range(last - 1, -1, -1):
        own = steps.own[step]
        for number in range(sweep.first[step], sweep.first[step + 1]):
            if sweep.states[number] & HAS_BEGUN:
                skipping, using = sweep.skipping[number], sweep.using[number]
                if skipping >= 0:
                    _raise(gains, number, skipping, 0, 0)
                if using >= 0:
                    _raise(gains, number, using, own, 1 - own)
                elif using == WHOLE and gains[number, 1 - own] < own:
                    gains[number, 1 - own] = own


@tight
def _raise(gains: Gains, target: int, source: int, own: int, others: int) -> None:
    """Give a state the gains of another with so many more links, where they are better than its own."""
    for number in range(gains.shape[1] - others):
        gain = gains[source, number]
        if gain != NONE and gain + own > gains[target, number + others]:
            gains[target, number + others] = gain + own


@tight
def find_best(sweep: Sweep, steps: Steps, best: Best) -> None:
    """Put together where ways begin what was gained and what can be gained."""
    for step in range(len(steps.kind)):
        if steps.kind[step] == BEGIN:
            for number in range(sweep.first[step], sweep.first[step + 1]):
                if sweep.using[number] >= 0:
                    _note_best(sweep.gains, best, steps, step, number, sweep.using[number])


@tight
def _note_best(gains: Gains, best: Best, steps: Steps, step: int, number: int, after: int) -> None:
    source = steps.other[step]
    for gained in range(gains.shape[1]):
        if gains[number, gained] == NONE:
            continue
        for more in range(gains.shape[1] - gained):
            own = gains[number, gained] + gains[after, more] + steps.own[step]
            if gains[after, more] != NONE and own > best.own[source, gained + more]:
                best.own[source, gained + more] = own
                best.step[source, gained + more] = step
                best.state[source, gained + more] = number
                best.gained[source, gained + more] = gained


@tight
def write_ways(
    sweep: Sweep, steps: Steps, best: Best, ends: Numbers, cities: Numbers, ways: Numbers, links: Numbers
) -> int:
    """Write the best ways that are allowed, of each source those with few of others' links first; returns how many there are.

    `ends`: rows of the two cities of each link; `cities`: those of the sources. `ways`: rows of source, own, others' links
    and target; `links`: rows of the links in order."""
    count = 0
    for source in range(len(cities)):
        most = NONE
        for others in range(best.own.shape[1]):
            own = best.own[source, others]
            if own > most and own >= others:
                _write_links(sweep, steps, best, source, others, links[count])
                target = _put_in_order(links[count], own + others, ends, cities[source])
                ways[count, 0], ways[count, 1], ways[count, 2], ways[count, 3] = source, own, others, target
                count += 1
            most = max(most, own)
    return count


@tight
def _put_in_order(links: Numbers, count: int, ends: Numbers, city: int) -> int:
    """Put the first `count` links, of a way that begins in `city`, in order; returns where it ends."""
    for place in range(count):
        for other in range(place, count):
            link = links[other]
            if city in (ends[link, 0], ends[link, 1]):
                links[other] = links[place]
                links[place] = link
                city = ends[link, 0] + ends[link, 1] - city
                break
    return city


@tight
def _write_links(sweep: Sweep, steps: Steps, best: Best, source: int, others: int, links: Numbers) -> None:
    """Write the links of a best way, in no order."""
    step, state, gained = best.step[source, others], best.state[source, others], best.gained[source, others]
    count = _links_before(sweep, steps, step, state, gained, links)
    if steps.link[step] >= 0:
        links[count] = steps.link[step]
        count += 1
    _links_after(sweep, steps, step + 1, sweep.using[state], others - gained, links, count)


@tight
def _links_before(sweep: Sweep, steps: Steps, step: int, state: int, others: int, links: Numbers) -> int:
    """By which links a state before a step has its gain: back from it over transitions that gain as much."""
    count = 0
    while step > 0:
        step -= 1
        way = _best_way_into(sweep, state, others, steps.own[step])
        state = way >> 1
        if way & 1:
            links[count] = steps.link[step]
            count += 1
            others -= 1 - steps.own[step]
    return count


@tight
def _best_way_into(sweep: Sweep, state: int, others: int, own: int) -> int:
    """A transition into a state by which it has its gain."""
    way = int(sweep.into[state])
    while True:
        is_used = way & 1
        fewer = is_used * (1 - own)
        if fewer <= others:
            gain = sweep.gains[way >> 1, others - fewer]
            if gain != NONE and gain + is_used * own == sweep.gains[state, others]:
                return way
        way = int(sweep.before[way])


@tight
def _links_after(
    sweep: Sweep, steps: Steps, step: int, state: int, others: int, links: Numbers, count: int
) -> None:
    """Add those by which a state before a step can still have its gain."""
    gains = sweep.gains
    while True:
        gain = gains[state, others]
        if sweep.skipping[state] >= 0 and gains[sweep.skipping[state], others] == gain:
            state = sweep.skipping[state]
        else:
            links[count] = steps.link[step]
            count += 1
            others -= 1 - steps.own[step]
            state = sweep.using[state]
            if state == WHOLE:
                return
        step += 1
