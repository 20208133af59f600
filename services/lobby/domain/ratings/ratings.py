"""Ratings: a pure function of the confirmed results in their order. All values are integers in millionths.

Each step starts from the integers of the step before, so a computation from the first result gives the same bytes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from types import MappingProxyType

import msgspec
from openskill.models import PlackettLuce

from services.lobby.domain.ratings.elo import elo_changes
from services.lobby.domain.ratings.policy import OpenskillPolicy, RatingPolicy
from services.lobby.domain.ratings.results import RatedResult, boards_of, in_order

UNIT = 1_000_000
CERTAINTY = 3


class Rating(msgspec.Struct, frozen=True):
    """A player on one board: mean and uncertainty of the strength, Elo beside it, and the number of games."""

    mu: int
    sigma: int
    elo: int
    games: int = 0

    @property
    def shown(self) -> int:
        """What leaderboards are ordered by: a strength that the player very probably has, mu - 3 sigma."""
        return self.mu - CERTAINTY * self.sigma


Board = Mapping[str, Rating]
Boards = Mapping[str, Board]


class LeaderboardLine(msgspec.Struct, frozen=True):
    """A line of a leaderboard."""

    rank: int
    player: str
    rating: Rating
    is_provisional: bool


def ratings_of(results: Iterable[RatedResult], policy: RatingPolicy) -> Boards:
    """The ratings on every board after all results, in whatever order they are given."""
    boards: dict[str, dict[str, Rating]] = {}
    for result in in_order(results):
        for name in boards_of(result):
            board = boards.setdefault(name, {})
            board.update(rated(board, result, policy))
    return MappingProxyType({name: MappingProxyType(board) for name, board in boards.items()})


def rated(board: Board, result: RatedResult, policy: RatingPolicy) -> dict[str, Rating]:
    """The new ratings of the players of one result."""
    start = Rating(policy.openskill.mu, policy.openskill.sigma, policy.elo.start)
    before = [board.get(player, start) for player in result.players]
    model = _model(policy.openskill)
    teams = [[model.rating(mu=each.mu / UNIT, sigma=each.sigma / UNIT)] for each in before]
    after = model.rate(teams, ranks=[float(place) for place in result.places])
    elo = elo_changes(
        [each.elo for each in before], [each.games for each in before], result.places, policy.elo
    )
    return {
        player: Rating(
            mu=round(team[0].mu * UNIT),
            sigma=round(team[0].sigma * UNIT),
            elo=old.elo + change,
            games=old.games + 1,
        )
        for player, old, team, change in zip(result.players, before, after, elo, strict=True)
    }


def leaderboard(board: Board, policy: RatingPolicy) -> tuple[LeaderboardLine, ...]:
    """The players by mu - 3 sigma; equal ones by name. Provisional ones are marked."""
    ordered = sorted(board.items(), key=lambda item: (-item[1].shown, item[0]))
    return tuple(
        LeaderboardLine(rank, player, rating, rating.sigma > policy.openskill.provisional_sigma)
        for rank, (player, rating) in enumerate(ordered, start=1)
    )


def ratings_bytes(boards: Boards) -> bytes:
    """The ratings as canonical JSON: equal ratings give equal bytes."""
    plain = {name: dict(board) for name, board in boards.items()}
    return msgspec.json.encode(plain, order="deterministic")


def ratings_digest(boards: Boards) -> str:
    """SHA-256 of `ratings_bytes`, in hexadecimal."""
    return hashlib.sha256(ratings_bytes(boards)).hexdigest()


def _model(policy: OpenskillPolicy) -> PlackettLuce:
    return PlackettLuce(
        mu=policy.mu / UNIT, sigma=policy.sigma / UNIT, beta=policy.beta / UNIT, tau=policy.tau / UNIT
    )
