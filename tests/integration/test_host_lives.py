"""A host that is stopped, killed and started again: whatever it acknowledged is there."""

from __future__ import annotations

import random
import signal
import threading
import time
from contextlib import suppress
from functools import partial
from pathlib import Path

import grpc
import pytest

from services.client import AT_ONCE, Books, Games, Lobby, NotAnsweredError
from services.client.guests import TableGuests
from services.common.auth.tokens import Principal, load_or_create_signing_key
from services.common.errors import Unavailable
from services.common.eventlog.sqlite import open_sqlite
from services.gen.signalbox.lobby.v1 import table_pb2
from services.gen.signalbox.rules.v1 import rules_pb2 as pb
from services.gen.signalbox.rules.v1.rules_pb2_grpc import RulesStub
from services.host.embedded import EmbeddedHost
from services.lobby.bootstrap import bootstrap_lobby
from services.lobby.bootstrap_ports import GamePorts, LobbyPorts
from services.lobby.domain.catalogue import RulingSelection, TableChoices
from services.rules.adapters.codec import command_message
from services.rules.kernel.directing.commands import AssignSeat, Direct
from tests.host_process import GRACE_SECONDS, HostProcess, fixed_ports
from tests.hosting import settings_in
from tests.integration.tables import Person, failure, gather, person, signed_in_again
from tests.lobby.fakes import FixedCatalogue, RecordingStarter

pytestmark = pytest.mark.integration

SECONDS_TO_START = 120
# Processes that solve routes end with the host, however it ends.
WITH_WORKER = {"SIGNALBOX_ROUTING_WORKERS": "1"}


def test_a_restart_keeps_everything(tmp_path: Path) -> None:
    """Players, tokens, table, game, books and outcomes of requests are as they were, and play goes on."""
    settings = settings_in(tmp_path)
    host = EmbeddedHost(settings)
    host.start()
    gathering = gather(host.addresses, ("Ann", "Bob", "Cem"))
    gathering.play(9)
    asked, view = gathering.asked(), gathering.view()
    offer = asked.games.choices(gathering.game_id)
    request = pb.ExecuteRequest(
        game_id=gathering.game_id,
        request_id="last before the restart",
        expected_sequence=view.sequence,
        command=command_message(asked.bot.choose(offer.choices)),
    )
    stub = RulesStub(grpc.insecure_channel(host.addresses.rules))
    first = stub.Execute(request, timeout=60, metadata=asked.metadata).accepted
    view = gathering.view()
    events = list(asked.games.events(gathering.game_id))
    balance = Books(host.addresses.ledger, asked.token).trial_balance(gathering.game_id)
    host.stop()

    host = EmbeddedHost(settings)
    host.start()
    try:
        gathering.people = signed_in_again(host.addresses, gathering.people)
        again = gathering.anybody()
        assert person(host.addresses, again.name, is_new=False).player_id in gathering.people
        assert gathering.view() == view
        assert list(again.games.events(gathering.game_id)) == events
        assert Books(host.addresses.ledger, again.token).trial_balance(gathering.game_id) == balance
        assert Lobby(host.addresses.lobby, again.token).table(gathering.table.table_id) == gathering.table
        stub = RulesStub(grpc.insecure_channel(host.addresses.rules))
        repeated = stub.Execute(request, timeout=60, metadata=asked.metadata).accepted
        assert repeated.repeated_request
        assert list(repeated.events) == list(first.events)
        gathering.play(5)
        assert Books(host.addresses.ledger, again.token).trial_balance(gathering.game_id).balanced
    finally:
        host.stop()


def test_tables_whose_start_was_cut_off_are_resumed(tmp_path: Path) -> None:
    """Seats were drawn, then the process died: the next host begins the game. One that cannot begin stops nobody."""
    settings = settings_in(tmp_path)
    log, _ = open_sqlite(settings.database)
    starter = RecordingStarter()
    starter.is_failing = True
    lobby = bootstrap_lobby(
        LobbyPorts(
            log=log,
            games=GamePorts(FixedCatalogue(), starter),
            signing_key=load_or_create_signing_key(settings.signing_key),
            settings=settings,
        )
    )
    tables = {}
    for count in (2, 3, 4):
        people = [Principal(f"p{number}", f"Player {number}") for number in range(count)]
        choices = TableChoices("1824", count, (), RulingSelection("", ()), "own_turn", 7)
        table = lobby.tables.create(people[0], f"open-{count}", choices)
        for caller in people[1:]:
            lobby.tables.join(caller, f"join-{count}", table.table_id)  # type: ignore[union-attr]
        with pytest.raises(Unavailable):
            lobby.tables.start(people[0], f"start-{count}", table.table_id)  # type: ignore[union-attr]
        tables[count] = table.table_id  # type: ignore[union-attr]
    log.close()

    host = EmbeddedHost(settings)
    host.start()
    try:
        viewer = person(host.addresses, "Viewer")
        found = {
            count: Lobby(host.addresses.lobby, viewer.token).table(each) for count, each in tables.items()
        }
        states = {count: table.state for count, table in found.items()}
        assert states[2] == table_pb2.TABLE_STATE_CLOSED
        assert states[3] == states[4]
        assert states[3] not in (table_pb2.TABLE_STATE_STARTING, table_pb2.TABLE_STATE_OPEN)
        for count in (3, 4):
            view = viewer.games.game(found[count].game_id)
            assert [each.player for each in view.players] == list(found[count].seats)
        with pytest.raises(NotAnsweredError, match="NOT_FOUND"):
            viewer.games.game(found[2].game_id or "none")
    finally:
        host.stop()


def test_a_killed_host_comes_back_with_all_it_acknowledged(tmp_path: Path) -> None:
    """SIGKILL at some moment while players move, twice: every acknowledged event is in the log unchanged, the log
    has no gap, the books agree, and the unanswered request can be sent again."""
    child = HostProcess(tmp_path, WITH_WORKER)
    gathering = gather(child.addresses, ("Ann", "Bob", "Cem"))
    draw = random.Random(3)
    acknowledged: dict[int, bytes] = {}
    try:
        for _ in range(2):
            kill = partial(_kill_in_play, child, acknowledged, len(acknowledged) + 11, draw.random() / 2)
            killer = threading.Thread(target=kill)
            killer.start()
            unanswered = _play_until_dead(child, gathering.people, gathering.game_id, acknowledged)
            killer.join()
            child.process.communicate(timeout=SECONDS_TO_START)
            child = HostProcess(tmp_path, WITH_WORKER)
            gathering.people = signed_in_again(child.addresses, gathering.people)
            events = list(gathering.anybody().games.events(gathering.game_id))
            assert [event.sequence for event in events] == list(range(1, len(events) + 1))
            stored = {event.sequence: event.SerializeToString(deterministic=True) for event in events}
            assert acknowledged.items() <= stored.items()
            if unanswered is not None:
                player, request = unanswered
                stub = RulesStub(grpc.insecure_channel(child.addresses.rules))
                answer = stub.Execute(request, timeout=60, metadata=gathering.people[player].metadata)
                assert answer.WhichOneof("outcome") == "accepted"
            books = Books(child.addresses.ledger, gathering.anybody().token)
            gathering.play(1)
            assert books.trial_balance(gathering.game_id).balanced
            assert books.audit(gathering.game_id).sequence == gathering.view().sequence
        assert len(acknowledged) > 20
    finally:
        assert child.end(signal.SIGTERM) == 0


def _kill_in_play(child: HostProcess, acknowledged: dict[int, bytes], at_least: int, pause: float) -> None:
    """SIGKILL so many seconds after so many events have been acknowledged."""
    end = time.monotonic() + SECONDS_TO_START
    while len(acknowledged) < at_least and time.monotonic() < end:
        time.sleep(0.005)
    time.sleep(pause)
    child.process.kill()


def _play_until_dead(
    child: HostProcess, people: dict[str, Person], game_id: str, acknowledged: dict[int, bytes]
) -> tuple[str, pb.ExecuteRequest] | None:
    """Move until the host is gone, and keep what it acknowledged; returns the request it did not answer."""
    stub = RulesStub(grpc.insecure_channel(child.addresses.rules))
    request: pb.ExecuteRequest | None = None
    player = next(iter(people))
    number = len(acknowledged)
    try:
        while True:
            request, metadata = None, people[player].metadata
            view = stub.GetGame(pb.GetGameRequest(game_id=game_id), timeout=60, metadata=metadata).game
            player = view.acting_players[0]
            offer = Games(child.addresses.rules, people[player].token, AT_ONCE).choices(game_id)
            number += 1
            request = pb.ExecuteRequest(
                game_id=game_id,
                request_id=f"move-{number}-{view.sequence}",
                expected_sequence=offer.sequence,
                command=command_message(people[player].bot.choose(offer.choices)),
            )
            answer = stub.Execute(request, timeout=60, metadata=people[player].metadata)
            for event in answer.accepted.events:
                acknowledged[event.sequence] = event.SerializeToString(deterministic=True)
    except (grpc.RpcError, NotAnsweredError):
        return (player, request) if request is not None else None


def test_a_host_shows_its_stacks_and_goes_on(tmp_path: Path) -> None:
    """SIGUSR1 writes the stacks of all threads to standard error, after which the host stops as ever."""
    child = HostProcess(tmp_path)
    child.process.send_signal(signal.SIGUSR1)
    assert gather(child.addresses, ("Ann", "Bob", "Cem")).view().sequence > 0
    child.process.send_signal(signal.SIGTERM)
    child.process.communicate(timeout=SECONDS_TO_START)
    errors = child.log.read_text()
    assert child.process.returncode == 0
    assert "in serve_until_stopped" in errors


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_a_stopped_host_ends_cleanly(tmp_path: Path, how: signal.Signals) -> None:
    """Exit code 0 without waiting for somebody who watches, who gets a status to reconnect, and no error in the log."""
    child = HostProcess(tmp_path, WITH_WORKER)
    gathering = gather(child.addresses, ("Ann", "Bob", "Cem"))
    stub = RulesStub(grpc.insecure_channel(child.addresses.rules))
    metadata = gathering.anybody().metadata
    watching = stub.WatchGame(pb.WatchGameRequest(game_id=gathering.game_id), timeout=300, metadata=metadata)
    assert next(watching).event.sequence == 1
    began = time.monotonic()
    child.process.send_signal(how)
    child.process.communicate(timeout=SECONDS_TO_START)
    errors = child.log.read_text()
    assert child.process.returncode == 0
    assert time.monotonic() - began < GRACE_SECONDS
    assert failure(lambda: list(watching)).code() is grpc.StatusCode.UNAVAILABLE
    assert "Traceback" not in errors
    assert "call_failed" not in errors


def test_a_host_killed_while_it_substitutes_does_so_once(tmp_path: Path) -> None:
    """kill -9 at any moment: the same request finds the seat changed once, in the log, at the table and in the lists."""
    ports = fixed_ports()
    host = HostProcess(tmp_path, ports)
    ann, ben, sue = (person(host.addresses, name) for name in ("Ann", "Ben", "Sue"))
    lobby = Lobby(host.addresses.lobby, ann.token)
    table_id = lobby.create_table("1824", 2, ("cisleithania",), owner_directs=True).table_id
    Lobby(host.addresses.lobby, ben.token).join_table(table_id)
    table = lobby.start_table(table_id)
    TableGuests(host.addresses.lobby, sue.token).join(table_id, as_substitute=True)
    command = Direct(AssignSeat(ben.player_id, sue.player_id, "substitute"), "no answer")
    killer = threading.Timer(random.Random(18).random() / 50, partial(host.end, signal.SIGKILL))
    killer.start()
    hasty = Lobby(host.addresses.lobby, ann.token, AT_ONCE)
    with suppress(NotAnsweredError):
        hasty.direct(table_id, command, request_id="d1")
    killer.join()
    host = HostProcess(tmp_path, ports)
    try:
        done = lobby.direct(table_id, command, request_id="d1")
        assert lobby.direct(table_id, command, request_id="d1") == done
        bodies = [event.WhichOneof("body") for event in ann.games.events(table.game_id)]
        assert bodies.count("seat_taken") == 1
        assert len(bodies) == done.last_sequence
        assert [each.bearer.name for each in lobby.table(table_id).seat_takers] == [sue.name]
        listed = Lobby(host.addresses.lobby, sue.token).games().games
        assert [game.status.game_id for game in listed] == [table.game_id]
    finally:
        host.end()
