"""The lobby of a running host: lists of games, before and after its own tables in the file are lost."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path

import pytest

from services.client import Lobby
from services.gen.signalbox.lobby.v1 import lobby_service_pb2 as pb
from tests.hosting import hosting
from tests.integration.tables import gather

pytestmark = pytest.mark.integration

SECONDS_TO_CATCH_UP = 30


def complete_list(address: str, token: str, listing: pb.GameListing) -> list[tuple[str, int]]:
    """Games and their sequences, once the lobby has caught up."""
    lobby = Lobby(address, token)
    end = time.monotonic() + SECONDS_TO_CATCH_UP
    while (answer := lobby.games(listing)).incomplete:
        assert time.monotonic() < end, "the lobby does not catch up"
        time.sleep(0.05)
    lobby.close()
    return [(game.game_id, game.sequence) for game in answer.games]


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
        for table in ("lobby_cards", "lobby_card_players", "lobby_cards_schema"):
            file.execute(f"DROP TABLE {table}")
    with hosting(tmp_path) as host:
        assert complete_list(host.addresses.lobby, asked.token, pb.GAME_LISTING_MINE) == expected
