"""Tournaments: pairing rounds of up to 1,000 players, publishing a round of 25 tables on the embedded host, and one lobby with
200 events of 100 players.

`python -m tests.bench tournaments`.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec.structs import replace

from services.cli.demo_settings import embedded_settings
from services.common.auth.tokens import Principal
from services.common.clock import SystemClock
from services.common.eventlog.sqlite import SqliteEventLog, open_sqlite
from services.common.settings.service import Settings
from services.host.embedded import EmbeddedHost
from services.lobby.bootstrap import Lobby, bootstrap_lobby
from services.lobby.bootstrap_ports import GamePorts, LobbyPorts
from services.lobby.directory import TABLE_STREAM
from services.lobby.domain.games import GameResult
from services.lobby.domain.rejections import Rejection
from services.lobby.domain.tables import TableFinished
from services.lobby.domain.tournaments.charter import Charter, PlayedTitle, charter_json
from services.lobby.domain.tournaments.formats.stages import Stage, Swiss
from services.lobby.domain.tournaments.rounds.round import Round
from services.lobby.domain.tournaments.scoring.policy import ScoringPolicy
from services.lobby.domain.tournaments.simulation import Simulation
from services.lobby.event_codec import decode, encode
from services.lobby.handlers.requests import derived_id, game_id_of
from services.lobby.presets.loading import DESIGNS, SYSTEMS
from services.lobby.tournament_directory import ROUND_STREAM, TOURNAMENT_STREAM
from tests.lobby.fakes import FixedCatalogue, PlainPasswords, RecordingStarter

EVENTS, PLAYERS = 200, 100
CHARTER = Charter(
    name="Bench",
    stages=(Stage("swiss", Swiss(3)),),
    titles=(PlayedTitle("1824", 3, 4),),
    scoring=ScoringPolicy(SYSTEMS["place"]),
)
DIRECTOR = Principal("p" + "d" * 24, "Director")
PUBLISHING_MOST_SECONDS = 2.0
PAIRED, ROUNDS, SEED = (98, 400, 1000), 5, 7
PAIRING_MOST_SECONDS = 2.0
"""Of processor time, for a round."""


def main() -> int:
    """Prints times and memory; 1 where pairing or publishing takes longer than it may."""
    pairing = max(map(_longest_round, PAIRED))
    with tempfile.TemporaryDirectory() as folder:
        seconds = _publish_on_a_host(Path(folder))
        _hold_many(Path(folder))
    return int(seconds > PUBLISHING_MOST_SECONDS or pairing > PAIRING_MOST_SECONDS)


def _longest_round(players: int) -> float:
    """The processor time of the slowest of some rounds that are paired one by one."""
    stage = Stage("swiss", Swiss(ROUNDS))
    simulation = Simulation(stage, players, SEED, ScoringPolicy(SYSTEMS["place"]), DESIGNS)
    took, began = [], time.process_time()
    for _ in simulation.rounds():
        took.append(time.process_time() - began)
        began = time.process_time()
    print(f"pairing {players} players: {max(took):.2f} s of processor time for the slowest round", flush=True)
    return max(took)


@contextmanager
def timed(what: str, took: list[float] | None = None) -> Iterator[None]:
    """Prints how long something takes, and adds it to `took`."""
    began, worked = time.perf_counter(), time.process_time()
    yield
    seconds, busy = time.perf_counter() - began, time.process_time() - worked
    print(f"{what}: {seconds:.2f} s, of a processor {busy:.2f} s", flush=True)
    if took is not None:
        took.append(seconds)


def done(answer: Any) -> Any:
    """An answer that is no rejection."""
    assert not isinstance(answer, Rejection), answer
    return answer


def _begin(lobby: Lobby) -> str:
    """An event with all players entered and its stage begun; gives its id."""
    desk = lobby.tournaments.handlers
    event_id: str = done(desk.create(DIRECTOR, "c", charter_json(CHARTER))).tournament_id
    done(desk.set_entries(DIRECTOR, "o", event_id, True))
    for number in range(PLAYERS):
        done(desk.enter(Principal(f"p{number:024}", f"Player {number}"), "e", event_id, (), ()))
    done(desk.start_stage(DIRECTOR, "s", event_id))
    return event_id


def _publish(lobby: Lobby, event_id: str, took: list[float]) -> Round:
    rounds = lobby.tournaments.rounds
    with timed(f"pairing {PLAYERS} players"):
        proposed = done(rounds.propose(DIRECTOR, derived_id("r", event_id, str(time.time())), event_id))
    with timed(f"publishing {len(proposed.proposal.tables)} tables", took):
        published: Round = done(rounds.publish(DIRECTOR, "q", proposed.round_id, 0))
    assert published.are_tables_made
    return published


def _publish_on_a_host(folder: Path) -> float:
    """The embedded host makes tables and games, with real rules, ledger and file."""
    host = EmbeddedHost(embedded_settings(folder))
    host.start()
    took: list[float] = []
    try:
        lobby = host._lobby
        _publish(lobby, _begin(lobby), took)
    finally:
        host.stop()
    return took[0]


def _hold_many(folder: Path) -> None:
    """Every event has a round of which all games have ended; the copies differ in their ids alone."""
    log, _ = open_sqlite(folder / "many.db")
    first = _opened(log)
    event_id = _begin(first)
    published = _publish(first, event_id, [])
    for state in published.tables.values():
        table = first.tables.get(state.table.table_id)
        results = tuple(GameResult(seat, 1000 - number) for number, seat in enumerate(table.seats))
        finished = TableFinished(table.game_id, 9, "bank", results)
        log.append(TABLE_STREAM + table.table_id, table.version, [encode(finished)])
    first.tournaments.publisher.catch_up()
    with timed(f"writing {EVENTS - 1} more events of {PLAYERS} players"):
        for number in range(1, EVENTS):
            _copy(log, published, event_id, derived_id("e", str(number)))
    memory = _most_memory()
    lobby = _opened(log)
    with timed(f"a new lobby reads {EVENTS} events"):
        events = lobby.tournaments.reader.all()
        assert len(events) == EVENTS
    with timed("and their tables"):
        lobby.tables.page(1, "", "", None)
    print(f"memory: {_most_memory() - memory:.0f} MiB more, {_most_memory():.0f} MiB in all")
    with timed("its first pass over everything"):
        lobby.tournaments.publisher.catch_up()
    with timed("a later pass over everything"):
        lobby.tournaments.publisher.catch_up()
    with timed("looking for rounds that are due"):
        lobby.tournaments.publisher.publish_all_due()
    newest = events[0].tournament_id
    with timed("standings"):
        lobby.tournaments.reader.standings(newest, 0)
    with timed("all ratings"):
        lobby.tournaments.reader.leaderboard("")
    _publish(lobby, newest, [])
    log.close()


def _opened(log: SqliteEventLog) -> Lobby:
    return bootstrap_lobby(
        LobbyPorts(
            log=log,
            games=GamePorts(FixedCatalogue(), RecordingStarter()),
            signing_key=Ed25519PrivateKey.generate(),
            settings=Settings(),
            clock=SystemClock(),
            passwords=PlainPasswords(),
        )
    )


def _copy(log: SqliteEventLog, current: Round, event_id: str, copy_id: str) -> None:
    """Everything of an event and its round once more, under ids of its own."""

    def table_id_of(number: int) -> str:
        return derived_id("t", copy_id, str(number))

    round_id = current.round_id.replace(event_id, copy_id)
    _copy_stream(
        log, TOURNAMENT_STREAM, event_id, copy_id, lambda event: _named(event, tournament_id=copy_id)
    )
    tables = {number: (state.table.table_id, table_id_of(number)) for number, state in current.tables.items()}

    def of_round(event: Any) -> Any:
        if hasattr(event, "charter_version"):
            made = (
                replace(each, table_id=table_id_of(each.number), game_id=game_id_of(table_id_of(each.number)))
                for each in event.tables
            )
            return replace(event, tables=tuple(made))
        return _named(event, tournament_id=copy_id)

    _copy_stream(log, ROUND_STREAM, current.round_id, round_id, of_round)
    for old, new in tables.values():
        names = {"table_id": new, "game_id": game_id_of(new), "round_id": round_id}
        _copy_stream(log, TABLE_STREAM, old, new, lambda event, names=names: _named(event, **names))  # type: ignore[misc]


def _copy_stream(log: SqliteEventLog, prefix: str, old: str, new: str, change: Callable[[Any], Any]) -> None:
    records = [encode(change(decode(record))) for record in log.read(prefix + old)]
    log.append(prefix + new, 0, records)


def _named(event: Any, **names: str) -> Any:
    """The event with other ids, where it has any."""
    return replace(event, **{name: value for name, value in names.items() if name in event.__struct_fields__})


def _most_memory() -> float:
    """Most memory that this process has had, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    sys.exit(main())
