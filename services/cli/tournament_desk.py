"""`signalbox tournament`: the commands of directors."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from services.cli.tournament_calls import (
    AT_HOME,
    TOKEN_FILE,
    AdjudicationNumber,
    Event,
    PlayerName,
    RoundId,
    Server,
    TableNumber,
    TokenFile,
    Why,
    desk_at,
    millionths,
    names_of,
    pairs,
    player_ids,
    time_ms,
    tournaments_at,
)
from services.cli.tournament_printing import NameOf, show_tournament
from services.cli.tournament_seats import add_seat_commands, show_changed
from services.client.tournaments import Tournaments
from services.gen.signalbox.lobby.v1 import (
    tournament_desk_service_pb2 as desk_pb,
    tournament_pb2 as pb,
)

CharterFile = Annotated[Path, typer.Argument(metavar="CHARTER.json", help="A charter, as charter writes it.")]


class Ruling(StrEnum):
    """What an adjudication does."""

    CONTINUE = "continue"
    AWARD = "award"
    VOID = "void"
    ROLL_BACK = "roll-back"
    CORRECT = "correct"

    @property
    def wire(self) -> int:
        """In the contract."""
        return pb.AdjudicationKind.Value(f"ADJUDICATION_KIND_{self.name}")


class RoleName(StrEnum):
    """Roles that can be given."""

    DIRECTOR = "director"
    SCORER = "scorer"

    @property
    def wire(self) -> int:
        """In the contract."""
        return pb.TournamentRole.Value(f"TOURNAMENT_ROLE_{self.name}")


def add_desk_commands(app: typer.Typer) -> None:
    """Add the commands of directors to `app`."""
    _add_charter_commands(app)
    _add_people_commands(app)
    _add_stage_commands(app)
    _add_round_commands(app)
    add_seat_commands(app)
    _add_adjudication_commands(app)
    _add_agreeing_commands(app)


def _add_charter_commands(app: typer.Typer) -> None:
    @app.command("create")
    def create_command(
        charter: CharterFile, server: Server = AT_HOME, token_file: TokenFile = TOKEN_FILE
    ) -> None:
        """Set up a tournament; you direct it."""
        with desk_at(server, token_file) as desk:
            show_tournament(desk.create(charter.read_text(encoding="utf-8")))

    @app.command("amend")
    def amend_command(
        event: Event,
        charter: CharterFile,
        version: Annotated[int, typer.Option(help="Version of the charter that this one replaces.")],
        reason: Why = "",
        server: Server = AT_HOME,
        token_file: TokenFile = TOKEN_FILE,
    ) -> None:
        """Replace the charter, but for stages that have begun."""
        with desk_at(server, token_file) as desk:
            show_tournament(desk.amend(event, charter.read_text(encoding="utf-8"), version, reason))

    @app.command("post")
    def post_command(
        event: Event,
        text: Annotated[str, typer.Argument(help="The text.")],
        server: Server = AT_HOME,
        token_file: TokenFile = TOKEN_FILE,
    ) -> None:
        """Show a text to everybody."""
        with desk_at(server, token_file) as desk:
            show_tournament(desk.post(event, text))


def _add_people_commands(app: typer.Typer) -> None:
    @app.command("role")
    def role_command(
        event: Event,
        player_id: Annotated[str, typer.Argument(help="Id of the person.")],
        role: Annotated[RoleName, typer.Argument(help="The role.")],
        take: Annotated[bool, typer.Option("--take", help="Take it away.")] = False,
        server: Server = AT_HOME,
        token_file: TokenFile = TOKEN_FILE,
    ) -> None:
        """Give a person a role, or take it away."""
        with desk_at(server, token_file) as desk:
            show_tournament(desk.set_role(event, player_id, role.wire, not take))

    @app.command("entries")
    def entries_command(
        event: Event,
        is_open: Annotated[bool, typer.Option("--open/--close", help="Whether players may enter.")],
        server: Server = AT_HOME,
        token_file: TokenFile = TOKEN_FILE,
    ) -> None:
        """Open or close the entries."""
        with desk_at(server, token_file) as desk:
            show_tournament(desk.set_entries(event, is_open))

    @app.command("admit")
    def admit_command(
        event: Event, player: PlayerName, server: Server = AT_HOME, token_file: TokenFile = TOKEN_FILE
    ) -> None:
        """Take a player from the waiting list."""
        with desk_at(server, token_file) as desk, tournaments_at(server) as client:
            show_tournament(desk.admit(event, player_ids(client, event, [player])[0]))

    @app.command("remove")
    def remove_command(
        event: Event,
        player: PlayerName,
        reason: Why = "",
        server: Server = AT_HOME,
        token_file: TokenFile = TOKEN_FILE,
    ) -> None:
        """Take a player out: no further rounds, results so far keep counting."""
        with desk_at(server, token_file) as desk, tournaments_at(server) as client:
            show_tournament(desk.remove(event, player_ids(client, event, [player])[0], reason))

    @app.command("penalty")
    def penalty_command(
        event: Event,
        player: PlayerName,
        points: Annotated[str, typer.Argument(help="Points that the player loses, as 1 or 0.5.")],
        reason: Why = "",
        server: Server = AT_HOME,
        token_file: TokenFile = TOKEN_FILE,
    ) -> None:
        """Take points from a player in the stage that began last."""
        with desk_at(server, token_file) as desk, tournaments_at(server) as client:
            player_id = player_ids(client, event, [player])[0]
            show_tournament(desk.penalty(event, player_id, millionths(points), reason))


def _add_stage_commands(app: typer.Typer) -> None:
    @app.command("start")
    def start_command(event: Event, server: Server = AT_HOME, token_file: TokenFile = TOKEN_FILE) -> None:
        """Begin the next stage."""
        with desk_at(server, token_file) as desk:
            show_tournament(desk.start_stage(event))

    @app.command("finish")
    def finish_command(event: Event, server: Server = AT_HOME, token_file: TokenFile = TOKEN_FILE) -> None:
        """End the stage that runs, once every table has a result."""
        with desk_at(server, token_file) as desk:
            show_tournament(desk.finish_stage(event))

    @app.command("open-check-in")
    def check_in_command(
        event: Event,
        number: Annotated[int, typer.Argument(help="Number of the round, from 1.")],
        until: Annotated[str, typer.Option(help="Until when, as 2026-11-23T19:00+01:00.")],
        server: Server = AT_HOME,
        token_file: TokenFile = TOKEN_FILE,
    ) -> None:
        """Open the check-in for a round of the stage that runs or comes next."""
        with desk_at(server, token_file) as desk:
            show_tournament(desk.open_check_in(event, number, time_ms(until)))


def _add_round_commands(app: typer.Typer) -> None:
    @app.command("propose")
    def propose_command(event: Event, server: Server = AT_HOME, token_file: TokenFile = TOKEN_FILE) -> None:
        """Pair the next round, or again one that is not published."""
        with desk_at(server, token_file) as desk:
            show_changed(desk.propose(event), server)

    @app.command("override")
    def override_command(
        round_id: RoundId,
        table: Annotated[
            list[str], typer.Option(help="TITLE:PLAYER,PLAYER,... in seat order; once for each table.")
        ],
        reason: Why = "",
        server: Server = AT_HOME,
        token_file: TokenFile = TOKEN_FILE,
    ) -> None:
        """Set other tables than those proposed."""
        with desk_at(server, token_file) as desk, tournaments_at(server) as client:
            event = round_id.partition(".")[0]
            tables = []
            for each in table:
                title, _, players = each.partition(":")
                tables.append((title, player_ids(client, event, players.split(","))))
            show_changed(desk.override(round_id, tables, reason), server)

    @app.command("publish")
    def publish_command(
        round_id: RoundId,
        at: Annotated[str, typer.Option(help="When, as 2026-11-23T19:00+01:00; now without it.")] = "",
        server: Server = AT_HOME,
        token_file: TokenFile = TOKEN_FILE,
    ) -> None:
        """Publish a round; its tables begin."""
        with desk_at(server, token_file) as desk:
            show_changed(desk.publish(round_id, time_ms(at)), server)


def _add_adjudication_commands(app: typer.Typer) -> None:
    @app.command("adjudicate")
    def adjudicate_command(
        round_id: RoundId,
        table: TableNumber,
        kind: Annotated[Ruling, typer.Argument(help="What it does.")],
        award: Annotated[list[str] | None, typer.Option(help="PLAYER=POINTS; once for each player.")] = None,
        worth: Annotated[
            list[str] | None,
            typer.Option(help="PLAYER=WORTH; once for each player: the award ends the game."),
        ] = None,
        transfer: Annotated[
            str, typer.Option(help="FROM:TO:AMOUNT that a correction moves; seats by name, companies, bank.")
        ] = "",
        sequence: Annotated[int, typer.Option(help="Event of the game to which a roll-back goes.")] = 0,
        at: Annotated[
            int, typer.Option(help="Sequence of the position that was looked at; 0: the game as it is now.")
        ] = 0,
        reason: Why = "",
        server: Server = AT_HOME,
        token_file: TokenFile = TOKEN_FILE,
    ) -> None:
        """Rule on a table. A roll-back, a correction and a worth change its game."""
        with desk_at(server, token_file) as desk, tournaments_at(server) as client:
            event = round_id.partition(".")[0]
            given = [each.rpartition("=") for each in award or []]
            ids = player_ids(client, event, [name for name, _, _ in given])
            awards = {player: millionths(points) for player, (_, _, points) in zip(ids, given, strict=True)}
            ends = pairs(worth or [])
            final = player_ids(client, event, [name for name, _ in ends])
            worths = {player: number for player, (_, number) in zip(final, ends, strict=True)}
            moved = _transfer(client, event, transfer) if transfer else None
            expected = at
            if not at and (sequence or moved or worths):
                expected = desk.evidence(round_id, table).sequence
            ruled = desk.adjudicate(
                round_id, table, kind.wire, reason, awards, sequence, moved, worths, expected
            )
            show_changed(ruled, server)


def _add_agreeing_commands(app: typer.Typer) -> None:
    @app.command("confirm-adjudication")
    def confirm_command(
        round_id: RoundId,
        table: TableNumber,
        adjudication: AdjudicationNumber,
        server: Server = AT_HOME,
        token_file: TokenFile = TOKEN_FILE,
    ) -> None:
        """Confirm the latest adjudication of another director. Nothing is confirmed if another one followed."""
        with desk_at(server, token_file) as desk:
            show_changed(desk.confirm_adjudication(round_id, table, adjudication), server)

    @app.command("decide-appeal")
    def decide_command(
        round_id: RoundId,
        table: TableNumber,
        adjudication: AdjudicationNumber,
        is_upheld: Annotated[bool, typer.Option("--uphold/--dismiss", help="Whether the appeal is right.")],
        reason: Why = "",
        server: Server = AT_HOME,
        token_file: TokenFile = TOKEN_FILE,
    ) -> None:
        """Decide an appeal against the adjudication of another director."""
        with desk_at(server, token_file) as desk:
            show_changed(desk.decide_appeal(round_id, table, adjudication, is_upheld, reason), server)

    @app.command("evidence")
    def evidence_command(
        round_id: RoundId,
        table: TableNumber,
        runs: Annotated[int, typer.Option(help="Of the forecast: how often every company runs again.")] = 1,
        server: Server = AT_HOME,
        token_file: TokenFile = TOKEN_FILE,
    ) -> None:
        """Print what an adjudication can rest on: clocks, worth now, and worth if every company runs as it last did."""
        with desk_at(server, token_file) as desk, tournaments_at(server) as client:
            found = desk.evidence(round_id, table, runs)
            _show_evidence(found, runs, names_of(client, round_id.partition(".")[0]))


def _show_evidence(found: desk_pb.GetEvidenceResponse, runs: int, name_of: NameOf) -> None:
    if not found.game_id:
        typer.echo("not played here, or not begun: there is no game to look into")
        return
    typer.echo(
        f"game {found.game_id} at {found.sequence} {found.round_kind} {found.phase} {found.ending}".rstrip()
    )
    later = f"after {runs} more run{'' if runs == 1 else 's'}"
    for seat in found.seats:
        typer.echo(
            f"  {name_of(seat.player_id)}: used {seat.used_ms // 1000} s, waiting {seat.waiting_ms // 1000} s, "
            f"overdue {seat.overdue_count}, worth {seat.worth}, {later} {seat.forecast_worth}"
        )
    for last in found.dividends:
        typer.echo(
            f"  {last.company}: {last.kind} {last.revenue}, {last.per_share} a share (event {last.sequence})"
        )
    typer.echo(f"  {'another order' if found.does_order_change else 'the same order'} {later}")


def _transfer(client: Tournaments, event: str, text: str) -> pb.MoneyTransfer:
    """A transfer such as `Ann:bank:50`. Raises ValueError."""
    source, target, amount = (*text.split(":"), "", "")[:3]
    if not amount.isdigit():
        raise ValueError(f"--transfer: {text!r} is not FROM:TO:AMOUNT")
    ids = {each.player.name.casefold(): each.player.player_id for each in client.entries(event)}
    source, target = (ids.get(each.casefold(), each) for each in (source, target))
    return pb.MoneyTransfer(source=source, target=target, amount=int(amount))
