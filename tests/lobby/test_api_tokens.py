"""Tokens for programs: listed without the token, taken back by their players and by operators."""

from __future__ import annotations

from collections.abc import Callable

import grpc
import pytest

from services.audit.cases import StoredFact
from services.audit.lobby import check_lobby_stream
from services.common.auth.tokens import REVOKED, Principal
from services.common.clock import ManualClock
from services.common.eventlog.memory import MemoryEventLog
from services.common.eventlog.port import Record
from services.gen.signalbox.lobby.v1 import (
    api_tokens_service_pb2 as wire,
    lobby_service_pb2 as lobby,
    staff_service_pb2 as staff_wire,
)
from services.gen.signalbox.lobby.v1.api_token_pb2 import ApiToken
from services.gen.signalbox.lobby.v1.api_tokens_service_pb2_grpc import ApiTokensStub
from services.gen.signalbox.lobby.v1.lobby_service_pb2_grpc import LobbyServiceStub
from services.gen.signalbox.lobby.v1.staff_service_pb2_grpc import StaffStub
from services.lobby.bootstrap import Lobby
from services.lobby.domain.api_tokens import TOKENS_MAX
from services.lobby.handlers.api_tokens import TOKENS_STREAM
from tests.lobby.conftest import Metadata
from tests.lobby.test_service import reason, status_of
from tests.lobby.test_staff import DAY_MS, bearer, id_of, new_lobby

SignIn = Callable[[str], Metadata]


@pytest.fixture(name="lobby")
def own_lobby(log: MemoryEventLog, clock: ManualClock) -> Lobby:
    """A lobby whose key is known here."""
    return new_lobby(log, clock)


@pytest.fixture
def tokens(channel: grpc.Channel) -> ApiTokensStub:
    """What players call about their tokens."""
    return ApiTokensStub(channel)


@pytest.fixture
def staff(channel: grpc.Channel) -> StaffStub:
    """What operators call."""
    return StaffStub(channel)


def make(
    stub: LobbyServiceStub, caller: Metadata, label: str = "", days: int = 0, scope: str = "game:read"
) -> lobby.MakeApiTokenResponse:
    """A new token."""
    request = lobby.MakeApiTokenRequest(scopes=[scope], label=label, lifetime_days=days)
    made: lobby.MakeApiTokenResponse = stub.MakeApiToken(request, metadata=caller)
    return made


def listed(tokens: ApiTokensStub, caller: Metadata) -> list[ApiToken]:
    """The tokens of a player."""
    return list(tokens.ListApiTokens(wire.ListApiTokensRequest(), metadata=caller).tokens)


def is_good(stub: LobbyServiceStub, token: str) -> bool:
    """Whether a token is taken; if not, then since it was taken back."""
    try:
        stub.ListGames(lobby.ListGamesRequest(), metadata=(("authorization", f"Bearer {token}"),))
    except grpc.RpcError as refused:
        assert (refused.code(), refused.details()) == (grpc.StatusCode.UNAUTHENTICATED, REVOKED)
        return False
    return True


def revoked(tokens: ApiTokensStub, caller: Metadata, token_id: str) -> wire.RevokeApiTokenResponse:
    """The answer to a request to take a token back."""
    request = wire.RevokeApiTokenRequest(token_id=token_id)
    answer: wire.RevokeApiTokenResponse = tokens.RevokeApiToken(request, metadata=caller)
    return answer


def test_own_tokens_are_listed_without_the_token(
    stub: LobbyServiceStub,
    tokens: ApiTokensStub,
    signed_in: SignIn,
    log: MemoryEventLog,
    clock: ManualClock,
) -> None:
    """The newest first, each until its end; nobody sees those of others, and the log holds no token."""
    ann, bob = signed_in("Ann"), signed_in("Bob")
    first = make(stub, ann, " my bot ", days=1, scope="bot:play")
    clock.advance(1)
    second = make(stub, ann)
    assert listed(tokens, ann)[1] == ApiToken(
        token_id=first.token_id,
        label="my bot",
        scopes=["bot:play"],
        last_characters=first.token[-4:],
        make_time_ms=clock.now_ms() - 1,
        expire_time_ms=first.expire_time_ms,
    )
    assert [each.token_id for each in listed(tokens, ann)] == [second.token_id, first.token_id]
    assert listed(tokens, bob) == []
    stored = [each for each in log.read_all() if each.stream.startswith(TOKENS_STREAM)]
    assert len(stored) == 2
    assert not any(made.token[-10:].encode() in each.payload for each in stored for made in (first, second))
    facts = [StoredFact(each.type, each.schema_version, each.payload, 1) for each in stored]
    assert check_lobby_stream(stored[0].stream, facts) == []
    clock.advance(DAY_MS)
    assert [each.token_id for each in listed(tokens, signed_in("Ann"))] == [second.token_id]


def test_a_token_is_taken_back_alone(
    stub: LobbyServiceStub,
    tokens: ApiTokensStub,
    staff: StaffStub,
    signed_in: SignIn,
    log: MemoryEventLog,
    clock: ManualClock,
) -> None:
    """At once and for good, as often as it is asked for; it is no staff act. Another player's is none of one's own."""
    ann, bob = signed_in("Ann"), signed_in("Bob")
    lost, kept = make(stub, ann, "lost"), make(stub, ann, "kept")
    assert reason(revoked(tokens, bob, lost.token_id)) == "API_TOKEN_UNKNOWN"
    assert is_good(stub, lost.token)
    for _ in range(2):
        assert revoked(tokens, ann, lost.token_id).token.label == "lost"
    assert not is_good(stub, lost.token) and is_good(stub, kept.token)
    assert [each.label for each in listed(tokens, ann)] == ["kept"]
    assert not staff.ListStaffActs(staff_wire.ListStaffActsRequest(), metadata=bearer(clock)).acts
    later = new_lobby(log, clock)
    assert later.verifier.revocations.token_count == 1


def test_a_limited_token_lists_and_takes_back_nothing(
    stub: LobbyServiceStub, tokens: ApiTokensStub, signed_in: SignIn
) -> None:
    """Who has stolen one learns of no other, and takes none back."""
    made = make(stub, signed_in("Ann"), scope="operator:*")
    program = (("authorization", f"Bearer {made.token}"),)
    for call in (
        lambda: listed(tokens, program),
        lambda: revoked(tokens, program, made.token_id),
    ):
        assert status_of(call) is grpc.StatusCode.PERMISSION_DENIED


def test_tokens_are_limited(
    stub: LobbyServiceStub, tokens: ApiTokensStub, signed_in: SignIn, clock: ManualClock
) -> None:
    """Those taken back count too until their end, so that what services remember is bounded. Labels have an end."""
    ann = signed_in("Ann")
    for _ in range(TOKENS_MAX):
        made = make(stub, ann, days=1)
    revoked(tokens, ann, made.token_id)
    assert status_of(lambda: make(stub, ann)) is grpc.StatusCode.RESOURCE_EXHAUSTED
    clock.advance(DAY_MS)
    ann = signed_in("Ann")
    assert make(stub, ann, "x" * 64).token
    assert status_of(lambda: make(stub, ann, "x" * 65)) is grpc.StatusCode.INVALID_ARGUMENT


def test_a_request_reads_what_is_new(
    stub: LobbyServiceStub,
    tokens: ApiTokensStub,
    signed_in: SignIn,
    log: MemoryEventLog,
    clock: ManualClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """And not again all tokens that a player ever made. One that has ended is unknown, one that was taken back stays so."""
    ann = signed_in("Ann")
    ended = [make(stub, ann, days=1).token_id for _ in range(TOKENS_MAX)]
    clock.advance(DAY_MS)
    ann = signed_in("Ann")
    lost, kept = make(stub, ann), make(stub, ann)
    revoked(tokens, ann, lost.token_id)
    sizes: list[int] = []
    read = log.read

    def counted(stream: str, after: int = 0, up_to: int | None = None) -> list[Record]:
        found = read(stream, after, up_to)
        if stream.startswith(TOKENS_STREAM):
            sizes.append(len(found))
        return found

    monkeypatch.setattr(log, "read", counted)
    assert [each.token_id for each in listed(tokens, ann)] == [kept.token_id]
    assert reason(revoked(tokens, ann, ended[0])) == "API_TOKEN_UNKNOWN"
    assert revoked(tokens, ann, lost.token_id).token.token_id == lost.token_id
    last = make(stub, ann)
    assert [each.token_id for each in listed(tokens, ann)] == [last.token_id, kept.token_id]
    assert max(sizes) == 1
    assert not is_good(stub, lost.token) and is_good(stub, last.token)


def test_operators_take_a_players_token_back(
    stub: LobbyServiceStub, staff: StaffStub, signed_in: SignIn, clock: ManualClock
) -> None:
    """With a reason, in the log of staff acts; the session stays good."""
    ann, caller = signed_in("Ann"), bearer(clock)
    made, player_id = make(stub, ann, "leaked"), id_of(clock, stub, "Ann")
    asked = staff_wire.ListPlayerTokensRequest(player_id=player_id)
    assert [each.label for each in staff.ListPlayerTokens(asked, metadata=caller).tokens] == ["leaked"]

    def take_back(**changed: str) -> staff_wire.RevokePlayerTokenResponse:
        given = {
            "request_id": "t1",
            "player_id": player_id,
            "token_id": made.token_id,
            "reason": "published",
            **changed,
        }
        request = staff_wire.RevokePlayerTokenRequest(**given)
        answer: staff_wire.RevokePlayerTokenResponse = staff.RevokePlayerToken(request, metadata=caller)
        return answer

    for changed, why in (
        ({"reason": " "}, "REASON_MISSING"),
        ({"token_id": "none"}, "API_TOKEN_UNKNOWN"),
        ({"player_id": "no/body"}, "ACCOUNT_UNKNOWN"),
    ):
        assert reason(take_back(**changed)) == why
    act = take_back().act
    assert (act.act, act.author_name, act.reason, act.token_id) == (
        "revoke_token",
        "olga",
        "published",
        made.token_id,
    )
    assert take_back().act == act
    assert reason(take_back(token_id="other")) == "REQUEST_ID_REUSED"
    assert not is_good(stub, made.token)
    stub.ListGames(lobby.ListGamesRequest(), metadata=ann)
    assert not staff.ListPlayerTokens(asked, metadata=caller).tokens
    assert not staff.ListPlayerTokens(
        staff_wire.ListPlayerTokensRequest(player_id="no/body"), metadata=caller
    ).tokens
    acts = staff.ListStaffActs(staff_wire.ListStaffActsRequest(player_id=player_id), metadata=caller).acts
    assert list(acts) == [act]


def test_handlers_of_another_replica_know_it(log: MemoryEventLog, lobby: Lobby, clock: ManualClock) -> None:
    """Tokens are in the log: what one process made, the next one lists and takes back."""
    ann = Principal("p1", "Ann")
    made = lobby.staff.tokens.make(ann, ["game:read"], 0, "bot")
    later = new_lobby(log, clock)
    assert [each.token_id for each in later.staff.tokens.good("p1")] == [made.token_id]
    later.staff.tokens.revoke(ann, made.token_id)
    assert later.staff.tokens.good("p1") == []
