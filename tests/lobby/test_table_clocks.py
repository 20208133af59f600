"""Tables with clocks: policies, what players see, hours, vacation, time granted by a director, and the commands for it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import grpc
import msgspec
import pytest
from typer.testing import CliRunner, Result

from services.cli.main import app
from services.common.clock import ManualClock
from services.common.grpc.server import Guard, create_server
from services.common.settings.service import Settings
from services.common.telemetry.logs import Telemetry
from services.gen.signalbox.lobby.v1 import (
    lobby_service_pb2 as wire,
    rejection_pb2,
    table_clock_pb2,
)
from services.gen.signalbox.lobby.v1.lobby_service_pb2_grpc import LobbyServiceStub
from services.lobby.bootstrap import Lobby
from services.lobby.domain.games import GameStatus
from services.lobby.domain.time_control.policy import ClockPolicy
from tests.lobby.conftest import Metadata

SECOND = 1_000
HOUR = 3_600
BANK = 10 * HOUR
POLICY: dict[str, Any] = {
    "bank": BANK,
    "on_expiry": [{"action": "director"}],
    "min_hours_per_week": 10,
    "vacation_days_per_year": 14,
}
EVENINGS = [
    table_clock_pb2.WeekWindow(weekday=day, start_minute=19 * 60, end_minute=23 * 60) for day in range(7)
]
PENALTY = '{"bank": 60, "penalty": {"type": "money", "amount": %d, "per_seconds": %d}}'
WINDOW = '{"bank": 60, "windows": [{"weekday": 7, "start_minute": 0, "end_minute": 9}]%s}'
ALLOWANCE, STEP = ".allowances[1].seconds", ".on_expiry[0].action"
TODAY = "2023-11-14"
"""Of the clock of tests, at 22:13 UTC."""


def reason_of(answer: Any) -> str:
    """Why a request was rejected."""
    assert answer.WhichOneof("outcome") == "rejected", answer
    return rejection_pb2.RejectionReason.Name(answer.rejected.reason).removeprefix("REJECTION_REASON_")


class Clocked:
    """Ann and Bob at a table with clocks; Ann owns and directs it."""

    def __init__(self, lobby: Lobby, stub: LobbyServiceStub, signed_in: Callable[[str], Metadata]) -> None:
        self.lobby, self.stub = lobby, stub
        self.tokens = {name: signed_in(name) for name in ("Ann", "Bob", "Cem")}
        self._requests = 0
        created = self.call("Ann", "CreateTable", **self.fields(POLICY), owner_directs=True)
        self.table_id = created.table.table_id
        self.call("Bob", "JoinTable", table_id=self.table_id)
        self.table = self.call("Ann", "StartTable", table_id=self.table_id).table
        ids = {player.name: player.player_id for player in self.table.players}
        self.ann, self.bob = ids["Ann"], ids["Bob"]

    @staticmethod
    def fields(policy: object) -> dict[str, Any]:
        """What CreateTable needs."""
        return {"title": "1824", "player_count": 2, "clock": json.dumps(policy)}

    def call(self, who: str, method: str, **fields: Any) -> Any:
        """The answer to a request; one without an id gets a new one."""
        self._requests += 1
        request = getattr(wire, f"{method}Request")(**{"request_id": f"r{self._requests}", **fields})
        return getattr(self.stub, method)(request, metadata=self.tokens[who])

    def refused(self, who: str, method: str, **fields: Any) -> str:
        """Why a request is rejected."""
        return reason_of(self.call(who, method, **fields))

    def ask(self, seat: str, sequence: int, clock: ManualClock) -> None:
        """The game asks a seat now."""
        self.lobby.followed.follow_status(
            GameStatus(
                game_id=self.table.game_id,
                sequence=sequence,
                title="1824",
                players=tuple(self.table.seats),
                acting_players=(seat,),
                round_kind="stock",
                turn=1,
                round_number=1,
                actor=seat,
                time_ms=clock.now_ms(),
            )
        )

    def times(self) -> dict[str, table_clock_pb2.SeatTime]:
        """The clocks by seat."""
        request = wire.GetTableRequest(game_id=self.table.game_id)
        answer = self.stub.GetTable(request, metadata=self.tokens["Cem"])
        assert answer.table.table_id == self.table_id
        return {each.seat: each for each in answer.clocks.seats}


@pytest.fixture
def clocked(lobby: Lobby, stub: LobbyServiceStub, signed_in: Callable[[str], Metadata]) -> Clocked:
    """The table, whose game has begun."""
    return Clocked(lobby, stub, signed_in)


@pytest.mark.parametrize(
    ("policy", "reason", "field"),
    [
        ("{", "CLOCK_MALFORMED", ""),
        ('{"bank": 60, "colour": "red"}', "CLOCK_MALFORMED", ""),
        ('{"bank": "much"}', "CLOCK_MALFORMED", ".bank"),
        ('{"bank": -1}', "CLOCK_MALFORMED", ".bank"),
        ('{"bank": 0}', "CLOCK_MALFORMED", ".bank"),
        ('{"bank": 60, "allowances": [{"seconds": 1}, {"seconds": -1}]}', "CLOCK_MALFORMED", ALLOWANCE),
        ('{"bank": 60, "reminders": [100]}', "CLOCK_MALFORMED", ".reminders"),
        (PENALTY % (0, 1), "CLOCK_MALFORMED", ".penalty.amount"),
        (PENALTY % (1, 0), "CLOCK_MALFORMED", ".penalty.per_seconds"),
        (WINDOW % "", "CLOCK_MALFORMED", ".windows"),
        (WINDOW % ', "min_hours_per_week": 169', "CLOCK_MALFORMED", ".windows"),
        ('{"bank": 60, "vacation_days_per_year": 367}', "CLOCK_MALFORMED", ".vacation_days_per_year"),
        ('{"bank": 60, "deadline": -1}', "CLOCK_MALFORMED", ".deadline"),
        ('{"bank": 60, "deadline": 10000000001}', "CLOCK_MALFORMED", ".deadline"),
        ('{"bank": 60, "deadline": 1%s}' % ("0" * 20), "CLOCK_MALFORMED", ".deadline"),
        ('{"bank": 60, "zone": "Mars/Olympus"}', "ZONE_UNKNOWN", ".zone"),
        ('{"bank": 60, "on_expiry": [{"action": "substitute"}]}', "CLOCK_STEP_NOT_POSSIBLE", STEP),
        ('{"bank": 60, "on_expiry": [{"action": "pray"}]}', "CLOCK_MALFORMED", STEP),
    ],
)
def test_a_policy_that_cannot_be_kept_is_refused(
    clocked: Clocked, policy: str, reason: str, field: str
) -> None:
    """By reason and key, before anybody sits down."""
    answer = clocked.call("Cem", "CreateTable", title="1824", player_count=2, clock=policy)
    assert reason_of(answer) == reason
    assert answer.rejected.field == f"clock{field}"


def test_what_a_policy_can_hold_is_told(clocked: Clocked) -> None:
    """To anybody: a policy with all of it at once can be kept, and one with more cannot."""
    rules = clocked.stub.GetClockRules(wire.GetClockRulesRequest())
    assert rules.expiry_actions == ["standing_policy_pass", "standing_policy_least", "director", "forfeit"]
    assert "Europe/Vienna" in rules.zones and list(rules.zones) == sorted(rules.zones)
    usual = json.loads(rules.usual_policy)
    assert usual["on_expiry"] == [{"action": "director", "after_seconds": 0}]
    assert usual.keys() == {field.name for field in msgspec.structs.fields(ClockPolicy)} - {"bank"}
    most: dict[str, Any] = {
        **usual,
        "bank": rules.seconds_max,
        "min_hours_per_week": rules.hours_per_week_max,
        "vacation_days_per_year": rules.vacation_days_max,
        "reminders": [50] * rules.parts_max,
        "penalty": {"type": "money", "amount": rules.penalty_amount_max, "per_seconds": rules.seconds_max},
    }
    assert clocked.call("Cem", "CreateTable", **Clocked.fields(most)).table.clock
    for key in ("bank", "min_hours_per_week", "vacation_days_per_year"):
        assert clocked.refused("Cem", "CreateTable", **Clocked.fields({**most, key: most[key] + 1}))
    more = {"title": "1824", "player_count": 2, "turn_seconds": rules.turn_seconds_max + 1}
    answer = clocked.call("Cem", "CreateTable", **more)
    assert (reason_of(answer), answer.rejected.field) == ("TURN_SECONDS_OUT_OF_RANGE", "turn_seconds")


def test_clocks_stand_beside_no_other_limit(clocked: Clocked) -> None:
    """And a table without clocks has none to show."""
    both = {**Clocked.fields(POLICY), "turn_seconds": 60}
    assert clocked.refused("Cem", "CreateTable", **both) == "CLOCK_MALFORMED"
    plain = clocked.call("Cem", "CreateTable", title="1824", player_count=2).table
    answer = clocked.stub.GetTable(wire.GetTableRequest(table_id=plain.table_id))
    assert (plain.clock, answer.HasField("clocks")) == ("", False)
    assert clocked.refused("Cem", "EndVacation", table_id=plain.table_id) == "NO_CLOCK"


def test_everybody_sees_the_time_of_each_seat(clocked: Clocked, clock: ManualClock) -> None:
    """What is left now, since when a seat is asked, and when its turn is overdue; also in the list of games."""
    clocked.ask(clocked.ann, 5, clock)
    begun_ms = clock.now_ms()
    clock.advance(HOUR * SECOND)
    ann, bob = clocked.times()[clocked.ann], clocked.times()[clocked.bob]
    assert (ann.bank_ms, ann.turn_left_ms, ann.used_ms) == (
        9 * HOUR * SECOND,
        9 * HOUR * SECOND,
        HOUR * SECOND,
    )
    assert (ann.asked_since_time_ms, ann.deadline_time_ms) == (begun_ms, begun_ms + BANK * SECOND)
    assert (bob.bank_ms, bob.asked_since_time_ms, bob.deadline_time_ms) == (BANK * SECOND, 0, 0)
    (game,) = clocked.stub.ListGames(wire.ListGamesRequest(), metadata=clocked.tokens["Bob"]).games
    assert game.has_clock
    assert {each.player_id: each.deadline_time_ms for each in game.clocks} == {
        clocked.ann: ann.deadline_time_ms,
        clocked.bob: 0,
    }
    clock.advance(BANK * SECOND)
    late = clocked.times()[clocked.ann]
    assert (late.bank_ms, late.turn_left_ms, late.overdue_ms) == (0, 0, HOUR * SECOND)


def test_hours_count_from_tomorrow(clocked: Clocked, clock: ManualClock) -> None:
    """Today the whole evening counts, from tomorrow four hours a day."""
    clocked.ask(clocked.ann, 5, clock)
    chosen = clocked.call(
        "Ann", "ChooseHours", table_id=clocked.table_id, zone="Europe/Berlin", windows=EVENINGS
    )
    assert chosen.HasField("clocks"), chosen
    # From 23:13:20 in Berlin 46:40 minutes are left of the day; then four hours on each of two evenings, and the rest.
    rest_minutes = 10 * 60 - 2 * 4 * 60 - (46 + 40 / 60)
    midnight_ms = clock.now_ms() + (46 * 60 + 40) * SECOND
    deadline = midnight_ms + (2 * 24 + 19) * HOUR * SECOND + int(rest_minutes * 60) * SECOND
    assert clocked.times()[clocked.ann].deadline_time_ms == deadline
    clock.advance(2 * HOUR * SECOND)
    ann = clocked.times()[clocked.ann]
    assert (ann.zone, len(ann.windows)) == ("Europe/Berlin", 7)
    assert ann.used_ms == (46 * 60 + 40) * SECOND


@pytest.mark.parametrize(
    ("zone", "windows", "reason"),
    [
        ("Mars/Olympus", EVENINGS, "ZONE_UNKNOWN"),
        ("UTC", EVENINGS[:2], "HOURS_TOO_FEW"),
        ("UTC", EVENINGS * 5, "HOURS_MALFORMED"),
        ("UTC", [table_clock_pb2.WeekWindow(weekday=1, start_minute=9, end_minute=9)], "HOURS_MALFORMED"),
    ],
)
def test_hours_that_do_not_do_are_refused(
    clocked: Clocked, zone: str, windows: list[table_clock_pb2.WeekWindow], reason: str
) -> None:
    """And strangers have none."""
    fields = {"table_id": clocked.table_id, "zone": zone, "windows": windows}
    assert clocked.refused("Ann", "ChooseHours", **fields) == reason
    assert clocked.refused("Cem", "ChooseHours", **fields) == "NOT_SEATED"


def test_a_vacation_stops_the_clock(clocked: Clocked, clock: ManualClock) -> None:
    """A repeated request takes it once; ended on its first day, it has that day."""
    clocked.ask(clocked.ann, 5, clock)
    days = {"table_id": clocked.table_id, "first_date": "2023-11-15", "last_date": "2023-11-20"}
    for _ in range(2):
        taken = clocked.call("Ann", "TakeVacation", request_id="v1", **days)
    (vacation,) = taken.clocks.seats[0].vacations or taken.clocks.seats[1].vacations
    assert (vacation.first_date, vacation.last_date, vacation.zone) == ("2023-11-15", "2023-11-20", "UTC")
    assert clocked.refused("Ann", "TakeVacation", request_id="v1", **{**days, "last_date": "2023-11-21"}) == (
        "REQUEST_ID_REUSED"
    )
    assert clocked.refused("Ann", "TakeVacation", **days) == "VACATION_MALFORMED"
    before = clocked.times()[clocked.ann].deadline_time_ms
    clock.advance(24 * HOUR * SECOND)
    ended = clocked.call("Ann", "EndVacation", table_id=clocked.table_id)
    assert ended.HasField("clocks")
    assert clocked.times()[clocked.ann].deadline_time_ms == before - 5 * 24 * HOUR * SECOND
    assert clocked.refused("Ann", "EndVacation", table_id=clocked.table_id) == "NO_VACATION"


@pytest.mark.parametrize(
    ("first", "last", "reason"),
    [
        (TODAY, "2023-11-16", "VACATION_MALFORMED"),
        ("2023-11-20", "2023-11-19", "VACATION_MALFORMED"),
        ("2023-11-20", "9999-12-31", "VACATION_MALFORMED"),
        ("2023-11-15", "2023-11-29", "VACATION_TOO_LONG"),
    ],
)
def test_a_vacation_beyond_the_policy_is_refused(
    clocked: Clocked, first: str, last: str, reason: str
) -> None:
    """From tomorrow on, and 14 days in a year."""
    days = {"table_id": clocked.table_id, "first_date": first, "last_date": last}
    assert clocked.refused("Ann", "TakeVacation", **days) == reason


def test_hours_and_vacation_of_all_tables_that_begin_later(
    lobby: Lobby, stub: LobbyServiceStub, signed_in: Callable[[str], Metadata], clock: ManualClock
) -> None:
    """Chosen once, before a table begins; what its policy does not allow is left out, and what is chosen there stays there."""
    first = Clocked(lobby, stub, signed_in)
    days = {"table_id": "", "first_date": "2023-12-20", "last_date": "2023-12-30"}
    chosen = first.call("Ann", "ChooseHours", table_id="", zone="Europe/Berlin", windows=EVENINGS)
    (own,) = chosen.clocks.seats
    assert (own.seat, own.zone, len(own.windows)) == (first.ann, "Europe/Berlin", 7)
    taken = first.call("Ann", "TakeVacation", **days)
    assert [each.first_date for each in taken.clocks.seats[0].vacations] == ["2023-12-20"]
    assert first.refused("Bob", "ChooseHours", table_id="", zone="UTC", windows=EVENINGS * 5) == (
        "HOURS_MALFORMED"
    )
    assert first.refused("Bob", "ChooseHours", table_id="", zone="Mars/Olympus", windows=EVENINGS) == (
        "ZONE_UNKNOWN"
    )
    first.ask(first.ann, 5, clock)
    ann, bob = first.times()[first.ann], first.times()[first.bob]
    assert (ann.zone, len(ann.windows), bob.zone, len(bob.windows)) == ("Europe/Berlin", 7, "UTC", 0)
    assert [each.last_date for each in ann.vacations] == ["2023-12-30"]
    # 22:13:20 UTC is 23:13:20 in Berlin: the evening of today is over, and ten hours are two and a half evenings.
    deadline = datetime.fromtimestamp(ann.deadline_time_ms / SECOND, UTC)
    assert deadline == datetime(2023, 11, 17, 20, tzinfo=UTC)
    kept = first.stub.GetOwnHours(wire.GetOwnHoursRequest(), metadata=first.tokens["Ann"]).own_hours
    assert (kept.zone, list(kept.windows), list(kept.vacations)) == (own.zone, EVENINGS, list(ann.vacations))
    nothing = first.stub.GetOwnHours(wire.GetOwnHoursRequest(), metadata=first.tokens["Bob"]).own_hours
    assert nothing == table_clock_pb2.OwnHours(zone="UTC")
    first.call("Ann", "EndVacation", table_id=first.table_id)
    assert not first.times()[first.ann].vacations
    ended = first.call("Ann", "EndVacation", table_id="")
    assert ended.HasField("clocks")
    assert not ended.clocks.seats[0].vacations
    assert first.refused("Ann", "EndVacation", table_id="") == "NO_VACATION"


@pytest.mark.parametrize(
    ("policy", "windows", "vacations"),
    [
        ({"bank": BANK, "vacation_days_per_year": 14}, 0, 1),
        ({"bank": BANK, "min_hours_per_week": 10}, 7, 0),
        ({"bank": BANK, "min_hours_per_week": 40, "vacation_days_per_year": 10}, 0, 0),
    ],
)
def test_a_table_takes_over_what_its_policy_allows(
    policy: dict[str, Any], windows: int, vacations: int, clocked: Clocked, clock: ManualClock
) -> None:
    """Fourteen days of vacation at most, or none; hours only where players choose them, and enough of them."""
    clocked.call("Ann", "ChooseHours", table_id="", zone="UTC", windows=EVENINGS)
    clocked.call("Ann", "TakeVacation", table_id="", first_date="2023-12-20", last_date="2023-12-30")
    opened = clocked.call("Ann", "CreateTable", **Clocked.fields(policy), owner_directs=True).table
    clocked.call("Bob", "JoinTable", table_id=opened.table_id)
    clocked.table = clocked.call("Ann", "StartTable", table_id=opened.table_id).table
    clocked.table_id = opened.table_id
    clocked.ask(clocked.ann, 5, clock)
    ann = clocked.times()[clocked.ann]
    assert (len(ann.windows), len(ann.vacations)) == (windows, vacations)


def test_a_malformed_day_is_named(clocked: Clocked) -> None:
    """It is no request."""
    with pytest.raises(grpc.RpcError, match="last_date"):
        clocked.call(
            "Ann", "TakeVacation", table_id=clocked.table_id, first_date="2023-11-20", last_date="Friday"
        )


def test_a_director_grants_time(clocked: Clocked, clock: ManualClock) -> None:
    """With a reason, to a seat of a game that has begun; nobody else does."""
    grant = {"table_id": clocked.table_id, "seat": clocked.bob, "seconds": 60, "reason": "a storm"}
    assert clocked.refused("Ann", "GrantTime", **grant) == "GAME_NOT_BEGUN"
    clocked.ask(clocked.bob, 5, clock)
    before = clocked.times()[clocked.bob].deadline_time_ms
    assert clocked.call("Ann", "GrantTime", **grant).HasField("clocks")
    assert clocked.times()[clocked.bob].deadline_time_ms == before + 60 * SECOND
    assert clocked.refused("Bob", "GrantTime", **grant) == "NOT_DIRECTOR"
    assert clocked.refused("Ann", "GrantTime", **{**grant, "seconds": 0}) == "GRANT_OUT_OF_RANGE"
    assert clocked.refused("Ann", "GrantTime", **{**grant, "reason": " "}) == "REASON_MISSING"
    assert clocked.refused("Ann", "GrantTime", **{**grant, "seat": "nobody"}) == "NOT_SEATED"


@pytest.fixture
def address(lobby: Lobby) -> Iterator[str]:
    """Where the lobby answers commands."""
    services = [lobby.hosted, *lobby.also_hosted]
    server, port = create_server(services, Settings(), Telemetry(), guard=Guard(lobby.verifier))
    server.start()
    yield f"127.0.0.1:{port}"
    server.stop(0)


def test_the_commands_do_what_the_rpcs_do(
    clocked: Clocked, clock: ManualClock, address: str, tmp_path: Path
) -> None:
    """Open with a policy, show, hours, vacation, grant; a mistake is named."""
    token, policy = tmp_path / "token", tmp_path / "clock.json"
    token.write_text(clocked.tokens["Ann"][0][1].removeprefix("Bearer "))
    policy.write_text(json.dumps(POLICY))
    clocked.ask(clocked.ann, 5, clock)

    def run(*arguments: str) -> Result:
        where = ("--token-file", str(token), "--lobby", address)
        return CliRunner().invoke(app, ["table", *arguments, *where])

    assert run("open", "1824", "2", "--clock", str(policy)).exit_code == 0
    shown = run("clock", clocked.table_id)
    assert (
        f"{clocked.ann}  bank 10:00:00  used 0:00:00  to move until 2023-11-15 08:13:20 UTC" in shown.output
    )
    days = [f"{day}=19:00-23:00" for day in ("mon", "tue", "wed", "thu")]
    assert run("hours", clocked.table_id, "Europe/Berlin", *days).exit_code == 0
    assert "is no time of the week" in run("hours", clocked.table_id, "UTC", "monday").output
    assert (
        "vacation 2023-12-24 to 2023-12-25"
        in run("vacation", clocked.table_id, "2023-12-24", "2023-12-25").output
    )
    assert "vacation 2" not in run("end-vacation", clocked.table_id).output
    assert "vacation 2023-12-26" in run("vacation", "all", "2023-12-26", "2023-12-27").output
    assert "UTC  vacation 2023-12-26 to 2023-12-27\n" in run("own-hours").output
    granted = run("grant", clocked.table_id, clocked.bob, "60", "--reason", "a storm")
    assert f"{clocked.bob}  bank 10:01:00" in granted.output
