"""Elo for tables: every pair of players counts as a game."""

from __future__ import annotations

from collections.abc import Sequence

from services.lobby.domain.ratings.policy import EloPolicy

UNIT = 1_000_000


def elo_changes(
    ratings: Sequence[int], games: Sequence[int], places: Sequence[int], policy: EloPolicy
) -> list[int]:
    """What each player's rating changes by, in millionths: the mean over the others of K (score - expected score)."""
    changes = []
    for index, own in enumerate(ratings):
        factor = policy.k_first if games[index] < policy.games_first else policy.k_later
        surplus = 0.0
        for number, other in enumerate(ratings):
            if number != index:
                score = (1 + (places[index] < places[number]) - (places[index] > places[number])) / 2
                surplus += score - _expected(own - other, policy.spread)
        changes.append(round(factor * surplus / (len(ratings) - 1)))
    return changes


def _expected(difference: int, spread: int) -> float:
    """The expected score against a player who is weaker by `difference` millionths."""
    return float(1 / (1 + 10 ** (-difference / UNIT / spread)))
