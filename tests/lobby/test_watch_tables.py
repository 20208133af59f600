"""What many watchers of all tables cost: a change is encoded once for all of them."""

from __future__ import annotations

import asyncio

import pytest

from services.common.auth.tokens import Principal
from services.common.grpc.loop import on_loop
from services.gen.signalbox.lobby.v1 import lobby_service_pb2 as wire
from services.lobby.bootstrap import Lobby
from services.lobby.domain.catalogue import TableChoices
from services.lobby.domain.tables import Table
from services.lobby.table_messages import table_message

ANN = Principal("ann", "Ann")
WATCHERS = 50
SECONDS = 60.0


def test_a_change_is_encoded_once(lobby: Lobby, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every watcher gets the same bytes."""
    watching = lobby.table_watching
    encoded: list[str] = []
    encode = watching._encode

    def counted(table: Table, position: int) -> bytes:
        encoded.append(table.table_id)
        return encode(table, position)

    monkeypatch.setattr(watching, "_encode", counted)

    async def run() -> tuple[Table, list[bytes]]:
        streams = [watching.watch(0, "", f"watcher {number}") for number in range(WATCHERS)]
        changes = [asyncio.ensure_future(anext(each)) for each in streams]
        async with asyncio.timeout(SECONDS):
            while len(watching._topic._waiting) < WATCHERS:
                await asyncio.sleep(0.01)
            opened = await asyncio.to_thread(lobby.tables.create, ANN, "one", TableChoices("1824", 2))
            assert isinstance(opened, Table)
            seen = await asyncio.gather(*changes)
        return opened, [each.encoded for each in seen]

    opened, seen = on_loop(run())
    assert encoded == [opened.table_id]
    assert len(seen) == WATCHERS and len(set(seen)) == 1
    assert wire.WatchTablesResponse.FromString(seen[0]).table == table_message(opened)
