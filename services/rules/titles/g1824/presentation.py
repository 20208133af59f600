"""How 1824 is shown to people."""

from __future__ import annotations

from services.rules.kernel.titledata import TitleData
from services.rules.parts.presentation import Presentation, TrainTerms
from services.rules.titles.g1824.figures import kind_of


def _trade_in(data: TitleData, kind: str) -> str:
    trade = kind_of(data, kind).trade_in
    return f"{trade.price} for a {trade.train}" if trade else ""


OWN_PRESENTATION = Presentation(
    round_names={
        "1824.allotment": ("allotment of private companies", "AR"),
        "1824.initial_stock": ("initial stock round", "SR"),
    },
    train_terms=TrainTerms(note_heading="trade-in", note=_trade_in),
)
