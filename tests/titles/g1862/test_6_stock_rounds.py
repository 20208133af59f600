"""Stock rounds of 1862: turns, purchases, limits, the end of a round (6.1, 6.2, 6.5.1, 6.5.2, 6.6)."""

from random import Random

import pytest

from services.rules.kernel.commands import Pass
from services.rules.kernel.title import Context
from services.rules.kernel.vocabulary import BANK, POOL
from services.rules.parts.shares.commands import BuyCertificate, SellCertificates, StartCompany
from services.rules.parts.shares.data import cards_of
from services.rules.parts.shares.state import companies_of
from services.rules.titles.g1862.state import charter_of
from services.rules.titles.g1862.stock.rounds import can_act
from tests.positions.rounds import ended_rounds, ends_of_game, passed, priorities
from tests.titles.g1862.stockboard import STOCK_OFFER, stock_table
from tests.titles.g1862.table import ADA, BEN, CLEO, DORA, PLAYERS, new_table


@pytest.mark.clause("1862/6.1-a")
def test_turns_go_clockwise_from_the_priority_holder() -> None:
    """Cleo has the priority marker: Cleo, Dora, Ada, Ben."""
    table = stock_table(first=CLEO)
    for player in (CLEO, DORA, ADA, BEN):
        assert table.asked() == player
        table.pass_on()


@pytest.mark.clause("1862/6.2-a")
def test_sales_come_before_the_purchase_and_the_purchase_ends_the_turn() -> None:
    """Ada sells, then buys one share, and it is Ben's turn; after a purchase nothing is sold."""
    table = stock_table()
    table.is_founded("ECR", 54, BEN)
    table.act(ADA, SellCertificates("ESR", 1))
    assert table.asked() == ADA
    table.act(ADA, BuyCertificate("ECR"))
    assert table.asked() == BEN
    bought = stock_table()
    bought.is_founded("ECR", 54, BEN)
    bought.has_bought(ADA, "ECR")
    assert bought.refusal(ADA, SellCertificates("ESR", 1)) == ("buy_before_sell", "1862/6.2-a")
    assert bought.refusal(ADA, BuyCertificate("ECR")) == ("already_bought", "1862/6.2-a")
    assert bought.refusal(ADA, StartCompany("WNR", 54)) == ("already_bought", "1862/6.2-a")


@pytest.mark.clause("1862/6.2-b")
def test_who_does_neither_passes() -> None:
    """A pass is recorded as one, a turn with a sale only is not."""
    table = stock_table()
    assert passed(table.act(ADA, Pass())) == [ADA]
    table.act(BEN, SellCertificates("ESR", 1))
    assert passed(table.act(BEN, Pass())) == []
    assert (table.asked(), table.game.current_round.passed) == (CLEO, (ADA,))


@pytest.mark.clause("1862/6.5.1-a")
@pytest.mark.clause("1862/6.5.1-c")
@pytest.mark.clause("1862/6.5.1-d")
@pytest.mark.clause("1862/6.5.1-e")
@pytest.mark.clause("1862/6.5.1-f")
def test_where_shares_are_bought_and_for_how_much() -> None:
    """Initial offer at par and pool at market price to the bank, treasury at market price to the company, trains or not."""
    table = stock_table(120 + 2, train=False)
    table.par_is("ESR", 100)
    table.holds(POOL, "ESR", 1)
    table.is_founded("ECR", 74, DORA, shares=5, chartered=False)
    table.price_is("ECR", 90)
    for source, symbol, cost, payee in (
        (BANK, "ESR", 100, BANK),
        (POOL, "ESR", 122, BANK),
        ("ECR", "ECR", 90, "ECR"),
    ):
        table.stock_round_is(CLEO)
        before, paid_to = table.game.money(CLEO), table.game.money(payee)
        table.act(CLEO, BuyCertificate(symbol, source))
        assert table.game.money(CLEO) == before - cost
        assert table.game.money(payee) == paid_to + cost
    table.stock_round_is(CLEO)
    for source in (ADA, "ESR", "ECR"):
        refused = table.refusal(CLEO, BuyCertificate("ESR", source))
        assert refused == ("certificate_not_available", "1862/6.5.1-a")
    assert table.refusal(CLEO, BuyCertificate("WNR")) == ("company_without_price", "1862/6.5.1-a")
    assert table.refusal(CLEO, BuyCertificate("ESR", BANK, 8)) == ("unknown_certificate", "")
    table.holds(POOL, "ESR", 1)
    table.has_cash(CLEO, 121)
    assert table.refusal(CLEO, BuyCertificate("ESR", POOL)) == ("not_enough_cash", "1862/6.5.1-d")


@pytest.mark.clause("1862/6.5.1-b")
def test_a_player_may_hold_all_of_a_company() -> None:
    """From 90 % Ada buys the last share."""
    table = new_table(3, offer=STOCK_OFFER)
    table.is_founded("ESR", 54, ADA, shares=9)
    table.stock_round_is(ADA)
    table.act(ADA, BuyCertificate("ESR"))
    assert table.shares(ADA, "ESR") == 10


@pytest.mark.clause("1862/6.5.1-g")
def test_no_purchase_after_a_sale_in_the_same_round() -> None:
    """A player who sold a company does not buy it again in that round, but in the next."""
    table = stock_table()
    table.act(ADA, SellCertificates("ESR", 1))
    assert table.refusal(ADA, BuyCertificate("ESR", POOL)) == ("sold_this_round", "1862/6.5.1-g")
    table.pass_on(4)
    assert table.asked() == ADA
    assert table.refusal(ADA, BuyCertificate("ESR")) == ("sold_this_round", "1862/6.5.1-g")
    table.stock_round_is(ADA, turn=3)
    table.act(ADA, BuyCertificate("ESR", POOL))


@pytest.mark.clause("1862/6.5.1-g")
def test_who_sold_a_company_into_bankruptcy_does_not_open_it_again_in_that_round() -> None:
    """Ada's two shares bring ESR from 14 to nothing; it may be opened again, but its first share is a purchase like any other."""
    table = new_table(4, offer=STOCK_OFFER)
    table.is_founded("ESR", 14, ADA, shares=5)
    table.stock_round_is(ADA)
    for player in (ADA, BEN):
        table.has_cash(player, 600)
    table.act(ADA, SellCertificates("ESR", 2))
    assert companies_of(table.game)["ESR"].par == 0
    assert all(
        each.company != "ESR" for each in table.offered(ADA, StartCompany) if isinstance(each, StartCompany)
    )
    assert table.refusal(ADA, StartCompany("ESR", 54)) == ("sold_this_round", "1862/6.5.1-g")
    table.pass_on()
    table.act(BEN, StartCompany("ESR", 54))


@pytest.mark.clause("1862/6.5.1-g")
def test_who_could_open_only_a_company_that_he_sold_is_not_asked() -> None:
    """All other companies on the offer are open, and Ada has the whole of them: Cleo, who sold ESR, has nothing to do."""
    table = new_table(3, offer=STOCK_OFFER)
    for symbol in companies_of(table.game):
        if charter_of(table.game, symbol).offered_from == "A" and symbol != "ESR":
            table.is_founded(symbol, 100, ADA, shares=10)
    table.stock_round_is(CLEO)
    assert can_act(table.game, Context(table.data), CLEO)
    table.has_sold(CLEO, "ESR")
    assert not can_act(table.game, Context(table.data), CLEO)


@pytest.mark.clause("1862/6.5.2-a")
@pytest.mark.clause("1862/6.5.2-c")
def test_at_the_limit_nothing_is_bought() -> None:
    """13 certificates, a director's counting one though it is three shares, is the limit with four players."""
    table = stock_table()
    for symbol, shares in (("ECR", 9), ("EUR", 8)):
        table.is_founded(symbol, 54, CLEO, shares=shares)
    assert table.certificates(CLEO) == 13
    assert sum(table.shares(CLEO, symbol) for symbol in STOCK_OFFER) == 17
    table.stock_round_is(CLEO)
    assert table.refusal(CLEO, BuyCertificate("ESR")) == ("certificate_limit", "1862/6.5.2-a")
    assert table.refusal(CLEO, StartCompany("WNR", 54)) == ("certificate_limit", "1862/6.5.2-a")
    table.act(CLEO, SellCertificates("ECR", 1))
    table.act(CLEO, BuyCertificate("ESR"))
    assert table.certificates(CLEO) == 13


@pytest.mark.clause("1862/6.5.2-b")
@pytest.mark.parametrize(("players", "limit"), [(2, 25), (3, 18), (4, 13), (5, 11), (6, 10), (7, 9), (8, 8)])
def test_certificate_limits(players: int, limit: int) -> None:
    """With one certificate less than the limit Ada can buy another, and then no more."""
    table = new_table(players, offer=STOCK_OFFER)
    missing = limit - 1
    for symbol in STOCK_OFFER[:-1]:
        table.is_founded(symbol, 54, BEN, shares=3)
        table.holds(ADA, symbol, min(missing, 6))
        missing -= min(missing, 6)
    for refused in (False, True):
        table.stock_round_is(ADA)
        table.has_cash(ADA, 1000)
        if refused:
            assert table.refusal(ADA, BuyCertificate("WNR")) == ("certificate_limit", "1862/6.5.2-a")
        else:
            table.act(ADA, BuyCertificate("WNR"))
        assert table.certificates(ADA) == limit


@pytest.mark.clause("1862/6.5.2-d")
@pytest.mark.clause("1862/6.5.2-f")
def test_above_the_limit_a_player_sells_down_unless_the_lner_has_formed() -> None:
    """With 14 certificates Cleo may neither pass nor buy; after the LNER she may pass."""
    for formed in (False, True):
        table = stock_table()
        for symbol in ("ECR", "EUR"):
            table.is_founded(symbol, 54, CLEO, shares=9)
        assert table.certificates(CLEO) == 14
        if formed:
            table.monopoly_is("LNER", 13)
        table.stock_round_is(CLEO)
        if formed:
            table.act(CLEO, Pass())
            continue
        assert table.refusal(CLEO, Pass()) == ("must_sell", "1862/6.5.2-d")
        table.act(CLEO, SellCertificates("ECR", 1))
        table.act(CLEO, Pass())


@pytest.mark.clause("1862/6.5.2-a", "1862/6.4-b")
def test_a_turn_at_the_limit_is_over_when_nothing_can_be_sold() -> None:
    """From 15 Cleo has sold down to 13 with one block of each company: her money opens none, and Dora is next."""
    table = stock_table()
    for symbol, shares in (("ECR", 9), ("EUR", 10)):
        table.is_founded(symbol, 54, CLEO, shares=shares)
    table.has_cash(CLEO, 1_000)
    table.stock_round_is(CLEO)
    for symbol in ("ECR", "EUR"):
        table.act(CLEO, SellCertificates(symbol, 1))
    assert table.certificates(CLEO) == 13
    assert table.asked() == DORA


@pytest.mark.clause("1862/6.6-a")
@pytest.mark.clause("1862/6.6-b")
def test_the_round_ends_with_passes_in_a_row_and_the_first_of_them_gets_priority() -> None:
    """Ben was the last to act: Cleo, Dora, Ada and Ben pass, and the priority goes to Cleo."""
    table = stock_table()
    table.act(ADA, Pass())
    table.act(BEN, BuyCertificate("ESR"))
    for player in (CLEO, DORA, ADA):
        table.act(player, Pass())
        assert table.game.current_round.kind == "stock"
    events = table.act(BEN, Pass())
    assert CLEO in priorities(events)
    assert "stock" in ended_rounds(events)


@pytest.mark.clause("1862/6.6-b")
def test_when_nobody_acts_priority_stays() -> None:
    """All pass at once: the priority holder passed first."""
    table = stock_table(first=DORA)
    table.pass_on(4)
    assert table.game.priority == DORA
    assert table.game.current_round.kind == "operating"


def test_a_player_who_can_do_nothing_is_not_asked() -> None:
    """Without cash and shares a turn is a pass."""
    table = stock_table()
    table.has_cash(CLEO, 10)
    table.pass_on()
    assert CLEO in passed(table.act(BEN, Pass()))
    assert table.asked() == DORA
    assert ends_of_game(table.log) == []
    assert table.game.players == PLAYERS[:4]


@pytest.mark.parametrize("seed", range(12))
def test_who_is_asked_is_exactly_who_can_do_something(seed: int) -> None:
    """In random positions of a stock round a player is asked if, and only if, some choice but a pass is legal."""
    chance = Random(seed)
    table = new_table(4, offer=STOCK_OFFER)
    for symbol in STOCK_OFFER[:4]:
        table.is_founded(symbol, 54, chance.choice(PLAYERS[:4]), shares=4, quoted=chance.random() < 0.7)
        for holder in (*PLAYERS[:4], POOL):
            table.holds(holder, symbol, chance.randint(0, 1))
    for player in PLAYERS[:4]:
        table.has_cash(player, chance.choice((0, 26, 30, 54, 100, 161, 162)))
        table.stock_round_is(player)
        so_far = ((table.has_sold, "ESR"), (table.has_bought, "ECR"))
        for noted, company in chance.sample(so_far, chance.randint(0, 2)):
            noted(player, company)
        legal = [choice.command for choice in table.choices(player)]
        assert can_act(table.game, Context(table.data), player) is (legal != [Pass()])


@pytest.mark.clause("1862/2.4.1-b")
def test_only_companies_of_this_game_are_bought_sold_and_started() -> None:
    """One that does not exist is unknown, one that was not dealt is closed; there are four of those with up to six players."""
    table = stock_table()
    (out, *_) = (symbol for symbol in cards_of(table.data) if not charter_of(table.game, symbol).offered_from)
    for symbol, refused in (
        ("XYZ", ("unknown_company", "")),
        (out, ("company_closed", "1862/2.4.1-b")),
    ):
        assert table.refusal(ADA, BuyCertificate(symbol)) == refused
        assert table.refusal(ADA, SellCertificates(symbol, 1)) == refused
        assert table.refusal(ADA, StartCompany(symbol, 54)) == refused
