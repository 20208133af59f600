"""A tournament as the fold of its events: charter, roles, entries, stages, penalties. Its rounds have streams of their own."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

import msgspec
from msgspec.structs import replace

from services.lobby.domain.players import Player
from services.lobby.domain.tournaments.charter import Charter
from services.lobby.domain.tournaments.scoring.standings import Line
from services.lobby.domain.tournaments.stage_events import (
    RoundReleased,
    RoundVersion,
    StageFinished,
    StageJoined,
    StageStarted,
)


class Role(StrEnum):
    """What a person may do in a tournament beside playing."""

    DIRECTOR = "director"
    SCORER = "scorer"


class EntryState(StrEnum):
    """What became of an entry."""

    ACTIVE = "active"
    WAITING = "waiting"
    WITHDRAWN = "withdrawn"


class TournamentCreated(msgspec.Struct, frozen=True):
    """A tournament was set up. Lots come from `seed`, which is published; games from `game_seed`, which never is."""

    tournament_id: str
    director: Player
    charter: Charter
    seed: int
    game_seed: int
    time_ms: int


class CharterAmended(msgspec.Struct, frozen=True):
    """The charter has a new version."""

    charter: Charter
    reason: str
    author: str
    time_ms: int


class RoleGiven(msgspec.Struct, frozen=True):
    """A person got a role."""

    player: Player
    role: Role
    author: str


class RoleTaken(msgspec.Struct, frozen=True):
    """A person has a role no more."""

    player_id: str
    role: Role
    author: str


class EntriesOpened(msgspec.Struct, frozen=True):
    """Players may enter."""

    author: str


class EntriesClosed(msgspec.Struct, frozen=True):
    """Players may not enter any more."""

    author: str


class EntryMade(msgspec.Struct, frozen=True):
    """A player entered, perhaps only on the waiting list. `hours` of the week in UTC; none: every hour."""

    player: Player
    preferences: tuple[str, ...]
    hours: tuple[int, ...]
    is_waiting: bool
    time_ms: int


class EntryAdmitted(msgspec.Struct, frozen=True):
    """A player of the waiting list takes part. `author` is empty where a place became free."""

    player_id: str
    author: str


class EntryWithdrawn(msgspec.Struct, frozen=True):
    """A player plays no further rounds; results so far keep counting."""

    player_id: str
    reason: str
    author: str


class CheckInOpened(msgspec.Struct, frozen=True):
    """Players may check in for a round, until `until_ms`."""

    stage: int
    number: int
    until_ms: int
    author: str


class CheckedIn(msgspec.Struct, frozen=True):
    """A player will be there."""

    player_id: str
    stage: int
    number: int
    time_ms: int


class PlaceRefused(msgspec.Struct, frozen=True):
    """A player does not want to play a later stage; the place passes down."""

    player_id: str
    stage: int


class PenaltyRecorded(msgspec.Struct, frozen=True):
    """A player loses points, in millionths, in the standings of a stage."""

    stage: int
    player_id: str
    points: int
    reason: str
    author: str


class AnnouncementPosted(msgspec.Struct, frozen=True):
    """The directors tell everybody something."""

    text: str
    author: str
    time_ms: int


TournamentEvent = (
    TournamentCreated
    | CharterAmended
    | RoleGiven
    | RoleTaken
    | EntriesOpened
    | EntriesClosed
    | EntryMade
    | EntryAdmitted
    | EntryWithdrawn
    | CheckInOpened
    | CheckedIn
    | PlaceRefused
    | StageStarted
    | StageJoined
    | RoundReleased
    | StageFinished
    | PenaltyRecorded
    | AnnouncementPosted
)


class Entry(msgspec.Struct, frozen=True):
    """A player of a tournament. `left_in`: the first stage from which a withdrawn player is missing; `entry_count`: how often
    the player has entered."""

    player: Player
    preferences: tuple[str, ...] = ()
    hours: tuple[int, ...] = ()
    state: EntryState = EntryState.ACTIVE
    reason: str = ""
    left_in: int = 0
    entry_count: int = 1


class RunStage(msgspec.Struct, frozen=True):
    """A stage that has begun: who plays it, and the rounds that were released, by number. The rest is empty until it is over.

    `charter_version`: by which its standings were computed, and `scoring_version`, as in `StageFinished`."""

    entrants: tuple[str, ...]
    released: Mapping[int, RoundReleased] = {}
    is_finished: bool = False
    ranking: tuple[str, ...] = ()
    standings_digest: str = ""
    rounds: tuple[RoundVersion, ...] = ()
    standings: tuple[Line, ...] = ()
    charter_version: int = 0
    scoring_version: int = 0


class Amendment(msgspec.Struct, frozen=True):
    """Why the charter got version `charter_version`, and from whom."""

    charter_version: int
    reason: str
    author: str
    time_ms: int


class CheckIn(msgspec.Struct, frozen=True):
    """Who has checked in for a round."""

    stage: int
    number: int
    until_ms: int
    present: frozenset[str] = frozenset()


class Tournament(msgspec.Struct, frozen=True):
    """A tournament. `version` counts its events, `charters` has all versions of its charter; stages are counted from 0."""

    tournament_id: str
    charters: tuple[Charter, ...]
    seed: int
    game_seed: int
    create_time_ms: int
    directors: tuple[Player, ...]
    scorers: tuple[Player, ...] = ()
    version: int = 1
    are_entries_open: bool = False
    entries: Mapping[str, Entry] = {}
    stages: tuple[RunStage, ...] = ()
    check_in: CheckIn | None = None
    penalties: tuple[PenaltyRecorded, ...] = ()
    announcements: tuple[AnnouncementPosted, ...] = ()
    refused: frozenset[tuple[int, str]] = frozenset()
    amendments: tuple[Amendment, ...] = ()

    @property
    def charter(self) -> Charter:
        """The charter as it is now."""
        return self.charters[-1]

    @property
    def charter_version(self) -> int:
        """The version of the charter, from 1."""
        return len(self.charters)

    @property
    def stage(self) -> int:
        """The stage that began last, -1 before the first."""
        return len(self.stages) - 1

    @property
    def is_finished(self) -> bool:
        """Whether the last stage is over."""
        return len(self.stages) == len(self.charter.stages) and self.stages[-1].is_finished

    def is_director(self, player_id: str) -> bool:
        """Whether this person directs."""
        return any(each.player_id == player_id for each in self.directors)

    def may_score(self, player_id: str) -> bool:
        """Whether this person may report and confirm results."""
        return self.is_director(player_id) or any(each.player_id == player_id for each in self.scorers)

    def active(self) -> tuple[str, ...]:
        """Who takes part, in order of entry."""
        return tuple(each for each, entry in self.entries.items() if entry.state is EntryState.ACTIVE)

    def waiting(self) -> tuple[str, ...]:
        """The waiting list."""
        return tuple(each for each, entry in self.entries.items() if entry.state is EntryState.WAITING)

    def name_of(self, player_id: str) -> str:
        """The name of a player, the id of one who is not known here."""
        entry = self.entries.get(player_id)
        return player_id if entry is None else entry.player.name


class BrokenTournamentLog(Exception):
    """The events of a tournament or a round do not fit together."""


def tournament_after(tournament: Tournament | None, event: TournamentEvent) -> Tournament:
    """The tournament after `event`. Raises `BrokenTournamentLog` unless exactly the first event makes it."""
    if isinstance(event, TournamentCreated):
        if tournament is not None:
            raise BrokenTournamentLog(f"tournament {event.tournament_id} was created twice")
        return Tournament(
            tournament_id=event.tournament_id,
            charters=(event.charter,),
            seed=event.seed,
            game_seed=event.game_seed,
            create_time_ms=event.time_ms,
            directors=(event.director,),
        )
    if tournament is None:
        raise BrokenTournamentLog(f"{type(event).__name__} for a tournament that was never created")
    return replace(_changed(tournament, event), version=tournament.version + 1)


def _changed(tournament: Tournament, event: TournamentEvent) -> Tournament:
    match event:
        case CharterAmended(charter=charter, reason=reason, author=author, time_ms=time_ms):
            made = Amendment(tournament.charter_version + 1, reason, author, time_ms)
            charters, amendments = (*tournament.charters, charter), (*tournament.amendments, made)
            return replace(tournament, charters=charters, amendments=amendments)
        case RoleGiven() | RoleTaken():
            return _with_role(tournament, event)
        case EntriesOpened():
            return replace(tournament, are_entries_open=True)
        case EntriesClosed():
            return replace(tournament, are_entries_open=False)
        case EntryMade() | EntryAdmitted() | EntryWithdrawn():
            return replace(tournament, entries=_entries_after(tournament, event))
        case CheckInOpened(stage=stage, number=number, until_ms=until_ms):
            return replace(tournament, check_in=CheckIn(stage, number, until_ms))
        case CheckedIn(player_id=player_id):
            check_in = tournament.check_in or CheckIn(event.stage, event.number, event.time_ms)
            return replace(tournament, check_in=replace(check_in, present=check_in.present | {player_id}))
        case PlaceRefused(player_id=player_id, stage=stage):
            return replace(tournament, refused=tournament.refused | {(stage, player_id)})
        case StageStarted(entrants=entrants):
            return replace(tournament, stages=(*tournament.stages, RunStage(entrants)))
        case StageJoined() | RoundReleased() | StageFinished():
            return replace(tournament, stages=_stages_after(tournament, event))
        case PenaltyRecorded(stage=stage):
            # Standings recorded at the end of the stage do not have it.
            stages = tuple(
                replace(run, standings=()) if number == stage else run
                for number, run in enumerate(tournament.stages)
            )
            return replace(tournament, penalties=(*tournament.penalties, event), stages=stages)
        case AnnouncementPosted():
            return replace(tournament, announcements=(*tournament.announcements, event))
        case _:
            return tournament


def _with_role(tournament: Tournament, event: RoleGiven | RoleTaken) -> Tournament:
    held = tournament.directors if event.role is Role.DIRECTOR else tournament.scorers
    player_id = event.player.player_id if isinstance(event, RoleGiven) else event.player_id
    others = tuple(each for each in held if each.player_id != player_id)
    holders = (*others, event.player) if isinstance(event, RoleGiven) else others
    if event.role is Role.DIRECTOR:
        return replace(tournament, directors=holders)
    return replace(tournament, scorers=holders)


def _entries_after(
    tournament: Tournament, event: EntryMade | EntryAdmitted | EntryWithdrawn
) -> Mapping[str, Entry]:
    entries = tournament.entries
    match event:
        case EntryMade(player=player, preferences=preferences, hours=hours, is_waiting=is_waiting):
            # Who enters again is the last again.
            others = {each: entry for each, entry in entries.items() if each != player.player_id}
            state = EntryState.WAITING if is_waiting else EntryState.ACTIVE
            before = entries.get(player.player_id)
            count = 1 if before is None else before.entry_count + 1
            entered = Entry(player, preferences, hours, state, entry_count=count)
            return {**others, player.player_id: entered}
        case EntryAdmitted(player_id=player_id):
            return {**entries, player_id: replace(entries[player_id], state=EntryState.ACTIVE, reason="")}
        case EntryWithdrawn(player_id=player_id, reason=reason):
            finished = sum(each.is_finished for each in tournament.stages)
            state = EntryState.WITHDRAWN
            gone = replace(entries[player_id], state=state, reason=reason, left_in=finished)
            return {**entries, player_id: gone}


def _stages_after(
    tournament: Tournament, event: StageJoined | RoundReleased | StageFinished
) -> tuple[RunStage, ...]:
    stages = tournament.stages
    run = stages[event.stage]
    if isinstance(event, StageJoined):
        changed = replace(run, entrants=(*run.entrants, event.player_id))
    elif isinstance(event, RoundReleased):
        changed = replace(run, released={**run.released, event.number: event})
    else:
        changed = replace(
            run,
            is_finished=True,
            ranking=event.ranking,
            standings_digest=event.standings_digest,
            rounds=event.rounds,
            standings=event.standings,
            charter_version=tournament.charter_version,
            scoring_version=event.scoring_version,
        )
    return (*stages[: event.stage], changed, *stages[event.stage + 1 :])
