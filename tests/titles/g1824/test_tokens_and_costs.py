"""Base tokens, further tokens, and what track and tokens cost in 1824 (VII.6-l, VII.7-b, VII.8)."""

from __future__ import annotations

import pytest

from services.rules.kernel.vocabulary import BANK
from services.rules.parts.map.commands import ChooseToken, LayTile, PlaceToken
from services.rules.parts.map.state import map_of, unplaced_tokens
from services.rules.titles.g1824.figures import cards_of
from tests.positions.map import placed_tokens
from tests.positions.reading import moved_cash
from tests.positions.rounds import before_steps
from tests.titles.g1824.operating_positions import major, pilsen_table
from tests.titles.g1824.table import ADA, BEN, Table, clear_table, owned_table

# Prag joined over a town to Brünn, and a stretch of open country beyond it.
MORAVIA = (("B9", "14", 1), ("C10", "58", 2), ("C12", "14", 0), ("C14", "9", 1))


def moravia_table(company: str = "MS", *, treasury: int = 500, **rulings: str) -> Table:
    """A regional with a token in Prag; Brünn, two spaces wide, is in reach."""
    table = clear_table(4, **rulings)
    major(table, company, ADA, treasury=treasury)
    table.tiles_lie(MORAVIA)
    table.token_stands(company, "B9")
    table.operating_round_is(company, step="place_token")
    return table


@pytest.mark.clause("1824/VII.8-a")
def test_base_token_is_placed_free_of_charge_in_the_first_turn() -> None:
    """At the start of its first turn the base token stands on the printed home and costs nothing; later turns bring none."""
    table = clear_table()
    major(table, "MS", ADA, treasury=300)
    table.stock_round_is()
    events = table.pass_stock_round()
    assert placed_tokens(events) == [("MS", "C12", 0, 0, "home")]
    assert table.game.money("MS") == 300
    assert unplaced_tokens(table.game, "MS") == (40, 100)
    assert placed_tokens(before_steps(events)) == placed_tokens(events)
    table.owns_trains("MS", "2")
    table.stock_round_is(turn=3)
    assert placed_tokens(table.pass_stock_round()) == []


@pytest.mark.clause("1824/VII.8-b")
def test_token_beside_the_base_token_in_the_same_turn_but_only_one() -> None:
    """In its first turn a company places its base token and one more in an empty space, but not two more."""
    table = clear_table()
    major(table, "MS", ADA, treasury=500)
    table.tiles_lie((("B9", "14", 1), ("C10", "58", 2), ("C12", "14", 0)))
    table.stock_round_is()
    table.pass_stock_round()
    assert list(table.tokens("MS")) == [("C12", 0)]
    table.pass_on()
    table.act(ADA, PlaceToken("MS", "B9", 0))
    assert set(table.tokens("MS")) == {("C12", 0), ("B9", 0)}
    assert not table.offered(ADA, PlaceToken)


@pytest.mark.clause("1824/VII.8-b")
def test_token_needs_an_empty_space_of_a_city() -> None:
    """A full city, a taken slot, a town and a hex without any city take no token."""
    table = moravia_table()
    table.token_stands("SB", "C12", slot=0)
    assert table.refusal(ADA, PlaceToken("MS", "C12", 0, 0)) == ("token_slot_taken", "1824/VII.8-b")
    table.token_stands("CL", "C12", slot=1)
    assert table.refusal(ADA, PlaceToken("MS", "C12", 0)) == ("token_slot_taken", "1824/VII.8-b")
    assert table.refusal(ADA, PlaceToken("MS", "C10", 0)) == ("unknown_city", "")
    assert table.refusal(ADA, PlaceToken("MS", "C14", 0)) == ("unknown_city", "")
    assert table.refusal(ADA, PlaceToken("MS", "C12", 1)) == ("unknown_city", ""), "C12 has one city"
    assert table.refusal(ADA, PlaceToken("MS", "C12", 0, 2)) == ("unknown_city", ""), "with two spaces"


@pytest.mark.clause("1824/VII.8-c")
def test_first_further_token_costs_40_and_the_next_100() -> None:
    """A regional pays the bank 40, in a later turn 100, and then has none left."""
    table = moravia_table()
    table.tile_lies("C14", "8", 1)
    table.tile_lies("B15", "14", 0)
    assert moved_cash(table.act(ADA, PlaceToken("MS", "C12", 0)), "token_cost") == [("MS", BANK, 40)]
    table.operating_round_is("MS", step="place_token")
    assert moved_cash(table.act(ADA, PlaceToken("MS", "B15", 0)), "token_cost") == [("MS", BANK, 100)]
    assert unplaced_tokens(table.game, "MS") == ()
    table.operating_round_is("MS", step="place_token")
    assert table.refusal(ADA, PlaceToken("MS", "E12", 0)) == ("no_token_left", "1824/VII.8-b")


@pytest.mark.clause("1824/VII.8-c")
def test_token_is_paid_by_the_company_alone() -> None:
    """With 39 in the treasury the token is refused, however rich the director is."""
    table = moravia_table(treasury=39)
    table.has_cash(ADA, 1000)
    assert table.refusal(ADA, PlaceToken("MS", "C12", 0)) == ("not_enough_cash", "1824/VII.8-c")
    table.has_cash("MS", 40)
    table.act(ADA, PlaceToken("MS", "C12", 0))
    assert table.game.money("MS") == 0


def state_after_forming(state: str, *pre_states: str, **rulings: str) -> Table:
    """The state after the round in which its train came out, with these pre-states of the first player in play."""
    table = owned_table(dict.fromkeys(pre_states, ADA), 4, **rulings)
    for symbol in pre_states:
        if not table.tokens(symbol):
            table.home_tokens_stand(symbol)
    if len(pre_states) == 1:
        table.holds(ADA, state, 1)
    trigger = cards_of(table.data)[state].formed_by_train
    assert trigger is not None
    table.phase_is(trigger)
    table.operating_round_is("EPP")
    table.has_passed_step("buy_trains")
    table.carry_on()
    return table


@pytest.mark.clause("1824/VII.8-d")
@pytest.mark.parametrize(
    ("state", "pre_states", "costs"),
    [
        ("SD", ("SD1", "SD2", "SD3"), (100, 100)),
        ("KK", ("KK1",), (40, 100, 100, 100)),
        ("UG", ("UG1", "UG2"), (100, 100, 100)),
    ],
)
def test_tokens_taken_over_use_up_the_first_costs(
    state: str, pre_states: tuple[str, ...], costs: tuple[int, ...]
) -> None:
    """SD with three tokens on the map pays 100 for the next one, KK with one token 40, as printed."""
    table = state_after_forming(state, *pre_states)
    assert len(table.tokens(state)) == len(pre_states)
    assert unplaced_tokens(table.game, state) == costs


@pytest.mark.clause("1824/VII.8-d", "1824/VII.8-e")
@pytest.mark.parametrize("given_back", [1, 2])
def test_second_token_in_wien_goes_back_at_40(given_back: int) -> None:
    """Ruling returned_state_token = second_cost: KK keeps one of two tokens in Wien, and its next one costs 40."""
    table = state_after_forming("KK", "KK1", "KK2")
    assert table.asked() == ADA
    table.act(ADA, ChooseToken("KK", "E12", given_back))
    assert list(table.tokens("KK")) == [("E12", 3 - given_back)] and table.game.interrupts == ()
    assert unplaced_tokens(table.game, "KK") == (40, 100, 100, 100)


@pytest.mark.parametrize(("given_back", "charter"), [(1, (40, 100, 100, 0)), (2, (40, 100, 100, 100))])
def test_first_of_two_state_tokens_makes_the_last_one_free(given_back: int, charter: tuple[int, ...]) -> None:
    """Ruling returned_state_token = last_one_free: giving back the first of the two makes the last token free."""
    table = state_after_forming("KK", "KK1", "KK2", returned_state_token="last_one_free")
    table.act(ADA, ChooseToken("KK", "E12", given_back))
    assert unplaced_tokens(table.game, "KK") == charter


@pytest.mark.clause("1824/VII.8-e")
def test_no_second_token_in_a_hex() -> None:
    """Neither another space of the same city nor another city of the same hex takes a second token."""
    table = moravia_table()
    assert table.refusal(ADA, PlaceToken("MS", "B9", 0)) == ("token_twice", "1824/VII.8-e")
    table.token_stands("MS", "E12", 0)
    assert table.refusal(ADA, PlaceToken("MS", "E12", 1)) == ("token_twice", "1824/VII.8-e")


@pytest.mark.clause("1824/VII.8-f")
def test_token_needs_a_connection_that_is_not_blocked() -> None:
    """Mährisch-Ostrau beyond Brünn is reached while Brünn has a free space, not when others fill it."""
    table = moravia_table()
    table.tiles_lie((("B15", "14", 0), ("B13", "69", 0)))
    assert table.refusal(ADA, PlaceToken("MS", "B15", 0)) == ("token_not_connected", "1824/VII.8-f")
    table = moravia_table()
    table.tile_lies("C14", "8", 1)
    table.tile_lies("B15", "14", 0)
    to_ostrau = PlaceToken("MS", "B15", 0)
    table.act(ADA, to_ostrau)
    blocked = moravia_table()
    blocked.tile_lies("C14", "8", 1)
    blocked.tile_lies("B15", "14", 0)
    blocked.token_stands("SB", "C12")
    blocked.token_stands("CL", "C12")
    assert blocked.refusal(ADA, to_ostrau) == ("token_not_connected", "1824/VII.8-f")


@pytest.mark.clause("1824/VII.8-g")
def test_last_space_of_a_base_is_kept() -> None:
    """CL may not take the only space of MS's Brünn; with two spaces it may take one, and then nobody the other."""
    table = clear_table()
    major(table, "CL", ADA, treasury=500)
    table.tiles_lie((("B9", "14", 1), ("C10", "58", 2), ("C12", "57", 1)))
    table.token_stands("CL", "B9")
    table.operating_round_is("CL", step="place_token")
    to_base = PlaceToken("CL", "C12", 0)
    assert table.refusal(ADA, to_base) == ("1824.token_reserved", "1824/VII.8-g")
    table.tile_lies("C12", "14", 0)
    before = table.game
    table.act(ADA, to_base)
    table.game = before
    table.token_stands("SB", "C12")
    assert table.refusal(ADA, to_base) == ("1824.token_reserved", "1824/VII.8-g")


@pytest.mark.clause("1824/VII.8-a", "1824/VII.8-g")
def test_a_base_token_in_joined_cities_takes_the_space_of_its_own() -> None:
    """Brown Wien, where the city of KK1 comes first of the two that were joined, lies before the first turn of KK1."""
    table = owned_table({"SD1": ADA, "KK1": BEN}, 4)
    assert table.game.actor == "SD1" and not table.tokens("KK1")
    table.tile_lies("E12", "493", 0)
    table.owns_trains("SD1", "2")
    while table.game.actor == "SD1":
        table.pass_on()
    assert list(table.tokens("KK1").values()) == [("KK1", "", "")]


@pytest.mark.clause("1824/VII.8-g")
def test_base_of_a_company_that_operates_is_not_kept() -> None:
    """Once MS has its base token on the map, the second space of Brünn is free for everybody."""
    table = clear_table()
    major(table, "CL", ADA, treasury=500)
    table.tiles_lie((("B9", "14", 1), ("C10", "58", 2), ("C12", "14", 0)))
    table.token_stands("CL", "B9")
    table.token_stands("MS", "C12")
    table.operating_round_is("CL", step="place_token")
    table.act(ADA, PlaceToken("CL", "C12", 0))
    assert map_of(table.game).tokens[("C12", 0)] == ("MS", "CL")


@pytest.mark.clause("1824/VII.6-l")
def test_company_pays_for_the_terrain() -> None:
    """SD1 pays 20 to the bank for the first tile of Wien, nothing for its upgrade; with 19 it cannot build there."""
    table = owned_table({"SD1": BEN})
    table.has_cash("SD1", 19)
    assert table.game.current_round.step == "lay_track"
    lay_wien = LayTile("SD1", "E12", "499", 0)
    assert table.refusal(BEN, lay_wien) == ("not_enough_cash", "1824/VII.6-l")
    table.has_cash("SD1", 20)
    assert moved_cash(table.act(BEN, lay_wien), "tile_cost") == [("SD1", BANK, 20)]
    table.phase_is("3")
    table.operating_round_is("SD1", step="lay_track")
    upgrade = next(
        choice
        for choice in table.choices(BEN)
        if isinstance(choice.command, LayTile) and choice.command.hex == "E12"
    )
    assert upgrade.cost == 0
    assert not moved_cash(table.act(BEN, upgrade.command), "tile_cost")


def upgrade_table(**rulings: str) -> Table:
    """MS in Pilsen reaches open country B7, whose green tile would add a branch that only others could use."""
    table = pilsen_table("3", players=4, treasury=100, **rulings)
    table.tile_lies("B5", "57", 1)
    table.tiles_lie((("B7", "8", 1),))
    table.phase_is("3")
    table.operating_round_is("MS", step="lay_track")
    return table


def green_upgrades(table: Table) -> set[tuple[str, int]]:
    """The tiles and rotations offered for B7."""
    lays = [command for command in table.offered(ADA, LayTile) if isinstance(command, LayTile)]
    return {(lay.tile, lay.rotation) for lay in lays if lay.hex == "B7"}


@pytest.mark.clause("1824/VII.7-b")
def test_upgrade_need_not_be_useful() -> None:
    """Ruling upgrade_connection = least_restrictive: one joined track of the new tile is enough."""
    free = green_upgrades(upgrade_table())
    strict = green_upgrades(upgrade_table(upgrade_connection="new_track_or_value"))
    assert strict < free


def test_upgrade_must_reach_new_track_under_that_ruling() -> None:
    """Ruling upgrade_connection = new_track_or_value: a tile whose new track cannot be reached is refused."""
    tile, rotation = min(
        green_upgrades(upgrade_table())
        - green_upgrades(upgrade_table(upgrade_connection="new_track_or_value"))
    )
    lay_it = LayTile("MS", "B7", tile, rotation)
    upgrade_table().act(ADA, lay_it)
    strict = upgrade_table(upgrade_connection="new_track_or_value")
    assert strict.refusal(ADA, lay_it) == ("tile_not_connected", "1824/VII.7-b")
