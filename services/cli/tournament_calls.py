"""What the commands of `signalbox tournament` share: the server, the token, names of players, and how answers are printed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from services.client.calls import NotAnsweredError, Rejected
from services.client.tournaments import TournamentDesk, Tournaments
from services.gen.signalbox.lobby.v1 import tournament_pb2 as pb, tournament_round_pb2 as round_pb
from services.lobby.domain.tournaments.scoring.explaining import amount
from services.lobby.domain.tournaments.scoring.results import UNIT

REFUSED = 2

Server = Annotated[str, typer.Option("--server", help="Where the lobby answers, host:port.")]
TokenFile = Annotated[Path, typer.Option("--token-file", help="File with a token, as sign-in writes it.")]
Event = Annotated[str, typer.Argument(metavar="TOURNAMENT", help="Id of the tournament.")]
RoundId = Annotated[str, typer.Argument(metavar="ROUND", help="Id of the round, as propose prints it.")]
TableNumber = Annotated[int, typer.Argument(metavar="TABLE", help="Number of the table.")]
PlayerName = Annotated[str, typer.Argument(metavar="PLAYER", help="Name or id of a player.")]
Why = Annotated[str, typer.Option("--reason", help="Recorded and shown to everybody.")]

AT_HOME = "127.0.0.1:8401"
TOKEN_FILE = Path("signalbox-token")


@contextmanager
def explained() -> Iterator[None]:
    """Ends the command with a line and exit 2 where a request is rejected or not answered, or a file cannot be used."""
    try:
        yield
    except (Rejected, NotAnsweredError, OSError, ValueError) as problem:
        typer.echo(str(problem), err=True)
        raise typer.Exit(REFUSED) from problem


def token_in(file: Path) -> str:
    """The token in a file. Raises OSError."""
    return file.read_text(encoding="ascii").strip()


@contextmanager
def desk_at(server: str, token_file: Path) -> Iterator[TournamentDesk]:
    """The desk of the director whose token is in the file."""
    with explained():
        desk = TournamentDesk(server, token_in(token_file))
        try:
            yield desk
        finally:
            desk.close()


@contextmanager
def tournaments_at(server: str, token_file: Path | None = None) -> Iterator[Tournaments]:
    """Tournaments for the player whose token is in the file, or for reading alone."""
    with explained():
        is_there = token_file is not None and token_file.exists()
        client = Tournaments(server, token_in(token_file) if is_there and token_file is not None else "")
        try:
            yield client
        finally:
            client.close()


def player_ids(client: Tournaments, tournament_id: str, players: Sequence[str]) -> list[str]:
    """The ids of players given by name or id. Raises ValueError for one who has not entered."""
    entries = client.entries(tournament_id)
    ids = {each.player.name.casefold(): each.player.player_id for each in entries}
    known = set(ids.values())
    found = []
    for player in players:
        player_id = player if player in known else ids.get(player.casefold())
        if player_id is None:
            raise ValueError(f"{player} has not entered the tournament")
        found.append(player_id)
    return found


def names_of(client: Tournaments, tournament_id: str) -> Callable[[str], str]:
    """The name of a player or director by id."""
    names = {each.player_id: each.name for each in client.tournament(tournament_id).directors}
    names |= {each.player.player_id: each.player.name for each in client.entries(tournament_id)}
    return lambda player_id: names.get(player_id, player_id)


def pairs(values: Sequence[str]) -> list[tuple[str, int]]:
    """Texts such as `Ann=5` as names and numbers. Raises ValueError."""
    found = []
    for value in values:
        name, _, number = value.rpartition("=")
        if not name or not number.lstrip("-").isdigit():
            raise ValueError(f"{value!r} is not PLAYER=NUMBER")
        found.append((name, int(number)))
    return found


def millionths(text: str) -> int:
    """Points such as 2.5 in millionths. Raises ValueError."""
    whole, _, rest = text.partition(".")
    if not (whole.isdigit() and (rest or "0").isdigit() and len(rest) <= 6):
        raise ValueError(f"{text!r} is not a number of points")
    return int(whole) * UNIT + int(rest.ljust(6, "0") or 0)


def time_ms(text: str) -> int:
    """A time of ISO 8601 with its zone, as 2026-11-23T19:00+01:00; 0 for an empty text. Raises ValueError."""
    if not text:
        return 0
    given = datetime.fromisoformat(text)
    if given.tzinfo is None:
        raise ValueError(f"{text!r} has no zone: write {text}+01:00 or {text}Z")
    return int(given.timestamp() * 1000)


def show_tournament(event: pb.Tournament) -> None:
    """Print a tournament."""
    typer.echo(f"{event.tournament_id}  {json.loads(event.charter)['name']}")
    opened = "open" if event.are_entries_open else "closed"
    typer.echo(f"  charter {event.charter_version}, entries {opened}")
    typer.echo("  directors " + ", ".join(each.name for each in event.directors))
    if event.scorers:
        typer.echo("  scorers " + ", ".join(each.name for each in event.scorers))
    typer.echo(f"  {event.active_count} players, {event.waiting_count} on the waiting list")
    for number, stage in enumerate(event.stages):
        state = "over" if stage.is_finished else "running"
        typer.echo(
            f"  stage {number} {stage.name}: {state}, {len(stage.entrants)} players, {stage.round_count} rounds"
        )


def show_round(current: round_pb.Round, name_of: Callable[[str], str]) -> None:
    """Print a round with the cost of its pairing and what happened at its tables."""
    state = "published" if current.is_published else "not published"
    if current.publish_time_ms and not current.is_published:
        due = datetime.fromtimestamp(current.publish_time_ms / 1000).astimezone()
        state += f" before {due.isoformat(timespec='minutes')}"
    typer.echo(f"{current.round_id}  round {current.number}, {state}")
    proposal = json.loads(current.proposal)
    typer.echo("  cost " + ", ".join(f"{name} {value}" for name, value in proposal["cost"].items()))
    typer.echo(f"  seed {proposal['seed']}, digest {current.proposal_digest}")
    if proposal.get("override"):
        changed = proposal["override"]
        typer.echo(f"  changed by {name_of(changed['author'])}: {changed['reason']}")
    if not current.is_published:
        for table in proposal["tables"]:
            typer.echo(f"  {table['number']}. {table['title']}: " + ", ".join(map(name_of, table["seats"])))
    for played in current.tables:
        _show_table(played, name_of)
    if current.byes:
        typer.echo("  sitting out: " + ", ".join(map(name_of, current.byes)))


def _show_table(played: round_pb.RoundTableState, name_of: Callable[[str], str]) -> None:
    table = played.table
    typer.echo(f"  {table.number}. {table.title}: " + ", ".join(map(name_of, table.seats)))
    if table.table_id:
        typer.echo(f"     table {table.table_id}, game {table.game_id}")
    if played.HasField("result"):
        if played.result.ending == pb.RESULT_ENDING_AWARDED:
            shown = ", ".join(
                f"{name_of(each.player)} {amount(each.awarded)}" for each in played.result.seats
            )
            typer.echo(f"     awarded {shown}")
        else:
            shown = ", ".join(f"{name_of(each.player)} {each.worth}" for each in played.result.seats)
            typer.echo(f"     {shown}" + ("" if played.is_verified else " (not verified here)"))
    for missing in played.no_shows:
        typer.echo(f"     {name_of(missing.player_id)} was missing: {missing.reason}")
    for each in played.substitutions:
        typer.echo(f"     {each.substitute.name} for {name_of(each.player_id)}: {each.reason}")
    for ruling in played.adjudications:
        kind = pb.AdjudicationKind.Name(ruling.kind).removeprefix("ADJUDICATION_KIND_").lower()
        typer.echo(f"     {kind}: {ruling.reason}{_state_of(ruling)}")
        if ruling.HasField("appeal"):
            appeal = ruling.appeal
            outcome = "upheld" if appeal.is_upheld else "dismissed"
            decided = f"{outcome}: {appeal.reason}" if appeal.is_decided else "not decided"
            typer.echo(f"     appeal of {name_of(appeal.player_id)}: {appeal.text} ({decided})")


def _state_of(ruling: round_pb.Adjudication) -> str:
    if ruling.needs_second and not ruling.confirmed_by:
        return " (does not count until another director confirms it)"
    return "" if ruling.counts else " (does not count)"
