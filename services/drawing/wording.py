"""The state of a game and of a hex in plain words, for headings and for assistive programs."""

from __future__ import annotations

from services.drawing.lettering import shortened
from services.drawing.scene import HexScene
from services.rules.kernel.game import Game, Round
from services.rules.kernel.titledata import TitleData
from services.rules.parts.auctions.state import Auction, auction_of
from services.rules.parts.map.data import has_map, map_data
from services.rules.parts.map.state import map_of
from services.rules.parts.presentation import Presentation
from services.rules.parts.shares.state import companies_of
from services.rules.parts.trains.state import phase_of

NAME_SIZE, NAME_ROOM = 15.0, 130.0


def headline(words: Presentation, data: TitleData, game: Game) -> str:
    """Phase, round and whose turn it is."""
    parts = [f"Phase {phase_of(game)}"] if phase_of(game) else []
    if game.round is not None:
        parts.append(_round(words, game.round))
    parts.append(_turn(data, game))
    if game.options:
        parts.append("with " + ", ".join(option.replace("_", " ") for option in game.options))
    return "  ·  ".join(part for part in parts if part)


def _round(words: Presentation, at: Round) -> str:
    number = f" {at.number} of {at.count}" if at.count > 1 else ""
    return f"{words.round_name(at.kind)}{number}, game turn {at.turn}"


def _turn(data: TitleData, game: Game) -> str:
    if game.finished:
        scores = ", ".join(f"{_short(score.player)} {score.value}" for score in game.scores)
        return f"game over: {scores}"
    if game.interrupts:
        asked = game.interrupts[0]
        return f"{asked.player} must answer: {_plain(asked.kind)} ({asked.company})"
    auction = auction_of(game)
    if auction is not None:
        return _auction(auction)
    if not game.actor:
        return ""
    step = game.round.step.replace("_", " ") if game.round is not None else ""
    state = companies_of(game).get(game.actor)
    who = f"{game.actor} (director {state.director})" if state is not None else game.actor
    return f"turn of {who}: {step}" if step else f"turn of {who}"


def _short(player: str) -> str:
    """A player's name in a line with those of all others."""
    return shortened(player, NAME_SIZE, NAME_ROOM)


def _plain(kind: str) -> str:
    """A kind of question without the title it belongs to."""
    return kind.rpartition(".")[2].replace("_", " ")


def _auction(auction: Auction) -> str:
    if not auction.leader:
        return f"{auction.company} is put to auction"
    if auction.won:
        return f"{auction.leader} opens {auction.company}, won for {auction.price}"
    return f"{auction.company} is put to auction: {auction.leader} bids {auction.price}"


def describe_state(words: Presentation, data: TitleData, game: Game) -> str:
    """The picture in words."""
    after = f"after event {game.sequence}."
    if not has_map(data):
        return f"{headline(words, data, game)}; {after}"
    tokens = sum(bool(slot) for slots in map_of(game).tokens.values() for slot in slots)
    board = f"{len(map_data(data).hexes)} hexes, {len(map_of(game).tiles)} tiles and {tokens} tokens laid"
    return f"{headline(words, data, game)}. {board}; {after}"


def describe_hex(scene: HexScene, revenue_key: str) -> str:
    """A hex in words: coordinate, name, tile, values where revenue counts by this key, tokens."""
    parts = [f"{scene.printed.id} {scene.printed.name}".strip()]
    if scene.laid is not None:
        parts.append(f"tile {scene.laid.tile} turned by {scene.laid.rotation}")
    for index, stop in enumerate(scene.face.stops):
        tokens = [slot.token for slot in scene.slots.get(index, ()) if slot.token]
        held = f" with {', '.join(tokens)}" if tokens else ""
        value = stop.value(revenue_key)
        parts.append(f"{stop.kind} {value}{held}" if value else f"{stop.kind}{held}")
    if scene.laid is None:
        parts += [f"{kind} {cost}" for kind, cost in scene.printed.terrain.items()]
    return ", ".join(parts)
