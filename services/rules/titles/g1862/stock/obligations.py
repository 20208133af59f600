"""Obligations: a chartered company that is not quoted in time costs its winner a fine and goes back to the offer (4.3)."""

from __future__ import annotations

from services.rules.kernel.draft import Draft
from services.rules.kernel.events import DebtChanged, InterruptRaised, InterruptSettled
from services.rules.kernel.game import Game
from services.rules.kernel.questions import player_asked
from services.rules.kernel.title import Action, Context, Step
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.shares.commands import SellCertificates
from services.rules.parts.shares.shares import shares_of
from services.rules.parts.shares.state import companies_of
from services.rules.titles.g1862.companies import effective_price
from services.rules.titles.g1862.events import ObligationFailed
from services.rules.titles.g1862.figures import figures_of
from services.rules.titles.g1862.mergers.restarting import restart
from services.rules.titles.g1862.rulings import plays
from services.rules.titles.g1862.state import own
from services.rules.titles.g1862.stock.selling import check_sale, sale_candidates, sell


def enforce(draft: Draft, context: Context) -> None:
    """At the end of a stock round every open obligation has failed, each is judged by itself (1862/4.3-b, 4.3-f).

    What a player cannot pay at once he raises by selling shares; what is left when he has none is forgiven. Who has any is
    seen when all failed companies are gone."""
    order, failed = draft.game.current_round.order, own(draft.game).obligations
    for player in order:
        for obliged, symbol in failed:
            if obliged == player:
                _fail(draft, context.data, player, symbol)
    for player in order:
        if draft.game.debts.get(player, 0):
            due = next(symbol for obliged, symbol in failed if obliged == player)
            draft.emit(InterruptRaised("1862.pay_fine", player, due))
    _forgive_the_helpless(draft, context)


def _fail(draft: Draft, data: TitleData, player: str, symbol: str) -> None:
    """Fine the player, from his cash first, and put the company back (1862/4.3-b, 4.3-c, 4.3-d)."""
    game = draft.game
    draft.emit(ObligationFailed(player, symbol))
    owed = figures_of(data).obligation_fine_times_par * companies_of(game)[symbol].par
    if plays(game, "fine_and_failed_shares", "credited"):
        _credit_shares(draft, data, player, symbol, owed - game.money(player))
    paid = min(owed, draft.game.money(player))
    draft.pay(player, BANK, paid, "1862.fine", symbol)
    if owed > paid:
        draft.emit(DebtChanged(player, owed - paid, "1862.fine"))
    restart(draft, symbol)


def _credit_shares(draft: Draft, data: TitleData, player: str, symbol: str, lacking: int) -> None:
    """Pay for the player's shares of the failed company, plain ones first, until nothing is lacking."""
    price = effective_price(draft.game, data, symbol)
    credited = 0
    for number in sorted(draft.game.held(player, symbol), reverse=True):
        if credited >= lacking:
            break
        credited += shares_of(data, symbol, (number,)) * price
    draft.pay(BANK, player, credited, "certificate_sold", symbol)


def can_sell(game: Game, context: Context, player: str) -> bool:
    """Whether the player has any share he could sell now."""
    return _SALE.is_open(game, context, player)


def _forgive_the_helpless(draft: Draft, context: Context) -> None:
    """A player who owes and has nothing (more) to sell is forgiven and not asked."""
    for asked in draft.game.interrupts:
        if asked.kind == "1862.pay_fine" and not can_sell(draft.game, context, asked.player):
            draft.emit(DebtChanged(asked.player, -draft.game.debts[asked.player], "1862.forgiven"))
            draft.emit(InterruptSettled("1862.pay_fine", asked.company))


def _perform(draft: Draft, context: Context, player: str, command: SellCertificates) -> None:
    """The proceeds go to the fine; the question is settled when it is paid or nothing can be sold any more."""
    due = draft.game.interrupts[0].company
    sell(draft, context, player, command)
    paid = min(draft.game.debts[player], draft.game.money(player))
    draft.pay(player, BANK, paid, "1862.fine", due)
    if paid:
        draft.emit(DebtChanged(player, -paid, "repaid"))
    if player not in draft.game.debts:
        draft.emit(InterruptSettled("1862.pay_fine", due))
    _forgive_the_helpless(draft, context)


_SALE = Action(check_sale, _perform, sale_candidates)
PAY_FINE = Step("pay_fine", {SellCertificates: _SALE}, player_asked)
