"""Every tile and token of the recorded games of 1862, from the map and the tokens that the trace shows before it."""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from services.rules.kernel.game import Turn
from services.rules.parts.map.board import LaidTile
from services.rules.parts.map.commands import LayTile, PlaceToken
from services.rules.parts.map.data import map_data
from services.rules.parts.map.placing import TOKEN_PLACED
from services.rules.parts.map.state import MapState, TrackTurn, map_of
from services.rules.parts.shares.state import SharesState
from services.rules.titles.g1862.operating.building import BUILD
from services.rules.titles.g1862.operating.homes import HOME, can_place_home
from services.rules.titles.g1862.operating.london import terminals
from services.rules.titles.g1862.operating.stations import PLACE, connected
from tests.recorded.documents import load_trace
from tests.titles.g1862.trackboard import ADA, DATA, PEER, Tokens, Yard, yard

RECORDED = ("46925", "p2-s215", "p5-s111", "p8-s128")
STEPS = {"HomeUpgrade": HOME, "Track": BUILD, "Token": PLACE}
TERMINALS = dict(terminals(DATA))
LIST_EVERY = 8


def trace(shared: Path, name: str) -> list[Any]:
    """The lines of a trace but the last one, which holds the result."""
    return load_trace(shared, f"1862/{name}")[:-1]


def tokens_of(line: Mapping[str, Any]) -> dict[tuple[str, int], tuple[str, ...]]:
    """The cities that hold tokens."""
    found = {}
    for name, slots in line.get("slots", {}).items():
        hex_id, _, number = name.partition(":")
        city = hex_id, TERMINALS.get(hex_id, int(number))
        if any(slots):
            found[city] = tuple(symbol or "" for symbol in slots)
    return found


def position(line: Mapping[str, Any], actor: str) -> Yard:
    """What the trace shows, with `actor` at turn and the peer's rulings."""
    here = yard(actor, "", tokens_of(line), line["phase"], PEER)
    game, other = here.game, line["other"]
    board, companies = MapState.to_write(game), SharesState.to_write(game).companies
    board.tiles = {hex_id: LaidTile(*piece) for hex_id, piece in line.get("tiles", {}).items()}
    for symbol, company in line["corporations"].items():
        companies[symbol] = replace(
            companies[symbol],
            opened=company["floated"],
            director="" if company.get("receivership") else ADA,
            operated=bool(company.get("operated")),
        )
        board.unplaced[symbol] = (0,) * company["tokens_left"]
    game.turn = Turn(actions=(TOKEN_PLACED,) if other.get("tokened") else ())
    TrackTurn(tuple(other.get("laid_hexes") or ()), bool(other.get("upgraded"))).note_turn(game)
    return here


def command_of(line: Mapping[str, Any], tiles: Mapping[str, LaidTile]) -> LayTile | PlaceToken:
    """The recorded action; a token goes into the first free slot, whichever slot the action names."""
    action = line["action"]
    if action["type"] == "lay_tile":
        tile, _, copy = action["tile"].rpartition("-")
        return LayTile(action["entity"], action["hex"], tile, action["rotation"], int(copy))
    piece, _, _ = action["city"].rpartition("-")
    name, _, copy = piece.rpartition("-")
    on_map = (hex_id for hex_id, laid in tiles.items() if (laid.tile, laid.copy) == (name, int(copy)))
    hex_id = next(on_map, name)
    return PlaceToken(action["entity"], hex_id, TERMINALS.get(hex_id, 0))


def lays_and_tokens(lines: list[Any]) -> Iterator[tuple[Any, Any]]:
    """The lines before and after every tile and token."""
    for before, after in pairwise(lines):
        if (after.get("action") or {}).get("type") in ("lay_tile", "place_token"):
            yield before, after


@pytest.mark.clause("1862/7.6-a", "1862/7.7-c")
@pytest.mark.parametrize("name", RECORDED)
def test_recorded_lays_and_tokens_are_allowed_and_do_what_they_did(shared: Path, name: str) -> None:
    """Each passes the checks of its step, which waits for it, and leaves tiles and tokens as the trace has them."""
    number = 0
    for number, (before, after) in enumerate(lays_and_tokens(trace(shared, name)), 1):
        here = position(before, after["action"]["entity"])
        step, command = STEPS[before["step"]], command_of(after, map_of(here.game).tiles)
        assert here.waits(step), after["n"]
        if number % LIST_EVERY == 0:
            listed = here.offered(step, type(command))
            assert replace(command, **({"copy": -1} if isinstance(command, LayTile) else {})) in listed
        here.act(step, command)
        assert map_of(here.game).tiles == {at: LaidTile(*piece) for at, piece in after["tiles"].items()}, (
            after["n"]
        )
        gone = {symbol for symbol, company in after["corporations"].items() if not company["floated"]}
        assert _without(map_of(here.game).tokens, gone) == _without(tokens_of(after), gone), after["n"]
    assert number > 50


def _without(tokens: Tokens, gone: set[str]) -> Tokens:
    """The tokens that are left once these companies, bankrupt by the end of the turn, have lost theirs."""
    left = {
        city: tuple("" if symbol in gone else symbol for symbol in slots) for city, slots in tokens.items()
    }
    return {city: slots for city, slots in left.items() if any(slots)}


@pytest.mark.parametrize("name", RECORDED)
def test_list_of_lays_and_tokens_is_complete(shared: Path, name: str) -> None:
    """Half-way through a recorded game, of all commands one can name just the listed ones pass the checks."""
    lines = [
        before for before, _ in lays_and_tokens(trace(shared, name)) if before["step"] in ("Track", "Token")
    ]
    before = lines[len(lines) // 2]
    here = position(before, before["active"][0])
    turns = [
        here.lay(at, tile, turn)
        for at in map_data(DATA).hexes
        for tile in map_data(DATA).tiles
        for turn in range(6)
    ]
    assert {each for each in turns if here.refusal(BUILD, each) == ("", "")} == set(here.offered(BUILD))
    cities = [PlaceToken(here.game.actor, at, city) for at in map_data(DATA).hexes for city in range(4)]
    allowed = {each for each in cities if here.refusal(PLACE, each) == ("", "")}
    assert allowed == set(here.offered(PLACE, PlaceToken))


@pytest.mark.clause("1862/3.2-d", "1862/3.2-e", "1862/3.2-f", "1862/3.2-g")
@pytest.mark.parametrize("name", RECORDED)
def test_companies_that_could_be_opened(shared: Path, name: str) -> None:
    """On every map of a recorded game just those companies of the phase can be opened that the trace names."""
    lines = trace(shared, name)
    opened_from = lines[0]["setup"]["starting_phase"]
    maps: list[Any] = []
    answers = set()
    for line in lines:
        startable = line.get("other", {}).get("startable")
        shown = (line.get("tiles"), line.get("slots"), line["phase"])
        if not startable or maps[-1:] == [shown]:
            continue
        maps.append(shown)
        here = position(line, "ESR")
        for symbol, phase in opened_from.items():
            if phase <= line["phase"] and not line["corporations"][symbol]["ipoed"]:
                possible = can_place_home(here.game, DATA, symbol)
                assert possible == (symbol in startable), (line["n"], symbol)
                answers.add(possible)
    assert True in answers


@pytest.mark.clause("1862/7.5.2-a")
@pytest.mark.parametrize("name", RECORDED)
def test_recorded_mergers_joined_companies_on_one_network(shared: Path, name: str) -> None:
    """Before each recorded merger or acquisition track joins the two companies."""
    for before, after in pairwise(trace(shared, name)):
        action = after.get("action") or {}
        if action.get("type") == "merge":
            here = position(before, action["entity"])
            assert connected(here.game, DATA, action["entity"], action["corporation"]), after["n"]


@pytest.mark.clause("1862/7.7-a")
@pytest.mark.parametrize("name", RECORDED)
def test_steps_wait_where_the_recorded_game_waited(shared: Path, name: str) -> None:
    """Building and placing wait where the trace stands at them, and placing is passed over where the trace does so."""
    found = {"Track": 0, "Token": 0}
    before: Mapping[str, Any] = {}
    for line in trace(shared, name):
        active, name_of_step = line.get("active") or [""], line.get("step", "")
        if name_of_step in found:
            assert position(line, active[0]).waits(STEPS[name_of_step]), line["n"]
            found[name_of_step] += 1
        elif before.get("step") == "Track" and active[0] == line["action"]["entity"]:
            assert not position(line, active[0]).waits(PLACE), line["n"]
        before = line
    assert all(found.values())
