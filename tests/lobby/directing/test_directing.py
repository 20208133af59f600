"""DirectTable: who directs a table, what is passed on to rules, and what comes back."""

from __future__ import annotations

from collections.abc import Callable

import grpc
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from services.common.auth.tokens import Principal, TokenIssuer
from services.common.clock import ManualClock
from services.common.errors import Unavailable
from services.common.eventlog.memory import MemoryEventLog
from services.common.settings.service import Settings
from services.gen.signalbox.events.v1 import events_pb2
from services.gen.signalbox.lobby.v1 import lobby_service_pb2 as wire, rejection_pb2
from services.gen.signalbox.lobby.v1.lobby_service_pb2_grpc import LobbyServiceStub
from services.gen.signalbox.rules.v1 import direction_pb2
from services.gen.signalbox.rules.v1.direction_pb2 import Direction
from services.lobby.bootstrap import Lobby, bootstrap_lobby
from services.lobby.bootstrap_ports import GamePorts, LobbyPorts
from services.lobby.domain.games import GameStatus, SeatBearer
from services.lobby.domain.table_requests import SUBSTITUTES_MAX
from services.lobby.ports import Directed, DirectionRefused, GameMovedOn
from tests.lobby.conftest import Metadata
from tests.lobby.fakes import FixedCatalogue, FixedSeeds, PlainPasswords, RecordingStarter

KEY = Ed25519PrivateKey.generate()
SUSPEND = Direction(reason="a storm", suspend=direction_pb2.Suspend())


class RecordingDirector:
    """Remembers what it was asked, once for each request id; raises `failure` while there is one."""

    def __init__(self) -> None:
        self.asked: dict[str, tuple[str, str, int, Direction]] = {}
        self.failure: Exception | None = None

    def direct(
        self, game_id: str, author: str, request_id: str, expected_sequence: int, direction: Direction
    ) -> Directed:
        """See `GameDirector`."""
        if self.failure is not None:
            raise self.failure
        kept = Direction.FromString(direction.SerializeToString())
        self.asked.setdefault(request_id, (game_id, author, expected_sequence, kept))
        at = 10 * (1 + list(self.asked).index(request_id))
        return Directed(game_id, at, at + 1)


@pytest.fixture
def director() -> RecordingDirector:
    """Rules."""
    return RecordingDirector()


@pytest.fixture
def lobby(log: MemoryEventLog, clock: ManualClock, director: RecordingDirector) -> Lobby:
    """The lobby with fakes."""
    return bootstrap_lobby(
        LobbyPorts(
            log=log,
            games=GamePorts(FixedCatalogue(), RecordingStarter(), director=director),
            signing_key=KEY,
            settings=Settings(),
            clock=clock,
            seeds=FixedSeeds(),
            passwords=PlainPasswords(),
            has_house_bots=True,
        )
    )


@pytest.fixture
def operator(clock: ManualClock) -> Metadata:
    """An operator's token."""
    issued = TokenIssuer(KEY, 60, clock).issue(Principal("operator:olga", "olga", "operator"))
    return (("authorization", f"Bearer {issued.token}"),)


class Playing:
    """A table of Ann, who opened it, and Ben."""

    def __init__(
        self,
        stub: LobbyServiceStub,
        signed_in: Callable[[str], Metadata],
        owner_directs: bool,
        starts: bool = True,
    ) -> None:
        self.stub = stub
        self.ann, self.ben, self.sue = (signed_in(name) for name in ("Ann", "Ben", "Sue"))
        created = stub.CreateTable(
            wire.CreateTableRequest(
                request_id="c", title="1824", player_count=2, owner_directs=owner_directs
            ),
            metadata=self.ann,
        ).table
        self.table_id, self.owner_id = created.table_id, created.owner_id
        self.director_id = created.director_id
        table = stub.JoinTable(
            wire.JoinTableRequest(request_id="j", table_id=self.table_id), metadata=self.ben
        ).table
        self.ben_id = table.players[1].player_id
        if starts:
            stub.StartTable(wire.StartTableRequest(request_id="s", table_id=self.table_id), metadata=self.ann)

    def direct(
        self,
        metadata: Metadata,
        direction: Direction = SUSPEND,
        bearer_name: str = "",
        request_id: str = "d1",
        expected: int = 0,
    ) -> wire.DirectTableResponse:
        """What a caller decides."""
        request = wire.DirectTableRequest(
            request_id=request_id,
            table_id=self.table_id,
            expected_sequence=expected,
            direction=direction,
            bearer_name=bearer_name,
        )
        response: wire.DirectTableResponse = self.stub.DirectTable(request, metadata=metadata)
        return response

    def refusal(self, metadata: Metadata, direction: Direction = SUSPEND, bearer_name: str = "") -> str:
        """The reason for which a decision is refused."""
        rejected = self.direct(metadata, direction, bearer_name).rejected
        assert rejected.sentence
        return rejection_pb2.RejectionReason.Name(rejected.reason).removeprefix("REJECTION_REASON_")

    def offer(self, metadata: Metadata, request_id: str = "o") -> wire.JoinTableResponse:
        """Somebody offers to take a seat."""
        request = wire.JoinTableRequest(request_id=request_id, table_id=self.table_id, as_substitute=True)
        response: wire.JoinTableResponse = self.stub.JoinTable(request, metadata=metadata)
        return response

    def offers(self) -> list[str]:
        """Who offers."""
        table = self.stub.GetTable(wire.GetTableRequest(table_id=self.table_id)).table
        return [each.name for each in table.substitutes]


Begin = Callable[..., Playing]


@pytest.fixture
def begin(stub: LobbyServiceStub, signed_in: Callable[[str], Metadata]) -> Begin:
    """Opens a table."""
    return lambda owner_directs=True, starts=True: Playing(stub, signed_in, owner_directs, starts)


def assign(
    seat: str, bearer: str = "", kind: events_pb2.BearerKind = events_pb2.BEARER_KIND_SUBSTITUTE
) -> Direction:
    """Somebody takes a seat."""
    assigned = direction_pb2.AssignSeat(seat=seat, bearer=bearer, kind=kind)
    return Direction(reason="no answer for a week", assign_seat=assigned)


def test_the_owner_directs_a_table_that_says_so(begin: Begin, director: RecordingDirector) -> None:
    """The decision goes to rules with the caller as its author, whatever else the request says."""
    playing = begin()
    assert playing.director_id == playing.owner_id
    done = playing.direct(playing.ann, expected=0).directed
    assert (done.first_sequence, done.last_sequence) == (10, 11)
    ((game_id, author, expected, direction),) = director.asked.values()
    assert (game_id, author, expected) == (done.game_id, playing.owner_id, 0)
    assert direction == SUSPEND


def test_a_repeated_decision_has_one_id_for_rules(begin: Begin, director: RecordingDirector) -> None:
    """So it is carried out once, also when the lobby died after it had passed it on; other directors have other ids."""
    playing = begin()
    director.failure = Unavailable("rules does not answer")
    with pytest.raises(grpc.RpcError) as failed:
        playing.direct(playing.ann)
    assert failed.value.code() is grpc.StatusCode.UNAVAILABLE
    director.failure = None
    assert playing.direct(playing.ann) == playing.direct(playing.ann)
    assert len(director.asked) == 1


def test_nobody_else_directs_it(begin: Begin, operator: Metadata, director: RecordingDirector) -> None:
    """Players and strangers do not; operators direct every table."""
    playing = begin(owner_directs=False)
    assert playing.director_id == ""
    for caller in (playing.ann, playing.ben, playing.sue):
        assert playing.refusal(caller) == "NOT_DIRECTOR"
    assert not director.asked
    assert playing.direct(operator).HasField("directed")
    ((_, author, _, _),) = director.asked.values()
    assert author == "operator:olga"


def test_a_game_that_has_not_begun_cannot_be_directed(begin: Begin) -> None:
    """There is nothing to decide about."""
    playing = begin(starts=False)
    assert playing.refusal(playing.ann) == "GAME_NOT_BEGUN"


def test_a_seat_is_given_to_an_account_by_name_or_id(begin: Begin, director: RecordingDirector) -> None:
    """Nobody without one can take it."""
    playing = begin()
    playing.offer(playing.sue)
    playing.direct(playing.ann, assign(playing.ben_id), bearer_name="sue")
    (first,) = director.asked.values()
    sue_id = first[3].assign_seat.bearer
    playing.direct(playing.ann, assign(playing.ben_id, sue_id), request_id="d2")
    assert list(director.asked.values())[1][3].assign_seat.bearer == sue_id
    assert playing.refusal(playing.ann, assign(playing.ben_id), "Nobody") == "ACCOUNT_UNKNOWN"
    assert playing.refusal(playing.ann, assign(playing.ben_id, "p0")) == "ACCOUNT_UNKNOWN"


def test_a_seat_is_given_to_nobody_who_did_not_offer(
    begin: Begin, operator: Metadata, director: RecordingDirector
) -> None:
    """By the director of a table: to the players of the table, the director, and who offers to take one. An operator may."""
    playing = begin()
    refused = "SUBSTITUTE_DID_NOT_OFFER"
    assert playing.refusal(playing.ann, assign(playing.ben_id), "Sue") == refused
    offered = playing.offer(playing.sue)
    assert playing.offer(playing.sue) == offered
    assert playing.offers() == ["Sue"]
    leave = wire.LeaveTableRequest(request_id="l", table_id=playing.table_id)
    assert playing.stub.LeaveTable(leave, metadata=playing.sue).HasField("table")
    assert playing.offers() == []
    assert playing.refusal(playing.ann, assign(playing.ben_id), "Sue") == refused
    assert not director.asked
    for number, bearer in enumerate((playing.owner_id, playing.ben_id)):
        answer = playing.direct(playing.ann, assign(playing.ben_id, bearer), request_id=f"own{number}")
        assert answer.HasField("directed")
    assert playing.direct(operator, assign(playing.ben_id), "Sue").HasField("directed")


def test_an_offer_is_used_up_by_the_seat(begin: Begin, lobby: Lobby) -> None:
    """Who was replaced meanwhile is asked again; while Sue plays she offers nothing."""
    playing = begin()
    playing.offer(playing.sue)
    sue = lobby.tables.get(playing.table_id).substitutes[0]
    table = lobby.tables.get(playing.table_id)
    seats = table.seats
    for sequence, bearer in ((3, sue.player_id), (5, playing.ben_id)):
        taken = SeatBearer(playing.ben_id, bearer, "substitute")
        status = GameStatus(
            game_id=table.game_id, sequence=sequence, title="1824", players=seats, bearers=(taken,)
        )
        lobby.followed.follow_status(status)
        assert playing.offers() == []
        if bearer == sue.player_id:
            assert (
                playing.offer(playing.sue, "o2").rejected.reason
                == rejection_pb2.REJECTION_REASON_ALREADY_SEATED
            )
    assert playing.refusal(playing.ann, assign(playing.ben_id), "Sue") == "SUBSTITUTE_DID_NOT_OFFER"


def test_offers_are_for_games_that_are_played_and_limited(
    begin: Begin, lobby: Lobby, stub: LobbyServiceStub, signed_in: Callable[[str], Metadata]
) -> None:
    """A table that waits has chairs to take; nobody offers without end, and not too many at once."""
    reason = rejection_pb2.RejectionReason.Name
    waiting = begin(starts=False)
    assert reason(waiting.offer(waiting.sue).rejected.reason).endswith("GAME_NOT_BEGUN")
    stub.StartTable(wire.StartTableRequest(request_id="s", table_id=waiting.table_id), metadata=waiting.ann)
    most = Settings().quota.joins_per_table
    for number in range(most):
        assert waiting.offer(waiting.sue, f"o{number}").HasField("table")
        leave = wire.LeaveTableRequest(request_id=f"l{number}", table_id=waiting.table_id)
        stub.LeaveTable(leave, metadata=waiting.sue)
    assert reason(waiting.offer(waiting.sue, "once-more").rejected.reason).endswith("JOINED_TOO_OFTEN")
    for number in range(SUBSTITUTES_MAX):
        assert waiting.offer(signed_in(f"Guest {number}")).HasField("table")
    assert reason(waiting.offer(signed_in("Late")).rejected.reason).endswith("TABLE_FULL")


def test_a_bot_of_the_house_takes_a_seat(begin: Begin, director: RecordingDirector) -> None:
    """Where a bot is wanted and no account is named."""
    playing = begin()
    playing.direct(playing.ann, assign(playing.ben_id, kind=events_pb2.BEARER_KIND_BOT))
    (asked,) = director.asked.values()
    assert asked[3].assign_seat.bearer.startswith("house-bot-")


def test_what_rules_refuses_is_passed_on_with_its_code(begin: Begin, director: RecordingDirector) -> None:
    """And a game that has moved on says where it is."""
    playing = begin()
    director.failure = DirectionRefused("game_finished", "the game is over")
    rejected = playing.direct(playing.ann).rejected
    assert rejected.reason == rejection_pb2.REJECTION_REASON_DIRECTION_REFUSED
    assert (rejected.rules_code, rejected.sentence) == ("game_finished", "the game is over")
    director.failure = GameMovedOn(44)
    assert "44" in playing.direct(playing.ann).rejected.sentence
    assert playing.refusal(playing.ann) == "GAME_MOVED_ON"


def test_without_bots_of_the_house_an_account_is_needed(
    begin: Begin, director: RecordingDirector, lobby: Lobby, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A host that runs none does not give seats to them."""
    playing = begin()
    monkeypatch.setattr(lobby.directing, "_has_house_bots", False)
    assert (
        playing.refusal(playing.ann, assign(playing.ben_id, kind=events_pb2.BEARER_KIND_BOT))
        == "ACCOUNT_UNKNOWN"
    )
    assert not director.asked
