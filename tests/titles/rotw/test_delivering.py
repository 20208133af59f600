"""Deliveries (rotw/deliver), on the small map: Ashford and Dunmore red, Carlow and Hadley blue, Elmira and Ironton yellow."""

from __future__ import annotations

import pytest

from services.rules.kernel.events import BrokenLog
from services.rules.titles.rotw.commands import DeliverGood
from services.rules.titles.rotw.state import own
from tests.positions.market import price_moves
from tests.positions.reading import payments
from tests.positions.rounds import ended_turns
from tests.titles.rotw.table import (
    ADA,
    BLUE,
    GREEN,
    RED,
    YELLOW,
    Table,
    chosen_actions,
    deliver,
    delivered,
    emptied,
    income_marks,
    running_table,
)

MAIN_LINE = ("Ashford", "Brookton", "Carlow", "Dunmore")


def with_line(company: str = RED) -> Table:
    """One company has the line from Ashford over Brookton and Carlow to Dunmore, links 1 to 3."""
    table = running_table()
    table.has_links(company, *MAIN_LINE)
    return table


def test_nobody_delivers_for_a_company_that_is_not_to_act() -> None:
    """It is RED's turn; the line and the cube would do for BLUE."""
    table = with_line(BLUE)
    table.goods_are("Brookton", "blue")
    assert table.refusal(ADA, deliver(BLUE, "Brookton", "blue", "2"))[0] == "not_your_turn"


@pytest.mark.clause("rotw/deliver-a", "rotw/deliver-l")
def test_one_cube_moves_and_leaves_the_game() -> None:
    """The city has one of its two blue cubes less, the target none more, and the turn is over."""
    table = with_line()
    table.goods_are("Ashford", "blue", "yellow", "blue")
    events = table.act(ADA, deliver(RED, "Ashford", "blue", "1", "2"))
    assert delivered(events) == [(RED, "Ashford", "blue", "Carlow")]
    assert (own(table.game).goods["Ashford"], own(table.game).goods["Carlow"]) == (("yellow", "blue"), ())
    assert ended_turns(events) == [RED] and chosen_actions(events) == [(RED, "deliver")]


def test_there_has_to_be_such_a_cube() -> None:
    """And links that lead on from its city."""
    table = with_line()
    table.goods_are("Ashford", "blue")
    for city, colour in (("Ashford", "red"), ("Brookton", "blue"), ("Nowhere", "blue")):
        assert table.refusal(ADA, deliver(RED, city, colour, "1")) == ("rotw.no_such_cube", "rotw/deliver-a")
    for links in ((), ("2",), ("1", "3"), ("9",)):
        assert table.refusal(ADA, deliver(RED, "Ashford", "blue", *links)) == (
            "rotw.no_such_way",
            "rotw/deliver-a",
        )


@pytest.mark.clause("rotw/deliver-b")
def test_a_cube_stops_at_the_first_city_of_its_colour() -> None:
    """A red cube from Hadley comes to Ashford first and cannot go on to Dunmore; one that begins in Ashford can."""
    table = with_line()
    table.has_link(RED, "Hadley", "Ashford")
    table.goods_are("Hadley", "red")
    table.goods_are("Ashford", "red")
    too_far = deliver(RED, "Hadley", "red", "4", "1", "2", "3")
    assert table.refusal(ADA, too_far) == ("rotw.stops_before", "rotw/deliver-b")
    assert deliver(RED, "Hadley", "red", "4") in table.offered(ADA, DeliverGood)
    assert delivered(table.act(ADA, deliver(RED, "Ashford", "red", "1", "2", "3"))) == [
        (RED, "Ashford", "red", "Dunmore")
    ]


@pytest.mark.clause("rotw/deliver-c")
def test_a_cube_ends_in_a_city_of_its_colour() -> None:
    """Blue does not go to red Dunmore."""
    table = running_table()
    table.has_link(RED, "Granby", "Dunmore")
    table.goods_are("Granby", "blue")
    assert table.refusal(ADA, deliver(RED, "Granby", "blue", "1")) == ("rotw.wrong_colour", "rotw/deliver-c")


@pytest.mark.clause("rotw/deliver-d")
def test_grey_cities_take_nothing() -> None:
    """Brookton is grey: no cube ends there, but it may pass."""
    table = with_line()
    table.goods_are("Ashford", "blue")
    assert table.refusal(ADA, deliver(RED, "Ashford", "blue", "1")) == ("rotw.grey_city", "rotw/deliver-d")
    table.act(ADA, deliver(RED, "Ashford", "blue", "1", "2"))


@pytest.mark.clause("rotw/deliver-e")
def test_the_first_link_is_own() -> None:
    """However many own ones follow; the refusal names it."""
    table = running_table()
    table.has_link(BLUE, "Ashford", "Brookton")
    table.has_links(RED, "Brookton", "Carlow", "Dunmore")
    table.goods_are("Ashford", "red")
    table.goods_are("Brookton", "red")
    refused = table.rejection(ADA, deliver(RED, "Ashford", "red", "1", "2", "3"))
    assert (refused.code, refused.clause) == ("rotw.first_link_foreign", "rotw/deliver-e")
    assert refused.message.endswith(": 1")
    table.act(ADA, deliver(RED, "Brookton", "red", "2", "3"))


@pytest.mark.clause("rotw/deliver-f")
def test_any_number_of_links() -> None:
    """Seven of them, in a company's first delivery."""
    table = running_table()
    cities = ("Elmira", "Ashford", "Brookton", "Fulton", "Granby", "Carlow", "Dunmore", "Jasper", "Ironton")
    links = table.has_links(RED, *cities)
    table.goods_are("Ashford", "yellow")
    events = table.act(ADA, deliver(RED, "Ashford", "yellow", *links[1:]))
    assert income_marks(events) == [(RED, 7)]


@pytest.mark.clause("rotw/deliver-g", "rotw/deliver-h")
def test_links_of_others_may_be_used_and_their_owners_are_paid() -> None:
    """Two red, one blue: RED moves by 2, BLUE by 1, from where they are; nobody is asked."""
    table = running_table()
    table.has_links(RED, "Ashford", "Brookton", "Carlow")
    table.has_link(BLUE, "Carlow", "Granby")
    table.goods_are("Ashford", "black")
    table.income_is(BLUE, 4)
    events = table.act(ADA, deliver(RED, "Ashford", "black", "1", "2", "3"))
    assert income_marks(events) == [(RED, 2), (BLUE, 5)]


@pytest.mark.clause("rotw/deliver-i")
@pytest.mark.parametrize(("own_links", "allowed"), [(2, False), (3, True)])
def test_own_links_are_as_many_as_all_others(own_links: int, allowed: bool) -> None:
    """One green and two yellow links need three red ones."""
    table = running_table()
    cities: tuple[str, ...] = ("Elmira", "Ashford", "Hadley", "Brookton", "Carlow", "Ironton", "Jasper")
    owners = (RED, GREEN, YELLOW, YELLOW, RED, RED)
    if own_links == 2:
        cities, owners = cities[1:], (RED, GREEN, YELLOW, YELLOW, RED, RED)
    links = [
        table.has_link(owner, one, other)
        for owner, one, other in zip(owners, cities, cities[1:], strict=False)
    ]
    table.goods_are(cities[0], "purple")
    command = deliver(RED, cities[0], "purple", *links)
    if allowed:
        assert income_marks(table.act(ADA, command)) == [(RED, 3), (GREEN, 1), (YELLOW, 2)]
    else:
        assert table.refusal(ADA, command) == ("rotw.too_many_foreign_links", "rotw/deliver-i")
        assert command not in table.offered(ADA, DeliverGood)


@pytest.mark.clause("rotw/deliver-j")
def test_the_last_cube_leaves_a_marker() -> None:
    """Not the last but one."""
    table = with_line()
    table.goods_are("Ashford", "blue", "red")
    assert emptied(table.act(ADA, deliver(RED, "Ashford", "blue", "1", "2"))) == []
    table.company_round_is(RED)
    assert emptied(table.act(ADA, deliver(RED, "Ashford", "red", "1", "2", "3"))) == ["Ashford"]
    assert own(table.game).emptied == ("Ashford",)


@pytest.mark.clause("rotw/deliver-k")
def test_no_city_and_no_link_twice() -> None:
    """Neither a loop nor there and back."""
    table = with_line()
    table.has_links(RED, "Brookton", "Hadley", "Ashford")
    table.goods_are("Brookton", "blue")
    for links in (("1", "1", "2"), ("1", "5", "4", "2")):
        assert table.refusal(ADA, deliver(RED, "Brookton", "blue", *links)) == (
            "rotw.city_twice",
            "rotw/deliver-k",
        )


@pytest.mark.clause("rotw/deliver-m")
def test_share_values_stay() -> None:
    """The income marker moves, the other does not; no money comes before the end of the turn."""
    table = with_line()
    table.goods_are("Ashford", "blue")
    events = table.act(ADA, deliver(RED, "Ashford", "blue", "1", "2"))
    assert (price_moves(events), payments(events)) == ([], [])
    assert table.price_of(RED) == 8000


def test_what_is_listed_is_not_dominated() -> None:
    """From Ashford to Carlow over Brookton alone, or by a longer way of own links; the worse one of two is left out."""
    table = with_line()
    table.has_links(RED, "Ashford", "Elmira", "Fulton", "Brookton")
    table.has_link(BLUE, "Fulton", "Carlow")
    table.goods_are("Ashford", "blue")
    assert table.offered(ADA, DeliverGood) == [deliver(RED, "Ashford", "blue", "4", "5", "6", "2")]


def test_a_log_with_a_cube_that_is_not_there_is_broken() -> None:
    """A delivery of a colour that the city has not."""
    table = running_table()
    table.goods_are("Ashford", "red")
    with pytest.raises(BrokenLog, match="Ashford has no blue cube"):
        table.has_delivered(RED, "Ashford", "blue", "Brookton", "1")
