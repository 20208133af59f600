"""How play flows in 1865: the draft, then a stock round and two operating rounds again and again, until the end (2-h, 7)."""

from __future__ import annotations

from services.rules.kernel.draft import Draft
from services.rules.kernel.events import GameEnded
from services.rules.kernel.flow import Flow
from services.rules.kernel.scoring import ranked
from services.rules.kernel.title import Context
from services.rules.parts.shares.companyturns import closes_set
from services.rules.parts.trains.depot import operating_rounds
from services.rules.parts.trains.offers import SELL_TRAIN
from services.rules.titles.g1865 import seadraft
from services.rules.titles.g1865.endings import notice, player_value
from services.rules.titles.g1865.operating import rounds as operating
from services.rules.titles.g1865.operating.trains import ANSWER
from services.rules.titles.g1865.operating.turns import ANSWER_OWNER_ASKED, OWNER_ASKED
from services.rules.titles.g1865.stock import opening, rounds as stock


def _start_next_round(draft: Draft, context: Context) -> None:
    """The round after the one that ended. An empty bank ends the game with the second operating round of its turn, wherever in
    the turn it was found (7-b, 7-c)."""
    game, ended = draft.game, draft.game.current_round
    if ended.kind == seadraft.DRAFT:
        opening.start_round(draft, context, ended.turn)
    elif ended.kind == "stock":
        operating.start_round(draft, context, ended.turn, 1, operating_rounds(game, context.data))
    elif ended.number < ended.count:
        operating.start_round(draft, context, ended.turn, ended.number + 1, ended.count)
    elif game.ending:
        draft.emit(GameEnded(game.ending, ranked(game, context.data, player_value)))
    else:
        opening.start_round(draft, context, ended.turn + 1)


FLOW = Flow(
    rounds={
        seadraft.DRAFT: seadraft.ROUND,
        "stock": stock.ROUND,
        "operating": operating.TURNS.round_rules(),
    },
    questions={
        opening.CONVERSION: opening.ANSWER_CONVERSION,
        OWNER_ASKED: ANSWER_OWNER_ASKED,
        SELL_TRAIN: ANSWER,
    },
    start_next=_start_next_round,
    player_value=player_value,
    closes_turn=closes_set,
    notice=notice,
)
