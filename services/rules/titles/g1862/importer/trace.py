"""The fields of a trace line of 1862 about the game as a whole: round, depot, what is asked, the start."""

from __future__ import annotations

from services.rules.importer.dialect import Fields, View
from services.rules.importer.trace_holders import sizes_of, sold_in_round
from services.rules.kernel.game import Game
from services.rules.kernel.title import Context
from services.rules.parts.auctions.state import auction_of, auction_round
from services.rules.parts.map.data import map_data
from services.rules.parts.map.placing import TOKEN_PLACED
from services.rules.parts.map.state import TrackTurn, map_of
from services.rules.parts.shares.state import companies_of, stock_round
from services.rules.parts.trains.data import train_kinds_of
from services.rules.parts.trains.depot import next_normal
from services.rules.parts.trains.state import trains_of
from services.rules.titles.g1862.companies import certificate_limit, in_game
from services.rules.titles.g1862.importer.names import ROUND_NAMES
from services.rules.titles.g1862.importer.tracestate import TraceState1862
from services.rules.titles.g1862.mergers.absorption import tokens_in_excess
from services.rules.titles.g1862.state import charter_of, own
from services.rules.titles.g1862.stock.offer import openable

LAST_TRAIN = "H"


def round_fields(view: View[TraceState1862], game: Game) -> Fields:
    """The round and who is asked."""
    current = game.current_round
    return {
        "round": ROUND_NAMES[current.kind],
        "turn": current.turn,
        "round_num": current.number if current.kind == "operating" else 1,
        "order": [view.names.of(actor) for actor in current.order],
        "active": _active(view, game),
    }


def _active(view: View[TraceState1862], game: Game) -> list[int | str]:
    """A company's turn is the company's, but for what a player is asked about his own shares or money."""
    if game.finished:
        return []
    if game.interrupts:
        asked = game.interrupts[0]
        named = {
            "1862.settle_option": asked.subject,
            "1862.remove_token": asked.company,
            "1862.choose_survivor": asked.company,
        }
        return [view.names.of(named.get(asked.kind, asked.player))]
    if game.current_round.kind == "operating":
        return [game.actor]
    context = Context(view.data)
    step = view.title.step_of(game, context)
    return [view.names.of(player) for player in step.players(game, context)] if step else []


def depot_fields(view: View[TraceState1862], game: Game) -> Fields:
    """What is left, and the one train on sale."""
    left = {
        name: kind.count - trains_of(game).depot_gone.get(name, 0) if kind.count else "unlimited"
        for name, kind in train_kinds_of(view.data).items()
    }
    return {
        "upcoming": {name: count for name, count in left.items() if count},
        "available": [train for train in (next_normal(game, view.data),) if train],
        "discarded": [],
    }


def other_fields(view: View[TraceState1862], game: Game) -> Fields:
    """Field `other`."""
    data = view.data
    facts = _turn_facts(view, game) | _auction(view, game) | _questions(view, game)
    facts |= {
        "sold_this_round": _sold(view, game),
        "deferred_rust": view.trace_state.deferred(game),
        "base_tiles": sorted(view.trace_state.set_aside.elements()),
    }
    return {name: value for name, value in facts.items() if value} | {
        "cert_limit": certificate_limit(game, data),
        "priority": view.names.of(_priority(view, game)),
        "lner_triggered": LAST_TRAIN in trains_of(game).depot_sold and not own(game).monopoly,
        "lner": bool(own(game).monopoly),
        "startable": sorted(openable(game, data)),
    }


def _sold(view: View[TraceState1862], game: Game) -> dict[str, dict[str, str]]:
    """The sales of a stock round; what fines make a player sell after it was sold now."""
    current = game.current_round
    if current.kind != "stock" or not current.ended:
        return sold_in_round(game)
    found: dict[str, dict[str, str]] = {}
    for player, company in stock_round(game).sold:
        found.setdefault(player, {})[company] = "prev"
    for player, company in view.trace_state.forced:
        found.setdefault(player, {})[company] = "now"
    return found


def _priority(view: View[TraceState1862], game: Game) -> str:
    """Who would begin the next stock round if nobody acted any more: left of the last to act."""
    seats, last = game.players, view.trace_state.last_to_act
    if game.current_round.kind == "operating" or not last:
        return game.priority
    return seats[(seats.index(last) + 1) % len(seats)]


def _turn_facts(view: View[TraceState1862], game: Game) -> Fields:
    turn = view.trace_state.turn_shown(game)
    track = TrackTurn.noted(turn)
    if game.current_round.kind != "operating":
        return {}
    return {
        "laid_hexes": list(track.laid),
        "upgraded": any(_counts_as_upgrade(view, game, at) for at in track.laid),
        "tokened": TOKEN_PLACED in turn.actions,
        "emergency_buy": view.trace_state.raised,
    }


def _counts_as_upgrade(view: View[TraceState1862], game: Game, hex_id: str) -> bool:
    """Whatever is not yellow, and yellow tiles with an N."""
    shown = map_data(view.data).tiles[map_of(game).tiles[hex_id].tile].face
    return shown.colour != map_data(view.data).figures.tile_colours[0] or shown.label == "N"


def _auction(view: View[TraceState1862], game: Game) -> Fields:
    names, auction = view.names, auction_of(game)
    facts: Fields = {}
    if game.current_round.kind == "1862.parliamentary":
        facts["won_auction"] = [names.of(player) for player in dict.fromkeys(auction_round(game).won)]
    if auction is not None and not auction.won:
        facts["auction"] = {
            "corporation": auction.company,
            "bids": [[names.of(player), price] for player, price in view.trace_state.bids.items()],
            "bidders": [names.of(player) for player in game.current_round.order if player in auction.bidders],
        }
    elif auction is not None:
        actions = ["buy_shares", "pass"] if companies_of(game)[auction.company].par else ["par"]
        facts["auction_finish"] = {"corporation": auction.company, "actions": actions}
    return facts


def _questions(view: View[TraceState1862], game: Game) -> Fields:
    names, facts = view.names, Fields()
    for asked in game.interrupts:
        match asked.kind:
            case "1862.buy_tokens":
                facts["buy_tokens"] = asked.company
            case "1862.pay_fine":
                owed = game.debts.get(asked.player, 0)
                facts.setdefault("forced_sales", []).append([names.of(asked.player), owed])
            case "1862.settle_option":
                facts["options"] = _options(view, game)
            case "1862.remove_token":
                facts["removals"] = [
                    {
                        "survivor": asked.company,
                        "nonsurvivor": asked.subject,
                        "count": tokens_in_excess(game, view.data),
                        "hexes": view.trace_state.removable,
                    }
                ]
            case _:
                pass
    if not game.interrupts and game.current_round.step == "upgrade_home":
        facts["home_upgrade"] = [game.actor]
    return facts


def _options(view: View[TraceState1862], game: Game) -> list[Fields]:
    """The options that wait for an answer; a director's certificate shows what its holder had."""
    exchange = own(game).exchange
    return [
        {
            "entity": view.names.of(option.holder),
            "share": f"{option.company}_{option.number}",
            "percent": 10 if option.number else _director_percent(option.redeem_price, option.give_up_price),
            "sell": option.give_up_price,
            "redeem": option.redeem_price,
        }
        for option in (exchange.options if exchange else ())
    ]


def _director_percent(redeem_price: int, give_up_price: int) -> int:
    """What a director held who is left with his certificate as an option: 60 % in the proportion of the two prices."""
    return round(6 * give_up_price / (redeem_price + give_up_price)) * 10


def setup_fields(view: View[TraceState1862], game: Game) -> Fields:
    """What the draw brought."""
    offered = [symbol for symbol in companies_of(game) if in_game(game, symbol)]
    return {
        "offer_order": offered,
        "starting_phase": {symbol: charter_of(game, symbol).offered_from for symbol in offered},
        "permits": {symbol: [charter_of(game, symbol).licence] for symbol in offered},
        "certificates": {symbol: sizes_of(game, view.data, symbol) for symbol in offered},
    }
