"""Positions of 1862 for tests of track and stations: a map set up by hand, and one step of a company's turn at a time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from services.rules.domain import commands as c, events as e
from services.rules.domain.board import CityId, LaidTile
from services.rules.domain.draft import Draft
from services.rules.domain.game import Company, Game, Round
from services.rules.domain.rejections import Refused
from services.rules.domain.title import Context
from services.rules.domain.titledata import TitleData
from services.rules.titles import loading
from services.rules.titles.g1862.rulings import RULINGS
from services.rules.titles.g1862.turnstep import TurnStep

DATA = loading.load_title(Path(loading.__file__).parent / "g1862")
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

    def begin(self, step: TurnStep) -> list[e.Event]:
        """The company comes to the step."""
        draft = Draft(self.game, self.data)
        draft.emit(e.StepStarted(step.step.name))
        step.begin(draft, self.context)
        self.game = draft.game
        return draft.events[1:]

    def waits(self, step: TurnStep) -> bool:
        """Whether the step wants a decision."""
        return step.is_waiting(self.game, self.context)

    def act(self, step: TurnStep, command: c.Command) -> list[e.Event]:
        """What the command leads to; it must be accepted."""
        action = step.step.actions[type(command)]
        action.check(self.game, self.context, ADA, command)
        draft = Draft(self.game, self.data)
        action.perform(draft, self.context, ADA, command)
        self.game = draft.game
        return draft.events

    def refusal(self, step: TurnStep, command: c.Command) -> tuple[str, str]:
        """Reason code and clause with which the command is refused; both empty when it is not."""
        try:
            step.step.actions[type(command)].check(self.game, self.context, ADA, command)
        except Refused as refused:
            return refused.rejection.code, refused.rejection.clause
        return "", ""

    def offered(self, step: TurnStep, kind: type[c.Command] = c.LayTile) -> list[c.Command]:
        """The commands of one kind that the step lists and accepts."""
        listed = (each.command for each in step.step.actions[kind].candidates(self.game, self.context, ADA))
        return [command for command in listed if self.refusal(step, command) == ("", "")]

    def lay(self, hex_id: str, tile: str, rotation: int) -> c.LayTile:
        """The command of the company at turn to lay a tile."""
        return c.LayTile(self.game.actor, hex_id, tile, rotation)

    def turn_of(self, actor: str) -> None:
        """The turn of the company before ends, that of `actor` begins."""
        draft = Draft(self.game, self.data)
        if self.game.actor:
            draft.emit(e.TurnEnded(self.game.actor))
        draft.emit(e.OrderChanged((actor,)))
        draft.emit(e.TurnStarted(0))
        self.game = draft.game

    def shows(self, hex_id: str) -> tuple[str, int]:
        """The tile on a hex and its rotation."""
        on_map = self.game.tiles[hex_id]
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
    game = Game(title="1862", players=PLAYERS, rulings=dict(rulings), phase=phase, priority=ADA)
    if tokens is None:
        tokens = {} if first_turn else {home_of(actor): (actor,)}
    standing = {symbol for slots in tokens.values() for symbol in slots if symbol}
    for symbol in DATA.companies:
        game.companies[symbol] = Company(offered_from="A")
    for symbol in (*standing, actor):
        game.companies[symbol] = Company(
            opened=True, director=ADA, par=100, charter=(0, 0, 0), offered_from="A", operated=True
        )
    if first_turn:
        game.companies[actor] = replace(game.companies[actor], operated=False)
    game.tiles, game.tokens = laid(tiles), dict(tokens)
    game.placements = placements or tuple(
        (hex_id, symbol) for (hex_id, _), slots in tokens.items() for symbol in slots if symbol
    )
    game.round = Round("operating", 1, 1, 1, (actor,), 0)
    return Yard(game)


def home_of(symbol: str) -> CityId:
    """Where the first token of the company stands."""
    home = DATA.companies[symbol].home
    assert home is not None
    return home.hex, home.stop
