"""`signalbox archive`: finished games in an object store: what is there, one of them as a file, and their deletion."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from getpass import getuser
from pathlib import Path
from typing import Annotated, TypeAlias

import typer
from prometheus_client import CollectorRegistry

from services.cli.export_game import signature_of, write_export
from services.cli.lobby_log import opened_lobby_log
from services.cli.log_location import KafkaLocation, parse_location
from services.common.archive.names import STREAM_PREFIX, ObjectName, content_name
from services.common.archive.store import ArchiveStore
from services.common.errors import CallError, SignalboxError
from services.common.eventlog.claim import FileClaim
from services.common.eventlog.port import EventLog
from services.common.eventlog.sqlite import open_sqlite
from services.common.objectstore.location import open_store
from services.common.objectstore.port import StoreRefused
from services.common.settings.service import load_settings
from services.common.shown import counted
from services.common.staff.acts import DELETE_ARCHIVED
from services.common.telemetry.logs import configure_logging
from services.lobby.directory import TableDirectory
from services.lobby.kept_games import is_needed
from services.lobby.presets.loading import RATING_POLICY
from services.lobby.tournament_directory import TournamentDirectory
from services.rules.adapters.codec import UnreadableEventError
from services.rules.archive.opening import RulesArchive
from services.rules.archive.policy import ArchivePolicy, NotInArchive, Policy

FOUND = 1
FAILED = 2

Store: TypeAlias = Annotated[
    str,
    typer.Option(
        metavar="LOCATION", help="folder:PATH, s3:BUCKET or s3:BUCKET/PREFIX; SIGNALBOX_ARCHIVE if not given."
    ),
]
Database: TypeAlias = Annotated[
    Path | None, typer.Option(help="File of the event log; SIGNALBOX_DATABASE if not given.")
]
Game: TypeAlias = Annotated[str, typer.Argument(help="Id of the game.")]
Log: TypeAlias = Annotated[
    str,
    typer.Option(
        metavar="LOCATION",
        help="The platform's log, which knows what is under appeal: sqlite:FILE, kafka: or kafka:HOST:PORT/PREFIX; the file "
        "of the settings by default.",
    ),
]


def register(app: typer.Typer) -> None:
    """Add the commands `archive ...` to `app`."""
    archive = typer.Typer(
        no_args_is_help=True,
        help="Finished games in an object store. Settings: SIGNALBOX_ARCHIVE*; of a bucket as for `backup`.",
    )
    app.add_typer(archive, name="archive")
    _register_reading(archive)
    _register_changing(archive)


def _register_reading(archive: typer.Typer) -> None:
    @archive.command("list")
    def list_command(
        store: Store = "",
        deleted: Annotated[
            bool, typer.Option("--deleted", help="Those that were deleted, by whom and why.")
        ] = False,
    ) -> None:
        """Print the games in the archive with the number of their events. Exit 2: the archive does not answer."""
        with _reported("list"):
            opened = _opened(store)
            if deleted:
                for each in opened.deleted():
                    said = opened.deletion(each.name)
                    typer.echo(
                        f"{each.game_id}  {said.title}  {_moment(said.time_ms)}  {said.operator}: {said.reason}"
                    )
            else:
                for game in ArchivePolicy(opened).games().values():
                    typer.echo(f"{game.game_id}  {game.sequence} events")

    @archive.command("show")
    def show_command(game: Game, store: Store = "") -> None:
        """Print what the archive has of a game. Exit 1: nothing; 2: the archive does not answer, or the object is damaged."""
        with _reported("show"):
            policy = ArchivePolicy(_opened(store))
            found = policy.game(game)
            heading = policy.heading(found)
            typer.echo(f"title     {heading.title}")
            typer.echo(f"seats     {', '.join(heading.seats)}")
            typer.echo(f"events    {heading.records}, of {heading.requests} requests")
            typer.echo(f"end       {_moment(heading.ended_ms)}")
            typer.echo(f"seen by   {'some' if heading.restricted else 'everybody'}")
            typer.echo(f"object    {content_name(game, found.sequence)}")
            typer.echo(f"digest    {heading.digest}")

    @archive.command("export")
    def export_command(
        game: Game,
        store: Store = "",
        output: Annotated[
            Path | None, typer.Option("--output", "-o", help="File; standard output if none.")
        ] = None,
    ) -> None:
        """Write the events of a game as `signalbox export` does. Exit 1: no such game; 2: it cannot be read."""
        with _reported("export"):
            opened = _opened(store)
            found = ArchivePolicy(opened).game(game)
            stream = ObjectName("", game, found.sequence).stream
            records = opened.get(content_name(game, found.sequence), stream, found.sequence).records
            settings = load_settings(os.environ)
            write_export(game, records, lambda content: signature_of(settings, content), output)

    @archive.command("check")
    def check_command(store: Store = "") -> None:
        """Read every game in the archive and check its digest. Exit 0: all are right; 1: findings; 2: the archive does not
        answer."""
        with _reported("check"):
            findings = 0
            for finding in ArchivePolicy(_opened(store)).findings():
                findings += 1
                typer.echo(finding, err=True)
        typer.echo(f"{findings} findings" if findings else "nothing found")
        raise typer.Exit(FOUND if findings else 0)


def _register_changing(archive: typer.Typer) -> None:
    @archive.command("run")
    def run_command(
        database: Database = None,
    ) -> None:
        """Archive the games of a file that are due, once; no host may use the file. In a cluster, owners archive their games by
        themselves. Exit 2: it could not be done; what was archived stays so."""
        with _reported("run"), _archive_of(database) as (archive, log):
            archive.keep_games_with(lambda _: True, _needed_in(log))
            done = archive.archiver.run_once()
        typer.echo(f"{counted(done, 'game')} archived")

    @archive.command("back")
    def back_command(database: Database = None) -> None:
        """Put all games from the archive into a file again, as `migrate` needs it; no host may use the file. A host with an
        archive puts them there again. Exit 2: it could not be done, or not to the end, and may be repeated."""
        with _reported("back"), _archive_of(database) as (archive, _):
            away = archive.log.archived.away()
            for stream in away:
                archive.want(stream.removeprefix(STREAM_PREFIX))
            archive.archiver.bring_back()
        typer.echo(f"{counted(len(away), 'game')} brought back")

    @archive.command("delete")
    def delete_command(
        games: Annotated[
            list[str] | None, typer.Argument(help="Ids of games; without, all that the options choose.")
        ] = None,
        older_than: Annotated[
            int, typer.Option(metavar="DAYS", min=0, help="Days since the last event of the game.")
        ] = 0,
        title: Annotated[str, typer.Option(help="Only games of this title.")] = "",
        reason: Annotated[
            str, typer.Option(help="Why; kept in the archive and, on Kafka, in the log of staff acts.")
        ] = "",
        operator: Annotated[
            str, typer.Option(help="Who deletes them; the user of this machine by default.")
        ] = "",
        yes: Annotated[bool, typer.Option("--yes", help="Delete them; without, only print which.")] = False,
        store: Store = "",
        log: Log = "",
    ) -> None:
        """Delete games from the archive for good. Without --yes it only prints which. Games of tournaments that go on, under
        appeal, or that a director took up again are left.

        Kafka and backups still have the events, as long as they keep them. Exit 1: one of the ids is not there; 2: it could not
        be done, or not to the end, and may be repeated."""
        with _reported("delete"):
            wanted = Policy(tuple(games or ()), title, older_than)
            if not (wanted.game_ids or wanted.title or wanted.older_than_days):
                raise StoreRefused("say which games: their ids, --title or --older-than")
            if yes and not reason:
                raise StoreRefused("say why, with --reason")
            done = _delete(wanted, operator or getuser(), reason, yes, store, log)
        outcome = "deleted" if yes else "would be deleted; with --yes that is done"
        typer.echo(f"{counted(done, 'game')} {outcome}")


@contextmanager
def _reported(command: str) -> Iterator[None]:
    try:
        yield
    except NotInArchive as missing:
        typer.echo(f"signalbox archive {command}: {missing}", err=True)
        raise typer.Exit(FOUND) from missing
    except (SignalboxError, CallError, UnreadableEventError, OSError) as problem:
        typer.echo(f"signalbox archive {command}: {problem}", err=True)
        raise typer.Exit(FAILED) from problem


def _opened(location: str) -> ArchiveStore:
    chosen = location or load_settings(os.environ).archive
    if not chosen:
        raise StoreRefused("no archive is set: SIGNALBOX_ARCHIVE or --store")
    return ArchiveStore(open_store(chosen))


def _needed_in(log: EventLog) -> Callable[[str], bool]:
    tables, tournaments = TableDirectory(log), TournamentDirectory(log, RATING_POLICY)
    return lambda game_id: is_needed(tables, tournaments, game_id)


@contextmanager
def _archive_of(database: Path | None) -> Iterator[tuple[RulesArchive, EventLog]]:
    """The archive of a file that nobody else uses, and its log."""
    settings = load_settings(os.environ)
    configure_logging("warning")
    path = database or settings.database
    if not settings.archive:
        raise StoreRefused("no archive is set: SIGNALBOX_ARCHIVE")
    if not path.is_file():
        raise NotInArchive(f"{path}: there is no such file")
    with ExitStack() as opened:
        opened.callback(FileClaim(path).close)
        log, _ = open_sqlite(path)
        opened.callback(log.close)
        archive = RulesArchive(settings, log, CollectorRegistry())
        opened.callback(archive.close)
        yield archive, log


def _delete(wanted: Policy, operator: str, reason: str, is_meant: bool, store: str, log: str) -> int:
    # Kafka's client takes long to import, and few commands need it.
    from services.cli.kafka_acts import record

    done = 0
    location = parse_location(log or f"sqlite:{load_settings(os.environ).database}", os.environ)
    with opened_lobby_log(log) as lobby:
        policy = ArchivePolicy(_opened(store), _needed_in(lobby))
        if is_meant:
            policy.finish()
        for game, heading in policy.chosen(wanted):
            typer.echo(
                f"{game.game_id}  {heading.title}  {heading.records} events  {_moment(heading.ended_ms)}"
            )
            if is_meant:
                if isinstance(location, KafkaLocation):
                    record(location.settings, DELETE_ARCHIVED, operator, reason, game.game_id, heading.title)
                done += policy.delete(game, heading, operator, reason)
            else:
                done += 1
    return done


def _moment(time_ms: int) -> str:
    return datetime.fromtimestamp(time_ms / 1000, UTC).isoformat(timespec="seconds")
