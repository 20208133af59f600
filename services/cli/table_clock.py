"""`signalbox table`: the clocks of a table, playing hours and vacation of one's own seat, and time that a director grants."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated

import typer

from services.cli.table import DEFAULT_LOBBY, RETRIES, LobbyAddress, Reason, Seat, Table, TokenFile, failing
from services.cli.token_file import read_token
from services.client.lobby import Lobby
from services.common.errors import SignalboxError
from services.gen.signalbox.lobby.v1 import clock_event_pb2, table_clock_pb2

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
WINDOW = re.compile(r"([a-z]{3})=([0-9]{1,2}):([0-9]{2})-([0-9]{1,2}):([0-9]{2})")
HOUR_MINUTES = 60
DAY_MINUTES = 24 * HOUR_MINUTES
PlayerTokenFile = Annotated[
    Path, typer.Option("--token-file", help="File with the token of a player.", dir_okay=False)
]
Day = Annotated[str, typer.Argument(help="A day, as 2026-12-24, in the zone of the seat's hours.")]


TableOrAll = Annotated[
    str, typer.Argument(metavar="TABLE", help="Id of the table; `all`: of all your tables that begin later.")
]
ALL = "all"


class MalformedWindow(SignalboxError):
    """An argument is no time of a week; the message names it."""


@contextmanager
def _lobby(token_file: Path, address: str) -> Iterator[Lobby]:
    """Prints errors to standard error and ends the command."""
    with failing():
        lobby = Lobby(address, read_token(token_file), RETRIES)
        try:
            yield lobby
        finally:
            lobby.close()


def register(app: typer.Typer) -> None:
    """Add the commands about clocks to `app`."""
    _register_reading(app)
    _register_seats(app)


def _register_reading(app: typer.Typer) -> None:
    @app.command("clock")
    def clock_command(table: Table, token_file: PlayerTokenFile, lobby: LobbyAddress = DEFAULT_LOBBY) -> None:
        """Show how much time each seat has, when its turn is overdue, and when its player plays."""
        with _lobby(token_file, lobby) as caller:
            found = caller.clocks(table)
            if not found.HasField("clocks"):
                typer.echo("This table plays without clocks.")
                return
            typer.echo(found.table.clock)
            _print(found.clocks)

    @app.command("grant")
    def grant_command(
        table: Table,
        seat: Seat,
        seconds: Annotated[int, typer.Argument(help="Playing time that the bank of the seat gets.")],
        reason: Reason,
        token_file: TokenFile,
        lobby: LobbyAddress = DEFAULT_LOBBY,
    ) -> None:
        """Give a seat more time."""
        with _lobby(token_file, lobby) as caller:
            _print(caller.grant_time(table, seat, seconds, reason))


def _register_seats(app: typer.Typer) -> None:
    @app.command("hours")
    def hours_command(
        table: TableOrAll,
        zone: Annotated[str, typer.Argument(help="IANA zone, such as Europe/Berlin.")],
        windows: Annotated[list[str], typer.Argument(help="Times of the week, such as mon=19:00-23:30.")],
        token_file: PlayerTokenFile,
        lobby: LobbyAddress = DEFAULT_LOBBY,
    ) -> None:
        """Choose your playing hours, from tomorrow on."""
        with _lobby(token_file, lobby) as caller:
            _print(caller.choose_hours(_named(table), zone, [window_of(each) for each in windows]))

    @app.command("own-hours")
    def own_hours_command(token_file: PlayerTokenFile, lobby: LobbyAddress = DEFAULT_LOBBY) -> None:
        """Show the playing hours and vacations that you have chosen for all your tables that begin later."""
        with _lobby(token_file, lobby) as caller:
            typer.echo(_plan(caller.own_hours()).strip())

    @app.command("vacation")
    def vacation_command(
        table: TableOrAll,
        first: Day,
        last: Day,
        token_file: PlayerTokenFile,
        lobby: LobbyAddress = DEFAULT_LOBBY,
    ) -> None:
        """Take a vacation, both days included."""
        with _lobby(token_file, lobby) as caller:
            _print(caller.take_vacation(_named(table), first, last))

    @app.command("end-vacation")
    def end_vacation_command(
        table: TableOrAll, token_file: PlayerTokenFile, lobby: LobbyAddress = DEFAULT_LOBBY
    ) -> None:
        """End your vacation with this day, or take back the next one."""
        with _lobby(token_file, lobby) as caller:
            _print(caller.end_vacation(_named(table)))


def _named(table: str) -> str:
    """The table as requests name it."""
    return "" if table == ALL else table


def window_of(text: str) -> table_clock_pb2.WeekWindow:
    """A window such as mon=19:00-23:30; one that ends earlier in the day than it begins ends on the next day.

    Raises `MalformedWindow`."""
    found = WINDOW.fullmatch(text.lower())
    if found is None or found[1] not in DAYS:
        raise MalformedWindow(f"{text!r} is no time of the week such as mon=19:00-23:30")
    start, end = (int(found[at]) * HOUR_MINUTES + int(found[at + 1]) for at in (2, 4))
    return table_clock_pb2.WeekWindow(
        weekday=DAYS.index(found[1]), start_minute=start, end_minute=end if end > start else end + DAY_MINUTES
    )


def _print(clocks: table_clock_pb2.TableClocks) -> None:
    if clocks.is_paused:
        typer.echo("suspended")
    for each in clocks.seats:
        times = f"bank {_span(each.bank_ms)}  used {_span(each.used_ms)}"
        typer.echo(f"{each.seat}  {times}{_turn(each)}{_plan(each)}")
        for step in each.steps:
            action = clock_event_pb2.ExpiryAction.Name(step.action).removeprefix("EXPIRY_ACTION_").lower()
            outcome = clock_event_pb2.ExpiryOutcome.Name(step.outcome).removeprefix("EXPIRY_OUTCOME_").lower()
            typer.echo(f"  {action}: {outcome}")


def _turn(time: table_clock_pb2.SeatTime) -> str:
    if not time.asked_since_time_ms:
        return ""
    if not time.deadline_time_ms:
        return f"  to move, {_span(time.turn_left_ms)} left"
    deadline = datetime.fromtimestamp(time.deadline_time_ms / 1000, UTC)
    return f"  to move until {deadline:%Y-%m-%d %H:%M:%S} UTC, {_span(time.turn_left_ms)} left"


def _plan(time: table_clock_pb2.SeatTime | table_clock_pb2.OwnHours) -> str:
    hours = "" if not time.windows else f"  plays {', '.join(map(_window, time.windows))}"
    vacations = "".join(f"  vacation {each.first_date} to {each.last_date}" for each in time.vacations)
    return f"  {time.zone}{hours}{vacations}"


def _window(window: table_clock_pb2.WeekWindow) -> str:
    return f"{DAYS[window.weekday]}={_minute(window.start_minute)}-{_minute(window.end_minute % DAY_MINUTES)}"


def _minute(minute: int) -> str:
    return f"{minute // HOUR_MINUTES:02}:{minute % HOUR_MINUTES:02}"


def _span(milliseconds: int) -> str:
    return str(timedelta(seconds=milliseconds // 1000))
