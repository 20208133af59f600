"""What the platform `18xx.games` plays otherwise than the rulebook in stock rounds and at the end of a game."""

from __future__ import annotations

import pytest

from services.rules.importer.actions import SellShares
from services.rules.importer.names import names_of
from services.rules.importer.trace_actions import trade_fields
from services.rules.kernel.events import CashMoved, GameEndTriggered, PlayerActed, TurnStarted
from services.rules.kernel.title import Context
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.market.events import PriceMoved
from services.rules.parts.market.state import market_of
from services.rules.parts.shares.commands import SellCertificates
from services.rules.parts.shares.events import SharesBought
from services.rules.parts.shares.state import companies_of
from services.rules.parts.trains.data import train_kinds_of
from services.rules.titles.g1862 import endings
from services.rules.titles.g1862.events import ObligationTaken
from services.rules.titles.g1862.importer.dialect import DIALECT
from services.rules.titles.g1862.mergers.newprice import set_new_price
from services.rules.titles.g1862.rulings import RULINGS
from services.rules.titles.g1862.state import charter_of
from services.rules.titles.g1862.stock.rounds import can_act
from tests.titles.g1862.table import ADA, BEN, CLEO, Table, new_table

PEER = {ruling.name: ruling.peer for ruling in RULINGS}


def asked(table: Table, player: str, cash: int) -> bool:
    """Whether the player with this much money is asked in his turn of the stock round."""
    table.stock_round(player)
    table.cash(player, cash)
    return can_act(table.game, Context(table.data), player)


def sold_out(**rulings: str) -> Table:
    """All companies that can be opened in phase A are: Ada has all of them; Cleo has nothing."""
    table = new_table(3, by=rulings)
    for symbol in companies_of(table.game):
        if charter_of(table.game, symbol).offered_from == "A":
            table.found(symbol, 100, ADA, shares=10)
    return table


def test_who_could_pay_for_a_company_not_on_offer_yet_is_asked() -> None:
    """Nothing is for sale. By the rulebook Cleo is passed over; the platform asks her with the 162 that the cheapest
    director's certificate costs and not with 161."""
    table = sold_out(**PEER)
    assert asked(table, CLEO, 162)
    assert not asked(table, CLEO, 161)
    assert not asked(sold_out(), CLEO, 162)


@pytest.mark.parametrize(("rulings", "ended"), [({}, True), (PEER, False)])
def test_a_price_of_1000_by_a_merger(rulings: dict[str, str], ended: bool) -> None:
    """700 and half of 700 are 1050: the survivor stands at 1000. The game ends by it, on the platform only once a marker
    moves there by itself."""
    table = new_table(3, by=rulings)
    first, second = list(companies_of(table.game))[:2]
    for symbol, director in ((first, ADA), (second, BEN)):
        table.found(symbol, 700, director)
        table.train(symbol, "A")
    draft = table.draft()
    set_new_price(draft, table.data, first, second)
    endings.notice(draft, Context(table.data))
    assert market_of(draft.game).markers[first] == (0, 66)
    assert (GameEndTriggered("1862.stock_market", 1, 0) in draft.events) is ended
    table.take(draft)
    table.write(PriceMoved(first, 0, 65, "sale", 950))
    risen = table.draft()
    risen.emit(PriceMoved(first, 0, 66, "dividend", 1000))
    endings.notice(risen, Context(table.data))
    assert risen.game.ending == "1862.stock_market"


def test_a_table_of_both_lengths_has_fewer_first_trains_and_more_in_the_middle() -> None:
    """The platform lets a table choose the short game and the long one together."""
    options = DIALECT.options_of(("long_length", "eight_tokens", "short_length"), 3)
    assert options == ("eight_stations", "mixed_length")
    counts = [train.count for train in train_kinds_of(new_table(3, *options).data).values()]
    assert counts == [6, 5, 5, 4, 3, 2, 1, 0]
    assert DIALECT.options_of(("long_length",), 7) == ("long_game", "extra_companies")


def test_a_sale_that_ends_the_round_shows_its_own_proceeds_alone() -> None:
    """Ada sells her share of ESR for 37, nobody can act any more, and ECR, for which she answers, fails: its director's
    certificate, half of 3 x 54, is credited against the fine of 270 and is no part of the sale."""
    table = new_table(2, offer=("ESR", "ECR"), by=PEER)
    table.found("ESR", 74, BEN, shares=9, quoted=True)
    table.hold(ADA, "ESR", 1)
    table.found("ECR", 54, ADA, shares=3, quoted=False)
    table.price("ECR", 54)
    table.write(ObligationTaken(ADA, "ECR"))
    table.stock_round(ADA)
    for player in (ADA, BEN):
        table.cash(player, 0)
    table.write(PlayerActed(ADA), SharesBought(ADA, "ECR", 3))
    table.write(PlayerActed(BEN), SharesBought(BEN, "ESR", 9), TurnStarted(0))
    before = table.game
    events = table.act(ADA, SellCertificates("ESR", 1))
    assert CashMoved(BANK, ADA, 81, "certificate_sold", "ECR") in events
    action = SellShares(entity=ADA, entity_type="player", shares=("ESR_7",), percent=10)
    traded = trade_fields(DIALECT, action, events, before, table.data, names_of((ADA, BEN)))
    assert traded is not None
    assert traded["price"] == 37
