"""The state of a game and of a hex in plain words, for headings and for assistive programs."""

from __future__ import annotations

from services.drawing.scene import HexScene
from services.rules.domain.game import Auction, Game, Round
from services.rules.domain.titledata import TitleData

_ROUNDS = {
    "initial_stock": "initial stock round",
    "stock": "stock round",
    "operating": "operating round",
    "parliamentary": "parliamentary round",
}


def headline(data: TitleData, game: Game) -> str:
    """Phase, round and whose turn it is."""
    parts = [f"Phase {game.phase}"]
    if game.round is not None:
        parts.append(_round(game.round))
    parts.append(_turn(data, game))
    if game.options:
        parts.append("with " + ", ".join(option.replace("_", " ") for option in game.options))
    return "  ·  ".join(part for part in parts if part)


def _round(at: Round) -> str:
    number = f" {at.number} of {at.count}" if at.count > 1 else ""
    return f"{_ROUNDS[at.kind]}{number}, game turn {at.turn}"


def _turn(data: TitleData, game: Game) -> str:
    if game.finished:
        winners = ", ".join(f"{score.player} {score.value}" for score in game.scores)
        return f"game over: {winners}"
    if game.interrupts:
        asked = game.interrupts[0]
        return f"{asked.player} must answer: {asked.kind.replace('_', ' ')} ({asked.company})"
    if game.auction is not None:
        return _auction(game.auction)
    if not game.actor:
        return ""
    step = game.round.step.replace("_", " ") if game.round is not None else ""
    state = game.companies.get(game.actor)
    who = f"{game.actor} (director {state.director})" if state is not None else game.actor
    return f"turn of {who}: {step}" if step else f"turn of {who}"


def _auction(auction: Auction) -> str:
    if not auction.leader:
        return f"{auction.company} is put to auction"
    if auction.won:
        return f"{auction.leader} opens {auction.company}, won for {auction.price}"
    return f"{auction.company} is put to auction: {auction.leader} bids {auction.price}"


def describe_state(data: TitleData, game: Game) -> str:
    """The picture in words."""
    tokens = sum(bool(slot) for slots in game.tokens.values() for slot in slots)
    board = f"{len(data.hexes)} hexes, {len(game.tiles)} tiles and {tokens} tokens laid"
    return f"{headline(data, game)}. {board}; after event {game.sequence}."


def describe_hex(data: TitleData, game: Game, scene: HexScene) -> str:
    """A hex in words: coordinate, name, tile, values in the present phase, tokens."""
    key = data.phases[game.phase].revenue
    parts = [f"{scene.printed.id} {scene.printed.name}".strip()]
    if scene.laid is not None:
        parts.append(f"tile {scene.laid.tile} turned by {scene.laid.rotation}")
    for index, stop in enumerate(scene.face.stops):
        tokens = [slot.token for slot in scene.slots.get(index, ()) if slot.token]
        held = f" with {', '.join(tokens)}" if tokens else ""
        value = stop.value(key)
        parts.append(f"{stop.kind} {value}{held}" if value else f"{stop.kind}{held}")
    if scene.laid is None:
        parts += [f"{kind} {cost}" for kind, cost in scene.printed.terrain.items()]
    return ", ".join(parts)
