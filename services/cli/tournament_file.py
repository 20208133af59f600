"""An event as a JSON file: its scoring policy, its facts, and the standings that its organisers published."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from services.lobby.domain.tournaments.rejections import Reason, TournamentRejected
from services.lobby.domain.tournaments.scoring.checking import check_policy, checked_record
from services.lobby.domain.tournaments.scoring.policy import ScoringPolicy
from services.lobby.domain.tournaments.scoring.record import EventRecord, Fact
from services.lobby.domain.tournaments.scoring.standings import Line, standings_of

FORMAT = "signalbox tournament 1"


class PublishedLine(msgspec.Struct, frozen=True):
    """A published line: rank, player and points in millionths."""

    rank: int
    player: str
    points: int


class EventFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole file. Without `standings` there is nothing to compare with."""

    format: str
    policy: ScoringPolicy
    facts: tuple[Fact, ...]
    standings: tuple[PublishedLine, ...] = ()


_decoder = msgspec.json.Decoder(EventFile)


def read_event(path: Path) -> EventFile:
    """The event in a file. Raises OSError, and TournamentRejected (FILE_MALFORMED) with the path of what is wrong in it."""
    try:
        event = _decoder.decode(path.read_bytes())
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise TournamentRejected(Reason.FILE_MALFORMED, str(error)) from error
    if event.format != FORMAT:
        raise TournamentRejected(Reason.FILE_MALFORMED, f"the format is {event.format!r}, not {FORMAT!r}")
    return event


def write_event(path: Path, policy: ScoringPolicy, facts: Sequence[Fact], lines: Sequence[Line]) -> None:
    """Writes an event; equal events give equal bytes."""
    published = tuple(PublishedLine(line.rank, line.player, line.points) for line in lines)
    event = EventFile(FORMAT, policy, tuple(facts), published)
    plain = msgspec.to_builtins(event, str_keys=True)
    path.write_bytes(msgspec.json.format(msgspec.json.encode(plain, order="deterministic")) + b"\n")


def recomputed(event: EventFile) -> tuple[EventRecord, tuple[Line, ...]]:
    """The record and the standings that follow from the facts.

    Raises TournamentRejected if a fact or the policy cannot be scored, or (STANDINGS_DIFFER) if others were published."""
    check_policy(event.policy)
    record = checked_record(event.facts)
    lines = standings_of(record, event.policy)
    if event.standings:
        for line, published in zip(lines, event.standings, strict=False):
            if (line.rank, line.player, line.points) != (published.rank, published.player, published.points):
                raise TournamentRejected(
                    Reason.STANDINGS_DIFFER,
                    f"rank {line.rank} is {line.player} with {line.points} millionths of a point by the facts, "
                    f"but {published.player} with {published.points} was published",
                )
        if len(lines) != len(event.standings):
            raise TournamentRejected(
                Reason.STANDINGS_DIFFER,
                f"{len(event.standings)} lines were published, the facts give {len(lines)}",
            )
    return record, lines
