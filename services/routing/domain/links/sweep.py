"""A sweep over the links, compiled: all states step by step, what each has gained or can still gain, and the best ways of every
source.

What a state without a beginning has gained is the most own links for each number of others'; of a state with one it is what
it can still gain. Where a way begins both are put together, so that one sweep answers for the cubes of all cities."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from services.routing.domain.kernel import inner, tight
from services.routing.domain.links.states import DEAD, HAS_BEGUN, WHOLE, Steps, begun, left, used
from services.routing.domain.network import Numbers

Indices = NDArray[np.int32]
Gains = NDArray[np.int16]

FULL = -1
# No transition into a state; no such way.
NONE = -1
# No gain with this number of others' links; so low that it remains so whatever is added.
NO_GAIN = -20_000
HASH_FACTOR, HASH_SHIFT = 0x9E3779B97F4A7C1, 24


class Sweep(NamedTuple):
    """All states. `first`: of each step the first state before it. `skipping`, `using`: the state after, or `DEAD`, or
    `WHOLE`. `into`: the last transition into a state without a beginning, and `before`: that before a transition; a transition
    is twice the number of the state before, and 1 more where the link is used. `beginnings`: rows of the step over which a
    way begins, the state before and that after, and the number of the source; `counts`: how many of them there are."""

    first: Indices
    states: Numbers
    skipping: Indices
    using: Indices
    into: Indices
    before: Indices
    beginnings: Indices
    counts: Numbers


class Best(NamedTuple):
    """Of each source, by others' links: the most own links, and the row of the beginning of such a way, and how many of others'
    links the state before has used."""

    own: Gains
    beginning: Indices
    gained: Indices


def empty_sweep(steps: int, states_most: int) -> Sweep:
    """Room for a sweep."""
    return Sweep(
        np.zeros(steps + 1, np.int32),
        np.zeros(states_most, np.int64),
        np.empty(states_most, np.int32),
        np.empty(states_most, np.int32),
        np.empty(states_most, np.int32),
        np.empty(2 * states_most, np.int32),
        np.empty((states_most, 4), np.int32),
        np.zeros(1, np.int64),
    )


def no_best(sources: int, others_most: int) -> Best:
    """Nothing found yet."""
    shape = sources, others_most + 1
    return Best(np.full(shape, NONE, np.int16), np.zeros(shape, np.int32), np.zeros(shape, np.int32))


@tight
def find_states(sweep: Sweep, steps: Steps, table: Indices, most: int) -> int:
    """Find all states; returns how many there are, or `FULL` if they, or the beginnings, are more than `most`, or too many at a
    time for the table. `table`: zeros, its size a power of two."""
    sweep.states[0], sweep.into[0] = 0, NONE
    count = 1
    for step in range(len(steps.kind)):
        end = count
        sweep.first[step + 1] = end
        for number in range(sweep.first[step], end):
            state = sweep.states[number] | steps.entering[step]
            count = _go_on(sweep, steps, table, step, number, state, end, count, most)
            if not state & HAS_BEGUN and count != FULL:
                count = _begin(sweep, steps, table, step, number, state, end, count, most)
            if count == FULL or 2 * (count - end) > len(table):
                return FULL
    return count


@inner
def _go_on(
    sweep: Sweep,
    steps: Steps,
    table: Indices,
    step: int,
    number: int,
    state: int,
    end: int,
    count: int,
    most: int,
) -> int:
    """Note what becomes of a state if the link is not used, and if it is; returns how many states there are then, or `FULL`."""
    for is_used in range(2):
        target = used(state, steps, step) if is_used else state
        if target != WHOLE:
            target = left(target, steps.leaving[step], steps.needed[step])
        if target >= 0:
            target = _number_of(sweep, table, target, end, count)
            if target == most:
                return FULL
            count = max(count, target + 1)
            if not state & HAS_BEGUN:
                sweep.before[2 * number + is_used] = sweep.into[target]
                sweep.into[target] = 2 * number + is_used
        if is_used:
            sweep.using[number] = target
        else:
            sweep.skipping[number] = target
    return count


@inner
def _begin(
    sweep: Sweep,
    steps: Steps,
    table: Indices,
    step: int,
    number: int,
    state: int,
    end: int,
    count: int,
    most: int,
) -> int:
    """Note what becomes of a state if a way begins over the link; returns how many states there are then, or `FULL`."""
    for in_other in range(2):
        source = steps.other_source[step] if in_other else steps.source[step]
        if source == NONE:
            continue
        target = begun(state, steps, step, in_other == 1)
        if target != WHOLE:
            target = left(target, steps.leaving[step], steps.needed[step])
        if target == DEAD:
            continue
        if target >= 0:
            target = _number_of(sweep, table, target, end, count)
            if target == most:
                return FULL
            count = max(count, target + 1)
        row = sweep.counts[0]
        if row == most:
            return FULL
        beginning = sweep.beginnings[row]
        beginning[0], beginning[1], beginning[2], beginning[3] = step, number, target, source
        sweep.counts[0] = row + 1
    return count


@inner
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
def find_gains(sweep: Sweep, steps: Steps, gains: Gains) -> None:
    """What each of the states has gained, or can still gain: own links by others'. `gains`: a row for each, all `NO_GAIN`."""
    gains[0, 0] = 0
    last = len(steps.kind)
    for step in range(last):
        for number in range(sweep.first[step], sweep.first[step + 1]):
            if not sweep.states[number] & HAS_BEGUN:
                skipping, using = sweep.skipping[number], sweep.using[number]
                if skipping >= 0:
                    _raise(gains[skipping], gains[number], 0, 0)
                if using >= 0:
                    _raise(gains[using], gains[number], steps.own[step], 1 - steps.own[step])
    for step in range(last - 1, -1, -1):
        own = steps.own[step]
        for number in range(sweep.first[step], sweep.first[step + 1]):
            if sweep.states[number] & HAS_BEGUN:
                skipping, using = sweep.skipping[number], sweep.using[number]
                if skipping >= 0:
                    _raise(gains[number], gains[skipping], 0, 0)
                if using >= 0:
                    _raise(gains[number], gains[using], own, 1 - own)
                elif using == WHOLE:
                    gains[number, 1 - own] = max(gains[number, 1 - own], own)


@inner
def _raise(gains: Gains, source: Gains, own: int, others: int) -> None:
    """Raise gains to those of another state with so many more links, where they are better."""
    for number in range(len(gains) - others):
        gains[number + others] = max(gains[number + others], np.int16(source[number] + np.int16(own)))


@tight
def find_best(sweep: Sweep, gains: Gains, best: Best) -> None:
    """Put together where ways begin what was gained and what can be gained."""
    for row in range(sweep.counts[0]):
        _, number, target, source = sweep.beginnings[row]
        known = NO_GAIN
        for gained in range(gains.shape[1]):
            if gains[number, gained] <= known:
                continue
            known = gains[number, gained]
            if target == WHOLE:
                _note_best(best, source, gained, known + 1, row, gained)
                continue
            more_known = NO_GAIN
            for more in range(gains.shape[1] - gained):
                if gains[target, more] > more_known:
                    more_known = gains[target, more]
                    _note_best(best, source, gained + more, known + 1 + more_known, row, gained)


@inner
def _note_best(best: Best, source: int, others: int, own: int, row: int, gained: int) -> None:
    if own > best.own[source, others]:
        best.own[source, others], best.beginning[source, others], best.gained[source, others] = (
            own,
            row,
            gained,
        )


@tight
def write_ways(
    sweep: Sweep,
    steps: Steps,
    gains: Gains,
    best: Best,
    ends: Numbers,
    cities: Numbers,
    ways: Numbers,
    links: Numbers,
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
                _write_links(sweep, steps, gains, best, source, others, links[count])
                target = _put_in_order(links[count], own + others, ends, cities[source])
                ways[count, 0], ways[count, 1], ways[count, 2], ways[count, 3] = source, own, others, target
                count += 1
            most = max(most, own)
    return count


@inner
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


@inner
def _write_links(
    sweep: Sweep, steps: Steps, gains: Gains, best: Best, source: int, others: int, links: Numbers
) -> None:
    """Write the links of a best way, in no order."""
    gained = best.gained[source, others]
    step, state, after, _ = sweep.beginnings[best.beginning[source, others]]
    count = _links_before(sweep, steps, gains, step, state, gained, links)
    links[count] = steps.link[step]
    if after != WHOLE:
        _links_after(sweep, steps, gains, step + 1, after, others - gained, links, count + 1)


@inner
def _links_before(
    sweep: Sweep, steps: Steps, gains: Gains, step: int, state: int, others: int, links: Numbers
) -> int:
    """By which links a state before a step has its gain: back from it over transitions that gain as much."""
    count = 0
    while step > 0:
        step -= 1
        way = _best_way_into(sweep, gains, state, others, steps.own[step])
        state = way >> 1
        if way & 1:
            links[count] = steps.link[step]
            count += 1
            others -= 1 - steps.own[step]
    return count


@inner
def _best_way_into(sweep: Sweep, gains: Gains, state: int, others: int, own: int) -> int:
    """A transition into a state by which it has its gain."""
    way = int(sweep.into[state])
    while True:
        is_used = way & 1
        fewer = is_used * (1 - own)
        if fewer <= others and gains[way >> 1, others - fewer] + is_used * own == gains[state, others]:
            return way
        way = int(sweep.before[way])


@inner
def _links_after(
    sweep: Sweep, steps: Steps, gains: Gains, step: int, state: int, others: int, links: Numbers, count: int
) -> None:
    """Add those by which a state before a step can still have its gain."""
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
