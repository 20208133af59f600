"""The exchange of shares 2 for 1, rule by rule (5.2 to 5.2.5)."""

import pytest

from services.rules.kernel.vocabulary import BANK, POOL
from services.rules.titles.g1862.commands import SettleOption
from services.rules.titles.g1862.state import own
from tests.positions.reading import CertificateMove, only, paid
from tests.titles.g1862.mergers import begin, join, merging_table, set_up_company, settle, settle_all, shares
from tests.titles.g1862.reading import before_exchange, exchanges, options, settled_options
from tests.titles.g1862.table import ADA, BEN, CLEO, DORA, Table

Stakes = dict[str, int]


def exchange_table(
    own: Stakes,
    going: Stakes,
    *,
    directors: tuple[str, str] = (ADA, ADA),
    price: int = 90,
    cash: int = 1_000,
    chartered: bool = False,
    **rulings: str,
) -> Table:
    """N&E (these `own` stakes) will survive WStI (the stakes `going`); both have trains and stand at `price`, and N&E is at
    turn. What nobody has is in the pool."""
    table = merging_table(4, **rulings)
    for symbol, stakes, director in (("N&E", own, directors[0]), ("WStI", going, directors[1])):
        rest = {} if chartered else {POOL: 10 - sum(stakes.values())}
        set_up_company(table, symbol, price, stakes | rest, director=director, chartered=chartered)
    join(table, "N&E", "WStI")
    for player in table.game.players:
        table.has_cash(player, cash)
    table.operating_round_is("N&E", "WStI", step="merge")
    return table


def put_into_pool(table: Table, holder: str) -> list[str]:
    """The companies of the certificates a holder put into the pool, one by one."""
    moves = only(table.log, CertificateMove)
    return [
        move.company
        for move in moves
        if (move.source, move.target, move.reason) == (holder, POOL, "1862.merged")
        for _ in move.numbers
    ]


def taken_from_pool(table: Table, holder: str) -> int:
    """How many certificates a holder took out of the pool."""
    moves = only(table.log, CertificateMove)
    return sum(
        len(move.numbers)
        for move in moves
        if (move.source, move.target, move.reason) == (POOL, holder, "1862.merged")
    )


def exchange_holders(table: Table) -> tuple[str, ...]:
    """The holders of the last exchange in the order in which they act."""
    return exchanges(table.log)[-1].holders


@pytest.mark.parametrize(
    ("own", "going", "half"),
    [(4, 5, 4), (3, 0, 1), (1, 1, 1), (0, 1, 0), (1, 0, 0), (6, 6, 6), (5, 0, 2)],
)
@pytest.mark.clause("1862/5.2.4-c", "1862/5.2.4-d", "1862/5.2.4-e", "1862/5.1-a")
def test_half_is_returned_rounded_down(own: int, going: int, half: int) -> None:
    """Ben's shares of both are added up and half of them, rounded down, goes to the pool, the absorbed company's first; an odd
    number leaves him an option."""
    table = exchange_table(
        {ADA: 3, BEN: own} if own <= 6 else {}, {CLEO: 3, BEN: going}, directors=(ADA, CLEO)
    )
    begin(table, "N&E", "WStI", ADA)
    while table.game.interrupts and table.game.interrupts[0].subject != BEN:
        settle(table, True)
    given = put_into_pool(table, BEN)
    assert len(given) - taken_from_pool(table, BEN) == half
    absorbed = min(going, half)
    assert given[:half] == ["WStI"] * absorbed + ["N&E"] * (half - absorbed)
    assert bool(options(table.log, BEN)) == ((own + going) % 2 == 1)


@pytest.mark.clause("1862/5.2.4-b", "1862/5.2.4-a")
def test_holders_act_clockwise_from_the_one_who_started() -> None:
    """Cleo starts: she, Dora, Ada, Ben, and the treasuries as one holder last, with whom all their shares lie."""
    own = {ADA: 1, BEN: 1, CLEO: 6, "N&E": 2}
    table = exchange_table(own, {DORA: 5, CLEO: 3, "WStI": 2}, directors=(CLEO, DORA))
    begin(table, "N&E", "WStI", CLEO)
    assert exchange_holders(table) == (CLEO, DORA, ADA, BEN, "N&E")
    assert (table.shares("N&E", "N&E"), table.shares("N&E", "WStI")) == (2, 2)
    assert table.shares("WStI", "WStI") == 0


@pytest.mark.clause("1862/5.2.4-a")
def test_the_treasuries_lie_with_the_company_at_turn_whichever_survives() -> None:
    """N&E began the merger in which WStI survives."""
    table = exchange_table({ADA: 6, "N&E": 2}, {DORA: 5, CLEO: 3, "WStI": 2}, directors=(ADA, DORA))
    begin(table, "WStI", "N&E", ADA)
    assert exchange_holders(table) == (ADA, CLEO, DORA, "N&E")


@pytest.mark.clause("1862/5.2.4-a")
def test_the_joint_treasury_has_one_purse_and_is_the_starters() -> None:
    """The treasury's option may be paid with the cash of both companies, and the player who started decides."""
    table = exchange_table({BEN: 6, ADA: 3, "N&E": 1}, {BEN: 8}, directors=(BEN, BEN))
    table.has_cash("N&E", 40)
    table.has_cash("WStI", 27)
    begin(table, "N&E", "WStI", BEN)
    settle_all_but_treasury(table)
    assert (table.game.interrupts[0].player, table.game.interrupts[0].subject) == (BEN, "N&E")
    assert (table.game.money("N&E"), table.game.money("WStI")) == (67, 0)
    settle(table, True)
    assert (table.game.money("N&E"), table.shares("N&E", "N&E")) == (0, 1)


def settle_all_but_treasury(table: Table) -> None:
    """All players redeem their options."""
    while table.game.interrupts[0].subject != "N&E":
        settle(table, True)


@pytest.mark.clause("1862/5.2.4-f")
def test_returns_are_made_one_after_another() -> None:
    """A player who acts later still has all his shares, and may be the one with whom an earlier holder swaps."""
    table = exchange_table({ADA: 4, BEN: 3, CLEO: 3}, {ADA: 5})
    begin(table, "N&E", "WStI", ADA)
    assert put_into_pool(table, BEN) == put_into_pool(table, CLEO) == []
    assert table.shares(BEN, "WStI") == 1


@pytest.mark.clause("1862/5.2.4-g", "1862/5.2.4-h")
def test_shares_are_swapped_with_the_pool_first_then_the_nearest_holder() -> None:
    """Ada swaps three: one with the pool, then two with Ben, who gets her absorbed shares; Cleo, farther on, none."""
    table = exchange_table({ADA: 3, BEN: 2, CLEO: 4, POOL: 1}, {DORA: 0, ADA: 9})
    begin(table, "N&E", "WStI", ADA)
    donors = [
        move.source
        for move in only(table.log, CertificateMove)
        if move.target == ADA and move.company == "N&E" and move.reason == "1862.merged"
    ]
    assert donors == [POOL, BEN, BEN]
    going = [move.target for move in only(table.log, CertificateMove) if move.source == ADA]
    assert going[-4:] == [POOL, POOL, BEN, BEN]


@pytest.mark.clause("1862/5.2.4-i", "1862/5.2.4-d")
def test_an_option_on_an_absorbed_share_is_swapped_last() -> None:
    """Ben keeps two shares of WStI of three, one an option: the plain one is swapped first, and the option stays one."""
    table = exchange_table({ADA: 6, POOL: 4}, {CLEO: 7, BEN: 3}, directors=(ADA, CLEO))
    begin(table, "N&E", "WStI", ADA)
    marks = options(table.log, BEN)
    assert [mark.company for mark in marks] == ["WStI", "N&E"]
    swaps = [
        move.numbers[0]
        for move in only(table.log, CertificateMove)
        if move.source == BEN and move.company == "WStI"
    ]
    assert swaps[-1] == marks[0].number
    assert table.game.held(BEN, "N&E")[-1] == marks[1].number
    assert table.shares(BEN, "N&E") == 2


@pytest.mark.clause("1862/5.2.4-g", "1862/5.2.4-j", "1862/5.2.4-k")
@pytest.mark.parametrize(("value", "proceeds"), [("rounded_up", 48), ("rounded_down", 47)])
def test_an_option_that_cannot_be_swapped_is_sold(value: str, proceeds: int) -> None:
    """Those who have N&E have returned shares already when Dora acts, and none is in the pool: at the new price of 95 she gets
    half of it for her option on WStI, rounded up, or down by ruling."""
    own, going = {ADA: 6, CLEO: 2, DORA: 2}, {ADA: 5, CLEO: 2, DORA: 3}
    table = exchange_table(own, going, price=65, unswapped_option=value)
    begin(table, "N&E", "WStI", ADA)
    settle_all(table, True)
    assert paid(table.log, BANK, DORA, proceeds, "1862.option_sold", "WStI")
    assert table.game.money(DORA) == 1_000 + proceeds
    assert shares(table, "N&E") == {ADA: 6, CLEO: 2, DORA: 2}


@pytest.mark.clause("1862/5.2.4-l", "1862/5.2.4-m", "1862/5.2.4-n")
@pytest.mark.parametrize(("redeem", "change", "left"), [(True, -47, 2), (False, 47, 1)])
def test_an_option_is_worth_half_the_price_rounded_down(redeem: bool, change: int, left: int) -> None:
    """At 95 Ben pays 47 and keeps the share, or gets 47 and the share goes to the pool."""
    table = exchange_table({ADA: 7, BEN: 3}, {ADA: 6}, price=65)
    begin(table, "N&E", "WStI", ADA)
    while table.game.interrupts[0].subject != BEN:
        settle(table, True)
    in_pool = table.shares(POOL, "N&E")
    settle(table, redeem)
    assert table.game.money(BEN) == 1_000 + change
    assert table.shares(BEN, "N&E") == left
    assert table.shares(POOL, "N&E") - in_pool == (0 if redeem else 1)


@pytest.mark.clause("1862/5.2.4-o")
def test_who_cannot_pay_gives_the_option_up() -> None:
    """A holder one pound short is not asked: he gives the option up; with his money gone in between he cannot redeem."""
    table = exchange_table({ADA: 7, BEN: 3}, {ADA: 6}, price=65)
    table.has_cash(BEN, 46)
    begin(table, "N&E", "WStI", ADA)
    settle_all(table, True)
    assert (table.game.money(BEN), table.shares(BEN, "N&E")) == (93, 1)
    assert settled_options(table.log)[-1] == (BEN, "N&E", False)
    table = exchange_table({ADA: 7, BEN: 3}, {ADA: 6}, price=65)
    begin(table, "N&E", "WStI", ADA)
    settle(table, True)
    table.has_cash(BEN, 46)
    assert table.refusal(BEN, SettleOption(True)) == ("1862.option_not_payable", "1862/5.2.4-o")
    assert table.offered(BEN) == [SettleOption(False)]


@pytest.mark.clause("1862/5.2.4-p")
def test_a_small_director_changes_his_certificate_in_the_pool() -> None:
    """With 50 % of both together the director swaps his certificate for three plain shares, those of the survivor first; with
    60 % he keeps it."""
    table = exchange_table({ADA: 5, BEN: 3, POOL: 2}, {CLEO: 8, POOL: 2}, directors=(ADA, CLEO))
    begin(table, "N&E", "WStI", ADA)
    moves = [(m.company, m.shares, m.source, m.target) for m in only(table.log, CertificateMove)]
    start = moves.index(("N&E", 2, POOL, ADA))
    assert moves[start + 1 : start + 3] == [("WStI", 1, POOL, ADA), ("N&E", 3, ADA, POOL)]
    table = exchange_table({ADA: 6, BEN: 2, POOL: 2}, {CLEO: 6, POOL: 4}, directors=(ADA, CLEO))
    begin(table, "N&E", "WStI", ADA)
    assert 0 in table.game.held(ADA, "N&E")
    assert not [m for m in only(table.log, CertificateMove) if m.source == ADA and 0 in m.numbers]


@pytest.mark.clause("1862/5.2.4-q")
def test_without_three_plain_shares_in_the_pool_the_certificate_is_an_option() -> None:
    """All plain shares of both companies go to the pool and the certificate is turned over."""
    table = exchange_table({ADA: 4, BEN: 6}, {ADA: 1, CLEO: 7, POOL: 2}, directors=(ADA, CLEO))
    begin(table, "N&E", "WStI", ADA)
    assert put_into_pool(table, ADA) == ["N&E", "WStI"]
    assert table.game.held(ADA, "N&E") == (0,)
    assert options(table.log)[0].number == 0


@pytest.mark.parametrize(
    ("held", "redeem", "give_up"),
    [
        pytest.param(5, 47, 237, marks=pytest.mark.clause("1862/5.2.4-r")),
        pytest.param(4, 95, 190, marks=pytest.mark.clause("1862/5.2.4-s")),
        pytest.param(3, 142, 142, marks=pytest.mark.clause("1862/5.2.4-t")),
    ],
)
@pytest.mark.parametrize("redeems", [True, False])
def test_the_directors_option_by_what_he_had(held: int, redeem: int, give_up: int, redeems: bool) -> None:
    """At 95: half, once or one and a half times the price to redeem, two and a half, two or one and a half times to give up,
    rounded down."""
    table = exchange_table({ADA: held, BEN: 10 - held}, {BEN: 10}, directors=(ADA, BEN), price=65)
    begin(table, "N&E", "WStI", ADA)
    (option,) = options(table.log, ADA)
    assert (option.redeem_price, option.give_up_price) == (redeem, give_up)
    settle(table, redeems)
    assert table.game.money(ADA) == (1_000 - redeem if redeems else 1_000 + give_up)
    assert table.shares(ADA, "N&E") == (3 if redeems else 0)


@pytest.mark.clause("1862/5.2.4-q")
def test_the_option_of_the_absorbed_companys_director() -> None:
    """He swaps his certificate with that of the survivor's director, who acts later, and may keep it; when it is nowhere to be
    had he has to sell at the price of his option."""
    stakes = {BEN: 5, CLEO: 5}
    table = exchange_table(stakes, {ADA: 5, DORA: 5}, directors=(BEN, ADA), price=65)
    begin(table, "N&E", "WStI", ADA)
    assert (table.game.held(ADA, "N&E"), table.game.held(ADA, "WStI")) == ((0,), ())
    assert 0 in table.game.held(BEN, "WStI")
    assert table.game.interrupts[0].subject == ADA
    table = exchange_table({BEN: 5, DORA: 5}, {CLEO: 5, ADA: 5}, directors=(BEN, CLEO), price=65)
    begin(table, "N&E", "WStI", BEN)
    settle(table, True)
    assert paid(table.log, BANK, CLEO, 237, "1862.option_sold", "WStI")
    assert table.game.money(CLEO) == 1_237
    assert 0 in table.game.held(POOL, "WStI")


@pytest.mark.clause("1862/5.2-a", "1862/5.2.5-a", "1862/5.2.5-b")
def test_the_director_is_settled_at_the_end() -> None:
    """While holders act nobody becomes director, although Ben has more than Ada; in the end he takes the certificate for three
    plain shares."""
    table = exchange_table({ADA: 3, BEN: 2, POOL: 5}, {BEN: 8, CLEO: 2}, directors=(ADA, BEN))
    begin(table, "N&E", "WStI", ADA)
    settle(table, False)
    while own(table.game).exchange is not None and table.game.interrupts:
        assert table.director("N&E") == ADA
        settle(table, True)
    assert table.director("N&E") == BEN
    assert 0 in table.game.held(BEN, "N&E")
    assert table.shares(BEN, "N&E") == 5
    assert [move.reason for move in only(table.log, CertificateMove) if move.target == BEN][
        -1
    ] == "director_swap"


@pytest.mark.parametrize(("starter", "director"), [(CLEO, CLEO), (DORA, ADA), (ADA, ADA), (BEN, CLEO)])
@pytest.mark.clause("1862/5.2.5-a")
def test_ties_go_clockwise_from_the_one_who_started(starter: str, director: str) -> None:
    """Ada and Cleo end with 30 % each: the first of them from the one who started the merger is director."""
    table = exchange_table({ADA: 6, POOL: 4}, {CLEO: 6, POOL: 4}, directors=(ADA, CLEO))
    begin(table, "N&E", "WStI", starter)
    settle_all(table)
    assert (table.shares(ADA, "N&E"), table.shares(CLEO, "N&E")) == (3, 3)
    assert table.director("N&E") == director


@pytest.mark.clause("1862/5.2.5-c")
def test_without_thirty_percent_nobody_directs() -> None:
    """The biggest holder ends with 20 %: the certificate stays in the pool and the company is in receivership."""
    own = {ADA: 4, BEN: 2, POOL: 4}
    table = exchange_table(own, {CLEO: 4, POOL: 6}, directors=(ADA, CLEO))
    begin(table, "N&E", "WStI", ADA)
    settle_all(table)
    assert table.director("N&E") == ""
    assert 0 in table.game.held(POOL, "N&E")
    assert max(table.shares(player, "N&E") for player in table.game.players) == 2


@pytest.mark.clause("1862/5.2.2-a")
def test_unsold_shares_of_both_go_to_the_pool() -> None:
    """What is left in the initial offer of both companies is in the pool before anybody acts."""
    table = exchange_table({ADA: 6}, {ADA: 7}, chartered=True)
    begin(table, "N&E", "WStI", ADA)
    moves = only(before_exchange(table.log), CertificateMove)[-2:]
    assert [(move.company, move.source, move.target, move.shares) for move in moves] == [
        ("N&E", BANK, POOL, 4),
        ("WStI", BANK, POOL, 3),
    ]


@pytest.mark.clause("1862/5.2.4-e")
def test_shares_of_holders_with_nothing_are_not_asked_for() -> None:
    """Players without shares of either company, and empty treasuries, take no part."""
    table = exchange_table({ADA: 6}, {BEN: 6}, directors=(ADA, BEN))
    begin(table, "N&E", "WStI", ADA)
    assert exchange_holders(table) == (ADA, BEN)
    assert shares(table, "WStI") == {BANK: 10}
