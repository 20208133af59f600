"""Tables with a clock policy over real connections, on both hosts: an expired turn is played, and of a move that races with the
expiry of its turn exactly one has effect."""

from __future__ import annotations

import os
import time
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest

from services.client import Lobby
from services.client.calls import Rejected, new_request_id
from services.client.games import MovedOnError
from services.gen.signalbox.lobby.v1 import lobby_service_pb2 as pb, table_clock_pb2
from services.gen.signalbox.lobby.v1.lobby_service_pb2_grpc import LobbyServiceStub
from services.host.addresses import Addresses
from services.host.processes import ClusterHost
from services.lobby.cluster.replica import GRACE_MS as CLUSTER_GRACE_MS
from services.lobby.domain.table_clocks import CLOCK_ACCOUNT
from services.lobby.handlers.following import GRACE_MS
from services.lobby.turn_timer import CHECK_SECONDS
from tests.hosting import Host, channel_to
from tests.integration.tables import Gathering, person

pytestmark = pytest.mark.integration

POLICY = (
    '{"bank": 0, "grace_per_turn": 2, "reminders": [], "on_expiry": [{"action": "standing_policy_least"}]}'
)
SECONDS = 120.0
LOOK_EVERY_SECONDS = 0.1
GAMES, RACES_IN_ONE_GAME = 4, 3
GAMES_OF_SOAK = int(os.environ.get("SIGNALBOX_RACES", "2000")) // RACES_IN_ONE_GAME
GAMES_AT_ONCE = 32


def clocked(addresses: Addresses, policy: str = POLICY, turn_seconds: int = 0) -> Gathering:
    """A game of three, with two seconds for each turn unless the policy says otherwise. `turn_seconds`: in its place."""
    people = [person(addresses, name) for name in ("Ann", "Bob", "Cem")]
    first = people[0]
    with channel_to(addresses.lobby) as channel:
        request = pb.CreateTableRequest(
            request_id=new_request_id(),
            title="1824",
            player_count=len(people),
            seed=1,
            clock="" if turn_seconds else policy,
            turn_seconds=turn_seconds,
        )
        made = LobbyServiceStub(channel).CreateTable(request, metadata=first.metadata).table
    lobbies = [Lobby(addresses.lobby, each.token) for each in people]
    for lobby in lobbies[1:]:
        lobby.join_table(made.table_id)
    table = lobbies[0].start_table(made.table_id)
    for lobby in lobbies:
        lobby.close()
    return Gathering(table, {each.player_id: each for each in people})


def asked_clock(lobby: Lobby, game: Gathering, after_ms: int = 0) -> table_clock_pb2.SeatTime:
    """The clock that runs for the player who is asked now, once the lobby has followed the game so far."""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        acting = game.view().acting_players
        running = [each for each in lobby.clocks(game.table.table_id).clocks.seats if each.deadline_time_ms]
        if [each.seat for each in running] == list(acting) and running[0].deadline_time_ms > after_ms:
            return running[0]
        time.sleep(LOOK_EVERY_SECONDS)
    raise TimeoutError("the lobby does not follow the game")


def moved_after(game: Gathering, sequence: int) -> None:
    """Waits until the game has moved on."""
    end = time.monotonic() + SECONDS
    while game.view().sequence == sequence:
        assert time.monotonic() < end, "nobody acts about the overdue turn"
        time.sleep(LOOK_EVERY_SECONDS)


def effects(game: Gathering) -> dict[int, str]:
    """Who had each effect since the game began: a player or the clock, for each request in the log by the sequence before."""
    found: dict[int, str] = {}
    known: set[str] = set()
    for event in game.anybody().games.events(game.game_id):
        if event.request_id not in known:
            known.add(event.request_id)
            decided = event.director_decided
            found[event.sequence - 1] = "clock" if decided.author == CLOCK_ACCOUNT else "player"
    del found[0]
    return found


def race(game: Gathering, lobby: Lobby, grace_ms: int, random: Random) -> tuple[int, str]:
    """A player moves about when the lobby acts about the overdue turn: from which sequence, and whose effect it was by the
    answer."""
    while True:
        clock = asked_clock(lobby, game)
        who = game.people[clock.seat]
        offer = who.games.choices(game.game_id)
        # The clock may have moved for this player by now.
        if offer.choices:
            break
    command = who.bot.choose(offer.choices)
    at_ms = clock.deadline_time_ms + grace_ms + random.uniform(-0.5, CHECK_SECONDS) * 1000
    time.sleep(max(0.0, at_ms / 1000 - time.time()))
    try:
        moved = who.games.execute(game.game_id, offer.sequence, command)
    except (MovedOnError, Rejected):
        moved_after(game, offer.sequence)
        return offer.sequence, "clock"
    game.hear(moved.last_sequence)
    return offer.sequence, "player"


def raced(addresses: Addresses, grace_ms: int, seed: int) -> list[str]:
    """Some races in one game: each has the effect in the log that its answer says, and the log has no other move of a player."""
    game, random = clocked(addresses), Random(seed)
    lobby = Lobby(addresses.lobby, game.anybody().token)
    answers = dict(race(game, lobby, grace_ms, random) for _ in range(RACES_IN_ONE_GAME))
    logged = effects(game)
    assert {sequence: logged[sequence] for sequence in answers} == answers
    assert list(logged.values()).count("player") == list(answers.values()).count("player")
    # The clock and the log agree about whose turn it is, and the turns that ended were charged.
    asked_clock(lobby, game)
    assert sum(each.used_ms for each in lobby.clocks(game.table.table_id).clocks.seats) > 0
    lobby.close()
    return list(answers.values())


def grace_of(host: Host) -> int:
    """How late a turn is judged."""
    return CLUSTER_GRACE_MS if isinstance(host, ClusterHost) else GRACE_MS


def races(host: Host, games: int, at_once: int) -> list[str]:
    """Races in so many games."""
    with ThreadPoolExecutor(at_once) as threads:
        running = [threads.submit(raced, host.addresses, grace_of(host), seed) for seed in range(games)]
        return [winner for done in running for winner in done.result()]


def test_an_expired_turn_is_played(addresses: Addresses) -> None:
    """Nobody moves: the clock does, with a decision in the log, and the next player is asked."""
    game = clocked(addresses)
    lobby = Lobby(addresses.lobby, game.anybody().token)
    before = game.view()
    clock = asked_clock(lobby, game)
    moved_after(game, before.sequence)
    assert effects(game)[before.sequence] == "clock"
    after = asked_clock(lobby, game, clock.deadline_time_ms)
    assert after.seat != clock.seat
    times = {each.seat: each for each in lobby.clocks(game.table.table_id).clocks.seats}
    assert times[clock.seat].overdue_ms > 0
    lobby.close()


def test_of_a_move_and_its_expiry_one_has_effect(host: Host) -> None:
    """A few races."""
    assert len(races(host, GAMES, GAMES)) == GAMES * RACES_IN_ONE_GAME


@pytest.mark.soak
def test_of_many_moves_and_their_expiries_one_has_effect(host: Host) -> None:
    """Thousands, of which each side wins some."""
    assert set(races(host, GAMES_OF_SOAK, GAMES_AT_ONCE)) == {"player", "clock"}
