"""Station tokens (7.7)."""

import pytest

from services.rules.kernel.commands import Pass
from services.rules.parts.map.commands import PlaceToken
from services.rules.parts.map.state import MapState, map_of, unplaced_tokens
from services.rules.parts.shares.state import SharesState, companies_of
from services.rules.titles.g1862.operating.building import BUILD
from services.rules.titles.g1862.operating.homes import HOME
from services.rules.titles.g1862.operating.stations import PLACE
from tests.positions.map import placed_tokens
from tests.positions.reading import payments
from tests.titles.g1862.trackboard import yard

LINE = "D11:57/0 D13:57/0 D9:621/0"


@pytest.mark.clause("1862/7.7-a")
def test_one_token_a_turn() -> None:
    """After a token in Witham there is none in Bury until the next turn, and nobody has to place any."""
    here = yard("SVR", LINE)
    assert here.waits(PLACE)
    assert here.refusal(PLACE, Pass()) == ("", "")
    here.act(PLACE, PlaceToken("SVR", "D13", 0))
    assert not here.waits(PLACE)
    assert here.refusal(PLACE, PlaceToken("SVR", "D9", 0)) == ("no_token_left", "1862/7.7-a")
    here.turn_of("SVR")
    here.act(PLACE, PlaceToken("SVR", "D9", 0))


@pytest.mark.clause("1862/7.7-b")
def test_tokens_cost_nothing_more_and_run_out() -> None:
    """Three tokens are placed without a penny; then the company has none left."""
    here = yard("SVR", LINE + " D7:8852/0 D5:57/0")
    for hex_id in ("D13", "D9", "D5"):
        events = here.act(PLACE, PlaceToken("SVR", hex_id, 0))
        assert [hex_id for _, hex_id, *_ in placed_tokens(events)] == [hex_id]
        assert payments(events) == []
        here.turn_of("SVR")
    assert unplaced_tokens(here.game, "SVR") == ()
    assert not here.waits(PLACE)
    assert here.refusal(PLACE, PlaceToken("SVR", "D15", 1)) == ("no_token_left", "1862/7.7-b")


@pytest.mark.clause("1862/7.7-c")
def test_token_goes_on_a_free_slot_of_a_route() -> None:
    """Not on a full city, not off the routes, not twice on a tile, not on a slot that is taken."""
    tokens = {("D11", 0): ("SVR",), ("D13", 0): ("EUR",), ("D9", 0): ("SVR", "")}
    here = yard("SVR", "D11:57/0 D13:57/0 D9:793/0 E8:57/0", tokens, "B")
    assert here.refusal(PLACE, PlaceToken("SVR", "D13", 0)) == ("token_slot_taken", "1862/7.7-c")
    assert here.refusal(PLACE, PlaceToken("SVR", "E8", 0)) == ("token_not_connected", "1862/7.7-c")
    assert here.refusal(PLACE, PlaceToken("SVR", "D9", 0, 1)) == ("token_twice", "1862/7.7-c")
    for city in (1, 5):
        assert here.refusal(PLACE, PlaceToken("SVR", "D9", city)) == ("unknown_city", "")
    assert here.refusal(PLACE, PlaceToken("SVR", "D9", 0, 2)) == ("unknown_city", "")
    assert here.refusal(PLACE, PlaceToken("SVR", "Z9", 0)) == ("unknown_hex", "")
    assert here.refusal(PLACE, PlaceToken("EUR", "D9", 0)) == ("not_your_turn", "")
    assert not here.waits(PLACE)
    assert here.offered(PLACE, PlaceToken) == []
    wide = yard("SVR", "D11:57/0 D9:793/0", {("D11", 0): ("SVR",), ("D9", 0): ("I&B", "")}, "B")
    assert wide.refusal(PLACE, PlaceToken("SVR", "D9", 0, 0)) == ("token_slot_taken", "1862/7.7-c")
    wide.act(PLACE, PlaceToken("SVR", "D9", 0))
    assert map_of(wide.game).tokens["D9", 0] == ("I&B", "SVR")


@pytest.mark.clause("1862/7.7-d")
def test_tokens_survive_upgrades() -> None:
    """Through green and brown the token of Sudbury stays, and a second one beside it."""
    here = yard("SVR", "D11:57/0", phase="D")
    here.act(BUILD, here.lay("D11", "14", 0))
    MapState.to_write(here.game).tokens = {**map_of(here.game).tokens, ("D11", 0): ("SVR", "EUR")}
    here.turn_of("SVR")
    brown = next(each for each in here.offered(BUILD) if getattr(each, "tile", "") == "611")
    here.act(BUILD, brown)
    assert map_of(here.game).tokens["D11", 0] == ("SVR", "EUR")


@pytest.mark.clause("1862/7.7-e")
def test_token_may_take_another_company_s_home_slot() -> None:
    """SVR takes the only slot of Bury before I&B comes to its first turn; that displaces it and gives it back."""
    here = yard("SVR", LINE, phase="A")
    here.act(PLACE, PlaceToken("SVR", "D9", 0))
    SharesState.to_write(here.game).companies["I&B"] = companies_of(here.game)["SVR"]
    late = yard("I&B", LINE, dict(map_of(here.game).tokens), first_turn=True)
    late.begin(HOME)
    assert map_of(late.game).tokens["D9", 0] == ("I&B",)
    assert unplaced_tokens(late.game, "SVR") == (0, 0, 0, 0)
