"""One sample of every event and its stored bytes, which have to be readable for ever.

`python -m tests.golden.events` writes the file of a new kind of event. A file that is there is never written again: old
logs hold such bytes.
"""

from __future__ import annotations

from pathlib import Path

from services.rules.adapters.codec import encode_event
from services.rules.domain import events as e

FOLDER = Path(__file__).parent / "events"

SAMPLES: tuple[e.Event, ...] = (
    e.GameCreated(
        "1824",
        1,
        ("ann", "bob"),
        ("goods_time",),
        (e.Ruling("best_run", "free"), e.Ruling("bank_broken", "empty")),
        "none",
        2**62,
        12_000,
    ),
    e.CashMoved("ann", "bank", 120, "company_bought", "EPP"),
    e.CertificatesMoved("BK", (0, 3), "bank", "bob", "exchanged", 30),
    e.CertificatesReserved("MS", (1, 2)),
    e.CompanyBought("EPP", "ann", 140),
    e.PriceStarted("BK", 70, 2, 3),
    e.PriceMoved("BK", 1, 4, "dividend", 90),
    e.CompanyOpened("BK"),
    e.DirectorChanged("BK", "bob"),
    e.CompanyClosed("EPP", "BK"),
    e.TileLaid("BK", "B9", "57", 4, 2, True),
    e.TokensArranged("E12", (e.CityTokens(0, ("SD", "")), e.CityTokens(2, ("BK",)))),
    e.TokenPlaced("BK", "B9", 1, 2, 40, "bought", 3),
    e.TokenReplaced("SD1", "E12", 1, 2, "SD", "inherited"),
    e.CharterTokensSet("BK", (40, 100)),
    e.TrainMoved("2-0", "bank", "BK", "granted"),
    e.PhaseStarted("3"),
    e.RoundStarted("operating", 2, 1, 3, ("EPP", "BK")),
    e.RoundEnded("stock"),
    e.OrderChanged(("BK", "MS")),
    e.TurnStarted(3),
    e.StepStarted("lay_track"),
    e.StepPassed("place_token"),
    e.PlayerPassed("ann", True),
    e.TurnEnded("BK"),
    e.StockTurnActed("ann", "BK", "MS"),
    e.TrainsRan("BK", (e.Run("2-0", ("B9.0", "B5.0"), ("B9/1+B7/0",), ("B9", "B7", "B5"), 60, 10),), 60, 10),
    e.RevenueCorrected("BK", 70, 20),
    e.DividendDeclared("BK", "half", 60, 3),
    e.PriorityMoved("bob"),
    e.DebtChanged("bob", -50, "repaid"),
    e.InterruptRaised("discard_train", "bob", "BK"),
    e.InterruptSettled("choose_token", "SD"),
    e.GameEndTriggered("bank"),
    e.GameEnded("bank", (e.Score("ann", 4321), e.Score("bob", 1234))),
    e.Undone("ann", 17),
)


def path_of(name: str) -> Path:
    """Where the bytes of the event stored under `name` are kept."""
    return FOLDER / f"{name}.bin"


def write_missing() -> None:
    """Write the bytes of samples that have none yet."""
    for sample in SAMPLES:
        name, payload = encode_event(sample)
        if not path_of(name).exists():
            path_of(name).write_bytes(payload)


if __name__ == "__main__":
    write_missing()
