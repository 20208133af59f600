"""Questions that are put to one player: who is asked, and the two answers to an offer."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.kernel.choice import Choice
from services.rules.kernel.commands import AnswerOffer
from services.rules.kernel.game import Game
from services.rules.kernel.title import Context


def player_asked(game: Game, context: Context) -> tuple[str, ...]:
    """The player to whom the oldest open question is put."""
    return (game.interrupts[0].player,)


def both_answers(game: Game, context: Context, player: str) -> Iterator[Choice]:
    """Accept, or decline."""
    yield Choice(player, AnswerOffer(True))
    yield Choice(player, AnswerOffer(False))
