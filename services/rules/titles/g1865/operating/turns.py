"""Who may act in the turn of a railway of 1865: its president, and the owners of sea companies (3-b)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from services.rules.kernel.choice import Choice
from services.rules.kernel.commands import Command, Pass
from services.rules.kernel.draft import Draft
from services.rules.kernel.events import InterruptRaised, InterruptSettled
from services.rules.kernel.game import IDLE_TURN, Game
from services.rules.kernel.passing import PASS, pass_candidates
from services.rules.kernel.questions import player_asked
from services.rules.kernel.rejections import reject_if
from services.rules.kernel.title import Action, Context, Step, never_refused
from services.rules.kernel.turns import clockwise_from
from services.rules.kernel.turnstep import TurnStep
from services.rules.titles.g1865.commands import HandOver
from services.rules.titles.g1865.companies import president_of
from services.rules.titles.g1865.events import MaritimeTaken
from services.rules.titles.g1865.maritime import maritime_cards
from services.rules.titles.g1865.rulings import plays
from services.rules.titles.g1865.state import maritime_of
from services.rules.titles.g1865.traffic import use_ports


def who_may_act(game: Game, context: Context) -> tuple[str, ...]:
    """The president of the railway at turn, who is asked, and the other owners of sea companies by their seats."""
    president = president_of(game, game.actor)
    if plays(game, "handing_over", "president"):
        return (president,)
    others = [player for player in game.players if player != president and maritime_of(game, player)]
    return (president, *others)


def by_president(action: Action) -> Action:
    """The same action, refused to everybody but the president of the railway at turn."""

    def check(game: Game, context: Context, player: str, command: Command) -> None:
        reject_if(player != president_of(game, game.actor), "not_your_turn", detail=player)
        action.check(game, context, player, command)

    return replace(action, check=check)


def railway_step(
    name: str,
    actions: Mapping[type[Command], Action],
    passing: Action = PASS,
) -> TurnStep:
    """A step of a railway's turn in which its president acts or passes, while anybody may hand over a sea company. It is left out
    when the president can do none of `actions`."""

    def is_possible(game: Game, context: Context) -> bool:
        president = president_of(game, game.actor)
        return any(action.is_open(game, context, president) for action in actions.values())

    own = {kind: by_president(action) for kind, action in actions.items()}
    step = Step(name, {**own, HandOver: HAND_OVER, Pass: by_president(passing)}, who_may_act)
    return TurnStep(step, is_possible)


def _check(game: Game, context: Context, player: str, command: HandOver) -> None:
    """Only what the player has, and only to the railway at turn (3-b)."""
    reject_if(command.company != game.actor, "not_your_turn", "1865/3-b", command.company)
    known = command.maritime in maritime_cards(context.data)
    reject_if(not known, "1865.maritime_unknown", "1865/1-n", command.maritime)
    owned = command.maritime in maritime_of(game, player)
    reject_if(not owned, "1865.maritime_not_owned", "1865/3-b", command.maritime)


def _hand_over(draft: Draft, context: Context, player: str, command: HandOver) -> None:
    """Without any compensation (3-c); a port where the railway has a token brings its traffic (3-h)."""
    draft.emit(MaritimeTaken(command.maritime, command.company))
    use_ports(draft, context.data, command.company)


def _candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
    for name in maritime_of(game, player):
        yield Choice(player, HandOver(game.actor, name))


OWNER_ASKED = "1865.hand_over"
HAND_OVER = Action(_check, _hand_over, _candidates)


def _ask_owners(draft: Draft, context: Context) -> None:
    """Where the president is asked nothing before revenue is reckoned, the other owners have no moment but this one: they are
    asked one after the other (3-b)."""
    game = draft.game
    president, *others = who_may_act(game, context)
    if game.turn != IDLE_TURN or maritime_of(game, president):
        return
    for player in clockwise_from(game, president):
        if player in others:
            draft.emit(InterruptRaised(OWNER_ASKED, player, game.actor))


def _answer(draft: Draft, context: Context, player: str, command: HandOver) -> None:
    _hand_over(draft, context, player, command)
    if not maritime_of(draft.game, player):
        draft.emit(InterruptSettled(OWNER_ASKED, draft.game.actor))


def _keep(draft: Draft, context: Context, player: str, command: Pass) -> None:
    draft.emit(InterruptSettled(OWNER_ASKED, draft.game.actor))


# The last moment before revenue is reckoned.
HAND = replace(railway_step("hand_over", {HandOver: HAND_OVER}), begin=_ask_owners)
ANSWER_OWNER_ASKED = Step(
    "owner_hands_over",
    {HandOver: replace(HAND_OVER, perform=_answer), Pass: Action(never_refused, _keep, pass_candidates)},
    player_asked,
)
