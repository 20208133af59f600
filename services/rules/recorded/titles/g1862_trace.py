"""The fields of a trace line of 1862 about the game as a whole: round, depot, what is asked, the start."""

from __future__ import annotations

from services.rules.domain.depot import next_normal
from services.rules.domain.game import Game
from services.rules.domain.title import Context
from services.rules.recorded.spelling import Fields, View
from services.rules.recorded.titles.g1862_chronicle import Chronicle1862
from services.rules.recorded.titles.g1862_names import ROUND_NAMES
from services.rules.recorded.trace_holders import sold_in_round
from services.rules.titles.g1862.absorbing import tokens_in_excess
from services.rules.titles.g1862.companies import certificate_limit, in_game
from services.rules.titles.g1862.offer import openable

LAST_TRAIN = "H"


def round_fields(view: View[Chronicle1862], game: Game) -> Fields:
    """The round and who is asked."""
    current = game.current_round
    return {
        "round": ROUND_NAMES[current.kind],
        "turn": current.turn,
        "round_num": current.number if current.kind == "operating" else 1,
        "order": [view.names.of(actor) for actor in current.order],
        "active": _active(view, game),
    }


def _active(view: View[Chronicle1862], game: Game) -> list[int | str]:
    """A company's turn is the company's, but for what a player is asked about his own shares or money."""
    if game.finished:
        return []
    if game.interrupts:
        asked = game.interrupts[0]
        named = {
            "settle_option": asked.subject,
            "remove_token": asked.company,
            "choose_survivor": asked.company,
        }
        return [view.names.of(named.get(asked.kind, asked.player))]
    if game.current_round.kind == "operating":
        return [game.actor]
    context = Context(view.data)
    step = view.title.step_of(game, context)
    return [view.names.of(player) for player in step.players(game, context)] if step else []


def depot_fields(view: View[Chronicle1862], game: Game) -> Fields:
    """What is left, and the one train on sale."""
    left = {
        name: kind.count - game.depot_gone.get(name, 0) if kind.count else "unlimited"
        for name, kind in view.data.trains.items()
    }
    return {
        "upcoming": {name: count for name, count in left.items() if count},
        "available": [train for train in (next_normal(game, view.data),) if train],
        "discarded": [],
    }


def other_fields(view: View[Chronicle1862], game: Game) -> Fields:
    """Field `other`."""
    data = view.data
    facts = _turn_facts(view, game) | _auction(view, game) | _questions(view, game)
    facts |= {
        "sold_this_round": _sold(view, game),
        "deferred_rust": view.chronicle.deferred(game),
        "base_tiles": sorted(
            data.tiles[laid.tile].base for laid in game.tiles.values() if data.tiles[laid.tile].base
        ),
    }
    return {name: value for name, value in facts.items() if value} | {
        "cert_limit": certificate_limit(game, data),
        "priority": view.names.of(_priority(view, game)),
        "lner_triggered": LAST_TRAIN in game.depot_sold and not game.monopoly,
        "lner": bool(game.monopoly),
        "startable": sorted(openable(game, data)),
    }


def _sold(view: View[Chronicle1862], game: Game) -> dict[str, dict[str, str]]:
    """The sales of a stock round; what fines make a player sell after it was sold now."""
    current = game.current_round
    if current.kind != "stock" or not current.ended:
        return sold_in_round(game)
    found: dict[str, dict[str, str]] = {}
    for player, company in current.sold:
        found.setdefault(player, {})[company] = "prev"
    for player, company in view.chronicle.forced:
        found.setdefault(player, {})[company] = "now"
    return found


def _priority(view: View[Chronicle1862], game: Game) -> str:
    """Who would begin the next stock round if nobody acted any more: left of the last to act."""
    seats, last = game.players, view.chronicle.last_to_act
    if game.current_round.kind == "operating" or not last:
        return game.priority
    return seats[(seats.index(last) + 1) % len(seats)]


def _turn_facts(view: View[Chronicle1862], game: Game) -> Fields:
    turn = view.chronicle.turn_shown(game)
    if game.current_round.kind != "operating":
        return {}
    return {
        "laid_hexes": list(turn.laid),
        "upgraded": any(_counts_as_upgrade(view, game, at) for at in turn.laid),
        "tokened": bool(turn.tokened),
        "emergency_buy": view.chronicle.raised,
    }


def _counts_as_upgrade(view: View[Chronicle1862], game: Game, hex_id: str) -> bool:
    """Whatever is not yellow, and yellow tiles with an N."""
    shown = view.data.tiles[game.tiles[hex_id].tile].face
    return shown.colour != view.data.figures.tile_colours[0] or shown.label == "N"


def _auction(view: View[Chronicle1862], game: Game) -> Fields:
    names, auction = view.names, game.auction
    facts: Fields = {}
    if game.current_round.kind == "parliamentary":
        facts["won_auction"] = [names.of(player) for player in dict.fromkeys(game.current_round.won)]
    if auction is not None and not auction.won:
        facts["auction"] = {
            "corporation": auction.company,
            "bids": [[names.of(player), price] for player, price in view.chronicle.bids.items()],
            "bidders": [names.of(player) for player in game.current_round.order if player in auction.bidders],
        }
    elif auction is not None:
        actions = ["buy_shares", "pass"] if game.companies[auction.company].par else ["par"]
        facts["auction_finish"] = {"corporation": auction.company, "actions": actions}
    return facts


def _questions(view: View[Chronicle1862], game: Game) -> Fields:
    names, facts = view.names, Fields()
    for asked in game.interrupts:
        match asked.kind:
            case "buy_tokens":
                facts["buy_tokens"] = asked.company
            case "pay_fine":
                owed = game.debts.get(asked.player, 0)
                facts.setdefault("forced_sales", []).append([names.of(asked.player), owed])
            case "settle_option":
                facts["options"] = _options(view, game)
            case "remove_token":
                facts["removals"] = [
                    {
                        "survivor": asked.company,
                        "nonsurvivor": asked.subject,
                        "count": tokens_in_excess(game, view.data),
                        "hexes": view.chronicle.removable,
                    }
                ]
            case _:
                pass
    if not game.interrupts and game.current_round.step == "upgrade_home":
        facts["home_upgrade"] = [game.actor]
    return facts


def _options(view: View[Chronicle1862], game: Game) -> list[Fields]:
    """The options that wait for an answer; a director's certificate shows what its holder had."""
    exchange = game.exchange
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


def setup_fields(view: View[Chronicle1862], game: Game) -> Fields:
    """What the draw brought."""
    offered = [symbol for symbol in game.companies if in_game(game, symbol)]
    companies = game.companies
    return {
        "offer_order": offered,
        "starting_phase": {symbol: companies[symbol].offered_from for symbol in offered},
        "permits": {symbol: [companies[symbol].licence] for symbol in offered},
        "certificates": {symbol: list(view.data.companies[symbol].certificates) for symbol in offered},
    }
