"""Hosts, players and tables for tests over real connections."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import grpc
import pytest

from services.bots import BOTS, Bot
from services.client import Games, Lobby
from services.client.lobby import register, sign_in
from services.gen.signalbox.lobby.v1 import table_pb2
from services.gen.signalbox.rules.v1 import game_pb2, rules_pb2
from services.host.addresses import Addresses
from tests.hosting import PASSWORD, new_name


@dataclass
class Person:
    """Somebody signed in, with a bot that thinks when it has to."""

    name: str
    player_id: str
    token: str
    addresses: Addresses
    games: Games
    bot: Bot

    @property
    def metadata(self) -> tuple[tuple[str, str], ...]:
        """What proves who calls."""
        return (("authorization", f"Bearer {self.token}"),)

    def move(self, game_id: str) -> rules_pb2.Accepted:
        """Do something that may be done now."""
        offer = self.games.choices(game_id)
        return self.games.execute(game_id, offer.sequence, self.bot.choose(offer.choices))


def person(addresses: Addresses, name: str, is_new: bool = True) -> Person:
    """Registers under a name of its own if need be, and signs in."""
    if is_new:
        name = new_name(name)
        register(addresses.lobby, name, PASSWORD)
    session = sign_in(addresses.lobby, name, PASSWORD)
    games = Games(addresses.rules, session.token)
    return Person(name, session.player.player_id, session.token, addresses, games, BOTS["sensible"](1))


@dataclass
class Gathering:
    """A game that has begun, and its players by id."""

    table: table_pb2.Table
    people: dict[str, Person]

    @property
    def game_id(self) -> str:
        """Id of the game."""
        return self.table.game_id

    def anybody(self) -> Person:
        """One of the players."""
        return next(iter(self.people.values()))

    def view(self) -> game_pb2.GameView:
        """The game as it stands."""
        return self.anybody().games.game(self.game_id)

    def asked(self) -> Person:
        """Who has to move."""
        return self.people[self.view().acting_players[0]]

    def waiting(self) -> Person:
        """Somebody who has not."""
        asked = self.asked()
        return next(each for each in self.people.values() if each is not asked)

    def move(self) -> rules_pb2.Accepted:
        """The acting player moves, and all watchers get it."""
        moved = self.asked().move(self.game_id)
        self.hear(moved.last_sequence)
        return moved

    def hear(self, sequence: int) -> None:
        """Everybody knows that the game is so far."""
        for each in self.people.values():
            each.games.expect(self.game_id, sequence)

    def play(self, moves: int) -> None:
        """So many moves of the acting players."""
        for _ in range(moves):
            self.move()


def gather(addresses: Addresses, names: Sequence[str], seed: int = 1) -> Gathering:
    """These people register, sit down at a table of 1824 and begin."""
    people = [person(addresses, name) for name in names]
    lobbies = [Lobby(addresses.lobby, each.token) for each in people]
    table_id = lobbies[0].create_table("1824", len(people), seed=seed).table_id
    for lobby in lobbies[1:]:
        lobby.join_table(table_id)
    table = lobbies[0].start_table(table_id)
    for lobby in lobbies:
        lobby.close()
    return Gathering(table, {each.player_id: each for each in people})


def signed_in_again(addresses: Addresses, people: Mapping[str, Person]) -> dict[str, Person]:
    """The same people at other addresses with the tokens they had."""
    return {
        player_id: Person(
            each.name,
            player_id,
            each.token,
            addresses,
            Games(addresses.rules, each.token),
            each.bot,
        )
        for player_id, each in people.items()
    }


def failure(call: Callable[[], object]) -> grpc.RpcError:
    """The error with which a call fails."""
    with pytest.raises(grpc.RpcError) as caught:
        call()
    return caught.value
