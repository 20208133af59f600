"""The least harmful of a seat's choices: what a clock does for a player whose turn is overdue and who may not pass."""

from __future__ import annotations

from msgspec.structs import replace

from services.routing.domain.solution import RouteSolution
from services.rules.kernel.choice import Choice, filled
from services.rules.kernel.commands import AnswerOffer, Command, Pass
from services.rules.kernel.decide import choices
from services.rules.kernel.directing.commands import ActForSeat, Direct, LeastMove
from services.rules.kernel.game import Game
from services.rules.kernel.rejections import Rejected
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.shares.commands import SellCertificates
from services.rules.parts.trains.bestruns import question_for, reckon_for
from services.rules.parts.trains.commands import BuyTrain, DeclareDividend, RunTrains
from services.rules.parts.trains.runs import as_drawn
from services.rules.sessions import LoadedGame

DIVIDENDS = ("pay", "half", "withhold")

Harm = tuple[int, int, int]
"""What is smaller does less harm."""


def with_least_move(loaded: LoadedGame, command: Direct, best_runs: RouteSolution | None) -> Direct:
    """The decision with the move in the place of `LeastMove`; unchanged where nothing of the kind is asked for, or the seat has
    no choice. `best_runs`: of the company at turn, where trains run. Raises `Rejected` where these are not known just now."""
    direction = command.direction
    if not isinstance(direction, ActForSeat) or not isinstance(direction.command, LeastMove):
        return command
    found = choices(loaded.title, loaded.data, loaded.game, direction.seat)
    if not found:
        return command
    move = _completed(loaded, least_harmful(found, loaded.game), best_runs)
    return replace(command, direction=replace(direction, command=move))


def asked_of_routing(command: Command) -> Command | None:
    """The command about which routing may be asked; none where it is still to be chosen."""
    return None if isinstance(command, LeastMove) else command


def least_harmful(found: tuple[Choice, ...], game: Game) -> Choice:
    """The first of the choices that do the least harm."""
    return min(found, key=lambda choice: _harm(choice, game))


def _harm(choice: Choice, game: Game) -> Harm:
    """To pass, to decline, to run and to pay out come first; then what costs least. Shares are sold, as few as may be, where
    the train that has to be bought is not paid otherwise."""
    match choice.command:
        case Pass():
            return (0, 0, 0)
        case AnswerOffer(accept=False):
            return (1, 0, 0)
        case RunTrains():
            return (2, 0, 0)
        case DeclareDividend(kind=kind):
            return (3, DIVIDENDS.index(kind) if kind in DIVIDENDS else len(DIVIDENDS), 0)
        case BuyTrain(company=company, seller=seller):
            is_paid = choice.cost <= game.money(company) + game.money(choice.player)
            return (4 if is_paid else 7, int(seller != BANK), choice.cost)
        case SellCertificates(shares=shares):
            return (6, shares, 0)
    return (5, choice.cost, 0)


def _completed(loaded: LoadedGame, choice: Choice, best_runs: RouteSolution | None) -> Command:
    """The choice as a whole command: trains run for the most, a number is the smallest."""
    title, data, game, command = loaded.title, loaded.data, loaded.game, choice.command
    if not isinstance(command, RunTrains):
        return filled(choice, choice.minimum)
    problem = question_for(title, game, data, None)
    if problem is None:
        return command
    if best_runs is None:
        raise Rejected("routing_unavailable", retryable=True)
    if reckon_for(title, game, data, best_runs).refusal:
        return command
    return replace(command, runs=as_drawn(problem, best_runs))
