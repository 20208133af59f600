"""`signalbox commands`: shows the commands that wait for their owners, and has an owner pass over one."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

from services.common.clock import SystemClock
from services.common.errors import SignalboxError
from services.common.kafka.settings import load_kafka_settings

if TYPE_CHECKING:
    from services.rules.cluster.attempts import Attempt
    from services.rules.cluster.waiting import WaitingCommand, WaitingCommands

SOME_WAIT = 1
FAILED = 2
LOOK_EVERY_SECONDS = 0.2


def register(app: typer.Typer) -> None:
    """Add the commands `commands list` and `commands skip` to `app`."""
    commands = typer.Typer(
        no_args_is_help=True,
        help="Commands that wait for the owners of their games. Settings: SIGNALBOX_KAFKA_*.",
    )
    app.add_typer(commands, name="commands")

    @commands.command("list")
    def list_command() -> None:
        """Show the next command of every partition where one waits, and how often owners have failed over it.

        Exit 0: none waits; 1: some wait; 2: Kafka cannot be used."""
        with _waiting("list") as waiting:
            found = list(waiting.first())
        _show(found)
        if found:
            raise typer.Exit(SOME_WAIT)

    @commands.command("skip")
    def skip_command(
        partition: Annotated[int, typer.Argument(help="As `signalbox commands list` shows it.")],
        offset: Annotated[int, typer.Argument(help="As `signalbox commands list` shows it.")],
        reason: Annotated[
            str, typer.Option(help="Why; the player who sent the command gets it as an error.")
        ],
        operator: Annotated[str, typer.Option(help="Who skips it.")],
        seconds: Annotated[float, typer.Option(min=0, help="How long to wait for the owner.")] = 60.0,
    ) -> None:
        """Have the owner pass over a command, which then changes nothing. Its game goes on.

        Who, when and why is kept in the topic rules.skips, with the command. An owner that hangs in the command
        passes over it when it is restarted.

        Exit 0: the owner has passed over it; 1: it is recorded, and the owner has not come by yet; 2: there is no such
        command, or Kafka cannot be used."""
        with _waiting("skip") as waiting:
            is_passed = _skip(waiting, partition, offset, reason, operator, seconds)
        if not is_passed:
            typer.echo(
                f"partition {partition}, offset {offset}: recorded; its owner has not come by yet", err=True
            )
            raise typer.Exit(SOME_WAIT)
        typer.echo(f"partition {partition}, offset {offset}: skipped")


@contextmanager
def _waiting(command: str) -> Iterator[WaitingCommands]:
    """The waiting commands; prints errors to standard error and ends the command."""
    from services.rules.cluster.waiting import WaitingCommands

    try:
        waiting = WaitingCommands(load_kafka_settings(os.environ))
        try:
            yield waiting
        finally:
            waiting.close()
    except SignalboxError as problem:
        typer.echo(f"signalbox commands {command}: {problem}", err=True)
        raise typer.Exit(FAILED) from problem


def _show(found: list[WaitingCommand]) -> None:
    if not found:
        typer.echo("no command waits")
        return
    table = Table()
    for column in ("partition", "offset", "waiting", "game", "player", "command", "sent", "failures"):
        table.add_column(column, overflow="fold")
    for each in found:
        sent = each.sent
        game, player, when = (
            ("", "", "") if sent is None else (sent.game_id, sent.player, _time(each.sent_time_ms))
        )
        place = str(each.partition), str(each.offset), str(each.waiting)
        table.add_row(*place, game, player, each.kind, when, _failures(each.attempt))
    console = Console(highlight=False, markup=False)
    console.width = max(console.width, 110)
    console.print(table)


def _failures(attempt: Attempt | None) -> str:
    if attempt is None:
        return ""
    if attempt.hung:
        return f"came to no end at {attempt.owner}"
    return f"begun {attempt.alone} times alone" if attempt.alone else "begun together with others"


def _time(milliseconds: int) -> str:
    return datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat(sep=" ", timespec="seconds")


def _skip(
    waiting: WaitingCommands, partition: int, offset: int, reason: str, operator: str, seconds: float
) -> bool:
    """Record the skip; whether the owner has passed over the command in time."""
    from services.rules.cluster.skips import record_skip

    command = waiting.at(partition, offset)
    record_skip(load_kafka_settings(os.environ), command.skip(operator, reason, SystemClock().now_ms()))
    end = time.monotonic() + seconds
    while waiting.next_offset(partition) <= offset and time.monotonic() < end:
        time.sleep(LOOK_EVERY_SECONDS)
    return waiting.next_offset(partition) > offset
