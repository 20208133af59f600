"""Published rounds as a calendar of RFC 5545, which readers show in their own zone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from services.lobby.domain.tournaments.rounds.round import Round
from services.lobby.domain.tournaments.tournament import Tournament

LINE_BYTES = 75
ROUND_HOURS = 4
"""How long a round is shown to take; a calendar wants an end, a tournament by turns has none."""


def calendar_of(tournament: Tournament, rounds: Sequence[Round]) -> str:
    """The calendar of all published rounds, and of those whose publishing time is set."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Signalbox//Tournaments 1//EN"]
    for each in rounds:
        if each.publish_time_ms:
            lines += _event(tournament, each)
    lines.append("END:VCALENDAR")
    return "".join(f"{part}\r\n" for line in lines for part in _folded(line))


def _event(tournament: Tournament, current: Round) -> list[str]:
    stage = tournament.charter.stages[current.stage].name
    begin, hour_ms = current.publish_time_ms, 3_600_000
    tables = "\n".join(
        f"{each.number}. {each.title}: " + ", ".join(tournament.name_of(player) for player in each.seats)
        for each in (current.proposal.tables if current.is_published else ())
    )
    return [
        "BEGIN:VEVENT",
        f"UID:{current.round_id}@signalbox",
        f"DTSTAMP:{_time(begin)}",
        f"DTSTART:{_time(begin)}",
        f"DTEND:{_time(begin + ROUND_HOURS * hour_ms)}",
        f"SUMMARY:{_escaped(f'{tournament.charter.name}: {stage}, round {current.number}')}",
        f"DESCRIPTION:{_escaped(tables)}",
        "END:VEVENT",
    ]


def _time(time_ms: int) -> str:
    return datetime.fromtimestamp(time_ms // 1000, UTC).strftime("%Y%m%dT%H%M%SZ")


def _escaped(text: str) -> str:
    for character in "\\;,":
        text = text.replace(character, "\\" + character)
    return text.replace("\r", "").replace("\n", "\\n")


def _folded(line: str) -> Iterator[str]:
    """A line in parts of at most 75 bytes, none of which cuts a character; each further one begins with a space."""
    part, size = "", 0
    for character in line:
        length = len(character.encode())
        if size + length > LINE_BYTES:
            yield part
            part, size = " ", 1
        part, size = part + character, size + length
    yield part
