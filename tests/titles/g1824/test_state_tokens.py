"""The tokens of the state railways of 1824, clause by clause (sections IV.4.4 and VII.8)."""

import pytest

from services.rules.kernel.draft import Draft
from services.rules.kernel.rejections import Rejected
from services.rules.parts.map.board import LaidTile, face
from services.rules.parts.map.boardview import home_city
from services.rules.parts.map.commands import ChooseToken, LayTile, PlaceToken
from services.rules.parts.map.data import map_data
from services.rules.parts.map.state import MapState, map_of, unplaced_tokens
from services.rules.parts.map.stopmap import map_stops
from services.rules.parts.market.state import market_of
from services.rules.parts.trains.commands import BuyTrain
from services.rules.titles.g1824.figures import cards_of
from services.rules.titles.g1824.homes import check_not_kept, first_free_slot, keep_spaces_free
from services.rules.titles.g1824.state import State
from tests.positions.map import charters_of, placed_tokens
from tests.titles.g1824.operating_positions import certificates, limits
from tests.titles.g1824.state_positions import TRIOS, before_formation, form, owners_of
from tests.titles.g1824.table import ADA, BEN, DORA, moved_home_spaces


@pytest.mark.parametrize(("state", "city"), [("SD", "Wien"), ("UG", "Buda Pest"), ("KK", "Wien")])
@pytest.mark.clause("1824/IV.4.4-a", "1824/IV.4.4-b")
def test_what_a_state_consists_of(state: str, city: str) -> None:
    """One 20 % and eight 10 % certificates, five tokens for 0, 40 and 100 G, the first one in its city, train limit 4, then
    3; its price is 120 G, the highest of those in the third column."""
    table = before_formation(state, {})
    table.holds(ADA, state, 3)
    form(table, state)
    assert certificates(table, state) == [2, 1, 1, 1, 1, 1, 1, 1, 1]
    assert (0, 40, 100, 100, 100) in charters_of(table.log, state)
    ((hex_id, _),) = table.tokens(state)
    assert map_data(table.data).hexes[hex_id].name == city
    assert (table.price_of(state), market_of(table.game).markers[state][1]) == (120, 2)
    phases = ("4", "5", "6") if state == "SD" else ("6",)
    assert limits(table, state, *phases) == [4, 4, 3][-len(phases) :]


@pytest.mark.clause("1824/IV.4.4-h", "1824/VII.8-g")
def test_the_place_of_a_state_without_pre_states_is_kept_for_it() -> None:
    """Until SD and KK stand in Wien nobody else may take the places of SD1 and KK1; that of KK2 is nobody's."""
    table = before_formation("SD", {})
    table.price_is("MS", 100)
    table.holds(ADA, "MS", 5, director=True)
    table.company_runs("MS", 200)
    table.home_tokens_stand("MS")
    table.operating_round_is("MS", step="place_token")
    for city in (0, 1):
        refused = table.refusal(ADA, PlaceToken("MS", "E12", city))
        assert refused == ("1824.token_reserved", "1824/VII.8-g")
    assert table.refusal(ADA, PlaceToken("MS", "E12", 2))[0] == "token_not_connected"


@pytest.mark.parametrize(("state", "slots"), [("SD", ("SD",)), ("UG", ("", "UG")), ("KK", ("", "KK"))])
@pytest.mark.clause("1824/IV.4.4-h")
def test_by_ruling_the_token_takes_the_space_of_its_number(state: str, slots: tuple[str, ...]) -> None:
    """Under ruling `numbered` a state takes the space with the number of its city: in a city of one space other than number
    0 one is added, so that the city blocks nobody."""
    table = before_formation(state, {}, home_spaces="numbered")
    table.holds(ADA, state, 3)
    form(table, state)
    ((place, found),) = ((at, held) for at, held in map_of(table.game).tokens.items() if state in held)
    home = cards_of(table.data)[TRIOS[state][0]].home
    assert home is not None and (place, found) == ((home.hex, home.stop), slots)


@pytest.mark.clause("1824/IV.4.4-h", "1824/VII.8-g")
def test_by_ruling_only_the_space_of_its_number_is_kept() -> None:
    """Under ruling `numbered` space 0 is kept in the city of SD1, but not in that of KK1, where KK will take space 1."""
    table = before_formation("SD", {}, home_spaces="numbered")
    for city, kept in ((0, True), (1, False)):
        command = PlaceToken("MS", "E12", city)
        if kept:
            with pytest.raises(Rejected, match="token_reserved"):
                check_not_kept(table.game, table.data, command, ("",))
        else:
            check_not_kept(table.game, table.data, command, ("",))
        assert first_free_slot(table.game, table.data, command, ("", "")) == (1 if kept else 0)


@pytest.mark.clause("1824/IV.4.4-h")
def test_by_ruling_a_kept_space_moves_behind_those_of_cities_joined_before_it() -> None:
    """Under ruling `numbered` KK waits for space 1 of its city; when a tile joins the city of SD1 before it, for space 2, and
    tokens of the joined city leave that space free."""
    table = before_formation("SD", {}, home_spaces="numbered")
    draft = Draft(table.game, table.data)
    before = {"E12": LaidTile("491", 0, 0)}
    joined = {"E12": LaidTile("493", 0, 0)}
    places = map_stops(face(table.data, before, "E12"), face(table.data, joined, "E12"))
    assert places is not None and max(places.count(place) for place in places) == 2
    MapState.to_write(draft.game).tiles = joined
    city = places[home_city(table.data, before, "E12", 1)]
    assert city is not None
    MapState.to_write(draft.game).tokens = {("E12", city): ("MS", "BK", "CL", "EOD")}
    keep_spaces_free(draft, table.data, "E12", before)
    own = home_city(table.data, before, "E12", 1)
    earlier = [each for each in range(own) if places[each] == places[own]]
    stops = [home_city(table.data, before, "E12", stop) for stop in (0, 1, 2)]
    sizes = {stops[0]: 2, stops[1]: 2, stops[2]: 1}
    moved = State.of(draft.game).home_spaces.get("KK", 1)
    assert moved == 1 + sum(sizes[each] for each in earlier)
    arranged = map_of(draft.game).tokens["E12", city]
    assert arranged[moved] == "" and [symbol for symbol in arranged if symbol] == ["MS", "BK", "CL", "EOD"]


@pytest.mark.parametrize(
    ("ruling", "rotation", "slots", "moved"),
    [
        ("numbered", 0, ("BH", "", "MS"), []),
        ("numbered", 3, ("", "BH", ""), [("KK", 3)]),
        ("as_many", 3, ("BH", "", ""), []),
    ],
)
@pytest.mark.clause("1824/IV.4.4-h", "1824/VII.8-g")
def test_by_ruling_tokens_leave_the_kept_spaces_when_a_tile_joins_cities(
    ruling: str, rotation: int, slots: tuple[str, ...], moved: list[tuple[str, int]]
) -> None:
    """Under ruling `numbered` BH lays the brown tile of Wien. Its city is joined with that of MS, where KK waits for space 1,
    or with that of SD1, where SD waits for space 0. Under the other ruling no token moves."""
    table = before_formation("SD", {}, home_spaces=ruling)
    table.tile_lies("E12", "491", 0)
    table.token_stands("BH", "E12", 1)
    table.token_stands("MS", "E12", 2)
    table.phase_is("5")
    table.operating_round_is("BH", step="lay_track")
    events = table.act(DORA, LayTile("BH", "E12", "493", rotation))
    assert moved_home_spaces(events) == moved
    assert next(found for found in map_of(table.game).tokens.values() if "BH" in found) == slots


@pytest.mark.parametrize("state", ["SD", "UG", "KK"])
@pytest.mark.clause("1824/IV.4.4-h", "1824/VII.8-a")
def test_a_state_without_pre_states_gets_one_token_free_of_charge(state: str) -> None:
    """With none of them in play it places one token, for nothing, where number 1 would have stood."""
    table = before_formation(state, {})
    table.holds(ADA, state, 3)
    form(table, state)
    home = cards_of(table.data)[TRIOS[state][0]].home
    assert home is not None
    placed = [(hex_id, city) for company, hex_id, city, *_ in placed_tokens(table.log) if company == state]
    assert placed == [(home.hex, home.stop)]
    assert charters_of(table.log, state)[-2:] == [(0, 40, 100, 100, 100), (40, 100, 100, 100)]
    assert set(table.tokens(state)) == {(home.hex, home.stop)}
    assert unplaced_tokens(table.game, state) == (40, 100, 100, 100)


@pytest.mark.parametrize(("owner", "tokens"), [("KK1", {("E12", 1)}), ("KK2", {("E12", 2)})])
@pytest.mark.clause("1824/VII.8-d", "1824/IV.4.4-g")
def test_a_state_of_one_pre_state_has_one_token_on_the_map(owner: str, tokens: set[tuple[str, int]]) -> None:
    """KK with one token taken over pays 40 G for its next and places none at home."""
    table = before_formation("KK", {owner: ADA})
    table.holds(ADA, "KK", 2)
    if not table.tokens(owner):
        table.home_tokens_stand(owner)
    form(table, "KK")
    assert set(table.tokens("KK")) == tokens
    assert unplaced_tokens(table.game, "KK") == (40, 100, 100, 100)


@pytest.mark.parametrize(
    ("chosen", "value", "charter"),
    [
        (1, "second_cost", (40, 100, 100, 100)),
        (2, "second_cost", (40, 100, 100, 100)),
        (2, "last_one_free", (40, 100, 100, 100)),
        (1, "last_one_free", (40, 100, 100, 0)),
    ],
)
@pytest.mark.clause("1824/VII.8-d", "1824/VII.8-e")
def test_two_tokens_in_two_cities_of_wien(chosen: int, value: str, charter: tuple[int, ...]) -> None:
    """KK with both pre-states has two tokens in Wien: before the next round its director takes one back, for 40 G."""
    table = before_formation("KK", owners_of("KK"), returned_state_token=value)
    for symbol in TRIOS["KK"]:
        if not table.tokens(symbol):
            table.home_tokens_stand(symbol)
    table.act(DORA, BuyTrain("BH", "6-0", 600))
    while not table.game.interrupts:
        table.pass_on()
    assert set(table.tokens("KK")) == {("E12", 1), ("E12", 2)}
    assert table.asked() == ADA
    assert table.refusal(BEN, ChooseToken("KK", "E12", 1))[0] == "not_your_turn"
    assert table.refusal(ADA, ChooseToken("KK", "E12", 0)) == ("token_choice", "1824/VII.8-e")
    assert table.offered(ADA) == [ChooseToken("KK", "E12", 1), ChooseToken("KK", "E12", 2)]
    table.act(ADA, ChooseToken("KK", "E12", chosen))
    assert set(table.tokens("KK")) == {("E12", 3 - chosen)}
    assert unplaced_tokens(table.game, "KK") == charter


@pytest.mark.clause("1824/VII.8-d", "1824/VII.8-e")
def test_two_tokens_in_one_city_of_wien() -> None:
    """On brown Wien both stand in one city: the one of KK2 goes back at 40 G and nobody is asked."""
    table = before_formation("KK", owners_of("KK"))
    for symbol in TRIOS["KK"]:
        if not table.tokens(symbol):
            table.home_tokens_stand(symbol)
    table.tile_lies("E12", "493", 0)
    table.slots_are("E12", 1, "KK1", "KK2", "")
    form(table, "KK")
    assert map_of(table.game).tokens[("E12", 1)] == ("KK", "", "")
    assert unplaced_tokens(table.game, "KK") == (40, 100, 100, 100)
    assert table.game.interrupts == ()
