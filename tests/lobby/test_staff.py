"""Bans, ended sessions and the log of staff acts over gRPC."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import grpc
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from services.common.auth.scopes import Scope
from services.common.auth.tokens import REVOKED, Principal, TokenIssuer
from services.common.clock import ManualClock
from services.common.eventlog.memory import MemoryEventLog
from services.common.settings.service import Settings
from services.gen.signalbox.lobby.v1 import lobby_service_pb2 as lobby, staff_service_pb2 as wire
from services.gen.signalbox.lobby.v1.lobby_service_pb2_grpc import LobbyServiceStub
from services.gen.signalbox.lobby.v1.staff_service_pb2_grpc import StaffStub
from services.lobby import bootstrap_accounts
from services.lobby.bootstrap import Lobby, bootstrap_lobby
from services.lobby.bootstrap_ports import GamePorts, LobbyPorts
from services.lobby.domain.rejections import Rejection, RejectionReason
from tests.lobby.conftest import Metadata
from tests.lobby.fakes import FixedCatalogue, FixedSeeds, PlainPasswords, RecordingStarter
from tests.lobby.test_service import reason, status_of

SignIn = Callable[[str], Metadata]
KEY = Ed25519PrivateKey.generate()
OLGA = Principal("operator:olga", "olga", "operator")
NAMED_OPERATOR = "named-operator"
DAY_MS = 24 * 3600 * 1000
TOO_LONG = "x" * 1_001


def new_lobby(log: MemoryEventLog, clock: ManualClock) -> Lobby:
    """A lobby over a log."""
    return bootstrap_lobby(
        LobbyPorts(
            log=log,
            games=GamePorts(FixedCatalogue(), RecordingStarter()),
            signing_key=KEY,
            settings=Settings(operators=(NAMED_OPERATOR,)),
            clock=clock,
            seeds=FixedSeeds(),
            passwords=PlainPasswords(),
        )
    )


@pytest.fixture(name="lobby")
def own_lobby(log: MemoryEventLog, clock: ManualClock) -> Lobby:
    """A lobby whose key is known here."""
    return new_lobby(log, clock)


@pytest.fixture
def staff(channel: grpc.Channel) -> StaffStub:
    """What operators call."""
    return StaffStub(channel)


def bearer(clock: ManualClock, principal: Principal = OLGA) -> Metadata:
    """The metadata of somebody's calls."""
    return (("authorization", f"Bearer {TokenIssuer(KEY, 3600, clock).issue(principal).token}"),)


def id_of(clock: ManualClock, stub: LobbyServiceStub, name: str) -> str:
    """The id of a player."""
    request = lobby.ListPlayerNamesRequest(name=name)
    return str(stub.ListPlayerNames(request, metadata=bearer(clock)).players[0].player_id)


def ban(player_id: str, request_id: str = "b1", **more: object) -> wire.BanPlayerRequest:
    """A request."""
    given = {"reason": "cheating", **more}
    return wire.BanPlayerRequest(request_id=request_id, player_id=player_id, **given)  # type: ignore[arg-type]


def asks(stub: LobbyServiceStub, caller: Metadata) -> Callable[[], object]:
    """A call that needs a token."""
    return lambda: stub.ListGames(lobby.ListGamesRequest(), metadata=caller)


def log_in(stub: LobbyServiceStub, name: str, password: str = "correct horse") -> lobby.LogInResponse:
    """An attempt to sign in."""
    answer: lobby.LogInResponse = stub.LogIn(lobby.LogInRequest(name=name, password=password))
    return answer


def test_a_banned_player_is_refused_until_the_end(
    stub: LobbyServiceStub, staff: StaffStub, signed_in: SignIn, clock: ManualClock
) -> None:
    """At once with a token, with the reason when signing in, and not at all to somebody who does not know the password."""
    ann, bob = signed_in("Ann"), signed_in("Bob")
    end_ms = clock.now_ms() + 2 * DAY_MS
    clock.advance(1)
    request = ban(id_of(clock, stub, "Ann"), until_time_ms=end_ms)
    act = staff.BanPlayer(request, metadata=bearer(clock)).act
    assert (act.act, act.author_id, act.author_name, act.reason) == (
        "ban",
        OLGA.player_id,
        "olga",
        "cheating",
    )
    assert (act.time_ms, act.until_time_ms) == (clock.now_ms(), end_ms)
    with pytest.raises(grpc.RpcError) as refused:
        asks(stub, ann)()
    assert (refused.value.code(), refused.value.details()) == (grpc.StatusCode.UNAUTHENTICATED, REVOKED)
    trailing: Any = refused.value.trailing_metadata()
    assert dict(trailing)["signalbox-reason"] == "token_revoked"
    rejected = log_in(stub, "Ann").rejected
    assert reason(log_in(stub, "Ann")) == "PLAYER_BANNED"
    assert rejected.sentence == "You are banned until 2023-11-16 22:13 UTC. Reason: cheating"
    assert rejected.retry_after_ms == end_ms - clock.now_ms()
    assert reason(log_in(stub, "Ann", "wrong password")) == "CREDENTIALS_WRONG"
    asks(stub, bob)()
    clock.advance(2 * DAY_MS)
    assert log_in(stub, "Ann").session.token
    assert not staff.ListBans(wire.ListBansRequest(), metadata=bearer(clock)).bans


def test_a_ban_ends_when_it_is_lifted(
    stub: LobbyServiceStub, staff: StaffStub, signed_in: SignIn, clock: ManualClock
) -> None:
    """The player signs in again; the token from before stays refused."""
    ann = signed_in("Ann")
    player_id = id_of(clock, stub, "Ann")
    clock.advance(1)
    first = staff.BanPlayer(ban(player_id), metadata=bearer(clock)).act
    listed = staff.ListBans(wire.ListBansRequest(player_id=player_id), metadata=bearer(clock)).bans
    assert list(listed) == [first]
    assert log_in(stub, "Ann").rejected.sentence == "You are banned for good. Reason: cheating"
    clock.advance(1)
    lift = wire.UnbanPlayerRequest(request_id="u1", player_id=player_id, reason="a mistake")
    assert staff.UnbanPlayer(lift, metadata=bearer(clock)).act.act == "unban"
    again = wire.UnbanPlayerRequest(request_id="u2", player_id=player_id, reason="a mistake")
    assert reason(staff.UnbanPlayer(again, metadata=bearer(clock))) == "PLAYER_NOT_BANNED"
    asks(stub, signed_in("Ann"))()
    assert status_of(asks(stub, ann)) is grpc.StatusCode.UNAUTHENTICATED


def test_all_sessions_end(
    stub: LobbyServiceStub, staff: StaffStub, signed_in: SignIn, clock: ManualClock
) -> None:
    """Those of programs too; a new one is good at once."""
    ann = signed_in("Ann")
    limited = stub.MakeApiToken(lobby.MakeApiTokenRequest(scopes=["game:read"]), metadata=ann).token
    program = (("authorization", f"Bearer {limited}"),)
    clock.advance(1)
    request = wire.EndSessionsRequest(
        request_id="e1", player_id=id_of(clock, stub, "Ann"), reason="lost telephone"
    )
    assert staff.EndSessions(request, metadata=bearer(clock)).act.act == "end_sessions"
    for each in (ann, program):
        assert status_of(asks(stub, each)) is grpc.StatusCode.UNAUTHENTICATED
    asks(stub, signed_in("Ann"))()


def test_a_repeat_is_recorded_once(
    stub: LobbyServiceStub, staff: StaffStub, signed_in: SignIn, clock: ManualClock
) -> None:
    """With other content the request id is refused; after the ban was lifted the repeat does not bring it back."""
    signed_in("Ann")
    player_id = id_of(clock, stub, "Ann")
    first = staff.BanPlayer(ban(player_id), metadata=bearer(clock))
    lift = wire.UnbanPlayerRequest(request_id="u1", player_id=player_id, reason="a mistake")
    staff.UnbanPlayer(lift, metadata=bearer(clock))
    clock.advance(1)
    assert staff.BanPlayer(ban(player_id), metadata=bearer(clock)) == first
    assert log_in(stub, "Ann").session.token
    other = staff.BanPlayer(ban(player_id, reason="another"), metadata=bearer(clock))
    assert reason(other) == "REQUEST_ID_REUSED"
    acts = staff.ListStaffActs(wire.ListStaffActsRequest(), metadata=bearer(clock)).acts
    assert [each.act for each in acts] == ["unban", "ban"]


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"reason": " "}, "REASON_MISSING"),
        ({"reason": TOO_LONG}, "REASON_TOO_LONG"),
        ({"player_id": "nobody"}, "ACCOUNT_UNKNOWN"),
        ({"until_time_ms": 1}, "BAN_END_PASSED"),
    ],
)
def test_what_cannot_be_is_refused(
    stub: LobbyServiceStub,
    staff: StaffStub,
    signed_in: SignIn,
    clock: ManualClock,
    changed: dict[str, object],
    why: str,
) -> None:
    """By name, and nothing is recorded."""
    signed_in("Ann")
    request = ban(id_of(clock, stub, "Ann"))
    for field, value in changed.items():
        setattr(request, field, value)
    assert reason(staff.BanPlayer(request, metadata=bearer(clock))) == why
    assert not staff.ListStaffActs(wire.ListStaffActsRequest(), metadata=bearer(clock)).acts


def test_operators_are_taken_out_of_the_settings_first(
    log: MemoryEventLog, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So one operator cannot lock all others out; their sessions can be ended."""
    monkeypatch.setattr(bootstrap_accounts, "random_player_id", lambda: NAMED_OPERATOR)
    handlers = new_lobby(log, clock)
    handlers.players.register("r1", "Olga", "correct horse", address="")
    refused = handlers.staff.handlers.ban(OLGA, "b1", NAMED_OPERATOR, "why", 0)
    assert isinstance(refused, Rejection) and refused.reason is RejectionReason.PLAYER_IS_OPERATOR
    assert not isinstance(handlers.staff.handlers.end_sessions(OLGA, "e1", NAMED_OPERATOR, "why"), Rejection)


@pytest.mark.parametrize(
    "principal",
    [
        Principal("p1", "Ann"),
        Principal("service:ledger", "ledger", "service"),
        Principal("operator:x", "x", "operator", scopes=("game:read",)),
    ],
)
def test_others_are_refused(staff: StaffStub, clock: ManualClock, principal: Principal) -> None:
    """Players, our own services, and operators' tokens limited to something else, in every method."""
    caller = bearer(clock, principal)
    for call in (
        lambda: staff.BanPlayer(ban("p2"), metadata=caller),
        lambda: staff.UnbanPlayer(wire.UnbanPlayerRequest(request_id="u", player_id="p2"), metadata=caller),
        lambda: staff.EndSessions(wire.EndSessionsRequest(request_id="e", player_id="p2"), metadata=caller),
        lambda: staff.ListBans(wire.ListBansRequest(), metadata=caller),
        lambda: staff.ListStaffActs(wire.ListStaffActsRequest(), metadata=caller),
        lambda: staff.ListPlayerTokens(wire.ListPlayerTokensRequest(player_id="p1"), metadata=caller),
        lambda: staff.RevokePlayerToken(wire.RevokePlayerTokenRequest(request_id="t"), metadata=caller),
        lambda: staff.ListBlockedGames(wire.ListBlockedGamesRequest(), metadata=caller),
        lambda: staff.GetBlockedGame(wire.GetBlockedGameRequest(), metadata=caller),
        lambda: staff.ReleaseBlockedGame(wire.ReleaseBlockedGameRequest(request_id="r"), metadata=caller),
        lambda: staff.ListWaitingCommands(wire.ListWaitingCommandsRequest(), metadata=caller),
        lambda: staff.SkipCommand(wire.SkipCommandRequest(request_id="s"), metadata=caller),
    ):
        assert status_of(call) is grpc.StatusCode.PERMISSION_DENIED
    assert status_of(lambda: staff.ListBans(wire.ListBansRequest())) is grpc.StatusCode.UNAUTHENTICATED


def test_acts_are_listed_by_pages_and_narrowed(
    stub: LobbyServiceStub, staff: StaffStub, signed_in: SignIn, clock: ManualClock
) -> None:
    """Newest first; new acts move no page."""
    ids = {}
    for name in ("Ann", "Bob"):
        signed_in(name)
        ids[name] = id_of(clock, stub, name)
    other: tuple[Scope, ...] = ("operator:*",)
    maria = bearer(clock, Principal("operator:maria", "maria", "operator", scopes=other))
    for number in range(4):
        clock.advance(1)
        name, caller = ("Ann", bearer(clock)) if number % 2 else ("Bob", maria)
        staff.BanPlayer(ban(ids[name], f"b{number}"), metadata=caller)

    def listed(**wanted: object) -> wire.ListStaffActsResponse:
        request = wire.ListStaffActsRequest(**wanted)  # type: ignore[arg-type]
        answer: wire.ListStaffActsResponse = staff.ListStaffActs(request, metadata=maria)
        return answer

    page = listed(page_size=3)
    staff.EndSessions(
        wire.EndSessionsRequest(request_id="e", player_id=ids["Ann"], reason="r"), metadata=maria
    )
    rest = listed(page_size=3, page_token=page.next_page_token)
    times = [each.time_ms for each in (*page.acts, *rest.acts)]
    assert times == sorted(times, reverse=True) and len(times) == 4 and not rest.next_page_token
    assert {each.player_id for each in listed(player_id=ids["Bob"]).acts} == {ids["Bob"]}
    assert [each.act for each in listed(author_id="operator:maria", act="end_sessions").acts] == [
        "end_sessions"
    ]
    assert not listed(game_id="g1").acts
    assert status_of(lambda: listed(page_token="x")) is grpc.StatusCode.INVALID_ARGUMENT
    assert status_of(lambda: listed(page_size=101)) is grpc.StatusCode.INVALID_ARGUMENT


def test_where_all_is_one_process_nothing_is_held_up(staff: StaffStub, clock: ManualClock) -> None:
    """The answers say so; there is nothing to release and to skip, and nothing is recorded."""
    caller = bearer(clock)
    blocked = staff.ListBlockedGames(wire.ListBlockedGamesRequest(), metadata=caller)
    waiting = staff.ListWaitingCommands(wire.ListWaitingCommandsRequest(), metadata=caller)
    assert not (blocked.games or blocked.can_be_blocked or waiting.commands or waiting.can_wait)
    release = wire.ReleaseBlockedGameRequest(
        request_id="r1", reader="rules.owner", game_id="g1", reason="mended"
    )
    skip = wire.SkipCommandRequest(request_id="s1", partition=0, offset=5, reason="it hangs")
    look = wire.GetBlockedGameRequest(reader="rules.owner", game_id="g1")
    for answer, why in (
        (staff.ReleaseBlockedGame(release, metadata=caller), "GAME_NOT_BLOCKED"),
        (staff.GetBlockedGame(look, metadata=caller), "GAME_NOT_BLOCKED"),
        (staff.SkipCommand(skip, metadata=caller), "COMMAND_NOT_WAITING"),
    ):
        assert reason(answer) == why and "one process" in answer.rejected.sentence
    assert not staff.ListStaffActs(wire.ListStaffActsRequest(), metadata=caller).acts


def test_a_ban_outlives_the_process(log: MemoryEventLog, lobby: Lobby, clock: ManualClock) -> None:
    """The next one refuses the same tokens, and rejects signing in."""
    player = lobby.players.register("r1", "Ann", "correct horse", address="")
    token = TokenIssuer(KEY, 3600, clock).issue(Principal(player.player_id, "Ann")).token  # type: ignore[union-attr]
    clock.advance(1)
    assert lobby.verifier.verify(token)
    lobby.staff.handlers.ban(OLGA, "b1", player.player_id, "cheating", 0)  # type: ignore[union-attr]
    later = new_lobby(log, clock)
    assert later.verifier.revocations.player_count == 1
    assert later.players.log_in("Ann", "correct horse", address="").reason == "PLAYER_BANNED"  # type: ignore[union-attr]
