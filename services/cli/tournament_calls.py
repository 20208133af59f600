"""What the commands of `signalbox tournament` share: the server, the token, names of players, and how texts are read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from services.cli.token_file import read_token
from services.client.calls import NotAnsweredError, Rejected
from services.client.tournaments import TournamentDesk, Tournaments
from services.lobby.domain.tournaments.scoring.results import UNIT

REFUSED = 2

Server = Annotated[str, typer.Option("--server", help="Where the lobby answers, host:port.")]
TokenFile = Annotated[Path, typer.Option("--token-file", help="File with a token, as sign-in writes it.")]
Event = Annotated[str, typer.Argument(metavar="TOURNAMENT", help="Id of the tournament.")]
RoundId = Annotated[str, typer.Argument(metavar="ROUND", help="Id of the round, as propose prints it.")]
TableNumber = Annotated[int, typer.Argument(metavar="TABLE", help="Number of the table.")]
AdjudicationNumber = Annotated[
    int,
    typer.Argument(
        metavar="ADJUDICATION", help="Number of the adjudication, as `tournament show` prints it."
    ),
]
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
    """The token in a file. Raises OSError, and ValueError where there is no file."""
    try:
        return read_token(file)
    except FileNotFoundError as problem:
        raise ValueError(f"no token in {file}: signalbox tournament sign-in NAME writes one") from problem


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
def player_at(server: str, token_file: Path) -> Iterator[Tournaments]:
    """Tournaments for the player whose token is in the file."""
    with explained(), tournaments_at(server, token_in(token_file)) as client:
        yield client


@contextmanager
def tournaments_at(server: str, token: str = "") -> Iterator[Tournaments]:
    """Tournaments for the player of a token, without one for reading alone."""
    with explained():
        client = Tournaments(server, token)
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


@contextmanager
def desk_with_player(
    server: str, token_file: Path, round_id: str, player: str
) -> Iterator[tuple[TournamentDesk, str]]:
    """The desk of the director whose token is in the file, and the id of somebody who has entered the tournament of a round."""
    with desk_at(server, token_file) as desk, tournaments_at(server) as client:
        yield desk, player_ids(client, round_id.partition(".")[0], [player])[0]


def names_of(client: Tournaments, tournament_id: str) -> Callable[[str], str]:
    """The name of a player or director by id."""
    names = {each.player_id: each.name for each in client.tournament(tournament_id).directors}
    names |= {each.player.player_id: each.player.name for each in client.entries(tournament_id)}
    return lambda player_id: names.get(player_id, player_id)


def whole_number(text: str, option: str) -> int:
    """A number of a list in an option. Raises ValueError."""
    if not text.isdecimal():
        raise ValueError(f"{option}: {text!r} is not a whole number")
    return int(text)


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
    try:
        given = datetime.fromisoformat(text)
    except ValueError as problem:
        raise ValueError(f"{text!r} is not a time such as 2026-11-23T19:00+01:00") from problem
    if given.tzinfo is None:
        day, _, time = text.replace(" ", "T").partition("T")
        example = f"{day}T{time or '19:00'}"
        raise ValueError(f"{text!r} has no zone: write {example}+01:00 or {example}Z")
    return int(given.timestamp() * 1000)
