"""Whether the rounds after this one can still be paired without repeats: a question for small events with many rounds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from services.lobby.domain.tournaments.pairing.problem import PairingProblem
from services.lobby.domain.tournaments.pairing.schedule import Pair, plan_rounds

CROWDED_PERCENT = 35
"""From this share of the others to be met in all rounds, a round is paired with the later ones in view."""
PLAN_STEPS = 600_000


class Outlook:
    """The rounds that are left, and who has met and sat at odd tables before them."""

    def __init__(
        self,
        problem: PairingProblem,
        sizes: Sequence[int],
        met: Mapping[Pair, int],
        odd: Sequence[int],
        numbers: Iterator[int],
    ) -> None:
        """Players are numbers from 0; `odd` counts their seats at tables without the preferred size."""
        self._rounds = problem.rounds_left + 1
        self._met, self._odd = met, odd
        self._sizes, self._numbers = sizes, numbers
        self._preferred = problem.sizes.preferred

    @property
    def is_crowded(self) -> bool:
        """Whether repeats are likely to become necessary if only the next round is looked at."""
        count = len(self._odd)
        past = 2 * len(self._met) // max(1, count)
        to_come = self._rounds * (self._preferred - 1)
        return 100 * (past + to_come) >= CROWDED_PERCENT * (count - 1)

    def allows(self, tables: Sequence[Sequence[int]]) -> bool:
        """Whether a plan without repeats, with these tables first, was found."""
        return self._planned(tables)[1] == 0

    def first_planned(self) -> Sequence[Sequence[int]] | None:
        """The first round of a plan without repeats, None if none was found."""
        rounds, cost = self._planned(())
        return rounds[0] if cost == 0 else None

    def _planned(self, first: Sequence[Sequence[int]]) -> tuple[Sequence[Sequence[Sequence[int]]], int]:
        sizes = [self._sizes] * self._rounds
        return plan_rounds(first, sizes, self._met, self._odd, self._preferred, self._numbers, PLAN_STEPS)
