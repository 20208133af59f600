"""The track as one sort of train may travel it."""

from __future__ import annotations

import numpy as np

from services.routing.domain.cases import Case
from services.routing.domain.network import Flags, Network, Numbers, Words
from services.routing.domain.problem import Train


class Arcs:
    """Each arc is a segment in one direction, sorted by where it leaves.

    `first[s]` to `first[s + 1]` are the arcs that leave stop `s`, the richest first. `reach` and `counts` are what the
    arc takes of the train's reach and of the second limit: the stops it may count, or the towns it may visit. `value` is
    what it adds to the score, `end_value` what is added where it is the last, `marks` and `end_marks` what it collects.
    An arc that `leaves` may only be travelled first, one that `ends` only last; one that `passes` reaches a stop that is
    not counted, and where no route ends if `ends_passing` is false.
    """

    marks: Numbers
    end_marks: Numbers
    end_value: Numbers
    may_end: Flags

    def __init__(self, network: Network, train: Train, case: Case) -> None:
        self.case = case
        self._set_stops(network, train, case)
        hexes, part, towns = train.measure == "hexes", self.ends_passing, train.towns == "extra"
        serves = np.ones(len(network.stops), np.bool_) if self.is_goods else ~network.is_mine
        source = np.concatenate((network.segment_a, network.segment_b))
        target = np.concatenate((network.segment_b, network.segment_a))
        segment = np.concatenate((np.arange(len(network.segments)),) * 2)
        leaves = np.concatenate((network.terminal_a, network.terminal_b))
        arrives = np.concatenate((network.terminal_b, network.terminal_a))
        useful = (network.place[source] != network.place[target]) & serves[source] & serves[target]
        useful &= network.is_useful[segment]
        source, target, segment = source[useful], target[useful], segment[useful]
        leaves, ends = leaves[useful], arrives[useful] | network.ends_route[target]
        length = network.segment_length[segment] if hexes else self.stop_reach[target]
        passable = self.may_pass[target] & ~(ends & (not part))
        on_way = network.segment_score[segment]
        joined = {
            "source": source,
            "target": target,
            "segment": segment,
            "leaves": leaves,
            "ends": ends,
            "reach": length,
            "value": self.stop_score[target] + on_way,
        }
        passes = np.zeros(len(source), np.bool_)
        if passable.any():
            passed = {name: column[passable] for name, column in joined.items()}
            passed["value"] = self.pass_score[passed["target"]] + on_way[passable]
            if not (hexes or part):
                passed["reach"] = np.zeros_like(passed["reach"])
            joined = {name: np.concatenate((column, passed[name])) for name, column in joined.items()}
            passes = np.arange(len(joined["source"])) >= len(source)
        order = np.lexsort((passes, joined["segment"], -joined["value"], joined["source"]))
        self.source: Numbers = joined["source"][order]
        self.target: Numbers = joined["target"][order]
        self.segment: Numbers = joined["segment"][order]
        self.leaves: Flags = joined["leaves"][order]
        self.ends: Flags = joined["ends"][order]
        self.reach: Numbers = joined["reach"][order]
        self.passes: Flags = passes[order]
        takes_second = ~self.passes & part | network.is_town[self.target] & towns
        self.counts: Numbers = takes_second.astype(np.int64)
        self.value: Numbers = joined["value"][order]
        self.first: Numbers = np.searchsorted(self.source, np.arange(len(network.stops) + 1)).astype(np.int64)
        self._set_marks(case)
        self.track: Words = network.way_track(self.source, self.target, self.segment)
        self.way_score_most: Numbers = np.zeros(len(network.stops), np.int64)
        if on_way.any():
            np.maximum.at(self.way_score_most, target, on_way)

    def _set_stops(self, network: Network, train: Train, case: Case) -> None:
        """What each stop is to the train: `stop_score` where it is counted, `pass_score` where it is not."""
        yields = network.values(train.tariff) * train.factor * network.unit_score
        if train.only_tokens:
            yields[~network.has_token] = 0
        hexes, part, towns = train.measure == "hexes", train.counts > 0, train.towns == "extra"
        self.count_score: Numbers = yields if case.is_plain else yields + case.add["counted"]
        self.pass_score: Numbers = case.add["visited"]
        self.stop_score: Numbers = yields if case.is_plain else self.count_score + self.pass_score
        takes = ~network.is_mine & ~(network.is_town & (train.towns in ("free", "extra")))
        self.stop_takes: Flags = takes
        self.stop_reach = (takes & (not hexes)).astype(np.int64)
        self.ends_passing = part
        self.may_pass: Flags = ~network.is_mine if part else network.is_town & (train.towns == "skip")
        most = int(network.segment_length.sum() if hexes else takes.sum())
        self.limit_reach = min(train.reach or most, most)
        self.limit_counts = min(train.counts if part else train.town_reach, len(network.stops))
        self.stop_counts: Numbers = (np.ones_like(takes) if part else network.is_town & towns).astype(
            np.int64
        )
        self.is_goods = train.kind == "goods"
        self.is_measured_in_hexes = hexes
        own = case.marks["counted"] | case.marks["counted_ends"] | case.add["counted_ends"]
        self.is_chosen: Flags = own != 0

    def _set_marks(self, case: Case) -> None:
        add, marks, target = case.add, case.marks, self.target
        if case.is_plain:
            self.marks = self.end_marks = self.end_value = np.zeros_like(target)
            self.may_end = np.ones_like(self.passes)
            return
        counted = np.where(self.passes, 0, -1)
        self.marks = marks["visited"][target] | marks["counted"][target] & counted
        self.end_marks = marks["ends"][target] | marks["counted_ends"][target] & counted
        self.end_value = add["ends"][target] + (add["counted_ends"][target] & counted)
        self.may_end = np.where(self.passes, case.may_end_passed[target], case.may_end[target])
