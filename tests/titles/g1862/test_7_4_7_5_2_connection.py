"""Routes as far as building, stations and mergers ask for them (7.4, 7.5.2), on the map of the rulebook's figures."""

import pytest

from services.rules.parts.map.boardview import view_of
from services.rules.parts.map.commands import PlaceToken
from services.rules.titles.g1862.operating.building import BUILD
from services.rules.titles.g1862.operating.stations import PLACE, connected
from tests.titles.g1862.trackboard import DATA, Yard, yard

# Newmarket and Ely to the west; Ipswich, full of N&B, WVR and ESR, in the middle; Felixstowe with a port behind it.
TILES = "C8:621/0 C10:57/0 C12:8852/0 D9:621/0 D11:619/3 D13:15/1 E12:790/1 F11:791/1 G12:57/2 G10:8851/3 G8:6/0 F9:8850/0"
TOKENS = {
    ("C8", 0): ("E&H",),
    ("C10", 0): ("NGC",),
    ("D9", 0): ("I&B",),
    ("D11", 0): ("SVR", ""),
    ("D13", 0): ("SVR", "EUR"),
    ("E12", 0): ("EUR", ""),
    ("F11", 0): ("N&B", "WVR", "ESR"),
    ("G12", 0): ("FDR",),
    ("D15", 1): ("SVR", "NGC"),
    ("B15", 1): ("E&H", "EUR"),
}
COMPANIES = ("E&H", "NGC", "I&B", "SVR", "EUR", "N&B", "WVR", "ESR", "FDR")
EAST = ("SVR", "ESR", "N&B", "EUR", "I&B")


def figure(actor: str, without: str = "") -> Yard:
    """The map of the figures; `without` the tokens of one company."""
    tokens = {
        city: tuple("" if symbol == without else symbol for symbol in slots) for city, slots in TOKENS.items()
    }
    return yard(actor, TILES, tokens, "B")


def stops(here: Yard, company: str) -> set[str]:
    """The hexes of the stops that the company's routes can come to."""
    return {hex_id for hex_id, _ in view_of(DATA, here.game).reach(company).stops}


def joined(here: Yard, company: str) -> set[str]:
    """The companies with which it could merge as far as track goes."""
    return {
        other for other in COMPANIES if other != company and connected(here.game, here.data, company, other)
    }


@pytest.mark.clause("1862/7.4-a")
def test_route_needs_a_station_that_is_not_in_london() -> None:
    """A company with nothing but a terminal in London is joined to no track at all."""
    here = yard("NGC", TILES, {("D15", 1): ("NGC", "")}, "B")
    assert stops(here, "NGC") == {"D15"}
    assert here.offered(PLACE, PlaceToken) == []
    assert here.refusal(BUILD, here.lay("E14", "8851", 3)) == ("tile_not_connected", "1862/7.6.1-a")


@pytest.mark.clause("1862/7.4-c")
def test_route_ends_in_a_full_city_and_passes_one_with_a_free_slot() -> None:
    """I&B passes Sudbury, which has a free slot, and Colchester, and ends in Ipswich and Witham, which are full."""
    here = figure("I&B")
    assert {"D11", "E12", "F11", "D13"} <= stops(here, "I&B")
    assert {"G12", "C14", "D15"}.isdisjoint(stops(here, "I&B"))
    closed = yard("I&B", TILES, {**TOKENS, ("D11", 0): ("SVR", "ECR")}, "B")
    assert stops(closed, "I&B") == {"D9", "D11"}


@pytest.mark.clause("1862/7.4-e")
def test_route_ends_at_ports_and_red_areas() -> None:
    """ESR comes to the ports behind Felixstowe and not out of them to Harwich; WStI to the Midlands, not on to Holbeach."""
    here = yard("ESR", "G12:14/2 F13:201/5", {("G12", 0): ("ESR", "")}, "B")
    assert view_of(DATA, here.game).reach("ESR").stops == {("G12", 0), ("G14", 0), ("H13", 0)}
    midlands = yard("WStI", "B5:6/0 B3:8850/1", {("B5", 0): ("WStI",)})
    assert stops(midlands, "WStI") == {"B5", "A4"}


@pytest.mark.clause("1862/7.4-h")
def test_no_route_passes_london() -> None:
    """SVR, with tracks into C14 from Witham, does not come out of it towards Great Dunmow."""
    here = figure("SVR")
    assert "C14" in stops(here, "SVR")
    assert {"C12", "C10"}.isdisjoint(stops(here, "SVR"))


@pytest.mark.clause("1862/7.4-i")
def test_ngc_of_the_figure_runs_to_ely() -> None:
    """From Newmarket track leads to Ely, E&H's home."""
    assert "C8" in stops(figure("NGC"), "NGC")


@pytest.mark.clause("1862/7.4-j")
def test_svr_of_the_figure_does_not_pass_ipswich() -> None:
    """SVR comes to Ipswich and no further; with a slot free there it would come to Felixstowe."""
    assert "F11" in stops(figure("SVR"), "SVR")
    assert "G12" not in stops(figure("SVR"), "SVR")
    assert "G12" in stops(figure("SVR", without="WVR"), "SVR")


@pytest.mark.clause("1862/7.4-k")
def test_fdr_of_the_figure_has_its_port_and_ipswich() -> None:
    """FDR joins the port, Felixstowe and Ipswich, and nothing beyond."""
    assert stops(figure("FDR"), "FDR") == {"G12", "H13", "F11"}


@pytest.mark.clause("1862/7.5.2-a")
def test_full_city_keeps_companies_apart() -> None:
    """FDR may merge with WVR, ESR and N&B in Ipswich, not with EUR, SVR and I&B beyond it, from either side."""
    here = figure("FDR")
    assert joined(here, "FDR") == {"WVR", "ESR", "N&B"}
    for other in COMPANIES:
        assert connected(here.game, here.data, other, "FDR") == (other in ("WVR", "ESR", "N&B", "FDR"))


@pytest.mark.clause("1862/7.5.2-b")
def test_companies_in_one_city_are_joined() -> None:
    """Both in Beccles, with no other track on the map, two companies are joined."""
    here = yard("WVR", "G8:14/0", {("G8", 0): ("WVR", "FDR")}, "B")
    assert connected(here.game, here.data, "WVR", "FDR")


@pytest.mark.clause("1862/7.5.2-c")
def test_terminals_in_london_join_nobody() -> None:
    """NGC and E&H, both with terminals there, may merge with each other and nobody else; nor does one city of London join."""
    here = figure("NGC")
    assert joined(here, "NGC") == {"E&H"}
    assert joined(here, "E&H") == {"NGC"}


@pytest.mark.clause("1862/7.5.2-d")
def test_all_companies_of_one_network_are_joined() -> None:
    """SVR, ESR, N&B, EUR and I&B may all merge with each other."""
    here = figure("SVR")
    for company in EAST:
        assert set(EAST) - {company} <= joined(here, company)


@pytest.mark.clause("1862/7.5.2-e")
def test_new_company_is_joined_in_its_first_operating_round() -> None:
    """EUR has just placed its home token in its first turn and is joined to SVR."""
    here = yard(
        "EUR", "E12:790/1 D11:619/3", {("E12", 0): ("EUR", ""), ("D11", 0): ("SVR", "")}, "B", first_turn=True
    )
    assert connected(here.game, here.data, "EUR", "SVR")
