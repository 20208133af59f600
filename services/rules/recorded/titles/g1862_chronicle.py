"""What a trace of 1862 shows and the state does not keep."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from services.rules.domain import events as e
from services.rules.domain.board import token_cities
from services.rules.domain.depot import kind_of
from services.rules.domain.game import Game
from services.rules.recorded.chronicle import Chronicle
from services.rules.titles.g1862.forced import RAISED


@dataclass(slots=True)
class Chronicle1862(Chronicle):
    """`bids`: those that stand in the auction at hand, the latest last. `resting`: companies without a turn in the round at
    hand. `removable`: the hexes of a merger's tokens when the first had to go. `raised`: cash was raised for a train that is
    still to be bought. `gone`: companies that can no longer be opened. `forced`: (player, company) sold for fines after a
    stock round."""

    bids: dict[str, int] = field(default_factory=dict)
    resting: set[str] = field(default_factory=set)
    failed: set[str] = field(default_factory=set)
    removable: list[str] = field(default_factory=list)
    raised: bool = False
    gone: set[str] = field(default_factory=set)
    forced: list[tuple[str, str]] = field(default_factory=list)

    def note_acting(self, game: Game, events: Sequence[e.Event]) -> None:
        """Note who bought or sold in a stock round; the priority stays where it is in parliament."""
        if game.round is None:
            return
        for event in events:
            if isinstance(event, e.StockTurnActed) and game.round.kind == "stock":
                self.last_to_act = event.player

    def note(self, game: Game, event: e.Event) -> None:
        """Note auctions, rests, tokens to remove, cash raised and trains left behind."""
        match event:
            case e.RoundStarted():
                self.resting.clear()
                self.forced.clear()
                self.raised = False
            case e.BidMade():
                self.bids.pop(event.player, None)
                self.bids[event.player] = event.price
            case e.AuctionPassed():
                self.bids.pop(event.player, None)
            case e.AuctionWon():
                self.bids.clear()
            case e.InterruptRaised(kind="remove_token"):
                self.removable = self._hexes_of(game, event.company, event.subject)
            case e.MonopolyFormed():
                self.gone = {symbol for symbol, company in game.companies.items() if not company.par}
            case _:
                self._note_turn(game, event)

    def _note_turn(self, game: Game, event: e.Event) -> None:
        match event:
            case e.CertificatesMoved(reason="sold") if any(
                each.kind == "pay_fine" for each in game.interrupts
            ):
                self.forced.append((event.source, event.company))
            case e.ObligationEnded(met=False):
                self.failed.add(event.company)
            case e.CompanyReset() if event.successor:
                if "turn_over" in game.turn.actions:
                    self.resting.add(event.successor)
            case e.CompanyReset():
                if event.company in self.failed:
                    self.failed.discard(event.company)
                else:
                    self.resting.add(event.company)
            case e.ActionTaken() if event.action in RAISED:
                self.raised = True
            case e.TurnStarted() | e.TrainMoved(reason="bought"):
                self.raised = False
            case _:
                pass

    def _hexes_of(self, game: Game, survivor: str, absorbed: str) -> list[str]:
        """The hexes with tokens of both, without the survivor's home."""
        home = self.data.companies[survivor].home
        kept = home.hex if home else ""
        hexes = {at for at, _ in token_cities(game.tokens, survivor) if at != kept}
        return sorted(hexes | {at for at, _ in token_cities(game.tokens, absorbed)})

    def deferred(self, game: Game) -> list[str]:
        """Obsolete trains with a warranty left, those of bankrupt companies among them."""
        letters = list(self.data.trains)
        found = (
            train
            for train, warranties in game.warranties.items()
            if warranties and any(each in game.depot_sold for each in kind_of(self.data, train).removed_by)
        )
        return sorted(found, key=lambda train: (letters.index(train[0]), int(train.rpartition("-")[2])))
