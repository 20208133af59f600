"""Writes down the course of play."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from services.rules.domain import events as e
from services.rules.domain.evolve_base import BrokenLog, company_of
from services.rules.domain.game import IDLE_TURN, Game, Interrupt, Round, Turn


def _created(game: Game, event: e.GameCreated) -> None:
    game.title = event.title
    game.rules_version = event.rules_version
    game.players = event.players
    game.options = event.options
    game.rulings = {ruling.name: ruling.value for ruling in event.rulings}
    game.undo_policy = event.undo_policy
    game.seed = event.seed
    game.cash = dict.fromkeys(event.players, 0)
    game.cash[e.BANK] = event.bank_cash


def _phase_started(game: Game, event: e.PhaseStarted) -> None:
    game.phase = event.phase


def _round_started(game: Game, event: e.RoundStarted) -> None:
    game.round = Round(event.kind, event.turn, event.number, event.count, event.order, position=-1)
    game.turn = IDLE_TURN
    if event.kind == "stock":
        game.failed = ()


def _round_ended(game: Game, event: e.RoundEnded) -> None:
    game.round = replace(game.current_round, ended=True, step="")


def _order_changed(game: Game, event: e.OrderChanged) -> None:
    game.round = replace(game.current_round, order=event.order)


def _turn_started(game: Game, event: e.TurnStarted) -> None:
    game.round = replace(game.current_round, position=event.position, step="")
    game.turn = IDLE_TURN


def _step_started(game: Game, event: e.StepStarted) -> None:
    game.round = replace(game.current_round, step=event.step)


def _step_passed(game: Game, event: e.StepPassed) -> None:
    game.turn = replace(game.turn, passed=event.step)


def _player_passed(game: Game, event: e.PlayerPassed) -> None:
    current = game.current_round
    if event.acted:
        return
    passed, successive = current.passed, current.passed_in_succession
    game.round = replace(
        current,
        passed=passed if event.player in passed else (*passed, event.player),
        passed_in_succession=successive if event.player in successive else (*successive, event.player),
    )


def _turn_ended(game: Game, event: e.TurnEnded) -> None:
    if game.current_round.kind == "operating":
        game.companies[event.actor] = replace(company_of(game, event.actor), operated=True)


def _stock_turn_acted(game: Game, event: e.StockTurnActed) -> None:
    current, turn = game.current_round, game.turn
    sold = current.sold
    if event.sold and (event.player, event.sold) not in sold:
        sold = (*sold, (event.player, event.sold))
    purchases = (*current.purchases, (event.player, event.bought)) if event.bought else current.purchases
    passed = tuple(player for player in current.passed if player != event.player)
    game.round = replace(
        current,
        last_to_act=event.player,
        passed=passed,
        passed_in_succession=(),
        sold=sold,
        purchases=purchases,
    )
    game.turn = Turn(
        acted=True,
        bought=event.bought or turn.bought,
        sold=(*turn.sold, event.sold) if event.sold else turn.sold,
    )


def _priority_moved(game: Game, event: e.PriorityMoved) -> None:
    game.priority = event.player


def _interrupt_raised(game: Game, event: e.InterruptRaised) -> None:
    game.interrupts = (*game.interrupts, Interrupt(event.kind, event.player, event.company, event.subject))


def _interrupt_settled(game: Game, event: e.InterruptSettled) -> None:
    for index, open_interrupt in enumerate(game.interrupts):
        if (open_interrupt.kind, open_interrupt.company) == (event.kind, event.company):
            game.interrupts = game.interrupts[:index] + game.interrupts[index + 1 :]
            if not event.agreed:
                game.turn = replace(game.turn, declined=(*game.turn.declined, open_interrupt.subject))
            return
    raise BrokenLog(f"no open interrupt {event.kind} about {event.company}")


def _game_end_triggered(game: Game, event: e.GameEndTriggered) -> None:
    game.ending = event.reason
    current = game.current_round
    game.ending_round = (current.turn, current.number if current.kind == "operating" else 0)


def _game_ended(game: Game, event: e.GameEnded) -> None:
    game.finished = True
    game.ending = event.reason
    game.scores = event.scores


def _action_taken(game: Game, event: e.ActionTaken) -> None:
    game.turn = replace(game.turn, actions=(*game.turn.actions, event.action))


def _monopoly_formed(game: Game, event: e.MonopolyFormed) -> None:
    game.monopoly = event.name
    game.certificate_limit = event.certificate_limit


WRITERS: dict[type[e.Event], Callable[[Game, Any], None]] = {
    e.GameCreated: _created,
    e.PhaseStarted: _phase_started,
    e.RoundStarted: _round_started,
    e.RoundEnded: _round_ended,
    e.OrderChanged: _order_changed,
    e.TurnStarted: _turn_started,
    e.StepStarted: _step_started,
    e.StepPassed: _step_passed,
    e.PlayerPassed: _player_passed,
    e.TurnEnded: _turn_ended,
    e.StockTurnActed: _stock_turn_acted,
    e.PriorityMoved: _priority_moved,
    e.InterruptRaised: _interrupt_raised,
    e.InterruptSettled: _interrupt_settled,
    e.GameEndTriggered: _game_end_triggered,
    e.GameEnded: _game_ended,
    e.ActionTaken: _action_taken,
    e.MonopolyFormed: _monopoly_formed,
}
