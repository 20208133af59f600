"""Selling shares to the bank or into the pool: the checks, the money, the choices, and the sale in a stock turn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from services.rules.kernel.choice import Choice
from services.rules.kernel.draft import Draft
from services.rules.kernel.game import Game
from services.rules.kernel.rejections import reject_if
from services.rules.kernel.title import Action, Context
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.shares.commands import SellCertificates
from services.rules.parts.shares.data import cards_of
from services.rules.parts.shares.dealing import note_sale
from services.rules.parts.shares.shares import move_certificates, shares_held
from services.rules.parts.shares.state import stock_turn

CheckSale = Callable[[Game, Context, str, SellCertificates], None]


def check_numbers(data: TitleData, command: SellCertificates) -> None:
    """Reject a sale of nothing, and certificates that the company does not have."""
    reject_if(command.shares <= 0, "value_out_of_range", detail=f"shares = {command.shares}")
    printed = len(cards_of(data)[command.company].certificates)
    unknown = any(not 0 <= number < printed for number in command.numbers)
    reject_if(unknown, "unknown_certificate", detail=str(command.numbers))


def has_all(game: Game, player: str, company: str, numbers: tuple[int, ...]) -> bool:
    """Whether the player holds each of these certificates, none of them named twice."""
    held = game.held(player, company)
    return len(set(numbers)) == len(numbers) and all(number in held for number in numbers)


def hand_in(
    draft: Draft, player: str, company: str, numbers: tuple[int, ...], proceeds: int, target: str
) -> None:
    """The certificates go to `target`, and the bank pays for them."""
    move_certificates(draft, company, numbers, player, target, "sold")
    draft.pay(BANK, player, proceeds, "certificate_sold", company)


def sale_choices(game: Game, data: TitleData, player: str, companies: Iterable[str]) -> Iterator[Choice]:
    """Every number of shares that the player has of these companies."""
    for company in companies:
        for shares in range(1, shares_held(game, data, player, company) + 1):
            yield Choice(player, SellCertificates(company, shares))


def sale_in_turn(
    check_sale: CheckSale,
    sell: Callable[[Draft, Context, str, SellCertificates], None],
    candidates: Callable[[Game, Context, str], Iterator[Choice]],
    clause: str,
) -> Action:
    """The command `SellCertificates` in a stock turn, where sales come before the purchase, as `clause` says."""

    def check(game: Game, context: Context, player: str, command: SellCertificates) -> None:
        reject_if(bool(stock_turn(game).bought), "buy_before_sell", clause)
        check_sale(game, context, player, command)

    def perform(draft: Draft, context: Context, player: str, command: SellCertificates) -> None:
        sell(draft, context, player, command)
        note_sale(draft, player, command.company)

    return Action(check, perform, candidates)
