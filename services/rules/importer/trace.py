"""The state of a game as one line of a trace: every field the state knows, as 18xx.games writes it."""

from __future__ import annotations

from typing import Any

from services.rules.importer.dialect import Dialect, Fields, View
from services.rules.importer.names import BLOCKER
from services.rules.importer.record import Record
from services.rules.importer.trace_holders import certificate_fields
from services.rules.kernel.game import Game
from services.rules.kernel.title import Context
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.map.board import city_slots
from services.rules.parts.map.state import map_of
from services.rules.parts.market.state import market_of
from services.rules.parts.shares.data import cards_of
from services.rules.parts.trains.state import phase_of


def state_fields(dialect: Dialect, view: View[Any], game: Game) -> Fields:
    """All fields of a line but its number, its action and what the action brought."""
    return dialect.round(view, game) | {
        "step": _step(dialect, view, game),
        "phase": phase_of(game),
        "bank": game.money(BANK),
        "players": dialect.players(view, game),
        "corporations": dialect.corporations(view, game),
        "minors": dialect.minors(view, game),
        "market": {
            f"{row},{column}": list(symbols) for (row, column), symbols in market_of(game).cells.items()
        },
        "certificates": certificate_fields(
            game, dialect.holder_name, lambda company: dialect.has_certificates(view, game, company)
        ),
        "depot": dialect.depot(view, game),
        "tiles": {
            hex_id: [laid.tile, laid.rotation, laid.copy] for hex_id, laid in map_of(game).tiles.items()
        },
        "slots": _slots(dialect, view.data, game),
        "other": dialect.other(view, game),
        "finished": game.finished,
    }


def _step(dialect: Dialect, view: View[Any], game: Game) -> str | None:
    step = None if game.finished else view.title.step_of(game, Context(view.data))
    return dialect.step_name(game, step.name) if step else None


def _slots(dialect: Dialect, data: TitleData, game: Game) -> dict[str, list[str | None]]:
    found = {}
    for (hex_id, stop), slots in map_of(game).tokens.items():
        if any(slots):
            shown = city_slots(data, map_of(game).tiles, map_of(game).tokens, (hex_id, stop))
            part = dialect.part_of(data, game, hex_id, stop)
            found[f"{hex_id}:{part}"] = [_occupant(data, symbol) for symbol in shown]
    return found


def _occupant(data: TitleData, symbol: str) -> str | None:
    if not symbol:
        return None
    return symbol if symbol in cards_of(data) else BLOCKER


def setup_fields(dialect: Dialect, view: View[Any], game: Game, record: Record) -> Fields:
    """Field `setup` of line 0; title and options as the file names them, these in the order of their names."""
    return {
        "title": record.title,
        "seed": game.seed,
        "optional_rules": sorted(record.options),
        "players": [view.names.of(player) for player in game.players],
        "bank_size": view.data.header.bank,
    } | dialect.setup(view, game)
