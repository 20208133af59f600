"""Stock rounds of 1862: turns, sales, purchases, limits, the end of a round (6.1, 6.2, 6.4, 6.5.1, 6.5.2, 6.6)."""

from random import Random

import pytest

from services.rules.domain import commands as c, events as e
from services.rules.domain.market import price_at, target
from services.rules.domain.title import Context
from services.rules.titles.g1862.selling import price_falls
from services.rules.titles.g1862.stock import can_act
from tests.titles.g1862.table import ADA, BEN, CLEO, DORA, PLAYERS, Table, new_table, of_type

OFFER = ("ESR", "ECR", "EUR", "L&H", "WNR", "Y&N")


def stock(
    price: int = 74, *, players: int = 4, train: bool = True, first: str = ADA, **rulings: str
) -> Table:
    """ESR is quoted at this price, Ada directs it with half of it; Ben has three shares. A stock round begins."""
    table = new_table(players, offer=OFFER, by=rulings)
    table.found("ESR", price, ADA, percent=40)
    table.hold(BEN, "ESR", 30)
    if train:
        table.train("ESR", "A")
    table.stock_round(first)
    return table


@pytest.mark.clause("1862/6.1-a")
def test_turns_go_clockwise_from_the_priority_holder() -> None:
    """Cleo has the priority marker: Cleo, Dora, Ada, Ben."""
    table = stock(first=CLEO)
    for player in (CLEO, DORA, ADA, BEN):
        assert table.asked() == player
        table.pass_on()


@pytest.mark.clause("1862/6.2-a")
def test_sales_come_before_the_purchase_and_the_purchase_ends_the_turn() -> None:
    """Ada sells, then buys one share, and it is Ben's turn; after a purchase nothing is sold."""
    table = stock()
    table.found("ECR", 54, BEN)
    table.act(ADA, c.SellCertificates("ESR", 10))
    assert table.asked() == ADA
    table.act(ADA, c.BuyCertificate("ECR"))
    assert table.asked() == BEN
    bought = stock()
    bought.found("ECR", 54, BEN)
    bought.write(e.StockTurnActed(ADA, bought="ECR"))
    assert bought.refusal(ADA, c.SellCertificates("ESR", 10)) == ("buy_before_sell", "1862/6.2-a")
    assert bought.refusal(ADA, c.BuyCertificate("ECR")) == ("already_bought", "1862/6.2-a")
    assert bought.refusal(ADA, c.StartCompany("WNR", 54)) == ("already_bought", "1862/6.2-a")


@pytest.mark.clause("1862/6.2-b")
def test_who_does_neither_passes() -> None:
    """A pass is recorded as one, a turn with a sale only is not."""
    table = stock()
    assert e.PlayerPassed(ADA, acted=False) in table.act(ADA, c.Pass())
    table.act(BEN, c.SellCertificates("ESR", 10))
    assert e.PlayerPassed(BEN, acted=True) in table.act(BEN, c.Pass())


@pytest.mark.clause("1862/6.4-a")
def test_any_number_of_shares_of_any_companies_in_one_turn() -> None:
    """Blocks of several companies one after the other, and all of one company at once."""
    table = stock()
    table.found("ECR", 100, BEN, percent=50)
    table.hold(ADA, "ECR", 20)
    table.act(ADA, c.SellCertificates("ECR", 20))
    table.act(ADA, c.SellCertificates("ESR", 40))
    assert table.percent(ADA, "ECR") == table.percent(ADA, "ESR") == 0


@pytest.mark.clause("1862/6.4-b")
def test_shares_of_one_company_go_as_one_block() -> None:
    """The whole block fetches the price before it falls, and a second block in the same turn is refused."""
    table = stock(74)
    before = table.game.money(BEN)
    table.pass_on()
    table.act(BEN, c.SellCertificates("ESR", 20))
    assert table.game.money(BEN) == before + 148
    assert table.refusal(BEN, c.SellCertificates("ESR", 10)) == ("sales_forbidden", "1862/6.4-b")


@pytest.mark.clause("1862/6.4-c")
def test_sold_shares_go_to_the_pool_without_limit() -> None:
    """All of a company may lie in the pool."""
    table = stock(500 + 30)
    table.hold(e.POOL, "ESR", 30)
    table.act(ADA, c.SellCertificates("ESR", 40))
    table.pass_on()
    table.act(BEN, c.SellCertificates("ESR", 30))
    assert table.percent(e.POOL, "ESR") == 100


@pytest.mark.clause("1862/6.4-d")
def test_shares_bought_in_this_round_are_not_sold_in_it() -> None:
    """What Cleo bought she keeps for this stock round; in the next she may sell it."""
    table = stock()
    table.found("ECR", 54, DORA, percent=50)
    table.stock_round(CLEO)
    table.act(CLEO, c.BuyCertificate("ECR"))
    table.pass_on(3)
    assert table.asked() == CLEO
    assert table.refusal(CLEO, c.SellCertificates("ECR", 10)) == ("shares_bought_this_round", "1862/6.4-e")
    table.stock_round(CLEO, turn=3)
    table.act(CLEO, c.SellCertificates("ECR", 10))


@pytest.mark.clause("1862/6.4-e")
def test_part_of_the_director_can_be_sold_when_as_much_was_bought() -> None:
    """Begun with the director's certificate alone, bought one: one share may be sold, not two."""
    table = new_table(3, offer=OFFER)
    table.found("ESR", 100, ADA, percent=30)
    table.hold(e.POOL, "ESR", 30)
    table.train("ESR", "A")
    table.stock_round(ADA)
    table.act(ADA, c.BuyCertificate("ESR"))
    table.pass_on(2)
    assert table.refusal(ADA, c.SellCertificates("ESR", 40)) == ("shares_bought_this_round", "1862/6.4-e")
    table.act(ADA, c.SellCertificates("ESR", 10))
    assert table.percent(ADA, "ESR") == 30
    opened = new_table(3, offer=OFFER)
    opened.stock_round(ADA)
    opened.act(ADA, c.StartCompany("ESR", 54))
    opened.pass_on(2)
    assert opened.refusal(ADA, c.SellCertificates("ESR", 30)) == ("shares_bought_this_round", "1862/6.4-e")


@pytest.mark.clause("1862/6.4.1-a")
@pytest.mark.clause("1862/6.4.1-b")
def test_shares_of_a_company_without_a_train_fetch_half() -> None:
    """74 with a train, 37 without; of 71 it is 35 a share."""
    for price, train, share in ((74, True, 74), (74, False, 37), (71, False, 35)):
        table = stock(price, train=train, first=BEN)
        table.cash(BEN, 0)
        table.act(BEN, c.SellCertificates("ESR", 20))
        assert table.game.money(BEN) == 2 * share


@pytest.mark.clause("1862/6.4.2-a")
def test_each_share_sold_moves_the_price_one_space_down() -> None:
    """74 with three shares sold: 71, 68, 65."""
    for percent, price in ((10, 71), (20, 68), (30, 65)):
        table = stock(74)
        table.pass_on()
        table.act(BEN, c.SellCertificates("ESR", percent))
        assert table.price_of("ESR") == price


@pytest.mark.clause("1862/6.4.2-b")
def test_a_marker_goes_beneath_those_already_there() -> None:
    """ESR falls from 74 to 71, where ECR stands: ECR stays above it."""
    table = stock(74)
    table.found("ECR", 71, CLEO)
    table.act(ADA, c.SellCertificates("ESR", 10))
    assert table.game.cells[table.game.markers["ESR"]] == ("ECR", "ESR")


def price_after(price: int, seller: str, percent: int) -> int:
    """The price once the seller has sold so much at this price."""
    table = stock(price, first=seller)
    table.act(seller, c.SellCertificates("ESR", percent))
    return table.price_of("ESR")


@pytest.mark.clause("1862/6.4.2-c")
@pytest.mark.parametrize(
    ("price", "one", "two"),
    [(40, 36, 31), (36, 36, 31), (14, 14, 7), (200, 191, 182), (210, 210, 200), (375, 375, 350)],
)
def test_above_200_and_below_40_the_first_share_of_others_is_ignored(price: int, one: int, two: int) -> None:
    """Ben, who is not the director, sells one or two shares."""
    assert price_after(price, BEN, 10) == one
    assert price_after(price, BEN, 20) == two


@pytest.mark.clause("1862/6.4.2-d")
@pytest.mark.parametrize(("price", "three"), [(400, 375), (530, 495), (950, 900)])
def test_from_400_on_the_first_two_shares_of_others_are_ignored(price: int, three: int) -> None:
    """One and two shares leave the price, the third moves it."""
    assert price_after(price, BEN, 10) == price_after(price, BEN, 20) == price
    assert price_after(price, BEN, 30) == three


@pytest.mark.clause("1862/6.4.2-c")
@pytest.mark.clause("1862/6.4.2-d")
@pytest.mark.parametrize(("price", "after"), [(36, 31), (210, 200), (400, 375)])
def test_a_directors_own_sales_are_never_ignored(price: int, after: int) -> None:
    """Ada directs: her first share moves the price in every zone."""
    assert price_after(price, ADA, 10) == after


@pytest.mark.clause("1862/6.4.2-e")
def test_only_sales_into_the_pool_move_the_price() -> None:
    """A purchase, with the change of director it brings, leaves the price."""
    table = stock(74)
    table.hold(BEN, "ESR", 10)
    table.pass_on()
    table.act(BEN, c.BuyCertificate("ESR"))
    assert table.director("ESR") == BEN
    assert table.price_of("ESR") == 74


@pytest.mark.clause("1862/6.4.2-f")
def test_no_fall_before_quotation_and_after_the_lner() -> None:
    """A company that is not quoted, and any company once the LNER has formed, keeps its price."""
    table = new_table(3, offer=OFFER)
    table.found("ECR", 82, ADA, percent=30, chartered=False, quoted=False)
    table.hold(BEN, "ECR", 10)
    table.stock_round(BEN)
    table.act(BEN, c.SellCertificates("ECR", 10))
    assert table.price_of("ECR") == 82
    late = stock(74)
    late.write(e.MonopolyFormed("LNER", 12))
    late.act(ADA, c.SellCertificates("ESR", 30))
    assert late.price_of("ESR") == 74


@pytest.mark.clause("1862/9.0-u")
def test_in_phase_h_sales_leave_the_price() -> None:
    """From the first H train on, or, under one ruling, only from the LNER on."""
    for ruling, price in (("price_stays", 74), ("price_falls", 71)):
        table = stock(74, sales_in_phase_h=ruling)
        table.phase("H")
        table.act(ADA, c.SellCertificates("ESR", 10))
        assert table.price_of("ESR") == price


@pytest.mark.clause("1862/6.4.2-g")
def test_prices_are_one_ladder_drawn_as_a_zigzag() -> None:
    """67 prices from 0 to 1000; a sale goes one down, left and right go two, never past the ends."""
    market = stock().data.market
    (row,) = market.rows
    assert len(row) == 67
    assert (row[0], row[-1]) == (0, 1000)
    assert list(row) == sorted(row)
    data = stock().data
    at_74 = (0, row.index(74))
    moves = market.moves
    assert price_at(data, target(data, at_74, moves.sale)) == 71
    assert price_at(data, target(data, at_74, moves.no_dividend)) == 68
    assert price_at(data, target(data, at_74, moves.dividend)) == 82
    assert target(data, (0, 1), moves.no_dividend) == (0, 0)
    assert target(data, (0, 65), moves.dividend) == (0, 66)


def test_a_price_of_nothing_is_bankruptcy() -> None:
    """Sales that reach 0 take the company off the market."""
    table = stock(14)
    draft = table.draft()
    price_falls(draft, Context(table.data), "ESR", 2, by_director=True)
    table.take(draft)
    assert "ESR" not in table.game.markers
    assert table.percent(e.BANK, "ESR") == 100


@pytest.mark.clause("1862/6.5.1-a")
@pytest.mark.clause("1862/6.5.1-c")
@pytest.mark.clause("1862/6.5.1-d")
@pytest.mark.clause("1862/6.5.1-e")
@pytest.mark.clause("1862/6.5.1-f")
def test_where_shares_are_bought_and_for_how_much() -> None:
    """Initial offer at par and pool at market price to the bank, treasury at market price to the company, trains or not."""
    table = stock(120 + 2, train=False)
    table.write(e.IpoMarkerSet("ESR", 100))
    table.hold(e.POOL, "ESR", 10)
    table.found("ECR", 74, DORA, percent=50, chartered=False)
    table.price("ECR", 90)
    for source, symbol, cost, payee in (
        (e.BANK, "ESR", 100, e.BANK),
        (e.POOL, "ESR", 122, e.BANK),
        ("ECR", "ECR", 90, "ECR"),
    ):
        table.stock_round(CLEO)
        before, paid_to = table.game.money(CLEO), table.game.money(payee)
        table.act(CLEO, c.BuyCertificate(symbol, source))
        assert table.game.money(CLEO) == before - cost
        assert table.game.money(payee) == paid_to + cost
    table.stock_round(CLEO)
    for source in (ADA, "ESR", "ECR"):
        refused = table.refusal(CLEO, c.BuyCertificate("ESR", source))
        assert refused == ("certificate_not_available", "1862/6.5.1-a")
    assert table.refusal(CLEO, c.BuyCertificate("WNR")) == ("company_without_price", "1862/6.5.1-a")
    assert table.refusal(CLEO, c.BuyCertificate("ESR", e.BANK, 8)) == ("unknown_certificate", "")
    table.hold(e.POOL, "ESR", 10)
    table.cash(CLEO, 121)
    assert table.refusal(CLEO, c.BuyCertificate("ESR", e.POOL)) == ("not_enough_cash", "1862/6.5.1-d")


@pytest.mark.clause("1862/6.5.1-b")
def test_a_player_may_hold_all_of_a_company() -> None:
    """From 90 % Ada buys the last share."""
    table = new_table(3, offer=OFFER)
    table.found("ESR", 54, ADA, percent=90)
    table.stock_round(ADA)
    table.act(ADA, c.BuyCertificate("ESR"))
    assert table.percent(ADA, "ESR") == 100


@pytest.mark.clause("1862/6.5.1-g")
def test_no_purchase_after_a_sale_in_the_same_round() -> None:
    """Whoever sold a company does not buy it again in that round, but in the next."""
    table = stock()
    table.act(ADA, c.SellCertificates("ESR", 10))
    assert table.refusal(ADA, c.BuyCertificate("ESR", e.POOL)) == ("sold_this_round", "1862/6.5.1-g")
    table.pass_on(4)
    assert table.asked() == ADA
    assert table.refusal(ADA, c.BuyCertificate("ESR")) == ("sold_this_round", "1862/6.5.1-g")
    table.stock_round(ADA, turn=3)
    table.act(ADA, c.BuyCertificate("ESR", e.POOL))


@pytest.mark.clause("1862/6.5.2-a")
@pytest.mark.clause("1862/6.5.2-c")
def test_at_the_limit_nothing_is_bought() -> None:
    """13 certificates, a director's counting one though it is three shares, is the limit with four players."""
    table = stock()
    for symbol, percent in (("ECR", 90), ("EUR", 80)):
        table.found(symbol, 54, CLEO, percent=percent)
    assert table.certificates(CLEO) == 13
    assert sum(table.percent(CLEO, symbol) for symbol in OFFER) == 170
    table.stock_round(CLEO)
    assert table.refusal(CLEO, c.BuyCertificate("ESR")) == ("certificate_limit", "1862/6.5.2-a")
    assert table.refusal(CLEO, c.StartCompany("WNR", 54)) == ("certificate_limit", "1862/6.5.2-a")
    table.act(CLEO, c.SellCertificates("ECR", 10))
    table.act(CLEO, c.BuyCertificate("ESR"))
    assert table.certificates(CLEO) == 13


@pytest.mark.clause("1862/6.5.2-b")
def test_certificate_limits() -> None:
    """The limit by number of players."""
    assert stock().data.figures.certificate_limit == {2: 25, 3: 18, 4: 13, 5: 11, 6: 10, 7: 9, 8: 8}


@pytest.mark.clause("1862/6.5.2-d")
@pytest.mark.clause("1862/6.5.2-f")
def test_above_the_limit_a_player_sells_down_unless_the_lner_has_formed() -> None:
    """With 14 certificates Cleo may neither pass nor buy; after the LNER she may pass."""
    for formed in (False, True):
        table = stock()
        for symbol in ("ECR", "EUR"):
            table.found(symbol, 54, CLEO, percent=90)
        assert table.certificates(CLEO) == 14
        if formed:
            table.write(e.MonopolyFormed("LNER", 13))
        table.stock_round(CLEO)
        if formed:
            table.act(CLEO, c.Pass())
            continue
        assert table.refusal(CLEO, c.Pass()) == ("must_sell", "1862/6.5.2-d")
        table.act(CLEO, c.SellCertificates("ECR", 10))
        table.act(CLEO, c.Pass())


@pytest.mark.clause("1862/6.6-a")
@pytest.mark.clause("1862/6.6-b")
def test_the_round_ends_with_passes_in_a_row_and_the_first_of_them_gets_priority() -> None:
    """Ben was the last to act: Cleo, Dora, Ada and Ben pass, and the priority goes to Cleo."""
    table = stock()
    table.act(ADA, c.Pass())
    table.act(BEN, c.BuyCertificate("ESR"))
    for player in (CLEO, DORA, ADA):
        table.act(player, c.Pass())
        assert table.game.current_round.kind == "stock"
    events = table.act(BEN, c.Pass())
    assert e.PriorityMoved(CLEO) in events
    assert e.RoundEnded("stock") in events


@pytest.mark.clause("1862/6.6-b")
def test_when_nobody_acts_priority_stays() -> None:
    """All pass at once: the priority holder passed first."""
    table = stock(first=DORA)
    table.pass_on(4)
    assert table.game.priority == DORA
    assert table.game.current_round.kind == "operating"


def test_a_player_who_can_do_nothing_is_not_asked() -> None:
    """Without cash and shares a turn is a pass."""
    table = stock()
    table.cash(CLEO, 10)
    table.pass_on()
    assert e.PlayerPassed(CLEO, acted=False) in table.act(BEN, c.Pass())
    assert table.asked() == DORA
    assert of_type(table.log, e.GameEnded) == []
    assert table.game.players == PLAYERS[:4]


@pytest.mark.parametrize("seed", range(12))
def test_who_is_asked_is_exactly_who_can_do_something(seed: int) -> None:
    """In random positions of a stock round a player is asked if, and only if, some choice but a pass is legal."""
    chance = Random(seed)
    table = new_table(4, offer=OFFER)
    for symbol in OFFER[:4]:
        table.found(symbol, 54, chance.choice(PLAYERS[:4]), percent=40, quoted=chance.random() < 0.7)
        for holder in (*PLAYERS[:4], e.POOL):
            table.hold(holder, symbol, 10 * chance.randint(0, 1))
    for player in PLAYERS[:4]:
        table.cash(player, chance.choice((0, 26, 30, 54, 100, 161, 162)))
        table.stock_round(player)
        for event in chance.sample(
            (e.StockTurnActed(player, sold="ESR"), e.StockTurnActed(player, bought="ECR")),
            chance.randint(0, 2),
        ):
            table.write(event)
        legal = [choice.command for choice in table.choices(player)]
        assert can_act(table.game, Context(table.data), player) is (legal != [c.Pass()])
