"""The fields of a trace line of 1824 about the game as a whole: round, depot, what is asked, the start."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from services.rules.domain import events as e
from services.rules.domain.board import stop_value
from services.rules.domain.depot import has_started, kind_name, next_copy, next_normal
from services.rules.domain.game import Game
from services.rules.domain.titledata import Company, TitleData
from services.rules.recorded.spelling import Drawn, Fields, View
from services.rules.recorded.titles.g1824_chronicle import Chronicle1824
from services.rules.recorded.titles.g1824_holders import mountains_in_play, owned_mountains
from services.rules.recorded.titles.g1824_names import (
    BETWEEN_ROUNDS,
    MOUNTAIN,
    ROUND_NAMES,
    UNLIMITED_TRAINS,
    place_name,
)
from services.rules.recorded.trace_actions import visited_fields
from services.rules.recorded.trace_holders import sold_in_round


def round_fields(view: View[Chronicle1824], game: Game) -> Fields:
    """The round and who is asked; between two rounds the next one counts already."""
    current = game.current_round
    fields: Fields = {
        "round": ROUND_NAMES[current.kind],
        "turn": current.turn,
        "round_num": current.number if current.kind == "operating" else 1,
        "order": [view.names.of(actor) for actor in current.order],
        "active": _active(view, game),
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


def _active(view: View[Chronicle1824], game: Game) -> list[int | str]:
    if game.finished:
        return []
    if game.interrupts:
        asked = game.interrupts[0]
        return [view.names.of(asked.company if asked.kind == "discard_train" else asked.player)]
    return [view.names.of(game.actor)]


def depot_fields(view: View[Chronicle1824], game: Game) -> Fields:
    """What is left and what is on sale."""
    data = view.data
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


def other_fields(view: View[Chronicle1824], game: Game) -> Fields:
    """Field `other`."""
    fields = _turn_facts(view, game) | _round_facts(view, game) | _questions(view, game)
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


def _companies(view: View[Chronicle1824], game: Game) -> dict[str, int | str]:
    unsold = {
        symbol: e.BANK
        for symbol, card in view.data.companies.items()
        if card.kind in ("coal", "pre_state") and symbol in game.companies
        if not game.companies[symbol].bought and not game.companies[symbol].closed
    }
    mountains = mountains_in_play(view.data, game)
    return unsold | {symbol: view.names.of(owner) for symbol, owner in mountains.items()}


def _priority(view: View[Chronicle1824], game: Game) -> str:
    """Who would begin the next stock round if nobody acted any more: left of the last to act."""
    current, seats = game.current_round, game.players
    if current.kind == "operating" or current.ended:
        return game.priority
    last = view.chronicle.last_to_act
    first = current.order[0] if current.kind == "stock" else game.priority
    return seats[(seats.index(last) + 1) % len(seats)] if last else first


def _turn_facts(view: View[Chronicle1824], game: Game) -> Fields:
    data, current, turn = view.data, game.current_round, view.chronicle.turn_shown(game)
    if current.kind != "operating" or (current.ended and not game.finished):
        return {}
    first_colour = data.figures.tile_colours[0]
    facts = {
        "laid_hexes": list(turn.laid),
        "upgraded": any(data.tiles[game.tiles[at].tile].face.colour != first_colour for at in turn.laid),
        "tokened": bool(turn.tokened),
    }
    return {name: value for name, value in facts.items() if value}


def _round_facts(view: View[Chronicle1824], game: Game) -> Fields:
    chronicle, names = view.chronicle, view.names
    if game.current_round.ended and not game.finished:
        return {}
    not_paying: dict[str, dict[str, int]] = {}
    for (player, company), tens in chronicle.not_paying.items():
        not_paying.setdefault(player, {})[company] = tens
    facts = {
        "sold_this_round": sold_in_round(game),
        "exchanged_train": [names.of(company) for company in chronicle.traded_in],
        "merged_trains": {company: list(trains) for company, trains in chronicle.merged_trains.items()},
        "non_paying_shares": not_paying,
    }
    return {name: value for name, value in facts.items() if value}


def _questions(view: View[Chronicle1824], game: Game) -> Fields:
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


def setup_fields(view: View[Chronicle1824], game: Game) -> Fields:
    """What the start of a game shows."""
    cards = [card for symbol, card in view.data.companies.items() if not game.companies[symbol].closed]
    offered = [card for card in cards if card.kind in ("coal", "pre_state", MOUNTAIN)]
    return {
        "certificates": {card.symbol: list(card.certificates) for card in cards if card.kind != MOUNTAIN},
        "companies": [[card.symbol, card.price or 0] for card in sorted(offered, key=_offer_order)],
    }


def _offer_order(card: Company) -> tuple[int, str, int]:
    kind = ("coal", "pre_state", MOUNTAIN).index(card.kind)
    return kind, card.symbol if card.kind == "pre_state" else "", card.number


def route_fields(runs: Sequence[Drawn], before: Game, data: TitleData) -> list[Fields]:
    """The runs of a company: every stop counts."""
    return [_run(drawn, before, data) for drawn in runs]


def _run(drawn: Drawn, before: Game, data: TitleData) -> Fields:
    values = (
        f"{place_name(data, before, stop)}={stop_value(data, before.tiles, *stop, before.phase)}"
        for stop in drawn.stops
    )
    return {
        "train": drawn.route.train,
        "name": kind_name(drawn.route.train),
        "hexes": list(drawn.route.hexes),
        "path": drawn.path,
        "visited": visited_fields(data, before, drawn.stops, place_name),
        "stops": list(values),
        "revenue": drawn.run.revenue,
        "text": drawn.route.revenue_str,
    }
