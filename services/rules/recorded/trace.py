"""The state of a game as one line of a trace: every field the state knows, spelled as 18xx.games does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from services.rules.domain import events as e
from services.rules.domain.board import city_slots
from services.rules.domain.game import Game
from services.rules.domain.title import Context
from services.rules.domain.titledata import TitleData
from services.rules.recorded.names import BLOCKER
from services.rules.recorded.spelling import Fields, Spelling, View
from services.rules.recorded.trace_holders import certificate_fields


def state_fields(spelling: Spelling, view: View[Any], game: Game) -> Fields:
    """All fields of a line but its number, its action and what the action brought."""
    return spelling.round(view, game) | {
        "step": _step(spelling, view, game),
        "phase": game.phase,
        "bank": game.money(e.BANK),
        "players": spelling.players(view, game),
        "corporations": spelling.corporations(view, game),
        "minors": spelling.minors(view, game),
        "market": {f"{row},{column}": list(symbols) for (row, column), symbols in game.cells.items()},
        "certificates": certificate_fields(
            game, spelling.holder_name, lambda company: spelling.has_certificates(view, game, company)
        ),
        "depot": spelling.depot(view, game),
        "tiles": {hex_id: [laid.tile, laid.rotation, laid.copy] for hex_id, laid in game.tiles.items()},
        "slots": _slots(spelling, view.data, game),
        "other": spelling.other(view, game),
        "finished": game.finished,
    }


def _step(spelling: Spelling, view: View[Any], game: Game) -> str | None:
    step = None if game.finished else view.title.step_of(game, Context(view.data))
    return spelling.step_name(game, step.name) if step else None


def _slots(spelling: Spelling, data: TitleData, game: Game) -> dict[str, list[str | None]]:
    found = {}
    for (hex_id, stop), slots in game.tokens.items():
        if any(slots):
            shown = city_slots(data, game.tiles, game.tokens, (hex_id, stop))
            part = spelling.part_of(data, game, hex_id, stop)
            found[f"{hex_id}:{part}"] = [_occupant(data, symbol) for symbol in shown]
    return found


def _occupant(data: TitleData, symbol: str) -> str | None:
    if not symbol:
        return None
    return symbol if symbol in data.companies else BLOCKER


def setup_fields(spelling: Spelling, view: View[Any], game: Game, options: Sequence[str]) -> Fields:
    """Field `setup` of line 0; `options` as the file names them."""
    return {
        "title": game.title,
        "seed": game.seed,
        "optional_rules": list(options),
        "players": [view.names.of(player) for player in game.players],
        "bank_size": view.data.figures.bank,
    } | spelling.setup(view, game)
