"""Local search for the runs of trains alike without a limit: every segment is one train's, or spare, and changes hands.

A move gives a segment to another train, then mends the stops along the way: where a train now comes in and does not go
on, or comes three times, a segment goes over or back. Moves that make the choice worse are taken within a margin that
shrinks to nothing. All is counted in whole numbers, so the same search finds the same runs everywhere.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from services.routing.domain.kernel import inner, tight
from services.routing.domain.network import Flags, Numbers, Words

NONE = -1
MENDED_MOST = 60
# One of so many stops that a move would mend next is left as it is.
LEAVES_ONE_IN = 8

# Results of a search.
BEST, STEP, SCALARS = 0, 1, 2


class Ground(NamedTuple):
    """Segments between stops for so many trains. Those at stop s are `at[first[s]]` to `at[first[s + 1]]`.

    `passes_most`: 2 where a train may go through the stop, else 1. `apart_a`, `apart_b`: segments that exclude each
    other, `ending`, `ending_stop`: segments after which a run ends at that stop; `twice_a`, `twice_b`: stops of one place.
    """

    trains: int
    stop_a: Numbers
    stop_b: Numbers
    first: Numbers
    at: Numbers
    score: Numbers
    way_score: Numbers
    passes_most: Numbers
    has_token: Flags
    is_mine: Flags
    is_goods: bool
    apart_a: Numbers
    apart_b: Numbers
    ending: Numbers
    ending_stop: Numbers
    twice_a: Numbers
    twice_b: Numbers


class Hands(NamedTuple):
    """The train of each segment, the number of trains for a spare one, and how many each train has at each stop.

    `best`: the hands of the best legal choice; `changed`: segments of a move with their trains before; `seen`: stops met.
    `score`, `faults`: those of each train, now and before the move.
    """

    train: Numbers
    degree: Numbers
    best: Numbers
    changed: Numbers
    seen: Flags
    score: Numbers
    faults: Numbers
    score_before: Numbers
    faults_before: Numbers
    chance: Words
    scalars: Numbers


@inner
def _draw(hands: Hands, below: int) -> int:
    """A number from 0, smaller than `below` (xorshift)."""
    value = hands.chance[0]
    value ^= value << np.uint64(13)
    value ^= value >> np.uint64(7)
    value ^= value << np.uint64(17)
    hands.chance[0] = value
    drawn: Any = np.int64((value >> np.uint64(20)) % np.uint64(below))
    return drawn


@inner
def _give(ground: Ground, hands: Hands, segment: int, train: int) -> None:
    before = hands.train[segment]
    for stop in (ground.stop_a[segment], ground.stop_b[segment]):
        hands.degree[stop, before] -= 1
        hands.degree[stop, train] += 1
    hands.train[segment] = train


@inner
def _any_at(ground: Ground, hands: Hands, stop: int, train: int, other_than: int) -> int:
    """Some segment of the train at the stop, by chance."""
    count, chosen = 0, NONE
    for place in range(ground.first[stop], ground.first[stop + 1]):
        segment = ground.at[place]
        if segment != other_than and hands.train[segment] == train:
            count += 1
            if _draw(hands, count) == 0:
                chosen = segment
    return chosen


@inner
def _is_mended(ground: Ground, hands: Hands, stop: int, old: int, new: int) -> bool:
    spare = ground.trains
    ends_old = old != spare and hands.degree[stop, old] == 1
    ends_new = new != spare and hands.degree[stop, new] == 1
    if ground.passes_most[stop] == 1 or not (ends_old or ends_new):
        return True
    both = hands.degree[stop, old] + hands.degree[stop, new]
    return old != spare and new != spare and both % 2 == 1


@inner
def _mend(ground: Ground, hands: Hands, stop: int, segment: int, old: int, new: int, count: int) -> int:
    """After `segment` went from train `old` to `new`: mend the stop, and those that follow; returns how many changed."""
    while count < len(hands.changed):
        too_many = new != ground.trains and hands.degree[stop, new] > ground.passes_most[stop]
        if not too_many and (_is_mended(ground, hands, stop, old, new) or _draw(hands, LEAVES_ONE_IN) == 0):
            return count
        back = too_many or _draw(hands, 2) == 0
        given = _any_at(ground, hands, stop, new if back else old, segment)
        if given == NONE and not too_many:
            back = not back
            given = _any_at(ground, hands, stop, new if back else old, segment)
        if given == NONE:
            return count
        hands.changed[count, 0] = given
        hands.changed[count, 1] = hands.train[given]
        count += 1
        _give(ground, hands, given, old if back else new)
        if back:
            old, new = new, old
        stop = ground.stop_b[given] if ground.stop_a[given] == stop else ground.stop_a[given]
        segment = given
    return count


@inner
def _follow(ground: Ground, hands: Hands, stop: int, train: int) -> tuple[bool, int]:
    """Go along the train's segments from the stop; whether there is a token on the way, and how many mines."""
    home, mines, last = False, 0, NONE
    while True:
        hands.seen[stop] = True
        home = home or ground.has_token[stop]
        mines += ground.is_mine[stop]
        following = NONE
        for place in range(ground.first[stop], ground.first[stop + 1]):
            segment = ground.at[place]
            if segment != last and hands.train[segment] == train:
                other = ground.stop_b[segment] if ground.stop_a[segment] == stop else ground.stop_a[segment]
                if not hands.seen[other]:
                    following, last = other, segment
                    break
        if following == NONE:
            return home, mines
        stop = following


@inner
def _faults_of(ground: Ground, hands: Hands, train: int) -> int:
    """What keeps the segments of the train from being one legal run."""
    faults, pieces, stops = 0, 0, len(ground.passes_most)
    for stop in range(stops):
        hands.seen[stop] = False
        faults += max(0, hands.degree[stop, train] - ground.passes_most[stop])
    for only_ends in (True, False):
        for stop in range(stops):
            degree = hands.degree[stop, train]
            if hands.seen[stop] or degree == 0 or (only_ends and degree != 1):
                continue
            home, mines = _follow(ground, hands, stop, train)
            pieces += 1
            faults += not only_ends
            faults += not home
            faults += ground.is_goods and mines != 1
    for pair in range(len(ground.twice_a)):
        one, other = ground.twice_a[pair], ground.twice_b[pair]
        faults += hands.degree[one, train] > 0 and hands.degree[other, train] > 0
    return faults + max(0, pieces - 1)


@inner
def _judge_train(ground: Ground, hands: Hands, train: int) -> None:
    """Note what the stops of a train score, and its faults."""
    score, runs = 0, 0
    for stop in range(len(ground.passes_most)):
        if hands.degree[stop, train] > 0:
            score += ground.score[stop]
            runs = 1
    hands.score[train] = score + runs
    hands.faults[train] = _faults_of(ground, hands, train)


@inner
def _judge(ground: Ground, hands: Hands) -> tuple[int, int]:
    """What the choice scores, and its faults."""
    score, faults = 0, 0
    for train in range(ground.trains):
        score += hands.score[train]
        faults += hands.faults[train]
    for segment in range(len(ground.stop_a)):
        if hands.train[segment] != ground.trains:
            score += ground.way_score[segment]
    for pair in range(len(ground.apart_a)):
        used_a = hands.train[ground.apart_a[pair]] != ground.trains
        faults += used_a and hands.train[ground.apart_b[pair]] != ground.trains
    for place in range(len(ground.ending)):
        train = hands.train[ground.ending[place]]
        faults += train != ground.trains and hands.degree[ground.ending_stop[place], train] > 1
    return score, faults


@tight
def move_on(
    ground: Ground, hands: Hands, steps: int, until: int, margin: int, per_fault: int, enough: int
) -> bool:
    """So many moves of `until` in all, or until the best legal choice scores `enough`; whether it does.

    `margin`: how much worse a choice a move may make at first; each fault counts as a loss of `per_fault`.
    """
    spare = ground.trains
    for train in range(spare):
        _judge_train(ground, hands, train)
    score, faults = _judge(ground, hands)
    loss = per_fault * faults - score
    for _ in range(steps):
        hands.scalars[STEP] += 1
        segment = _draw(hands, len(ground.stop_a))
        old, new = hands.train[segment], _draw(hands, spare + 1)
        if new == old:
            continue
        hands.changed[0, 0], hands.changed[0, 1] = segment, old
        _give(ground, hands, segment, new)
        count = _mend(ground, hands, ground.stop_a[segment], segment, old, new, 1)
        count = _mend(ground, hands, ground.stop_b[segment], segment, old, new, count)
        for train in (old, new):
            hands.score_before[train], hands.faults_before[train] = hands.score[train], hands.faults[train]
            if train != spare:
                _judge_train(ground, hands, train)
        score, faults = _judge(ground, hands)
        allowed = margin * (until - hands.scalars[STEP]) // until
        if per_fault * faults - score <= loss + _draw(hands, max(1, allowed + 1)):
            loss = per_fault * faults - score
            if faults == 0 and score > hands.scalars[BEST]:
                hands.scalars[BEST] = score
                for each in range(len(hands.train)):
                    hands.best[each] = hands.train[each]
                if score >= enough:
                    return True
        else:
            for place in range(count - 1, -1, -1):
                _give(ground, hands, hands.changed[place, 0], hands.changed[place, 1])
            for train in (old, new):
                hands.score[train] = hands.score_before[train]
                hands.faults[train] = hands.faults_before[train]
    return False
