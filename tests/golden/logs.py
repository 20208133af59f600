"""Logs as they were stored, kept for every schema version: how they are written and read.

A line is `[name, version, payload in base64]`; the last one says what must be true after the fold.

    python -m tests.golden.logs v3

writes the logs of all games by the present schema into a new folder; no log is ever written again. With names behind the
version only these games are written. A game that is played otherwise by now, by other rules or along another text, is
replaced in `KEPT`: all logs of one name are one game."""

from __future__ import annotations

import base64
import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from msgspec.structs import replace

from services.common.eventlog.port import NewRecord, Record
from services.lobby.domain.table_clocks import ClockEvent, TableClocks, evolve_clocks
from services.lobby.domain.tables import Table
from services.lobby.domain.tournaments.rounds.round import Round
from services.lobby.domain.tournaments.series.series import Series
from services.lobby.domain.tournaments.tournament import Tournament
from services.lobby.event_codec import decode
from services.rules.adapters.codec import encode_event
from services.rules.kernel.decide import Accepted
from services.rules.kernel.directing.commands import (
    ActForSeat,
    AssignSeat,
    Correct,
    Direct,
    Direction,
    EndGame,
    Resume,
    RollBack,
    Suspend,
)
from services.rules.kernel.directing.decide import NO_PAST, Past, decide_direction
from services.rules.kernel.game import Game
from services.rules.kernel.rejections import Rejection
from services.rules.kernel.values import Audience, Score
from services.rules.kernel.vocabulary import BANK
from tests.golden.files import recorded
from tests.golden.plans import PLANS_BY_NAME
from tests.golden.playing import Playthrough, along
from tests.simulation.play import Play

Folded = TypeVar("Folded")

FOLDER = Path(__file__).parent / "logs"
LOBBY = "lobby"
# The playthroughs whose beginnings are kept, and so many commands of them.
KEPT: Mapping[str, int] = {
    "1824-goods-time": 140,
    "1824-cisleithania-two": 60,
    "1824-other-rulings": 145,
    "1824-stalemate": 18,
    "1862-simple-express": 260,
    "1862-other-rulings": 270,
    "1862-shorter-short-game": 388,
    "1862-stalemate": 76,
    "1865-bank": 395,
    "1865-short-game": 272,
    "rotw-more-empty-cities": 130,
    "rotw-small-map": 81,
}
DIRECTED = "1824-directed"
DIRECTOR = "olga"


@dataclass(frozen=True, slots=True)
class Log:
    """A stored log, and what is true after it."""

    facts: tuple[NewRecord, ...]
    after: Mapping[str, Any]

    def records(self, stream: str) -> list[Record]:
        """The facts as records of a stream."""
        return [
            Record(stream, sequence, fact.type, fact.schema_version, fact.payload, 0, sequence)
            for sequence, fact in enumerate(self.facts, start=1)
        ]


def read(path: Path) -> Log:
    """The log in a file."""
    *lines, after = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    facts = tuple(NewRecord(name, version, base64.b64decode(text)) for name, version, text in lines)
    return Log(facts, after)


def write(path: Path, log: Log) -> None:
    """Store a log as a new file."""
    lines: list[Any] = [
        [fact.type, fact.schema_version, base64.b64encode(fact.payload).decode()] for fact in log.facts
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("x", encoding="utf-8") as file:
        file.writelines(json.dumps(line) + "\n" for line in (*lines, log.after))


def played(name: str) -> Log:
    """The beginning of a playthrough, as the present schema stores it."""
    through = Playthrough(PLANS_BY_NAME[name])
    chooser = along(recorded(through.plan))
    while through.step < KEPT[name]:
        command = chooser(through)
        assert command is not None, f"{name}: no command at step {through.step}"
        through.carry_out(command)
    facts = tuple(NewRecord(*encode_event(event)) for event in through.play.events)
    return Log(facts, game_seen(through.play.game))


def directed() -> Log:
    """The beginning of an invited game of 1824 in which a director has decided everything that directors may."""
    table = replace(PLANS_BY_NAME["1824-bank"].table(), audience=Audience(True, ("guest",), 2, 60))
    play = Play(table, "sensible")
    for _ in range(12):
        _carry_out(play, play.decided(play.player, play.choose()))
    earlier = play.game
    _carry_out(play, play.decided(play.player, play.choose()))
    past = Past(earlier, play.events[earlier.sequence :])
    _direct(play, RollBack(earlier.sequence), past)
    seat, other, *_ = play.game.players
    for direction in (
        Suspend(),
        Resume(),
        AssignSeat(seat, "sue", "substitute"),
        Correct(BANK, other, 7),
        ActForSeat(play.player, play.choose()),
        EndGame(tuple(Score(player, 0) for player in play.game.players)),
    ):
        _direct(play, direction)
    return Log(tuple(NewRecord(*encode_event(event)) for event in play.events), game_seen(play.game))


def _direct(play: Play, direction: Direction, past: Past = NO_PAST) -> None:
    command = Direct(direction, "for the golden log")
    _carry_out(play, decide_direction(play.title, play.data, play.game, DIRECTOR, command, None, past))


def _carry_out(play: Play, outcome: Accepted | Rejection) -> None:
    assert isinstance(outcome, Accepted), outcome
    if outcome.game.suspended:
        # Nobody is asked, so there is nothing to look at.
        play.events += outcome.events
        play.game = outcome.game
    else:
        play.carry_out(outcome)


def game_seen(game: Game) -> Mapping[str, Any]:
    """What is compared of a game after its log."""
    return {"sequence": game.sequence, "cash": dict(game.cash)}


def table_seen(table: Table) -> Mapping[str, Any]:
    """What is compared of a table of the lobby after its log."""
    return {
        "state": str(table.state),
        "players": [player.name for player in table.players],
        "seats": list(table.seats),
        "ending": table.ending,
        "results": [{"player_id": each.player_id, "value": each.value} for each in table.results],
    }


def tournament_seen(tournament: Tournament) -> Mapping[str, Any]:
    """What is compared of a tournament after its log."""
    return {
        "charter": tournament.charter.name,
        "charter_version": tournament.charter_version,
        "directors": [player.name for player in tournament.directors],
        "entries": {player: str(entry.state) for player, entry in sorted(tournament.entries.items())},
        "standings": [stage.standings_digest for stage in tournament.stages],
        "announcements": [each.text for each in tournament.announcements],
    }


def round_seen(current: Round) -> Mapping[str, Any]:
    """What is compared of a round of a tournament after its log."""
    return {
        "published": current.is_published,
        "seats": {str(number): list(each.table.seats) for number, each in current.tables.items()},
        "substitutes": [
            taken.substitute.name for each in current.tables.values() for taken in each.substitutions
        ],
        "adjudications": [len(each.adjudications) for each in current.tables.values()],
    }


def series_seen(series: Series) -> Mapping[str, Any]:
    """What is compared of a series after its log."""
    return {
        "divisions": [list(each.players) for each in series.divisions],
        "standings": [[list(each.players) for each in season.standings] for season in series.seasons],
        "points": {each.player_id: each.points for each in series.points},
        "players": sorted(each.name for each in series.players.values()),
    }


def clocks_after(clocks: TableClocks | None, event: ClockEvent) -> TableClocks:
    """The clocks of a table after one more event."""
    return evolve_clocks(clocks or TableClocks(), event)


def clocks_seen(clocks: TableClocks) -> Mapping[str, Any]:
    """What is compared of the clocks of a table after their log."""
    charged = clocks.charged
    assert charged is not None
    return {
        "left_ms": {each.seat: each.bank.left_ms for each in charged.clocks},
        "asked": [each.seat for each in clocks.asked],
        "steps": [[each.action, each.outcome] for each in clocks.steps],
        "reminded": [each.hundredths for each in clocks.reminded],
        "zones": {each.seat: [hours.zone for hours in each.schedule] for each in clocks.hours},
        "vacations": {each.seat: [str(free.last) for free in each.vacations] for each in clocks.hours},
        "penalties": [each.amount for each in clocks.penalized.penalties] if clocks.penalized else [],
    }


def replayed(log: Log, fold: Callable[[Folded | None, Any], Folded]) -> Folded:
    """What the events of a log of the lobby fold to."""
    folded: Folded | None = None
    for record in log.records("lobby.x"):
        folded = fold(folded, decode(record))
    assert folded is not None
    return folded


def main(version: str, *names: str) -> None:
    """Write the logs of these games, or of all, into the folder of a new version."""
    for name in names or (*KEPT, DIRECTED):
        log, title = (directed(), "1824") if name == DIRECTED else (played(name), PLANS_BY_NAME[name].title)
        write(FOLDER / title / version / f"{name}.jsonl", log)


if __name__ == "__main__":
    main(*sys.argv[1:])
