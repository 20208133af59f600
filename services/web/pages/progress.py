"""How far the tables of a round are: whom each waits for, and since when. The slowest comes first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from services.gen.signalbox.lobby.v1 import game_summary_pb2, tournament_round_pb2 as round_pb


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table without a result. `summary` is absent for one that is played elsewhere, or that has not begun.

    `asked_since_ms`: when the player who has been asked longest was asked, 0 while nobody is."""

    round: round_pb.Round
    state: round_pb.RoundTableState
    summary: game_summary_pb2.GameSummary | None
    waits_for: Sequence[str]
    asked_since_ms: int


def table_rows(
    tables: Iterable[tuple[round_pb.Round, round_pb.RoundTableState]],
    games: Mapping[str, game_summary_pb2.GameSummary],
) -> list[TableRow]:
    """The tables, those that have waited longest first, then those nobody is asked at."""
    rows = [_row(each, state, games.get(state.table.game_id)) for each, state in tables]
    return sorted(rows, key=lambda row: (not row.asked_since_ms, row.asked_since_ms))


def _row(
    current: round_pb.Round,
    state: round_pb.RoundTableState,
    summary: game_summary_pb2.GameSummary | None,
) -> TableRow:
    if summary is None:
        return TableRow(current, state, None, (), 0)
    since = [each.asked_since_time_ms for each in summary.clocks if each.asked_since_time_ms]
    return TableRow(current, state, summary, summary.status.acting_players, min(since, default=0))
