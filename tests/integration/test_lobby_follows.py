"""The lobby of a running host: lists of games, before and after its own tables in the file are lost."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path

import pytest

from services.client import Lobby
from services.gen.signalbox.lobby.v1 import lobby_service_pb2 as pb
from services.host.addresses import Addresses
from tests.hosting import followed, hosting
from tests.integration.tables import gather

pytestmark = pytest.mark.integration

SECONDS_TO_CATCH_UP = 60


def complete_list(address: str, token: str, listing: pb.GameListing) -> list[tuple[str, int]]:
    """Games and their sequences, once the lobby has caught up."""
    lobby = Lobby(address, token)
    end = time.monotonic() + SECONDS_TO_CATCH_UP
    while (answer := lobby.games(listing)).incomplete:
        assert time.monotonic() < end, "the lobby does not catch up"
        time.sleep(0.05)
    lobby.close()
    return [(game.status.game_id, game.status.sequence) for game in answer.games]


def test_lists_of_games_survive_everything_but_the_log(tmp_path: Path) -> None:
    """Cards follow every move; without the lobby's own tables, as in an older file, they are made again at the start."""
    with hosting(tmp_path) as host:
        gathering = gather(host.addresses, ("Ann", "Bob", "Cem"))
        gathering.play(10)
        asked, view = gathering.asked(), gathering.view()
        lobby = host.addresses.lobby
        expected = [(gathering.game_id, view.sequence)]
        assert complete_list(lobby, asked.token, pb.GAME_LISTING_WAITING_FOR_ME) == expected
        assert complete_list(lobby, gathering.waiting().token, pb.GAME_LISTING_WAITING_FOR_ME) == []
        assert complete_list(lobby, gathering.waiting().token, pb.GAME_LISTING_MINE) == expected
    with sqlite3.connect(tmp_path / "signalbox.db") as file:
        for table in ("lobby_summaries", "lobby_summary_players", "lobby_summaries_schema"):
            file.execute(f"DROP TABLE {table}")
    with hosting(tmp_path) as host:
        assert complete_list(host.addresses.lobby, asked.token, pb.GAME_LISTING_MINE) == expected


def test_games_are_listed_for_whom_they_wait(addresses: Addresses) -> None:
    """After every move the game is on the list of the acting player, and on no other; a caller is online."""
    gathering = gather(addresses, ("Lia", "Leo", "Lou"))
    lobbies = {player: Lobby(addresses.lobby, each.token) for player, each in gathering.people.items()}
    for _ in range(4):
        accepted = gathering.move()
        view = gathering.view()
        assert view.sequence == accepted.last_sequence

        def waiting() -> dict[str, list[tuple[str, int]]]:
            listing = pb.GAME_LISTING_WAITING_FOR_ME
            found = {player: lobby.games(listing).games for player, lobby in lobbies.items()}
            return {
                player: [(each.status.game_id, each.status.sequence) for each in games]
                for player, games in found.items()
            }

        expected = {
            player: [(gathering.game_id, view.sequence)] if player in view.acting_players else []
            for player in gathering.people
        }
        assert followed(addresses, lambda wanted=expected: waiting() == wanted)  # type: ignore[misc]
    summary = lobbies[view.acting_players[0]].games().games[0]
    status = summary.status
    assert (summary.table_id, status.title, status.phase) == (gathering.table.table_id, "1824", view.phase)
    assert list(status.acting_players) == list(view.acting_players)
    assert [clock.asked_sequence > 0 for clock in summary.clocks] == [
        player in view.acting_players for player in status.players
    ]
    anybody = lobbies[view.acting_players[0]]
    assert set(anybody.online([*gathering.people, "nobody"])) == set(gathering.people)
    for lobby in lobbies.values():
        lobby.close()
