"""Running games of 18xx.games, and exports, go on at both hosts."""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import pytest

from services.client import Lobby, play_game
from services.client.calls import Rejected
from services.client.lobby import ImportRejected, register, sign_in
from services.common.auth.signatures import sign
from services.common.auth.token_keys import SingleKey, read_private_key
from services.common.auth.tokens import Principal, TokenIssuer
from services.common.clock import SystemClock
from services.common.eventlog.port import Record
from services.gen.signalbox.lobby.v1 import lobby_service_pb2, table_pb2
from services.host.processes import ClusterHost
from services.rules.adapters.codec import decode_event, stored_body
from services.rules.adapters.snapshots import state_bytes
from services.rules.kernel.commands import Undo
from services.rules.kernel.fold import replay
from services.rules.kernel.game import Game
from services.rules.moving.export import export_lines
from tests.hosting import PASSWORD, Host, Seated, followed, host_of_kind, new_name, seat
from tests.integration.test_whole_games import assert_books_agree, players_of, turns
from tests.recorded.documents import load_document

pytestmark = pytest.mark.integration

MOVES = 25


@pytest.fixture
def host(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Host]:
    """A host of the kind that the test is given."""
    yield from host_of_kind(request, tmp_path)


def keys_of(host: Host, folder: Path) -> SingleKey:
    """The key of the host's tokens."""
    path = host.signing_key if isinstance(host, ClusterHost) else folder / "key.pem"
    return SingleKey(read_private_key(path))


def operator_of(host: Host, folder: Path) -> Lobby:
    """The lobby for an operator."""
    issuer = TokenIssuer(keys_of(host, folder), 600, SystemClock())
    return Lobby(host.addresses.lobby, issuer.issue(Principal("operator:ann", "ann", "operator")).token)


def accounts_for(host: Host, count: int) -> dict[str, str]:
    """Tokens of new accounts by name."""
    tokens = {}
    for name in (new_name(f"Guest {number}") for number in range(count)):
        register(host.addresses.lobby, name, PASSWORD)
        tokens[name] = sign_in(host.addresses.lobby, name, PASSWORD).token
    return tokens


def cut(shared: Path, name: str, percent: int) -> dict[str, Any]:
    """A recorded game that is still running."""
    data = load_document(shared, name)
    data["actions"] = data["actions"][: len(data["actions"]) * percent // 100]
    return data | {"result": {}, "status": "active"}


def packed(data: Mapping[str, Any]) -> bytes:
    """The file of a game."""
    return gzip.compress(msgspec.json.encode(data))


def seated_at(table: table_pb2.Table, tokens: Mapping[str, str]) -> Seated:
    """The imported game with its players."""
    by_id = {player.player_id: tokens[player.name] for player in table.players}
    return Seated(table.game_id, tuple(table.seats), by_id)


def fold_of(host: Host, seated: Seated) -> Game:
    """The state that the events of a game fold to."""
    events = seated.games(host, 0).events(seated.game_id)
    return replay(decode_event(*stored_body(event)) for event in events)


@pytest.mark.parametrize(
    ("host", "name", "percent"),
    [
        ("embedded", "1824/p5-s203", 25),
        ("embedded", "1862/p2-s215", 75),
        ("embedded", "1824Cisleithania/p2-s102", 40),
        ("embedded", "1824Cisleithania/p3-s112", 80),
        ("cluster", "1824/p3-s121", 85),
    ],
    indirect=["host"],
)
def test_a_running_game_goes_on_to_its_end(
    host: Host, name: str, percent: int, shared: Path, tmp_path: Path
) -> None:
    """Its players see it in their lists, bots play it on by the normal API to the end, and the books agree before and after."""
    data = cut(shared, name, percent)
    tokens = accounts_for(host, len(data["players"]))
    seats = {str(each["id"]): name for each, name in zip(data["players"], tokens, strict=True)}
    operator = operator_of(host, tmp_path)
    table = operator.import_table(packed(data), seats, request_id="move-1-" + next(iter(seats)))
    assert (table.state, table.origin.source) == (table_pb2.TABLE_STATE_PLAYING, "18xx.games")
    seated = seated_at(table, tokens)
    begun = fold_of(host, seated)
    assert begun.players == seated.seats and not begun.finished and begun.sequence > 10
    assert_books_agree(host, seated, begun.sequence)
    first = Lobby(host.addresses.lobby, seated.tokens[seated.seats[0]])
    assert followed(
        host.addresses, lambda: [game.table_id for game in first.games().games] == [table.table_id]
    )
    asked = seated.seats.index(seated.games(host, 0).game(seated.game_id).acting_players[0])
    for target in (begun.sequence - 1, 1):
        with pytest.raises(Rejected, match="undo_"):
            seated.games(host, asked).execute(seated.game_id, begun.sequence, Undo(target))
    final = play_game(players_of(seated, host, "sensible"), seated.game_id)
    assert final.finished and final.scores
    assert_books_agree(host, seated, final.sequence)
    followed(host.addresses, lambda: first.table(table.table_id).state == table_pb2.TABLE_STATE_FINISHED)
    ended = first.table(table.table_id)
    assert [each.value for each in ended.results] == [score.value for score in final.scores]
    assert ended.origin == table.origin


@pytest.mark.parametrize("host", ["embedded", "cluster"], indirect=True)
def test_a_game_that_is_over_makes_a_finished_table(host: Host, shared: Path, tmp_path: Path) -> None:
    """Its result is there, and the books agree."""
    data = load_document(shared, "1824Cisleithania/p2-s102")
    tokens = accounts_for(host, 2)
    seats = {str(each["id"]): name for each, name in zip(data["players"], tokens, strict=True)}
    operator = operator_of(host, tmp_path)
    table = operator.import_table(packed(data), seats)
    followed(host.addresses, lambda: operator.table(table.table_id).state == table_pb2.TABLE_STATE_FINISHED)
    ended = operator.table(table.table_id)
    assert sorted(each.value for each in ended.results) == sorted(data["result"].values())
    seated = seated_at(ended, tokens)
    assert_books_agree(host, seated, fold_of(host, seated).sequence)


@pytest.mark.parametrize("host", ["embedded", "cluster"], indirect=True)
def test_an_export_comes_in_again_and_goes_on(host: Host, tmp_path: Path) -> None:
    """With the same accounts its state is equal to the byte; with others it is the same game; a changed one is refused."""
    seated = seat(host, "1862", 3)
    *_, sequence = islice(turns(players_of(seated, host, "eager"), seated.game_id), MOVES)
    events = list(seated.games(host, 1).events(seated.game_id))[:sequence]
    records = [
        Record("game/x", event.sequence, *stored_body(event), event.recorded_time_ms, 0) for event in events
    ]
    keys = keys_of(host, tmp_path)
    content = b"".join(export_lines(seated.game_id, records, lambda text: sign(keys, text)))
    operator = operator_of(host, tmp_path)
    table = operator.import_table(content, {})
    again = Seated(table.game_id, tuple(table.seats), seated.tokens)
    assert table.origin.game_id == seated.game_id != table.game_id
    assert state_bytes(fold_of(host, again)) == state_bytes(
        replay(decode_event(record.type, record.schema_version, record.payload) for record in records)
    )
    tokens = accounts_for(host, 3)
    other = operator.import_table(content, dict(zip(seated.seats, tokens, strict=True)))
    for moved in (again, seated_at(other, tokens)):
        assert_books_agree(host, moved, sequence)
        *_, reached = islice(turns(players_of(moved, host, "sensible"), moved.game_id), 5)
        assert_books_agree(host, moved, reached)
    lines = content.splitlines()
    lines[6] = lines[6].replace(b'"schema_version":1', b'"schema_version":2')
    with pytest.raises(ImportRejected) as refused:
        operator.import_table(b"\n".join(lines), {})
    assert (refused.value.fault.code, refused.value.fault.number) == ("event_differs", 7)


@pytest.mark.parametrize("host", ["embedded", "cluster"], indirect=True)
def test_a_refused_file_makes_nothing(host: Host, shared: Path, tmp_path: Path) -> None:
    """The last action of a file is illegal: it is named, and there is neither table nor game."""
    data = cut(shared, "1824/p3-s121", 30)
    wrong = data["actions"][-1] | {
        "id": 99_999,
        "type": "bid",
        "price": 1,
        "entity_type": "player",
        "entity": data["players"][0]["id"],
    }
    wrong.pop("auto_actions", None)
    data["actions"] = [*data["actions"], wrong]
    tokens = accounts_for(host, len(data["players"]))
    seats = {str(each["id"]): name for each, name in zip(data["players"], tokens, strict=True)}
    operator = operator_of(host, tmp_path)
    with pytest.raises(ImportRejected) as refused:
        operator.import_table(packed(data), seats)
    fault = refused.value.fault
    assert (fault.action_id, fault.kind, fault.player) == (99_999, "bid", str(data["players"][0]["id"]))
    assert fault.number > 1 and fault.code
    player = Lobby(host.addresses.lobby, next(iter(tokens.values())))
    assert not player.games(lobby_service_pb2.GAME_LISTING_MINE).games
