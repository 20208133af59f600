"""Mergers: proposals in ascending order of share value, the votes, and what becomes of both companies (merge-a to -n, faq-a to
-c)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from services.rules.kernel.choice import Choice
from services.rules.kernel.commands import AnswerOffer, Pass
from services.rules.kernel.draft import Draft
from services.rules.kernel.events import DebtChanged, RoundEnded, RoundStarted, StepPassed
from services.rules.kernel.flow import RoundRules
from services.rules.kernel.game import Game
from services.rules.kernel.passing import PASS
from services.rules.kernel.questions import both_answers
from services.rules.kernel.rejections import Rejected, reject_if
from services.rules.kernel.title import Action, Context, Step, never_refused
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.turns import has_choice
from services.rules.kernel.turnstep import TurnStep
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.market.events import PriceMoved
from services.rules.parts.market.market import price_of
from services.rules.parts.shares.companyturns import CompanyTurns
from services.rules.parts.shares.data import cards_of
from services.rules.parts.shares.events import CompanyReset
from services.rules.parts.shares.shares import holders, move_certificates
from services.rules.parts.shares.state import companies_of
from services.rules.titles.rotw.commands import ProposeMerger
from services.rules.titles.rotw.control import acting_order, check_company, controller, is_controlled
from services.rules.titles.rotw.events import (
    BallotOpened,
    CompanyAcquired,
    LinkTakenOver,
    MergerDecided,
    MergerProposed,
    VoteCast,
)
from services.rules.titles.rotw.figures import figures_of, railroad, start_column
from services.rules.titles.rotw.financing import (
    AVAILABLE,
    ISSUED,
    Issue,
    Need,
    carry_out,
    check_issue,
    least_issue,
)
from services.rules.titles.rotw.rulings import plays
from services.rules.titles.rotw.state import Merger, RoundNote, links_of, own
from services.rules.titles.rotw.track import cities_of

MERGERS: Final = "rotw.mergers"
PROPOSE: Final = "propose_merger"
VOTE: Final = "vote"


def price_of_all(game: Game, data: TitleData, target: str) -> int:
    """What the acquirer pays: for every share of players and of the issued board the value and a premium (merge-h, faq-b)."""
    bought = sum(holders(game, data, target).values()) + len(game.held(ISSUED, target))
    return bought * _price_per_share(game, data, target)


def _price_per_share(game: Game, data: TitleData, target: str) -> int:
    return price_of(game, data, target) + figures_of(data).merger_premium


def _need(game: Game, data: TitleData, company: str, target: str) -> Need:
    cash = game.money(company)
    if plays(game, "treasury_of_target", "pays"):
        cash += game.money(target)
    cost = price_of_all(game, data, target)
    return Need(company, cost, cash, plays(game, "bonds_for_mergers", "allowed"))


def touches(game: Game, company: str, other: str) -> bool:
    """Whether the networks of two companies have a city in common (merge-c)."""
    return bool(cities_of(game, company) & cities_of(game, other))


def _check_partners(game: Game, data: TitleData, company: str, target: str) -> None:
    reject_if(target not in cards_of(data), "unknown_company", detail=target)
    alone = company == target or not is_controlled(game, target)
    reject_if(alone, "rotw.merges_itself", "rotw/merge-b", target)
    reject_if(not touches(game, company, target), "rotw.networks_apart", "rotw/merge-c", target)
    acquirers = RoundNote.of_round(game).acquirers
    again = company in acquirers
    if plays(game, "target_after_acquiring", "forbidden"):
        again = again or target in acquirers
    reject_if(again, "rotw.merged_before", "rotw/faq-c", target)


def _check(game: Game, context: Context, player: str, command: ProposeMerger) -> None:
    check_company(game, command.company)
    _check_partners(game, context.data, command.company, command.target)
    need = _need(game, context.data, command.company, command.target)
    check_issue(game, context.data, need, Issue(command.shares, command.bonds))


def _propose(draft: Draft, context: Context, player: str, command: ProposeMerger) -> None:
    draft.emit(MergerProposed(command.company, command.target, command.shares, command.bonds))
    draft.emit(BallotOpened(command.company))


def _proposals(game: Game, context: Context, player: str) -> Iterator[Choice]:
    data, company = context.data, game.actor
    for target in cards_of(data):
        need = _need(game, data, company, target)
        issue = least_issue(game, data, need)
        if issue is not None:
            yield Choice(player, ProposeMerger(company, target, issue.shares, issue.bonds), cost=need.cost)


def _merger(game: Game) -> Merger:
    merger = own(game).merger
    if merger is None:
        raise Rejected("wrong_step")
    return merger


def _voters(game: Game, context: Context) -> tuple[str, ...]:
    """The shareholders who have not voted, the controller first; they may vote in any order (merge-d, merge-m)."""
    merger = _merger(game)
    director = companies_of(game)[merger.voting].director
    voted = {vote.player for vote in merger.votes}
    everybody = holders(game, context.data, merger.voting)
    return tuple(sorted((each for each in everybody if each not in voted), key=lambda each: each != director))


def _vote(draft: Draft, context: Context, player: str, command: AnswerOffer) -> None:
    draft.emit(VoteCast(player, command.accept))
    if _voters(draft.game, context):
        return
    merger = _merger(draft.game)
    passed = _is_passed(draft.game, context.data, merger)
    if passed and merger.voting == merger.company:
        draft.emit(BallotOpened(merger.target))
        return
    draft.emit(MergerDecided(merger.company, merger.target, passed))
    if passed:
        _acquire(draft, context.data, merger)
    draft.emit(StepPassed(PROPOSE))


def _is_passed(game: Game, data: TitleData, merger: Merger) -> bool:
    """One vote for each share; on a tie the controller's decides (merge-d, merge-e)."""
    shares = holders(game, data, merger.voting)
    director = companies_of(game)[merger.voting].director
    in_favour = sum(shares[vote.player] for vote in merger.votes if vote.accept)
    against = sum(shares.values()) - in_favour
    director_accepts = any(vote.accept for vote in merger.votes if vote.player == director)
    return in_favour > against or (in_favour == against and director_accepts)


def _acquire(draft: Draft, data: TitleData, merger: Merger) -> None:
    """Raise the money, buy the shares, take everything over, and refound the target (merge-h to -l, faq-a)."""
    company, target = merger.company, merger.target
    carry_out(draft, company, Issue(merger.shares, merger.bonds))
    if plays(draft.game, "treasury_of_target", "pays"):
        _take_treasury(draft, company, target)
    per_share = _price_per_share(draft.game, data, target)
    for player, shares in holders(draft.game, data, target).items():
        draft.pay(company, player, shares * per_share, "rotw.merged", target)
    draft.pay(company, BANK, len(draft.game.held(ISSUED, target)) * per_share, "rotw.merged", target)
    _take_treasury(draft, company, target)
    owed = draft.game.debts.get(target, 0)
    if owed:
        draft.emit(DebtChanged(target, -owed, "rotw.bonds_taken_over"))
        draft.emit(DebtChanged(company, owed, "rotw.bonds_taken_over"))
    for link in links_of(draft.game, target):
        draft.emit(LinkTakenOver(link, company))
    draft.emit(CompanyAcquired(company, target))
    _refound(draft, data, company, target)


def _take_treasury(draft: Draft, company: str, target: str) -> None:
    draft.pay(target, company, draft.game.money(target), "treasury_transferred", target)


def _refound(draft: Draft, data: TitleData, company: str, target: str) -> None:
    """The target can enter the game again as at the start (merge-l, newauction-f)."""
    available = figures_of(data).shares_available
    for holder in (*draft.game.players, AVAILABLE, ISSUED, target):
        held = draft.game.held(holder, target)
        for receiver, numbers in (
            (AVAILABLE, tuple(number for number in held if number < available)),
            (target, tuple(number for number in held if number >= available)),
        ):
            if receiver != holder:
                move_certificates(draft, target, numbers, holder, receiver, "returned")
    draft.emit(CompanyReset(target, company))
    column = start_column(data, target)
    draft.emit(PriceMoved(target, 0, column, "rotw.refounded", railroad(data, target).start_value))


_PROPOSE = Step(
    PROPOSE,
    {ProposeMerger: Action(_check, _propose, _proposals), Pass: PASS},
    controller,
)
_VOTE = Step(VOTE, {AnswerOffer: Action(never_refused, _vote, both_answers)}, _voters)


def _may_propose(game: Game, context: Context) -> bool:
    """While a merger is voted on, the company's turn goes on."""
    return own(game).merger is not None or has_choice(_PROPOSE, game, context, "")


_TURNS = CompanyTurns((TurnStep(_PROPOSE, _may_propose),), is_controlled)


def _step_of(game: Game) -> Step | None:
    return _VOTE if own(game).merger is not None else _TURNS.step_of(game)


def start_round(draft: Draft, context: Context, turn: int) -> None:
    """Begin the mergers; the company with the lowest value comes first (merge-a)."""
    order = tuple(reversed(acting_order(draft.game, context.data)))
    draft.emit(RoundStarted(MERGERS, turn, 1, 1, order))
    _TURNS.start_next(draft, context)


def _end_round(draft: Draft, context: Context) -> None:
    draft.emit(RoundEnded(MERGERS))


ROUND: Final = RoundRules(_step_of, _TURNS.advance, _end_round)
