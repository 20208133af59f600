"""Directors by the list of holders, where office and director's certificate may be apart (ruling `holders_counted`)."""

import pytest

from services.rules.kernel.vocabulary import BANK
from services.rules.parts.shares.commands import BuyCertificate, SellCertificates, StartCompany
from services.rules.titles.g1824.holderlist import last_director, listed_shares
from services.rules.titles.g1824.rulings import plays
from services.rules.titles.g1824.state import State
from tests.positions.reading import CertificateMove, only
from tests.positions.shares import new_directors
from tests.titles.g1824.table import ADA, BEN, CLEO, DORA, Table, clear_table, lost_directors

CERTIFICATE = (0,)


def apart(**shares: int) -> Table:
    """MS at 60, open: Ada directs it with plain certificates, the director's certificate is Ben's; players (by name) hold so
    many shares beside it."""
    table = clear_table(4, holders_counted="by_list")
    table.price_is("MS", 60)
    table.gets_certificates(BEN, "MS", *CERTIFICATE)
    for player, count in shares.items():
        table.holds(player, "MS", count)
    table.directs(ADA, "MS")
    table.company_runs("MS", 500)
    table.stock_round_is(BEN)
    return table


def certificate_sold(**shares: int) -> Table:
    """The same after Ben has sold the director's certificate; Cleo is to act."""
    table = apart(**shares)
    table.act(BEN, SellCertificates("MS", 2, CERTIFICATE))
    table.stock_round_is(CLEO)
    return table


@pytest.mark.clause("1824/VI.6-a", "1824/VI.6-c")
def test_a_director_with_the_certificate_is_followed_as_in_the_rulebook() -> None:
    """Ben buys past Ada: he gets office and certificate, she two plain ones, and the list is what both hold."""
    table = clear_table(4, holders_counted="by_list")
    table.price_is("MS", 60)
    table.holds(ADA, "MS", 3, director=True)
    table.holds(BEN, "MS", 3)
    table.company_runs("MS", 500)
    table.stock_round_is(BEN)
    events = table.act(BEN, BuyCertificate("MS"))
    assert [(each.source, each.target) for each in only(events, CertificateMove)] == [
        (BANK, BEN),
        (BEN, ADA),
        (ADA, BEN),
    ]
    assert table.director("MS") == BEN and 0 in table.game.held(BEN, "MS")
    assert (table.shares(ADA, "MS"), table.shares(BEN, "MS")) == (3, 4)
    assert not State.of(table.game).listed


@pytest.mark.clause("1824/VI.6-b")
def test_among_equals_on_the_list_the_director_stays() -> None:
    """Cleo buys the director's certificate and has as many shares as Ada, who keeps the office; nothing is swapped."""
    table = certificate_sold(Ada=3, Cleo=1, Dora=1)
    events = table.act(CLEO, BuyCertificate("MS", BANK, 0))
    assert (table.director("MS"), table.shares(CLEO, "MS"), table.shares(ADA, "MS")) == (ADA, 3, 3)
    assert not new_directors(events)


@pytest.mark.clause("1824/VI.6-c")
def test_who_buys_the_certificate_and_has_most_pays_the_old_director_a_share() -> None:
    """Of Cleo's first two certificates one is the director's own: it comes back, the plain one is Ada's for nothing."""
    table = certificate_sold(Ada=2, Cleo=1, Dora=1)
    money = table.game.money(ADA)
    table.act(CLEO, BuyCertificate("MS", BANK, 0))
    assert (table.director("MS"), table.game.held(CLEO, "MS")) == (CLEO, (0,))
    assert (table.shares(ADA, "MS"), table.game.money(ADA)) == (3, money)
    assert listed_shares(table.game, table.data, "MS")[CLEO] == 3
    assert listed_shares(table.game, table.data, "MS")[ADA] == 2


@pytest.mark.clause("1824/VI.6-b")
def test_the_list_decides_and_not_what_is_held() -> None:
    """After that swap Ada buys a share and holds four to Cleo's two, but is listed with three like her: Cleo stays."""
    table = certificate_sold(Ada=2, Cleo=1, Dora=1)
    table.act(CLEO, BuyCertificate("MS", BANK, 0))
    table.stock_round_is(ADA)
    table.act(ADA, BuyCertificate("MS"))
    assert (table.director("MS"), table.shares(ADA, "MS"), table.shares(CLEO, "MS")) == (CLEO, 4, 2)


@pytest.mark.clause("1824/VI.8-c")
def test_half_of_a_certificate_without_office_leaves_the_list_with_a_share() -> None:
    """Ben is paid for one share, hands the whole certificate in and gets nothing back; the list still shows one share."""
    table = apart(Ada=3, Cleo=1, Dora=1)
    money = table.game.money(BEN)
    table.act(BEN, SellCertificates("MS", 1, CERTIFICATE))
    assert (table.game.money(BEN) - money, table.game.held(BEN, "MS"), table.director("MS")) == (60, (), ADA)
    assert listed_shares(table.game, table.data, "MS")[BEN] == 1


@pytest.mark.clause("1824/VI.6-e")
def test_the_certificate_is_sold_only_while_another_could_hold_it() -> None:
    """Nobody else has 20 %: the director's certificate is kept, by a director or another."""
    table = apart(Ada=1, Cleo=1, Dora=1)
    refused = table.refusal(BEN, SellCertificates("MS", 2, CERTIFICATE))
    assert refused == ("1824.director_not_replaced", "1824/VI.6-e")


@pytest.mark.clause("1824/VI.6-e", "1824/VII.12-d")
def test_a_director_without_the_certificate_may_sell_all() -> None:
    """Ada sells her last share: nobody has 20 %, MS has no director from then on, and its last one is remembered."""
    table = certificate_sold(Ada=4, Ben=1, Cleo=1)
    table.stock_round_is(ADA)
    table.act(ADA, SellCertificates("MS", 4))
    assert (table.director("MS"), last_director(table.game, "MS"), table.shares(ADA, "MS")) == ("", ADA, 0)


@pytest.mark.clause("1824/VI.6-e")
def test_in_receivership_the_office_is_lost_once() -> None:
    """Dora buys a share and has 10 %, as others have: MS is without director as before, and Ada was its last."""
    table = certificate_sold(Ada=4, Ben=1, Cleo=1)
    table.stock_round_is(ADA)
    table.act(ADA, SellCertificates("MS", 4))
    table.stock_round_is(DORA)
    events = table.act(DORA, BuyCertificate("MS"))
    assert not new_directors(events) and not lost_directors(events)
    assert (table.director("MS"), last_director(table.game, "MS")) == ("", ADA)


@pytest.mark.parametrize(("buyer", "held"), [(DORA, 2), (CLEO, 2)])
@pytest.mark.clause("1824/VI.6-a")
def test_who_reaches_20_percent_ends_the_receivership(buyer: str, held: int) -> None:
    """Dora, who has no share, and Cleo, who has one, become director with the certificate; Cleo's other share goes to the
    bank, for Ada is listed with less than the certificate stands for."""
    table = certificate_sold(Ada=4, Ben=1, Cleo=1)
    table.stock_round_is(ADA)
    table.act(ADA, SellCertificates("MS", 4))
    table.stock_round_is(buyer)
    table.act(buyer, BuyCertificate("MS", BANK, 0))
    assert (table.director("MS"), table.shares(buyer, "MS")) == (buyer, held)


@pytest.mark.clause("1824/VI.6-a")
def test_the_first_director_of_a_price_just_set_is_the_biggest_holder() -> None:
    """Among equals the buyer of the director's certificate; a bigger holder gets the office without it."""
    for shares, director in ((2, BEN), (3, ADA)):
        rulings = {"regional_without_price": "no_director", "holders_counted": "by_list"}
        table = clear_table(4, **rulings)
        table.holds(ADA, "BH", shares)
        table.stock_round_is(BEN)
        table.act(BEN, StartCompany("BH", 60))
        assert (table.director("BH"), 0 in table.game.held(BEN, "BH")) == (director, True)


@pytest.mark.clause("1824/VI.6-a", "1824/VI.4-b")
def test_who_starts_a_regional_without_a_director_before_keeps_what_he_holds() -> None:
    """Ada has a share of BH from a mountain company: with the director's certificate she holds 30 %, and nothing is swapped."""
    rulings = {"regional_without_price": "biggest_holder", "holders_counted": "by_list"}
    table = clear_table(4, **rulings)
    table.holds(ADA, "BH", 1)
    table.stock_round_is(ADA)
    table.act(ADA, StartCompany("BH", 60))
    assert (table.director("BH"), table.shares(ADA, "BH")) == (ADA, 3)


def test_a_game_that_began_before_a_ruling_existed_plays_its_default() -> None:
    """Logs of older games do not name every ruling."""
    game = clear_table(4, holders_counted="by_list").game.copy()
    assert plays(game, "holders_counted", "by_list")
    game.rulings = {}
    assert plays(game, "holders_counted", "as_held")
