"""Who plays the seats of a game, and what its directors decided, as everybody sees it."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from services.gen.signalbox.rules.v1 import game_pb2
from services.rules.adapters.codec import BEARER_KINDS
from services.rules.adapters.messages import pair
from services.rules.kernel.game import Game
from services.rules.kernel.sentences import Sentence, decision_sentence
from services.rules.kernel.values import Decision, DecisionKind


class _Shown(Struct, frozen=True):
    kind: DecisionKind
    seat: str
    author: str
    reason: str
    confirmed_by: str
    sentence: str
    sentence_parts: Sentence


_decision_message: Callable[[_Shown], game_pb2.DecisionView] = pair(_Shown, game_pb2.DecisionView).encode


def add_directing(view: game_pb2.GameView, game: Game) -> None:
    """Put it into the view of a game."""
    for seat in game.players:
        bearer = game.bearer_of(seat)
        view.seats.add(seat=seat, bearer=bearer.account, kind=BEARER_KINDS[bearer.kind])
    view.suspended = game.suspended
    view.decisions.extend(_decision_message(_shown(decision)) for decision in game.decisions)


def _shown(decision: Decision) -> _Shown:
    sentence = decision_sentence(decision)
    return _Shown(
        decision.kind,
        decision.seat,
        decision.author,
        decision.reason,
        decision.confirmed_by,
        sentence.text,
        sentence,
    )
