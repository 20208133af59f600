"""Choosing one route per train so that no two share track and the total is the highest: a compiled kernel.

The trains choose in a fixed order. What the later ones can still gain is at most the best route of each that keeps
off the track chosen so far. Routes are weighed by their worth, their score less the prices of their track, and the
prices of all track together are added once: no packing scores more than it weighs, whatever the prices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from services.routing.domain.budget import Budget, Tally, steps_with
from services.routing.domain.finder import Catalogue
from services.routing.domain.joint.room import below_each_other
from services.routing.domain.kernel import inner, tight
from services.routing.domain.network import Numbers, Words

# Between two looks at the clock, where a step compares few words.
STEPS_AT_ONCE = 250_000
# Candidates checked in the time of one step of a route search.
LOOKS_PER_STEP = 8
# Candidates between two looks at the clock where they are tried one after the other.
LOOKS_EVERY = 1_000
ROUTES_PER_LOOK = 20_000
NO_ROUTE = -1

# Scalars of a running search. `ENTERING`: the level that is entered, 0 for none; then the look ahead goes on at `TRAIN` and
# `CANDIDATE`, counted from 1, and `AHEAD` is what it has found.
LEVEL, STEPS, SCORE, ENTERING, TRAIN, CANDIDATE, AHEAD, SCALARS = 0, 1, 2, 3, 4, 5, 6, 7


class Offer(NamedTuple):
    """The candidates of all trains in one list; train t may take those from `begin[t]` to `end[t]`, best first.

    Trains of one `sort` have the same candidates; each takes a later one than the train of its sort before it.
    """

    sort: Numbers
    begin: Numbers
    end: Numbers
    score: Numbers
    worth: Numbers
    track: Words
    price_total: int


class Choosing(NamedTuple):
    """The search state by train: its next candidate and chosen one, what was scored, gained in worth and taken before it,
    what the trains after it can still gain, and the first free candidate of each later train."""

    following: Numbers
    chosen: Numbers
    scored: Numbers
    gained: Numbers
    rest: Numbers
    first_free: NDArray[np.int64]
    taken: Words
    best: Numbers
    scalars: Numbers


@inner
def _is_free(offer: Offer, candidate: int, taken: Words, level: int) -> bool:
    common = np.uint64(0)
    for word in range(taken.shape[1]):
        common |= offer.track[candidate, word] & taken[level, word]
    return common == np.uint64(0)


@inner
def _look_ahead(offer: Offer, choosing: Choosing, level: int, stop_at: int) -> bool:
    """Find the most that the trains from `level` on can gain without the taken track, each by itself; false where it must be
    continued.

    A priced route may be worth less than not running at all.
    """
    scalars = choosing.scalars
    while scalars[TRAIN] < len(offer.begin):
        train = scalars[TRAIN]
        candidate = choosing.first_free[level - 1, train] if level else offer.begin[train]
        if level and offer.sort[train] == offer.sort[level - 1]:
            chosen = choosing.chosen[level - 1]
            candidate = max(candidate, offer.end[train] if chosen == NO_ROUTE else chosen + 1)
        candidate = max(candidate, scalars[CANDIDATE] - 1)
        while candidate < offer.end[train] and not _is_free(offer, candidate, choosing.taken, level):
            scalars[STEPS] += 1
            candidate += 1
            if scalars[STEPS] >= stop_at:
                scalars[CANDIDATE] = candidate + 1
                return False
        choosing.first_free[level, train] = candidate
        if candidate < offer.end[train]:
            scalars[AHEAD] += max(0, offer.worth[candidate])
        scalars[TRAIN] = train + 1
        scalars[CANDIDATE] = 0
    return True


@tight
def enter(offer: Offer, choosing: Choosing, level: int, stop_at: int) -> bool:
    """Start choosing for the train at `level`, or record the choice when all have chosen; false where it must be continued."""
    scalars = choosing.scalars
    if level == len(offer.begin):
        if choosing.scored[level] > scalars[SCORE]:
            scalars[SCORE] = choosing.scored[level]
            for train in range(level):
                choosing.best[train] = choosing.chosen[train]
        return True
    if not scalars[ENTERING]:
        scalars[TRAIN] = level
        scalars[CANDIDATE] = scalars[AHEAD] = 0
    scalars[ENTERING] = level
    if not _look_ahead(offer, choosing, level, stop_at):
        return False
    scalars[ENTERING] = 0
    ahead = scalars[AHEAD]
    if choosing.gained[level] + ahead + offer.price_total <= scalars[SCORE]:
        return True
    first = choosing.first_free[level, level]
    choosing.rest[level] = ahead - (max(0, offer.worth[first]) if first < offer.end[level] else 0)
    choosing.following[level] = first
    scalars[LEVEL] = level
    return True


@tight
def choose(offer: Offer, choosing: Choosing, steps: int) -> bool:
    """Continue for about `steps` at most; whether it is finished. Only scores above the recorded one count."""
    scalars = choosing.scalars
    stop_at = scalars[STEPS] + steps
    while scalars[LEVEL] >= 0:
        if scalars[STEPS] >= stop_at:
            return False
        if scalars[ENTERING]:
            if not enter(offer, choosing, scalars[ENTERING], stop_at):
                return False
            continue
        scalars[STEPS] += 1
        level = scalars[LEVEL]
        candidate = choosing.following[level]
        choosing.following[level] += 1
        offered = candidate < offer.end[level]
        gain = offer.worth[candidate] if offered else 0
        most = choosing.gained[level] + gain + choosing.rest[level] + offer.price_total
        if candidate > offer.end[level] or (not offered and most <= scalars[SCORE]):
            scalars[LEVEL] = level - 1
            continue
        if most <= scalars[SCORE]:
            choosing.following[level] = offer.end[level]
            continue
        if offered and not _is_free(offer, candidate, choosing.taken, level):
            continue
        choosing.chosen[level] = candidate if offered else NO_ROUTE
        choosing.gained[level + 1] = choosing.gained[level] + gain
        choosing.scored[level + 1] = choosing.scored[level] + (offer.score[candidate] if offered else 0)
        for word in range(choosing.taken.shape[1]):
            taken = choosing.taken[level, word]
            choosing.taken[level + 1, word] = taken | offer.track[candidate, word] if offered else taken
        if not enter(offer, choosing, level + 1, stop_at):
            return False
    return True


def best_packing(
    catalogues: Sequence[Catalogue], price_total: int, score_more_than: int, budget: Budget
) -> tuple[int, tuple[int, ...]] | None:
    """The best choice of one candidate, or `NO_ROUTE`, for each train, if it scores more than given.

    `catalogues`: by train; trains of one sort stand side by side and share one catalogue. `price_total`: the prices of
    all track together.
    """
    offer = _offer(catalogues, price_total, budget)
    count, words = len(catalogues), offer.track.shape[1]
    choosing = Choosing(
        following=np.zeros(count, np.int64),
        chosen=np.full(count, NO_ROUTE),
        scored=np.zeros(count + 1, np.int64),
        gained=np.zeros(count + 1, np.int64),
        rest=np.zeros(count, np.int64),
        first_free=np.zeros((count, count), np.int64),
        taken=np.zeros((count + 1, words), np.uint64),
        best=np.full(count, NO_ROUTE),
        scalars=np.zeros(SCALARS, np.int64),
    )
    scalars = choosing.scalars
    scalars[SCORE], scalars[LEVEL] = score_more_than, -1
    # Nothing is taken yet, so this looks at the first candidate of each train alone.
    enter(offer, choosing, 0, 1)
    finished, at_once = False, steps_with(STEPS_AT_ONCE, words)
    while not finished:
        before = int(scalars[STEPS])
        finished = choose(offer, choosing, at_once)
        budget.spend(1 + (int(scalars[STEPS]) - before) // LOOKS_PER_STEP)
    if scalars[SCORE] <= score_more_than:
        return None
    chosen = [
        int(candidate - begin) if candidate != NO_ROUTE else NO_ROUTE
        for candidate, begin in zip(choosing.best, offer.begin, strict=True)
    ]
    return int(scalars[SCORE]), tuple(chosen)


def _offer(catalogues: Sequence[Catalogue], price_total: int, budget: Budget) -> Offer:
    parts = list({id(catalogue): catalogue for catalogue in catalogues}.values())
    sort = np.array(
        [next(number for number, part in enumerate(parts) if part is catalogue) for catalogue in catalogues]
    )
    sizes = [len(part.score) for part in parts]
    if sum(sizes) > ROUTES_PER_LOOK:
        budget.spend(0)
    begin = np.cumsum([0, *sizes[:-1]])[sort]
    return Offer(
        sort=sort,
        begin=begin,
        end=begin + np.array([len(catalogue.score) for catalogue in catalogues], np.int64),
        score=np.concatenate([part.score for part in parts]),
        worth=np.concatenate([part.worth for part in parts]),
        track=parts[0].track if len(parts) == 1 else below_each_other([part.track for part in parts], budget),
        price_total=price_total,
    )


def packings_within(
    catalogues: Sequence[Catalogue], worths: Sequence[int], loss_most: Callable[[], int], budget: Budget
) -> Iterator[tuple[int, ...]]:
    """All choices of one candidate, or `NO_ROUTE`, for each train that share no track and lose little.

    `worths`: what the best route of each train is worth. A choice's loss is what its routes are worth less than these; it
    is reported if the loss is at most `loss_most()`. Trains are grouped by sort.
    """

    tally = Tally(budget, LOOKS_EVERY)

    def complete(chosen: tuple[int, ...], taken: Words, lost: int) -> Iterator[tuple[int, ...]]:
        train = len(chosen)
        if train == len(catalogues):
            yield chosen
            return
        catalogue = catalogues[train]
        alike = train > 0 and catalogues[train - 1] is catalogue
        begin = (len(catalogue.worth) if chosen[-1] == NO_ROUTE else chosen[-1] + 1) if alike else 0
        for number in range(begin, len(catalogue.worth)):
            loss = lost + worths[train] - int(catalogue.worth[number])
            if loss > loss_most():
                break
            tally.add(1)
            if not np.any(catalogue.track[number] & taken):
                yield from complete((*chosen, number), taken | catalogue.track[number], loss)
        if lost + worths[train] <= loss_most():
            yield from complete((*chosen, NO_ROUTE), taken, lost + worths[train])

    words = catalogues[0].track.shape[1] if catalogues else 1
    yield from complete((), np.zeros(words, np.uint64), 0)
