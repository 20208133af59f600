"""One definition of legality: somebody is asked exactly if he has something to choose but passing.

What a state shows is held against the law by `check_asked`; who was passed over on the way to it, by `nobody_passed_over`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from dataclasses import replace
from functools import lru_cache
from typing import Any
from unittest.mock import patch

from services.rules.kernel import decide
from services.rules.kernel.choice import Choice
from services.rules.kernel.commands import Command, Pass
from services.rules.kernel.draft import Draft
from services.rules.kernel.events import Event, InterruptSettled, PlayerPassed
from services.rules.kernel.game import Game
from services.rules.kernel.title import Context, Step, Title
from services.rules.kernel.turns import all_passed, ask_in_turn, end_player_turn
from services.rules.kernel.turnstep import TurnStep, take_steps
from services.rules.parts.auctions.events import AuctionPassed
from services.rules.parts.shares import companyturns, stockround
from services.rules.parts.shares.commands import SellCertificates
from services.rules.titles import TITLES
from services.rules.titles.g1824 import stock as stock_of_1824
from services.rules.titles.g1865.commands import HandOver
from services.rules.titles.rotw.events import NamingEnded

# Where somebody is asked who can only pass, by title and step: the ruling that says so and its value, or the clause alone.
IDLE = ("idle_turns", "asked")
ASKED_IN_VAIN: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("1824", "initial_stock_turn"): IDLE,
    ("1824", "lay_track"): IDLE,
    ("1824", "buy_trains"): IDLE,
    ("1824", "exchange_company"): IDLE,
    ("1862", "bid"): ("staying_in_an_auction", "covers_standing_bid"),
    ("1862", "buy_more_shares"): IDLE,
    ("1862", "stock_turn"): IDLE,
    ("1862", "merge"): IDLE,
    ("1862", "lay_track"): IDLE,
    ("1862", "place_token"): IDLE,
    ("1862", "acquire"): IDLE,
    # To pass is an action of its own, which may cost the company its dividend.
    ("rotw", "act"): ("rotw/company-d",),
}
# Steps that are passed over though they list choices: these do not say that the step is done, or has nothing to do yet.
DONE_ONCE: Mapping[tuple[str, str], str] = {
    ("1824", "run_trains"): "1824/VII.9-a: once, and automatically for nothing where no train has a route",
    ("1824", "declare_dividend"): "1824/VII.10-h: once, and automatically where nothing was earned",
    ("1862", "upgrade_home"): "1862/7.2-c: until the home token has its place",
    ("1862", "run_trains"): "1862/7.8-d: once, and automatically for nothing where no train has a route",
    ("1862", "declare_dividend"): "1862/7.8.5-a: once, and automatically where nothing was earned",
    ("1865", "declare_dividend"): "1865/5.4-c: once, and automatically where nothing was earned",
    ("island", "run_trains"): "island/5: once",
    ("island", "declare_dividend"): "island/6: once, and automatically where nothing was earned",
    ("rotw", "act"): "rotw/company-d: one action a turn",
    ("rotw", "second_link"): "rotw/build-a: after a first link only",
    ("rotw", "dividend"): "rotw/dividends-f: once, and automatically where nothing can be paid",
}
# The same under a ruling and its value.
DONE_BY_RULING: Mapping[tuple[str, str], tuple[str, str]] = {
    # Who has named his share is through (newauction-a).
    ("rotw", "name_share"): ("new_auctions", "once_each"),
}
# Where nobody can be passed over, so that nothing is held against the law: everybody in the order is asked.
# 1824 allotment_turn (X.5-a, X.5-f), 1865 take_maritime (2-e, 2-f), rotw vote (merge-d).
# In 1862 open_company follows a won auction and has to be answered (4.2-a); buy_more_shares ends with half of the company
# (4.2-g). A question that a rule raises has to be answered; one that is settled unanswered is held against the law.
# Steps without a place in a turn: 1824 construction and bond companies (X.3-b, X.4-f), 1862 after the LNER (10.3-d, 10.3-f).
# Choices that are offered to one who is asked, but alone are no reason to ask.
NO_REASON_TO_ASK: Mapping[tuple[str, type[Command]], str] = {
    ("1824", SellCertificates): "1824/VII.12-c: in a company's turn shares are sold for a train alone",
    ("1865", HandOver): "1865/3-b: at any time of the turn, asked for in the last step before revenue",
}

# Events by which a player is out of a step, and who that is.
OUT_OF_STEP: Mapping[type[Event], Callable[[Game, Any], str]] = {
    PlayerPassed: lambda game, event: str(event.player),
    AuctionPassed: lambda game, event: str(event.player),
    NamingEnded: lambda game, event: str(event.player),
    InterruptSettled: lambda game, event: next(
        each.player for each in game.interrupts if (each.kind, each.company) == (event.kind, event.company)
    ),
}
CARRY_OUT = decide.carry_out
EMIT = Draft.emit
# The player whose command is being carried out, if it takes him out of the step at hand.
_DECIDES: ContextVar[str] = ContextVar("decides", default="")


def check_asked(game: Game, context: Context, found: Iterable[Choice]) -> None:
    """Who is asked has something to choose but passing."""
    if any(not isinstance(choice.command, Pass) for choice in found):
        return
    step = TITLES[game.title].step_of(game, context)
    assert step is not None
    reason = ASKED_IN_VAIN.get((game.title, step.name), ())
    assert reason, f"asked in vain in {step.name}"
    assert len(reason) == 1 or game.rulings.get(reason[0]) == reason[1], f"asked in vain in {step.name}"


@contextmanager
def nobody_passed_over() -> Iterator[None]:
    """Hold every turn of a company, every stock round and every auction played meanwhile, and every question, against the law."""
    with ExitStack() as patches:
        patches.enter_context(patch.object(decide, "carry_out", _carry_out_chosen))
        patches.enter_context(patch.object(Draft, "emit", _emit_checked))
        patches.enter_context(patch.object(companyturns, "take_steps", _take_checked_steps))
        for module in (stockround, stock_of_1824):
            patches.enter_context(patch.object(module, "ask_in_turn", _ask_checked_in_turn))
        yield


def _check_passed_over(step: Step, game: Game, context: Context, players: Iterable[str]) -> None:
    """Nobody had a choice in the step that is passed over."""
    place = (game.title, step.name)
    ruling, value = DONE_BY_RULING.get(place, ("", ""))
    if place in DONE_ONCE or (ruling and game.rulings.get(ruling) == value):
        return
    open_to = [
        (player, kind.__name__)
        for player in players
        for kind, action in step.actions.items()
        if player
        and kind is not Pass
        and (game.title, kind) not in NO_REASON_TO_ASK
        and action.is_open(game, context, player)
    ]
    assert not open_to, f"{step.name} is passed over, open to {open_to}"


@lru_cache(maxsize=64)
def _checked(steps: tuple[TurnStep, ...]) -> Mapping[TurnStep, TurnStep]:
    """The steps of a turn that complain when they are passed over, with those in whose place they are."""
    return {_checked_step(each): each for each in steps}


def _checked_step(turn_step: TurnStep) -> TurnStep:
    def is_waiting(game: Game, context: Context) -> bool:
        if turn_step.is_waiting(game, context):
            return True
        step = turn_step.step
        _check_passed_over(step, game, context, step.players(game, context))
        return False

    return replace(turn_step, is_waiting=is_waiting)


def _take_checked_steps(
    draft: Draft,
    context: Context,
    steps: tuple[TurnStep, ...],
    is_over: Callable[[Game], bool],
    leaves_out: Callable[[Game, TurnStep], bool],
) -> bool:
    checked = _checked(steps)
    return take_steps(
        draft, context, tuple(checked), is_over, lambda game, step: leaves_out(game, checked[step])
    )


def _ask_checked_in_turn(
    draft: Draft,
    context: Context,
    step_name: str,
    is_asked: Callable[[Game, Context, str], bool],
    end_turn: Callable[[Draft, str], None] = end_player_turn,
    is_over: Callable[[Game], bool] = all_passed,
) -> bool:
    def is_asked_checked(game: Game, context: Context, player: str) -> bool:
        if is_asked(game, context, player):
            return True
        step = TITLES[game.title].step_of(game, context)
        assert step is not None and step.name == step_name
        _check_passed_over(step, game, context, (player,))
        return False

    return ask_in_turn(draft, context, step_name, is_asked_checked, end_turn, is_over)


def _carry_out_chosen(
    title: Title,
    context: Context,
    draft: Draft,
    player: str,
    command: Command,
    correction: Event | None = None,
) -> None:
    """Carry out a command, and know whose own decision it is to be out of the step."""
    decides = isinstance(command, Pass) or any(each.player == player for each in draft.game.interrupts)
    before = _DECIDES.set(player if decides else "")
    try:
        CARRY_OUT(title, context, draft, player, command, correction)
    finally:
        _DECIDES.reset(before)


def _emit_checked(draft: Draft, event: Event) -> None:
    out = OUT_OF_STEP.get(type(event))
    if out is not None:
        _check_out(draft, out(draft.game, event))
    EMIT(draft, event)


def _check_out(draft: Draft, player: str) -> None:
    """Who did not decide to be out of the step had no choice in it."""
    if player == _DECIDES.get():
        # Once: who is out of a later step of the same command is not asked there.
        _DECIDES.set("")
        return
    context = Context(draft.data)
    step = TITLES[draft.game.title].step_of(draft.game, context)
    assert step is not None
    _check_passed_over(step, draft.game, context, (player,))
