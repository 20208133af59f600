"""A round of a stage as the fold of its events: proposal, tables, results, adjudications, appeals."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from services.lobby.domain.players import Player
from services.lobby.domain.tournaments.pairing.problem import PairingProblem
from services.lobby.domain.tournaments.pairing.proposal import Proposal
from services.lobby.domain.tournaments.rounds.adjudication import (
    Adjudication,
    AdjudicationConfirmed,
    AdjudicationMade,
    AppealDecided,
    AppealFiled,
    adjudication_after,
)
from services.lobby.domain.tournaments.scoring.results import SubstituteTurns, TableResult
from services.lobby.domain.tournaments.tournament import BrokenTournamentLog


class RoundProposed(msgspec.Struct, frozen=True):
    """Tables were proposed; they replace an earlier proposal. `main_tables` play on, those behind them for consolation."""

    tournament_id: str
    stage: int
    number: int
    problem: PairingProblem
    proposal: Proposal
    main_tables: int
    author: str
    time_ms: int


class RoundOverridden(msgspec.Struct, frozen=True):
    """A director set other tables; author and reason are in the proposal."""

    proposal: Proposal
    time_ms: int


class RoundScheduled(msgspec.Struct, frozen=True):
    """The round will be published at this time, in milliseconds since 1970 UTC."""

    publish_time_ms: int
    author: str


class RoundTable(msgspec.Struct, frozen=True):
    """A published table, players in seat order. An external one has no table in the lobby and no game here."""

    number: int
    title: str
    seats: tuple[str, ...]
    table_id: str = ""
    game_id: str = ""

    @property
    def is_external(self) -> bool:
        """Whether it is played elsewhere."""
        return not self.table_id


class RoundPublished(msgspec.Struct, frozen=True):
    """Everybody sees the tables from now on; they are made in the lobby after this event, by that version of the charter."""

    tables: tuple[RoundTable, ...]
    charter_version: int
    time_ms: int


class RoundTablesMade(msgspec.Struct, frozen=True):
    """All tables are in the lobby."""

    time_ms: int


class ResultReported(msgspec.Struct, frozen=True):
    """Somebody reported the result of an external table; it counts once another person has confirmed it."""

    table: int
    result: TableResult
    author: str
    time_ms: int


class ResultConfirmed(msgspec.Struct, frozen=True):
    """The reported result counts."""

    table: int
    author: str
    time_ms: int


class ResultRecorded(msgspec.Struct, frozen=True):
    """The game of a table ended, after event `sequence` of it."""

    table: int
    result: TableResult
    sequence: int
    time_ms: int


class ResultUndone(msgspec.Struct, frozen=True):
    """The end of the game was undone."""

    table: int
    sequence: int
    time_ms: int


class NoShowRecorded(msgspec.Struct, frozen=True):
    """A player was missing at a table."""

    table: int
    player_id: str
    reason: str
    author: str
    time_ms: int


class NoShowWithdrawn(msgspec.Struct, frozen=True):
    """A player who was recorded as missing was there."""

    table: int
    player_id: str
    reason: str
    author: str
    time_ms: int


class SubstitutionRecorded(msgspec.Struct, frozen=True):
    """A substitute took over a seat and played `substitute_turns` of its `turns`, which are 0 where nobody gave them.

    `is_only`: earlier substitutes of the seat count no more, as versions had it for which a seat had one."""

    table: int
    player_id: str
    substitute: Player
    substitute_turns: int
    turns: int
    reason: str
    author: str
    time_ms: int
    is_only: bool = False


class SubstitutesPlayed(msgspec.Struct, frozen=True):
    """How much each of several accounts played of a seat that is not theirs, up to the end of the game that is recorded next."""

    table: int
    player_id: str
    substitutes: tuple[SubstituteTurns, ...]


class SubstitutionWithdrawn(msgspec.Struct, frozen=True):
    """A substitution that was recorded does not count. By it the substitute had the seat up to event `sequence` of the game."""

    table: int
    player_id: str
    substitute_id: str
    reason: str
    author: str
    time_ms: int
    sequence: int = 0


RoundEvent = (
    RoundProposed
    | RoundOverridden
    | RoundScheduled
    | RoundPublished
    | RoundTablesMade
    | ResultReported
    | ResultConfirmed
    | ResultRecorded
    | ResultUndone
    | NoShowRecorded
    | NoShowWithdrawn
    | SubstitutionRecorded
    | SubstitutionWithdrawn
    | SubstitutesPlayed
    | AdjudicationMade
    | AdjudicationConfirmed
    | AppealFiled
    | AppealDecided
)


class TableState(msgspec.Struct, frozen=True):
    """A table of a published round. `result` counts as `settled_result` has it; `sequence` is that of the game's last report.

    The last of the substitutions of a seat is who took it last. `played`: the latest of each seat."""

    table: RoundTable
    reported: ResultReported | None = None
    result: TableResult | None = None
    result_time_ms: int = 0
    sequence: int = 0
    no_shows: tuple[NoShowRecorded, ...] = ()
    substitutions: tuple[SubstitutionRecorded, ...] = ()
    withdrawn_substitutions: tuple[SubstitutionWithdrawn, ...] = ()
    played: tuple[SubstitutesPlayed, ...] = ()
    adjudications: tuple[Adjudication, ...] = ()


class Round(msgspec.Struct, frozen=True):
    """A round. `version` counts its events; `tables` are there once it is published. `report_counts`: how many results each
    person has reported for a table, by its number and the person."""

    tournament_id: str
    stage: int
    number: int
    problem: PairingProblem
    proposal: Proposal
    main_tables: int
    version: int = 1
    publish_time_ms: int = 0
    published_ms: int = 0
    charter_version: int = 0
    are_tables_made: bool = False
    tables: Mapping[int, TableState] = {}
    report_counts: Mapping[tuple[int, str], int] = {}

    @property
    def round_id(self) -> str:
        """The id by which it is known."""
        return round_id_of(self.tournament_id, self.stage, self.number)

    @property
    def is_published(self) -> bool:
        """Whether everybody sees it."""
        return self.published_ms > 0


def round_id_of(tournament_id: str, stage: int, number: int) -> str:
    """The id of a round."""
    return f"{tournament_id}.{stage}.{number}"


def round_after(current: Round | None, event: RoundEvent) -> Round:
    """The round after `event`. Raises `BrokenTournamentLog` unless the first event proposes it."""
    if isinstance(event, RoundProposed):
        return Round(
            tournament_id=event.tournament_id,
            stage=event.stage,
            number=event.number,
            problem=event.problem,
            proposal=event.proposal,
            main_tables=event.main_tables,
            version=1 if current is None else current.version + 1,
        )
    if current is None:
        raise BrokenTournamentLog(f"{type(event).__name__} for a round that was never proposed")
    return replace(_changed(current, event), version=current.version + 1)


def _changed(current: Round, event: RoundEvent) -> Round:
    match event:
        case RoundOverridden(proposal=proposal):
            return replace(current, proposal=proposal, publish_time_ms=0)
        case RoundScheduled(publish_time_ms=publish_time_ms):
            return replace(current, publish_time_ms=publish_time_ms)
        case RoundPublished(tables=tables, charter_version=charter_version, time_ms=time_ms):
            published = {each.number: TableState(each) for each in tables}
            return replace(
                current,
                tables=published,
                charter_version=charter_version,
                published_ms=time_ms,
                publish_time_ms=time_ms,
            )
        case RoundTablesMade():
            return replace(current, are_tables_made=True)
        case RoundProposed():
            return current
        case _:
            changed = table_after(current.tables[event.table], event)
            return replace(
                current,
                tables={**current.tables, event.table: changed},
                report_counts=_report_counts_after(current.report_counts, event),
            )


def _report_counts_after(
    counts: Mapping[tuple[int, str], int], event: RoundEvent
) -> Mapping[tuple[int, str], int]:
    if not isinstance(event, ResultReported):
        return counts
    key = event.table, event.author
    return {**counts, key: 1 + counts.get(key, 0)}


def table_after(state: TableState, event: RoundEvent) -> TableState:
    """A published table after an event that is about it."""
    match event:
        case ResultReported():
            return replace(state, reported=event, result=None, result_time_ms=0)
        case ResultConfirmed(time_ms=time_ms):
            result = None if state.reported is None else state.reported.result
            return replace(state, result=result, result_time_ms=time_ms)
        case ResultRecorded(result=result, sequence=sequence, time_ms=time_ms):
            return replace(state, result=result, sequence=sequence, result_time_ms=time_ms)
        case ResultUndone(sequence=sequence):
            return replace(state, result=None, sequence=sequence, result_time_ms=0)
        case NoShowRecorded():
            return replace(state, no_shows=(*state.no_shows, event))
        case NoShowWithdrawn(player_id=player_id):
            missing = tuple(each for each in state.no_shows if each.player_id != player_id)
            return replace(state, no_shows=missing)
        case SubstitutesPlayed(player_id=player_id):
            others = tuple(each for each in state.played if each.player_id != player_id)
            return replace(state, played=(*others, event))
        case SubstitutionRecorded():
            return replace(state, substitutions=_with_substitution(state.substitutions, event))
        case SubstitutionWithdrawn(player_id=player_id, substitute_id=substitute_id):
            return replace(
                state,
                substitutions=tuple(
                    each
                    for each in state.substitutions
                    if (each.player_id, each.substitute.player_id) != (player_id, substitute_id)
                ),
                withdrawn_substitutions=(*state.withdrawn_substitutions, event),
            )
        case AdjudicationMade():
            return replace(state, adjudications=(*state.adjudications, Adjudication(event)))
        case AdjudicationConfirmed():
            return _with_adjudication(state, len(state.adjudications), event)
        case AppealFiled(adjudication=number) | AppealDecided(adjudication=number):
            # Those of earlier versions were about the latest.
            return _with_adjudication(state, number or len(state.adjudications), event)
        case _:
            return state


def _with_substitution(
    known: tuple[SubstitutionRecorded, ...], event: SubstitutionRecorded
) -> tuple[SubstitutionRecorded, ...]:
    """With turns it says more about a substitute who is known; else the substitute takes the seat as its last."""

    def is_replaced(each: SubstitutionRecorded) -> bool:
        is_same = each.substitute.player_id == event.substitute.player_id
        return each.player_id == event.player_id and (event.is_only or is_same)

    if event.turns and not event.is_only and any(map(is_replaced, known)):
        return tuple(event if is_replaced(each) else each for each in known)
    return (*(each for each in known if not is_replaced(each)), event)


def _with_adjudication(
    state: TableState, number: int, event: AdjudicationConfirmed | AppealFiled | AppealDecided
) -> TableState:
    changed = list(state.adjudications)
    changed[number - 1] = adjudication_after(changed[number - 1], event)
    return replace(state, adjudications=tuple(changed))
