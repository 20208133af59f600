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
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.vocabulary import BANK, POOL
from services.rules.parts.leastharm import LeastHarm, least_harm_of
from services.rules.parts.shares.commands import SellCertificates
from services.rules.parts.trains.bestruns import question_for, reckon_for
from services.rules.parts.trains.commands import BuyTrain, DeclareDividend, RunTrains
from services.rules.parts.trains.runs import as_drawn
from services.rules.parts.trains.state import owned_by
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
    choice = least_harmful(found, loaded.game, loaded.data, least_harm_of(loaded.title))
    move = _completed(loaded, choice, best_runs)
    return replace(command, direction=replace(direction, command=move))


def asked_of_routing(command: Command) -> Command | None:
    """The command about which routing may be asked; none where it is still to be chosen."""
    return None if isinstance(command, LeastMove) else command


def least_harmful(found: tuple[Choice, ...], game: Game, data: TitleData, own: LeastHarm) -> Choice:
    """The first of the choices that do the least harm. `own`: of the commands that only this title has."""
    return min(found, key=lambda choice: _harm(choice, game, data, own))


def _harm(choice: Choice, game: Game, data: TitleData, own: LeastHarm) -> Harm:
    """To pass, to decline, to run and to pay out come first; then what costs least. Shares are sold, as few as may be, where
    the train that has to be bought is not paid otherwise. What nobody has to do comes last."""
    kind = type(choice.command)
    if kind in own.never_due:
        return (8, 0, 0)
    if kind in own.new_trains:
        return (4, 0, choice.cost)
    match choice.command:
        case Pass():
            return (0, 0, 0)
        case AnswerOffer(accept=False):
            return (1, 0, 0)
        case RunTrains():
            return (2, 0, 0)
        case DeclareDividend(kind=paid):
            return (3, DIVIDENDS.index(paid) if paid in DIVIDENDS else len(DIVIDENDS), 0)
        case BuyTrain(company=company, seller=seller):
            is_paid = choice.cost <= game.money(company) + game.money(choice.player)
            return (4 if is_paid else 7, _harm_to_seller(game, seller), choice.cost)
        case SellCertificates(shares=shares):
            return (6, shares, 0)
    return (5, choice.cost, own.lost[kind](game, data, choice) if kind in own.lost else 0)


def _harm_to_seller(game: Game, seller: str) -> int:
    """None to the bank, of whose trains some may be in its pool; a company had better keep a train for itself."""
    if seller in (BANK, POOL):
        return 0
    return 1 if len(owned_by(game, seller)) > 1 else 2


def _completed(loaded: LoadedGame, choice: Choice, best_runs: RouteSolution | None) -> Command:
    """The choice as a whole command: trains run for the most, a number is the smallest unless the title says another."""
    title, data, game, command = loaded.title, loaded.data, loaded.game, choice.command
    if not isinstance(command, RunTrains):
        number = least_harm_of(title).numbers.get(type(command))
        return filled(choice, number(game, data, choice) if number else choice.minimum)
    problem = question_for(title, game, data, None)
    if problem is None:
        return command
    if best_runs is None:
        raise Rejected("routing_unavailable", retryable=True)
    if reckon_for(title, game, data, best_runs).refusal:
        return command
    return replace(command, runs=as_drawn(problem, best_runs))
