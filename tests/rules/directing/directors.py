"""A director at the desk of the rules service."""

from __future__ import annotations

from services.rules.adapters.records import decoded
from services.rules.kernel.directing.commands import Direct, Direction
from services.rules.kernel.events import Event
from services.rules.requests import CommandAccepted, CommandRejected, CommandResult, Request
from tests.rules.conftest import Desk


def direct(
    desk: Desk, direction: Direction, reason: str = "why not", confirmed_by: str = ""
) -> CommandResult:
    """What Olga decides about the game as it is."""
    sequence = desk.game().sequence
    command = Direct(direction, reason, confirmed_by)
    return desk.rules.execute(Request("g", "olga", f"olga-{sequence}", sequence, command))


def directed(desk: Desk, direction: Direction, confirmed_by: str = "") -> CommandAccepted:
    """A decision that has to be carried out."""
    result = direct(desk, direction, confirmed_by=confirmed_by)
    assert isinstance(result, CommandAccepted), result
    return result


def refusal(desk: Desk, direction: Direction, reason: str = "why not", confirmed_by: str = "") -> str:
    """The reason code of a decision that has to be refused and to change nothing."""
    before = desk.game()
    result = direct(desk, direction, reason, confirmed_by)
    assert isinstance(result, CommandRejected), result
    assert desk.game() is before
    return result.rejection.code


def facts(desk: Desk) -> list[Event]:
    """All events of the game."""
    return decoded(desk.log.read("game/g"))
