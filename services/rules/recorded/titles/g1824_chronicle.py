"""What a trace of 1824 shows and the state does not keep."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from services.rules.domain import events as e
from services.rules.domain.game import Game
from services.rules.recorded.chronicle import Chronicle
from services.rules.recorded.titles.g1824_names import MOUNTAIN, SHARE_COMPANIES

PLAIN_PERCENT = 10


@dataclass(slots=True)
class Chronicle1824(Chronicle):
    """Of the round at hand: who traded in, which trains came with a coal company, which certificates do not pay yet
    ((player, company) -> tens of percent). In the initial round the peer looks at shares alone to tell who acted
    last, and a mountain exchange makes it forget."""

    traded_in: list[str] = field(default_factory=list)
    merged_trains: dict[str, list[str]] = field(default_factory=dict)
    not_paying: dict[tuple[str, str], int] = field(default_factory=dict)

    def note_acting(self, game: Game, events: Sequence[e.Event]) -> None:
        """Note who acted in a stock round."""
        kind = game.round.kind if game.round else ""
        for event in events:
            match event:
                case e.CertificatesMoved(reason="bought") if kind == "initial_stock":
                    if self._kind(event.company) in SHARE_COMPANIES:
                        self.last_to_act = event.target
                case e.StockTurnActed() if kind == "stock":
                    self.last_to_act = event.player
        if kind == "stock" and any(
            isinstance(each, e.CompanyClosed) and self._kind(each.company) == MOUNTAIN for each in events
        ):
            self.last_to_act = ""

    def note(self, game: Game, event: e.Event) -> None:
        """Note trades, mergers and exchanges."""
        match event:
            case e.RoundStarted():
                self.traded_in.clear()
                self.merged_trains.clear()
                self.not_paying.clear()
            case e.TurnEnded() if game.current_round.kind == "operating":
                self.operated.add(event.actor)
            case e.TrainMoved(reason="traded_in"):
                self.traded_in.append(event.source)
            case e.TrainMoved(reason="transferred") if self._successor(event.source) == event.target:
                self.merged_trains.setdefault(event.target, []).append(event.train)
            case e.CertificatesMoved(reason="exchanged") if self._pays_later(game, event):
                percent = sum(
                    self.data.companies[event.company].certificates[number] for number in event.numbers
                )
                key = (event.target, event.company)
                self.not_paying[key] = self.not_paying.get(key, 0) + percent // PLAIN_PERCENT
            case _:
                pass

    def _kind(self, symbol: str) -> str:
        company = self.data.companies.get(symbol)
        return company.kind if company else ""

    def _successor(self, symbol: str) -> str | None:
        card = self.data.companies.get(symbol)
        return card.exchange.company if card and card.kind == "coal" and card.exchange else None

    def _pays_later(self, game: Game, event: e.CertificatesMoved) -> bool:
        running = game.round is not None and game.round.kind == "operating" and not game.round.ended
        return running and event.target in game.players and self._kind(event.company) == "regional"
