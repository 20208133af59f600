"""Tile lays of recorded games against the checks."""

from pathlib import Path

import pytest

from services.rules.kernel.titledata import TitleData
from services.rules.parts.map.data import map_data
from services.rules.parts.map.tilelay import AllowedLay, Position, TileLay, check_tile, legal_tiles
from tests.rules.board.boards import RECORDED_1824, actions_of, position, recorded_map, recorded_steps

LIST_EVERY = 12


def before_lay(title: TitleData, line: dict, company: str) -> Position:  # type: ignore[type-arg]
    """The map on which a recorded company lays, under the peer's ruling for upgrades."""
    tiles, tokens = recorded_map(line)
    return position(title, company, tiles, tokens, line["phase"], "new_track_or_value")


@pytest.mark.clause("1824/VII.6-q")
@pytest.mark.parametrize("game", RECORDED_1824)
def test_recorded_lays_are_allowed_and_move_tokens_as_recorded(shared: Path, game: str) -> None:
    """Every recorded lay passes the checks and leaves map and tokens as the trace has them."""
    title, steps = recorded_steps(shared, game)
    lays = 0
    for before, after, action in actions_of(steps, "lay_tile"):
        lays += 1
        tile, _, copy = action["tile"].rpartition("-")
        lay = TileLay(action["hex"], tile, action["rotation"], int(copy))
        here = before_lay(title, before, action["entity"])
        outcome = check_tile(here, lay)
        assert isinstance(outcome, AllowedLay), (after["n"], outcome)
        tiles, tokens = recorded_map(after)
        assert (tiles[lay.hex], tokens) == (outcome.laid, outcome.tokens), after["n"]
        if lays % LIST_EVERY == 0:
            listed = {lay for lay, _ in legal_tiles(here)}
            assert TileLay(lay.hex, lay.tile, lay.rotation) in listed, after["n"]
            assert all(isinstance(check_tile(here, other), AllowedLay) for other in listed)
    assert lays > 50


def test_list_of_lays_is_complete(shared: Path) -> None:
    """Half-way through a recorded game, of all lays one can name just the listed ones pass the checks."""
    title, steps = recorded_steps(shared, RECORDED_1824[0])
    lays = [(before, after) for before, after in steps if after.get("action", {}).get("type") == "lay_tile"]
    before, after = lays[len(lays) // 2]
    here = before_lay(title, before, after["action"]["entity"])
    named = (
        TileLay(hex_id, tile, turn)
        for hex_id in map_data(title).hexes
        for tile in map_data(title).tiles
        for turn in range(6)
    )
    allowed = {lay for lay in named if isinstance(check_tile(here, lay), AllowedLay)}
    assert allowed == {lay for lay, _ in legal_tiles(here)}
    assert len(allowed) > 10
