"""Bots and the choices they make."""

from __future__ import annotations

import pytest

from services.bots import BOTS, EagerBot, RandomBot, SensibleBot
from services.rules.kernel.choice import Choice, filled
from services.rules.kernel.commands import AnswerOffer, Pass
from services.rules.parts.auctions.commands import Bid
from services.rules.parts.map.commands import LayTile
from services.rules.parts.shares.commands import BuyCertificate, SellCertificates, StartCompany
from services.rules.parts.trains.commands import BuyTrain, DeclareDividend, Hop, RunTrains, TrainRun
from services.rules.titles.g1824.commands import RepayDebt, TradeInTrain
from services.rules.titles.g1862.commands import BuyNewTrain, BuyTokens, Merge, SettleOption
from services.rules.titles.g1865.commands import Absorb, ConvertCompany, HandOver, PlaceTokenByRoute

PASS = Choice("ann", Pass())
REPAY = Choice("ann", RepayDebt(90), "amount", 10, 90, 20)
TRAINS = (
    Choice("ann", BuyTrain("BK", "4-0", 280), cost=280),
    Choice("ann", BuyTrain("BK", "1g-0", 120), cost=120),
)
SALES = (Choice("ann", SellCertificates("BK", 2)), Choice("ann", SellCertificates("BK", 1)))


def lay(hex_id: str, cost: int = 0) -> Choice:
    """The choice of a yellow tile there."""
    return Choice("ann", LayTile("BK", hex_id, "9", 0), cost=cost)


@pytest.mark.parametrize("name", BOTS)
def test_every_bot_finds_something_among_any_choices(name: str) -> None:
    """Alone or together, with a pass or without, each choice leads to a command."""
    choices = (*TRAINS, *SALES, REPAY, lay("B9"), Choice("ann", AnswerOffer(True)))
    for offered in (*((each,) for each in choices), choices, (*choices, PASS), (PASS,)):
        command = BOTS[name](3).choose(offered)
        assert type(command) in {type(choice.command) for choice in offered}


def test_random_repeats_itself_and_keeps_to_the_bounds() -> None:
    """The same seed chooses the same; open numbers lie on the steps between the bounds."""
    choices = (REPAY, *TRAINS, PASS)
    first, second = RandomBot(5), RandomBot(5)
    drawn = [first.choose(choices) for _ in range(200)]
    assert drawn == [second.choose(choices) for _ in range(200)]
    amounts = {command.amount for command in drawn if isinstance(command, RepayDebt)}
    assert amounts == {10, 30, 50, 70, 90}


def test_sensible_repays_all_and_pays_out() -> None:
    """A debt goes as far as it can; a dividend goes to the shareholders."""
    bot = SensibleBot(1)
    assert bot.choose((REPAY, PASS)) == RepayDebt(90)
    kinds = [Choice("ann", DeclareDividend("BK", kind)) for kind in ("withhold", "pay")]
    assert bot.choose(kinds) == DeclareDividend("BK", "pay")


def test_sensible_buys_the_best_train_it_can_and_the_cheapest_it_must() -> None:
    """With a pass the dearest in the bank, without one the cheapest, after a few small sales."""
    assert SensibleBot(1).choose((*TRAINS, PASS)) == TRAINS[0].command
    bot = SensibleBot(1)
    answers = [bot.choose((*TRAINS, *SALES)) for _ in range(5)]
    assert answers == [*[SellCertificates("BK", 1)] * 4, TRAINS[1].command]


def test_sensible_sells_shares_to_get_out_of_debt() -> None:
    """After a purchase it had to make it sells and repays in turn, until there is nothing left to repay."""
    bot = SensibleBot(1)
    assert bot.choose(TRAINS[:1]) == TRAINS[0].command
    assert bot.choose((*SALES, PASS)) == SellCertificates("BK", 1)
    assert bot.choose((*SALES, REPAY, PASS)) == RepayDebt(90)
    assert bot.choose((*SALES, PASS)) == SellCertificates("BK", 1)
    assert bot.choose((*SALES, PASS)) == Pass()


def test_sensible_keeps_its_trains() -> None:
    """Another director's offer is declined."""
    offers = (Choice("ann", AnswerOffer(True)), Choice("ann", AnswerOffer(False)))
    assert SensibleBot(1).choose(offers) == AnswerOffer(False)


def test_sensible_builds_where_it_runs() -> None:
    """Before the first run only what is free; afterwards on the hexes its trains went through."""
    bot = SensibleBot(1)
    assert bot.choose((lay("C12", 40), PASS)) == Pass()
    assert bot.choose((lay("C12", 40), lay("D13"), PASS)) == lay("D13").command
    bot.choose((Choice("ann", RunTrains("BK", (TrainRun("2-0", (Hop(("B9", "C12")),)),)), "runs"),))
    assert bot.choose((lay("C12", 40), lay("D13"), PASS)) == lay("C12", 40).command


def test_sensible_buys_more_of_what_it_has() -> None:
    """The second certificate is of the company of the first."""
    certificates = [Choice("ann", BuyCertificate(symbol), cost=80) for symbol in ("BK", "MS", "SB")]
    bot = SensibleBot(4)
    first = bot.choose((*certificates, PASS))
    assert bot.choose((*certificates, PASS)) == first


def test_only_numbers_are_filled_in() -> None:
    """A choice without an open number is sent as it is."""
    assert filled(PASS, 7) == Pass()
    assert filled(REPAY, 30) == RepayDebt(30)


def test_auctions_come_to_an_end() -> None:
    """The sensible bot bids while a company goes for little; the random one stays between the bounds."""
    cheap, dear = (Choice("ann", Bid("ECR", 0), "price", least, 200, 5) for least in (20, 25))
    assert SensibleBot(1).choose((cheap, PASS)) == Bid("ECR", 20)
    assert SensibleBot(1).choose((dear, PASS)) == Pass()
    all_it_has = Choice("ann", Bid("ECR", 0), "price", 20, 125, 5)
    assert SensibleBot(1).choose((all_it_has, PASS)) == Pass()
    bids = {RandomBot(seed).choose((dear,)) for seed in range(60)}
    assert len(bids) > 20
    assert all(isinstance(bid, Bid) and 25 <= bid.price <= 200 and bid.price % 5 == 0 for bid in bids)


def test_companies_are_started_for_little() -> None:
    """The sensible bot keeps money for more shares; the eager one takes the lowest price mostly."""
    starts = [Choice("ann", StartCompany("ECR", par), cost=3 * par) for par in (54, 58, 62, 100)]
    assert SensibleBot(1).choose(starts) == StartCompany("ECR", 58)
    assert SensibleBot(1).choose(starts[3:]) == StartCompany("ECR", 100)
    pars = [
        command.price
        for seed in range(40)
        if isinstance(command := EagerBot(seed).choose(starts), StartCompany)
    ]
    assert pars.count(54) > 20 and len(set(pars)) > 1


def test_sensible_bids_first_for_what_it_holds() -> None:
    """Shares of a company make it worth bidding for before others."""
    bot = SensibleBot(2)
    bot.choose((Choice("ann", BuyCertificate("ESR"), cost=60),))
    bids = [Choice("ann", Bid(symbol, 0), "price", 5, 200, 5) for symbol in ("ECR", "ESR", "FDR")]
    assert bot.choose((*bids, PASS)) == Bid("ESR", 5)


def test_sensible_buys_trains_without_warranties() -> None:
    """Of the same train the one that costs least, as what is listed first."""
    trains = [
        Choice("ann", BuyNewTrain("ECR", "A-0", 100, kind, count), cost=100 + 50 * count)
        for kind in ("local", "freight")
        for count in (0, 1)
    ]
    assert SensibleBot(1).choose((*trains, PASS)) == trains[0].command
    assert SensibleBot(1).choose(trains) == trains[0].command


def test_sensible_must_buy_a_new_train_before_a_used_one() -> None:
    """As a bank's train is bought where all titles do it in the same way."""
    new = [Choice("ann", BuyNewTrain("ECR", "A-0", 100, "local", count), cost=100) for count in (1, 0)]
    used = Choice("ann", BuyTrain("ECR", "A-1", 50, "ESR"), cost=50)
    assert SensibleBot(1).choose((*new, used)) == new[1].command
    assert SensibleBot(1).choose((used,)) == used.command


def test_sensible_hands_in_a_train_when_it_cannot_just_buy_one() -> None:
    """The dearest of those that it gets for another."""
    trades = [
        Choice("ann", TradeInTrain("BK", train, price, "3-0"), cost=price)
        for train, price in (("2g-0", 180), ("4-0", 190))
    ]
    assert SensibleBot(1).choose((*trades, PASS)) == trades[1].command
    assert SensibleBot(1).choose((*trades, *TRAINS, PASS)) == TRAINS[0].command


def test_sensible_keeps_options_and_buys_a_few_tokens() -> None:
    """Options are redeemed where that is possible; three tokens are enough to begin with."""
    options = [Choice("ann", SettleOption(redeem)) for redeem in (False, True)]
    assert SensibleBot(1).choose(options) == SettleOption(True)
    tokens = [Choice("ann", BuyTokens("ECR", count)) for count in (2, 3, 4, 5)]
    assert SensibleBot(1).choose(tokens) == BuyTokens("ECR", 3)


def test_sensible_merges_rarely() -> None:
    """A merger happens now and then, mostly not."""
    choices = (Choice("ann", Merge("ECR", "ESR")), PASS)
    bot = SensibleBot(1)
    merged = sum(isinstance(bot.choose(choices), Merge) for _ in range(480))
    assert 5 < merged < 60


def test_sensible_makes_majors_and_takes_the_shortest_way() -> None:
    """A minor is converted as soon as it may be, and a token goes where the way is shortest."""
    assert SensibleBot(1).choose((PASS, Choice("ann", ConvertCompany("FMS")))) == ConvertCompany("FMS")
    ways = [("C38", "D37", "E38", "F39"), ("C38", "B39"), ("C38", "D37", "C36")]
    tokens = [Choice("ann", PlaceTokenByRoute("FMS", way[-1], 0, way), cost=10 * len(way)) for way in ways]
    assert SensibleBot(1).choose((*tokens, PASS)) == tokens[1].command


def test_sensible_hands_sea_companies_over_and_absorbs_now_and_then() -> None:
    """Both happen, and mostly it passes."""
    for command, least, most in (
        (HandOver("FMS", "M1"), 80, 160),
        (Absorb("RCSF", "FMS", ("C38",), ()), 30, 90),
    ):
        bot, choices = SensibleBot(1), (Choice("ann", command), PASS)
        taken = sum(bot.choose(choices) == command for _ in range(480))
        assert least < taken < most, command
