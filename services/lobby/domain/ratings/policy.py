"""Figures of the ratings."""

import msgspec


class OpenskillPolicy(msgspec.Struct, frozen=True):
    """Plackett-Luce: start, noise and drift in millionths; a rating is provisional while its sigma is above the bound."""

    mu: int
    sigma: int
    beta: int
    tau: int
    provisional_sigma: int


class EloPolicy(msgspec.Struct, frozen=True):
    """Start and K in millionths; K of the first games, then of later ones; the difference at which ten to one are expected."""

    start: int
    k_first: int
    k_later: int
    games_first: int
    spread: int


class RatingPolicy(msgspec.Struct, frozen=True):
    """All figures. A change makes a new version of the ratings, computed from all results."""

    openskill: OpenskillPolicy
    elo: EloPolicy
