"""Tables of organisers: invitations, links, removal, given seats, fewer players, delays and rematches."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import grpc
import pytest
from msgspec.structs import replace

from services.common.clock import ManualClock
from services.common.settings.service import Settings
from services.gen.signalbox.lobby.v1 import lobby_service_pb2 as wire, rejection_pb2, table_pb2
from services.gen.signalbox.lobby.v1.lobby_service_pb2_grpc import LobbyServiceStub
from services.lobby.bootstrap import Lobby
from services.lobby.domain.games import GameResult, GameStatus
from services.lobby.domain.inviting import DELAY_MOVES_MAX, INVITATIONS_MAX, REMATCH_WAITS_MS
from services.lobby.domain.visibility import FOR_EVERYBODY, GameAudience
from tests.lobby.conftest import Metadata
from tests.lobby.fakes import RecordingStarter

INVITED = table_pb2.TABLE_VISIBILITY_INVITED
LINK = table_pb2.TABLE_VISIBILITY_LINK
NAMES = ("Ann", "Ben", "Cem", "Dora")


class Club:
    """Four players of one lobby."""

    def __init__(self, stub: LobbyServiceStub, signed_in: Callable[[str], Metadata]) -> None:
        self.stub = stub
        self.tokens = {name: signed_in(name) for name in NAMES}
        self._requests = 0
        self.ids: dict[str, str] = {}
        for name in NAMES:
            table = self.call(name, "CreateTable", title="1824", player_count=2).table
            self.ids[name] = table.owner_id
            self.call(name, "LeaveTable", table_id=table.table_id)

    def call(self, who: str, method: str, **fields: Any) -> Any:
        """The answer to a request; one without an id gets a new one."""
        self._requests += 1
        request = getattr(wire, f"{method}Request")(**{"request_id": f"r{self._requests}", **fields})
        return getattr(self.stub, method)(request, metadata=self.tokens[who])

    def open(self, who: str = "Ann", **fields: Any) -> str:
        """A table for up to three players; gives its id."""
        answer = self.call(who, "CreateTable", **{"title": "1824", "player_count": 3, **fields})
        assert answer.HasField("table"), answer
        return str(answer.table.table_id)

    def refused(self, who: str, method: str, **fields: Any) -> str:
        """Why a request is rejected."""
        answer = self.call(who, method, **fields)
        assert answer.WhichOneof("outcome") == "rejected", answer
        name = rejection_pb2.RejectionReason.Name(answer.rejected.reason)
        return name.removeprefix("REJECTION_REASON_")

    def sees(self, who: str, table_id: str = "", game_id: str = "") -> bool:
        """Whether there is such a table for a player, by its own id or that of its game."""
        try:
            request = wire.GetTableRequest(table_id=table_id, game_id=game_id)
            self.stub.GetTable(request, metadata=self.tokens[who])
        except grpc.RpcError as error:
            failed: Any = error
            assert failed.code() is grpc.StatusCode.NOT_FOUND
            return False
        return True

    def listed(self, who: str) -> set[str]:
        """The tables in a player's list."""
        answer = self.stub.ListTables(wire.ListTablesRequest(), metadata=self.tokens[who])
        return {table.table_id for table in answer.tables}


@pytest.fixture
def club(stub: LobbyServiceStub, signed_in: Callable[[str], Metadata]) -> Club:
    """Players."""
    return Club(stub, signed_in)


def test_an_organiser_takes_no_chair_and_gives_the_seats(club: Club, starter: RecordingStarter) -> None:
    """The owner is not among the players; the seats are those given, each player once; two of three chairs are enough."""
    table_id = club.open(owner_organises=True, are_seats_given=True, least_players=2)
    club.call("Ben", "JoinTable", table_id=table_id)
    assert club.refused("Ann", "StartTable", table_id=table_id) == "TABLE_NOT_FULL"
    club.call("Cem", "JoinTable", table_id=table_id)
    ben, cem = club.ids["Ben"], club.ids["Cem"]
    for wrong in ([], [cem], [cem, cem], [cem, ben, club.ids["Ann"]]):
        assert club.refused("Ann", "StartTable", table_id=table_id, seats=wrong) == "SEATS_MALFORMED"
    assert club.refused("Ben", "StartTable", table_id=table_id, seats=[cem, ben]) == "NOT_OWNER"
    started = club.call("Ann", "StartTable", table_id=table_id, seats=[cem, ben], request_id="s").table
    again = club.call("Ann", "StartTable", table_id=table_id, seats=[cem, ben], request_id="s").table
    assert list(started.seats) == list(again.seats) == [cem, ben]
    assert started.player_count == 2
    assert starter.audiences[started.game_id] == FOR_EVERYBODY


def test_an_organiser_closes_the_table(club: Club) -> None:
    """An owner without a chair gives the table up by leaving it."""
    table_id = club.open(owner_organises=True)
    closed = club.call("Ann", "LeaveTable", table_id=table_id).table
    assert closed.state == table_pb2.TABLE_STATE_CLOSED


def test_seats_that_are_drawn_are_not_given(club: Club) -> None:
    """Who opened a table with drawn seats cannot choose them at the start."""
    table_id = club.open(player_count=2)
    club.call("Ben", "JoinTable", table_id=table_id)
    seats = [club.ids["Ann"], club.ids["Ben"]]
    assert club.refused("Ann", "StartTable", table_id=table_id, seats=seats) == "SEATS_MALFORMED"


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"least_players": 1}, "LEAST_PLAYERS_OUT_OF_RANGE"),
        ({"least_players": 4}, "LEAST_PLAYERS_OUT_OF_RANGE"),
        ({"delay_moves": -1}, "DELAY_OUT_OF_RANGE"),
        ({"delay_moves": DELAY_MOVES_MAX + 1}, "DELAY_OUT_OF_RANGE"),
        ({"delay_seconds": -1}, "DELAY_OUT_OF_RANGE"),
        ({"delay_seconds": 10**9}, "DELAY_OUT_OF_RANGE"),
    ],
)
def test_a_table_that_cannot_be_arranged_so(club: Club, fields: dict[str, int], reason: str) -> None:
    """What is out of range is named, and no table is opened."""
    assert club.refused("Ann", "CreateTable", title="1824", player_count=3, **fields) == reason


def test_only_the_invited_find_the_table(club: Club) -> None:
    """An invitation by name or by link lets in; without one there is no such table, for joining and for leaving neither."""
    table_id = club.open(visibility=INVITED)
    assert not club.sees("Ben", table_id)
    for method in ("JoinTable", "LeaveTable", "StartTable", "MakeInvitationLink", "RematchTable"):
        with pytest.raises(grpc.RpcError, match="there is no such table"):
            club.call("Ben", method, table_id=table_id)
    club.call("Ann", "InvitePlayer", table_id=table_id, player_name="ben")
    assert club.sees("Ben", table_id)
    assert table_id in club.listed("Ben")
    assert table_id not in club.listed("Cem")
    link = club.call("Ann", "MakeInvitationLink", table_id=table_id, request_id="l").link_token
    assert club.call("Ann", "MakeInvitationLink", table_id=table_id, request_id="l").link_token == link
    with pytest.raises(grpc.RpcError, match="there is no such table"):
        club.call("Cem", "JoinTable", table_id=table_id, link_token=link[:-1])
    joined = club.call("Cem", "JoinTable", table_id=table_id, link_token=link).table
    assert club.ids["Cem"] in {player.player_id for player in joined.players}
    club.call("Ann", "WithdrawInvitation", table_id=table_id, player_id=club.ids["Ben"])
    assert not club.sees("Ben", table_id)


def test_a_table_by_link_is_in_no_list(club: Club) -> None:
    """Everybody who knows the id sees it and joins; nobody finds it."""
    table_id = club.open(visibility=LINK)
    assert club.sees("Ben", table_id)
    assert table_id not in club.listed("Ben")
    assert table_id in club.listed("Ann")
    assert club.call("Ben", "JoinTable", table_id=table_id).HasField("table")


def test_who_is_removed_returns_only_by_invitation(club: Club) -> None:
    """The owner takes a chair; the player joins again once invited again."""
    table_id, ben = club.open(), club.ids["Ben"]
    club.call("Ben", "JoinTable", table_id=table_id)
    assert club.refused("Ben", "RemovePlayer", table_id=table_id, player_id=ben) == "NOT_OWNER"
    assert club.refused("Ann", "RemovePlayer", table_id=table_id, player_id=club.ids["Ann"]) == "NOT_SEATED"
    removed = club.call("Ann", "RemovePlayer", table_id=table_id, player_id=ben).table
    assert [player.name for player in removed.players] == ["Ann"]
    assert club.refused("Ben", "JoinTable", table_id=table_id) == "REMOVED_FROM_TABLE"
    club.call("Ann", "InvitePlayer", table_id=table_id, player_id=ben)
    assert club.call("Ben", "JoinTable", table_id=table_id).HasField("table")


def test_invitations_are_refused_by_reason(club: Club) -> None:
    """Each rule of inviting has a reason of its own."""
    table_id, ben = club.open(), club.ids["Ben"]
    assert club.refused("Ben", "InvitePlayer", table_id=table_id, player_name="Cem") == "NOT_OWNER"
    assert club.refused("Ann", "InvitePlayer", table_id=table_id, player_name="Nobody") == "ACCOUNT_UNKNOWN"
    assert club.refused("Ann", "InvitePlayer", table_id=table_id, player_name="Ann") == "ALREADY_SEATED"
    assert club.refused("Ann", "WithdrawInvitation", table_id=table_id, player_id=ben) == "NOT_INVITED"
    club.call("Ann", "InvitePlayer", table_id=table_id, player_name="Ben", request_id="i")
    assert club.call("Ann", "InvitePlayer", table_id=table_id, player_name="Ben", request_id="i").HasField(
        "table"
    )
    assert club.refused("Ann", "InvitePlayer", table_id=table_id, player_id=ben) == "ALREADY_INVITED"
    with pytest.raises(grpc.RpcError, match="a player is needed"):
        club.call("Ann", "InvitePlayer", table_id=table_id)


def test_so_many_are_invited_and_no_more(
    club: Club, stub: LobbyServiceStub, signed_in: Callable[[str], Metadata]
) -> None:
    """A table has a limit of invitations."""
    table_id = club.open()
    for number in range(INVITATIONS_MAX):
        signed_in(f"Guest {number}")
        assert club.call("Ann", "InvitePlayer", table_id=table_id, player_name=f"Guest {number}").HasField(
            "table"
        )
    assert club.refused("Ann", "InvitePlayer", table_id=table_id, player_name="Ben") == "TOO_MANY_INVITATIONS"


def test_rules_learns_who_sees_the_game(club: Club, starter: RecordingStarter) -> None:
    """The audience of the game is that of its table: the owner reads along, others later or not at all."""
    table_id = club.open(visibility=INVITED, owner_organises=True, player_count=2, delay_moves=3)
    link = club.call("Ann", "MakeInvitationLink", table_id=table_id).link_token
    for name in ("Ben", "Cem"):
        club.call(name, "JoinTable", table_id=table_id, link_token=link)
    game_id = club.call("Ann", "StartTable", table_id=table_id).table.game_id
    assert starter.audiences[game_id] == GameAudience(True, (club.ids["Ann"],), 3, 0)
    assert club.sees("Ben", game_id=game_id) and not club.sees("Dora", game_id=game_id)
    assert not club.sees("Ben", game_id="nothing") and not club.sees("Ben")


def test_who_follows_a_link_offers_to_take_a_seat_of_an_invited_game(club: Club) -> None:
    """Also by a link that the owner makes during the game. The offer shows the table, so that it can be taken back, and lets
    nobody join; without the link there is no such table."""
    table_id = club.open(visibility=INVITED, player_count=2)
    link = club.call("Ann", "MakeInvitationLink", table_id=table_id).link_token
    club.call("Ben", "JoinTable", table_id=table_id, link_token=link)
    club.call("Ann", "StartTable", table_id=table_id)
    assert club.refused("Ben", "MakeInvitationLink", table_id=table_id) == "NOT_OWNER"
    later = club.call("Ann", "MakeInvitationLink", table_id=table_id).link_token
    with pytest.raises(grpc.RpcError, match="there is no such table"):
        club.call("Cem", "JoinTable", table_id=table_id, as_substitute=True)
    assert club.refused("Cem", "JoinTable", table_id=table_id, link_token=later) == "TABLE_NOT_OPEN"
    offered = club.call("Cem", "JoinTable", table_id=table_id, link_token=later, as_substitute=True).table
    assert [each.name for each in offered.substitutes] == ["Cem"]
    assert club.sees("Cem", table_id) and table_id not in club.listed("Cem")
    assert club.call("Cem", "LeaveTable", table_id=table_id).HasField("table")
    assert not club.sees("Cem", table_id)


def finished(club: Club, lobby: Lobby, **fields: Any) -> str:
    """A table of Ann and Ben whose game is over."""
    table_id = club.open(player_count=2, **fields)
    club.call("Ann", "InvitePlayer", table_id=table_id, player_name="Ben")
    club.call("Ben", "JoinTable", table_id=table_id)
    started = club.call("Ann", "StartTable", table_id=table_id).table
    results = tuple(GameResult(seat, 100) for seat in started.seats)
    status = GameStatus(
        game_id=started.game_id,
        sequence=9,
        title="1824",
        players=tuple(started.seats),
        ending="bank_broken",
        results=results,
        time_ms=1,
    )
    lobby.followed.follow_status(status)
    return table_id


def test_a_rematch_is_one_table_for_all(club: Club, lobby: Lobby) -> None:
    """The first who asks opens it with the same choices, the others join it; a repeat gets the first answer."""
    table_id = finished(club, lobby, visibility=INVITED)
    opened = club.call("Ben", "RematchTable", table_id=table_id, request_id="m").table
    again = club.call("Ben", "RematchTable", table_id=table_id, request_id="m").table
    assert (again.table_id, again.version) == (opened.table_id, opened.version)
    assert (opened.owner_id, opened.rematch_of) == (club.ids["Ben"], table_id)
    assert [player.name for player in opened.invited] == ["Ann"]
    joined = club.call("Ann", "RematchTable", table_id=table_id).table
    assert joined.table_id == opened.table_id
    assert len(joined.players) == 2
    assert not club.sees("Cem", opened.table_id)


def test_who_leaves_a_rematch_leaves_it_to_the_others(club: Club, lobby: Lobby) -> None:
    """The next who asks opens another table, which all can join; repeats get their first answers, also from before."""
    table_id = finished(club, lobby, visibility=INVITED)

    def asked(who: str, request_id: str) -> tuple[str, int]:
        table = club.call(who, "RematchTable", table_id=table_id, request_id=request_id).table
        return table.table_id, table.version

    first = asked("Ann", "a")
    joined = asked("Ben", "b")
    club.call("Ann", "LeaveTable", table_id=first[0])
    second = asked("Ben", "c")
    assert second[0] not in ("", first[0])
    assert asked("Ann", "d")[0] == second[0]
    assert (asked("Ann", "a"), asked("Ben", "b"), asked("Ben", "c")) == (first, joined, second)
    opened = club.stub.GetTable(wire.GetTableRequest(table_id=second[0]), metadata=club.tokens["Ann"]).table
    assert (opened.owner_id, len(opened.players)) == (club.ids["Ben"], 2)


def test_a_rematch_that_is_never_started_does_not_keep_the_others_from_playing(
    club: Club, lobby: Lobby, clock: ManualClock, signed_in: Callable[[str], Metadata]
) -> None:
    """After a week the next who asks opens another, which its owner joins too; repeats get their first answers."""
    table_id = finished(club, lobby)

    def asked(who: str, request_id: str) -> str:
        return str(club.call(who, "RematchTable", table_id=table_id, request_id=request_id).table.table_id)

    first = asked("Ann", "a")
    clock.advance(REMATCH_WAITS_MS)
    club.tokens = {name: signed_in(name) for name in NAMES}
    assert asked("Ben", "b") == first
    clock.advance(1)
    assert asked("Ann", "c") == first
    second = asked("Ben", "d")
    assert second != first
    assert asked("Ann", "e") == second
    assert [asked("Ann", "a"), asked("Ben", "b"), asked("Ben", "d")] == [first, first, second]
    opened = club.stub.GetTable(wire.GetTableRequest(table_id=second), metadata=club.tokens["Ann"]).table
    assert (opened.owner_id, len(opened.players)) == (club.ids["Ben"], 2)


def test_rematches_that_are_left_again_are_limited(club: Club, lobby: Lobby) -> None:
    """Who opens and leaves them comes to an end; the other player can still open one, and both can play it."""
    table_id, most = finished(club, lobby), Settings().quota.joins_per_table
    for _ in range(most):
        opened = club.call("Ann", "RematchTable", table_id=table_id).table
        club.call("Ann", "LeaveTable", table_id=opened.table_id)
    assert club.refused("Ann", "RematchTable", table_id=table_id) == "JOINED_TOO_OFTEN"
    opened = club.call("Ben", "RematchTable", table_id=table_id).table
    assert club.call("Ann", "RematchTable", table_id=table_id).table.table_id == opened.table_id


def test_a_rematch_needs_an_ended_game_of_ones_own(club: Club, lobby: Lobby) -> None:
    """Not while the game is played, and not by others."""
    open_table = club.open()
    assert club.refused("Ann", "RematchTable", table_id=open_table) == "TABLE_NOT_FINISHED"
    assert club.refused("Cem", "RematchTable", table_id=finished(club, lobby)) == "NOT_SEATED"


def test_lists_of_all_games_leave_out_what_not_everybody_may_see(club: Club, lobby: Lobby) -> None:
    """A delayed game is listed for all once it is over, an invited one never; its players always find it."""
    delayed, invited = finished(club, lobby, delay_moves=2), finished(club, lobby, visibility=INVITED)
    everything = wire.ListGamesRequest(listing=wire.GAME_LISTING_ALL)
    for_all = club.stub.ListGames(everything, metadata=club.tokens["Cem"])
    assert {game.table_id for game in for_all.games} == {delayed}
    own = club.stub.ListGames(wire.ListGamesRequest(), metadata=club.tokens["Ann"])
    assert {game.table_id for game in own.games} == {delayed, invited}


def test_the_clocks_of_a_delayed_game_are_for_its_own_people(club: Club, lobby: Lobby) -> None:
    """They say who is asked now. Once the game has ended they are for everybody."""

    def has_clocks(who: str, table_id: str) -> bool:
        answer = club.stub.GetTable(wire.GetTableRequest(table_id=table_id), metadata=club.tokens[who])
        return bool(answer.HasField("clocks"))

    policy = {"clock": json.dumps({"bank": 1000})}
    table_id = club.open(player_count=2, delay_seconds=3600, **policy)
    club.call("Ben", "JoinTable", table_id=table_id)
    club.call("Ann", "StartTable", table_id=table_id)
    assert [has_clocks(each, table_id) for each in ("Ann", "Ben", "Cem")] == [True, True, False]
    assert not club.stub.GetTable(wire.GetTableRequest(table_id=table_id)).HasField("clocks")
    ended, open_to_all = finished(club, lobby, delay_seconds=3600, **policy), club.open(**policy)
    assert has_clocks("Cem", ended) and has_clocks("Cem", open_to_all)


def test_overdue_turns_of_a_delayed_game_are_for_its_own_people(
    club: Club, lobby: Lobby, clock: ManualClock
) -> None:
    """They say who is asked now: in no answer, list or stream of anybody else, until the game has ended."""
    table_id = club.open(player_count=2, delay_seconds=3600, turn_seconds=60)
    club.call("Ben", "JoinTable", table_id=table_id)
    table = club.call("Ann", "StartTable", table_id=table_id).table
    seats = tuple(table.seats)
    asked = GameStatus(
        game_id=table.game_id, sequence=1, title="1824", players=seats, acting_players=seats[:1], time_ms=1
    )
    lobby.followed.follow_status(asked)
    clock.advance(100_000)
    lobby.followed.record_overdue_turns()

    def overdue_seen(who: str) -> list[int]:
        """In one answer, in a list and in a stream."""
        token = club.tokens.get(who, ())
        of_one = wire.GetTableRequest(table_id=table_id)
        listed = club.stub.ListTables(wire.ListTablesRequest(), metadata=token).tables
        watched = club.stub.WatchTables(wire.WatchTablesRequest(table_id=table_id), metadata=token)
        changed = next(watched).table
        watched.cancel()
        found = [club.stub.GetTable(of_one, metadata=token).table, changed]
        return [len(each.overdue) for each in (*found, *(t for t in listed if t.table_id == table_id))]

    assert overdue_seen("Ann") == overdue_seen("Ben") == [1, 1, 1]
    assert overdue_seen("Cem") == overdue_seen("nobody") == [0, 0, 0]
    results = tuple(GameResult(seat, 100) for seat in seats)
    lobby.followed.follow_status(replace(asked, sequence=2, ending="bank_broken", results=results))
    assert overdue_seen("Cem") == [1, 1, 1]
