"""The smallest title with flaws: repaying 13 breaks its rules, 14 leads to hundreds of events, 15 kills the process, 16 comes to
no end, and 17 exhausts the memory. A game whose seed is one of these numbers does the same when it is set up."""

from __future__ import annotations

import os
import signal
from dataclasses import replace

from services.rules.kernel.commands import CreateGame
from services.rules.kernel.draft import Draft
from services.rules.kernel.title import Action, Context
from services.rules.titles.g1824.commands import RepayDebt
from tests.rules.tiny import STEP, TINY

BREAKS = 13
TOO_MUCH = 14
KILLS = 15
ENDLESS = 16
EXHAUSTS = 17
EVENTS_TOO_MANY = 300
_pay = STEP.actions[RepayDebt]


def _do_harm(number: int) -> None:
    if number == KILLS:
        os.kill(os.getpid(), signal.SIGKILL)
    while number == ENDLESS:
        pass
    if number == EXHAUSTS:
        raise MemoryError


def _set_up(draft: Draft, context: Context, command: CreateGame) -> None:
    _do_harm(command.seed)
    TINY.set_up(draft, context, command)


def _perform(draft: Draft, context: Context, player: str, command: RepayDebt) -> None:
    if command.amount == BREAKS:
        raise ZeroDivisionError("unlucky")
    if command.amount == TOO_MUCH:
        for _ in range(EVENTS_TOO_MANY):
            draft.pay(player, "bank", 1, "correction")
            draft.pay("bank", player, 1, "correction")
    _do_harm(command.amount)
    _pay.perform(draft, context, player, command)


_STEP = replace(STEP, actions={**STEP.actions, RepayDebt: Action(_pay.check, _perform, _pay.candidates)})
BRITTLE = replace(TINY, name="brittle", set_up=_set_up, step_of=lambda game, context: _STEP)
