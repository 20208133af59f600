"""Routes of trains with a limited reach, found by joining two short arms at the stop in the middle.

A route is cut at the stop where half of its reach is used up. Both halves are then arms of about half the length,
few enough to be listed once; all routes of at least some score are the disjoint pairs of arms that reach it, and
with the arms sorted by score the search stops early. A goods route is cut alike, counted from its mine.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict

import msgspec

from services.routing.domain.budget import Budget
from services.routing.domain.network import Arc, Network, Route
from services.routing.domain.problem import Train, TrainKind


class Arm(msgspec.Struct, frozen=True, gc=False):
    """A way from a middle stop outwards. Score, mask, stops and segments leave out the middle stop itself."""

    score: int
    mask: int
    has_token: bool
    only_alone: bool
    stops: tuple[int, ...]
    segments: tuple[int, ...]


NO_ARM = Arm(0, 0, False, False, (), ())


class Join(msgspec.Struct, frozen=True):
    """Pairs of arms to try at one middle stop; `within` pairs the left arms among themselves, each pair once.

    `right_losses` are the right scores negated, so that they ascend and can be searched by bisection.
    """

    middle: int
    score: int
    left: tuple[Arm, ...]
    right: tuple[Arm, ...]
    right_losses: tuple[int, ...]
    right_masks: tuple[int, ...]
    within: bool

    @property
    def bound(self) -> int:
        """No pair scores more than this."""
        return self.score + self.left[0].score + self.right[0].score


class ArmLists:
    """All arms of one kind of train by middle stop and by the reach they use, made when first asked for."""

    def __init__(self, network: Network, kind: TrainKind, budget: Budget) -> None:
        self.network = network
        self.kind = kind
        self.cost = network.limit_cost(kind)
        self._arcs = network.arcs_for(kind)
        self._budget = budget
        self._found: dict[tuple[int, int], dict[int, list[Arm]]] = {}

    def of(self, middle: int, cost_most: int) -> dict[int, list[Arm]]:
        """Arms from `middle` using at most `cost_most` of the reach, keyed by what they use."""
        key = (middle, cost_most)
        if key not in self._found:
            arms: dict[int, list[Arm]] = defaultdict(list)
            for arc in self._arcs[middle]:
                self._grow(
                    arc, NO_ARM, self.network.place_bit[middle], cost_most, 0, arc.leaves_terminal, arms
                )
            self._found[key] = arms
        return self._found[key]

    def _grow(
        self,
        arc: Arc,
        before: Arm,
        taken: int,
        cost_most: int,
        cost: int,
        alone: bool,
        arms: dict[int, list[Arm]],
    ) -> None:
        """Record the arm that goes on along `arc` and all longer ones."""
        stop = arc.target
        cost += self.cost[stop]
        if cost > cost_most:
            return
        self._budget.spend()
        network = self.network
        arm = Arm(
            before.score + network.stop_score[stop],
            before.mask | arc.mask,
            before.has_token or network.has_token[stop],
            alone,
            (*before.stops, stop),
            (*before.segments, arc.segment),
        )
        arms[cost].append(arm)
        if arc.ends_route:
            return
        taken |= arc.mask
        for following in self._arcs[stop]:
            if not (following.mask & taken or following.leaves_terminal):
                self._grow(following, arm, taken, cost_most, cost, alone, arms)


class RouteJoiner:
    """The routes of one train, whose reach is limited."""

    def __init__(self, train: Train, arm_lists: ArmLists, budget: Budget) -> None:
        self._train = train
        self._network = arm_lists.network
        self._arm_lists = arm_lists
        self._budget = budget
        self._joins: list[Join] | None = None

    def best(self, taken: int) -> Route | None:
        """The best route that keeps off the track in `taken`; between equals the first found."""
        best_score = -1
        found: tuple[Join, Arm, Arm] | None = None
        for join in self._all_joins():
            if join.bound <= best_score:
                break
            for index, left in enumerate(join.left):
                if join.score + left.score + join.right[0].score <= best_score:
                    break
                if left.mask & taken:
                    continue
                position = self._first_fit(join, index, left, best_score + 1, taken)
                if position is not None:
                    right = join.right[position]
                    best_score = join.score + left.score + right.score
                    found = (join, left, right)
        return self._route(*found) if found else None

    def collect(self, score_least: int, taken: int) -> list[Route]:
        """All routes of at least `score_least` that keep off the track in `taken`."""
        needed = score_least - 1
        routes: list[Route] = []
        for join in self._all_joins():
            if join.bound < needed:
                break
            for index, left in enumerate(join.left):
                if join.score + left.score + join.right[0].score < needed:
                    break
                if left.mask & taken:
                    continue
                excluded = left.mask | taken
                first, last = self._span(join, index, left, needed)
                routes.extend(
                    self._route(join, left, join.right[position])
                    for position in range(first, last)
                    if not join.right_masks[position] & excluded
                )
        return routes

    def _first_fit(self, join: Join, index: int, left: Arm, needed: int, taken: int) -> int | None:
        excluded = left.mask | taken
        first, last = self._span(join, index, left, needed)
        masks = join.right_masks
        return next((position for position in range(first, last) if not masks[position] & excluded), None)

    def _span(self, join: Join, index: int, left: Arm, needed: int) -> tuple[int, int]:
        """Which right arms bring `left` to the score needed."""
        first = index + 1 if join.within else 0
        last = bisect_right(join.right_losses, join.score + left.score - needed)
        self._budget.spend(1 + max(0, last - first))
        return first, last

    def _route(self, join: Join, left: Arm, right: Arm) -> Route:
        return self._network.route(
            self._train,
            join.score + left.score + right.score,
            left.mask | right.mask,
            (*left.stops[::-1], join.middle, *right.stops),
            (*left.segments[::-1], *right.segments),
        )

    def _all_joins(self) -> list[Join]:
        if self._joins is None:
            joins = [join for middle in range(len(self._network.stops)) for join in self._joins_at(middle)]
            joins.sort(key=lambda join: (-join.bound, join.middle))
            self._joins = joins
        return self._joins

    def _joins_at(self, middle: int) -> list[Join]:
        if self._train.kind == "goods":
            return self._goods_joins_at(middle)
        if self._network.is_mine[middle]:
            return []
        arms = self._arm_lists.of(middle, self._train.reach // 2)
        joins = []
        for length in range(2, self._train.reach + 1):
            left, right = arms.get((length - 1) // 2, []), arms.get(length // 2, [])
            if length % 2:
                joins += self._pairs(middle, left, left)
            else:
                onwards = [arm for arm in right if arm.stops[0] > middle]
                joins += self._pairs(middle, [NO_ARM] if length == 2 else left, onwards)
        return joins

    def _goods_joins_at(self, middle: int) -> list[Join]:
        if self._network.is_mine[middle]:
            onwards = self._split_by_mine(self._arm_lists.of(middle, 0).get(0, []))[False]
            return self._pairs(middle, [NO_ARM], onwards)
        if not self._arm_lists.cost[middle]:
            return []
        arms = self._arm_lists.of(middle, self._train.reach // 2)
        joins = []
        for length in range(1, self._train.reach + 1):
            left = self._split_by_mine(arms.get((length - 1) // 2, []))[True]
            right = self._split_by_mine(arms.get(length // 2, []))[False]
            joins += self._pairs(middle, left, [NO_ARM, *right] if length == 1 else right)
        return joins

    def _split_by_mine(self, arms: list[Arm]) -> dict[bool, list[Arm]]:
        is_mine = self._network.is_mine
        return {
            at_mine: [arm for arm in arms if is_mine[arm.stops[-1]] is at_mine] for at_mine in (True, False)
        }

    def _pairs(self, middle: int, left: list[Arm], right: list[Arm]) -> list[Join]:
        """Joins of `left` with `right` whose routes hold a token and end where they must."""
        within = left is right
        left_alone = [arm for arm in left if arm is NO_ARM]
        right_alone = [arm for arm in right if arm is NO_ARM]
        passing = not self._network.ends_route[middle]
        left_through = [arm for arm in left if arm is not NO_ARM and passing and not arm.only_alone]
        right_through = [arm for arm in right if arm is not NO_ARM and passing and not arm.only_alone]
        joins = self._token_pairs(middle, left_through, right_through, within)
        joins += self._token_pairs(
            middle, left_alone, [arm for arm in right if arm is not NO_ARM], within=False
        )
        joins += self._token_pairs(
            middle, [arm for arm in left if arm is not NO_ARM], right_alone, within=False
        )
        return joins

    def _token_pairs(self, middle: int, left: list[Arm], right: list[Arm], within: bool) -> list[Join]:
        if self._network.has_token[middle]:
            return self._join(middle, left, right, within)
        left_with = [arm for arm in left if arm.has_token]
        left_without = [arm for arm in left if not arm.has_token]
        right_with = [arm for arm in right if arm.has_token]
        if within:
            joins = self._join(middle, left_with, right_with, within=True)
        else:
            joins = self._join(middle, left_with, right, within=False)
        return joins + self._join(middle, left_without, right_with, within=False)

    def _join(self, middle: int, left: list[Arm], right: list[Arm], within: bool) -> list[Join]:
        if not left or not right:
            return []
        left_sorted = tuple(sorted(left, key=lambda arm: -arm.score))
        right_sorted = left_sorted if within else tuple(sorted(right, key=lambda arm: -arm.score))
        return [
            Join(
                middle,
                self._network.stop_score[middle],
                left_sorted,
                right_sorted,
                tuple(-arm.score for arm in right_sorted),
                tuple(arm.mask for arm in right_sorted),
                within,
            )
        ]
