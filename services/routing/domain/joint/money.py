"""What trains can count, as bits with weights: places, and hexes that local trains are paid for, each once for all."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from services.routing.domain.joint.board import Board
from services.routing.domain.network import WORD_BITS, Numbers, Words

BYTES = 8


class Money:
    """One integer for a set of runs that orders such sets: what is maximised first, then what decides between equals.

    Revenue r and income m score r * k + m, under `compare_treasury_income` (r + m) * k + r, with k so large that the
    later part only decides ties. `weight` has the score of each bit; a place or hex without worth has no bit.
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
        bonus_most = max(parameters.bonus_per_hex, parameters.bonus_per_hex_port) * farthest(board)
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

    def of_revenue(self, revenue: int) -> int:
        """What revenue adds to the score."""
        return revenue * (self._factor + self._parameters.compare_treasury_income)

    def of_income(self, income: int) -> int:
        """What income of the treasury adds to the score."""
        return income * (self._factor if self._parameters.compare_treasury_income else 1)

    def value(self, score: int) -> int:
        """The maximised money, in whole units, of a set of runs with this score."""
        return score // self._factor

    def row(self, bits: Iterable[int]) -> Words:
        """These bits as a row of words."""
        words: Words = np.zeros(self.words, np.uint64)
        for bit in bits:
            words[bit // WORD_BITS] |= np.uint64(1 << bit % WORD_BITS)
        return words


def farthest(board: Board) -> int:
    """The largest distance between two stops of the board, in hexes."""
    positions = [stop.position for stop in board.stops if stop.position is not None]
    if not positions:
        return 0
    along = [[q for q, _ in positions], [r for _, r in positions], [q + r for q, r in positions]]
    beyond = max(stop.beyond for stop in board.stops)
    return max(max(each) - min(each) for each in along) + 2 * beyond


def byte_table(weight: Numbers) -> Numbers:
    """The sum of the weights of the bits in each byte of a row of words: [byte of the row, value of the byte]."""
    by_byte = weight.reshape(-1, BYTES)
    values = (np.arange(256)[:, None] >> np.arange(BYTES)) & 1
    table: Numbers = np.ascontiguousarray(by_byte @ values.T.astype(np.int64))
    return table
