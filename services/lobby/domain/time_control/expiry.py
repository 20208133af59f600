"""What happens to an overdue turn, step by step, and how an automatic move cannot race the player's own."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import msgspec

from services.lobby.domain.time_control.bank import Asked
from services.lobby.domain.time_control.intervals import Intervals, after_working
from services.lobby.domain.time_control.policy import SECOND_MS, ClockPolicy, ExpiryAction


class DueAction(msgspec.Struct, frozen=True):
    """A step of the expiry ladder that is due, with the request id and the sequence of its command.

    The command carries the sequence for which the turn was judged. If the player has moved meanwhile, rules answers that it is
    stale, and nothing happens; repeated, it gets the first outcome."""

    action: ExpiryAction
    at_ms: int
    expected_sequence: int
    request_id: str


def expiry_steps(
    policy: ClockPolicy, game_id: str, seat: str, asked: Asked, expired_ms: int, hours: Intervals
) -> Iterator[DueAction]:
    """The steps of the policy about a turn overdue since `expired_ms`, in their order, as far as they lie within `hours`.

    A step comes no earlier than those before it in the ladder."""
    waited = 0
    for number, step in enumerate(policy.on_expiry):
        waited = max(waited, step.after_seconds * SECOND_MS)
        at_ms = after_working(hours, expired_ms, waited)
        if at_ms is None:
            return
        request_id = expiry_request_id(game_id, seat, asked.sequence, number)
        yield DueAction(step.action, at_ms, asked.sequence, request_id)


def expiry_request_id(game_id: str, seat: str, sequence: int, step: int) -> str:
    """The request id of an automatic command: the same for the same game, seat, turn and step on every host."""
    text = f"signalbox expiry 1|{game_id}|{seat}|{sequence}|{step}"
    return hashlib.sha256(text.encode()).hexdigest()[:32]
