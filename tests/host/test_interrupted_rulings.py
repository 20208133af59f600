"""A lobby that is killed while a ruling changes a game: after the next start it is in the game and in the round, or in neither,
and nobody has to repeat the request."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from services.common.auth.tokens import Principal
from services.gen.signalbox.rules.v1.direction_pb2 import Direction, Suspend
from services.lobby.domain.positions import MoneyTransfer
from services.lobby.domain.tournaments.rounds.adjudicating import Ruling
from services.lobby.domain.tournaments.rounds.adjudication import (
    AdjudicationKind,
    FinalWorth,
)
from services.lobby.domain.tournaments.rounds.round import (
    RoundTable,
    TableState,
)
from tests.host.lobby_lives import Event, Life, prepare
from tests.host.test_interrupted_directing import Running
from tests.lobby.tournaments.club import done
from tests.mortal_log import Killed, MortalLog

APPENDS_MAX = 10
RULINGS: dict[str, Callable[[RoundTable, int], Ruling]] = {
    "roll_back": lambda table, sequence: Ruling(AdjudicationKind.ROLL_BACK, sequence=sequence - 2),
    "correct": lambda table, _: Ruling(
        AdjudicationKind.CORRECT, transfer=MoneyTransfer("bank", table.seats[0], 5, "")
    ),
    "award": lambda table, _: Ruling(
        AdjudicationKind.AWARD, worths=tuple(FinalWorth(seat, 1_000) for seat in table.seats)
    ),
}


class Played:
    """A tournament of one table whose game has begun, and was suspended; rules and lobby are one process."""

    def __init__(self, kind: str) -> None:
        self.log = MortalLog()
        self.running = Running(self.log)
        self.event: Event = prepare(Life(self.running.lobby), clock=None)
        published = self.running.lobby.tournaments.rounds.publish(
            self.event.caller, "publish", self.event.round_id, 0
        )
        self.table = done(published).tables[1].table
        suspend = Direction(reason="a wrong click", suspend=Suspend())
        directing = self.running.lobby.directing
        done(directing.direct(self.event.caller, False, "s", self.table.table_id, 0, suspend))
        sequence = len(self.events())
        self.ruling = replace(RULINGS[kind](self.table, sequence), expected_sequence=sequence)

    def events(self) -> list[Any]:
        """Of the game."""
        return list(self.running.rules.reader.events(self.table.game_id))

    def state(self) -> TableState:
        """The table of the round."""
        return self.running.lobby.tournaments.rounds.get(self.event.director, self.event.round_id).tables[1]

    def rule(self, caller: Principal) -> None:
        """Always the same request."""
        rounds = self.running.lobby.tournaments.rounds
        done(rounds.adjudicate(caller, "rule", self.event.round_id, 1, self.ruling, "a wrong click"))

    def dies(self, number: int, is_written: bool) -> bool:
        """Whether the process has died at that append; then the next one runs, and nobody has repeated the request."""
        self.log.left, self.log.is_written = number, is_written
        try:
            self.rule(self.event.caller)
        except Killed:
            self.log.left = 0
            self.running = Running(self.log)
            self.running.lobby.tournaments.publisher.catch_up()
            return True
        self.log.left = 0
        return False

    def facts(self) -> tuple[int, int, int]:
        """How many rulings game and round have, and how many results."""
        decided = [each.director_decided.kind for each in self.events() if each.HasField("director_decided")]
        state = self.state()
        return len(decided) - 1, len(state.adjudications), int(state.result is not None)


@pytest.mark.parametrize("is_written", [False, True])
@pytest.mark.parametrize("kind", RULINGS)
def test_a_ruling_happens_once_or_not_at_all(kind: str, is_written: bool) -> None:
    """At every append of rules and lobby; repeated after that, the request changes nothing more."""
    happened = (1, 1, int(kind == "award"))
    for number in range(1, APPENDS_MAX):
        played = Played(kind)
        has_died = played.dies(number, is_written)
        is_absent = number == 1 and not is_written
        assert played.facts() == ((0, 0, 0) if is_absent else happened)
        length = len(played.events())
        played.rule(played.event.caller)
        assert played.facts() == happened
        assert is_absent or len(played.events()) == length
        if not has_died:
            assert number > 2
            return
    raise AssertionError("there is no end of appends")
