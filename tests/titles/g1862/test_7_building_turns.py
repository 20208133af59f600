"""Whole turns of building and placing through the real core: what comes when (7.2, 7.6, 7.7)."""

import pytest

from services.rules.kernel.commands import Pass
from services.rules.kernel.events import CertificatesMoved, Event, RoundStarted, TurnStarted
from services.rules.kernel.vocabulary import POOL
from services.rules.parts.map.commands import LayTile, PlaceToken
from services.rules.parts.map.events import TileLaid, TokenPlaced
from services.rules.parts.map.state import map_of
from services.rules.parts.shares.events import DirectorChanged
from tests.titles.g1862.table import ADA, Table, new_table, of_type


def turn(table: Table, company: str) -> tuple[Event, ...]:
    """An operating round begins with this company."""
    table.write(RoundStarted("operating", 2, 1, 1, (company,)), TurnStarted(0))
    return table.carry_on()


def step(table: Table) -> str:
    """The step in which play stands."""
    return table.game.current_round.step


def ipswich(home_upgrade: str) -> Table:
    """ESR is quoted, with Ipswich full of N&B and WVR and green tiles in use."""
    table = new_table(4, offer=("ESR", "N&B", "WVR"), home_upgrade=home_upgrade)
    for symbol in ("N&B", "WVR", "ESR"):
        table.found(symbol, 100, ADA)
    table.phase("B")
    table.tile("F11", "790", 1)
    table.token("N&B", "F11")
    table.token("WVR", "F11")
    return table


@pytest.mark.clause("1862/7.2-a", "1862/7.2-b", "1862/7.2-j")
def test_first_turn_goes_from_the_home_token_over_two_tiles_to_another_token() -> None:
    """WVR's token stands in Beccles before anything is asked; then come two tiles and a token in Lowestoft."""
    table = new_table(4, offer=("WVR",))
    table.found("WVR", 100, ADA)
    (home,) = of_type(turn(table, "WVR"), TokenPlaced)
    assert home == TokenPlaced("WVR", "G8", 0, 0, "home", 1)
    assert step(table) == "lay_track"
    assert table.refusal(ADA, LayTile("WVR", "H7", "57", 1)) == ("1862.home_first", "1862/7.2-b")
    table.act(ADA, LayTile("WVR", "G8", "57", 1))
    table.act(ADA, LayTile("WVR", "H7", "57", 1))
    assert step(table) == "place_token"
    table.act(ADA, PlaceToken("WVR", "H7", 0))
    assert table.tokens("WVR").keys() == {("G8", 0), ("H7", 0)}
    assert step(table) not in ("lay_track", "place_token")


@pytest.mark.clause("1862/7.2-c", "1862/7.2-d")
def test_forced_upgrade_is_all_that_is_built() -> None:
    """ESR has to upgrade Ipswich in its building action, by the peer's ruling before a merger, and builds nothing else."""
    for when, where in (("in_building", "lay_track"), ("before_merging", "upgrade_home")):
        table = ipswich(when)
        turn(table, "ESR")
        if step(table) == "merge":
            table.act(ADA, Pass())
        assert step(table) == where
        assert {(each.hex, each.tile) for each in table.offered(ADA) if isinstance(each, LayTile)} == {
            ("F11", "791")
        }
        table.act(ADA, LayTile("ESR", "F11", "791", 1))
        assert map_of(table.game).tokens["F11", 0] == ("N&B", "WVR", "ESR")
        assert "home_upgraded" in table.game.turn.actions
        while step(table) == "merge":
            table.act(ADA, Pass())
        assert step(table) not in ("lay_track", "upgrade_home")


@pytest.mark.clause("1862/7.6.5-c")
def test_terminal_leaves_nothing_to_build_or_place() -> None:
    """SVR passes building and takes its terminal; neither track nor another token follows in the turn."""
    table = new_table(4, offer=("SVR",))
    table.found("SVR", 100, ADA)
    table.tile("D11", "57", 0)
    table.tile("D13", "57", 0)
    table.home("SVR")
    turn(table, "SVR")
    assert step(table) == "lay_track"
    table.act(ADA, Pass())
    assert step(table) == "place_token"
    table.act(ADA, PlaceToken("SVR", "D15", 1))
    assert step(table) not in ("lay_track", "place_token")
    assert table.refusal(ADA, LayTile("SVR", "D9", "621", 0))[0] == "wrong_step"
    assert table.refusal(ADA, PlaceToken("SVR", "D13", 0))[0] == "wrong_step"


@pytest.mark.clause("1862/7.3-b")
def test_company_in_receivership_is_not_asked_to_build() -> None:
    """Its home stays without a token, and its turn passes over building and placing."""
    table = new_table(4, offer=("WVR",))
    table.found("WVR", 100, ADA)
    numbers = table.game.held(ADA, "WVR")
    table.write(CertificatesMoved("WVR", numbers, ADA, POOL, "sold", 5), DirectorChanged("WVR", ""))
    events = turn(table, "WVR")
    assert of_type(events, TokenPlaced, TileLaid) == []
    assert step(table) not in ("lay_track", "place_token", "upgrade_home")
