"""Lobbies that live for one write: each is a process that is ended by SIGKILL as soon as it has written to its log, and the next
one goes on from what is there. So a walk through a piece of work dies after each of its steps.

    python -m tests.host.lobby_lives FOLDER          the embedded host, with rules in the same process
    python -m tests.host.lobby_lives FOLDER KAFKA    a replica of the lobby on Kafka; KAFKA: settings as JSON

prints how many lives each piece of work has taken, after the facts were found to be there once each."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec.structs import replace
from prometheus_client import CollectorRegistry

from services.common.auth.tokens import Principal
from services.common.eventlog.port import Appended, EventLog
from services.common.eventlog.sqlite import SqliteEventLog
from services.common.kafka.event_log import KafkaEventLog
from services.common.kafka.settings import KafkaSettings
from services.common.settings.service import Settings
from services.common.telemetry.logs import configure_logging
from services.host.embedded import EmbeddedHost
from services.lobby.bootstrap import Lobby
from services.lobby.bootstrap_ports import GamePorts
from services.lobby.clock_directory import CLOCK_STREAM
from services.lobby.cluster.replica import LobbyReplica, ReplicaTiming
from services.lobby.domain.players import Player
from services.lobby.domain.positions import MoneyTransfer
from services.lobby.domain.table_clocks import TableClocks
from services.lobby.domain.tables import Table
from services.lobby.domain.time_control.policy import ClockPolicy, ExpiryStep, MoneyPenalty
from services.lobby.domain.tournaments.charter import charter_json
from services.lobby.domain.tournaments.formats.stages import Swiss
from services.lobby.domain.tournaments.rounds.adjudicating import Ruling
from services.lobby.domain.tournaments.rounds.adjudication import (
    AdjudicationKind,
    FinalWorth,
)
from services.lobby.domain.tournaments.rounds.round import (
    Round,
)
from services.lobby.tournament_check import check_streams
from tests.host.kafka_games import EVENTS_OF_A_DECISION, FiledGames
from tests.hosting import settings_in
from tests.lobby.fakes import FixedCatalogue, PlainPasswords
from tests.lobby.tournaments.club import charter_of, done

ACTED = "act_for_seat"
ONCE = (
    "round_proposed",
    "round_scheduled",
    "round_published",
    "round_tables_made",
    "table_seated",
    "clock_chosen",
    "table_game_begun",
    "table_seat_taken",
    "turn_reminded",
    "expiry_decided",
    "expiry_settled",
    "table_finished",
    "result_recorded",
)
RULINGS = {
    AdjudicationKind.ROLL_BACK: "roll_back",
    AdjudicationKind.CORRECT: "correct",
    AdjudicationKind.AWARD: "end_game",
}
"""Made one after the other, and how a game calls them."""
BANK = 600
LATE_MS = 700_000
LIVES_MAX = 40
NOWHERE = "127.0.0.1:1"
"""Where routing would be: no train runs here."""
SECONDS = 120.0
PLAYERS = 4
PASSWORD = "correct horse battery"
POLICY = ClockPolicy(
    bank=BANK,
    reminders=(50,),
    on_expiry=(ExpiryStep("standing_policy_least"),),
    penalty=MoneyPenalty(5, 60),
)


class Event(msgspec.Struct, frozen=True):
    """The tournament of a walk, its director and the one who steps in."""

    tournament_id: str
    round_id: str
    director: str
    substitute: str

    @property
    def caller(self) -> Principal:
        """The director."""
        return Principal(self.director, "Dora")


class Life:
    """One process: a lobby over what is in a folder, and the games that it knows of."""

    def __init__(self, lobby: Lobby) -> None:
        self.lobby = lobby

    def decisions(self, game_id: str) -> list[str]:
        """The kinds of what was decided about a game by a clock or a director."""
        raise NotImplementedError

    def sequence(self, game_id: str) -> int:
        """How far a game is."""
        raise NotImplementedError

    @property
    def log(self) -> EventLog:
        """The log of the lobby."""
        return self.lobby.followed.log

    def round(self, event: Event) -> Round:
        """The round as it is now."""
        return self.lobby.tournaments.rounds.get(event.director, event.round_id)

    def table(self, event: Event) -> Table:
        """Its one table."""
        return self.lobby.tables.get(self.round(event).tables[1].table.table_id)

    def clocks(self, event: Event) -> TableClocks:
        """The clocks of that."""
        return self.lobby.followed.clocks.streams.get(self.table(event).table_id)

    def until(self, holds: Callable[[], bool]) -> None:
        """Waits for what the lobby does by itself."""
        end = time.monotonic() + SECONDS
        while not holds():
            if time.monotonic() > end:
                raise TimeoutError("the lobby does not do it")
            time.sleep(0.02)


class EmbeddedLife(Life):
    """The embedded host."""

    def __init__(self, folder: Path) -> None:
        self._host = EmbeddedHost(replace(settings_in(folder), routing_addresses=(NOWHERE,)))
        super().__init__(self._host._lobby)
        self._host.start()

    def decisions(self, game_id: str) -> list[str]:
        """See `Life`."""
        game = self._host.rules.reader.game_at(game_id).game
        return [each.kind for each in game.decisions]

    def sequence(self, game_id: str) -> int:
        """See `Life`."""
        return self._host.rules.reader.game_at(game_id).game.sequence


class KafkaLife(Life):
    """A replica of the lobby on Kafka. Its games are in a file, since rules is another process that goes on."""

    def __init__(self, folder: Path, kafka: KafkaSettings) -> None:
        self._games = FiledGames(folder / "games.json", kafka)
        replica = LobbyReplica(
            Settings(database=folder / "signalbox.db"),
            replace(kafka, instance="mortal"),
            GamePorts(FixedCatalogue(), self._games, director=self._games, positions=self._games),
            Ed25519PrivateKey.generate(),
            CollectorRegistry(),
            passwords=PlainPasswords(),
            timing=ReplicaTiming(grace_ms=500, check_seconds=0.1, catch_up_seconds=1.0),
        )
        replica.start()
        self._games.report_all()
        super().__init__(replica.lobby)

    def decisions(self, game_id: str) -> list[str]:
        """See `Life`."""
        return self._games.decisions(game_id)

    def sequence(self, game_id: str) -> int:
        """See `Life`."""
        return self._games.sequence(game_id)


Work = Callable[[Life, Event, int], None]
"""A piece of work in the life of a number, from 0."""


def prepare(life: Life, clock: ClockPolicy | None = POLICY) -> Event:
    """A tournament of one table, its round proposed."""
    people = []
    for name in ("Dora", "Sue", *(f"Player {number}" for number in range(PLAYERS))):
        made = life.lobby.players.register(f"r-{name[-1]}", name, PASSWORD, address="here")
        assert isinstance(made, Player)
        people.append(Principal(made.player_id, made.name))
    dora, sue, *players = people
    desk = life.lobby.tournaments.handlers
    text = charter_json(charter_of(Swiss(1), clock=clock))
    event_id = done(desk.create(dora, "create", text)).tournament_id
    done(desk.set_entries(dora, "open", event_id, True))
    for player in players:
        done(desk.enter(player, "enter", event_id, (), ()))
    done(desk.set_entries(dora, "close", event_id, False))
    done(desk.start_stage(dora, "start", event_id))
    done(desk.set_entries(dora, "open-again", event_id, True))
    done(desk.enter(sue, "enter", event_id, (), ()))
    proposed = done(life.lobby.tournaments.rounds.propose(dora, "propose", event_id))
    return Event(event_id, proposed.round_id, dora.player_id, sue.player_id)


def publish(life: Life, event: Event, number: int) -> None:
    """Asked for in the first life; the next ones complete it by themselves. In the end the request is repeated."""
    if number:
        life.until(lambda: life.round(event).are_tables_made)
    done(life.lobby.tournaments.rounds.publish(event.caller, "publish", event.round_id, 0))
    life.until(lambda: bool(life.clocks(event).asked))


def expire(life: Life, event: Event, number: int) -> None:
    """The first turn is overdue: each life finds what is to be done."""
    life.until(
        lambda: len(life.clocks(event).asked) == 1 and ACTED in life.decisions(life.table(event).game_id)
    )
    life.until(lambda: not life.clocks(event).pending)


def substitute(life: Life, event: Event, number: int) -> None:
    """The director repeats the request until it is answered."""
    seat = life.round(event).tables[1].table.seats[-1]
    where = (event.round_id, 1, seat, event.substitute, (0, 0), "ill")
    done(life.lobby.tournaments.substitutions.record(event.caller, "substitute", *where))
    life.until(lambda: len(life.table(event).seat_takers) == 1)


def roll_back(life: Life, event: Event, number: int) -> None:
    """To the position before the substitution, which lasts."""
    to_sequence = life.sequence(life.table(event).game_id) - EVENTS_OF_A_DECISION
    _rule(life, event, number, Ruling(AdjudicationKind.ROLL_BACK, sequence=to_sequence))


def correct(life: Life, event: Event, number: int) -> None:
    """Money of the bank for a player."""
    transfer = MoneyTransfer("bank", life.round(event).tables[1].table.seats[0], 5)
    _rule(life, event, number, Ruling(AdjudicationKind.CORRECT, transfer=transfer))


def end(life: Life, event: Event, number: int) -> None:
    """Everybody has as much."""
    seats = life.round(event).tables[1].table.seats
    worths = tuple(FinalWorth(seat, 1_000) for seat in seats)
    _rule(life, event, number, Ruling(AdjudicationKind.AWARD, worths=worths))
    life.until(lambda: life.round(event).tables[1].result is not None)


def _rule(life: Life, event: Event, number: int, ruling: Ruling) -> None:
    """Asked for in the first life; the next ones record by themselves what the game has, and nobody repeats the request."""
    if not number:
        ruled = replace(ruling, expected_sequence=life.sequence(life.table(event).game_id))
        rounds = life.lobby.tournaments.rounds
        done(rounds.adjudicate(event.caller, ruling.kind.value, event.round_id, 1, ruled, "a wrong click"))

    def made() -> list[AdjudicationKind]:
        return [each.made.kind for each in life.round(event).tables[1].adjudications]

    life.until(lambda: ruling.kind in made())
    rulings = list(RULINGS)
    assert made() == rulings[: rulings.index(ruling.kind) + 1]
    decided = life.decisions(life.table(event).game_id)
    assert [kind for kind in decided if kind in RULINGS.values()] == [RULINGS[kind] for kind in made()]


def verify(life: Life, event: Event, number: int) -> None:
    """Each fact is there once, and repeated requests change nothing."""
    table, current = life.table(event), life.round(event)
    substitute(life, event, number)
    done(life.lobby.tournaments.rounds.publish(event.caller, "publish", event.round_id, 0))
    kinds = Counter(
        record.type
        for stream in (
            f"lobby.round.{event.round_id}",
            f"lobby.table.{table.table_id}",
            CLOCK_STREAM + table.table_id,
        )
        for record in life.log.read(stream)
    )
    assert {kind: kinds[kind] for kind in ONCE} == dict.fromkeys(ONCE, 1), kinds
    # The clock's move ended one turn, and one more was asked for; then the game was ended.
    assert kinds["clocks_charged"] == 3, kinds
    assert life.decisions(table.game_id) == [ACTED, "assign_seat", *RULINGS.values()]
    assert kinds["adjudication_made"] == len(RULINGS)
    (recorded,) = current.tables[1].substitutions
    assert (recorded.substitute.player_id, recorded.reason) == (event.substitute, "ill")
    checked = check_streams(life.log, event.tournament_id)
    assert checked is not None
    assert checked.problems == ()


WALK: tuple[tuple[Work, int], ...] = (
    (publish, 0),
    (expire, LATE_MS),
    (substitute, LATE_MS),
    (roll_back, LATE_MS),
    (correct, LATE_MS),
    (end, LATE_MS),
    (verify, LATE_MS),
)
"""Each with how much later it is than on the clock of the machine."""


def lived(act: Callable[[], None]) -> int:
    """Runs it in a process of its own; 0 where that came to its end, else the signal that ended it."""
    child = os.fork()
    if child == 0:
        try:
            act()
        except BaseException:
            traceback.print_exc()
            sys.stderr.flush()
            os._exit(1)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return os.WTERMSIG(status)
    if os.WEXITSTATUS(status):
        raise RuntimeError("a life has failed")
    return 0


def die_after_a_write(log_type: type[Any]) -> None:
    """This process dies as soon as one of these logs has been written to."""
    append = log_type.append

    def mortal(log: object, *given: Any) -> Any:
        result = append(log, *given)
        if isinstance(result, Appended):
            os.kill(os.getpid(), signal.SIGKILL)
        return result

    log_type.append = mortal


def later(milliseconds: int) -> None:
    """The clock of this process is so far ahead."""
    right, right_ns = time.time, time.time_ns
    time.time = lambda: right() + milliseconds / 1_000
    time.time_ns = lambda: right_ns() + milliseconds * 1_000_000


def walk(folder: Path, new_life: Callable[[], Life]) -> dict[str, int]:
    """How many processes each piece of work has taken."""
    file = folder / "event.json"
    lived(lambda: _write(file, msgspec.json.encode(prepare(new_life()))))
    event = msgspec.json.decode(file.read_bytes(), type=Event)
    return {work.__name__: _walked(event, work, late_ms, new_life) for work, late_ms in WALK}


def _walked(event: Event, work: Work, late_ms: int, new_life: Callable[[], Life]) -> int:
    for number in range(LIVES_MAX):

        def live(number: int = number) -> None:
            later(late_ms)
            die_after_a_write(SqliteEventLog)
            die_after_a_write(KafkaEventLog)
            work(new_life(), event, number)

        if lived(live) == 0:
            return number + 1
    raise RuntimeError(f"{work.__name__} comes to no end")


def _write(path: Path, content: bytes) -> None:
    path.write_bytes(content)


def _main(folder: Path, kafka: str) -> None:
    configure_logging("error")
    if kafka:
        settings = msgspec.json.decode(kafka, type=KafkaSettings)
        found = walk(folder, lambda: KafkaLife(folder, settings))
    else:
        found = walk(folder, lambda: EmbeddedLife(folder))
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    _main(Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "")
