"""A lobby that is killed while a seat is given to somebody else: at every step, nothing is missing and nothing doubled."""

from __future__ import annotations

from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from prometheus_client import CollectorRegistry

from services.common.auth.tokens import Principal
from services.common.clock import ManualClock
from services.common.eventlog.memory import MemoryEventLog, MemorySnapshotStore
from services.common.settings.service import Settings
from services.gen.signalbox.events.v1 import events_pb2
from services.gen.signalbox.rules.v1 import direction_pb2
from services.host.directing import RulesDirector
from services.host.game_starting import RulesCatalogue, RulesStarter
from services.host.in_process import LobbyFollower
from services.host.positions import OwnPositions
from services.lobby.adapters.memory_summaries import MemorySummaries
from services.lobby.bootstrap import bootstrap_lobby
from services.lobby.bootstrap_ports import GamePorts, LobbyPorts
from services.lobby.domain.catalogue import TableChoices
from services.lobby.domain.players import Player
from services.lobby.domain.tables import Table
from services.lobby.ports import Directed
from services.rules.bootstrap import bootstrap_rules
from services.rules.titles import TITLES
from tests.lobby.fakes import PlainPasswords
from tests.mortal_log import Killed
from tests.rules.tiny import LocalSolver

KEY = Ed25519PrivateKey.generate()
STEPS = (
    "before rules write",
    "after rules wrote",
    "before the lobby writes",
    "after the lobby wrote",
    "never",
)


class DyingLog(MemoryEventLog):
    """A log whose process is killed around the first write to a stream that begins so."""

    def __init__(self) -> None:
        super().__init__(ManualClock())
        self.dies_before = self.dies_after = "nothing"

    def append(self, stream: str, *arguments: Any) -> Any:
        """See `EventLog.append`."""
        if stream.startswith(self.dies_before):
            raise Killed
        result = super().append(stream, *arguments)
        if stream.startswith(self.dies_after):
            raise Killed
        return result

    def live(self) -> None:
        """Nothing more dies."""
        self.dies_before = self.dies_after = "nothing"


class Running:
    """Rules and lobby over a log, as one process has them."""

    def __init__(self, log: MemoryEventLog) -> None:
        rules, _ = bootstrap_rules(
            log=log, snapshots=MemorySnapshotStore(), solver=LocalSolver(), registry=CollectorRegistry()
        )
        self.rules = rules
        self.summaries = MemorySummaries()
        self.lobby = bootstrap_lobby(
            LobbyPorts(
                log=log,
                games=GamePorts(
                    RulesCatalogue(TITLES),
                    RulesStarter(rules, TITLES),
                    director=RulesDirector(rules),
                    positions=OwnPositions(rules),
                ),
                signing_key=KEY,
                settings=Settings(),
                clock=ManualClock(),
                passwords=PlainPasswords(),
                summaries=self.summaries,
            )
        )
        follower = LobbyFollower(log, rules, self.lobby.followed)
        rules.add_follower(follower)
        follower.catch_up(lambda: False)

    def registered(self, name: str) -> Principal:
        """A new account."""
        player = self.lobby.players.register(f"r-{name}", name, "correct horse", address="here")
        assert isinstance(player, Player)
        return Principal(player.player_id, player.name)

    def direct(self, director: Principal, table: Table, seat: str) -> Directed:
        """Sue, who has offered to, takes a seat: always the same request."""
        assigned = direction_pb2.AssignSeat(seat=seat, kind=events_pb2.BEARER_KIND_SUBSTITUTE)
        direction = direction_pb2.Direction(reason="no answer", assign_seat=assigned)
        done = self.lobby.directing.direct(director, False, "d1", table.table_id, 0, direction, "Sue")
        assert isinstance(done, Directed)
        return done


def begun(running: Running) -> tuple[Table, list[Principal]]:
    """A table of Ann, who directs, Ben and Cem, whose game has begun."""
    people = [running.registered(name) for name in ("Ann", "Ben", "Cem")]
    ann, *others = people
    tables = running.lobby.tables
    table = tables.create(ann, "c", TableChoices("1824", 3), owner_directs=True)
    assert isinstance(table, Table)
    for other in others:
        assert isinstance(tables.join(other, "j", table.table_id), Table)
    started = tables.start(ann, "s", table.table_id)
    assert isinstance(started, Table)
    return started, people


@pytest.mark.parametrize("step", STEPS)
def test_a_substitution_happens_once(step: str) -> None:
    """The director sends the same request again to the next process, and the seat has changed once, everywhere."""
    log = DyingLog()
    running = Running(log)
    table, people = begun(running)
    sue = running.registered("Sue")
    seat = table.seats[1]
    assert isinstance(running.lobby.inviting.offer(sue, "o", table.table_id), Table)
    log.dies_before = {"before rules write": "game/", "before the lobby writes": "lobby.table."}.get(
        step, "nothing"
    )
    log.dies_after = {"after rules wrote": "game/", "after the lobby wrote": "lobby.table."}.get(
        step, "nothing"
    )
    if step == "never":
        running.direct(people[0], table, seat)
    else:
        with pytest.raises(Killed):
            running.direct(people[0], table, seat)
    log.live()
    running = Running(log)
    done = running.direct(people[0], table, seat)
    assert running.direct(people[0], table, seat) == done
    events = running.rules.reader.events(table.game_id)
    taken = [event.sequence for event in events if event.WhichOneof("body") == "seat_taken"]
    assert taken == [done.last]
    assert len(events) == done.last
    (taker,) = running.lobby.tables.get(table.table_id).seat_takers
    assert (taker.seat, taker.bearer.name, taker.sequence) == (seat, "Sue", done.last)
    assert len(running.summaries.of_player(sue.player_id, False, 10)) == 1
    assert running.summaries.of_player(seat, False, 10) == []
