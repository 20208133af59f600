"""`signalbox tournament`: the commands of directors about who sits at the tables of a round."""

from __future__ import annotations

from typing import Annotated

import typer

from services.cli.tournament_calls import (
    AT_HOME,
    TOKEN_FILE,
    PlayerName,
    RoundId,
    Server,
    TableNumber,
    TokenFile,
    Why,
    desk_with_player,
    names_of,
    tournaments_at,
    whole_number,
)
from services.cli.tournament_printing import show_round
from services.gen.signalbox.lobby.v1 import tournament_round_pb2 as round_pb


def add_seat_commands(app: typer.Typer) -> None:
    """Add the commands about who sits at the tables of a round to `app`."""

    @app.command("no-show")
    def no_show_command(
        round_id: RoundId,
        table: TableNumber,
        player: PlayerName,
        reason: Why = "",
        server: Server = AT_HOME,
        token_file: TokenFile = TOKEN_FILE,
    ) -> None:
        """Record that a player was missing."""
        with desk_with_player(server, token_file, round_id, player) as (desk, player_id):
            show_changed(desk.no_show(round_id, table, player_id, reason), server)

    @app.command("was-there")
    def was_there_command(
        round_id: RoundId,
        table: TableNumber,
        player: PlayerName,
        reason: Why = "",
        server: Server = AT_HOME,
        token_file: TokenFile = TOKEN_FILE,
    ) -> None:
        """Take back that a player was missing."""
        with desk_with_player(server, token_file, round_id, player) as (desk, player_id):
            show_changed(desk.withdraw_no_show(round_id, table, player_id, reason), server)

    @app.command("substitute")
    def substitute_command(
        round_id: RoundId,
        table: TableNumber,
        player: PlayerName,
        substitute: Annotated[str, typer.Argument(help="Id of the substitute; none with --bot.")] = "",
        bot: Annotated[bool, typer.Option("--bot", help="A bot of the house plays on.")] = False,
        turns: Annotated[
            str, typer.Option(help="Turns of the substitute and of the seat, as 12/30.")
        ] = "0/0",
        reason: Why = "",
        server: Server = AT_HOME,
        token_file: TokenFile = TOKEN_FILE,
    ) -> None:
        """Give the seat of a running game to a substitute. Repeated with the turns it changes those alone, for the credit in the
        standings."""
        if bot is bool(substitute):
            raise typer.BadParameter("either the id of a substitute or --bot")
        with desk_with_player(server, token_file, round_id, player) as (desk, player_id):
            played, _, whole = turns.partition("/")
            taken, all_turns = whole_number(played, "--turns"), whole_number(whole, "--turns")
            changed = desk.substitute(round_id, table, player_id, substitute, reason, taken, all_turns, bot)
            show_changed(changed, server)

    @app.command("no-substitute")
    def no_substitute_command(
        round_id: RoundId,
        table: TableNumber,
        player: PlayerName,
        substitute: Annotated[str, typer.Argument(help="Name or id of the substitute.")],
        reason: Why = "",
        server: Server = AT_HOME,
        token_file: TokenFile = TOKEN_FILE,
    ) -> None:
        """Take back that somebody was a substitute. If they play the seat now, who had it before plays on."""
        with desk_with_player(server, token_file, round_id, player) as (desk, player_id):
            show_changed(desk.withdraw_substitution(round_id, table, player_id, substitute, reason), server)


def show_changed(current: round_pb.Round, server: str) -> None:
    """Print a round after a change."""
    with tournaments_at(server) as client:
        show_round(current, names_of(client, current.tournament_id))
