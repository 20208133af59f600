"""Questions that must be answered before play goes on in 1862, by kind."""

from __future__ import annotations

from services.rules.domain.title import Step
from services.rules.domain.vocabulary import InterruptKind
from services.rules.titles.g1862.exchange import SETTLE_OPTION
from services.rules.titles.g1862.merging import ANSWER_MERGER, CHOOSE_SURVIVOR, REMOVE_TOKEN
from services.rules.titles.g1862.obligations import PAY_FINE
from services.rules.titles.g1862.offers import SELL_TRAIN
from services.rules.titles.g1862.quotation import BUY_TOKENS

STEPS: dict[InterruptKind, Step] = {
    "sell_train": SELL_TRAIN,
    "buy_tokens": BUY_TOKENS,
    "pay_fine": PAY_FINE,
    "answer_merger": ANSWER_MERGER,
    "choose_survivor": CHOOSE_SURVIVOR,
    "settle_option": SETTLE_OPTION,
    "remove_token": REMOVE_TOKEN,
}
