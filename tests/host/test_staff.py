"""Bans on both hosts: refused at every service, streams end, the game waits, and what operators did can be read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import grpc
import pytest

from services.client.api_tokens import ApiTokens
from services.client.books import Books
from services.client.calls import Rejected
from services.client.staff import Staff
from services.common.auth.token_keys import SingleKey, read_private_key
from services.common.auth.tokens import Principal, TokenIssuer
from services.common.clock import SystemClock
from services.common.faust.dead_letters import DeadLetters
from services.common.faust.records import FollowedRecord
from services.common.kafka.topics import OWNER_DEAD_LETTERS
from services.gen.signalbox.ledger.v1 import ledger_pb2
from services.gen.signalbox.lobby.v1 import lobby_service_pb2
from services.gen.signalbox.lobby.v1.lobby_service_pb2_grpc import LobbyServiceStub
from services.gen.signalbox.rules.v1 import rules_pb2
from services.host.embedded import EmbeddedHost
from services.host.processes import ClusterHost
from tests.host.signed_in_players import PASSWORD, SECONDS, Party
from tests.hosting import HOSTS, Host, channel_to, hosting, settings_in
from tests.redis_connections import wait_until

pytestmark = pytest.mark.integration
OPERATOR = Principal("operator:olga", "olga", "operator")


def operators_token(host: Host, folder: Path) -> str:
    """A token of an operator."""
    path = host.signing_key if isinstance(host, ClusterHost) else folder / "key.pem"
    return TokenIssuer(SingleKey(read_private_key(path)), 600, SystemClock()).issue(OPERATOR).token


@pytest.fixture(params=HOSTS)
def host(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Host]:
    """Each host."""
    if request.param == "cluster":
        yield request.getfixturevalue("cluster_host")
        return
    with hosting(tmp_path) as running:
        yield running


@pytest.fixture
def party(host: Host) -> Iterator[Party]:
    """Players signed in at it."""
    with Party(host.addresses) as party:
        yield party


@pytest.fixture
def staff(host: Host, tmp_path: Path) -> Iterator[Staff]:
    """The lobby for an operator."""
    client = Staff(host.addresses.lobby, operators_token(host, tmp_path))
    yield client
    client.close()


def is_refused(call: Callable[[], object]) -> bool:
    """Whether a call is refused because of its token."""
    try:
        call()
    except grpc.RpcError as refused:
        assert refused.code() is grpc.StatusCode.UNAUTHENTICATED, refused
        trailing: Any = refused.trailing_metadata()
        assert dict(trailing)["signalbox-reason"] == "token_revoked"
        return True
    return False


def calls_of(party: Party, name: str, game_id: str) -> list[Callable[[], object]]:
    """A call of each service."""
    mine = {"metadata": party.tokens[name], "timeout": SECONDS}
    return [
        lambda: party.lobby.ListGames(lobby_service_pb2.ListGamesRequest(), **mine),
        lambda: party.rules.ListChoices(rules_pb2.ListChoicesRequest(game_id=game_id), **mine),
        lambda: party.ledger.GetTrialBalance(ledger_pb2.GetTrialBalanceRequest(game_id=game_id), **mine),
    ]


def test_a_banned_player_is_refused_everywhere(party: Party, staff: Staff) -> None:
    """At each service and in running streams; the game waits, and goes on when the ban has ended."""
    game_id = party.begin()
    name = party.asked(game_id)
    calls = calls_of(party, name, game_id)
    party.ledger_sequence(game_id, 1)
    assert not any(map(is_refused, calls))
    request = rules_pb2.WatchGameRequest(game_id=game_id, after_sequence=0)
    watching = party.rules.WatchGame(request, metadata=party.tokens[name], timeout=SECONDS)
    next(watching)
    banned = staff.ban(party.ids[name], "cheating")
    assert is_refused(lambda: list(watching))
    for call in calls:
        wait_until(lambda call=call: is_refused(call))  # type: ignore[misc]
    before = party.game(game_id).sequence
    with pytest.raises(grpc.RpcError):
        party.move(game_id)
    assert party.game(game_id).sequence == before
    assert banned in list(staff.bans())
    staff.unban(party.ids[name], "a mistake")
    assert all(map(is_refused, calls))
    registered = party.lobby.ListPlayerNames(
        lobby_service_pb2.ListPlayerNamesRequest(player_ids=[party.ids[name]])
    ).players[0]
    party.sign_in(name, registered.name)
    party.move(game_id)
    about = [each.act for each in staff.acts(player_id=party.ids[name])]
    assert about == ["unban", "ban"]


def test_a_token_that_its_player_takes_back_is_refused_everywhere(host: Host, party: Party) -> None:
    """At each service and in its running streams; the session and other tokens go on."""
    game_id = party.begin()
    party.ledger_sequence(game_id, 1)
    session = party.tokens["Ada"][0][1].removeprefix("Bearer ")
    own = ApiTokens(host.addresses.lobby, session)
    try:
        lost, kept = own.make(["game:read"], "lost"), own.make(["game:read"], "kept")
        party.tokens["program"] = (("authorization", f"Bearer {lost.token}"),)
        calls = calls_of(party, "program", game_id)
        for call in calls:
            assert not is_refused(call)
        request = rules_pb2.WatchGameRequest(game_id=game_id, after_sequence=0)
        watching = party.rules.WatchGame(request, metadata=party.tokens["program"], timeout=SECONDS)
        next(watching)
        own.revoke(lost.token_id)
        assert is_refused(lambda: list(watching))
        for call in calls:
            wait_until(lambda call=call: is_refused(call))  # type: ignore[misc]
        assert [each.label for each in own.good()] == ["kept"]
    finally:
        own.close()
    party.tokens["program"] = (("authorization", f"Bearer {kept.token}"),)
    for name in ("program", "Ada"):
        assert not any(map(is_refused, calls_of(party, name, game_id)))


def test_operators_settle_what_is_held_up(host: Host, staff: Staff) -> None:
    """On a cluster a game that its owner blocked is listed, shown and released by the owner, and is in the log of staff acts;
    one process says that there is nothing."""
    blocked, game_id = staff.blocked(), f"g{uuid4().hex}"
    assert blocked.can_be_blocked == staff.waiting().can_wait == isinstance(host, ClusterHost)
    with pytest.raises(Rejected, match="COMMAND_NOT_WAITING"):
        staff.skip(0, 10**6, "it hangs")
    with pytest.raises(Rejected, match="GAME_NOT_BLOCKED"):
        staff.release("rules.owner", game_id, "mended")
    if not isinstance(host, ClusterHost):
        return
    letters = DeadLetters(host.kafka, OWNER_DEAD_LETTERS)
    letters.start()
    letters.add(game_id, FollowedRecord("rules.commands", 0, 7, game_id, b"xyz", 0), "broken log")
    letters.close()
    (found,) = (each for each in staff.blocked().games if each.game_id == game_id)
    assert (found.reader, found.reason, found.record_count) == ("rules.owner", "broken log", 1)
    (record,) = staff.blocked_game("rules.owner", game_id).records
    assert (record.topic, record.offset, record.byte_count) == ("rules.commands", 7, 3)
    done = staff.release("rules.owner", game_id, "mended")
    wait_until(lambda: game_id not in {each.game_id for each in staff.blocked().games})
    (act,) = staff.acts(game_id=game_id)
    assert act == done.act
    assert (act.act, act.author_name, act.reason, act.detail) == (
        "release_dead_letters",
        "olga",
        "mended",
        "rules.owner",
    )


def test_an_operator_holds_a_game(host: Host, party: Party, staff: Staff, tmp_path: Path) -> None:
    """Its commands are rejected with the reason until it is released; both are in the log of staff acts."""
    game_id = party.begin()
    party.ledger_sequence(game_id, 1)
    books = Books(host.addresses.ledger, operators_token(host, tmp_path))
    try:
        hold = books.hold(game_id, "a dispute about the rules")
        assert (hold.reason, hold.detail) == ("operator", "a dispute about the rules")
        assert books.hold(game_id, "another") == hold

        def rejected() -> rules_pb2.ExecuteResponse:
            name = party.asked(game_id)
            listed = party.rules.ListChoices(
                rules_pb2.ListChoicesRequest(game_id=game_id),
                metadata=party.tokens[name],
                timeout=SECONDS,
            )
            return party.execute(name, game_id, listed.choices[0].command, listed.sequence)

        if isinstance(host, ClusterHost):
            # Rules follows the holds.
            wait_until(lambda: rejected().rejected.code == "ledger_hold")
        answer = rejected().rejected
        assert answer.code == "ledger_hold" and "a dispute about the rules" in answer.message
        assert books.rebuild(game_id, "to be sure") >= 1
        assert books.release_hold(game_id, "settled") == hold
        wait_until(lambda: not rejected().HasField("rejected"))
    finally:
        books.close()
    wait_until(lambda: len(list(staff.acts(game_id=game_id))) == 4)
    acts = [(each.act, each.reason, each.author_name) for each in staff.acts(game_id=game_id)]
    assert acts == [
        ("release_hold", "settled", "olga"),
        ("rebuild_book", "to be sure", "olga"),
        ("hold", "another", "olga"),
        ("hold", "a dispute about the rules", "olga"),
    ]


def test_a_ban_outlives_a_restart(tmp_path: Path) -> None:
    """Of the embedded host: the token is refused by the next process, and signing in rejected with the reason."""
    with hosting(tmp_path) as host, Party(host.addresses) as party:
        token, player_id = party.tokens["Ada"], party.ids["Ada"]
        name = party.lobby.ListPlayerNames(
            lobby_service_pb2.ListPlayerNamesRequest(player_ids=[player_id])
        ).players[0]
        client = Staff(host.addresses.lobby, operators_token(host, tmp_path))
        client.ban(player_id, "cheating")
        with pytest.raises(Rejected, match="ACCOUNT_UNKNOWN"):
            client.ban("nobody", "cheating")
        client.close()
    later = EmbeddedHost(settings_in(tmp_path))
    later.start()
    try:
        with channel_to(later.addresses.lobby) as channel:
            stub = LobbyServiceStub(channel)
            assert is_refused(lambda: stub.ListGames(lobby_service_pb2.ListGamesRequest(), metadata=token))
            answer = stub.LogIn(lobby_service_pb2.LogInRequest(name=name.name, password=PASSWORD))
            assert answer.rejected.sentence == "You are banned for good. Reason: cheating"
    finally:
        later.stop()
