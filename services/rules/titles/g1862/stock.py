"""Stock rounds of 1862: whose turn it is, when a turn and the round end, and what the end brings (6.1, 6.2, 6.6)."""

from __future__ import annotations

from services.rules.domain import events as e
from services.rules.domain.commands import BuyCertificate, Pass, SellCertificates, StartCompany
from services.rules.domain.draft import Draft
from services.rules.domain.game import Game
from services.rules.domain.passing import pass_candidates
from services.rules.domain.rejections import refuse_if
from services.rules.domain.title import Action, Context, Step
from services.rules.titles.g1862.buying import BUY_CERTIFICATE, is_tempted
from services.rules.titles.g1862.companies import clockwise_from
from services.rules.titles.g1862.obligations import enforce
from services.rules.titles.g1862.selling import SELL, must_sell
from services.rules.titles.g1862.starting import START_COMPANY, can_open_any, could_pay_to_open

STOCK_TURN = "stock_turn"


def start_round(draft: Draft, turn: int) -> None:
    """A stock round, clockwise from the holder of the priority marker (1862/6.1-a)."""
    draft.emit(e.RoundStarted("stock", turn, 1, 1, clockwise_from(draft.game, draft.game.priority)))
    draft.emit(e.TurnStarted(0))


def _check_pass(game: Game, context: Context, player: str, command: Pass) -> None:
    sells = must_sell(game, context, player) and SELL.is_open(game, context, player)
    refuse_if(sells, "must_sell", "1862/6.5.2-d")


def _perform_pass(draft: Draft, context: Context, player: str, command: Pass) -> None:
    end_turn(draft, player)


def _actor(game: Game, context: Context) -> tuple[str, ...]:
    return (game.actor,)


STOCK_STEP = Step(
    STOCK_TURN,
    {
        SellCertificates: SELL,
        BuyCertificate: BUY_CERTIFICATE,
        StartCompany: START_COMPANY,
        Pass: Action(_check_pass, _perform_pass, pass_candidates),
    },
    _actor,
)


def can_act(game: Game, context: Context, player: str) -> bool:
    """Whether the player has anything to do but pass, or is asked all the same.

    A purchase was the last thing in a turn (1862/6.2-a)."""
    if game.turn.bought:
        return False
    return (
        BUY_CERTIFICATE.is_open(game, context, player)
        or SELL.is_open(game, context, player)
        or can_open_any(game, context.data, player)
        or is_tempted(game, context.data, player)
        or could_pay_to_open(game, context.data, player)
    )


def end_turn(draft: Draft, player: str) -> None:
    """Close the player's turn and hand over clockwise."""
    draft.emit(e.PlayerPassed(player, draft.game.turn.acted))
    if not all_passed(draft.game):
        current = draft.game.current_round
        draft.emit(e.TurnStarted((current.position + 1) % len(current.order)))


def all_passed(game: Game) -> bool:
    """Whether all players passed in succession (1862/6.6-a)."""
    return len(game.current_round.passed_in_succession) == len(game.players)


def advance_turn(draft: Draft, context: Context) -> bool:
    """Carry the round on; true when a player has to decide, false when the round is over."""
    while not all_passed(draft.game):
        game = draft.game
        if can_act(game, context, game.actor):
            if game.current_round.step != STOCK_TURN:
                draft.emit(e.StepStarted(STOCK_TURN))
            return True
        end_turn(draft, game.actor)
    return False


def end_round(draft: Draft, context: Context) -> None:
    """Missed obligations are fined, and the priority goes to the player who passed first at the end (4.3-b, 6.6-b)."""
    enforce(draft, context)
    last = draft.game.current_round.last_to_act
    if last:
        players = draft.game.players
        draft.emit(e.PriorityMoved(players[(players.index(last) + 1) % len(players)]))
    draft.emit(e.RoundEnded("stock"))
