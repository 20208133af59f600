"""The draft of the sea companies: one each in playing order, then another in reverse order (2-e to 2-g)."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.kernel.choice import Choice
from services.rules.kernel.draft import Draft
from services.rules.kernel.events import RoundEnded, RoundStarted, StepStarted, TurnStarted
from services.rules.kernel.flow import RoundRules
from services.rules.kernel.game import Game
from services.rules.kernel.rejections import reject_if
from services.rules.kernel.title import Action, Context, Step
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.turns import actor_alone, clockwise_from
from services.rules.titles.g1865.commands import TakeMaritime
from services.rules.titles.g1865.events import MaritimeTaken
from services.rules.titles.g1865.figures import figures_of
from services.rules.titles.g1865.maritime import maritime_cards
from services.rules.titles.g1865.state import own

DRAFT = "1865.draft"


def start_draft(draft: Draft, data: TitleData) -> None:
    """Everybody picks in order, and in reverse order, in turns until all have as many as they get (2-e, 2-f)."""
    order = clockwise_from(draft.game, draft.game.priority)
    picks: tuple[str, ...] = ()
    for _ in range(figures_of(data).maritime_per_player):
        picks, order = picks + order, order[::-1]
    draft.emit(RoundStarted(DRAFT, 1, 1, 1, picks))
    draft.emit(TurnStarted(0))


def _check(game: Game, context: Context, player: str, command: TakeMaritime) -> None:
    unknown = command.maritime not in maritime_cards(context.data)
    reject_if(unknown, "1865.maritime_unknown", "1865/1-n", command.maritime)
    taken = command.maritime in own(game).maritime
    reject_if(taken, "1865.maritime_taken", "1865/2-e", command.maritime)


def _perform(draft: Draft, context: Context, player: str, command: TakeMaritime) -> None:
    draft.emit(MaritimeTaken(command.maritime, player))
    draft.emit(TurnStarted(draft.game.current_round.position + 1))


def _candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
    for name in maritime_cards(context.data):
        yield Choice(player, TakeMaritime(name))


PICK = Step("take_maritime", {TakeMaritime: Action(_check, _perform, _candidates)}, actor_alone)


def _advance(draft: Draft, context: Context) -> bool:
    if not draft.game.actor:
        return False
    draft.emit(StepStarted(PICK.name))
    return True


def _end(draft: Draft, context: Context) -> None:
    """Sea companies that nobody took are not in the game (2-g)."""
    draft.emit(RoundEnded(DRAFT))


ROUND = RoundRules(lambda game: PICK, _advance, _end)
