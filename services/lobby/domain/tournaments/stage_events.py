"""What happens to the stages of a tournament: events of its stream."""

from __future__ import annotations

import msgspec

from services.lobby.domain.tournaments.scoring.standings import Line


class StageStarted(msgspec.Struct, frozen=True):
    """A stage begins with these players, the best seed first."""

    stage: int
    entrants: tuple[str, ...]
    author: str


class StageJoined(msgspec.Struct, frozen=True):
    """A player joined the running stage."""

    stage: int
    player_id: str


class RoundVersion(msgspec.Struct, frozen=True):
    """How far the stream of a round was read."""

    round_id: str
    version: int


class RoundReleased(msgspec.Struct, frozen=True):
    """A round of the running stage is published, as it is after `round_version` events, by this version of the charter.

    Its own stream follows. One that has changed since is not published before it is released again."""

    stage: int
    number: int
    round_version: int
    charter_version: int


class StageFinished(msgspec.Struct, frozen=True):
    """A stage is over: its ranking, the digest of its standings, and the versions of the rounds they were computed from.

    `standings`: their lines, none in stages that ended before lines were recorded, and where they are too long for a record.
    `scoring_version`: by which `SCORING_VERSION`, 0 where that was not recorded."""

    stage: int
    ranking: tuple[str, ...]
    standings_digest: str
    rounds: tuple[RoundVersion, ...]
    author: str
    time_ms: int
    standings: tuple[Line, ...] = ()
    scoring_version: int = 0
