"""Tables of games begun elsewhere: made whole or not at all, for operators alone, within quotas."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import grpc
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec.structs import replace

from services.common.auth.tokens import Principal, TokenIssuer
from services.common.clock import ManualClock, SystemClock
from services.common.errors import InvalidRequest, Unavailable
from services.common.eventlog.memory import MemoryEventLog
from services.common.grpc.server import Guard, create_server
from services.common.settings.accounts import QuotaSettings
from services.common.settings.service import Settings
from services.common.telemetry.logs import Telemetry
from services.gen.signalbox.lobby.v1 import lobby_service_pb2 as wire, table_pb2
from services.gen.signalbox.lobby.v1.lobby_service_pb2_grpc import LobbyServiceStub
from services.lobby.bootstrap import Lobby, bootstrap_lobby
from services.lobby.bootstrap_ports import GamePorts, LobbyPorts
from services.lobby.domain.catalogue import RulingSelection
from services.lobby.domain.imports import ImportedGame, ImportSeat, ImportWanted, TableOrigin
from services.lobby.domain.players import Player
from services.lobby.domain.rejections import ImportFault, Rejection, RejectionReason
from services.lobby.domain.tables import Table, TableState
from services.lobby.handlers.kept_games import KEPT_STREAM
from services.lobby.ports import GameStartRefused, ImportRefused, never_cancelled
from tests.lobby.fakes import FixedCatalogue, FixedSeeds, KnownImporter, PlainPasswords, RecordingStarter

OPERATOR = Principal("operator:ann", "ann", "operator")
KEY = Ed25519PrivateKey.generate()
QUOTA = QuotaSettings(seats=3, imports=4)
GAME = ImportedGame(
    players=(),
    title="1824",
    options=("goods_time",),
    rulings=RulingSelection("18xx.games"),
    undo_policy="free",
    seed=7,
    source="18xx.games",
    source_game_id="4711",
    file_digest="ab" * 32,
    action_count=12,
    events=b"events",
)


class Bench:
    """A lobby with two players, and what is behind it."""

    def __init__(self, log: MemoryEventLog | None = None) -> None:
        self.log = log or MemoryEventLog(ManualClock())
        self.starter = RecordingStarter()
        self.importer = KnownImporter(GAME)
        self.lobby: Lobby = bootstrap_lobby(
            LobbyPorts(
                log=self.log,
                games=GamePorts(FixedCatalogue(), self.starter, importer=self.importer),
                signing_key=KEY,
                settings=Settings(quota=QUOTA, operators=("p-boss",)),
                clock=ManualClock(),
                seeds=FixedSeeds(),
                passwords=PlainPasswords(),
            )
        )

    def register(self, name: str) -> Player:
        """A new account."""
        player = self.lobby.players.register(f"register-{name}", name, "a long password", address="here")
        assert isinstance(player, Player)
        return player

    def make(
        self, request_id: str = "i1", caller: Principal = OPERATOR, wanted: ImportWanted | None = None
    ) -> Table | Rejection:
        """Import the game for Ada and Ben."""
        return self.lobby.imports.import_table(caller, request_id, wanted or WANTED, never_cancelled)

    def written(self) -> list[str]:
        """The streams of tables and imports."""
        return [*self.log.streams("lobby.table."), *self.log.streams(KEPT_STREAM)]


WANTED = ImportWanted(
    b"file", (ImportSeat("11", player_name="ADA"), ImportSeat("12", player_name="Ben")), "free", 60
)


@pytest.fixture
def bench() -> Bench:
    """A lobby in which Ada and Ben are registered."""
    bench = Bench()
    bench.register("Ada")
    bench.register("Ben")
    return bench


def fault_of(answer: Table | Rejection) -> ImportFault:
    """What was refused."""
    assert isinstance(answer, Rejection) and answer.reason is RejectionReason.IMPORT_REFUSED, answer
    assert answer.import_fault is not None
    return answer.import_fault


def test_a_file_becomes_a_table_that_plays(bench: Bench) -> None:
    """Seats, choices and origin are those of the file; the game gets the events and begins once."""
    table = bench.make()
    assert isinstance(table, Table), table
    assert (table.state, [player.name for player in table.players]) == (TableState.PLAYING, ["Ada", "Ben"])
    assert table.seats == tuple(player.player_id for player in table.players)
    assert table.origin == TableOrigin("18xx.games", "4711", "ab" * 32, 12, "operator:ann")
    assert (table.title, table.options, table.rulings.profile) == ("1824", ("goods_time",), "18xx.games")
    assert (table.undo_policy, table.turn_seconds, table.seed) == ("free", 60, 7)
    assert bench.starter.games == {table.game_id: (b"events",)}
    assert Bench(bench.log).lobby.tables.get(table.table_id) == table


def test_a_repeat_makes_nothing_new(bench: Bench) -> None:
    """The same request gets the same table, without a look at the file; other content is rejected."""
    first = bench.make()
    assert isinstance(first, Table)
    again = bench.make()
    assert isinstance(again, Table) and again.table_id == first.table_id
    assert (again.state, bench.importer.calls, bench.starter.calls) == (TableState.PLAYING, 1, 1)
    other = bench.make(wanted=replace(WANTED, file=b"other"))
    assert isinstance(other, Rejection) and other.reason is RejectionReason.REQUEST_ID_REUSED
    somebody = bench.make(caller=replace(OPERATOR, player_id="operator:bob"))
    assert isinstance(somebody, Table) and somebody.table_id != first.table_id
    with pytest.raises(InvalidRequest):
        bench.make("no id")


@pytest.mark.parametrize("how", ["repeat", "restart"])
def test_an_interrupted_import_is_completed(bench: Bench, how: str) -> None:
    """The table is there and its game could not begin: the repeated request, or the next start, begins it."""
    bench.starter.is_failing = True
    with pytest.raises(Unavailable):
        bench.make()
    after = Bench(bench.log)
    if how == "repeat":
        table = after.make()
        assert isinstance(table, Table) and table.state is TableState.PLAYING
        assert after.importer.calls == 0
    else:
        (table_id,) = after.lobby.tables.resume_starting_tables().begun
        table = after.lobby.tables.get(table_id)
        assert table.state is TableState.PLAYING
    assert after.starter.games == {table.game_id: (b"events",)}


def test_events_without_a_table_are_not_seen(bench: Bench) -> None:
    """A host that dies between the two leaves nothing that a list shows, and the same import goes on."""
    append = bench.log.append

    def dies_before_the_table(stream: str, *rest: object) -> object:
        if stream.startswith("lobby.table."):
            raise ConnectionError("the process died")
        return append(stream, *rest)  # type: ignore[arg-type]

    bench.log.append = dies_before_the_table  # type: ignore[assignment, method-assign]
    with pytest.raises(ConnectionError):
        bench.make()
    bench.log.append = append  # type: ignore[method-assign]
    assert bench.lobby.tables.page(0, "", "", None) == ([], "") and not bench.starter.games
    assert isinstance(bench.make(), Table) and len(bench.written()) == 2


def test_what_the_rules_refuse_for_good_closes_the_table(bench: Bench) -> None:
    """As at any table, its state says so, and so does the repeat."""
    bench.starter.refusal = GameStartRefused("unknown_title", "no such title")
    for _ in range(2):
        answer = bench.make()
        assert isinstance(answer, Rejection) and answer.reason is RejectionReason.START_REFUSED


def test_a_refused_file_leaves_nothing(bench: Bench) -> None:
    """The refusal of the importer is passed on with its place, and not even the events are kept."""
    fault = ImportFault("not_your_turn", 31, 44, "pass", "12")
    bench.importer.refusal = ImportRefused(fault, "action 31: it is another player's turn", "1824/IV.2")
    answer = bench.make()
    assert fault_of(answer) == fault and isinstance(answer, Rejection)
    assert (answer.sentence, answer.clause) == ("action 31: it is another player's turn", "1824/IV.2")
    assert bench.written() == [] and bench.starter.calls == 0
    bench.importer.refusal = None
    assert isinstance(bench.make(), Table)


@pytest.mark.parametrize(
    ("seats", "code", "recorded"),
    [
        ((ImportSeat("11", "Ada"), ImportSeat("11", "Ben")), "seat_repeated", "11"),
        ((ImportSeat("11", "Ada"), ImportSeat("12", "Cleo")), "account_unknown", "12"),
        ((ImportSeat("11", "Ada"), ImportSeat("12", player_id="p-none")), "account_unknown", "12"),
        ((ImportSeat("11", "Ada"), ImportSeat("12", "\0")), "account_unknown", "12"),
        ((ImportSeat("11", "Ada"), ImportSeat("12", "ada")), "account_repeated", "12"),
    ],
)
def test_seats_are_for_accounts_of_their_own(
    bench: Bench, seats: tuple[ImportSeat, ...], code: str, recorded: str
) -> None:
    """Each seat is named once, for an account that exists and has no other seat."""
    fault = fault_of(bench.make(wanted=replace(WANTED, seats=seats)))
    assert (fault.code, fault.player, bench.written()) == (code, recorded, [])


def test_players_that_keep_their_ids_have_accounts(bench: Bench) -> None:
    """Without seats the ids of the file are accounts here, or it is refused."""
    ada = bench.lobby.players.named("Ada")
    assert ada is not None
    keeps = Bench(bench.log)
    keeps.importer.read = lambda *_: replace(GAME, players=(ada.player_id, "p-none"))  # type: ignore[method-assign]
    assert fault_of(keeps.make(wanted=replace(WANTED, seats=()))).player == "p-none"
    keeps.importer.read = lambda *_: replace(GAME, players=(ada.player_id,))  # type: ignore[method-assign]
    table = keeps.make(wanted=replace(WANTED, seats=()))
    assert isinstance(table, Table) and table.players == (ada,)


def test_imports_are_limited(bench: Bench) -> None:
    """A player's seats, and the games that one operator imports; who is seated is not charged for what is stored."""
    for number in range(3):
        assert isinstance(bench.make(f"i{number}"), Table)
    full = bench.make("i3")
    assert isinstance(full, Rejection) and full.reason is RejectionReason.TOO_MANY_SEATS
    assert full.sentence.startswith("Ada has no seat left")
    bench.register("Cleo")
    bench.register("Dora")
    others = (ImportSeat("11", "Cleo"), ImportSeat("12", "Dora"))
    assert isinstance(bench.make("i4", wanted=replace(WANTED, seats=others)), Table)
    spent = bench.make("i5", wanted=replace(WANTED, seats=others))
    assert isinstance(spent, Rejection) and spent.reason is RejectionReason.TOO_MANY_IMPORTS
    late = bench.make("i6", replace(OPERATOR, player_id="operator:bob"), replace(WANTED, turn_seconds=-1))
    assert isinstance(late, Rejection) and late.reason is RejectionReason.TURN_SECONDS_OUT_OF_RANGE
    ada = bench.lobby.players.named("Ada")
    assert ada is not None
    assert len(bench.log.streams(KEPT_STREAM)) == 1, "the same events are kept once"


def bearer(kind: str, player_id: str) -> tuple[tuple[str, str], ...]:
    """The metadata of a caller."""
    principal = Principal(player_id, "x", kind)  # type: ignore[arg-type]
    token = TokenIssuer(KEY, 60, SystemClock()).issue(principal).token
    return (("authorization", f"Bearer {token}"),)


@pytest.fixture
def call(bench: Bench) -> Iterator[Callable[..., wire.ImportTableResponse]]:
    """The rpc."""
    lobby = bootstrap_lobby(
        LobbyPorts(
            log=bench.log,
            games=GamePorts(FixedCatalogue(), bench.starter, importer=bench.importer),
            signing_key=KEY,
            settings=Settings(operators=("p-boss",)),
            passwords=PlainPasswords(),
        )
    )
    server, port = create_server([lobby.hosted], Settings(), Telemetry(), guard=Guard(lobby.verifier))
    server.start()
    with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
        stub = LobbyServiceStub(channel)
        yield lambda metadata=(), **fields: stub.ImportTable(
            wire.ImportTableRequest(**{"request_id": "r1", "file": b"file", "seats": SEATS} | fields),
            timeout=10,
            metadata=metadata,
        )
    server.stop(0)


SEATS = [
    wire.ImportSeat(recorded="11", player_name="Ada"),
    wire.ImportSeat(recorded="12", player_name="Ben"),
]


def test_only_operators_import(bench: Bench, call: Callable[..., wire.ImportTableResponse]) -> None:
    """Players, services and callers without a token are turned away; both kinds of operators are not."""
    for metadata, code in (
        ((), grpc.StatusCode.UNAUTHENTICATED),
        (bearer("player", "p-ada"), grpc.StatusCode.PERMISSION_DENIED),
        (bearer("service", "service:ledger"), grpc.StatusCode.PERMISSION_DENIED),
    ):
        with pytest.raises(grpc.RpcError) as refused:
            call(metadata)
        assert refused.value.code() is code and bench.written() == []
    table = call(bearer("operator", "operator:ann")).table
    assert table.origin == table_pb2.TableOrigin(
        source="18xx.games",
        game_id="4711",
        file_digest="ab" * 32,
        action_count=12,
        imported_by="operator:ann",
    )
    assert call(bearer("player", "p-boss")).table.origin.imported_by == "p-boss"


def test_a_refusal_on_the_wire_has_its_place(
    bench: Bench, call: Callable[..., wire.ImportTableResponse]
) -> None:
    """Code, number, id, kind and player are fields of their own."""
    bench.importer.refusal = ImportRefused(ImportFault("wrong_step", 3, 5, "pass", "12"), "a sentence")
    operator = bearer("operator", "operator:ann")
    fault = call(operator).rejected.import_fault
    assert (fault.code, fault.number, fault.action_id, fault.kind, fault.player) == (
        "wrong_step",
        3,
        5,
        "pass",
        "12",
    )


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"seats": [wire.ImportSeat(recorded="11")]}, "seats"),
        ({"seats": [wire.ImportSeat(player_name="Ada")]}, "seats"),
        ({"undo_policy": 99}, "undo_policy"),
        ({"request_id": ""}, "request_id"),
    ],
)
def test_malformed_requests_are_named(
    bench: Bench, call: Callable[..., wire.ImportTableResponse], fields: dict[str, object], text: str
) -> None:
    """INVALID_ARGUMENT names the field."""
    with pytest.raises(grpc.RpcError) as refused:
        call(bearer("operator", "operator:ann"), **fields)
    assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert text in (refused.value.details() or "") and bench.written() == []


def test_a_lobby_without_importer_refuses(bench: Bench) -> None:
    """A host that plays no titles says so."""
    lobby = bootstrap_lobby(
        LobbyPorts(
            log=bench.log,
            games=GamePorts(FixedCatalogue(), bench.starter),
            signing_key=KEY,
            settings=Settings(),
            passwords=PlainPasswords(),
        )
    )
    answer = lobby.imports.import_table(OPERATOR, "i1", WANTED, never_cancelled)
    assert fault_of(answer).code == "not_offered"
