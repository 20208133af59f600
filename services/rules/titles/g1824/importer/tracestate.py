"""What a trace of 1824 shows and the state does not keep."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from services.rules.importer.tracestate import TraceState
from services.rules.kernel.events import CertificatesMoved, Event, PlayerActed, RoundStarted
from services.rules.kernel.game import Game
from services.rules.parts.shares.events import CompanyClosed, CompanyOperated
from services.rules.parts.shares.shares import DIRECTOR
from services.rules.parts.trains.depot import limit
from services.rules.parts.trains.events import TrainMoved
from services.rules.parts.trains.state import trains_of
from services.rules.titles.g1824.figures import cards_of
from services.rules.titles.g1824.importer.names import MOUNTAIN, SHARE_COMPANIES


@dataclass(slots=True)
class TraceState1824(TraceState):
    """Of the round at hand: who traded in, which trains came with a coal company until enough were given up, which
    certificates do not pay yet ((player, company) -> shares). In the initial round the peer looks at shares alone to tell
    who acted last, and a mountain exchange makes it forget."""

    traded_in: list[str] = field(default_factory=list)
    merged_trains: dict[str, list[str]] = field(default_factory=dict)
    not_paying: dict[tuple[str, str], int] = field(default_factory=dict)

    def note_acting(self, game: Game, events: Sequence[Event]) -> None:
        """Note who acted in a stock round."""
        kind = game.round.kind if game.round else ""
        for event in events:
            match event:
                case CertificatesMoved(reason="bought") if kind == "1824.initial_stock":
                    if self._kind(event.company) in SHARE_COMPANIES:
                        self.last_to_act = event.target
                case PlayerActed() if kind == "stock":
                    self.last_to_act = event.player
        if kind == "stock" and any(
            isinstance(each, CompanyClosed) and self._kind(each.company) == MOUNTAIN for each in events
        ):
            self.last_to_act = ""

    def note(self, game: Game, event: Event) -> None:
        """Note trades, mergers and exchanges."""
        match event:
            case RoundStarted():
                self.traded_in.clear()
                self.merged_trains.clear()
                self.not_paying.clear()
            case CompanyOperated():
                self.operated.add(event.company)
            case TrainMoved(reason="1824.traded_in"):
                self.traded_in.append(event.source)
            case TrainMoved(reason="discarded"):
                owned = len(trains_of(game).owned[event.source]) - 1
                if owned <= limit(self.data, game, event.source):
                    self.merged_trains.pop(event.source, None)
            case TrainMoved(reason="transferred") if self._successor(event.source) == event.target:
                self.merged_trains.setdefault(event.target, []).append(event.train)
            case CertificatesMoved(reason="1824.exchanged") if self._pays_later(game, event):
                key = (event.target, event.company)
                self.not_paying[key] = self.not_paying.get(key, 0) + event.shares
            case _:
                pass

    def _kind(self, symbol: str) -> str:
        company = cards_of(self.data).get(symbol)
        return company.kind if company else ""

    def _successor(self, symbol: str) -> str | None:
        card = cards_of(self.data).get(symbol)
        return card.exchange.company if card and card.kind == "coal" and card.exchange else None

    def _pays_later(self, game: Game, event: CertificatesMoved) -> bool:
        running = game.round is not None and game.round.kind == "operating" and not game.round.ended
        of_coal = self._kind(event.company) == "regional" and DIRECTOR in event.numbers
        return running and event.target in game.players and of_coal
