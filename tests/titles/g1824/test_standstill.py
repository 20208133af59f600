"""A game in which nobody can ever do anything again."""

from __future__ import annotations

from services.rules.kernel.commands import Command, CreateGame, Pass
from services.rules.kernel.decide import Accepted, acting_players, choices, create, decide
from services.rules.parts.shares.commands import BuyCertificate
from services.rules.titles.g1824.title import TITLE
from tests.positions.rounds import ends_of_game, rounds

PLAYERS = ("ann", "bob", "cem")


def test_a_game_that_asks_nobody_any_more_ends() -> None:
    """Everybody puts all money into shares of states that never form: one turn that changes nothing ends the game."""
    outcome = create(TITLE, CreateGame("1824", PLAYERS))
    assert isinstance(outcome, Accepted)
    data = TITLE.load(outcome.game.options, outcome.game.rulings)
    while not outcome.game.finished:
        player = acting_players(TITLE, data, outcome.game)[0]
        offered = [choice.command for choice in choices(TITLE, data, outcome.game, player)]
        command: Command = next((each for each in offered if isinstance(each, BuyCertificate)), Pass())
        decided = decide(TITLE, data, outcome.game, player, command)
        assert isinstance(decided, Accepted)
        outcome = decided
    assert ends_of_game(outcome.events[-1:]) == ["stalemate"]
    assert [score.value for score in outcome.game.scores] == [820, 820, 820]
    assert [kind for kind, *_ in rounds(outcome.events)].count("operating") <= 3
