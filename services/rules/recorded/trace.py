"""The state of a game as one line of a trace: every field the state knows, spelled as 18xx.games does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from services.rules.domain import events as e
from services.rules.domain.board import city_slots
from services.rules.domain.depot import has_started, next_copy, next_normal
from services.rules.domain.game import Game
from services.rules.domain.title import Context, Title
from services.rules.domain.titledata import TitleData
from services.rules.recorded.chronicle import Chronicle
from services.rules.recorded.names import (
    BETWEEN_ROUNDS,
    BLOCKER,
    ROUND_NAMES,
    STEP_NAMES,
    UNLIMITED_TRAINS,
    Names,
    part_number,
)
from services.rules.recorded.trace_holders import (
    certificate_fields,
    corporation_fields,
    minor_fields,
    mountains_in_play,
    owned_mountains,
    player_fields,
)

Fields = dict[str, Any]


@dataclass(frozen=True, slots=True)
class View:
    """What a line is drawn from: the title, the players' spelling, what happened in this round."""

    title: Title
    data: TitleData
    names: Names
    chronicle: Chronicle


def state_fields(view: View, game: Game) -> Fields:
    """All fields of a line but its number, its action and what the action brought."""
    data, names, operated = view.data, view.names, view.chronicle.operated
    return _round_fields(view, game) | {
        "phase": game.phase,
        "bank": game.money(e.BANK),
        "players": player_fields(view.title, data, game, names),
        "corporations": corporation_fields(data, game, names, operated),
        "minors": minor_fields(data, game, names, operated),
        "market": {f"{row},{column}": list(symbols) for (row, column), symbols in game.cells.items()},
        "certificates": certificate_fields(data, game),
        "depot": _depot(data, game),
        "tiles": {hex_id: [laid.tile, laid.rotation, laid.copy] for hex_id, laid in game.tiles.items()},
        "slots": _slots(data, game),
        "other": _other(view, game),
        "finished": game.finished,
    }


def _round_fields(view: View, game: Game) -> Fields:
    current = game.current_round
    fields: Fields = {
        "round": ROUND_NAMES[current.kind],
        "turn": current.turn,
        "round_num": current.number if current.kind == "operating" else 1,
        "order": [view.names.of(actor) for actor in current.order],
        "active": _active(view, game),
        "step": _step(view, game),
    }
    if current.ended and not game.finished:
        last = current.kind != "operating" or current.number == current.count
        following = (
            (current.turn + 1, 1)
            if last and current.kind == "operating"
            else (current.turn, current.number + 1)
        )
        fields |= {"round": BETWEEN_ROUNDS, "turn": following[0], "round_num": following[1], "order": []}
    return fields


def _active(view: View, game: Game) -> list[int | str]:
    if game.finished:
        return []
    if game.interrupts:
        asked = game.interrupts[0]
        return [view.names.of(asked.company if asked.kind == "discard_train" else asked.player)]
    return [view.names.of(game.actor)]


def _step(view: View, game: Game) -> str | None:
    step = None if game.finished else view.title.step_of(game, Context(view.data))
    return STEP_NAMES.get(step.name, step.name) if step else None


def _depot(data: TitleData, game: Game) -> Fields:
    left = {
        name: (kind.count or UNLIMITED_TRAINS) - game.depot_gone.get(name, 0)
        for name, kind in data.trains.items()
    }
    return {
        "upcoming": {name: count for name, count in left.items() if count > 0},
        "available": _offered(data, game),
        "discarded": [],
    }


def _offered(data: TitleData, game: Game) -> list[str]:
    """The next normal train, and the next of every goods kind whose phase has come, whether or not it may be bought."""
    phases = list(data.phases)
    goods = (
        next_copy(game, data, name)
        for name, kind in data.trains.items()
        if kind.on_sale_from and phases.index(kind.on_sale_from) <= phases.index(game.phase)
    )
    return [train for train in (next_normal(game, data), *goods) if train]


def _slots(data: TitleData, game: Game) -> dict[str, list[str | None]]:
    found = {}
    for (hex_id, stop), slots in game.tokens.items():
        if any(slots):
            shown = city_slots(data, game.tiles, game.tokens, (hex_id, stop))
            part = part_number(data, game, hex_id, stop)
            found[f"{hex_id}:{part}"] = [_occupant(data, symbol) for symbol in shown]
    return found


def _occupant(data: TitleData, symbol: str) -> str | None:
    if not symbol:
        return None
    return symbol if symbol in data.companies else BLOCKER


def _other(view: View, game: Game) -> Fields:
    fields = _turn_facts(view.data, game) | _round_facts(view, game) | _questions(view, game)
    fields |= {
        f"{symbol.lower()}_to_form": True
        for symbol, card in view.data.companies.items()
        if card.formed_by_train
        and not game.companies[symbol].opened
        and not game.current_round.ended
        and has_started(game, view.data, card.formed_by_train)
    }
    return fields | {
        "cert_limit": view.data.figures.certificate_limit[len(game.players)],
        "priority": view.names.of(_priority(view, game)),
        "companies": _companies(view, game),
        "two_train_bought": "2" in game.depot_sold,
    }


def _companies(view: View, game: Game) -> dict[str, int | str]:
    unsold = {
        symbol: e.BANK
        for symbol, card in view.data.companies.items()
        if card.kind in ("coal", "pre_state") and symbol in game.companies
        if not game.companies[symbol].bought and not game.companies[symbol].closed
    }
    mountains = mountains_in_play(view.data, game)
    return unsold | {symbol: view.names.of(owner) for symbol, owner in mountains.items()}


def _priority(view: View, game: Game) -> str:
    """Who would begin the next stock round if nobody acted any more: left of the last to act."""
    current, seats = game.current_round, game.players
    if current.kind == "operating" or current.ended:
        return game.priority
    last = view.chronicle.last_to_act
    first = current.order[0] if current.kind == "stock" else game.priority
    return seats[(seats.index(last) + 1) % len(seats)] if last else first


def _turn_facts(data: TitleData, game: Game) -> Fields:
    current, turn = game.current_round, game.turn
    if current.ended or game.finished or current.kind != "operating":
        return {}
    first_colour = data.figures.tile_colours[0]
    facts = {
        "laid_hexes": list(turn.laid),
        "upgraded": any(data.tiles[game.tiles[at].tile].face.colour != first_colour for at in turn.laid),
        "tokened": bool(turn.tokened),
    }
    return {name: value for name, value in facts.items() if value}


def _round_facts(view: View, game: Game) -> Fields:
    chronicle, names = view.chronicle, view.names
    if game.current_round.ended and not game.finished:
        return {}
    not_paying: dict[str, dict[str, int]] = {}
    for (player, company), tens in chronicle.not_paying.items():
        not_paying.setdefault(player, {})[company] = tens
    facts = {
        "sold_this_round": _sold(game),
        "exchanged_train": [names.of(company) for company in chronicle.traded_in],
        "merged_trains": {company: list(trains) for company, trains in chronicle.merged_trains.items()},
        "non_paying_shares": not_paying,
    }
    return {name: value for name, value in facts.items() if value}


def _sold(game: Game) -> dict[str, dict[str, str]]:
    current = game.current_round
    found: dict[str, dict[str, str]] = {}
    if current.kind == "stock" and not current.ended:
        for player, company in current.sold:
            now = player == game.actor and company in game.turn.sold
            found.setdefault(player, {})[company] = "now" if now else "prev"
    return found


def _questions(view: View, game: Game) -> Fields:
    kinds: Mapping[str, str] = {asked.kind: asked.player for asked in game.interrupts}
    facts: Fields = {}
    if "exchange_company" in kinds:
        facts["forced_exchange"] = sorted(
            symbol for player in game.players for symbol in owned_mountains(view.data, game, player)
        )
    for symbol in _doubled(view.data, game):
        facts["kk_token_choice"] = view.names.of(game.companies[symbol].director)
    return facts


def _doubled(data: TitleData, game: Game) -> list[str]:
    """State railways with tokens in two cities of one hex, of which one has to go."""
    return [
        symbol
        for symbol, card in data.companies.items()
        if card.kind == "national"
        and len(hexes := [at for (at, _), slots in game.tokens.items() if symbol in slots]) > len(set(hexes))
    ]


def setup_fields(view: View, game: Game) -> Fields:
    """Field `setup` of line 0."""
    cards = [card for symbol, card in view.data.companies.items() if not game.companies[symbol].closed]
    offered = [card for card in cards if card.kind in ("coal", "pre_state", "mountain")]
    return {
        "title": game.title,
        "seed": game.seed,
        "optional_rules": list(game.options),
        "players": [view.names.of(player) for player in game.players],
        "bank_size": view.data.figures.bank,
        "certificates": {card.symbol: list(card.certificates) for card in cards if card.kind != "mountain"},
        "companies": [[card.symbol, card.price or 0] for card in sorted(offered, key=_offer_order)],
    }


def _offer_order(card: Any) -> tuple[int, str, int]:
    kind = ("coal", "pre_state", "mountain").index(card.kind)
    return kind, card.symbol if card.kind == "pre_state" else "", card.number
