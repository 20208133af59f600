"""What the platform `18xx.games` plays otherwise on Cisleithania: the pool, and tokens of the bond company and of UG."""

from __future__ import annotations

import pytest

from services.rules.kernel.commands import Pass
from services.rules.kernel.rejections import Rejected
from services.rules.kernel.vocabulary import BANK, POOL
from services.rules.parts.map.commands import PlaceToken
from services.rules.parts.map.state import unplaced_tokens
from services.rules.parts.trains.commands import BuyTrain
from services.rules.parts.trains.depot import next_copy
from services.rules.titles.g1824.bond import PLACE_BOND_TOKEN
from services.rules.titles.g1824.commands import ExchangeCompany
from services.rules.titles.g1824.homes import check_not_kept
from services.rules.titles.g1824.trains import export_train
from tests.titles.g1824.cisleithania import OPTION, allotted
from tests.titles.g1824.operating_positions import major
from tests.titles.g1824.table import ADA, BEN, Table, new_table


def with_a_share_in_the_pool(**rulings: str) -> Table:
    """A stock round of Ada, who owns B1, in phase 3: a share of BK lies in the pool, all of MS from the start."""
    table = allotted(**rulings)
    table.pass_stock_round()
    table.phase_is("3")
    major(table, "BK", ADA, shares=4)
    table.puts_into_pool(BANK, "BK", table.game.held(BANK, "BK")[-1])
    table.stock_round_is(ADA)
    return table


@pytest.mark.clause("1824/IV.1-f", "1824/X.4-b")
@pytest.mark.parametrize(("ruling", "to_be_had"), [("bank", False), ("bank_or_pool", True)])
@pytest.mark.parametrize("regional", ["BK", "MS"])
def test_a_mountain_company_for_a_certificate_in_the_pool(
    ruling: str, to_be_had: bool, regional: str
) -> None:
    """By ruling it goes for a share that somebody sold, or for one of the bond company."""
    table = with_a_share_in_the_pool(mountain_exchange_source=ruling)
    number = table.game.held(POOL, regional)[-1]
    exchange = ExchangeCompany("B1", regional, number)
    if not to_be_had:
        assert table.refusal(ADA, exchange) == ("certificate_not_available", "1824/IV.1-k")
        return
    before, cash = table.shares(ADA, regional), table.game.money(ADA)
    table.act(ADA, exchange)
    assert number in table.game.held(ADA, regional)
    assert (table.shares(ADA, regional), table.game.money(ADA)) == (before + 1, cash)


@pytest.mark.clause("1824/IV.1-k")
@pytest.mark.parametrize(("ruling", "left"), [("bank", 0), ("bank_or_pool", 1)])
def test_the_pool_alone_has_something_left_for_a_mountain_company(ruling: str, left: int) -> None:
    """The bank has no plain certificate of any regional; the first in the pool goes where none is named."""
    table = with_a_share_in_the_pool(mountain_exchange_source=ruling)
    for regional in ("BK", "CL"):
        for number in table.game.held(BANK, regional):
            table.gets_certificates(BEN, regional, number)
    found = [each for each in table.offered(ADA, ExchangeCompany) if each == ExchangeCompany("B1", "BK")]
    assert len(found) == left


def last_4_abroad(**rulings: str) -> Table:
    """The last 4-train was exported, so that the token of MS is still to come. Ben's SD1 has the money for a train; Ada's
    KK1 has two 4-trains."""
    table = allotted(**rulings)
    table.pass_stock_round()
    for kind in ("2", "3"):
        table.trains_are_sold(kind)
    table.owns_trains("KK1", "4", "4")
    table.trains_are_sold("4", leave=1)
    table.phase_alone_is("4")
    _export(table)
    table.has_cash("SD1", 1000)
    table.operating_round_is("SD1", step="buy_trains")
    return table


def _export(table: Table) -> None:
    draft = table.draft()
    export_train(draft, table.data)
    table.take(draft)


def asks_ben(table: Table) -> bool:
    """Whether Ben is asked where the token of MS goes."""
    return any((each.kind, each.player) == (PLACE_BOND_TOKEN, BEN) for each in table.game.interrupts)


@pytest.mark.clause("1824/X.4-l", "1824/X.4-m")
@pytest.mark.parametrize(("ruling", "asked"), [("no", False), ("yes", True)])
def test_a_used_train_brings_the_token_that_is_still_to_come(ruling: str, asked: bool) -> None:
    """By ruling a 4-train of another company does, while the bank sells 5-trains; it does so once."""
    table = last_4_abroad(bond_token_by_used_train=ruling, train_sale_between_directors="not_asked")
    table.act(BEN, BuyTrain("SD1", "4-0", 280, "KK1"))
    assert asks_ben(table) is asked
    if asked:
        table.act(BEN, PlaceToken("MS", "H3", 0))
        table.act(BEN, BuyTrain("SD1", "4-1", 280, "KK1"))
        assert not asks_ben(table)


@pytest.mark.clause("1824/X.4-m")
def test_a_used_train_brings_nothing_before_or_after_its_time() -> None:
    """Neither while the bank has 4-trains, nor a 4-train once it sells 6-trains; then a used 5-train does."""
    rulings = {"bond_token_by_used_train": "yes", "train_sale_between_directors": "not_asked"}
    early = allotted(**rulings)
    early.pass_stock_round()
    early.phase_is("4")
    early.owns_trains("KK1", "4")
    early.has_cash("SD1", 1000)
    early.operating_round_is("SD1", step="buy_trains")
    early.act(BEN, BuyTrain("SD1", "4-1", 280, "KK1"))
    assert not asks_ben(early)
    late = last_4_abroad(**rulings)
    late.owns_trains("KK1", "5")
    _export(late)
    late.operating_round_is("SD1", step="buy_trains")
    late.act(BEN, BuyTrain("SD1", "4-0", 280, "KK1"))
    assert not asks_ben(late)
    late.has_cash("SD1", 1000)
    late.act(BEN, BuyTrain("SD1", "5-0", 400, "KK1"))
    assert asks_ben(late)


@pytest.mark.clause("1824/X.4-m")
def test_where_used_trains_count_the_last_5_train_brings_the_token_too() -> None:
    """No used 4-train has brought the token since the last one was exported."""
    table = last_4_abroad(bond_token_by_used_train="yes")
    table.trains_are_sold("5", leave=1)
    table.has_cash("SD1", 1000)
    table.operating_round_is("SD1", step="buy_trains")
    table.act(BEN, BuyTrain("SD1", next_copy(table.game, table.data, "5"), 400))
    assert asks_ben(table)


@pytest.mark.clause("1824/VII.11-x", "1824/X.1-a")
def test_companies_that_are_not_on_the_map_give_up_no_trains() -> None:
    """By ruling companies are asked by symbol, of which this map lacks some: the first 4-train leaves BK one train too many."""
    table = allotted(discard_order="by_symbol")
    table.pass_stock_round()
    table.nothing_is_kept("BK")
    table.holds(ADA, "BK", 5, director=True)
    table.company_runs("BK")
    table.owns_trains("BK", "2g", "2g", "2g", "2g")
    table.phase_is("3")
    table.trains_are_sold("3")
    table.has_cash("SD1", 280)
    table.operating_round_is("SD1", step="buy_trains")
    table.act(BEN, BuyTrain("SD1", "4-0", 280))
    asked = [each.company for each in table.game.interrupts if each.kind == "1824.discard_train"]
    assert asked == ["BK"]


def token_for_train(hex_id: str, **rulings: str) -> Table:
    """Ben's SD1 has bought the last 4-train, and he puts the token of MS there."""
    table = allotted(**rulings)
    table.pass_stock_round()
    for kind in ("2", "3"):
        table.trains_are_sold(kind)
    table.trains_are_sold("4", leave=1)
    table.home_tokens_stand(*(each for each in ("SD1", "KK1", "MS") if not table.tokens(each)))
    table.has_cash("SD1", 1000)
    table.operating_round_is("SD1", step="buy_trains")
    table.act(BEN, BuyTrain("SD1", next_copy(table.game, table.data, "4"), 280))
    table.tile_lies("E12", "493", 0)
    table.slots_are("E12", 1, "KK1", "", "")
    free = [each for each in table.offered(BEN, PlaceToken) if isinstance(each, PlaceToken)]
    table.act(BEN, next(each for each in free if each.hex == hex_id))
    return table


@pytest.mark.clause("1824/X.4-l", "1824/X.4-n")
@pytest.mark.parametrize(("ruling", "again"), [("is_the_one", False), ("is_that_of_wien", True)])
def test_the_token_for_the_train_put_into_wien(ruling: str, again: bool) -> None:
    """By ruling it was the one for brown Wien: the token for the train is due at once, elsewhere."""
    table = token_for_train("E12", bond_token_in_wien=ruling, bond_tokens_placed="always")
    assert asks_ben(table) is again
    if again:
        assert table.refusal(BEN, PlaceToken("MS", "E12", 0))[0] in ("token_twice", "token_slot_taken")
        table.act(BEN, PlaceToken("MS", "H3", 0))
        assert not asks_ben(table) and unplaced_tokens(table.game, "MS") == ()


@pytest.mark.clause("1824/X.4-l")
def test_a_token_put_elsewhere_is_that_for_the_train() -> None:
    """Whatever the ruling about Wien says, only the one for Wien is still due, which is brown."""
    table = token_for_train("H3", bond_token_in_wien="is_that_of_wien", bond_tokens_placed="always")
    assert [each.subject for each in table.game.interrupts] == ["E12"]


@pytest.mark.clause("1824/X.4-k", "1824/VII.8-g")
def test_the_space_of_the_bond_company_is_kept_until_its_first_turn() -> None:
    """By ruling its base token comes then; nobody else takes the only space of Brünn before."""
    table = allotted(bond_home_token="first_turn")
    table.pass_stock_round()
    with pytest.raises(Rejected, match="token_reserved"):
        check_not_kept(table.game, table.data, PlaceToken("BK", "C12", 0), ("",))
    table.has_cash("SD1", 0)
    table.owns_trains("SD1", "3")
    table.operating_round_is("SD1", "MS", step="buy_trains")
    table.pass_on()
    assert table.tokens("MS") == {("C12", 0): ("MS",)}


@pytest.mark.clause("1824/XI.3-d", "1824/IV.4.4-f")
def test_ug_has_the_token_of_ug1_where_that_was_not_sold() -> None:
    """Four tokens by ruling, which are all there: none comes with UG1."""
    table = new_table(3, OPTION, tokens_of_ug="four")
    table.leave_initial_round()
    assert unplaced_tokens(table.game, "UG") == (40, 100, 100, 100)


@pytest.mark.clause("1824/X.4-l")
def test_nobody_leaves_the_token_by_ruling() -> None:
    """Also where the last 5-train brings it."""
    table = last_4_abroad(bond_tokens_placed="always")
    table.trains_are_sold("5", leave=1)
    table.act(BEN, BuyTrain("SD1", next_copy(table.game, table.data, "5"), 400))
    assert table.refusal(BEN, Pass()) == ("may_not_pass", "1824/X.4-l")
