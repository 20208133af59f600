"""A client with its defaults plays and watches through the death and the new start of its host."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from services.client import Games, NotAnsweredError, Rejected
from tests.host_process import HostProcess, fixed_ports
from tests.integration.tables import Gathering, gather

pytestmark = pytest.mark.integration

SECONDS = 60.0
MOVES_BETWEEN = 8


class Watcher(threading.Thread):
    """Notes the sequences of all events of a game."""

    def __init__(self, games: Games, game_id: str) -> None:
        super().__init__(daemon=True)
        self._games, self._game_id = games, game_id
        self.seen: list[int] = []

    def run(self) -> None:
        """Watch until the client is closed."""
        with suppress(NotAnsweredError):
            for event in self._games.watch(self._game_id, seconds=SECONDS):
                self.seen.append(event.sequence)

    def end(self) -> None:
        """Close the client, and with it the watch."""
        self._games.close()
        self.join(SECONDS)


def play(gathering: Gathering, acknowledged: list[int], is_over: Callable[[], bool]) -> None:
    """Move and move; whatever fails, fails the test, but for a run that has to be proven while routing still warms up."""
    while not is_over():
        try:
            moved = gathering.move()
        except Rejected as rejected:
            assert rejected.reason in ("routing_unavailable", "route_not_best")
            continue
        acknowledged.extend(range(moved.first_sequence, moved.last_sequence + 1))


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_a_new_start_is_a_pause(tmp_path: Path, how: signal.Signals) -> None:
    """No call fails, no event is lost or doubled, and the watch goes on by itself."""
    ports = fixed_ports()
    host = HostProcess(tmp_path, ports)
    try:
        gathering = gather(host.addresses, ("Ann", "Bob", "Cem"))
        game_id = gathering.game_id
        watcher = Watcher(Games(host.addresses.rules, gathering.anybody().token), game_id)
        watcher.start()
        acknowledged: list[int] = []
        failures: list[BaseException] = []
        is_over = threading.Event()

        def playing() -> None:
            try:
                play(gathering, acknowledged, is_over.is_set)
            except BaseException as failure:
                failures.append(failure)

        player = threading.Thread(target=playing, daemon=True)
        player.start()
        wait_for(lambda: len(acknowledged) > MOVES_BETWEEN)
        host.end(how)
        host = HostProcess(tmp_path, ports)
        began_again = len(acknowledged)
        wait_for(lambda: len(acknowledged) > began_again + MOVES_BETWEEN or bool(failures))
        is_over.set()
        player.join(SECONDS)
        assert failures == []
        events = [event.sequence for event in gathering.anybody().games.events(game_id)]
        assert events == list(range(1, len(events) + 1))
        assert acknowledged == events[-len(acknowledged) :]
        wait_for(lambda: len(watcher.seen) >= len(events))
        assert watcher.seen == events
        watcher.end()
    finally:
        host.end()


def wait_for(is_so: Callable[[], bool]) -> None:
    """Until it is so; fails the test after a minute."""
    end = time.monotonic() + SECONDS
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.02)
