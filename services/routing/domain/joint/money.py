"""What trains can count, as bits with weights: places, and hexes that local trains are paid for, each once for all."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from services.routing.domain.joint.board import Board
from services.routing.domain.kernel import compiled
from services.routing.domain.network import WORD_BITS, Numbers, Words, rows
from services.routing.domain.problem import RouteProblem, Stop

# Bits of a byte.
BYTES = 8
NO_BIT = -1


class Money:
    """One integer for a set of runs that orders such sets: what is maximised first, then what decides between equals.

    Revenue r and income m score r * k + m, under `compare_treasury_income` (r + m) * k + r, with k so large that the
    later part only decides ties. `weight` has the score of each bit; a place or hex without worth has no bit. `bit_at`: that
    of each stop's place, `NO_BIT` for none.
    """

    def __init__(self, board: Board) -> None:
        problem = board.problem
        parameters = problem.parameters
        self._parameters = parameters
        freight = sum(train.kind == "freight" for train in problem.trains)
        has_local = any(train.kind == "local" for train in problem.trains)
        subsidy = parameters.subsidy_per_hex if has_local else 0
        hexes = sorted({name for segment in board.segments for name in segment.hexes}) if subsidy else []
        values = {stop.place: stop.revenue for stop in board.stops}
        bonus_most = max(parameters.bonus_per_hex, parameters.bonus_per_hex_port) * farthest(board.stops)
        if parameters.compare_treasury_income:
            self._factor = 1 + sum(values.values()) + freight * bonus_most
        else:
            self._factor = 1 + subsidy * len(hexes)
        places = [place for place in sorted(values) if values[place]]
        self.bit_of_place = {place: bit for bit, place in enumerate(places)}
        self.bit_of_hex = {name: len(places) + bit for bit, name in enumerate(hexes)}
        self.words = max(1, -(-(len(places) + len(hexes)) // WORD_BITS))
        self.weight: Numbers = np.zeros(self.words * WORD_BITS, np.int64)
        for place, bit in self.bit_of_place.items():
            self.weight[bit] = self.of_revenue(values[place])
        for bit in self.bit_of_hex.values():
            self.weight[bit] = self.of_income(subsidy)
        self._board = board
        self.bit_at: Numbers = np.array(
            [self.bit_of_place.get(stop.place, NO_BIT) for stop in board.stops], np.int64
        )

    @cached_property
    def stop_rows(self) -> Words:
        """The bit of each stop's place as a row of words, without bits for a place without worth."""
        bits = [frozenset({bit} if bit >= 0 else ()) for bit in self.bit_at.tolist()]
        return rows(bits, len(self.weight))

    @cached_property
    def segment_rows(self) -> Words:
        """The bits of the hexes of each segment as a row of words."""
        of_hex = self.bit_of_hex
        bits = [
            frozenset([of_hex[name] for name in each.hexes if name in of_hex])
            for each in self._board.segments
        ]
        return rows(bits, len(self.weight))

    def of_revenue(self, revenue: int) -> int:
        """What revenue adds to the score."""
        return revenue * (self._factor + self._parameters.compare_treasury_income)

    def of_income(self, income: int) -> int:
        """What income of the treasury adds to the score."""
        return income * (self._factor if self._parameters.compare_treasury_income else 1)

    def value(self, score: int) -> int:
        """The maximised money, in whole units, of a set of runs with this score."""
        return score // self._factor


def most_of(problem: RouteProblem) -> int:
    """What no runs of the company are worth more than, in what is maximised: all places and hexes, and the longest bonuses."""
    parameters = problem.parameters
    freight = sum(train.kind == "freight" for train in problem.trains)
    bonus = max(parameters.bonus_per_hex, parameters.bonus_per_hex_port) * farthest(problem.stops)
    most = sum({stop.place: stop.revenue for stop in problem.stops}.values()) + freight * bonus
    if parameters.compare_treasury_income:
        most += parameters.subsidy_per_hex * len({name for each in problem.segments for name in each.hexes})
    return most


def farthest(stops: Sequence[Stop]) -> int:
    """The largest distance between two of these stops, in hexes."""
    positions = [stop.position for stop in stops if stop.position is not None]
    if not positions:
        return 0
    along = [[q for q, _ in positions], [r for _, r in positions], [q + r for q, r in positions]]
    beyond = max(stop.beyond for stop in stops)
    return max(max(each) - min(each) for each in along) + 2 * beyond


@compiled
def byte_table(weight: Numbers) -> Numbers:
    """The sum of the weights of the bits in each byte of a row of words: [byte of the row, value of the byte]."""
    table = np.zeros((len(weight) // BYTES, 1 << BYTES), np.int64)
    for byte in range(len(table)):
        for bit in range(BYTES):
            size = 1 << bit
            for value in range(size):
                table[byte, size + value] = table[byte, value] + weight[byte * BYTES + bit]
    return table
