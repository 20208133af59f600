"""Operating rounds of 1865: the income of sea companies, and the steps of a railway's turn (5-a, 5-b, 3-a)."""

from __future__ import annotations

from services.rules.kernel.draft import Draft
from services.rules.kernel.events import RoundStarted
from services.rules.kernel.game import Game
from services.rules.kernel.title import Context
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.turnstep import TurnStep
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.shares.companyturns import CompanyTurns, open_companies
from services.rules.parts.shares.state import companies_of
from services.rules.titles.g1865.absorption.absorbing import ABSORB, TURN_OVER
from services.rules.titles.g1865.figures import figures_of
from services.rules.titles.g1865.operating.building import BUILD
from services.rules.titles.g1865.operating.earning import DIVIDE
from services.rules.titles.g1865.operating.tokens import PLACE
from services.rules.titles.g1865.operating.trains import BUY_TRAINS
from services.rules.titles.g1865.operating.turns import HAND
from services.rules.titles.g1865.rulings import plays
from services.rules.titles.g1865.state import own

# The order of a turn (5-b).
STEPS: tuple[TurnStep, ...] = (ABSORB, BUILD, PLACE, HAND, DIVIDE, BUY_TRAINS)


def start_round(draft: Draft, context: Context, turn: int, number: int, count: int) -> None:
    """Sea companies pay, then the companies that have started operate by falling value, the upper marker first (3-a, 5-a)."""
    draft.emit(RoundStarted("operating", turn, number, count, open_companies(draft.game, context.data)))
    if number == 1 or plays(draft.game, "maritime_income", "each_operating_round"):
        pay_income(draft, context.data)
    TURNS.start_next(draft, context)


def pay_income(draft: Draft, data: TitleData) -> None:
    """Each sea company in a player's hand brings 20 from the bank (3-a, 3-e)."""
    for name, owner in own(draft.game).maritime.items():
        if owner in draft.game.players:
            draft.pay(BANK, owner, figures_of(data).maritime_income, "1865.maritime_income", name)


def _is_in_play(game: Game, company: str) -> bool:
    """A company that was absorbed has no turn any more (6-d)."""
    return companies_of(game)[company].opened


def _is_over(game: Game) -> bool:
    return TURN_OVER in game.turn.actions or not _is_in_play(game, game.actor)


TURNS = CompanyTurns(STEPS, _is_in_play, is_over=_is_over)
