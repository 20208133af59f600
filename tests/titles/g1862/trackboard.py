"""Positions of 1862 for tests of track and stations: a map set up by hand, and one step of a company's turn at a time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from msgspec.structs import replace

from services.rules.kernel.commands import Command
from services.rules.kernel.draft import Draft
from services.rules.kernel.events import Event, OrderChanged, StepStarted, TurnEnded, TurnStarted
from services.rules.kernel.game import Game, Round
from services.rules.kernel.rejections import Rejected
from services.rules.kernel.title import Context
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.turnstep import TurnStep
from services.rules.parts.map.board import CityId, LaidTile
from services.rules.parts.map.commands import LayTile
from services.rules.parts.map.state import MapState, map_of
from services.rules.parts.shares.data import cards_of
from services.rules.parts.shares.state import Company, SharesState
from services.rules.parts.trains.state import TrainsState
from services.rules.titles.g1862.rulings import RULINGS
from services.rules.titles.g1862.state import Charter, State
from services.rules.titles.g1862.title import TITLE

DATA = TITLE.load((), {})
ADA, BEN = PLAYERS = ("Ada", "Ben")
RULEBOOK = {ruling.name: ruling.values[0] for ruling in RULINGS}
PEER = {ruling.name: ruling.peer for ruling in RULINGS}

Tokens = Mapping[CityId, tuple[str, ...]]


def laid(words: str) -> dict[str, LaidTile]:
    """Tiles from words like `F11:790/1`: hex, tile and rotation, each the lowest piece not yet used."""
    tiles: dict[str, LaidTile] = {}
    for word in words.split():
        hex_id, _, piece = word.partition(":")
        tile, _, rotation = piece.partition("/")
        copy = sum(other.tile == tile for other in tiles.values())
        tiles[hex_id] = LaidTile(tile=tile, rotation=int(rotation), copy=copy)
    return tiles


@dataclass(slots=True)
class Yard:
    """A map with the company at turn. `act` and `refusal` ask one step, as the title would."""

    game: Game
    data: TitleData = DATA

    @property
    def context(self) -> Context:
        """What the steps work with."""
        return Context(self.data)

    def begin(self, step: TurnStep) -> list[Event]:
        """The company comes to the step."""
        draft = Draft(self.game, self.data)
        draft.emit(StepStarted(step.step.name))
        step.begin(draft, self.context)
        self.game = draft.game
        return draft.events[1:]

    def waits(self, step: TurnStep) -> bool:
        """Whether the step wants a decision."""
        return step.is_waiting(self.game, self.context)

    def act(self, step: TurnStep, command: Command) -> list[Event]:
        """What the command leads to; it must be accepted."""
        action = step.step.actions[type(command)]
        action.check(self.game, self.context, ADA, command)
        draft = Draft(self.game, self.data)
        action.perform(draft, self.context, ADA, command)
        self.game = draft.game
        return draft.events

    def refusal(self, step: TurnStep, command: Command) -> tuple[str, str]:
        """Reason code and clause with which the command is refused; both empty when it is not."""
        try:
            step.step.actions[type(command)].check(self.game, self.context, ADA, command)
        except Rejected as rejected:
            return rejected.code, rejected.clause
        return "", ""

    def offered(self, step: TurnStep, kind: type[Command] = LayTile) -> list[Command]:
        """The commands of one kind that the step lists and accepts."""
        listed = (each.command for each in step.step.actions[kind].candidates(self.game, self.context, ADA))
        return [command for command in listed if self.refusal(step, command) == ("", "")]

    def lay(self, hex_id: str, tile: str, rotation: int) -> LayTile:
        """The command of the company at turn to lay a tile."""
        return LayTile(self.game.actor, hex_id, tile, rotation)

    def turn_of(self, actor: str) -> None:
        """The turn of the company before ends, that of `actor` begins."""
        draft = Draft(self.game, self.data)
        if self.game.actor:
            draft.emit(TurnEnded(self.game.actor))
        draft.emit(OrderChanged((actor,)))
        draft.emit(TurnStarted(0))
        self.game = draft.game

    def shows(self, hex_id: str) -> tuple[str, int]:
        """The tile on a hex and its rotation."""
        on_map = map_of(self.game).tiles[hex_id]
        return on_map.tile, on_map.rotation


def yard(
    actor: str,
    tiles: str = "",
    tokens: Tokens | None = None,
    phase: str = "A",
    rulings: Mapping[str, str] = RULEBOOK,
    first_turn: bool = False,
    placements: tuple[tuple[str, str], ...] = (),
) -> Yard:
    """A map on which `actor` is at turn with three tokens to place; without tokens given it has one more at home.

    `placements`: (hex, company) of the tokens, first placed first; else in the order of the slots. In its first turn a company
    has no token on the map but those given."""
    game = Game(title="1862", players=PLAYERS, rulings=dict(rulings), priority=ADA)
    TrainsState.to_write(game).phase = phase
    if tokens is None:
        tokens = {} if first_turn else {home_of(actor): (actor,)}
    standing = {symbol for slots in tokens.values() for symbol in slots if symbol}
    board = MapState.to_write(game)
    board.tiles, board.tokens = laid(tiles), dict(tokens)
    board.placements = placements or tuple(
        (hex_id, symbol) for (hex_id, _), slots in tokens.items() for symbol in slots if symbol
    )
    companies = SharesState.to_write(game).companies
    for symbol in cards_of(DATA):
        companies[symbol] = Company()
        State.to_write(game).charters[symbol] = Charter(offered_from="A")
    for symbol in (*standing, actor):
        companies[symbol] = Company(opened=True, director=ADA, shares=10, par=100, operated=True)
        board.unplaced[symbol] = (0, 0, 0)
    if first_turn:
        companies[actor] = replace(companies[actor], operated=False)
    game.round = Round("operating", 1, 1, 1, (actor,), 0)
    return Yard(game)


def home_of(symbol: str) -> CityId:
    """Where the first token of the company stands."""
    home = cards_of(DATA)[symbol].home
    assert home is not None
    return home.hex, home.stop
