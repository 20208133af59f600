"""`signalbox commands`: shows the commands that wait for their owners, and has an owner pass over one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

from services.common.errors import SignalboxError
from services.common.kafka.settings import load_kafka_settings
from services.common.staff.acts import SKIP_COMMAND

if TYPE_CHECKING:
    from services.host.cluster.queues import KafkaQueues
    from services.lobby.queues import WaitingCommand

SOME_WAIT = 1
FAILED = 2


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
        with _errors_printed("list"):
            found = _queues().waiting()
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
        with _errors_printed("skip"):
            is_passed = _skip(partition, offset, reason, operator, seconds)
        if not is_passed:
            typer.echo(
                f"partition {partition}, offset {offset}: recorded; its owner has not come by yet", err=True
            )
            raise typer.Exit(SOME_WAIT)
        typer.echo(f"partition {partition}, offset {offset}: skipped")


@contextmanager
def _errors_printed(command: str) -> Iterator[None]:
    """Prints errors to standard error and ends the command."""
    try:
        yield
    except SignalboxError as problem:
        typer.echo(f"signalbox commands {command}: {problem}", err=True)
        raise typer.Exit(FAILED) from problem


def _queues() -> KafkaQueues:
    from services.host.cluster.queues import KafkaQueues

    return KafkaQueues(load_kafka_settings(os.environ))


def _show(found: list[WaitingCommand]) -> None:
    if not found:
        typer.echo("no command waits")
        return
    table = Table()
    for column in ("partition", "offset", "waiting", "game", "player", "command", "sent", "failures"):
        table.add_column(column, overflow="fold")
    for each in found:
        place = str(each.partition), str(each.offset), str(each.waiting_count)
        when = _time(each.sent_time_ms)
        table.add_row(*place, each.game_id, each.player_id, each.kind, when, _failures(each))
    console = Console(highlight=False, markup=False)
    console.width = max(console.width, 110)
    console.print(table)


def _failures(command: WaitingCommand) -> str:
    if not command.owner:
        return ""
    if command.has_hung:
        return f"came to no end at {command.owner}"
    alone = command.attempts_alone
    return f"begun {alone} times alone" if alone else "begun together with others"


def _time(milliseconds: int) -> str:
    return datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat(sep=" ", timespec="seconds")


def _skip(partition: int, offset: int, reason: str, operator: str, seconds: float) -> bool:
    """Record the skip; whether the owner has passed over the command in time."""
    from services.cli.kafka_acts import record

    def note(game: str) -> None:
        kafka = load_kafka_settings(os.environ)
        record(kafka, SKIP_COMMAND, operator, reason, game, f"partition {partition}, offset {offset}")

    return _queues().skip(partition, offset, operator, reason, note, seconds)
