"""The lobby over gRPC."""

import json
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import grpc
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from services.common.auth.tokens import Principal, TokenIssuer, TokenVerifier
from services.common.clock import ManualClock
from services.gen.signalbox.lobby.v1 import lobby_service_pb2 as wire, rejection_pb2, table_pb2
from services.gen.signalbox.lobby.v1.lobby_service_pb2_grpc import LobbyServiceStub
from services.lobby.bootstrap import Lobby
from services.lobby.handlers.tables import ResumedTables
from tests.lobby.conftest import Metadata
from tests.lobby.fakes import RecordingStarter
from tests.redis_connections import wait_until

SignIn = Callable[[str], Metadata]


def reason(response: object) -> str:
    """Name of a rejection's reason."""
    rejection = response.rejected  # type: ignore[attr-defined]
    assert rejection.sentence
    return rejection_pb2.RejectionReason.Name(rejection.reason).removeprefix("REJECTION_REASON_")


def register(stub: LobbyServiceStub, request_id: str, name: str, password: str = "correct horse"):  # type: ignore[no-untyped-def]
    """Registers."""
    return stub.RegisterPlayer(
        wire.RegisterPlayerRequest(request_id=request_id, name=name, password=password)
    )


def create(
    stub: LobbyServiceStub, caller: Metadata, request_id: str = "c1", player_count: int = 2, **more: object
) -> wire.CreateTableResponse:
    """Opens a table."""
    request = wire.CreateTableRequest(request_id=request_id, title="1824", player_count=player_count, **more)  # type: ignore[arg-type]
    response: wire.CreateTableResponse = stub.CreateTable(request, metadata=caller)
    return response


def join(
    stub: LobbyServiceStub, caller: Metadata, table_id: str, request_id: str = "j1"
) -> wire.JoinTableResponse:
    """Takes a chair."""
    response: wire.JoinTableResponse = stub.JoinTable(
        wire.JoinTableRequest(request_id=request_id, table_id=table_id), metadata=caller
    )
    return response


def start(
    stub: LobbyServiceStub, caller: Metadata, table_id: str, request_id: str = "s1"
) -> wire.StartTableResponse:
    """Starts a table."""
    response: wire.StartTableResponse = stub.StartTable(
        wire.StartTableRequest(request_id=request_id, table_id=table_id), metadata=caller
    )
    return response


def status_of(call: Callable[[], object]) -> grpc.StatusCode:
    """The gRPC status with which a call fails."""
    with pytest.raises(grpc.RpcError) as caught:
        call()
    return caught.value.code()


def test_register_and_sign_in(stub: LobbyServiceStub, clock: ManualClock) -> None:
    """A player registers and signs in; the token proves id and name with the public key alone, until it ends."""
    player = register(stub, "r1", "Ann").player
    session = stub.LogIn(wire.LogInRequest(name="ANN", password="correct horse")).session
    key = stub.GetPublicKey(wire.GetPublicKeyRequest())
    verifier = TokenVerifier(key.public_key, clock)
    assert key.algorithm == "EdDSA"
    assert [(each.key_id, each.public_key) for each in key.verifying_keys] == [("", key.public_key)]
    assert [entry["crv"] for entry in json.loads(key.jwks)["keys"]] == ["Ed25519"]
    assert jwt.PyJWKSet.from_json(key.jwks).keys[0].key.public_bytes_raw() == key.public_key
    assert session.player == player
    assert verifier.verify(session.token) == Principal(player.player_id, "Ann")
    assert session.expire_time_ms == clock.now_ms() + 7 * 24 * 3600 * 1000


def test_a_table_is_played(stub: LobbyServiceStub, signed_in: SignIn, starter: RecordingStarter) -> None:
    """Create, join, start: the game begins with the players in the drawn seats and all that was chosen."""
    ann, bob, cy = signed_in("Ann"), signed_in("Bob"), signed_in("Cy")
    table = create(
        stub,
        ann,
        player_count=3,
        options=["goods_time"],
        ruling_profile="18xx.games",
        rulings=[table_pb2.RulingChoice(ruling_id="export", value="none")],
        undo_policy=table_pb2.UNDO_POLICY_FREE,
        seed=7,
    ).table
    assert (table.seed_chosen_by_owner, table.state, table.version) == (True, table_pb2.TABLE_STATE_OPEN, 1)
    join(stub, bob, table.table_id)
    join(stub, cy, table.table_id)
    playing = start(stub, ann, table.table_id).table
    assert playing.state == table_pb2.TABLE_STATE_PLAYING
    title, players, options, rulings, undo_policy, seed = starter.games[playing.game_id]
    assert [player.player_id for player in players] == list(playing.seats)  # type: ignore[attr-defined]
    assert (title, options, undo_policy, seed) == ("1824", ("goods_time",), "free", 7)
    assert (rulings.profile, rulings.single[0].value) == ("18xx.games", "none")  # type: ignore[attr-defined]
    assert stub.GetTable(wire.GetTableRequest(table_id=table.table_id)).table == playing


def test_repeats_get_the_first_answer(
    stub: LobbyServiceStub, signed_in: SignIn, starter: RecordingStarter
) -> None:
    """Create, join, start sent twice change nothing the second time, even after the table went on."""
    ann, bob = signed_in("Ann"), signed_in("Bob")
    created = create(stub, ann)
    joined = join(stub, bob, created.table.table_id)
    started = start(stub, ann, created.table.table_id)
    assert create(stub, ann) == created
    assert join(stub, bob, created.table.table_id) == joined
    assert start(stub, ann, created.table.table_id) == started
    assert len(starter.games) == 1


def test_request_ids_with_other_content_are_rejected(stub: LobbyServiceStub, signed_in: SignIn) -> None:
    """The same id with other choices, or for another action at the table, is rejected; other players may use it."""
    ann, bob = signed_in("Ann"), signed_in("Bob")
    table = create(stub, ann, "x").table
    assert reason(create(stub, ann, "x", player_count=3)) == "REQUEST_ID_REUSED"
    assert reason(start(stub, ann, table.table_id, "x")) == "REQUEST_ID_REUSED"
    assert join(stub, bob, table.table_id, "x").table.version == 2
    assert create(stub, bob, "x").table.table_id != table.table_id


def test_every_rejection_at_a_table(stub: LobbyServiceStub, signed_in: SignIn) -> None:
    """Joining, leaving and starting are rejected with their own reasons and change nothing."""
    ann, bob, cy = signed_in("Ann"), signed_in("Bob"), signed_in("Cy")
    table_id = create(stub, ann).table.table_id
    leave = wire.LeaveTableRequest(request_id="l1", table_id=table_id)
    assert reason(start(stub, ann, table_id)) == "TABLE_NOT_FULL"
    assert reason(join(stub, ann, table_id)) == "ALREADY_SEATED"
    assert reason(stub.LeaveTable(leave, metadata=bob)) == "NOT_SEATED"
    join(stub, bob, table_id)
    assert reason(join(stub, cy, table_id)) == "TABLE_FULL"
    assert reason(start(stub, bob, table_id)) == "NOT_OWNER"
    assert stub.GetTable(wire.GetTableRequest(table_id=table_id)).table.version == 2
    closed = stub.LeaveTable(leave, metadata=ann).table
    assert closed.state == table_pb2.TABLE_STATE_CLOSED
    assert reason(join(stub, cy, table_id)) == "TABLE_NOT_OPEN"


def test_what_the_catalogue_does_not_offer_is_rejected(stub: LobbyServiceStub, signed_in: SignIn) -> None:
    """Unknown option and bad number of players are rejected over the wire too."""
    ann = signed_in("Ann")
    assert reason(create(stub, ann, player_count=9)) == "PLAYER_COUNT_NOT_OFFERED"
    assert reason(create(stub, ann, options=["steam"])) == "OPTION_UNKNOWN"
    assert reason(create(stub, ann, seed=-5)) == "SEED_NEGATIVE"


def test_many_join_at_once(stub: LobbyServiceStub, signed_in: SignIn) -> None:
    """Of five who want the last three chairs at the same time exactly three get one."""
    table_id = create(stub, signed_in("Ann"), player_count=4).table.table_id
    guests = [signed_in(f"Guest {number}") for number in range(5)]
    with ThreadPoolExecutor(5) as pool:
        responses = list(pool.map(lambda guest: join(stub, guest, table_id), guests))
    assert (
        sorted(response.WhichOneof("outcome") for response in responses) == ["rejected"] * 2 + ["table"] * 3
    )
    assert len(stub.GetTable(wire.GetTableRequest(table_id=table_id)).table.players) == 4


def test_an_interrupted_start_continues(
    stub: LobbyServiceStub, signed_in: SignIn, starter: RecordingStarter, lobby: Lobby
) -> None:
    """If rules do not answer, the seats stay drawn; the repeated request, or the next start of the host, begins the game."""
    ann, bob = signed_in("Ann"), signed_in("Bob")
    tables = [create(stub, ann, request_id).table.table_id for request_id in ("c1", "c2")]
    starter.is_failing = True
    for table_id in tables:
        join(stub, bob, table_id)
        assert status_of(lambda table_id=table_id: start(stub, ann, table_id)) is grpc.StatusCode.UNAVAILABLE  # type: ignore[misc]
    drawn = stub.GetTable(wire.GetTableRequest(table_id=tables[0])).table
    assert drawn.state == table_pb2.TABLE_STATE_STARTING
    starter.is_failing = False
    assert start(stub, ann, tables[0]).table.seats == drawn.seats
    assert lobby.tables.resume_starting_tables() == ResumedTables((tables[1],), {})
    assert {stub.GetTable(wire.GetTableRequest(table_id=table_id)).table.state for table_id in tables} == {
        table_pb2.TABLE_STATE_PLAYING
    }
    assert len(starter.games) == 2


def test_a_repeated_start_of_a_game_that_has_begun_needs_no_rules(
    stub: LobbyServiceStub, signed_in: SignIn, starter: RecordingStarter
) -> None:
    """The first answer again, though rules do not answer."""
    ann = signed_in("Ann")
    table_id = create(stub, ann).table.table_id
    join(stub, signed_in("Bob"), table_id)
    started = start(stub, ann, table_id)
    starter.is_failing = True
    assert start(stub, ann, table_id) == started
    assert starter.calls == 1


def test_interrupted_starts_are_resumed_until_cancelled(
    stub: LobbyServiceStub, signed_in: SignIn, starter: RecordingStarter, lobby: Lobby
) -> None:
    """The table at hand is the last one; the others wait for the next time."""
    ann, bob = signed_in("Ann"), signed_in("Bob")
    starter.is_failing = True
    for request_id in ("c1", "c2"):
        table_id = create(stub, ann, request_id).table.table_id
        join(stub, bob, table_id)
        assert status_of(lambda table_id=table_id: start(stub, ann, table_id)) is grpc.StatusCode.UNAVAILABLE  # type: ignore[misc]
    calls = starter.calls
    resumed = lobby.tables.resume_starting_tables(lambda: starter.calls > calls)
    assert (len(resumed.waiting), resumed.begun) == (1, ())


def test_tables_are_listed_in_pages(stub: LobbyServiceStub, signed_in: SignIn) -> None:
    """Pages come newest first, each table once, also when a table is opened between two pages."""
    ann = signed_in("Ann")
    ids = [create(stub, ann, f"c{number}").table.table_id for number in range(5)]
    first = stub.ListTables(wire.ListTablesRequest(page_size=2))
    create(stub, ann, "later")
    second = stub.ListTables(wire.ListTablesRequest(page_size=2, page_token=first.next_page_token))
    third = stub.ListTables(wire.ListTablesRequest(page_size=2, page_token=second.next_page_token))
    listed = [table.table_id for page in (first, second, third) for table in page.tables]
    assert listed == ids[::-1]
    assert third.next_page_token == ""


def test_tables_are_listed_by_state_and_title(stub: LobbyServiceStub, signed_in: SignIn) -> None:
    """Filters leave out what does not fit."""
    ann = signed_in("Ann")
    kept, closed = (create(stub, ann, request_id).table.table_id for request_id in ("c1", "c2"))
    stub.LeaveTable(wire.LeaveTableRequest(request_id="l", table_id=closed), metadata=ann)
    listed = stub.ListTables(wire.ListTablesRequest(state=table_pb2.TABLE_STATE_OPEN)).tables
    assert [table.table_id for table in listed] == [kept]
    assert not stub.ListTables(wire.ListTablesRequest(title="1862")).tables


def test_watchers_see_every_change(stub: LobbyServiceStub, signed_in: SignIn) -> None:
    """A watcher gets the open tables, then each change; after a break it resumes from its position."""
    ann, bob = signed_in("Ann"), signed_in("Bob")
    table_id = create(stub, ann).table.table_id
    stream = stub.WatchTables(wire.WatchTablesRequest(), timeout=60)
    first = next(stream)
    assert (first.table.table_id, first.table.version) == (table_id, 1)
    timer = threading.Timer(0.05, join, (stub, bob, table_id))
    timer.start()
    assert next(stream).table.version == 2
    stream.cancel()
    timer.join()
    again = stub.WatchTables(
        wire.WatchTablesRequest(after_position=first.position, table_id=table_id), timeout=60
    )
    assert next(again).table.version == 2
    again.cancel()


def test_a_watcher_who_cancels_frees_the_server(stub: LobbyServiceStub, signed_in: SignIn) -> None:
    """More watchers than the server keeps at a time can come one after the other."""
    create(stub, signed_in("Ann"))
    for _ in range(60):
        wait_until(lambda: is_watching(stub))


def is_watching(stub: LobbyServiceStub) -> bool:
    """Whether there is a place for one more watcher, who leaves it at once."""
    stream = stub.WatchTables(wire.WatchTablesRequest(), timeout=60)
    try:
        next(stream)
    except grpc.RpcError as error:
        assert error.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        return False
    stream.cancel()
    return True


def test_calls_that_need_a_player_need_a_token(
    stub: LobbyServiceStub, signed_in: SignIn, clock: ManualClock
) -> None:
    """No token, nonsense, a foreign signature and an ended token are all unauthenticated."""
    forged = TokenIssuer(Ed25519PrivateKey.generate(), 60, clock).issue(Principal("p1", "Ann")).token
    good = signed_in("Ann")
    attempts: list[Metadata] = [
        (),
        (("authorization", "Bearer nonsense"),),
        (("authorization", f"Bearer {forged}"),),
        (("authorization", good[0][1].removeprefix("Bearer ")),),
        (*good, *good),
    ]
    for metadata in attempts:
        assert status_of(lambda metadata=metadata: create(stub, metadata)) is grpc.StatusCode.UNAUTHENTICATED  # type: ignore[misc]
    clock.advance(7 * 24 * 3600 * 1000)
    assert status_of(lambda: create(stub, good)) is grpc.StatusCode.UNAUTHENTICATED
    assert not stub.ListTables(wire.ListTablesRequest()).tables


def test_broken_requests_are_named(stub: LobbyServiceStub, signed_in: SignIn) -> None:
    """Malformed ids, sizes, tokens, positions and enum values are invalid; unknown tables are not found."""
    ann = signed_in("Ann")
    invalid: list[Callable[[], object]] = [
        lambda: register(stub, "", "Bob"),
        lambda: register(stub, "x" * 65, "Bob"),
        lambda: create(stub, ann, "a b"),
        lambda: create(stub, ann, undo_policy=77),
        lambda: stub.ListTables(wire.ListTablesRequest(page_size=101)),
        lambda: stub.ListTables(wire.ListTablesRequest(page_size=-1)),
        lambda: stub.ListTables(wire.ListTablesRequest(page_token="last page please")),
        lambda: stub.ListTables(wire.ListTablesRequest(state=77)),  # type: ignore[arg-type]
        lambda: next(stub.WatchTables(wire.WatchTablesRequest(after_position=-1))),
    ]
    for call in invalid:
        assert status_of(call) is grpc.StatusCode.INVALID_ARGUMENT
    unknown: list[Callable[[], object]] = [
        lambda: stub.GetTable(wire.GetTableRequest(table_id="t-none")),
        lambda: join(stub, ann, "t-none"),
        lambda: next(stub.WatchTables(wire.WatchTablesRequest(table_id="t-none"))),
    ]
    for call in unknown:
        assert status_of(call) is grpc.StatusCode.NOT_FOUND
