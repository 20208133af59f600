"""What an answer says about the substitutes of a seat."""

from __future__ import annotations

import pytest

from services.common.substitutes import turns_of
from services.gen.signalbox.lobby.v1 import player_pb2, tournament_pb2 as pb, tournament_round_pb2 as round_pb

ONE = pb.SeatResult(player="ann", substitute="sue", substitute_turns=12, turns=30)
TWO = pb.SeatResult(
    player="ann",
    substitute="tom",
    substitute_turns=5,
    turns=30,
    all_substitutes=[
        pb.SubstituteTurns(player_id="sue", turns=12),
        pb.SubstituteTurns(player_id="tom", turns=5),
    ],
)
OTHER = pb.SeatResult(player="bob", turns=28)


@pytest.mark.parametrize(
    ("who", "seats", "wanted"),
    [
        ("sue", [OTHER, ONE], (12, 30)),
        ("sue", [TWO, OTHER], (12, 30)),
        ("tom", [TWO, OTHER], (5, 30)),
        ("sue", [], (3, 4)),
        ("sue", [OTHER, pb.SeatResult(player="ann", substitute="sue")], (3, 4)),
    ],
)
def test_turns_are_those_of_the_result(who: str, seats: list[pb.SeatResult], wanted: tuple[int, int]) -> None:
    """Of one substitute and of several; without a result that knows them, those that a director gave."""
    given = round_pb.Substitution(
        player_id="ann", substitute=player_pb2.Player(player_id=who), substitute_turns=3, turns=4
    )
    assert turns_of(given, seats) == wanted
