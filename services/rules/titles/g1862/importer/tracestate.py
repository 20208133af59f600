"""What a trace of 1862 shows and the state does not keep."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from services.rules.importer.tracestate import TraceState
from services.rules.kernel.events import (
    ActionTaken,
    CertificatesMoved,
    Event,
    InterruptRaised,
    PlayerActed,
    RoundStarted,
    TurnStarted,
)
from services.rules.kernel.game import Game
from services.rules.parts.auctions.events import AuctionPassed, AuctionWon, BidMade
from services.rules.parts.map.board import base_of, face, token_cities
from services.rules.parts.map.data import map_data
from services.rules.parts.map.events import TileLaid
from services.rules.parts.map.state import map_of
from services.rules.parts.shares.data import cards_of
from services.rules.parts.shares.events import CompanyReset
from services.rules.parts.shares.state import companies_of
from services.rules.parts.trains.data import train_kinds_of
from services.rules.parts.trains.events import TrainMoved
from services.rules.parts.trains.state import trains_of
from services.rules.titles.g1862.events import MonopolyFormed, ObligationFailed
from services.rules.titles.g1862.figures import kind_of
from services.rules.titles.g1862.state import own
from services.rules.titles.g1862.trains.forced import RAISED


@dataclass(slots=True)
class TraceState1862(TraceState):
    """`bids`: those that stand in the auction at hand, the latest last. `resting`: companies without a turn in the round at
    hand. `removable`: the hexes of a merger's tokens when the first had to go. `raised`: cash was raised for a train that is
    still to be bought. `gone`: companies that can no longer be opened. `forced`: (player, company) sold for fines after a
    stock round. `set_aside`: pieces without stations that the peer reserves for tiles with stations on the map."""

    bids: dict[str, int] = field(default_factory=dict)
    resting: set[str] = field(default_factory=set)
    failed: set[str] = field(default_factory=set)
    removable: list[str] = field(default_factory=list)
    raised: bool = False
    gone: set[str] = field(default_factory=set)
    forced: list[tuple[str, str]] = field(default_factory=list)
    set_aside: Counter[str] = field(default_factory=Counter)

    def note_acting(self, game: Game, events: Sequence[Event]) -> None:
        """Note who bought or sold in a stock round; the priority stays where it is in parliament."""
        if game.round is None:
            return
        for event in events:
            if isinstance(event, PlayerActed) and game.round.kind == "stock":
                self.last_to_act = event.player

    def note(self, game: Game, event: Event) -> None:
        """Note auctions, rests, tokens to remove, cash raised and trains left behind."""
        match event:
            case RoundStarted():
                self.resting.clear()
                self.forced.clear()
                self.raised = False
            case BidMade():
                self.bids.pop(event.player, None)
                self.bids[event.player] = event.price
            case AuctionPassed():
                self.bids.pop(event.player, None)
            case AuctionWon():
                self.bids.clear()
            case InterruptRaised(kind="1862.remove_token"):
                self.removable = self._hexes_of(game, event.company, event.subject)
            case TileLaid():
                self._note_tile(game, event)
            case MonopolyFormed():
                self.gone = {symbol for symbol, company in companies_of(game).items() if not company.par}
            case _:
                self._note_turn(game, event)

    def _note_turn(self, game: Game, event: Event) -> None:
        match event:
            case CertificatesMoved(reason="sold") if any(
                each.kind == "1862.pay_fine" for each in game.interrupts
            ):
                self.forced.append((event.source, event.company))
            case ObligationFailed():
                self.failed.add(event.company)
            case CompanyReset() if event.successor:
                if "turn_over" in game.turn.actions:
                    self.resting.add(event.successor)
            case CompanyReset():
                if event.company in self.failed:
                    self.failed.discard(event.company)
                else:
                    self.resting.add(event.company)
            case ActionTaken() if event.action in RAISED:
                self.raised = True
            case TurnStarted() | TrainMoved(reason="bought"):
                self.raised = False
            case _:
                pass

    def _note_tile(self, game: Game, laid: TileLaid) -> None:
        """A tile of a new colour without a city sets a piece of its base aside, if one is left, and lets that of the tile
        before go; further stations change nothing."""
        known, tiles = map_data(self.data), map_of(game).tiles
        shown, before = known.tiles[laid.tile].face, tiles.get(laid.hex)
        first_colour = known.figures.tile_colours[0]
        old = face(self.data, tiles, laid.hex).colour
        if shown.colour in (old, first_colour) or any(stop.kind == "city" for stop in shown.stops):
            return
        base = base_of(self.data, laid.tile)
        on_map = sum(each.tile == base for at, each in tiles.items() if at != laid.hex) + (laid.tile == base)
        if known.tiles[base].count > on_map + self.set_aside[base]:
            self.set_aside[base] += 1
        if before is not None and old != first_colour and self.set_aside[base_of(self.data, before.tile)]:
            self.set_aside[base_of(self.data, before.tile)] -= 1

    def _hexes_of(self, game: Game, survivor: str, absorbed: str) -> list[str]:
        """The hexes with tokens of both, without the survivor's home."""
        home = cards_of(self.data)[survivor].home
        kept = home.hex if home else ""
        hexes = {at for at, _ in token_cities(map_of(game).tokens, survivor) if at != kept}
        return sorted(hexes | {at for at, _ in token_cities(map_of(game).tokens, absorbed)})

    def deferred(self, game: Game) -> list[str]:
        """Obsolete trains with a warranty left, those of bankrupt companies among them."""
        letters = list(train_kinds_of(self.data))
        found = (
            train
            for train, warranties in own(game).warranties.items()
            if warranties
            and any(each in trains_of(game).depot_sold for each in kind_of(self.data, train).removed_by)
        )
        return sorted(found, key=lambda train: (letters.index(train[0]), int(train.rpartition("-")[2])))
