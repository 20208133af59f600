"""The fields of a trace line of 1824 about the game as a whole: round, depot, what is asked, the start."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from services.rules.importer.dialect import Drawn, Fields, View
from services.rules.importer.trace_actions import visited_fields
from services.rules.importer.trace_holders import sizes_of, sold_in_round
from services.rules.kernel.game import Game, Round
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.values import kind_name
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.map.board import stop_value
from services.rules.parts.map.data import map_data
from services.rules.parts.map.placing import TOKEN_PLACED
from services.rules.parts.map.state import TrackTurn, map_of
from services.rules.parts.shares.state import companies_of
from services.rules.parts.trains.data import phases_of, train_kinds_of
from services.rules.parts.trains.depot import has_started, next_copy, next_normal
from services.rules.parts.trains.state import phase_of, trains_of
from services.rules.titles.g1824.bond import PLACE_BOND_TOKEN
from services.rules.titles.g1824.figures import Card, cards_of, figures_of
from services.rules.titles.g1824.importer.holders import mountains_in_play, owned_mountains
from services.rules.titles.g1824.importer.names import (
    BETWEEN_ROUNDS,
    MOUNTAIN,
    ROUND_NAMES,
    UNLIMITED_TRAINS,
    place_name,
)
from services.rules.titles.g1824.importer.tracestate import TraceState1824
from services.rules.titles.g1824.stacks import ALLOTMENT
from services.rules.titles.g1824.state import State, bond_of, construction_of

PER_STACK = 2


def round_fields(view: View[TraceState1824], game: Game) -> Fields:
    """The round and who is asked; between two rounds the next one counts already."""
    current = game.current_round
    fields: Fields = {
        "round": ROUND_NAMES[current.kind],
        "turn": current.turn,
        "round_num": current.number if current.kind == "operating" else 1,
        "order": [view.names.of(actor) for actor in _order(current)],
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


def _order(current: Round) -> tuple[str, ...]:
    """In the draft the two players who share out the stack at hand."""
    if current.kind != ALLOTMENT:
        return current.order
    begun = current.position - current.position % PER_STACK
    return current.order[begun : begun + PER_STACK]


def _active(view: View[TraceState1824], game: Game) -> list[int | str]:
    if game.finished:
        return []
    if game.interrupts:
        asked = game.interrupts[0]
        of_company = asked.kind in ("1824.discard_train", PLACE_BOND_TOKEN)
        return [view.names.of(asked.company if of_company else asked.player)]
    return [view.names.of(game.actor)]


def depot_fields(view: View[TraceState1824], game: Game) -> Fields:
    """What is left and what is on sale."""
    data = view.data
    left = {
        name: (kind.count or UNLIMITED_TRAINS) - trains_of(game).depot_gone.get(name, 0)
        for name, kind in train_kinds_of(data).items()
    }
    return {
        "upcoming": {name: count for name, count in left.items() if count > 0},
        "available": _offered(data, game),
        "discarded": [],
    }


def _offered(data: TitleData, game: Game) -> list[str]:
    """The next normal train, and the next of every goods kind whose phase has come, whether or not it may be bought."""
    phases = list(phases_of(data))
    goods = (
        next_copy(game, data, name)
        for name, kind in train_kinds_of(data).items()
        if kind.on_sale_from and phases.index(kind.on_sale_from) <= phases.index(phase_of(game))
    )
    return [train for train in (next_normal(game, data), *goods) if train]


def other_fields(view: View[TraceState1824], game: Game) -> Fields:
    """Field `other`."""
    fields = _turn_facts(view, game) | _round_facts(view, game) | _questions(view, game)
    fields |= _allotment_facts(view, game)
    if bond_of(game):
        fields["bond_railway"] = bond_of(game)
    fields |= {
        f"{symbol.lower()}_to_form": True
        for symbol, card in cards_of(view.data).items()
        if card.formed_by_train
        and not companies_of(game)[symbol].opened
        and not game.current_round.ended
        and has_started(game, view.data, card.formed_by_train)
    }
    return fields | {
        "cert_limit": view.data.header.certificate_limit[len(game.players)],
        "priority": view.names.of(_priority(view, game)),
        "companies": _companies(view, game),
        "two_train_bought": "2" in trains_of(game).depot_sold,
    }


def _allotment_facts(view: View[TraceState1824], game: Game) -> Fields:
    """The stack in which every unsold company lies, and the one that has been begun."""
    if game.current_round.kind != ALLOTMENT:
        return {}
    left = {
        symbol: number
        for number, stack in enumerate(State.of(game).stacks, start=1)
        for symbol in stack.companies
        if not companies_of(game)[symbol].bought
    }
    facts: Fields = {"stacks": {symbol: left[symbol] for symbol in cards_of(view.data) if symbol in left}}
    begun = [number for number in left.values() if list(left.values()).count(number) < PER_STACK]
    return {name: value for name, value in (facts | {"current_stack": next(iter(begun), 0)}).items() if value}


def _companies(view: View[TraceState1824], game: Game) -> dict[str, int | str]:
    unsold = {
        symbol: BANK
        for symbol, card in cards_of(view.data).items()
        if card.kind in ("coal", "pre_state") and symbol in companies_of(game)
        if not companies_of(game)[symbol].bought and not companies_of(game)[symbol].closed
    }
    mountains = mountains_in_play(view.data, game)
    return unsold | {symbol: view.names.of(owner) for symbol, owner in mountains.items()}


def _priority(view: View[TraceState1824], game: Game) -> str:
    """Who would begin the next stock round if nobody acted any more: left of the last to act."""
    current, seats = game.current_round, game.players
    if current.kind == "operating" or current.ended:
        return game.priority
    last = view.trace_state.last_to_act
    first = current.order[0] if current.kind == "stock" else game.priority
    return seats[(seats.index(last) + 1) % len(seats)] if last else first


def _turn_facts(view: View[TraceState1824], game: Game) -> Fields:
    data, current, turn = view.data, game.current_round, view.trace_state.turn_shown(game)
    track = TrackTurn.noted(turn)
    if current.kind != "operating" or (current.ended and not game.finished):
        return {}
    first_colour = map_data(data).figures.tile_colours[0]
    facts = {
        "laid_hexes": list(track.laid),
        "upgraded": any(
            map_data(data).tiles[map_of(game).tiles[at].tile].face.colour != first_colour for at in track.laid
        ),
        "tokened": TOKEN_PLACED in turn.actions,
    }
    return {name: value for name, value in facts.items() if value}


def _round_facts(view: View[TraceState1824], game: Game) -> Fields:
    state, names = view.trace_state, view.names
    if game.current_round.ended and not game.finished:
        return {}
    not_paying: dict[str, dict[str, int]] = {}
    for (player, company), shares in state.not_paying.items():
        not_paying.setdefault(player, {})[company] = shares
    facts = {
        "sold_this_round": sold_in_round(game),
        "exchanged_train": [names.of(company) for company in state.traded_in],
        "merged_trains": {company: list(trains) for company, trains in state.merged_trains.items()},
        "non_paying_shares": not_paying,
    }
    return {name: value for name, value in facts.items() if value}


def _questions(view: View[TraceState1824], game: Game) -> Fields:
    kinds: Mapping[str, str] = {asked.kind: asked.player for asked in game.interrupts}
    facts: Fields = {}
    if "1824.exchange_company" in kinds:
        facts["forced_exchange"] = sorted(
            symbol for player in game.players for symbol in owned_mountains(view.data, game, player)
        )
    for asked in game.interrupts:
        if asked.kind == PLACE_BOND_TOKEN:
            facts["bond_token_vienna" if asked.subject else "bond_token_train"] = asked.company
    for symbol in _doubled(view.data, game):
        facts["kk_token_choice"] = view.names.of(companies_of(game)[symbol].director)
    return facts


def _doubled(data: TitleData, game: Game) -> list[str]:
    """State railways with tokens in two cities of one hex, of which one has to go."""
    return [
        symbol
        for symbol, card in cards_of(data).items()
        if card.kind == "national"
        and len(hexes := [at for (at, _), slots in map_of(game).tokens.items() if symbol in slots])
        > len(set(hexes))
    ]


def setup_fields(view: View[TraceState1824], game: Game) -> Fields:
    """What the start of a game shows."""
    cards = [card for symbol, card in cards_of(view.data).items() if not companies_of(game)[symbol].closed]
    offered = [card for card in cards if card.kind in ("coal", "pre_state", MOUNTAIN)]
    return {
        "certificates": {
            card.symbol: sizes_of(game, view.data, card.symbol) for card in cards if card.kind != MOUNTAIN
        },
        "companies": [_offer(view.data, game, card) for card in sorted(offered, key=_offer_order)],
    }


def _offer(data: TitleData, game: Game, card: Card) -> list[int | str]:
    """A company with its price (0: the player's choice) and, for two players, its stack."""
    stacks = State.of(game).stacks
    terms, builds = figures_of(data).construction, card.symbol in construction_of(game)
    price = terms.price if terms is not None and builds else card.price or 0
    stack = [number for number, each in enumerate(stacks, start=1) if card.symbol in each.companies]
    return [card.symbol, price, *stack]


def _offer_order(card: Card) -> tuple[int, str, int]:
    kind = ("coal", "pre_state", MOUNTAIN).index(card.kind)
    return kind, card.symbol if card.kind == "pre_state" else "", card.number


def route_fields(runs: Sequence[Drawn], before: Game, data: TitleData) -> list[Fields]:
    """The runs of a company: every stop counts."""
    return [_run(drawn, before, data) for drawn in runs]


def _run(drawn: Drawn, before: Game, data: TitleData) -> Fields:
    values = (
        f"{place_name(data, before, stop)}={stop_value(data, map_of(before).tiles, *stop, phase_of(before))}"
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
