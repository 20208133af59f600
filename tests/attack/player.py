"""An honest player who plays on while a host is attacked, and what was acknowledged to it."""

from __future__ import annotations

import threading
import time
from collections import Counter

from services.bots import BOTS, Bot
from services.client import Games, Lobby, MovedOnError, NotAnsweredError, Rejected
from services.client.lobby import register, sign_in
from services.gen.signalbox.rules.v1 import rules_pb2
from services.host.addresses import Addresses

PASSWORD = "correct horse battery"
TITLE = "1824"
SEATS = 3
PAUSE_SECONDS = 0.02


class Person:
    """Somebody signed in."""

    def __init__(self, addresses: Addresses, name: str) -> None:
        self.name = name
        self.player_id = register(addresses.lobby, name, PASSWORD)
        self.token = sign_in(addresses.lobby, name, PASSWORD).token
        self.games = Games(addresses.rules, self.token)
        self.lobby = Lobby(addresses.lobby, self.token)
        self.bot: Bot = BOTS["sensible"](1)

    def close(self) -> None:
        """Close the connections."""
        self.games.close()
        self.lobby.close()


def begin_game(people: list[Person]) -> str:
    """A game of these people; returns its id."""
    owner, *others = people
    table_id = owner.lobby.create_table(TITLE, len(people)).table_id
    for each in others:
        each.lobby.join_table(table_id)
    return owner.lobby.start_table(table_id).game_id


class HonestPlayer(threading.Thread):
    """Plays games of 1824 for all their players, one command after the other, until it is stopped."""

    def __init__(self, addresses: Addresses, name: str) -> None:
        super().__init__(daemon=True)
        self.people = [Person(addresses, f"{name} {number}") for number in range(1, SEATS + 1)]
        self._by_id = {each.player_id: each for each in self.people}
        self._stopping = threading.Event()
        self.acknowledged: dict[str, dict[int, bytes]] = {}
        """By game: the events that were acknowledged, by sequence."""
        self.seconds: list[tuple[float, float]] = []
        """When each Execute ended, and how long it took with all its repeats."""
        self.runs = 0
        """Commands that ran trains, which need routing."""
        self.wrong: list[str] = []
        self._rejected: Counter[str] = Counter()

    def run(self) -> None:
        """Play."""
        while not self._stopping.is_set():
            try:
                game_id = begin_game(self.people)
                self.acknowledged[game_id] = {}
                while not self._stopping.is_set() and self._move(game_id):
                    self._stopping.wait(PAUSE_SECONDS)
            except (NotAnsweredError, Rejected) as failure:
                self.wrong.append(f"honest player: {failure}"[:300])
                self._stopping.wait(1.0)

    def stop(self) -> None:
        """Stop after the present command."""
        self._stopping.set()
        self.join()

    def latencies(self, since: float, until: float) -> list[float]:
        """Seconds of each Execute that ended between two times of the monotonic clock, sorted."""
        return sorted(took for ended, took in self.seconds if since <= ended <= until)

    def _move(self, game_id: str) -> bool:
        """One command; False when the game is over."""
        view = self.people[0].games.game(game_id)
        if view.finished:
            return False
        person = self._by_id[view.acting_players[0]]
        person.games.expect(game_id, view.sequence)
        offer = person.games.choices(game_id)
        if not offer.choices:
            return True
        began = time.monotonic()
        try:
            accepted = person.games.execute(game_id, offer.sequence, person.bot.choose(offer.choices))
        except MovedOnError:
            self.wrong.append(f"game {game_id} moved on without its players")
            return True
        self.seconds.append((time.monotonic(), time.monotonic() - began))
        self._note(game_id, accepted)
        return True

    def _note(self, game_id: str, accepted: rules_pb2.Accepted) -> None:
        for event in accepted.events:
            self.acknowledged[game_id][event.sequence] = event.SerializeToString(deterministic=True)
            self.runs += event.HasField("trains_ran")
        for each in self.people:
            each.games.expect(game_id, accepted.last_sequence)
