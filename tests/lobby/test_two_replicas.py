"""The lobby on Kafka with two replicas at once: both give the same answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec.structs import replace

from devtools.brokers.kafka import KafkaServers
from services.common.auth.tokens import Principal
from services.common.errors import Unavailable
from services.common.kafka.copy import LogCopy
from services.common.kafka.event_log import KafkaEventLog
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import LOBBY_EVENTS
from services.common.settings.service import Settings
from services.lobby.bootstrap import Lobby, bootstrap_lobby
from services.lobby.bootstrap_ports import GamePorts, LobbyPorts
from services.lobby.cluster.freshness import CopyFreshness
from services.lobby.domain.catalogue import TableChoices
from services.lobby.domain.players import Player
from services.lobby.domain.rejections import Rejection, RejectionReason
from services.lobby.domain.tables import Table, TableState
from tests.contracts.game_summaries_contract import status
from tests.lobby.fakes import FixedCatalogue, FixedSeeds, PlainPasswords, RecordingStarter
from tests.lobby.join_costs import records_read_by_joins
from tests.lobby.kafka_topics import own_topics
from tests.watching import pulled

pytestmark = pytest.mark.integration

SECONDS = 60.0
Answer = TypeVar("Answer")


class Replica:
    """One lobby with a copy of the log of its own."""

    def __init__(self, kafka: KafkaSettings, path: Path, starter: RecordingStarter) -> None:
        self.copy = LogCopy(kafka, LOBBY_EVENTS, path)
        self.log = KafkaEventLog(kafka, LOBBY_EVENTS, self.copy, answer_seconds=SECONDS)
        self.copy.start()
        self.freshness = CopyFreshness(kafka, self.copy)
        self.lobby: Lobby = bootstrap_lobby(
            LobbyPorts(
                log=self.log,
                games=GamePorts(FixedCatalogue(), starter),
                signing_key=Ed25519PrivateKey.generate(),
                settings=Settings(),
                seeds=FixedSeeds(),
                passwords=PlainPasswords(),
                freshen=self.freshness,
            )
        )

    def catch_up(self) -> None:
        """Wait for everything that is in Kafka now."""
        assert self.copy.wait_current(SECONDS)


@pytest.fixture(scope="module")
def lobby_kafka(kafka_servers: KafkaServers) -> Iterator[KafkaSettings]:
    """The one topic that these tests need."""
    with own_topics(kafka_servers, LOBBY_EVENTS) as kafka:
        yield kafka


@pytest.fixture(scope="module")
def starter() -> RecordingStarter:
    """Where games begin."""
    return RecordingStarter()


@pytest.fixture(scope="module")
def replicas(
    lobby_kafka: KafkaSettings, starter: RecordingStarter, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Replica, Replica]]:
    """Two replicas over one topic."""
    folder = tmp_path_factory.mktemp("copies")
    both = tuple(
        Replica(replace(lobby_kafka, instance=name), folder / f"{name}.db", starter) for name in ("a", "b")
    )
    yield both[0], both[1]
    for each in both:
        each.log.close()


def both_at_once(replicas: tuple[Replica, Replica], ask: Callable[[Replica], Answer]) -> list[Answer]:
    """The answers of both, asked at the same time."""
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(ask, replicas))


def registered(replica: Replica, name: str) -> Principal:
    """A new player."""
    player = replica.lobby.players.register(f"r-{name}", name, "correct horse", address="a")
    assert isinstance(player, Player)
    return Principal(player.player_id, player.name)


def opened(replica: Replica, owner: Principal, request_id: str, chairs: int = 3) -> Table:
    """A new table."""
    table = replica.lobby.tables.create(owner, request_id, TableChoices("1824", chairs))
    assert isinstance(table, Table)
    return table


def test_a_name_is_given_once(replicas: tuple[Replica, Replica]) -> None:
    """Claimed from two sides at the same time by two people, one of them gets it, and signs in at either replica."""
    for number in range(5):
        name = f"Wanted {number}"
        answers = both_at_once(
            replicas,
            lambda each, name=name, number=number: each.lobby.players.register(  # type: ignore[misc]
                f"claim-{number}-{each.copy._kafka.instance}", name, "correct horse", address="a"
            ),
        )
        players = [answer for answer in answers if isinstance(answer, Player)]
        rejections = [answer for answer in answers if isinstance(answer, Rejection)]
        assert len(players) == 1
        assert [rejection.reason for rejection in rejections] == [RejectionReason.NAME_TAKEN]
        for each in replicas:
            each.catch_up()
            session = each.lobby.players.log_in(name, "correct horse", address="a")
            assert not isinstance(session, Rejection)
            assert session.player == players[0]


def test_the_same_request_at_both_replicas_is_one(replicas: tuple[Replica, Replica]) -> None:
    """Registering and opening a table with one id, at the same time at both: one player, one table, one answer."""
    players = both_at_once(
        replicas,
        lambda each: each.lobby.players.register("same", "Same Person", "correct horse", address="a"),
    )
    assert players[0] == players[1]
    caller = Principal(players[0].player_id, "Same Person")  # type: ignore[union-attr]
    tables = both_at_once(
        replicas, lambda each: each.lobby.tables.create(caller, "same-table", TableChoices("1824", 3))
    )
    assert tables[0] == tables[1]
    other = replicas[1].lobby.tables.create(caller, "same-table", TableChoices("1824", 2))
    assert isinstance(other, Rejection)
    assert other.reason is RejectionReason.REQUEST_ID_REUSED


def test_look_alikes_from_two_sides_are_one(replicas: tuple[Replica, Replica]) -> None:
    """Names that can be taken for each other, registered at the same time at two replicas: at most one of them exists, and
    the other's stream is free again."""
    for number in range(5):
        names = {"a": f"Ida {number}", "b": f"lda {number}"}
        answers = both_at_once(
            replicas,
            lambda each, names=names: each.lobby.players.register(  # type: ignore[misc]
                "look", names[each.copy._kafka.instance], "correct horse", address="a"
            ),
        )
        assert [type(answer).__name__ for answer in answers].count("Player") == 1
        (lost,) = set(names.values()) - {answer.name for answer in answers if isinstance(answer, Player)}
        for each in replicas:
            each.catch_up()
            refused = each.lobby.players.log_in(lost, "correct horse", address="a")
            assert isinstance(refused, Rejection)


def test_guessing_by_request_id_is_limited_at_both_replicas(replicas: tuple[Replica, Replica]) -> None:
    """A known request id tells nothing at the other replica either."""
    first, second = replicas
    registered(first, "Guessed")
    second.catch_up()
    answers = [
        second.lobby.players.register("r-Guessed", "Guessed", f"wrong {n} guess", address="192.0.2.66")
        for n in range(6)
    ]
    reasons = [answer.reason for answer in answers if isinstance(answer, Rejection)]
    assert reasons == [RejectionReason.NAME_TAKEN] * 5 + [RejectionReason.TOO_MANY_ATTEMPTS]
    assert not isinstance(first.lobby.players.log_in("Guessed", "correct horse", address="a"), Rejection)


def test_a_long_history_costs_nothing(
    replicas: tuple[Replica, Replica], monkeypatch: pytest.MonkeyPatch
) -> None:
    """After many joins and leaves another one reads as few records as the first."""
    first, _ = replicas
    table = opened(first, registered(first, "Hostess"), "long")
    before, after = records_read_by_joins(first.lobby, first.log, table.table_id, 100, monkeypatch)
    assert after <= before + 2


def test_the_last_chair_is_taken_once(replicas: tuple[Replica, Replica]) -> None:
    """Two who join from two sides: one sits down, the other is rejected because the table is full; both replicas agree."""
    first, second = replicas
    owner, *guests = (registered(first, name) for name in ("Olga", "Gus", "Gil"))
    second.catch_up()
    for number in range(5):
        table = opened(first, owner, f"chair-{number}", chairs=2)
        second.catch_up()
        asking = dict(zip((id(first), id(second)), guests, strict=True))
        answers = both_at_once(
            replicas,
            lambda each, table=table, number=number, asking=asking: each.lobby.tables.join(  # type: ignore[misc]
                asking[id(each)], f"join-{number}", table.table_id
            ),
        )
        assert sorted(type(answer).__name__ for answer in answers) == ["Rejection", "Table"]
        for each in replicas:
            each.catch_up()
        assert first.lobby.tables.get(table.table_id) == second.lobby.tables.get(table.table_id)
        assert len(first.lobby.tables.get(table.table_id).players) == 2


def test_a_table_starts_once(replicas: tuple[Replica, Replica], starter: RecordingStarter) -> None:
    """Started at both replicas at the same time with one request, it has one game and the same answer."""
    first, second = replicas
    owner, guest = registered(first, "Ida"), registered(first, "Ivo")
    table = opened(first, owner, "start-both", chairs=2)
    first.lobby.tables.join(guest, "j", table.table_id)
    second.catch_up()
    answers = both_at_once(replicas, lambda each: each.lobby.tables.start(owner, "s", table.table_id))
    assert answers[0] == answers[1]
    assert isinstance(answers[0], Table)
    assert answers[0].state is TableState.PLAYING
    assert answers[0].game_id in starter.games
    for each in replicas:
        each.catch_up()
    begun = [
        record.type
        for record in second.log.read(f"lobby.table.{table.table_id}")
        if record.type == "table_game_begun"
    ]
    assert begun == ["table_game_begun"]


def test_pages_and_watches_go_on_at_the_other_replica(replicas: tuple[Replica, Replica]) -> None:
    """A page token and a watch position of one replica mean the same at the other."""
    first, second = replicas
    owner = registered(first, "Paul")
    tables = [opened(first, owner, f"page-{number}").table_id for number in range(4)]
    second.catch_up()
    newest, token = first.lobby.tables.page(2, "", "", TableState.OPEN)
    older, _ = second.lobby.tables.page(2, token, "", TableState.OPEN)
    assert [table.table_id for table in (*newest, *older)] == tables[::-1]
    position = next(pulled(first.lobby.table_watching.watch(0, tables[0], "ann"))).position
    guest = registered(first, "Pia")
    second.catch_up()
    second.lobby.tables.join(guest, "watched", tables[0])
    seen = next(pulled(second.lobby.table_watching.watch(position, tables[0], "ann")))
    assert (seen.table.table_id, seen.table.version) == (tables[0], 2)
    first.catch_up()
    again = next(pulled(first.lobby.table_watching.watch(position, tables[0], "ann")))
    assert (again.table, again.position) == (seen.table, seen.position)


def test_an_end_that_both_follow_is_written_once(replicas: tuple[Replica, Replica]) -> None:
    """Both follow the same status at the same time, as after a rebalance: one event."""
    first, second = replicas
    owner, guest = registered(first, "Eva"), registered(first, "Edo")
    table = opened(first, owner, "ends", chairs=2)
    first.lobby.tables.join(guest, "j", table.table_id)
    started = first.lobby.tables.start(owner, "s", table.table_id)
    assert isinstance(started, Table)
    second.catch_up()
    ended = status(started.game_id, 9, players=started.seats, acting_players=(), ending="bankruptcy")
    both_at_once(replicas, lambda each: each.lobby.followed.follow_status(ended))
    for each in replicas:
        each.catch_up()
        assert each.lobby.tables.get(table.table_id).state is TableState.FINISHED
    types = [record.type for record in second.log.read(f"lobby.table.{table.table_id}")]
    assert types.count("table_finished") == 1


def test_what_one_replica_acknowledged_the_other_knows(replicas: tuple[Replica, Replica]) -> None:
    """Signing in, joining and starting work on the other replica at once; none of them answers NOT_FOUND."""
    first, second = replicas
    for number in range(5):
        owner = registered(first, f"Quick{number}")
        assert not isinstance(
            second.lobby.players.log_in(owner.name, "correct horse", address="a"), Rejection
        )
        table = opened(first, owner, "quick", chairs=2)
        assert second.lobby.tables.get(table.table_id).table_id == table.table_id
        table = opened(first, owner, "quick-again", chairs=2)
        guest = registered(second, f"Guest{number}")
        assert isinstance(second.lobby.tables.join(guest, "j", table.table_id), Table)
        assert isinstance(first.lobby.tables.start(owner, "s", table.table_id), Table)


def test_a_replica_whose_copy_is_blocked_rejects_nothing(
    replicas: tuple[Replica, Replica], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It answers UNAVAILABLE instead, counts as not current, and recovers once the copy continues."""
    first, _ = replicas
    owner = registered(first, "Still")
    table = opened(first, owner, "still")
    with monkeypatch.context() as blocked:
        blocked.setattr(first.copy, "wait_for", lambda *_: False)
        with pytest.raises(Unavailable, match="up to date"):
            first.lobby.tables.join(owner, "again", table.table_id)
        with pytest.raises(Unavailable, match="up to date"):
            first.lobby.tables.get("unknown")
        assert not first.freshness.is_current
    refused = first.lobby.tables.join(owner, "again", table.table_id)
    assert isinstance(refused, Rejection)
    assert refused.reason is RejectionReason.ALREADY_SEATED
    assert first.freshness.is_current
