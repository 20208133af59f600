"""Lists of games, time limits, results and presence over gRPC."""

from collections.abc import Callable
from typing import Any

import grpc
import pytest

from services.common.clock import ManualClock
from services.gen.signalbox.lobby.v1 import lobby_service_pb2 as wire, player_pb2, rejection_pb2, table_pb2
from services.gen.signalbox.lobby.v1.lobby_service_pb2_grpc import LobbyServiceStub
from services.lobby.bootstrap import Lobby
from services.lobby.domain.games import GameResult
from services.lobby.ports import ONLINE_MS
from tests.contracts.game_summaries_contract import status
from tests.lobby.conftest import Metadata

SignIn = Callable[[str], Metadata]


def begun(stub: LobbyServiceStub, ann: Metadata, bob: Metadata, **more: Any) -> table_pb2.Table:
    """A table of Ann and Bob whose game has begun."""
    request = wire.CreateTableRequest(request_id="c", title="1824", player_count=2, **more)
    table_id = stub.CreateTable(request, metadata=ann).table.table_id
    stub.JoinTable(wire.JoinTableRequest(request_id="j", table_id=table_id), metadata=bob)
    started: table_pb2.Table = stub.StartTable(
        wire.StartTableRequest(request_id="s", table_id=table_id), metadata=ann
    ).table
    return started


def follow(lobby: Lobby, table: table_pb2.Table, sequence: int, asked: int, **more: Any) -> None:
    """The lobby follows a status in which the player in this seat is asked."""
    acting = () if more.get("ending") else (table.seats[asked],)
    followed = status(
        table.game_id, sequence, sequence * 1_000, players=tuple(table.seats), acting_players=acting, **more
    )
    lobby.followed.follow_status(followed)


def listed(stub: LobbyServiceStub, who: Metadata, listing: wire.GameListing, **more: Any) -> list[str]:
    """Games on a page."""
    answer = stub.ListGames(wire.ListGamesRequest(listing=listing, **more), metadata=who)
    return [game.status.game_id for game in answer.games]


def test_games_are_listed_for_whom_they_wait(stub: LobbyServiceStub, signed_in: SignIn, lobby: Lobby) -> None:
    """The summary of a game names table, seats, round and clocks; own games, waiting ones and all differ."""
    ann, bob, cem = signed_in("Ann"), signed_in("Bob"), signed_in("Cem")
    table = begun(stub, ann, bob, turn_seconds=3_600)
    follow(lobby, table, 3, 0, round_kind="stock", turn=1, round_number=1, phase="2", actor=table.seats[0])
    asked, other = (ann, bob) if table.seats[0] == table.owner_id else (bob, ann)
    assert listed(stub, asked, wire.GAME_LISTING_WAITING_FOR_ME) == [table.game_id]
    assert listed(stub, other, wire.GAME_LISTING_WAITING_FOR_ME) == []
    assert listed(stub, other, wire.GAME_LISTING_UNSPECIFIED) == [table.game_id]
    assert listed(stub, cem, wire.GAME_LISTING_MINE) == []
    assert listed(stub, cem, wire.GAME_LISTING_ALL) == [table.game_id]
    summary = stub.ListGames(wire.ListGamesRequest(), metadata=ann).games[0]
    assert (summary.table_id, summary.turn_seconds, list(summary.status.players)) == (
        table.table_id,
        3_600,
        list(table.seats),
    )
    assert (
        summary.status.round_kind,
        summary.status.phase,
        summary.status.sequence,
        summary.status.update_time_ms,
    ) == (
        "stock",
        "2",
        3,
        3_000,
    )
    assert [clock.asked_since_time_ms for clock in summary.clocks] == [3_000, 0]


def test_a_list_says_whether_games_may_be_missing(
    stub: LobbyServiceStub, signed_in: SignIn, lobby: Lobby
) -> None:
    """Until the lobby has caught up with all games."""
    ann = signed_in("Ann")
    assert stub.ListGames(wire.ListGamesRequest(), metadata=ann).incomplete
    lobby.followed.summaries.mark_complete()
    assert not stub.ListGames(wire.ListGamesRequest(), metadata=ann).incomplete


def test_games_come_in_pages(stub: LobbyServiceStub, signed_in: SignIn, lobby: Lobby) -> None:
    """Each game once, the last page without a token."""
    ann = signed_in("Ann")
    for number in range(5):
        lobby.followed.follow_status(status(f"g{number}", time_ms=1_000 + number // 2))
    found, token = [], ""
    for size in (2, 2, 1):
        request = wire.ListGamesRequest(listing=wire.GAME_LISTING_ALL, page_size=size, page_token=token)
        page = stub.ListGames(request, metadata=ann)
        found += [game.status.game_id for game in page.games]
        token = page.next_page_token
    assert found == ["g4", "g3", "g2", "g1", "g0"]
    assert token == ""


def test_games_are_listed_by_id(stub: LobbyServiceStub, signed_in: SignIn, lobby: Lobby) -> None:
    """In the order asked for, each once; those that there are not, and those that not everybody may see, are left out. Only
    operators list the games of somebody else."""
    ann, bob, cem = signed_in("Ann"), signed_in("Bob"), signed_in("Cem")
    hidden = begun(stub, ann, bob, visibility=table_pb2.TABLE_VISIBILITY_LINK)
    follow(lobby, hidden, 3, 0)
    for number in range(3):
        lobby.followed.follow_status(status(f"g{number}"))
    asked = ["g2", "nothing", "g0", "g2", hidden.game_id]
    assert listed(stub, cem, wire.GAME_LISTING_NAMED, game_ids=asked) == ["g2", "g0"]
    with pytest.raises(grpc.RpcError) as caught:
        listed(stub, cem, wire.GAME_LISTING_OF_PLAYER, player_id=hidden.owner_id)
    assert caught.value.code() is grpc.StatusCode.PERMISSION_DENIED


@pytest.mark.parametrize(
    "request_message",
    [
        wire.ListGamesRequest(page_size=101),
        wire.ListGamesRequest(page_size=-1),
        wire.ListGamesRequest(page_token="x"),
        wire.ListGamesRequest(page_token="99999999999999999999-g"),
        wire.ListGamesRequest(listing=99),  # type: ignore[arg-type]
        wire.ListGamesRequest(listing=wire.GAME_LISTING_NAMED, game_ids=["g"] * 101),
    ],
)
def test_a_list_that_makes_no_sense(
    stub: LobbyServiceStub, signed_in: SignIn, request_message: wire.ListGamesRequest
) -> None:
    """Wrong sizes, tokens and listings are INVALID_ARGUMENT."""
    ann = signed_in("Ann")
    with pytest.raises(grpc.RpcError) as caught:
        stub.ListGames(request_message, metadata=ann)
    assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT


def test_a_table_shows_its_result(stub: LobbyServiceStub, signed_in: SignIn, lobby: Lobby) -> None:
    """Finished tables are listed as such with ending and results; the table can no longer be joined; watchers see it."""
    ann, bob = signed_in("Ann"), signed_in("Bob")
    table = begun(stub, ann, bob)
    watch = stub.WatchTables(wire.WatchTablesRequest(table_id=table.table_id), timeout=60)
    assert next(watch).table.state == table_pb2.TABLE_STATE_PLAYING
    results = tuple(GameResult(player, 900 - 10 * seat) for seat, player in enumerate(table.seats))
    follow(lobby, table, 8, 0, ending="bank_broken", results=results)
    seen = next(watch).table
    watch.cancel()
    assert (seen.state, seen.ending) == (table_pb2.TABLE_STATE_FINISHED, "bank_broken")
    assert [(each.player_id, each.value) for each in seen.results] == [
        (table.seats[0], 900),
        (table.seats[1], 890),
    ]
    finished = stub.ListTables(wire.ListTablesRequest(state=table_pb2.TABLE_STATE_FINISHED)).tables
    assert list(finished) == [seen]
    late = stub.JoinTable(wire.JoinTableRequest(request_id="x", table_id=table.table_id), metadata=bob)
    assert late.rejected.reason == rejection_pb2.REJECTION_REASON_TABLE_NOT_OPEN


def test_a_time_limit_is_chosen_with_the_table(
    stub: LobbyServiceStub, signed_in: SignIn, lobby: Lobby, clock: ManualClock
) -> None:
    """It is shown, it is part of the request, and who takes longer is shown as well."""
    ann, bob = signed_in("Ann"), signed_in("Bob")
    table = begun(stub, ann, bob, turn_seconds=60)
    assert table.turn_seconds == 60
    again = wire.CreateTableRequest(request_id="c", title="1824", player_count=2)
    reused = stub.CreateTable(again, metadata=ann).rejected.reason
    assert reused == rejection_pb2.REJECTION_REASON_REQUEST_ID_REUSED
    follow(lobby, table, 1, 0)
    lobby.followed.record_overdue_turns()
    shown = stub.GetTable(wire.GetTableRequest(table_id=table.table_id)).table
    assert [(each.player_id, each.turn_count, each.since_time_ms) for each in shown.overdue] == [
        (table.seats[0], 1, 1_000)
    ]


@pytest.mark.parametrize("seconds", [-1, 60 * 24 * 3600 + 1])
def test_a_time_limit_out_of_range_is_rejected(
    stub: LobbyServiceStub, signed_in: SignIn, seconds: int
) -> None:
    """With its own reason."""
    request = wire.CreateTableRequest(request_id="c", title="1824", player_count=2, turn_seconds=seconds)
    rejection = stub.CreateTable(request, metadata=signed_in("Ann")).rejected
    assert rejection.reason == rejection_pb2.REJECTION_REASON_TURN_SECONDS_OUT_OF_RANGE


def test_names_of_players_by_id(stub: LobbyServiceStub, signed_in: SignIn) -> None:
    """Each player once, in the order asked for, with a name and nothing else; what is no player's id is left out. Nobody can
    ask about too many."""
    for name in ("Ann", "Bob"):
        signed_in(name)
    ann, bob = [
        stub.LogIn(wire.LogInRequest(name=name, password="correct horse")).session.player
        for name in ("Ann", "Bob")
    ]
    asked = [bob.player_id, "nobody", "a\0b", "", "../x", ann.player_id, bob.player_id]
    answer = stub.ListPlayerNames(wire.ListPlayerNamesRequest(player_ids=asked))
    assert list(answer.players) == [bob, ann]
    assert {field.name for field in player_pb2.Player.DESCRIPTOR.fields} == {"player_id", "name"}
    with pytest.raises(grpc.RpcError) as many:
        stub.ListPlayerNames(wire.ListPlayerNamesRequest(player_ids=["x"] * 101))
    assert many.value.code() is grpc.StatusCode.INVALID_ARGUMENT


def test_who_calls_is_online(stub: LobbyServiceStub, signed_in: SignIn, clock: ManualClock) -> None:
    """Any signed-in call counts, for two minutes; callers who are not signed in may not ask, nor anybody about too many."""
    ann, bob = signed_in("Ann"), signed_in("Bob")
    ids = [
        stub.LogIn(wire.LogInRequest(name=name, password="correct horse")).session.player.player_id
        for name in ("Ann", "Bob")
    ]

    def online(who: Metadata) -> list[str]:
        answer = stub.ListOnline(wire.ListOnlineRequest(player_ids=ids), metadata=who)
        return list(answer.online_player_ids)

    assert online(ann) == [ids[0]]
    stub.ListGames(wire.ListGamesRequest(), metadata=bob)
    assert online(ann) == ids
    clock.advance(ONLINE_MS)
    assert online(ann) == [ids[0]]
    with pytest.raises(grpc.RpcError) as stranger:
        online(())
    assert stranger.value.code() is grpc.StatusCode.UNAUTHENTICATED
    with pytest.raises(grpc.RpcError) as many:
        stub.ListOnline(wire.ListOnlineRequest(player_ids=["x"] * 101), metadata=ann)
    assert many.value.code() is grpc.StatusCode.INVALID_ARGUMENT


def test_only_operators_look_players_up_by_name(stub: LobbyServiceStub, signed_in: SignIn) -> None:
    """Nobody else, signed in or not."""
    ann = signed_in("Ann")
    for metadata in (ann, ()):
        with pytest.raises(grpc.RpcError) as caught:
            stub.ListPlayerNames(wire.ListPlayerNamesRequest(name="Ann"), metadata=metadata)
        assert caught.value.code() is grpc.StatusCode.PERMISSION_DENIED
