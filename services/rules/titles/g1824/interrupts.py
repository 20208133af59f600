"""Questions that must be answered before play goes on in 1824: discards, forced exchanges, the second state token."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.kernel.choice import Choice
from services.rules.kernel.commands import Pass
from services.rules.kernel.draft import Draft
from services.rules.kernel.events import InterruptSettled
from services.rules.kernel.game import Game
from services.rules.kernel.questions import player_asked
from services.rules.kernel.rejections import reject_if
from services.rules.kernel.title import Action, Context, Step
from services.rules.kernel.values import kind_name
from services.rules.parts.map.commands import ChooseToken
from services.rules.parts.map.events import CharterTokensSet
from services.rules.parts.map.placing import choice_of_token
from services.rules.parts.map.state import map_of, unplaced_tokens
from services.rules.parts.trains.data import train_kinds_of
from services.rules.parts.trains.depot import is_crowded
from services.rules.parts.trains.events import TrainMoved
from services.rules.parts.trains.offers import SELL_TRAIN
from services.rules.parts.trains.state import trains_of
from services.rules.titles.g1824.bond import PLACE_BOND_TOKEN, TOKEN_STEP
from services.rules.titles.g1824.commands import DiscardTrain, ExchangeCompany
from services.rules.titles.g1824.exchanges import DISCARD_MOUNTAIN, FORCED_EXCHANGE
from services.rules.titles.g1824.rulings import plays
from services.rules.titles.g1824.states import double_places, return_token
from services.rules.titles.g1824.trains import ANSWER

DISCARD_TRAIN = "discard_train"
EXCHANGE_MOUNTAIN = "exchange_mountain"
CHOOSE_TOKEN = "choose_token"


def _check_train(game: Game, context: Context, player: str, command: DiscardTrain) -> None:
    due = game.interrupts[0].company
    reject_if(command.company != due, "interrupt_first", "1824/VII.11-x", due)
    reject_if(
        kind_name(command.train) not in train_kinds_of(context.data), "unknown_train", detail=command.train
    )
    owned = command.train in trains_of(game).owned.get(due, ())
    reject_if(not owned, "train_not_owned", "1824/VII.11-x", command.train)


def _perform_train(draft: Draft, context: Context, player: str, command: DiscardTrain) -> None:
    draft.emit(TrainMoved(command.train, command.company, "", "discarded"))
    if not is_crowded(draft.game, context.data, command.company):
        draft.emit(InterruptSettled("1824.discard_train", command.company))


def _train_candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
    due = game.interrupts[0].company
    for train in trains_of(game).owned.get(due, ()):
        yield Choice(player, DiscardTrain(due, train))


def _perform_token(draft: Draft, context: Context, player: str, command: ChooseToken) -> None:
    slot = map_of(draft.game).tokens[(command.hex, command.city)].index(command.company)
    draft.emit(InterruptSettled("1824.choose_token", command.company))
    first = double_places(draft.game, command.company)[0] == (command.hex, command.city)
    return_token(draft, context.data, command.company, command.hex, command.city, slot)
    if first and plays(draft.game, "returned_state_token", "last_one_free"):
        charter = unplaced_tokens(draft.game, command.company)
        draft.emit(CharterTokensSet(command.company, (*charter[:-1], 0)))


TOKEN = choice_of_token(lambda game, data, state: double_places(game, state), _perform_token, "1824/VII.8-e")
STEPS: dict[str, Step] = {
    SELL_TRAIN: ANSWER,
    "1824.discard_train": Step(
        DISCARD_TRAIN, {DiscardTrain: Action(_check_train, _perform_train, _train_candidates)}, player_asked
    ),
    "1824.exchange_company": Step(
        EXCHANGE_MOUNTAIN, {ExchangeCompany: FORCED_EXCHANGE, Pass: DISCARD_MOUNTAIN}, player_asked
    ),
    PLACE_BOND_TOKEN: TOKEN_STEP,
    "1824.choose_token": Step(CHOOSE_TOKEN, {ChooseToken: TOKEN}, player_asked),
}
