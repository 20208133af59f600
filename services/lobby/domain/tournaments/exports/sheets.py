"""Pairings, score sheets and standings as one HTML page to be printed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from services.lobby.domain.tournaments.rounds.round import Round, TableState
from services.lobby.domain.tournaments.rounds.settling import is_settled, settled_result
from services.lobby.domain.tournaments.running import stage_standings
from services.lobby.domain.tournaments.scoring.explaining import amount, explanation, points
from services.lobby.domain.tournaments.scoring.results import TableResult
from services.lobby.domain.tournaments.tournament import Tournament

STYLE = (
    "body{font:11pt sans-serif}table{border-collapse:collapse;margin:0 0 1em}"
    "td,th{border:1px solid #888;padding:2pt 6pt;text-align:left}section{break-inside:avoid}h2{break-before:page}"
)


def sheets_of(tournament: Tournament, rounds: Sequence[Round]) -> str:
    """The page: of each stage its published rounds, then its standings."""
    name = escape(tournament.charter.name)
    body = "\n".join(_body(tournament, rounds))
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{name}</title>'
        f"<style>{STYLE}</style></head>\n<body><h1>{name}</h1>\n{body}\n</body></html>\n"
    )


def _body(tournament: Tournament, rounds: Sequence[Round]) -> Iterator[str]:
    for stage in range(len(tournament.stages)):
        name = escape(tournament.charter.stages[stage].name)
        played = [each for each in rounds if each.stage == stage and each.is_published]
        for current in played:
            yield f"<h2>{name}, round {current.number}</h2>"
            for _, state in sorted(current.tables.items()):
                yield _score_sheet(tournament, current, state)
            if current.proposal.byes:
                byes = ", ".join(escape(tournament.name_of(each)) for each in current.proposal.byes)
                yield f"<p>Sitting out: {byes}</p>"
        yield f"<h2>{name}: standings</h2>"
        yield _table(
            ("place", "player", "points", "tables", "why this place"),
            (
                (
                    line.rank,
                    tournament.name_of(line.player),
                    amount(line.points),
                    line.tables,
                    explanation(line),
                )
                for line in stage_standings(tournament, stage, played)
            ),
        )


def _score_sheet(tournament: Tournament, current: Round, state: TableState) -> str:
    result = settled_result(current, state)
    marks = " (not verified here)" if result is not None and result.ending == "external" else ""
    if result is None and is_settled(state):
        marks = " (counts for nobody)"
    rows = (
        (number, tournament.name_of(player), _worth(result, player))
        for number, player in enumerate(state.table.seats, start=1)
    )
    title = escape(state.table.title)
    return f"<section><h3>Table {state.table.number}: {title}{marks}</h3>{_table(('seat', 'player', 'worth'), rows)}</section>"


def _worth(result: TableResult | None, player: str) -> str:
    if result is None:
        return ""
    seat = next(each for each in result.seats if each.player == player)
    return points(seat.awarded) if result.ending == "awarded" else str(seat.worth)


def _table(header: Sequence[str], rows: Iterable[tuple[object, ...]]) -> str:
    head = "".join(f"<th>{escape(each)}</th>" for each in header)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows
    )
    return f"<table><tr>{head}</tr>{body}</table>"
