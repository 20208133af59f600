"""The commands of a game played beforehand, so that a load generator has nothing to think about."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from services.rules.adapters.codec import command_message
from services.rules.catalogue import TableRulings, rulings_of
from services.rules.kernel.commands import CreateGame
from services.rules.kernel.decide import Accepted
from services.rules.titles import TITLES
from tests.simulation.play import Play


class Move(msgspec.Struct, frozen=True):
    """One command: who gives it, the sequence it expects, and its message."""

    player: str
    expected: int
    command: bytes


def script(title: str, seats: Sequence[str], seed: int, most: int) -> list[Move]:
    """The first `most` commands of a game of sensible bots; the same at every table with these seats."""
    rulings = rulings_of(TITLES[title], TableRulings("", {}))
    play = Play(CreateGame(title, tuple(seats), (), rulings, "own_turn", seed), "sensible")
    moves: list[Move] = []
    while len(moves) < most and play.found and not play.unproven:
        command = play.choose()
        moves.append(Move(play.player, play.game.sequence, command_message(command).SerializeToString()))
        decided = play.decided(play.player, command)
        assert isinstance(decided, Accepted), decided
        play.carry_out(decided)
    return moves
