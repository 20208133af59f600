"""The best route of a train without a limit: a sweep over the track, one segment after the other, in a compiled kernel.

A state holds what matters of the track swept so far for what is still to come. Stops with track on both sides of the
sweep stand in slots; for each slot the state holds whether the stop is untouched, used up, or the open end of a piece
of the route, and then in which slot the other end of that piece stands. States that agree in this are one, the
richest survives; those that cannot reach the score needed are dropped. So the work grows with the width of the map,
not with the length of the route.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from services.routing.domain.kernel import compiled, inner
from services.routing.domain.network import Numbers, Words
from services.routing.domain.states import Completed, Links, States, Work
from services.routing.domain.steps import NO_STOP, Map, Step

SLOTS_PER_WORD, SLOT_BITS = 12, 5
SLOTS_MOST = 2 * SLOTS_PER_WORD
# Codes of a slot; code c between them is the open end of a piece whose other end is in slot c - 1.
UNTOUCHED, OTHER_END_FINAL, USED_UP = 0, 30, 31
# Bits of a state's last word: how many ends of the route are final, what it has come by, and the marks it has collected.
# The rest are exclusions.
ENDS, HAS_TOKEN, HAS_MINE, FIRST_MARK = np.uint64(3), np.uint64(4), np.uint64(8), 4
LAST_WORD_BITS = 64
CANNOT = -(1 << 60)


@compiled
def _links(capacity: int) -> Links:
    return Links(
        np.empty(capacity, np.int64),
        np.empty(capacity, np.bool_),
        np.empty(capacity, np.int64),
        np.empty(capacity, np.int64),
        np.zeros(1, np.int64),
    )


@compiled
def _completed(capacity: int) -> Completed:
    return Completed(
        np.empty(capacity, np.int64),
        np.empty(capacity, np.bool_),
        np.empty(capacity, np.int64),
        np.zeros(1, np.int64),
    )


@inner
def _code(words: Words, state: int, slot: int) -> int:
    word, shift = slot // SLOTS_PER_WORD, np.uint64(SLOT_BITS * (slot % SLOTS_PER_WORD))
    code: Any = np.int64((words[state, word] >> shift) & np.uint64(31))
    return code


@inner
def _put(words: Words, state: int, slot: int, code: int) -> None:
    word, shift = slot // SLOTS_PER_WORD, np.uint64(SLOT_BITS * (slot % SLOTS_PER_WORD))
    words[state, word] = (words[state, word] & ~(np.uint64(31) << shift)) | (np.uint64(code) << shift)


@inner
def _add_end(words: Words, state: int, stop: int, sweep: Map) -> bool:
    """Make `stop` an end of the route; whether another end is legal."""
    last = words[state, 2]
    ends = last & ENDS
    if ends == np.uint64(2) or not sweep.may_end[stop]:
        return False
    if sweep.is_goods:
        if sweep.is_mine[stop]:
            if last & HAS_MINE:
                return False
            words[state, 2] |= HAS_MINE
        elif ends == np.uint64(1) and not last & HAS_MINE:
            return False
    words[state, 2] += np.uint64(1)
    words[state, 2] |= sweep.end_marks[stop]
    return True


@inner
def _link(words: Words, state: int, one: int, other: int) -> None:
    """Note that a piece has its ends in these slots; -1 for an end that is final."""
    if one >= 0:
        _put(words, state, one, other + 1 if other >= 0 else OTHER_END_FINAL)
    if other >= 0:
        _put(words, state, other, one + 1 if one >= 0 else OTHER_END_FINAL)


@inner
def _other_end(code: int, slot: int) -> int:
    if code == UNTOUCHED:
        return slot
    return -1 if code == OTHER_END_FINAL else code - 1


@inner
def _take(words: Words, state: int, step: Step, sweep: Map) -> int:
    """Use the segment; returns what that adds to the score, `CANNOT` if it is impossible."""
    if words[state, 2] & step.excludes:
        return CANNOT
    code_a, code_b = _code(words, state, step.slot_a), _code(words, state, step.slot_b)
    if code_a == USED_UP or code_b == USED_UP or code_a == step.slot_b + 1:
        return CANNOT
    if (step.final_a and code_a != UNTOUCHED) or (step.final_b and code_b != UNTOUCHED):
        return CANNOT
    words[state, 2] |= step.excludes
    added: Any = np.int64(0)
    for stop, slot, code, first in (
        (step.stop_a, step.slot_a, code_a, step.first_a),
        (step.stop_b, step.slot_b, code_b, step.first_b),
    ):
        if code == UNTOUCHED:
            if words[state, 2] & first:
                return CANNOT
            words[state, 2] |= first
            if sweep.has_token[stop]:
                words[state, 2] |= HAS_TOKEN
            words[state, 2] |= sweep.marks[stop]
            added += sweep.score[stop]
        else:
            _put(words, state, slot, USED_UP)
            added -= sweep.through[stop]
    end_a, end_b = _other_end(code_a, step.slot_a), _other_end(code_b, step.slot_b)
    if step.final_a:
        if not _add_end(words, state, step.stop_a, sweep):
            return CANNOT
        _put(words, state, step.slot_a, USED_UP)
        added += sweep.end_score[step.stop_a]
        end_a = -1
    if step.final_b:
        if not _add_end(words, state, step.stop_b, sweep):
            return CANNOT
        _put(words, state, step.slot_b, USED_UP)
        added += sweep.end_score[step.stop_b]
        end_b = -1
    _link(words, state, end_a, end_b)
    return added


@inner
def _leave(words: Words, state: int, stop: int, slot: int, sweep: Map) -> int:
    """Free the slot of a stop without further track; returns what that adds to the score, `CANNOT` if it is illegal."""
    code = _code(words, state, slot)
    added: Any = np.int64(0)
    if code != UNTOUCHED and code != USED_UP:
        if not _add_end(words, state, stop, sweep):
            return CANNOT
        added = sweep.end_score[stop]
        if code != OTHER_END_FINAL:
            _put(words, state, code - 1, OTHER_END_FINAL)
    _put(words, state, slot, UNTOUCHED)
    return added


@inner
def _is_open(words: Words, state: int, step: Step) -> bool:
    """Whether any piece of the route still has an open end."""
    for slot in range(len(step.stops)):
        code = _code(words, state, slot)
        if code != UNTOUCHED and code != USED_UP:
            return True
    return False


@inner
def _still_to_gain(words: Words, state: int, step: Step, sweep: Map) -> int:
    """The most that untouched stops can add; of those that only end a route, as many as ends are left."""
    total = step.to_come + step.ways_to_come
    most, next_most = step.end_to_come, step.next_end_to_come
    for slot in range(len(step.stops)):
        stop = step.stops[slot]
        if stop == NO_STOP or _code(words, state, slot) != UNTOUCHED:
            continue
        score = sweep.score[stop]
        if not sweep.is_end[stop]:
            total += score
        elif score > most:
            most, next_most = score, most
        elif score > next_most:
            next_most = score
    ends = words[state, 2] & ENDS
    if ends < np.uint64(2):
        total += most + sweep.end_most
    if ends < np.uint64(1):
        total += next_most + sweep.end_most
    return total


@inner
def _slot_of_key(words: Words, state: int, size: int) -> int:
    mixed = words[state, 0] * np.uint64(0x9E3779B97F4A7C15)
    mixed = ((mixed ^ (mixed >> np.uint64(29))) ^ words[state, 1]) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = ((mixed ^ (mixed >> np.uint64(32))) ^ words[state, 2]) * np.uint64(0x94D049BB133111EB)
    position: Any = np.int64((mixed ^ (mixed >> np.uint64(31))) & np.uint64(size - 1))
    return position


@inner
def _keep(made: States, number: int, table: NDArray[np.int32]) -> int:
    """Add state `number`, or merge it into an equal one with the higher score; returns the state's number."""
    position = _slot_of_key(made.words, number, len(table))
    while table[position] >= 0:
        known = table[position]
        if (
            made.words[known, 0] == made.words[number, 0]
            and made.words[known, 1] == made.words[number, 1]
            and made.words[known, 2] == made.words[number, 2]
        ):
            if made.score[number] > made.score[known]:
                made.score[known], made.bound[known] = made.score[number], made.bound[number]
                made.parent[known], made.took[known] = made.parent[number], made.took[number]
            return known
        position = (position + 1) % len(table)
    table[position] = number
    return number


@inner
def _advance_into(
    made: States,
    links: Links,
    completed: Completed,
    table: NDArray[np.int32],
    states: States,
    step: Step,
    sweep: Map,
    best: Numbers,
    begin: int,
    end: int,
    number: int,
) -> int:
    """Write the successors of `states` from `begin` to `end` behind the `number` in `made`; returns their number then.

    With capacity in `links` and `completed` it also notes every transition and every completed route.
    """
    for state in range(begin, end):
        for took in (False, True):
            if took and not step.allowed:
                continue
            for word in range(3):
                made.words[number, word] = states.words[state, word]
            score = states.score[state]
            if took:
                added = _take(made.words, number, step, sweep)
                if added == CANNOT:
                    continue
                score += added - step.price
            if step.leaves_a:
                added = _leave(made.words, number, step.stop_a, step.slot_a, sweep)
                if added == CANNOT:
                    continue
                score += added
            if step.leaves_b:
                added = _leave(made.words, number, step.stop_b, step.slot_b, sweep)
                if added == CANNOT:
                    continue
                score += added
            last = made.words[number, 2]
            if last & ENDS == np.uint64(2) and not _is_open(made.words, number, step):
                enough = (last & HAS_TOKEN) and (not sweep.is_goods or (last & HAS_MINE))
                enough = enough and last & sweep.needed == sweep.needed
                if enough and score > best[0]:
                    if len(completed.worth):
                        count = completed.total[0]
                        completed.state[count], completed.took[count] = state, took
                        completed.worth[count] = score
                        completed.total[0] = count + 1
                    else:
                        best[0], best[1], best[2] = score, state, took
                continue
            made.words[number, 2] &= step.keeps
            bound = score + _still_to_gain(made.words, number, step, sweep)
            if bound <= best[0]:
                continue
            made.score[number], made.bound[number] = score, bound
            made.parent[number], made.took[number] = state, took
            kept = _keep(made, number, table)
            if len(links.worth):
                count = links.total[0]
                links.parent[count], links.took[count] = state, took
                links.target[count], links.worth[count] = kept, score
                links.total[0] = count + 1
            if kept == number:
                number += 1
    return number


@compiled
def _empty_states(count: int) -> States:
    return States(
        np.empty((count, 3), np.uint64),
        np.empty(count, np.int64),
        np.empty(count, np.int64),
        np.empty(count, np.int64),
        np.empty(count, np.bool_),
    )


@compiled
def _table(count: int) -> NDArray[np.int32]:
    size = 16
    while size < 2 * count:
        size *= 2
    return np.full(size, -1, np.int32)


@compiled
def work_for(states: States, best: Numbers, linked: bool) -> Work:
    """A step from `states` that has not begun; `linked`: it notes its transitions and completed routes."""
    capacity = 2 * len(states.score) + 1
    noted = capacity if linked else 0
    return Work(_empty_states(capacity), _links(noted), _completed(noted), _table(capacity), best)


@compiled
def advance_part(
    work: Work, states: States, step: Step, sweep: Map, begin: int, end: int, number: int
) -> int:
    """Sweep the segment for the states from `begin` to `end`; `number` and the result: how many are made."""
    return _advance_into(
        work.made,
        work.links,
        work.completed,
        work.table,
        states,
        step,
        sweep,
        work.best,
        begin,
        end,
        number,
    )


@compiled
def first_states(made: States, count: int) -> States:
    """The first `count` of the states."""
    return States(
        made.words[:count], made.score[:count], made.bound[:count], made.parent[:count], made.took[:count]
    )


@compiled
def advance(states: States, step: Step, sweep: Map, best: Numbers) -> States:
    """Sweep one segment. `best` holds worth, state and whether it took this segment, of the best route completed."""
    work, end = work_for(states, best, False), len(states.score)
    return first_states(work.made, advance_part(work, states, step, sweep, 0, end, 0))


@compiled
def by_target(links: Links, target_count: int) -> tuple[Numbers, Numbers]:
    """The order of the links by their target, those of one target as they are; and the first of each target."""
    count = links.total[0]
    begin = np.zeros(target_count + 1, np.int64)
    for link in range(count):
        begin[links.target[link] + 1] += 1
    for target in range(target_count):
        begin[target + 1] += begin[target]
    free, order = begin[:target_count].copy(), np.empty(count, np.int64)
    for link in range(count):
        target = links.target[link]
        order[free[target]] = link
        free[target] += 1
    return order, begin[:target_count]
