"""Takes the track of a flow apart into a run for each train, depth first, segment by segment: a compiled kernel.

All ways to do so are tried, so where none is found there is none.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from services.routing.domain.flow.together import Ground
from services.routing.domain.kernel import inner, tight
from services.routing.domain.network import Numbers

NONE = -1
# Results of a search so far.
DEPTH, STEPS, ENDS, BEST, SCALARS = 0, 1, 2, 3, 4


class Parts(NamedTuple):
    """The trains given to the first segments, a frame for each, and the best split so far.

    `train`: of each segment; `trains_before`: how many trains those before it use; `end_a`, `end_b`: the far ends of the
    pieces that it joined. By stop and train: `degree`, and `far`, the other end of the piece that ends at the stop. By
    stop: `left`, the segments without a train. By train: `pieces`, and how many stops have a token or a mine.
    `scalars[ENDS]`: how many ends of runs there are at least.
    """

    train: Numbers
    trains_before: Numbers
    end_a: Numbers
    end_b: Numbers
    degree: Numbers
    far: Numbers
    left: Numbers
    pieces: Numbers
    homes: Numbers
    mines: Numbers
    best: Numbers
    scalars: Numbers


def parts_of(ground: Ground) -> Parts:
    """No segment with a train yet."""
    count, stops, trains = len(ground.stop_a), len(ground.passes_most), ground.trains
    left = np.bincount(np.concatenate((ground.stop_a, ground.stop_b)), minlength=stops)
    scalars = np.zeros(SCALARS, np.int64)
    scalars[ENDS] = np.count_nonzero(left % 2)
    return Parts(
        train=np.full(count, NONE),
        trains_before=np.zeros(count + 1, np.int64),
        end_a=np.zeros(count, np.int64),
        end_b=np.zeros(count, np.int64),
        degree=np.zeros((stops, trains), np.int64),
        far=np.repeat(np.arange(stops)[:, None], trains, axis=1),
        left=left.astype(np.int64),
        pieces=np.zeros(trains, np.int64),
        homes=np.zeros(trains, np.int64),
        mines=np.zeros(trains, np.int64),
        best=np.full(count, trains),
        scalars=scalars,
    )


@inner
def _change(ground: Ground, parts: Parts, stop: int, train: int, by: int) -> None:
    """Give a segment at the stop to the train, or take it away."""
    old = parts.degree[stop, train]
    if by < 0 and parts.left[stop] == 0:
        parts.scalars[ENDS] -= _more_ends(parts, stop)
    parts.degree[stop, train] = old + by
    parts.left[stop] -= by
    if by > 0 and parts.left[stop] == 0:
        parts.scalars[ENDS] += _more_ends(parts, stop)
    if old == 0 or old + by == 0:
        parts.pieces[train] += by
        parts.homes[train] += by * ground.has_token[stop]
        parts.mines[train] += by * ground.is_mine[stop]


@inner
def _more_ends(parts: Parts, stop: int) -> int:
    """How many runs end at a stop all of whose segments have a train, beside the one that must where they are odd."""
    ends, total = 0, 0
    for train in range(parts.degree.shape[1]):
        ends += parts.degree[stop, train] == 1
        total += parts.degree[stop, train]
    return ends - total % 2


@inner
def _fits(ground: Ground, parts: Parts, segment: int, train: int) -> bool:
    a, b = ground.stop_a[segment], ground.stop_b[segment]
    if parts.degree[a, train] >= ground.passes_most[a] or parts.degree[b, train] >= ground.passes_most[b]:
        return False
    return bool(parts.far[a, train] != b)


@inner
def _give(ground: Ground, parts: Parts, segment: int, train: int) -> None:
    a, b = ground.stop_a[segment], ground.stop_b[segment]
    end_a, end_b = parts.far[a, train], parts.far[b, train]
    parts.end_a[segment], parts.end_b[segment] = end_a, end_b
    parts.far[end_a, train], parts.far[end_b, train] = end_b, end_a
    parts.train[segment] = train
    parts.trains_before[segment + 1] = max(parts.trains_before[segment], train + 1)
    _change(ground, parts, a, train, 1)
    _change(ground, parts, b, train, 1)
    parts.pieces[train] -= 1


@inner
def _take_back(ground: Ground, parts: Parts, segment: int) -> None:
    a, b, train = ground.stop_a[segment], ground.stop_b[segment], parts.train[segment]
    parts.pieces[train] += 1
    _change(ground, parts, b, train, -1)
    _change(ground, parts, a, train, -1)
    parts.far[parts.end_a[segment], train] = a
    parts.far[parts.end_b[segment], train] = b


@inner
def _are_runs(ground: Ground, parts: Parts) -> bool:
    """Whether each train that has segments has one legal run."""
    faults = 0
    for train in range(ground.trains):
        if parts.pieces[train] > 0:
            faults += parts.pieces[train] > 1 or parts.homes[train] == 0
            faults += ground.is_goods and parts.mines[train] != 1
            for pair in range(len(ground.twice_a)):
                one, other = ground.twice_a[pair], ground.twice_b[pair]
                faults += parts.degree[one, train] > 0 and parts.degree[other, train] > 0
    for place in range(len(ground.ending)):
        train = parts.train[ground.ending[place]]
        faults += parts.degree[ground.ending_stop[place], train] > 1
    return bool(faults == 0)


@inner
def _note(ground: Ground, parts: Parts) -> None:
    """Keep the runs where they score most."""
    score = 0
    for train in range(ground.trains):
        score += parts.pieces[train]
        for stop in range(len(ground.passes_most)):
            if parts.degree[stop, train] > 0:
                score += ground.score[stop]
    for segment in range(len(ground.stop_a)):
        score += ground.way_score[segment]
    if score > parts.scalars[BEST]:
        parts.scalars[BEST] = score
        for segment in range(len(ground.stop_a)):
            parts.best[segment] = parts.train[segment]


@tight
def split(ground: Ground, parts: Parts, stop_at: int, enough: int) -> bool:
    """Go on until all ways were tried or one scores `enough`; false where it is interrupted at a step."""
    scalars, count = parts.scalars, len(ground.stop_a)
    while scalars[DEPTH] >= 0:
        segment = scalars[DEPTH]
        if scalars[STEPS] >= stop_at:
            return False
        scalars[STEPS] += 1
        if segment == count:
            if _are_runs(ground, parts):
                _note(ground, parts)
                if scalars[BEST] >= enough:
                    return True
            scalars[DEPTH] = segment - 1
            continue
        train = parts.train[segment]
        if train != NONE:
            _take_back(ground, parts, segment)
        train += 1
        while train < ground.trains and not _fits(ground, parts, segment, train):
            train += 1
        if train >= min(ground.trains, parts.trains_before[segment] + 1):
            parts.train[segment] = NONE
            scalars[DEPTH] = segment - 1
            continue
        _give(ground, parts, segment, train)
        if scalars[ENDS] <= 2 * ground.trains:
            scalars[DEPTH] = segment + 1
    return True
