"""The facts of an event that its standings come from, and their fold."""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType

import msgspec
from msgspec.structs import replace

from services.lobby.domain.tournaments.scoring.results import TableResult


class Entered(msgspec.Struct, frozen=True, tag="entered"):
    """A player takes part."""

    player: str


class Withdrawn(msgspec.Struct, frozen=True, tag="withdrawn"):
    """A player plays no further rounds; results so far keep counting."""

    player: str
    reason: str


class ResultRecorded(msgspec.Struct, frozen=True, tag="result_recorded"):
    """A table's result; it replaces an earlier one of the same table."""

    result: TableResult


class ResultVoided(msgspec.Struct, frozen=True, tag="result_voided"):
    """A table's result counts no more: by a ruling, or because the end of the game was undone."""

    table: str
    reason: str


class ByeGiven(msgspec.Struct, frozen=True, tag="bye_given"):
    """A player sat out in a round."""

    player: str
    round: int


class PenaltyGiven(msgspec.Struct, frozen=True, tag="penalty_given"):
    """Points in millionths that a player loses."""

    player: str
    points: int
    reason: str


Fact = Entered | Withdrawn | ResultRecorded | ResultVoided | ByeGiven | PenaltyGiven


class EventRecord(msgspec.Struct, frozen=True):
    """What counts after some facts: players in order of entry, results by table, byes and penalties."""

    players: tuple[str, ...] = ()
    withdrawn: frozenset[str] = frozenset()
    results: MappingProxyType[str, TableResult] = MappingProxyType({})
    byes: tuple[ByeGiven, ...] = ()
    penalties: tuple[PenaltyGiven, ...] = ()


def record_after(record: EventRecord, fact: Fact) -> EventRecord:
    """The record after one more fact. Decides nothing: facts are checked before they are recorded."""
    match fact:
        case Entered(player):
            return replace(
                record,
                players=(*(each for each in record.players if each != player), player),
                withdrawn=record.withdrawn - {player},
            )
        case Withdrawn(player):
            return replace(record, withdrawn=record.withdrawn | {player})
        case ResultRecorded(result):
            return replace(record, results=MappingProxyType({**record.results, result.table: result}))
        case ResultVoided(table):
            left = {key: result for key, result in record.results.items() if key != table}
            return replace(record, results=MappingProxyType(left))
        case ByeGiven():
            return replace(record, byes=(*record.byes, fact))
        case PenaltyGiven():
            return replace(record, penalties=(*record.penalties, fact))


def record_of(facts: Iterable[Fact]) -> EventRecord:
    """The record after these facts."""
    record = EventRecord()
    for fact in facts:
        record = record_after(record, fact)
    return record
