"""An event as CSV: enough to recompute its standings without any of this code (docs/tournaments.md)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from services.lobby.domain.tournaments.exports.csv_table import csv_table
from services.lobby.domain.tournaments.scoring.policy import ScoringPolicy
from services.lobby.domain.tournaments.scoring.record import EventRecord
from services.lobby.domain.tournaments.scoring.results import SeatResult
from services.lobby.domain.tournaments.scoring.standings import Line

_SEAT_COLUMNS = SeatResult.__struct_fields__
_RESULT_COLUMNS = ("round", "table", "title", "ending", "seat", *_SEAT_COLUMNS)


def exported(record: EventRecord, policy: ScoringPolicy, lines: Sequence[Line]) -> dict[str, str]:
    """The texts of four files by name: results by seat, players with byes and penalties, the policy, the standings."""
    return {
        "results.csv": csv_table(_RESULT_COLUMNS, _result_rows(record)),
        "players.csv": csv_table(("player", "withdrawn", "byes", "penalty_points"), _player_rows(record)),
        "policy.csv": csv_table(("setting", "value"), _policy_rows(policy)),
        "standings.csv": csv_table(
            ("rank", "player", "points", "tables"),
            ((line.rank, line.player, line.points, line.tables) for line in lines),
        ),
    }


def _result_rows(record: EventRecord) -> Iterable[Sequence[object]]:
    for result in sorted(record.results.values(), key=lambda result: (result.round, result.table)):
        for number, seat in enumerate(result.seats, start=1):
            values = map(_cell, msgspec.structs.astuple(seat))
            yield (result.round, result.table, result.title, result.ending, number, *values)


def _cell(value: object) -> object:
    """Several substitutes stand in one cell, as `id:turns id:turns`."""
    if isinstance(value, tuple):
        return " ".join(f"{each.player_id}:{each.turns}" for each in value)
    return int(value) if isinstance(value, bool) else value


def _player_rows(record: EventRecord) -> Iterable[Sequence[object]]:
    for player in record.players:
        byes = sum(bye.player == player for bye in record.byes)
        penalty = sum(each.points for each in record.penalties if each.player == player)
        yield player, int(player in record.withdrawn), byes, penalty


def _policy_rows(policy: ScoringPolicy) -> Iterable[Sequence[object]]:
    """One row for each setting; those of lists and tables have an index in their name, as `system.lists.4.1`."""

    def flat(name: str, value: object) -> Iterable[tuple[str, object]]:
        if isinstance(value, dict):
            for key, inner in value.items():
                yield from flat(f"{name}.{key}", inner)
        elif isinstance(value, list | tuple):
            for index, inner in enumerate(value, start=1):
                yield from flat(f"{name}.{index}", inner)
        else:
            yield name, int(value) if isinstance(value, bool) else value

    for field in policy.__struct_fields__:
        yield from flat(field, msgspec.to_builtins(getattr(policy, field), str_keys=True))
