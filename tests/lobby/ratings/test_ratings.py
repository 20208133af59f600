"""Ratings of players."""

from random import Random

import pytest
from openskill.models import PlackettLuce

from services.lobby.domain.ratings.elo import elo_changes
from services.lobby.domain.ratings.ratings import leaderboard, ratings_bytes, ratings_digest, ratings_of
from services.lobby.domain.ratings.reliability import Conduct, Reliability, reliability_of
from services.lobby.domain.ratings.results import OVERALL, RatedResult
from services.lobby.presets.loading import RATING_POLICY

UNIT = 1_000_000


def random_results(count: int, seed: int) -> list[RatedResult]:
    """Tables of 3 to 6 of 30 players, whose number is their strength."""
    random = Random(seed)
    results = []
    for number in range(count):
        players = random.sample(range(30), random.choice((3, 4, 4, 5, 6)))
        strengths = [player + random.gauss(0, 5) for player in players]
        places = tuple(1 + sum(other > own for other in strengths) for own in strengths)
        names = tuple(f"p{player:02}" for player in players)
        title = random.choice(("1824", "1862"))
        results.append(RatedResult(random.randrange(10**9), f"t{number}", title, names, places))
    return results


def test_a_table_is_rated_as_the_library_rates_it() -> None:
    """Four players with a tie for the second place, to a millionth, with the library's own defaults."""
    model = PlackettLuce()
    expected = model.rate([[model.rating()] for _ in range(4)], ranks=[1, 2, 2, 4])
    boards = ratings_of([RatedResult(1, "t", "1824", ("a", "b", "c", "d"), (1, 2, 2, 4))], RATING_POLICY)
    for player, (team,) in zip("abcd", expected, strict=True):
        assert abs(boards[OVERALL][player].mu - team.mu * UNIT) < 3
        assert abs(boards[OVERALL][player].sigma - team.sigma * UNIT) < 3


def test_recomputation_gives_equal_bytes_in_whatever_order_results_arrive() -> None:
    """The order is that of finish and table."""
    results = random_results(300, 1)
    shuffled = Random(2).sample(results, len(results))
    assert ratings_bytes(ratings_of(results, RATING_POLICY)) == ratings_bytes(
        ratings_of(shuffled, RATING_POLICY)
    )


def test_an_end_that_was_undone_restores_the_ratings() -> None:
    """Without the last result, they are what they were before it; with it again, what they were after it."""
    results = sorted(random_results(60, 3), key=lambda result: (result.finished_ms, result.table))
    before, after = (ratings_digest(ratings_of(part, RATING_POLICY)) for part in (results[:-1], results))
    assert before != after
    undone = [result for result in results if result.table != results[-1].table]
    assert ratings_digest(ratings_of(undone, RATING_POLICY)) == before
    assert ratings_digest(ratings_of([*undone, results[-1]], RATING_POLICY)) == after


def test_boards_are_kept_apart() -> None:
    """Overall counts all, a title and a number of players their own."""
    boards = ratings_of(random_results(200, 5), RATING_POLICY)
    games = {name: sum(rating.games for rating in board.values()) for name, board in boards.items()}
    assert games[OVERALL] == games["title 1824"] + games["title 1862"]
    assert games[OVERALL] == sum(games[f"players {size}"] for size in (3, 4, 5, 6))


def test_stronger_players_rise_and_few_games_are_provisional() -> None:
    """After many games the order is roughly that of strength; who has played once is provisional."""
    results = random_results(1500, 7)
    results.append(RatedResult(10**10, "last", "1824", ("new", "p01", "p02"), (1, 2, 3)))
    lines = leaderboard(ratings_of(results, RATING_POLICY)[OVERALL], RATING_POLICY)
    assert [line.rank for line in lines] == list(range(1, 32))
    order = [line.player for line in lines if line.player != "new"]
    assert {"p29", "p28", "p27"} <= set(order[:6])
    assert {"p00", "p01", "p02"} <= set(order[-6:])
    assert {line.player for line in lines if line.is_provisional} == {"new"}


@pytest.mark.parametrize(
    ("ratings", "games", "places", "expected"),
    [
        ((1200, 1200), (0, 0), (1, 2), (30, -30)),
        ((1200, 1200), (10, 10), (1, 2), (20, -20)),
        ((1200, 1200), (0, 10), (1, 1), (0, 0)),
        ((1200, 1200, 1200, 1200), (0, 0, 0, 0), (1, 2, 3, 4), (30, 10, -10, -30)),
        ((1600, 1200), (20, 20), (2, 1), (-36.363636, 36.363636)),
    ],
)
def test_elo_of_a_table(ratings, games, places, expected) -> None:  # type: ignore[no-untyped-def]
    """K 60 in the first games and 40 later; 400 points are ten to one."""
    changes = elo_changes([rating * UNIT for rating in ratings], games, places, RATING_POLICY.elo)
    assert changes == [pytest.approx(each * UNIT, abs=1) for each in expected]


def test_reliability_counts_finishes_response_and_expiries() -> None:
    """Two of three games finished, a median of 20 s, one of five turns expired."""
    games = [Conduct(True, (10_000, 20_000, 90_000)), Conduct(True, (5_000,)), Conduct(False, (30_000,), 1)]
    assert reliability_of(games) == Reliability(3, 666_666, 20_000, 200_000)
    assert reliability_of([]).finish_rate == UNIT
