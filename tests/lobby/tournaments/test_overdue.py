"""What overdue turns cost in a tournament: in the result of the table, in the standings, in the files and in the check."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from services.common.eventlog.port import NewRecord
from services.lobby.domain.time_control.policy import ClockPolicy, MoneyPenalty, Penalty, PointsPenalty
from services.lobby.domain.tournaments.exports.tournament_file import file_of
from services.lobby.domain.tournaments.rounds.round import Round
from services.lobby.domain.tournaments.rounds.settling import policy_of, record_of_stage
from services.lobby.domain.tournaments.scoring.exporting import exported
from services.lobby.tournament_check import check_streams
from tests.lobby.scoring import recompute
from tests.lobby.tournaments.club import ONE_ROUND, Club

BANK = 100
LATE = 150


def played(club: Club, penalty: Penalty) -> tuple[str, Round]:
    """A round of one table whose first seat was late in one turn, by 50 seconds."""
    charter = replace(ONE_ROUND, clock=ClockPolicy(bank=BANK, on_expiry=(), penalty=penalty))
    event_id = club.tournament(charter).tournament_id
    state = club.published(event_id).tables[1]
    for sequence, seat in ((5, state.table.seats[0]), (7, state.table.seats[1])):
        club.follow(
            state, sequence, acting_players=(seat,), round_kind="stock", turn=1, round_number=1, actor=seat
        )
        club.clock.advance(LATE * 1000 if sequence == 5 else 0)
    worths = {seat: 1000 - 100 * number for number, seat in enumerate(state.table.seats)}
    club.finish(state, worths)
    return event_id, club.lobby.tournaments.rounds.get("", f"{event_id}.0.1")


@pytest.mark.parametrize(
    ("penalty", "money", "points", "expected"),
    [
        (MoneyPenalty(25, 10), 125, 0, [3, 5, 2, 1]),
        (PointsPenalty(250_000, 10), 0, 1_250_000, [3.75, 3, 2, 1]),
    ],
)
def test_overdue_turns_cost(penalty: Penalty, money: int, points: int, expected: list[float]) -> None:
    """Fifty seconds are five started units: the worth of the first is 875, or it has a point and a quarter less."""
    club = Club(4)
    event_id, current = played(club, penalty)
    state = current.tables[1]
    assert state.result is not None
    assert [seat.overdue_money for seat in state.result.seats] == [money, 0, 0, 0]
    assert [seat.overdue_points for seat in state.result.seats] == [points, 0, 0, 0]
    assert [seat.worth for seat in state.result.seats] == [1000, 900, 800, 700]
    tournament, lines = club.lobby.tournaments.reader.standings(event_id, 0)
    found = {line.player: line.points / 1_000_000 for line in lines}
    assert [found[seat] for seat in state.table.seats] == expected
    files = exported(record_of_stage(tournament, 0, [current]), policy_of(tournament, 0), lines)
    assert recompute.recomputed(files) == recompute.given(files)
    assert file_of(tournament, [current]).stages[0].standings == lines
    checked = check_streams(club.log, event_id)
    assert checked is not None
    assert checked.problems == ()


def test_a_result_that_the_clocks_do_not_have_is_named() -> None:
    """The cost of another game."""
    club = Club(4)
    event_id, _ = played(club, MoneyPenalty(25, 10))
    records = club.log.read_all(limit=100_000)
    other = Club(4)
    for record in records:
        if not record.stream.startswith("lobby.clock."):
            other.log.append(
                record.stream,
                record.sequence - 1,
                [NewRecord(record.type, record.schema_version, record.payload)],
            )
    checked = check_streams(other.log, event_id)
    assert checked is not None
    assert checked.problems == ("round 1, table 1: its game has no such result",)
