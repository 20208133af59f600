"""Changes of director in 1824 (VI.6)."""

import pytest

from services.rules.kernel.vocabulary import BANK
from services.rules.parts.map.state import map_of, unplaced_tokens
from services.rules.parts.shares.commands import BuyCertificate, SellCertificates, StartCompany
from services.rules.parts.trains.state import trains_of
from tests.positions.shares import new_directors, opened
from tests.titles.g1824.table import ADA, BEN, CLEO, DORA, Table, clear_table


def directed(first: str, **shares: int) -> Table:
    """BH at 100, open with 500 G, directed by Ada; players (by name) hold so many shares, `first` is to act."""
    table = clear_table(4)
    table.price_is("BH", 100)
    for player, count in shares.items():
        table.holds(player, "BH", count, director=player == ADA)
    table.company_runs("BH", 500)
    table.stock_round_is(first)
    return table


@pytest.mark.clause("1824/VI.6-a")
def test_who_buys_more_than_the_director_becomes_director() -> None:
    """Ben's purchase brings him from 30 to 40 %, past Ada's 30 %."""
    table = directed(BEN, Ada=3, Ben=3)
    events = table.act(BEN, BuyCertificate("BH"))
    assert new_directors(events) == [("BH", BEN)]
    assert table.director("BH") == BEN


@pytest.mark.parametrize("ruling", ["at_20_percent", "at_formation"])
@pytest.mark.clause("1824/VI.6-a", "1824/VI.3-g")
def test_a_regional_changes_its_director_before_it_opens(ruling: str) -> None:
    """Whenever the director's certificate of a state is given out, that of a regional with a price is not kept back."""
    table = clear_table(4, state_director_certificate=ruling, regional_opening="one_player")
    table.price_is("BH", 100)
    table.holds(ADA, "BH", 2, director=True)
    table.holds(BEN, "BH", 2)
    table.stock_round_is(BEN)
    events = table.act(BEN, BuyCertificate("BH"))
    assert new_directors(events) == [("BH", BEN)] and not opened(events)


@pytest.mark.clause("1824/VI.6-a")
def test_a_sale_of_the_director_makes_another_director() -> None:
    """Ada sells from 40 to 20 %, below Ben's 30 %."""
    table = directed(ADA, Ada=4, Ben=3)
    table.act(ADA, SellCertificates("BH", 2))
    assert table.director("BH") == BEN


@pytest.mark.clause("1824/VI.6-b")
def test_a_tie_changes_no_director() -> None:
    """Neither a purchase nor a sale that makes two players equal changes anything, whatever the seats."""
    table = directed(BEN, Ada=3, Ben=2)
    table.act(BEN, BuyCertificate("BH"))
    assert (table.shares(BEN, "BH"), table.director("BH")) == (3, ADA)
    table = directed(ADA, Ada=4, Ben=2)
    table.act(ADA, SellCertificates("BH", 2))
    assert (table.shares(ADA, "BH"), table.director("BH")) == (2, ADA)


@pytest.mark.clause("1824/VI.6-c")
def test_the_directors_certificate_is_swapped_for_two_plain_ones() -> None:
    """Ada keeps her 30 % in three plain certificates, Ben his 40 % in the director's and two plain ones."""
    table = directed(BEN, Ada=3, Ben=3)
    bank = table.shares(BANK, "BH")
    table.act(BEN, BuyCertificate("BH"))
    assert (table.shares(ADA, "BH"), len(table.game.held(ADA, "BH"))) == (3, 3)
    assert (table.shares(BEN, "BH"), len(table.game.held(BEN, "BH"))) == (4, 3)
    assert 0 in table.game.held(BEN, "BH")
    assert table.shares(BANK, "BH") == bank - 1


@pytest.mark.clause("1824/VI.6-d")
def test_the_new_director_takes_the_company_over_as_it_is() -> None:
    """Treasury, trains, tokens on the map and on the charter are the same after the change."""
    table = directed(BEN, Ada=3, Ben=3)
    table.owns_trains("BH", "2", "1g")
    table.home_tokens_stand("BH")
    before = table.game
    table.act(BEN, BuyCertificate("BH"))
    after = table.game
    assert after.money("BH") == before.money("BH") == 500
    assert trains_of(after).owned["BH"] == trains_of(before).owned["BH"] == ("2-0", "1g-0")
    assert map_of(after).tokens == map_of(before).tokens
    assert unplaced_tokens(after, "BH") == unplaced_tokens(before, "BH") == (40, 100)


@pytest.mark.clause("1824/VI.6-e")
def test_a_director_gives_up_the_company_only_to_somebody_who_holds_more() -> None:
    """Ada may sell below 20 % when Ben has 20 %, but not when nobody has; down to 20 % she may in any case."""
    table = directed(ADA, Ada=3, Ben=1, Cleo=1, Dora=1)
    for shares in (2, 3):
        refused = table.refusal(ADA, SellCertificates("BH", shares))
        assert refused == ("1824.director_not_replaced", "1824/VI.6-e")
    table.act(ADA, SellCertificates("BH", 1))
    assert (table.director("BH"), table.game.held(ADA, "BH")) == (ADA, (0,))
    table = directed(ADA, Ada=3, Ben=2, Cleo=1)
    table.act(ADA, SellCertificates("BH", 2))
    assert (table.director("BH"), table.shares(ADA, "BH"), table.shares(BEN, "BH")) == (BEN, 1, 2)


@pytest.mark.clause("1824/VI.6-f")
def test_the_biggest_holder_follows_a_director_who_sells() -> None:
    """Not the neighbour but the one with most shares becomes director."""
    table = directed(ADA, Ada=3, Ben=2, Cleo=3)
    table.act(ADA, SellCertificates("BH", 3))
    assert table.director("BH") == CLEO
    assert table.shares(ADA, "BH") == 0


@pytest.mark.clause("1824/VI.6-f")
@pytest.mark.parametrize(
    ("old", "equals", "successor"),
    [(ADA, (BEN, DORA), BEN), (BEN, (ADA, DORA), DORA), (CLEO, (ADA, BEN), ADA), (DORA, (BEN, CLEO), BEN)],
)
@pytest.mark.parametrize("sold", [2, 4])
def test_among_equals_the_next_after_the_old_director_follows(
    old: str, equals: tuple[str, str], successor: str, sold: int
) -> None:
    """The order of seats is counted from the old director, whether he keeps shares or sells them all."""
    table = clear_table(4)
    table.price_is("BH", 100)
    table.holds(old, "BH", 4, director=True)
    for player in equals:
        table.holds(player, "BH", 3)
    table.company_runs("BH")
    table.stock_round_is(old)
    table.act(old, SellCertificates("BH", sold))
    assert table.director("BH") == successor
    assert 0 in table.game.held(successor, "BH")
    assert table.shares(successor, "BH") == 3


@pytest.mark.clause("1824/VI.6-a", "1824/VI.6-c")
def test_the_start_of_a_regional_makes_a_bigger_holder_its_director() -> None:
    """Ben holds 30 % of BH from mountain companies; when Ada starts it he directs it at once, and she gets two plain."""
    table = clear_table(4)
    table.holds(BEN, "BH", 3)
    table.stock_round_is(ADA)
    table.act(ADA, StartCompany("BH", 100))
    assert table.director("BH") == BEN
    assert 0 in table.game.held(BEN, "BH")
    assert (table.shares(ADA, "BH"), len(table.game.held(ADA, "BH"))) == (2, 2)


@pytest.mark.clause("1824/VI.6-b")
def test_the_start_of_a_regional_changes_nothing_for_an_equal_holder() -> None:
    """Ada holds 20 % of BH from mountain companies; Ben, who starts it, directs it all the same."""
    table = clear_table(4)
    table.holds(ADA, "BH", 2)
    table.stock_round_is(BEN)
    table.act(BEN, StartCompany("BH", 100))
    assert (table.director("BH"), table.game.held(BEN, "BH")) == (BEN, (0,))
