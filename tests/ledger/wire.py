"""Events of the wire and stand-ins for the ledger's ports."""

from __future__ import annotations

from typing import Any

from services.common.eventlog.schema_versions import FIRST_VERSION, schema_version_of
from services.gen.signalbox.events.v1 import events_pb2 as ev
from services.ledger.ports import Hold


def event(sequence: int, game_id: str = "g", **body: Any) -> ev.GameEvent:
    """One event with one body, in its current version."""
    version = max((schema_version_of(type(message)) for message in body.values()), default=FIRST_VERSION)
    return ev.GameEvent(game_id=game_id, sequence=sequence, schema_version=version, **body)


def opening(game_id: str = "g") -> list[ev.GameEvent]:
    """Two players get 400 each out of a bank of 1000, and ann buys two of the ten shares of BH at 100 each."""
    start, bought = "starting_cash", "certificate_bought"
    issued = ev.CertificatesMoved(company="BH", numbers=[0, 1], target="bank", shares=10, reason="bought")
    sold = ev.CertificatesMoved(
        company="BH",
        numbers=[0],
        source="bank",
        target="ann",
        shares=2,
        reason="bought",
    )
    bodies: list[dict[str, Any]] = [
        {"game_created": ev.GameCreated(title="1824", players=["ann", "bob"], bank_cash=1000)},
        {"cash_moved": ev.CashMoved(source="bank", target="ann", amount=400, reason=start)},
        {"cash_moved": ev.CashMoved(source="bank", target="bob", amount=400, reason=start)},
        {"certificates_moved": issued},
        {"round_started": ev.RoundStarted(kind="stock", turn=1, number=1, order=["ann", "bob"])},
        {"turn_started": ev.TurnStarted(position=0)},
        {"price_started": ev.PriceStarted(company="BH", price=100, row=1, column=2)},
        {"cash_moved": ev.CashMoved(source="ann", target="bank", amount=200, reason=bought, subject="BH")},
        {"certificates_moved": sold},
        {"turn_ended": ev.TurnEnded(actor="ann")},
    ]
    return [event(at, game_id, **body) for at, body in enumerate(bodies, start=1)]


class ListedLog:
    """The log of rules as a list; `asked` counts the readings."""

    def __init__(self) -> None:
        self.written: dict[str, list[ev.GameEvent]] = {}
        self.asked = 0

    def events(self, game_id: str, after: int) -> list[ev.GameEvent]:
        """Everything after a sequence."""
        self.asked += 1
        return self.written.get(game_id, [])[after:]


class RecordedHolds:
    """The switch in rules: which games are held."""

    def __init__(self) -> None:
        self.held: dict[str, str] = {}

    def hold(self, game_id: str, reason: str) -> None:
        """Hold."""
        self.held[game_id] = reason

    def release(self, game_id: str) -> None:
        """Release."""
        self.held.pop(game_id, None)


class RecordedAlarms:
    """All alarms raised."""

    def __init__(self) -> None:
        self.found: list[Hold] = []
        self.events = 0
        self.rebuilds: list[str] = []

    def booked(self, events: int) -> None:
        """Count."""
        self.events += events

    def raised(self, hold: Hold) -> None:
        """Keep."""
        self.found.append(hold)

    def rebuilt(self, game_id: str, why: str) -> None:
        """Keep."""
        self.rebuilds.append(why)
