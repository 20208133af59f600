"""Games that the ledger holds: no command until they are let go."""

from __future__ import annotations

import pytest

from services.rules.kernel.commands import Pass
from services.rules.requests import CommandAccepted, CommandRejected
from tests.rules.service.desk import GAME, Desk


def test_a_held_game_takes_no_command_until_released(desk: Desk) -> None:
    """While held every command is refused but a repeat is still answered; other games go on; then play goes on."""
    at = desk.create()
    desk.create(game_id="other")
    player = desk.asked()
    first = desk.ask(player, Pass(), "pass", at)
    desk.rules.hold(GAME, "difference")
    before = desk.trace()
    refused = desk.ask(desk.asked(), Pass())
    assert isinstance(refused, CommandRejected)
    assert refused.rejection.code == "ledger_hold"
    assert "difference" in refused.rejection.message
    assert desk.trace() == before
    repeat = desk.ask(player, Pass(), "pass", at)
    assert isinstance(first, CommandAccepted)
    assert repeat == CommandAccepted(first.first, first.last, repeated=True)
    desk.move(desk.asked("other"), Pass(), game_id="other")
    desk.rules.release(GAME)
    desk.move(desk.asked(), Pass())


class LetGoMeanwhile(dict[str, str]):
    """Holds of which each is let go as soon as it was seen."""

    def __contains__(self, _: object) -> bool:
        return True


def test_a_hold_may_be_let_go_while_a_command_meets_it(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command is carried out."""
    desk.create()
    monkeypatch.setattr(desk.rules, "_holds", LetGoMeanwhile())
    assert isinstance(desk.ask(desk.asked(), Pass()), CommandAccepted)
