"""The tokens of the state railways of 1824, clause by clause (sections IV.4.4 and VII.8)."""

import pytest

from services.rules.parts.map.commands import ChooseToken, PlaceToken
from services.rules.parts.map.events import CharterTokensSet, TokenPlaced, TokensArranged
from services.rules.parts.map.state import CityTokens, map_of, unplaced_tokens
from services.rules.parts.trains.commands import BuyTrain
from services.rules.titles.g1824.figures import cards_of
from tests.titles.g1824.positions import ADA, BEN, DORA
from tests.titles.g1824.positions_states import TRIOS, before_formation, form, owners_of
from tests.titles.g1824.reading_events import only


@pytest.mark.clause("1824/IV.4.4-h", "1824/VII.8-g")
def test_the_place_of_a_state_without_pre_states_is_kept_for_it() -> None:
    """Until SD and KK stand in Wien nobody else may take the places of SD1 and KK1; that of KK2 is nobody's."""
    table = before_formation("SD", {})
    table.price("MS", 100)
    table.hold(ADA, "MS", 5, director=True)
    table.open("MS", 200)
    table.home("MS")
    table.operating_round("MS", step="place_token")
    for city in (0, 1):
        refused = table.refusal(ADA, PlaceToken("MS", "E12", city))
        assert refused == ("1824.token_reserved", "1824/VII.8-g")
    assert table.refusal(ADA, PlaceToken("MS", "E12", 2))[0] == "token_not_connected"


@pytest.mark.parametrize("state", ["SD", "UG", "KK"])
@pytest.mark.clause("1824/IV.4.4-h", "1824/VII.8-a")
def test_a_state_without_pre_states_gets_one_token_free_of_charge(state: str) -> None:
    """With none of them in play it places one token, for nothing, where number 1 would have stood."""
    table = before_formation(state, {})
    table.hold(ADA, state, 3)
    form(table, state)
    home = cards_of(table.data)[TRIOS[state][0]].home
    assert home is not None
    placed = [event for event in only(table.log, TokenPlaced) if event.company == state]
    assert [(event.hex, event.city) for event in placed] == [(home.hex, home.stop)]
    charters = [event.costs for event in only(table.log, CharterTokensSet) if event.company == state]
    assert charters[-2:] == [(0, 40, 100, 100, 100), (40, 100, 100, 100)]
    assert set(table.tokens(state)) == {(home.hex, home.stop)}
    assert unplaced_tokens(table.game, state) == (40, 100, 100, 100)


@pytest.mark.parametrize(("owner", "tokens"), [("KK1", {("E12", 1)}), ("KK2", {("E12", 2)})])
@pytest.mark.clause("1824/VII.8-d", "1824/IV.4.4-g")
def test_a_state_of_one_pre_state_has_one_token_on_the_map(owner: str, tokens: set[tuple[str, int]]) -> None:
    """KK with one token taken over pays 40 G for its next and places none at home."""
    table = before_formation("KK", {owner: ADA})
    table.hold(ADA, "KK", 2)
    if not table.tokens(owner):
        table.home(owner)
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
            table.home(symbol)
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
            table.home(symbol)
    table.tile("E12", "493", 0)
    table.write(TokensArranged("E12", (CityTokens(1, ("KK1", "KK2", "")),)))
    form(table, "KK")
    assert map_of(table.game).tokens[("E12", 1)] == ("KK", "", "")
    assert unplaced_tokens(table.game, "KK") == (40, 100, 100, 100)
    assert table.game.interrupts == ()
