"""Tokens, direct routes and mines in 1865 (5.2, 5.3)."""

import pytest

from services.rules.kernel.commands import Pass
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.map.state import map_of, unplaced_tokens
from services.rules.titles.g1865.commands import LaunchAnew, PlaceTokenByRoute
from tests.positions.map import charters, placed_tokens
from tests.positions.reading import paid, payments
from tests.titles.g1865.table import (
    ADA,
    BEN,
    OLBIA_TO_OZIERI_TO_SASSARI,
    TO_ARBATAX,
    TO_CAGLIARI,
    TO_CAGLIARI_HEXES,
    TO_CORTE,
    TO_CORTE_HEXES,
    Table,
    routes_used,
    stock_table,
    traffic_changes,
)

Lines = tuple[tuple[str, str, int], ...]
TO_CAGLIARI_TOKEN = PlaceTokenByRoute("FMS", "F39", 0, TO_CAGLIARI_HEXES)


def _placing(
    company: str = "FMS", tiles: Lines = TO_CAGLIARI, *, treasury: int = 1000, **rulings: str
) -> Table:
    """The company of Ada is at turn before its token, on this track."""
    table = stock_table(**rulings)
    table.is_launched(company, 80, ADA, treasury=treasury)
    table.tiles_lie(tiles)
    table.company_turn_is(company, step="place_token")
    return table


@pytest.mark.clause("1865/5.2-a")
def test_one_token_a_turn() -> None:
    """After it the step is over; a second one is refused."""
    table = _placing()
    table.act(ADA, TO_CAGLIARI_TOKEN)
    assert table.game.current_round.step != "place_token"
    again = _placing()
    again.has_taken_action("token_placed")
    assert again.refusal(ADA, TO_CAGLIARI_TOKEN) == ("no_token_left", "1865/5.2-a")


@pytest.mark.clause("1865/5.2-b")
def test_a_company_launched_anew_places_its_home_with_the_president_s_certificate() -> None:
    """In the city that its president chose; all others have theirs from the start."""
    table = stock_table()
    table.token_is_removed("FMS", "C38")
    table.charter_has_tokens("FMS", 0, 0, 0)
    table.is_absorbed("FMS")
    events = table.act(ADA, LaunchAnew("FMS", 80, "F7", 0))
    assert placed_tokens(events) == [("FMS", "F7", 0, 0, "home")]


@pytest.mark.clause("1865/5.2-c")
def test_a_free_slot_at_the_end_of_a_direct_route() -> None:
    """Not where nobody could come, not where all slots are taken, not twice in one place, not in a town."""
    table = _placing()
    assert table.offered(ADA, PlaceTokenByRoute) == [TO_CAGLIARI_TOKEN]
    for command, reason in (
        (PlaceTokenByRoute("FMS", "G22", 0, ("C38", "G22")), ("token_slot_taken", "1865/5.2-c")),
        (PlaceTokenByRoute("FMS", "E34", 0, ("C38", "E34")), ("token_slot_taken", "1865/5.2-c")),
        (PlaceTokenByRoute("FMS", "C32", 0, ("C38", "C32")), ("1865.no_direct_route", "1865/5.2-d")),
        (PlaceTokenByRoute("FMS", "D37", 0, ("C38", "D37")), ("unknown_city", "1865/5.2-c")),
        (PlaceTokenByRoute("FMS", "F39", 1, TO_CAGLIARI_HEXES), ("unknown_city", "1865/5.2-c")),
        (PlaceTokenByRoute("FMS", "Z99", 0, ()), ("unknown_hex", "")),
        (PlaceTokenByRoute("FMS", "C38", 0, ()), ("token_twice", "1865/5.2-c")),
        (PlaceTokenByRoute("RCSF", "F39", 0, ()), ("not_your_turn", "")),
    ):
        assert table.refusal(ADA, command) == reason, command
    table.token_stands("FA", "F39")
    table.company_turn_is("FMS", step="place_token")
    assert table.refusal(ADA, TO_CAGLIARI_TOKEN) == ("token_slot_taken", "1865/5.2-c")


@pytest.mark.clause("1865/5.2-d")
def test_a_direct_route_ends_at_the_first_city() -> None:
    """FA in Olbia comes to Ozieri, and to Sassari behind it only with a token in Ozieri; towns are passed."""
    table = _placing("FA", OLBIA_TO_OZIERI_TO_SASSARI)
    (to_ozieri,) = table.offered(ADA, PlaceTokenByRoute)
    assert to_ozieri == PlaceTokenByRoute("FA", "E24", 0, ("G22", "F23", "E24"))
    through = PlaceTokenByRoute("FA", "C24", 0, ("G22", "F23", "E24", "D25", "C24"))
    assert table.refusal(ADA, through) == ("1865.no_direct_route", "1865/5.2-d")
    table.act(ADA, to_ozieri)
    table.company_turn_is("FA", step="place_token")
    table.act(ADA, PlaceTokenByRoute("FA", "C24", 0, ("E24", "D25", "C24")))


@pytest.mark.clause("1865/5.2-e")
@pytest.mark.clause("1865/5.2-f")
@pytest.mark.parametrize(
    ("company", "tiles", "hexes", "cost", "traffic"),
    [
        ("CFD", TO_CORTE, TO_CORTE_HEXES, 2 * 10 + 40 + 60, 1 + 2),
        ("FMS", TO_CAGLIARI, TO_CAGLIARI_HEXES, 10 + 40 + 10, 1 + 3),
        ("FCS", TO_ARBATAX, ("E34", "F33", "G32", "H31"), 10 + 60 + 10, 1 + 2),
    ],
)
def test_cost_and_traffic_of_a_direct_route(
    company: str, tiles: Lines, hexes: tuple[str, ...], cost: int, traffic: int
) -> None:
    """2 plain, a river and a mountain are 120. Towns and goal bring traffic, the start brings none."""
    table = _placing(company, tiles)
    command = PlaceTokenByRoute(company, hexes[-1], 0, hexes)
    choice = next(each for each in table.choices(ADA) if each.command == command)
    assert choice.cost == cost
    events = table.act(ADA, command)
    assert paid(events, company, BANK, cost, "token_cost", hexes[-1])
    assert routes_used(events) == [(company, hexes[-1], hexes, cost, traffic)]
    assert traffic_changes(events, "token") == [(company, traffic, "token", hexes[-1])]


@pytest.mark.clause("1865/5.2-f")
def test_towns_on_the_way_add_up() -> None:
    """Towns of 1 and 1 and a city of 3: 5 traffic."""
    table = _placing("SFSS", (("D25", "4", 2), ("E26", "4", 2)))
    route = ("C24", "D25", "E26", "F27")
    assert traffic_changes(table.act(ADA, PlaceTokenByRoute("SFSS", "F27", 0, route)))[0][1] == 5


# From Cagliari to Isili: straight over plain land, or farther over the town of Mandas.
PLAIN_WAY, OVER_MANDAS = ("F39", "E38", "E36", "E34"), ("F39", "F37", "F35", "F33", "E34")
TWO_WAYS: Lines = (
    *(("E34", "6", 4), ("F37", "9", 0), ("F35", "4", 0)),
    *(("F33", "7", 0), ("E38", "8", 3), ("E36", "9", 0)),
)


@pytest.mark.clause("1865/5.2-g")
@pytest.mark.parametrize(("route", "cost", "traffic"), [(PLAIN_WAY, 30, 2), (OVER_MANDAS, 40, 3)])
def test_the_president_chooses_among_direct_routes(route: tuple[str, ...], cost: int, traffic: int) -> None:
    """Each has its own cost and traffic, and what is chosen counts; what lies between them is none."""
    table = _placing("RCSF", TWO_WAYS)
    table.token_is_removed("FCS", "E34")
    table.company_turn_is("RCSF", step="place_token")
    listed = [command for command in table.offered(ADA) if isinstance(command, PlaceTokenByRoute)]
    offered = [command for command in listed if command.hex == "E34"]
    assert offered == [PlaceTokenByRoute("RCSF", "E34", 0, each) for each in (PLAIN_WAY, OVER_MANDAS)]
    neither = PlaceTokenByRoute("RCSF", "E34", 0, ("F39", "F37", "E36", "E34"))
    assert table.refusal(ADA, neither) == ("1865.no_direct_route", "1865/5.2-d")
    events = table.act(ADA, PlaceTokenByRoute("RCSF", "E34", 0, route))
    assert routes_used(events) == [("RCSF", "E34", route, cost, traffic)]
    assert table.game.money("RCSF") == 1000 - cost and table.traffic("RCSF") == traffic


@pytest.mark.clause("1865/5.2-h")
def test_a_token_has_to_be_there_and_paid_by_the_company() -> None:
    """59 are not 60, whatever the president has; without tokens the step is left out."""
    table = _placing(treasury=59)
    assert table.refusal(ADA, TO_CAGLIARI_TOKEN) == ("not_enough_cash", "1865/5.2-h")
    table.has_cash("FMS", 60)
    table.charter_has_tokens("FMS")
    assert table.refusal(ADA, TO_CAGLIARI_TOKEN) == ("no_token_left", "1865/5.2-h")
    full = _placing()
    events = full.act(ADA, TO_CAGLIARI_TOKEN)
    assert charters(events) == [("FMS", (0,))] and len(unplaced_tokens(full.game, "FMS")) == 1


def _in_mine(colour: str = "yellow", **rulings: str) -> Table:
    """FMS of Ada has a token in the mine Montevecchio of this colour."""
    table = _placing("FMS", TO_CAGLIARI, treasury=1000, **rulings)
    table.token_stands("FMS", "C36")
    tiles = {"yellow": (), "green": ("MG",), "brown": ("MG", "MB")}
    for tile in tiles[colour]:
        table.tile_lies("C36", tile, 4)
    table.owns_trains("FMS", "2")
    return table


@pytest.mark.clause("1865/5.3-a")
@pytest.mark.clause("1865/5.3-c")
@pytest.mark.parametrize(("colour", "brings"), [("yellow", 2), ("green", 1), ("brown", 0)])
def test_a_mine_yields_by_its_colour_in_every_turn(colour: str, brings: int) -> None:
    """Yellow 2, green 1, brown nothing; in each operating round."""
    table = _in_mine(colour)
    for _ in range(2):
        table.company_turn_is("FMS", step="place_token")
        events = table.act(ADA, Pass())
        assert traffic_changes(events) == ([("FMS", brings, "mine", "C36")] if brings else [])


def test_mines_add_up() -> None:
    """One yellow and one green mine bring 3."""
    table = _in_mine("green")
    table.token_stands("FMS", "G36")
    table.company_turn_is("FMS", step="place_token")
    assert sum(each[1] for each in traffic_changes(table.act(ADA, Pass()), "mine")) == 3


# From Iglesias west to the mine Montevecchio: C38 leaves north-east alone, so over Siliqua.
TO_MONTEVECCHIO: Lines = (("D37", "3", 1),)


@pytest.mark.clause("1865/5.3-b")
@pytest.mark.parametrize(
    ("ruling", "more"), [("yields_once", []), ("yields_twice", [("FMS", 2, "mine", "C36")])]
)
def test_a_mine_brings_its_traffic_when_its_token_comes(
    ruling: str, more: list[tuple[str, int, str, str]]
) -> None:
    """2 and the town's 1 at once, which is that turn's yield; there is room for one token alone."""
    table = _placing(tiles=TO_MONTEVECCHIO, mine_with_new_token=ruling)
    table.owns_trains("FMS", "2")
    (command,) = table.offered(ADA, PlaceTokenByRoute)
    assert isinstance(command, PlaceTokenByRoute) and command.hex == "C36"
    events = table.act(ADA, command)
    assert traffic_changes(events, "token") == [("FMS", 3, "token", "C36")]
    assert traffic_changes(events, "mine") == more
    taken = _placing(tiles=TO_MONTEVECCHIO)
    taken.token_stands("FA", "C36")
    assert map_of(taken.game).tokens["C36", 0] == ("FA",)
    assert taken.refusal(ADA, command) == ("token_slot_taken", "1865/5.3-b")


@pytest.mark.clause("1865/5.3-d")
def test_one_mine_of_the_district() -> None:
    """With a token in one mine of Carbonia a second one there is refused; other mines are not of the district."""
    for held, refused in (("C40", True), ("C36", False)):
        table = _placing(tiles=())
        table.token_stands("FMS", held)
        found = table.refusal(ADA, PlaceTokenByRoute("FMS", "B39", 0, ("C38", "B39")))
        expected = (
            ("1865.mine_of_district", "1865/5.3-d") if refused else ("1865.no_direct_route", "1865/5.2-d")
        )
        assert found == expected


def test_payments_of_others_do_not_count() -> None:
    """A token is paid once, to the bank."""
    table = _placing()
    events = table.act(ADA, TO_CAGLIARI_TOKEN)
    assert [(each.source, each.target) for each in payments(events)] == [("FMS", BANK)] and BEN
