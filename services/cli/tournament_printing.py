"""How the commands of `signalbox tournament` print tournaments, players and rounds."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from datetime import datetime

import typer

from services.common.shown import counted
from services.common.substitutes import turns_of
from services.gen.signalbox.lobby.v1 import tournament_pb2 as pb, tournament_round_pb2 as round_pb
from services.lobby.domain.tournaments.scoring.explaining import amount, points

_ENTRY_STATES = {
    pb.ENTRY_STATE_ACTIVE: "takes part",
    pb.ENTRY_STATE_WAITING: "on the waiting list",
    pb.ENTRY_STATE_WITHDRAWN: "withdrawn",
}

NameOf = Callable[[str], str]
"""The name of a player or director by id."""


def show_tournament(event: pb.Tournament) -> None:
    """Print a tournament."""
    typer.echo(f"{event.tournament_id}  {json.loads(event.charter)['name']}")
    opened = "open" if event.are_entries_open else "closed"
    typer.echo(f"  charter {event.charter_version}, entries {opened}")
    typer.echo("  directors " + ", ".join(each.name for each in event.directors))
    if event.scorers:
        typer.echo("  scorers " + ", ".join(each.name for each in event.scorers))
    typer.echo(f"  {counted(event.active_count, 'player')}, {event.waiting_count} on the waiting list")
    for number, stage in enumerate(event.stages):
        state = "over" if stage.is_finished else "running"
        size = f"{counted(len(stage.entrants), 'player')}, {counted(stage.round_count, 'round')}"
        typer.echo(f"  stage {number} {stage.name}: {state}, {size}")
    if event.HasField("check_in"):
        check_in = event.check_in
        typer.echo(
            f"  check-in for round {check_in.number} of stage {check_in.stage} until {_time(check_in.until_time_ms)}: "
            f"{counted(len(check_in.present), 'player')}"
        )


def show_history(event: pb.Tournament, name_of: NameOf) -> None:
    """Print what directors said and decided about a tournament as a whole, and how it ended."""
    typer.echo(f"  charter SHA-256 {event.charter_digest}")
    for each in event.amendments:
        typer.echo(
            f"  charter {each.charter_version} of {name_of(each.author)}, {_time(each.time_ms)}: {each.reason}"
        )
    for penalty in event.penalties:
        taken = f"{points(penalty.points)} of {name_of(penalty.player_id)}"
        typer.echo(f"  {name_of(penalty.author)} took {taken} in stage {penalty.stage}: {penalty.reason}")
    for news in event.announcements:
        typer.echo(f"  * {_time(news.time_ms)} {news.text}")
    if event.is_finished:
        typer.echo("  final ranking")
        for rank, player_id in enumerate(event.ranking, 1):
            typer.echo(f"  {rank}. {name_of(player_id)}")


def show_players(event: pb.Tournament, entries: Iterable[pb.TournamentPlayerEntry]) -> None:
    """Print the players of a tournament: name, id, and what became of their entries; then the titles that they prefer."""
    present = set(event.check_in.present)
    for entry in entries:
        marks = [_ENTRY_STATES[entry.state]]
        if entry.player.player_id in present:
            marks.append(f"checked in for round {event.check_in.number}")
        if entry.reason:
            marks.append(entry.reason)
        if entry.preferences:
            marks.append("prefers " + ", ".join(entry.preferences))
        typer.echo(f"{entry.player.name} {entry.player.player_id}: {'; '.join(marks)}")


def show_round(current: round_pb.Round, name_of: NameOf) -> None:
    """Print a round with the cost of its pairing and what happened at its tables."""
    state = "published" if current.is_published else "not published"
    if current.publish_time_ms and not current.is_published:
        state += f" before {_time(current.publish_time_ms)}"
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
    if current.withdrawn:
        names = ", ".join(map(name_of, current.withdrawn))
        typer.echo(f"  cannot be published, propose it again: {names} withdrew")
    for played in current.tables:
        _show_table(played, name_of)
    if current.byes:
        typer.echo("  sitting out: " + ", ".join(map(name_of, current.byes)))


def _show_table(played: round_pb.RoundTableState, name_of: NameOf) -> None:
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
            marks = "" if played.is_verified else " (not verified here)"
            typer.echo(f"     {_worths(played.result, name_of)}{marks}")
    elif played.HasField("reported"):
        typer.echo(f"     reported {_worths(played.reported, name_of)} (nobody else has confirmed it)")
    for missing in played.no_shows:
        typer.echo(f"     {name_of(missing.player_id)} was missing: {missing.reason}")
    for each in played.substitutions:
        turns, whole = turns_of(each, played.result.seats)
        share = f" ({turns} of {counted(whole, 'turn')})" if whole else ""
        typer.echo(f"     {each.substitute.name} for {name_of(each.player_id)}{share}: {each.reason}")
    for number, ruling in enumerate(played.adjudications, 1):
        kind = pb.AdjudicationKind.Name(ruling.kind).removeprefix("ADJUDICATION_KIND_").lower()
        said = f"{kind} by {name_of(ruling.author)}{_content_of(ruling, name_of)}: {ruling.reason}"
        typer.echo(f"     adjudication {number}: {said}{_state_of(ruling)}")
        if ruling.HasField("appeal"):
            appeal = ruling.appeal
            outcome = "upheld" if appeal.is_upheld else "dismissed"
            decided = f"{outcome}: {appeal.reason}" if appeal.is_decided else "not decided"
            by = name_of(appeal.player_id)
            typer.echo(f"     appeal of {by} against adjudication {number}: {appeal.text} ({decided})")


def _worths(result: pb.TableResult, name_of: NameOf) -> str:
    """With the bankruptcies in their order, which a second person confirms as well."""
    gone = sorted(
        (each for each in result.seats if each.bankrupt_order), key=lambda each: each.bankrupt_order
    )
    bankrupt = f"; bankrupt {', '.join(name_of(each.player) for each in gone)}" if gone else ""
    return ", ".join(f"{name_of(each.player)} {each.worth}" for each in result.seats) + bankrupt


def _content_of(ruling: round_pb.Adjudication, name_of: NameOf) -> str:
    """What a ruling does to the game or gives, empty where its kind says all."""
    if ruling.sequence:
        return f", to event {ruling.sequence}"
    if ruling.transfer.amount:
        moved = ruling.transfer
        return f", {moved.amount} from {name_of(moved.source)} to {name_of(moved.target)}"
    given = [f"{name_of(each.player_id)} {points(each.points)}" for each in ruling.awards]
    given += [f"{name_of(each.player_id)} {each.worth}" for each in ruling.worths]
    return "".join(f", {each}" for each in given)


def _time(time_ms: int) -> str:
    """A time of the server in the zone of this machine."""
    return datetime.fromtimestamp(time_ms / 1000).astimezone().isoformat(timespec="minutes")


def _state_of(ruling: round_pb.Adjudication) -> str:
    if ruling.needs_second and not ruling.confirmed_by:
        return " (does not count until another director confirms it)"
    return "" if ruling.counts else " (does not count)"
