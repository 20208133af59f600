"""Plain words: names and phrases that were replaced by standard ones do not come back (docs/glossary.md)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

FOLDERS = ("services", "proto", "docs", "deploy", "devtools", "tests", "scripts")
FILES = ("README.md", "Makefile")
SUFFIXES = {".py", ".md", ".proto", ".yaml", ".yml", ".json", ".sh"}
GENERATED = ("services/gen/", "tests/golden/", "tests/architecture/test_words.py")

AREAS_NOT_YET_RENAMED: tuple[str, ...] = ()
"""Beginnings of paths that are not scanned: their words are being replaced."""

NAMES = {
    r"PutAside|put_aside|[Pp]arked\w*|ParkedGames?|is_parked|unpark\w*": "dead letter, blocked game",
    r"Unworkable": "UnprocessableRecord",
    r"\w*Bell|bell|announce(_all)?": "Notifier, publish, subscribe, notify",
    r"GameCards?|card_codec|LOBBY_CARDS": "GameSummary",
    r"overtime": "TurnTimer, turn timer",
    r"_?patience(_seconds)?|PATIENCE(_SECONDS)?": "timeout",
    r"told_until|ToldUntil|followed_before|FollowedBefore": "ConsumerProgress, backfill",
    r"[Ww]atchman": "watchdog",
    r"Place|place_of|NoPlace|SqlitePlace|KafkaPlace": "RecordPosition, PartitionName, PageCursor, LogLocation, index",
    r"CommandDesk|RouteDesk|DeskOfOne": "CommandProcessor, RoutingService",
    r"RulesDoor|Door|DoorKeeper": "RulesService, AdmissionPolicy, AdmissionInterceptor",
    r"(Call|Rate|Token|Check)Guard": "...Interceptor",
    r"glue": "in_process",
    r"(Rules|Lobby|Ledger|Routing)Part": "RulesRunner, ServiceRunner",
    r"relived?": "reexecution, reexecute",
    r"TurnedDown|turned_down": "Rejected, Rejection",
    r"HotGame|fold_in": "LoadedGame, refresh",
    r"Standing|standing_of": "GameStatus, status_of",
    r"Spelling|SPELLINGS?|Chronicle": "Dialect, TraceState",
    r"_wishes|_meet_wishes": "pending rebuilds, apply rebuilds",
    r"is_unwanted|IsUnwanted|told_to_stop": "stop_event",
    r"GameStanding|RulesReport|STANDINGS": "GameStatus, GAME_STATUSES",
    r"told|is_told|_told|Told": "the plain verb: sent, reported, answered",
}
"""Identifiers, by regular expression of the whole word -> what to write instead."""

PHRASES = {
    r"put(s|ting)? aside": "dead-letter",
    r"whoever": "any client that, the sender, the owner",
    r"told (that|of|to|by|in|when|why|what|so)": "sent, reported, configured",
    r"(is|are|was|were|be) told": "gets, is sent, is reported",
    r"hang(s|ing)? up": "close, disconnect",
    r"moving house": "migration",
    r"alarms? rings?|rings? an alarm": "alert fires, alert runbook",
    r"goes without saying": "automatic",
    r"of itself": "automatically",
    r"is at it": "is running",
    r"begins? (anew|afresh)": "restarts",
    r"of its own accord": "automatically",
    r"lets? (it|them) go on": "release, resume",
    r"(how|where) (a|the|his|her) games? stands?": "status of the game",
    r"stands? (in|at) (the|a) (log|topic|partition|partitions|folder)": "is in",
    r"rules\.standings|[`:] ?lobby\.cards|\.parked": "rules.game_statuses, lobby.summaries, *.dead_letters",
    r"signalbox parked": "signalbox dead-letters",
}
"""Phrases, by regular expression -> what to write instead."""


ANY_NAME = re.compile("|".join(NAMES))
IDENTIFIER = re.compile(r"[A-Za-z0-9_]+")
PLAIN_PHRASES = {
    re.compile(rf"({phrase.replace(' ', ' +')})(?![a-z])"): instead for phrase, instead in PHRASES.items()
}


def scanned(repository: Path) -> Iterator[tuple[str, str]]:
    """Our own texts with their paths."""
    found = [path for folder in FOLDERS for path in sorted((repository / folder).rglob("*"))]
    for path in [*found, *(repository / name for name in FILES)]:
        name = path.relative_to(repository).as_posix()
        is_ours = path.is_file() and (path.suffix in SUFFIXES or name in FILES)
        if is_ours and not name.startswith((*GENERATED, *AREAS_NOT_YET_RENAMED)):
            yield name, path.read_text(encoding="utf-8")


def findings(name: str, text: str) -> list[str]:
    """Lines with a replaced word, with what to write instead. A phrase may run over the end of a line."""
    flat = re.sub(r"\n[ #/]*", lambda gap: " " * len(gap.group()), text)
    found = [*names_in(flat), *phrases_in(flat.lower())]
    return [
        f"{name}:{text.count(chr(10), 0, start) + 1}: {word!r}; write: {instead}"
        for start, word, instead in found
    ]


def names_in(text: str) -> Iterator[tuple[int, str, str]]:
    """Where replaced identifiers are: each is compared once, however often it is in the text."""
    for word in sorted(set(IDENTIFIER.findall(text))):
        if ANY_NAME.fullmatch(word):
            instead = next(each for name, each in NAMES.items() if re.fullmatch(name, word))
            whole = re.compile(rf"(?<![A-Za-z0-9_]){word}(?![A-Za-z0-9_])")
            yield from ((found.start(), word, instead) for found in whole.finditer(text))


def phrases_in(text: str) -> Iterator[tuple[int, str, str]]:
    """Where replaced phrases are in a text in small letters, not within a word."""
    for pattern, instead in PLAIN_PHRASES.items():
        for found in pattern.finditer(text):
            before = text[found.start() - 1 : found.start()]
            if not "a" <= before <= "z":
                yield found.start(), found.group(), instead


def test_replaced_words_do_not_come_back(repository: Path) -> None:
    """No identifier, comment, docstring, message or page uses a replaced word."""
    assert [line for name, text in scanned(repository) for line in findings(name, text)] == []


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("class CommandDesk:", 1),
        ("a record that was put\n    # aside", 1),
        ("Whoever asks is told why.", 2),
        ("parked_games = 3", 1),
        ("the watchdog ends a hanging process", 0),
        ("placed = replace(place)", 0),
    ],
)
def test_words_are_found_where_they_are(text: str, count: int) -> None:
    """Whole identifiers and phrases over the end of a line are found, and nothing else."""
    assert len(findings("sample.py", text)) >= count
    assert bool(findings("sample.py", text)) == bool(count)


def test_every_exception_exists(repository: Path) -> None:
    """An area that is gone or renamed leaves the list of exceptions."""
    names = [
        path.relative_to(repository).as_posix()
        for folder in FOLDERS
        for path in (repository / folder).rglob("*")
    ]
    assert [
        area for area in AREAS_NOT_YET_RENAMED if not any(f"{each}/".startswith(area) for each in names)
    ] == []
