"""A company's first turn: home token, home hex, and who makes room (7.2, 13.0-a)."""

import pytest
from msgspec.structs import replace

from services.rules.kernel.commands import Pass
from services.rules.parts.map.commands import LayTile, PlaceToken
from services.rules.parts.map.state import MapState, map_of, unplaced_tokens
from services.rules.parts.shares.state import SharesState, companies_of
from services.rules.titles.g1862.operating.building import BUILD
from services.rules.titles.g1862.operating.homes import HOME, can_place_home
from services.rules.titles.g1862.operating.stations import PLACE, connected
from tests.positions.map import charters, placed_tokens, token_changes
from tests.titles.g1862.trackboard import PEER, RULEBOOK, Tokens, Yard, yard

# Ipswich as in the figure of 3.2, joined to Colchester and Woodbridge.
IPSWICH = "F11:790/1 E12:790/1 G10:8850/2"
TOKENS = {("F11", 0): ("N&B", "WVR")}


def first_turn(tiles: str, tokens: Tokens, phase: str = "B") -> Yard:
    """ESR, whose home is Ipswich, comes to its first turn."""
    return yard("ESR", tiles, tokens, phase, first_turn=True)


@pytest.mark.clause("1862/7.2-a")
def test_home_token_is_placed_before_everything_else() -> None:
    """On the empty home hex the token stands as soon as the turn begins, free of charge and not as the turn's token."""
    here = first_turn("", {})
    events = here.begin(HOME)
    assert placed_tokens(events) == [("ESR", "F11", 0, 0, "home")]
    assert charters(events) == [("ESR", (0, 0))]
    assert not here.waits(HOME)
    assert unplaced_tokens(here.game, "ESR") == (0, 0)
    assert "token_placed" not in here.game.turn.actions


@pytest.mark.clause("1862/7.2-a")
def test_home_token_takes_a_free_slot() -> None:
    """Where another company stands already the home token takes the next slot, and only in the first turn."""
    here = first_turn(IPSWICH, {("F11", 0): ("N&B", "")})
    here.begin(HOME)
    assert map_of(here.game).tokens["F11", 0] == ("N&B", "ESR")
    here.turn_of("ESR")
    assert here.begin(HOME) == []


@pytest.mark.clause("1862/7.2-a")
def test_tokens_that_a_merger_brought_do_not_replace_the_home_token() -> None:
    """ESR took over a token in Colchester before its first turn; Ipswich is still its home."""
    here = first_turn(IPSWICH, {("E12", 0): ("ESR", ""), ("F11", 0): ("N&B", "")})
    assert placed_tokens(here.begin(HOME)) == [("ESR", "F11", 0, 1, "home")]


@pytest.mark.clause("1862/7.2-b")
def test_first_tile_goes_on_the_empty_home_hex() -> None:
    """ESR has a token elsewhere, as after a merger: with Ipswich empty it lays there and nowhere else."""
    here = first_turn("G8:57/0", {("G8", 0): ("ESR",), ("F11", 0): ("ESR",)}, "A")
    assert here.refusal(BUILD, here.lay("G10", "8852", 0)) == ("1862.home_first", "1862/7.2-b")
    assert {command.hex for command in here.offered(BUILD) if isinstance(command, LayTile)} == {"F11"}
    here.act(BUILD, here.lay("F11", "790", 1))


@pytest.mark.clause("1862/7.2-c")
def test_full_home_hex_has_to_be_upgraded() -> None:
    """ESR may neither pass nor build elsewhere until tile 791 makes room in Ipswich."""
    here = first_turn(IPSWICH, TOKENS)
    assert here.begin(HOME) == []
    assert here.begin(BUILD) == []
    assert here.waits(BUILD)
    assert here.refusal(BUILD, Pass()) == ("may_not_pass", "1862/7.2-c")
    assert here.refusal(BUILD, here.lay("G10", "17_1", 0)) == ("1862.home_first", "1862/7.2-c")
    assert {(each.hex, each.tile) for each in here.offered(BUILD)} == {("F11", "791")}  # type: ignore[attr-defined]
    here.act(BUILD, here.lay("F11", "791", 1))
    assert map_of(here.game).tokens["F11", 0] == ("N&B", "WVR", "ESR")


@pytest.mark.clause("1862/7.2-d")
def test_home_upgrade_is_the_building_action() -> None:
    """After the forced upgrade nothing more is built, no terminal in London either; a first tile at home leaves a second."""
    here = first_turn(IPSWICH + " D13:14/1", TOKENS)
    here.begin(BUILD)
    here.act(BUILD, here.lay("F11", "791", 1))
    assert not here.waits(BUILD)
    assert here.refusal(PLACE, PlaceToken("ESR", "D15", 1)) == ("1862.london_terminal", "1862/7.6.5-c")
    empty = yard("WVR", first_turn=True)
    empty.begin(HOME)
    empty.act(BUILD, empty.lay("G8", "57", 0))
    assert empty.waits(BUILD)
    empty.act(BUILD, empty.lay("G10", "8850", 3))
    assert not empty.waits(BUILD)


@pytest.mark.clause("1862/7.2-e")
def test_token_placed_last_makes_room() -> None:
    """Both slots of Witham are taken and it cannot grow: of SVR and EUR the one that came last goes back to its charter."""
    tokens = {("D13", 0): ("SVR", "EUR")}
    for order, gone in (
        ((("D13", "SVR"), ("D13", "EUR")), "EUR"),
        ((("D13", "EUR"), ("E12", "SVR"), ("D13", "SVR")), "SVR"),
        ((("D13", "EUR"), ("D13", "SVR"), ("E12", "EUR")), "SVR"),
    ):
        here = yard("ECR", "D13:15/1", tokens, "B", first_turn=True, placements=order)
        here.begin(HOME)
        assert set(map_of(here.game).tokens["D13", 0]) == {"ECR", "SVR", "EUR"} - {gone}
        assert unplaced_tokens(here.game, gone) == (0, 0, 0, 0)
        assert ("D13", gone) not in map_of(here.game).placements


@pytest.mark.clause("1862/7.2-e")
def test_peer_takes_the_token_of_the_last_slot() -> None:
    """Under the peer's ruling the last slot is cleared, no matter who came last."""
    order = (("D13", "EUR"), ("D13", "SVR"))
    here = yard("ECR", "D13:15/1", {("D13", 0): ("SVR", "EUR")}, "B", PEER, True, order)
    here.begin(HOME)
    assert map_of(here.game).tokens["D13", 0] == ("SVR", "ECR")


@pytest.mark.clause("1862/7.2-f")
def test_only_tokens_placed_after_the_opening_are_displaced() -> None:
    """Witham full before ECR opens: it cannot be opened, so what it displaces later came after it."""
    before = yard("SVR", "D13:15/1", {("D13", 0): ("SVR", "")}, "B")
    assert can_place_home(before.game, before.data, "ECR")
    late = yard("ECR", "D13:15/1", {("D13", 0): ("SVR", "EUR")}, "B", first_turn=True)
    assert not can_place_home(late.game, late.data, "ECR")
    assert token_changes(late.begin(HOME)) == [("EUR", "D13", 0, 1, "", "1862.displaced")]


@pytest.mark.clause("1862/7.2-g", "1862/7.2-h")
def test_company_counts_as_joined_to_its_home_tile_before_its_token_stands() -> None:
    """ESR, before the upgrade of full Ipswich, may merge with EUR, which traces a route there; not with I&B, which does not."""
    tokens = {**TOKENS, ("E12", 0): ("EUR", ""), ("D9", 0): ("I&B",)}
    here = first_turn(IPSWICH + " D9:621/0", tokens)
    here.begin(HOME)
    assert "ESR" not in map_of(here.game).tokens["F11", 0]
    assert connected(here.game, here.data, "ESR", "EUR")
    assert connected(here.game, here.data, "EUR", "ESR")
    assert not connected(here.game, here.data, "ESR", "I&B")
    here.turn_of("EUR")
    assert not connected(here.game, here.data, "EUR", "ESR")


@pytest.mark.clause("1862/7.2-h")
def test_home_upgrade_comes_after_a_merger_or_before_it() -> None:
    """By the rulebook the upgrade waits for the building action; under the peer's ruling it is made first of all."""
    for rulings, first in ((RULEBOOK, BUILD), (PEER, HOME)):
        here = yard("ESR", IPSWICH, TOKENS, "B", rulings, first_turn=True)
        here.begin(HOME)
        assert here.waits(HOME) == (first is HOME)
        here.act(first, here.lay("F11", "791", 1))
        here.begin(BUILD)
        assert not here.waits(HOME) and not here.waits(BUILD)
        assert map_of(here.game).tokens["F11", 0] == ("N&B", "WVR", "ESR")


@pytest.mark.clause("1862/7.2-h")
def test_merger_in_the_first_turn_may_make_room_at_home() -> None:
    """When a merger clears a slot of Ipswich the home token takes it as building begins, and anything may be built."""
    here = first_turn(IPSWICH, TOKENS)
    here.begin(HOME)
    MapState.to_write(here.game).tokens = {("F11", 0): ("N&B", "")}
    events = here.begin(BUILD)
    assert placed_tokens(events) == [("ESR", "F11", 0, 1, "home")]
    assert charters(events) == [("ESR", (0, 0))]
    assert here.refusal(BUILD, here.lay("G10", "17_1", 0)) != ("1862.home_first", "1862/7.2-c")


@pytest.mark.clause("1862/7.2-i")
def test_first_building_action_is_at_home() -> None:
    """With an empty home hex neither a small station nor a terminal in London comes first."""
    tokens = {("E12", 0): ("ESR", ""), ("F11", 0): ("ESR",)}
    here = first_turn("D13:57/0 E12:790/0 D11:57/1 G4:20_1/0", tokens)
    assert here.refusal(BUILD, here.lay("G4", "20_2", 0)) == ("1862.home_first", "1862/7.2-b")
    assert here.refusal(PLACE, PlaceToken("ESR", "D15", 1)) == ("1862.home_first", "1862/7.2-i")


@pytest.mark.clause("1862/13.0-a")
def test_building_at_home_first_may_be_dropped_by_agreement() -> None:
    """Under the ruling `anywhere` the same company adds a small station with its home hex still empty."""
    tokens = {("E12", 0): ("ESR", ""), ("F11", 0): ("ESR",)}
    free = {**RULEBOOK, "first_building": "anywhere"}
    here = yard("ESR", "E12:790/0 G4:20_1/0", tokens, "B", free, first_turn=True)
    here.act(BUILD, here.lay("G4", "20_2", 0))


@pytest.mark.clause("1862/7.2-j")
def test_home_token_leaves_the_turn_its_other_token() -> None:
    """WVR places its home token, lays two tiles and places another token at the end of them."""
    here = yard("WVR", first_turn=True)
    here.begin(HOME)
    here.act(BUILD, here.lay("G8", "57", 1))
    here.act(BUILD, here.lay("H7", "57", 1))
    assert here.waits(PLACE)
    here.act(PLACE, PlaceToken("WVR", "H7", 0))
    assert not here.waits(PLACE)


@pytest.mark.clause("1862/7.3-b")
def test_company_in_receivership_builds_nothing() -> None:
    """Without a director no home token, no track and no station."""
    here = yard("WVR", "G8:57/1 H7:57/1", {("G8", 0): ("WVR",)})
    assert here.waits(BUILD) and here.waits(PLACE)
    SharesState.to_write(here.game).companies["WVR"] = replace(companies_of(here.game)["WVR"], director="")
    assert not here.waits(BUILD) and not here.waits(PLACE)
    new = yard("WVR", first_turn=True)
    SharesState.to_write(new.game).companies["WVR"] = replace(companies_of(new.game)["WVR"], director="")
    assert new.begin(HOME) == []
    assert not new.waits(HOME) and not new.waits(BUILD)
