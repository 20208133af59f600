"""Clocks of a game that an operator holds in the ledger, over real connections on both hosts."""

from __future__ import annotations

import time

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from services.client import Lobby
from services.client.books import Books
from services.common.auth.token_keys import SingleKey
from services.common.auth.tokens import Principal, TokenIssuer
from services.common.clock import SystemClock
from services.gen.signalbox.lobby.v1 import game_summary_pb2, lobby_service_pb2 as pb
from services.gen.signalbox.lobby.v1.lobby_service_pb2_grpc import LobbyServiceStub
from services.host.addresses import Addresses
from tests.hosting import channel_to
from tests.integration.tables import Gathering
from tests.integration.test_clock_races import LOOK_EVERY_SECONDS, SECONDS, asked_clock, clocked

pytestmark = pytest.mark.integration

SLOW = '{"bank": 3600, "reminders": [], "on_expiry": [{"action": "standing_policy_pass"}]}'
HELD_SECONDS = 3.0
OPERATOR = Principal("operator:olga", "olga", "operator")
# Times of events are whole milliseconds.
ROUNDING_MS = 2.0


def until_paused(lobby: Lobby, table_id: str, is_paused: bool) -> float:
    """Waits until the clocks stand still, or run; when that was seen, in milliseconds since 1970 UTC."""
    end = time.monotonic() + SECONDS
    while lobby.clocks(table_id).clocks.is_paused is not is_paused:
        assert time.monotonic() < end, "the clocks do not hear of the ledger"
        time.sleep(LOOK_EVERY_SECONDS)
    return time.time() * 1000


def turn_at_hand(addresses: Addresses, game: Gathering) -> game_summary_pb2.PlayerClock:
    """The clock of the player who is asked, once the lobby has followed the game so far."""
    end = time.monotonic() + SECONDS
    asked = pb.ListGamesRequest(listing=pb.GAME_LISTING_NAMED, game_ids=[game.game_id])
    with channel_to(addresses.lobby) as channel:
        while time.monotonic() < end:
            stub, metadata = LobbyServiceStub(channel), game.anybody().metadata
            answer: pb.ListGamesResponse = stub.ListGames(asked, metadata=metadata)
            for clock in (each for found in answer.games for each in found.clocks):
                if clock.asked_sequence:
                    return clock
            time.sleep(LOOK_EVERY_SECONDS)
    raise TimeoutError("the lobby does not follow the game")


def test_a_limit_of_turns_stands_still_while_the_game_is_held(
    addresses: Addresses, signing_key: Ed25519PrivateKey
) -> None:
    """A table without a clock policy: while the ledger holds the game no turn has an end, later each ends as much later."""
    game = clocked(addresses, turn_seconds=3_600)
    books = Books(
        addresses.ledger, TokenIssuer(SingleKey(signing_key), 600, SystemClock()).issue(OPERATOR).token
    )
    before = turn_at_hand(addresses, game)
    books.hold(game.game_id, "a question about a dividend")
    end = time.monotonic() + SECONDS
    while (held := turn_at_hand(addresses, game)).deadline_time_ms:
        assert time.monotonic() < end, "the clocks do not hear of the ledger"
        time.sleep(LOOK_EVERY_SECONDS)
    time.sleep(HELD_SECONDS)
    assert turn_at_hand(addresses, game).turn_left_ms == held.turn_left_ms > 0
    books.release_hold(game.game_id)
    while not (after := turn_at_hand(addresses, game)).deadline_time_ms:
        assert time.monotonic() < end + SECONDS, "the clocks do not hear of the ledger"
        time.sleep(LOOK_EVERY_SECONDS)
    assert after.deadline_time_ms - before.deadline_time_ms >= HELD_SECONDS * 1000 - ROUNDING_MS


def test_clocks_of_a_held_game_stand_still(addresses: Addresses, signing_key: Ed25519PrivateKey) -> None:
    """The turn at hand is due as much later as the game was held: the lobby hears of it soon, or knows when it was."""
    game = clocked(addresses, SLOW)
    lobby = Lobby(addresses.lobby, game.anybody().token)
    issuer = TokenIssuer(SingleKey(signing_key), 600, SystemClock())
    books = Books(addresses.ledger, issuer.issue(OPERATOR).token)
    before = asked_clock(lobby, game)
    asked_to_hold_ms = time.time() * 1000
    books.hold(game.game_id, "a question about a dividend")
    paused_ms = until_paused(lobby, game.table.table_id, True)
    (standing,) = [each for each in lobby.clocks(game.table.table_id).clocks.seats if each.turn_left_ms]
    assert (standing.seat, standing.deadline_time_ms) == (before.seat, 0)
    time.sleep(HELD_SECONDS)
    left_ms = {each.seat: each.turn_left_ms for each in lobby.clocks(game.table.table_id).clocks.seats}
    assert left_ms[before.seat] == standing.turn_left_ms
    asked_to_release_ms = time.time() * 1000
    books.release_hold(game.game_id)
    running_ms = until_paused(lobby, game.table.table_id, False)
    after = asked_clock(lobby, game)
    later_ms = after.deadline_time_ms - before.deadline_time_ms
    shortest_ms, longest_ms = asked_to_release_ms - paused_ms, running_ms - asked_to_hold_ms
    assert shortest_ms - ROUNDING_MS <= later_ms <= longest_ms + ROUNDING_MS
    lobby.close()
