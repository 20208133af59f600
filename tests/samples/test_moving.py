"""A game of a sample title is moved to another platform in a signed file, as any other."""

from __future__ import annotations

import pytest

from services.rules.adapters.snapshots import state_bytes
from services.rules.kernel.commands import CreateGame
from services.rules.kernel.decide import Accepted
from services.rules.kernel.fold import replay
from tests.rules.moving.files import account, exported, imported, records_of
from tests.simulation.play import Play


@pytest.mark.parametrize("title", ["island", "fair"])
def test_a_whole_game_goes_out_and_comes_in(title: str) -> None:
    """Every event, and so the state, is as before."""
    players = (account(11), account(12))
    play = Play(CreateGame(title=title, players=players, seed=3), "eager")
    while not play.game.finished:
        outcome = play.decided(play.player, play.choose())
        assert isinstance(outcome, Accepted), outcome
        play.carry_out(outcome)
    opening = imported(exported(records_of(play.events)))
    assert list(opening.events) == play.events
    assert state_bytes(replay(opening.events)) == state_bytes(play.game)
