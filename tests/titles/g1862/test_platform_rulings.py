"""What the platform `18xx.games` plays otherwise than the rulebook, ruling by ruling."""

from __future__ import annotations

import pytest

from services.rules.kernel.title import Context
from services.rules.parts.map.board import LaidTile, free_copies
from services.rules.parts.map.commands import LayTile
from services.rules.parts.map.state import map_of
from services.rules.parts.trains.state import trains_of
from services.rules.titles.g1862.commands import RaiseCash
from services.rules.titles.g1862.mergers import proposals as merging
from services.rules.titles.g1862.operating import rounds as operating, stations
from services.rules.titles.g1862.title import TITLE
from services.rules.titles.g1862.trains import buying as trains
from services.rules.titles.g1862.trains.depots import bank_price, has_room, has_room_for_kind
from services.rules.titles.g1862.trains.forced import takes_only_way
from tests.positions.map import placed_tokens
from tests.titles.g1862.runboard import board, command, earned, refused
from tests.titles.g1862.table import ADA, BEN, Table, new_table

# Wisbech joined with both spaces of the Midlands that lie beside it, King's Lynn, March and Cambridge.
AROUND_WISBECH = "B5:15/1 C4:793/4 B7:6/0 B9:791/0"
MEETING = {"joined_freight": "ends_meet", "runs_meet": "in_any_stop"}


def short(cash: int, *, shares: int = 5, **rulings: str) -> Table:
    """L&E of Ada, with this much money, no train and the rest of its shares, is about to buy one."""
    table = new_table(4, offer=("L&E", "SVR"), by=rulings)
    table.is_founded("L&E", 82, ADA, shares=shares, chartered=False, treasury=cash)
    table.is_founded("SVR", 90, BEN, treasury=300)
    table.operating_round_is("L&E", "SVR")
    return table


@pytest.mark.parametrize(("way", "earnings"), [("for_the_most", 250), ("train_by_train", 220)])
def test_hexes_of_one_area_may_be_taken_for_several_stops(way: str, earnings: int) -> None:
    """Two trains end in the Midlands, of which one may leave a stop out: for the most it leaves out the area that the
    other counts; train by train it takes its own hex of it for a stop of 90 and leaves out Wisbech."""
    table = board("L&H", AROUND_WISBECH, "3E", "2/3E", phase="C", counting_of_stops=way, **MEETING)
    table.token_stands("L&H", "B9")
    assert earned(table, {"3E": "A6 B7 B9", "2/3E": "A4 B5 C4"}) == (earnings, 0)


def test_a_ring_of_freight_runs_is_paid_where_it_begins() -> None:
    """Two runs between the same ends are one longer run that begins and ends where the first begins: no bonus."""
    rulings = {"counting_of_stops": "train_by_train", **MEETING}
    table = board("L&H", AROUND_WISBECH, "3F", "3Fx", phase="C", **rulings)
    assert earned(table, {"3F": "C4 B5", "3Fx": "B5 C4"}) == (50, 0)
    assert earned(table, {"3F": "B5 C4", "3Fx": "B5 C4"}) == (30, 0)
    assert earned(table, {"3F": "C4 B5 A6", "3Fx": "A6 B5 C4"}) == (50, 0)
    assert earned(table, {"3F": "A6 B5 C4", "3Fx": "C4 B5 A6"}) == (90, 0)
    strict = board("L&H", AROUND_WISBECH, "3F", "3Fx", phase="C", joined_freight="one_route")
    assert refused(strict, {"3F": "C4 B5", "3Fx": "B5 C4"}) == ("1862.freight_not_joined", "1862/7.8.1-l")


def test_runs_go_in_the_direction_in_which_they_are_given() -> None:
    """Out and back over one segment, which is the same from both ends, and over two."""
    table = board("L&H", AROUND_WISBECH, "3E", "3Ex", phase="C", counting_of_stops="train_by_train")
    for hexes in (("C4", "B5"), ("C4", "B5", "A6")):
        twin = Table(table.game, table.data)
        twin.act(ADA, command(table, {"3E": " ".join(hexes), "3Ex": " ".join(hexes[::-1])}))
        runs = trains_of(twin.game).last_runs["L&H"]
        assert [run.hexes for run in runs] == [hexes, hexes[::-1]]
        assert [run.stops[0] for run in runs] == [f"{hexes[0]}.0", f"{hexes[-1]}.0"]
        assert runs[0].segments == runs[1].segments[::-1]


@pytest.mark.parametrize("way", ["for_the_most", "train_by_train"])
def test_small_stations_of_a_local_train_count_each_way(way: str) -> None:
    """Two cities of 20 and 50 and the town of 20 between them, and 10 for each of three hexes."""
    table = board("L&H", "E2:57/1 D3:8852/1 C4:793/4", "2/3L", phase="C", counting_of_stops=way)
    assert earned(table, {"2/3L": "E2 D3 C4"}) == (90, 30)


def test_where_three_freight_runs_meet_two_are_joined() -> None:
    """Permanent trains need not join: the first goes on into one of the others, the third counts by itself."""
    rulings = {"counting_of_stops": "train_by_train", **MEETING}
    table = board("L&H", "B5:611/0 C4:793/4 B7:57/0", "7F", "6F", "6Fx", phase="E", **rulings)
    table.token_stands("L&H", "B5")
    joined = earned(table, {"7F": "C4 B5", "6F": "B5 A6"})[0]
    alone = earned(table, {"7F": "C4 B5"})[0] - 50
    assert earned(table, {"7F": "C4 B5", "6F": "B5 A6", "6Fx": "B5 B7"})[0] == joined + alone + 20


@pytest.mark.parametrize(("ruling", "asked"), [("skipped", False), ("asked", True)])
def test_a_company_with_nobody_to_merge_with(ruling: str, asked: bool) -> None:
    """It is asked by one ruling, once in its step; in receivership never."""
    table = short(300, idle_turns=ruling)
    table.operating_round_is("L&E", step="merge")
    context = Context(table.data)
    assert merging.MERGE.is_waiting(table.game, context) is asked
    table.has_taken_action("merged")
    assert not merging.MERGE.is_waiting(table.game, context)
    table.operating_round_is("L&E", step="merge")
    table.has_no_director("L&E")
    assert not merging.MERGE.is_waiting(table.game, context)


@pytest.mark.parametrize(("ruling", "asked"), [("skipped", False), ("asked", True)])
def test_a_company_that_finds_all_terminals_taken(ruling: str, asked: bool) -> None:
    """It is asked by one ruling as long as it could build one in this turn."""
    table = new_table(4, offer=("ECR", "L&E", "SVR"), by={"idle_turns": ruling})
    table.is_founded("ECR", 82, ADA, tokens=4)
    table.tile_lies("D13", "57", 0)
    table.home_tokens_stand("ECR")
    for number, hex_id in enumerate(("B15", "B15", "D15", "D15")):
        other = ("L&E", "SVR")[number % 2]
        slots = list(map_of(table.game).tokens.get((hex_id, 1), ("", "")))
        slots[slots.index("")] = other
        table.slots_are(hex_id, 1, *slots)
    table.operating_round_is("ECR", step="place_token")
    assert stations.PLACE.is_waiting(table.game, Context(table.data)) is asked
    table.tile_lies("C12", "8850", 0)
    assert not stations.PLACE.is_waiting(table.game, Context(table.data))


@pytest.mark.parametrize(
    ("owner", "tokens", "asked"), [("SVR", 2, True), ("SVR", 1, False), ("ECR", 2, False)]
)
def test_who_could_not_have_a_terminal_anyway_is_not_asked_about_one(
    owner: str, tokens: int, asked: bool
) -> None:
    """By the ruling that asks in vain neither a company without a token left is asked, nor one that has its terminal."""
    table = new_table(4, offer=("ECR", "L&E", "SVR"), by={"idle_turns": "asked"})
    table.is_founded("ECR", 82, ADA, tokens=tokens)
    table.tile_lies("D13", "57", 0)
    table.home_tokens_stand("ECR")
    table.slots_are("B15", 1, "L&E", "L&E")
    table.slots_are("D15", 1, "L&E", owner)
    table.operating_round_is("ECR", step="place_token")
    assert stations.PLACE.is_waiting(table.game, Context(table.data)) is asked


def test_the_only_way_of_raising_cash() -> None:
    """Without shares to sell a refinancing is all that is left; with both ways, or another train to buy, there is a choice."""
    for shares, only in ((10, True), (5, False)):
        table = short(20, shares=shares)
        assert takes_only_way(table.game, table.data, "L&E") is only
    table = short(60, shares=10)
    table.owns_trains("SVR", "A")
    table.phase_is("B")
    assert not takes_only_way(table.game, table.data, "L&E")
    assert not takes_only_way(short(500).game, table.data, "L&E")


@pytest.mark.parametrize(("ruling", "money"), [("asked", 20), ("taken", 20 + 820)])
def test_the_only_way_is_taken_on_coming_to_the_step(ruling: str, money: int) -> None:
    """By one ruling the company is refinanced without a question."""
    table = short(20, shares=10, only_way_of_raising_cash=ruling)
    draft = table.draft()
    trains.BUY.begin(draft, Context(table.data))
    table.take(draft)
    assert table.game.money("L&E") == money


@pytest.mark.clause("1862/7.3-g")
def test_a_company_in_receivership_has_no_way_of_raising_cash() -> None:
    """The ruling that takes the only way does not refinance it: it ends the step with what it had."""
    table = short(20, shares=10, only_way_of_raising_cash="taken")
    table.has_no_director("L&E")
    draft = table.draft()
    trains.BUY.begin(draft, Context(table.data))
    table.take(draft)
    assert table.game.money("L&E") == 20


@pytest.mark.parametrize(("ruling", "left"), [("one_piece", 0), ("pieces_of_their_own", 2)])
def test_tiles_with_stations_and_their_pieces(ruling: str, left: int) -> None:
    """There are two pieces of tile 16, whether with stations or without; or two of each."""
    data = TITLE.load((), {"tiles_with_stations": ruling})
    tiles = {"C12": LaidTile("16_1a", 0, 0), "D3": LaidTile("16_1a", 0, 1)}
    assert len(free_copies(data, tiles, "16_1b")) == left
    assert free_copies(data, tiles, "16_1a") == ()


def test_a_station_needs_a_piece_that_shows_it() -> None:
    """Where tiles with stations are pieces of their own, none can be added once all that show it are out."""
    rulings = {"tiles_with_stations": "pieces_of_their_own", "first_building": "anywhere"}
    table = board("L&H", "C12:16_1b/0 D3:16_2/0 D7:16_2/0", **rulings)
    table.operating_round_is("L&H", step="lay_track")
    assert table.refusal(ADA, LayTile("L&H", "C12", "16_2", 0)) == ("tile_exhausted", "1862/2.3-e")


@pytest.mark.parametrize(("ruling", "price"), [("price_stays", 82), ("price_falls", 78)])
def test_treasury_shares_sold_after_the_monopoly(ruling: str, price: int) -> None:
    """Prices stay then, but by one ruling not for shares that pay for a train."""
    table = short(20, treasury_sales_after_monopoly=ruling)
    table.monopoly_is("LNER", 20)
    table.act(ADA, RaiseCash("L&E", "treasury_shares"))
    assert table.price_of("L&E") == price


def test_the_limit_in_receivership() -> None:
    """From G on three trains are the limit; by one ruling a company in receivership minds only that on each kind."""
    for ruling, bought in (("as_for_all", 3), ("of_each_kind", 4)):
        table = short(5000, shares=5, receivership_train_limit=ruling)
        table.owns_trains("L&E", "E", "E", runs_as="express")
        table.owns_trains("L&E", "F", runs_as="freight")
        table.phase_is("G")
        table.licences_are("L&E", "express", "freight")
        table.has_no_director("L&E")
        assert not has_room(table.game, table.data, "L&E", "express")
        assert has_room_for_kind(table.game, table.data, "L&E", "express")
        table.has_cash("L&E", bank_price(table.game, table.data))
        draft = table.draft()
        trains.BUY.leave(draft, Context(table.data))
        table.take(draft)
        assert len(trains_of(table.game).owned["L&E"]) == bought


@pytest.mark.parametrize(("ruling", "placed"), [("not_placed", False), ("placed", True)])
def test_a_company_quoted_after_the_monopoly(ruling: str, placed: bool) -> None:
    """Nothing is built any more; by one ruling it still places its home token."""
    table = new_table(4, offer=("L&E",), by={"home_after_monopoly": ruling})
    table.is_founded("L&E", 82, ADA, treasury=900, tokens=2)
    table.tile_lies("C6", "57", 0)
    table.monopoly_is("LNER", 20)
    table.round_is("operating", "L&E", turn=3)
    draft = table.draft()
    operating.TURNS.advance(draft, Context(table.data))
    found = table.take(draft)
    assert bool(placed_tokens(found)) is placed
    assert table.game.current_round.step == "buy_trains"
