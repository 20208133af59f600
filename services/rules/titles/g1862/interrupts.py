"""Questions that must be answered before play goes on in 1862, by kind."""

from __future__ import annotations

from services.rules.kernel.title import Step
from services.rules.parts.trains.offers import SELL_TRAIN
from services.rules.titles.g1862.mergers.proposals import ANSWER_MERGER, CHOOSE_SURVIVOR, REMOVE_TOKEN
from services.rules.titles.g1862.mergers.shareexchange import SETTLE_OPTION
from services.rules.titles.g1862.stock.obligations import PAY_FINE
from services.rules.titles.g1862.stock.quotation import BUY_TOKENS
from services.rules.titles.g1862.trains.buying import ANSWER

STEPS: dict[str, Step] = {
    SELL_TRAIN: ANSWER,
    "1862.buy_tokens": BUY_TOKENS,
    "1862.pay_fine": PAY_FINE,
    "1862.answer_merger": ANSWER_MERGER,
    "1862.choose_survivor": CHOOSE_SURVIVOR,
    "1862.settle_option": SETTLE_OPTION,
    "1862.remove_token": REMOVE_TOKEN,
}
