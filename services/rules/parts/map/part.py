"""The part of the rules that knows the map: tiles, tokens and what they connect."""

from __future__ import annotations

from collections.abc import Mapping

from services.rules.kernel.part import Part
from services.rules.parts.map.commands import COMMANDS
from services.rules.parts.map.events import EVENTS
from services.rules.parts.map.printed import PrintedMap, printed
from services.rules.parts.map.sentences import SENTENCES
from services.rules.parts.map.state import MapState, TrackTurn

REASONS: Mapping[str, str] = {
    "unknown_hex": "the map has no such hex",
    "unknown_tile": "the title has no such tile",
    "unknown_city": "the hex has no such city or slot",
    "tile_already_laid": "only one track action a turn",
    "tile_exhausted": "no such tile is left",
    "tile_colour": "the colour is not available in this phase or not the next step",
    "tile_kind": "the tile does not fit the places of the hex",
    "tile_label": "the letters of tile and hex differ",
    "tile_fixed": "the hex carries fixed track",
    "tile_drops_track": "existing track or places would be lost",
    "tile_off_map": "track would run off the map or into a closed side",
    "tile_not_connected": "the tile does not connect to a token of the company",
    "no_token_left": "the company has no token left or placed one already",
    "token_slot_taken": "the slot is not free",
    "token_twice": "the company already has a token there",
    "token_not_connected": "the city is not connected to a token of the company",
    "token_choice": "that token cannot be chosen",
}

MAP = Part(
    "map",
    events=EVENTS,
    sentences=SENTENCES,
    commands=COMMANDS,
    state=MapState,
    turn_note=TrackTurn,
    reasons=REASONS,
    printed=printed,
    printed_type=PrintedMap,
)
