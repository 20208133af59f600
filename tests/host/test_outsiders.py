"""To an outsider an invited table and its game are not there, whatever rpc asks for them: the answers are those for ids that
nobody ever had. The rpcs come from the contracts, so that a new one is attacked from its first day."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc
import pytest

from services.gen.signalbox.ledger.v1 import ledger_pb2
from services.gen.signalbox.lobby.v1 import lobby_service_pb2 as lobby_pb2, table_pb2
from services.gen.signalbox.rules.v1 import direction_pb2, rules_pb2
from services.rules.kernel.directing.commands import AssignSeat, Direct
from services.rules.requests import CommandAccepted, Request
from tests.attack.surface import Method, all_methods, is_repeated, server_of
from tests.host.signed_in_players import NAMES, SECONDS, Metadata, Party
from tests.hosting import Host, channel_to, followed, hosting

pytestmark = pytest.mark.integration

ABSENT = {"game_id": "gaaaaaaaaaaaaaaaaaaaaaaaa", "table_id": "taaaaaaaaaaaaaaaaaaaaaaaa"}
METHODS = all_methods()
# They refuse everybody else before they look at the id.
FOR_STAFF = ("HoldGame", "ReleaseHold", "RebuildBook", "Direct")
SERVICE_OF_STAFF = "/signalbox.lobby.v1.Staff/"
# Its answer says of each game whether it is there.
OF_MANY = "WatchMoves"
OF_PLAYERS = (
    "GetGame",
    "ListEvents",
    "ListChoices",
    "Execute",
    "WatchGame",
    "GetPicture",
    "GetBalances",
    "GetStatement",
)
LISTINGS = (lobby_pb2.GAME_LISTING_MINE, lobby_pb2.GAME_LISTING_WAITING_FOR_ME, lobby_pb2.GAME_LISTING_ALL)


def id_fields(method: Method) -> list[str]:
    """The fields of the request, and of the messages in it, by which a game or a table is asked for."""
    return [path[-1].name for path in method.field_paths() if len(path) <= 2 and path[-1].name in ABSENT]


ABOUT_ONE = [method for method in METHODS if id_fields(method)]
ABOUT_ALL = [method for method in METHODS if not id_fields(method) and not method.is_stream]


@dataclass(frozen=True)
class Hidden:
    """An invited table whose game is played."""

    game_id: str
    table_id: str


def invited_table(party: Party) -> Hidden:
    """A table that Ada organises without a chair; Ben is invited by name, Cleo comes by a link."""
    ada = party.tokens["Ada"]
    created = party.lobby.CreateTable(
        lobby_pb2.CreateTableRequest(
            request_id=party.request_id(),
            title="1862",
            player_count=3,
            least_players=2,
            owner_organises=True,
            visibility=table_pb2.TABLE_VISIBILITY_INVITED,
        ),
        metadata=ada,
        timeout=SECONDS,
    )
    table_id = created.table.table_id
    invite = lobby_pb2.InvitePlayerRequest(
        request_id=party.request_id(), table_id=table_id, player_id=party.ids["Ben"]
    )
    assert party.lobby.InvitePlayer(invite, metadata=ada, timeout=SECONDS).HasField("table")
    asked = lobby_pb2.MakeInvitationLinkRequest(request_id=party.request_id(), table_id=table_id)
    link = party.lobby.MakeInvitationLink(asked, metadata=ada, timeout=SECONDS).link_token
    for name, token in (("Ben", ""), ("Cleo", link)):
        join = lobby_pb2.JoinTableRequest(request_id=party.request_id(), table_id=table_id, link_token=token)
        assert party.lobby.JoinTable(join, metadata=party.tokens[name], timeout=SECONDS).HasField("table")
    start = lobby_pb2.StartTableRequest(request_id=party.request_id(), table_id=table_id)
    started = party.lobby.StartTable(start, metadata=ada, timeout=SECONDS)
    assert started.HasField("table"), started
    return Hidden(started.table.game_id, table_id)


@pytest.fixture(scope="module")
def hidden(party: Party, host: Host) -> Hidden:
    """The hidden table, in the lists of its players."""
    made = invited_table(party)

    def is_listed() -> bool:
        listed = party.lobby.ListGames(
            lobby_pb2.ListGamesRequest(), metadata=party.tokens["Ben"], timeout=SECONDS
        )
        return made.game_id in {game.status.game_id for game in listed.games}

    assert followed(host.addresses, is_listed)
    return made


def request_for(method: Method, ids: dict[str, str]) -> Any:
    """A request that is well formed apart from the ids in it."""
    request = method.request()
    for path in method.field_paths():
        name = path[-1].name
        if len(path) > 1:
            if len(path) == 2 and name in ids:
                part = getattr(request, path[0].name)
                setattr(part.add() if is_repeated(path[0]) else part, name, ids[name])
        elif name in ids:
            setattr(request, name, ids[name])
        elif name == "request_id":
            request.request_id = "the-same"
        elif name in ("expected_sequence", "at_sequence", "sequence"):
            setattr(request, name, 1)
        elif name == "player_id":
            request.player_id = "p" + "a" * 24
        elif name == "account":
            request.account.holder, request.account.unit = "bank", ledger_pb2.UNIT_MONEY
        elif name == "command":
            request.command.pass_turn.SetInParent()
        elif name == "direction":
            suspend = direction_pb2.Direction(reason="an attack", suspend=direction_pb2.Suspend())
            request.direction.CopyFrom(suspend)
    return request


def answer_to(host: Host, method: Method, request: Any, metadata: Metadata) -> tuple[str, bytes]:
    """Status and text of what came, or the first message."""
    with channel_to(getattr(host.addresses, server_of(method.service))) as channel:
        sent = request.SerializeToString()
        try:
            if method.is_stream:
                return "OK", next(channel.unary_stream(method.path)(sent, metadata=metadata, timeout=SECONDS))
            return "OK", channel.unary_unary(method.path)(sent, metadata=metadata, timeout=SECONDS)
        except grpc.RpcError as error:
            failed: Any = error
            return failed.code().name, failed.details().encode()


def is_for_staff(method: Method) -> bool:
    """Whether the rpc refuses players, before it looks for any game."""
    return method.name in FOR_STAFF or method.path.startswith(SERVICE_OF_STAFF)


def with_absent_ids(answer: tuple[str, bytes], ids: dict[str, str]) -> tuple[str, bytes]:
    """The answer with other ids in it."""
    status, content = answer
    for name, value in ids.items():
        content = content.replace(value.encode(), ABSENT[name].encode())
    return status, content


@pytest.mark.parametrize("who", ["Spectator", ""])
def test_asked_for_it_is_not_there(host: Host, party: Party, hidden: Hidden, who: str) -> None:
    """Every rpc that takes the id of a game or a table gives a player who is not at the table, and a caller without a token,
    the answer for an id that does not exist."""
    ids = {"game_id": hidden.game_id, "table_id": hidden.table_id}
    metadata = party.tokens[who] if who else ()
    for method in ABOUT_ONE:
        wanted = answer_to(host, method, request_for(method, ABSENT), metadata)
        got = answer_to(host, method, request_for(method, ids), metadata)
        assert with_absent_ids(got, ids) == wanted, method.path
        if who and method.name != OF_MANY and not is_for_staff(method):
            assert wanted[0] == "NOT_FOUND", (method.path, wanted)


def test_no_answer_about_all_names_it(host: Host, party: Party, hidden: Hidden) -> None:
    """No list and no other answer shows a spectator the table or its game."""
    for method in ABOUT_ALL:
        requests = [method.request()]
        if method.name == "ListGames":
            requests = [lobby_pb2.ListGamesRequest(listing=each) for each in LISTINGS]
        for request in requests:
            _, content = answer_to(host, method, request, party.tokens["Spectator"])
            assert hidden.game_id.encode() not in content, method.path
            assert hidden.table_id.encode() not in content, method.path


def test_streams_of_tables_leave_it_out(party: Party) -> None:
    """A stream of all tables sends an outsider the next public table, and nothing of an invited one before it."""
    stream = party.lobby.WatchTables(
        lobby_pb2.WatchTablesRequest(), metadata=party.tokens["Spectator"], timeout=SECONDS
    )
    kept_out, public = invited_table(party), party.begin()
    for seen in stream:
        assert seen.table.table_id != kept_out.table_id
        if seen.table.game_id == public:
            break
    stream.cancel()


@pytest.mark.parametrize("who", [*NAMES])
def test_its_people_see_it(host: Host, party: Party, hidden: Hidden, who: str) -> None:
    """The organiser and the players see table, game, events, books and lists: so the attack is on something that is there."""
    token = party.tokens[who]
    ids = {"game_id": hidden.game_id, "table_id": hidden.table_id}
    for method in ABOUT_ONE:
        if method.name in ("GetTable", "GetGame", "ListEvents", "WatchGame", "WatchTables", "GetBalances"):
            assert answer_to(host, method, request_for(method, ids), token)[0] == "OK", method.path
    listed = party.lobby.ListTables(lobby_pb2.ListTablesRequest(), metadata=token, timeout=SECONDS)
    assert hidden.table_id in {table.table_id for table in listed.tables}


def test_who_was_removed_is_an_outsider(party: Party) -> None:
    """A player whose chair the owner took does not find the table any more."""
    created = party.lobby.CreateTable(
        lobby_pb2.CreateTableRequest(
            request_id=party.request_id(),
            title="1862",
            player_count=3,
            visibility=table_pb2.TABLE_VISIBILITY_INVITED,
        ),
        metadata=party.tokens["Ada"],
        timeout=SECONDS,
    )
    table_id, ben = created.table.table_id, party.ids["Ben"]
    asked: list[tuple[Any, Any, str]] = [
        (party.lobby.InvitePlayer, lobby_pb2.InvitePlayerRequest(player_id=ben), "Ada"),
        (party.lobby.JoinTable, lobby_pb2.JoinTableRequest(), "Ben"),
        (party.lobby.RemovePlayer, lobby_pb2.RemovePlayerRequest(player_id=ben), "Ada"),
    ]
    for call, request, who in asked:
        request.request_id, request.table_id = party.request_id(), table_id
        assert call(request, metadata=party.tokens[who], timeout=SECONDS).HasField("table")
    with pytest.raises(grpc.RpcError) as refused:
        party.lobby.GetTable(
            lobby_pb2.GetTableRequest(table_id=table_id), metadata=party.tokens["Ben"], timeout=SECONDS
        )
    failed: Any = refused.value
    assert failed.code() is grpc.StatusCode.NOT_FOUND


def test_whose_seat_was_given_away_is_an_outsider(tmp_path: Path) -> None:
    """After three changes none of the former players gets anything of the game from any service, nor from a stream that was open
    before; the last one does."""
    with hosting(tmp_path) as host, Party(host.addresses) as party:
        made, bearers = invited_table(party), ["Ben"]
        ids = {"game_id": made.game_id, "table_id": made.table_id}
        seat = party.ids["Ben"]
        for name in ("Spectator", "Dan", "Eli"):
            if name not in party.tokens:
                party.sign_in(name, party.register(name))
            open_streams = _streams_of(party, made.game_id, party.tokens[bearers[-1]])
            given = Direct(AssignSeat(seat, party.ids[name], "substitute"), "ill")
            result = host.rules.execute(Request(made.game_id, party.ids["Ada"], name, 0, given))
            assert isinstance(result, CommandAccepted)
            assert_ended(*open_streams)
            bearers.append(name)
        *former, last = bearers
        for method in (each for each in ABOUT_ONE if each.name != OF_MANY and not is_for_staff(each)):
            wanted = answer_to(host, method, request_for(method, ABSENT), party.tokens["Ben"])
            for name in former:
                got = answer_to(host, method, request_for(method, ids), party.tokens[name])
                assert with_absent_ids(got, ids) == wanted, (name, method.path)
        for method in (each for each in ABOUT_ONE if each.name in OF_PLAYERS):
            absent = answer_to(host, method, request_for(method, ABSENT), party.tokens[last])
            got = answer_to(host, method, request_for(method, ids), party.tokens[last])
            assert with_absent_ids(got, ids) != absent, method.path


def _streams_of(party: Party, game_id: str, metadata: Metadata) -> tuple[Any, Any]:
    """The events and the moves of a game from now on, for one who plays it."""
    request = rules_pb2.GetGameRequest(game_id=game_id)
    sequence = party.rules.GetGame(request, metadata=metadata, timeout=SECONDS).game.sequence
    # From the last event on: who gets that one is watching.
    events = party.rules.WatchGame(
        rules_pb2.WatchGameRequest(game_id=game_id, after_sequence=sequence - 1),
        metadata=metadata,
        timeout=SECONDS,
    )
    watched = rules_pb2.WatchedGame(game_id=game_id, after_sequence=sequence - 1)
    moves = party.rules.WatchMoves(
        rules_pb2.WatchMovesRequest(games=[watched]), metadata=metadata, timeout=SECONDS
    )
    assert next(events).event.sequence == sequence
    assert next(moves).sequence == sequence
    return events, moves


def assert_ended(events: Any, moves: Any) -> None:
    """Nothing more came of the game, as if there were none."""
    with pytest.raises(grpc.RpcError) as ended:
        next(events)
    failed: Any = ended.value
    assert failed.code() is grpc.StatusCode.NOT_FOUND
    assert next(moves).not_found
    moves.cancel()


def test_a_restart_forgets_nobody(tmp_path: Path) -> None:
    """The audience is in the game's log: after a restart the same people see it."""
    with hosting(tmp_path) as host, Party(host.addresses) as party:
        made, tokens = invited_table(party), party.tokens
    request = rules_pb2.GetGameRequest(game_id=made.game_id)
    method = next(each for each in METHODS if each.path.endswith("Rules/GetGame"))
    with hosting(tmp_path) as host:
        assert answer_to(host, method, request, tokens["Spectator"])[0] == "NOT_FOUND"
        assert answer_to(host, method, request, tokens["Ben"])[0] == "OK"
