"""Ratings as a projection of the rounds' results, brought up to date at every question.

Results that come after all others are rated on top of what is known; where one was changed, came late or was undone, everything
is rated again. Either way the ratings are the same bytes, since they follow from the results in their order alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from services.lobby.domain.ratings.policy import RatingPolicy
from services.lobby.domain.ratings.ratings import Board, Boards, Rating, rated
from services.lobby.domain.ratings.results import RatedResult, boards_of, in_order

RoundKey = tuple[str, int, int]
"""Tournament, stage, number."""


class RatingsProjection:
    """Not safe for several threads at once."""

    def __init__(self, policy: RatingPolicy, results_of: Callable[[RoundKey], Iterable[RatedResult]]) -> None:
        """`results_of`: the results of a round that count now."""
        self._policy = policy
        self._results_of = results_of
        self._by_round: dict[RoundKey, tuple[RatedResult, ...]] = {}
        self._stale: set[RoundKey] = set()
        self._rated: list[RatedResult] = []
        self._boards: dict[str, dict[str, Rating]] = {}

    def mark(self, key: RoundKey) -> None:
        """A round has changed, or the charter by which its results count."""
        self._stale.add(key)

    def boards(self) -> Boards:
        """The ratings now."""
        if self._stale:
            for key in self._stale:
                self._by_round[key] = tuple(self._results_of(key))
            self._stale.clear()
            self._rate(in_order(result for results in self._by_round.values() for result in results))
        return self._boards

    def _rate(self, results: list[RatedResult]) -> None:
        if results[: len(self._rated)] == self._rated:
            later = results[len(self._rated) :]
        else:
            self._boards, later = {}, results
        for result in later:
            for name in boards_of(result):
                board: Board = self._boards.get(name, {})
                self._boards.setdefault(name, {}).update(rated(board, result, self._policy))
        self._rated = results
