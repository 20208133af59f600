"""The four services over real connections: playing, watching, and calls that cannot be answered."""

from __future__ import annotations

import threading
from functools import partial
from itertools import pairwise
from typing import Any
from urllib.request import urlopen

import grpc
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from services.client import Books, Lobby, MovedOnError, Rejected
from services.common.auth.tokens import Principal, TokenIssuer
from services.common.clock import ManualClock, SystemClock
from services.gen.signalbox.ledger.v1 import ledger_pb2
from services.gen.signalbox.lobby.v1 import lobby_service_pb2
from services.gen.signalbox.routing.v1 import routing_pb2
from services.gen.signalbox.rules.v1 import command_pb2, rules_pb2 as pb
from services.gen.signalbox.rules.v1.rules_pb2_grpc import RulesStub
from services.host.addresses import Addresses
from services.rules.adapters.codec import command_message
from services.rules.kernel.commands import Pass
from services.rules.titles.g1824.commands import BuyCompany
from tests.hosting import channel_to, followed
from tests.integration.tables import Gathering, Person, failure, gather, person

pytestmark = pytest.mark.integration

GARBAGE = b"\x0a\xff\xff\xff\xff\x0fnot a message"
SERVICES = {
    "lobby": lobby_service_pb2.DESCRIPTOR.services_by_name["LobbyService"],
    "rules": pb.DESCRIPTOR.services_by_name["Rules"],
    "routing": routing_pb2.DESCRIPTOR.services_by_name["Routing"],
    "ledger": ledger_pb2.DESCRIPTOR.services_by_name["Ledger"],
}
METHODS = [
    (service, str(method.full_name.rpartition(".")[2]), bool(method.server_streaming))
    for service, descriptor in SERVICES.items()
    for method in descriptor.methods
]
# What everybody may read.
OPEN = ("ListTitles", "GetTitle")
PASS = command_message(Pass())


def send(
    addresses: Addresses, service: str, method: str, content: bytes, streams: bool, metadata: Any
) -> object:
    """Call a method with these very bytes and take one answer."""
    path = f"/{SERVICES[service].full_name}/{method}"
    options = [("grpc.max_send_message_length", -1)]
    with channel_to(getattr(addresses, service), *options) as channel:
        if streams:
            stream: grpc.UnaryStreamMultiCallable[bytes, bytes] = channel.unary_stream(path)
            return next(stream(content, timeout=60, metadata=metadata))
        single: grpc.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(path)
        return single(content, timeout=60, metadata=metadata)


def rules_stub(addresses: Addresses) -> Any:
    """The rules service without the client's help."""
    return RulesStub(channel_to(addresses.rules))


def test_a_table_gathers_and_plays(addresses: Addresses) -> None:
    """Register, sign in, open a table, join, start: seats are drawn, and the acting player can move."""
    gathering = gather(addresses, ("Dora", "Emil", "Fay", "Gil"), seed=5)
    view = gathering.view()
    assert sorted(view_player.player for view_player in view.players) == sorted(gathering.people)
    assert [each.player for each in view.players] == list(gathering.table.seats)
    assert (view.title, view.sequence > 0, view.finished) == ("1824", True, False)
    gathering.play(12)
    assert gathering.view().sequence > view.sequence
    assert gathering.anybody().games.game(gathering.game_id, view.sequence) == view


def test_only_who_is_asked_moves(gathering: Gathering) -> None:
    """Another player of the game is refused, and has no choices, and nothing changes."""
    before = gathering.view()
    waiting = gathering.waiting()
    assert waiting.games.choices(gathering.game_id).choices == ()
    with pytest.raises(Rejected) as refused:
        waiting.games.execute(gathering.game_id, before.sequence, Pass())
    assert refused.value.reason == "not_your_turn"
    assert gathering.view() == before


def test_spectators_watch_and_do_not_move(addresses: Addresses, gathering: Gathering) -> None:
    """Anybody signed in sees game, events, books and what others may do; a move is refused."""
    spectator = person(addresses, "Zoe")
    view = gathering.view()
    spectator.games.expect(gathering.game_id, view.sequence)
    assert spectator.games.game(gathering.game_id) == view
    assert [event.sequence for event in spectator.games.events(gathering.game_id)][-1] == view.sequence
    assert next(iter(spectator.games.watch(gathering.game_id, seconds=300))).sequence == 1
    stub = rules_stub(addresses)
    request = pb.ListChoicesRequest(game_id=gathering.game_id, at_least_sequence=view.sequence)
    request.player = gathering.asked().player_id
    assert stub.ListChoices(request, timeout=60, metadata=spectator.metadata).choices
    with pytest.raises(Rejected) as refused:
        spectator.games.execute(gathering.game_id, view.sequence, Pass())
    assert refused.value.reason == "not_a_player"
    assert gathering.view() == view


def test_a_late_move_gets_the_actual_sequence(gathering: Gathering) -> None:
    """A command for an older sequence is ABORTED and the answer tells the present one."""
    old = gathering.view().sequence
    gathering.play(1)
    with pytest.raises(MovedOnError) as late:
        gathering.asked().games.execute(gathering.game_id, old, Pass())
    assert late.value.sequence == gathering.view().sequence


def forged_tokens(settings_key: Ed25519PrivateKey, who: Person) -> dict[str, Any]:
    """Metadata that prove nothing."""
    principal = Principal(who.player_id, who.name)
    foreign = TokenIssuer(Ed25519PrivateKey.generate(), 3600, SystemClock()).issue(principal).token
    long_ago = TokenIssuer(settings_key, 3600, ManualClock()).issue(principal).token
    head, body, signature = who.token.split(".")
    return {
        "no token": (),
        "foreign key": (("authorization", f"Bearer {foreign}"),),
        "ended": (("authorization", f"Bearer {long_ago}"),),
        "no signature": (("authorization", f"Bearer {head}.{body}."),),
        "changed": (("authorization", f"Bearer {head}.{body[:-4]}AAAA.{signature}"),),
        "no scheme": (("authorization", who.token),),
        "twice": (*who.metadata, *who.metadata),
        "empty": (("authorization", ""),),
    }


def test_nobody_gets_in_without_a_token_of_this_lobby(
    signing_key: Ed25519PrivateKey, addresses: Addresses, gathering: Gathering
) -> None:
    """No, foreign, ended, cut or doubled token: UNAUTHENTICATED for every call of rules and ledger, and of routing on the
    embedded host; routing of the cluster host is reached by our own services alone."""
    closed = ("rules", "ledger") if "," in addresses.rules else ("rules", "ledger", "routing")
    who = gathering.asked()
    good = TokenIssuer(signing_key, 3600, SystemClock()).issue(Principal(who.player_id, who.name)).token
    assert send(
        addresses, "rules", "GetGame", _game(gathering), False, (("authorization", f"Bearer {good}"),)
    )
    for name, metadata in forged_tokens(signing_key, who).items():
        for service, method, streams in METHODS:
            if service in closed and method not in OPEN:
                content = b"" if service == "routing" else _game(gathering)
                error = failure(partial(send, addresses, service, method, content, streams, metadata))
                assert error.code() is grpc.StatusCode.UNAUTHENTICATED, (name, service, method)


def _game(gathering: Gathering) -> bytes:
    return pb.GetGameRequest(game_id=gathering.game_id).SerializeToString()


@pytest.mark.parametrize(("service", "method", "streams"), [each for each in METHODS if each[1] != "Direct"])
def test_bytes_that_are_no_message(
    addresses: Addresses, gathering: Gathering, service: str, method: str, streams: bool
) -> None:
    """Malformed bytes are INVALID_ARGUMENT for every method that players call, and the service goes on answering."""
    metadata = gathering.anybody().metadata
    error = failure(lambda: send(addresses, service, method, GARBAGE, streams, metadata))
    assert error.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert "malformed" in (error.details() or "")
    assert gathering.view().sequence > 0


@pytest.mark.parametrize("service", SERVICES)
def test_a_message_too_large(addresses: Addresses, gathering: Gathering, service: str) -> None:
    """More than the limit is RESOURCE_EXHAUSTED, and the service goes on answering."""
    _, method, streams = next(each for each in METHODS if each[0] == service)
    too_large = b"\x0a\x80\x80\x40" + b"x" * 2**20
    metadata = gathering.anybody().metadata
    error = failure(lambda: send(addresses, service, method, too_large, streams, metadata))
    assert error.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert gathering.view().sequence > 0


def test_a_deadline_that_has_passed(addresses: Addresses, gathering: Gathering) -> None:
    """A call whose time is over is DEADLINE_EXCEEDED; a repeat with time enough gets one outcome."""
    view, asked = gathering.view(), gathering.asked()
    offer = asked.games.choices(gathering.game_id)
    assert any(isinstance(choice.command, Pass) for choice in offer.choices)
    request = pb.ExecuteRequest(
        game_id=gathering.game_id, request_id="late", expected_sequence=view.sequence, command=PASS
    )
    stub = rules_stub(addresses)
    error = failure(lambda: stub.Execute(request, timeout=-1, metadata=asked.metadata))
    assert error.code() is grpc.StatusCode.DEADLINE_EXCEEDED
    first = stub.Execute(request, timeout=60, metadata=asked.metadata).accepted
    gathering.hear(first.last_sequence)
    again = stub.Execute(request, timeout=60, metadata=asked.metadata).accepted
    assert (again.first_sequence, again.last_sequence) == (first.first_sequence, first.last_sequence)
    assert again.repeated_request
    assert list(again.events) == list(first.events)
    assert gathering.view().sequence == first.last_sequence


def execute(**changes: Any) -> pb.ExecuteRequest:
    """A request for a game that there is not, but for what is said."""
    fields: dict[str, Any] = {"game_id": "g", "request_id": "r", "expected_sequence": 1, "command": PASS}
    return pb.ExecuteRequest(**(fields | changes))


MALFORMED = [
    ("Execute", execute(request_id=""), "INVALID_ARGUMENT", "request_id: "),
    ("Execute", execute(request_id="r" * 65), "INVALID_ARGUMENT", "request_id: "),
    ("Execute", execute(request_id="a\0b"), "INVALID_ARGUMENT", "request_id: "),
    ("Execute", execute(expected_sequence=0), "INVALID_ARGUMENT", "expected_sequence: "),
    ("Execute", execute(expected_sequence=-5), "INVALID_ARGUMENT", "expected_sequence: "),
    ("Execute", execute(), "NOT_FOUND", "'g'"),
    ("Execute", execute(game_id=""), "NOT_FOUND", "''"),
    ("Execute", execute(game_id="x" * 60_000), "NOT_FOUND", "no game"),
    ("Execute", execute(game_id="x" * 10**5), "RESOURCE_EXHAUSTED", "65536"),
    ("GetGame", pb.GetGameRequest(game_id="x" * 4_000), "NOT_FOUND", "no game"),
    ("GetGame", pb.GetGameRequest(game_id="x" * 10**4), "RESOURCE_EXHAUSTED", "more than the 4096"),
    ("GetGame", pb.GetGameRequest(), "NOT_FOUND", "''"),
    ("ListChoices", pb.ListChoicesRequest(game_id="g"), "NOT_FOUND", "'g'"),
    ("ListEvents", pb.ListEventsRequest(game_id="g"), "NOT_FOUND", "'g'"),
    ("ListEvents", pb.ListEventsRequest(game_id="g", page_size=-1), "INVALID_ARGUMENT", "page_size: "),
    ("ListEvents", pb.ListEventsRequest(game_id="g", page_size=1001), "INVALID_ARGUMENT", "page_size: "),
    (
        "ListEvents",
        pb.ListEventsRequest(game_id="g", after_sequence=-1),
        "INVALID_ARGUMENT",
        "after_sequence",
    ),
]


@pytest.mark.parametrize(("method", "request_message", "code", "words"), MALFORMED)
def test_an_invalid_call_gets_the_reason(
    addresses: Addresses, gathering: Gathering, method: str, request_message: Any, code: str, words: str
) -> None:
    """Each broken request has the status of the contract, and the text names the field or the game."""
    call = getattr(rules_stub(addresses), method)
    error = failure(lambda: call(request_message, timeout=60, metadata=gathering.anybody().metadata))
    assert error.code() is grpc.StatusCode[code]
    assert words in (error.details() or "")
    assert len(error.details() or "") < 400


def test_an_empty_command_is_named(addresses: Addresses, gathering: Gathering) -> None:
    """The command is read once the caller is known to have a seat and to know the latest event."""
    request = execute(
        game_id=gathering.game_id, expected_sequence=gathering.view().sequence, command=command_pb2.Command()
    )
    stub, metadata = rules_stub(addresses), gathering.asked().metadata
    error = failure(lambda: stub.Execute(request, timeout=60, metadata=metadata))
    assert error.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert "command: " in (error.details() or "")


def test_sequences_not_reached_are_out_of_range(addresses: Addresses, gathering: Gathering) -> None:
    """A state, events or a watch beyond the last event are OUT_OF_RANGE."""
    stub, game_id, beyond = rules_stub(addresses), gathering.game_id, gathering.view().sequence + 1
    metadata = gathering.anybody().metadata
    calls = [
        lambda: stub.GetGame(pb.GetGameRequest(game_id=game_id, at_sequence=beyond), 5, metadata),
        lambda: stub.ListEvents(pb.ListEventsRequest(game_id=game_id, after_sequence=beyond), 5, metadata),
        lambda: next(
            stub.WatchGame(pb.WatchGameRequest(game_id=game_id, after_sequence=beyond), 5, metadata)
        ),
    ]
    assert [failure(call).code() for call in calls] == [grpc.StatusCode.OUT_OF_RANGE] * 3


def test_a_strange_command_never_breaks_the_service(addresses: Addresses, gathering: Gathering) -> None:
    """Long and odd texts and numbers at the ends of their range are refused by a reason, in a short answer."""
    stub, asked, view = rules_stub(addresses), gathering.asked(), gathering.view()
    strange = [
        command_message(BuyCompany("x" * 60_000, 1)),
        command_message(BuyCompany("EPP", -(2**62))),
        command_message(BuyCompany("\0\u202e\N{PILE OF POO}", 120)),
        command_pb2.Command(undo=command_pb2.Undo(to_sequence=2**62)),
        command_pb2.Command(run_trains=command_pb2.RunTrains(company="BK")),
    ]
    for number, command in enumerate(strange):
        request = pb.ExecuteRequest(
            game_id=gathering.game_id,
            request_id=f"strange-{number}",
            expected_sequence=view.sequence,
            command=command,
        )
        answer = stub.Execute(request, timeout=60, metadata=asked.metadata)
        assert answer.WhichOneof("outcome") == "rejected"
        assert answer.rejected.code
        assert answer.ByteSize() < 1000
    assert gathering.view() == view


@pytest.mark.parametrize("service", SERVICES)
def test_health_and_reflection(addresses: Addresses, service: str) -> None:
    """Each service reports serving under its own name and lists itself for tools."""
    name = SERVICES[service].full_name
    with channel_to(getattr(addresses, service)) as channel:
        health = health_pb2_grpc.HealthStub(channel)
        for asked in ("", name):
            status = health.Check(health_pb2.HealthCheckRequest(service=asked), timeout=60).status
            assert status == health_pb2.HealthCheckResponse.SERVING
        reflection = reflection_pb2_grpc.ServerReflectionStub(channel)
        request = reflection_pb2.ServerReflectionRequest(list_services="")
        answer = next(reflection.ServerReflectionInfo(iter([request]), timeout=60))
        assert name in {listed.name for listed in answer.list_services_response.service}


def test_metrics_count_the_calls(addresses: Addresses, gathering: Gathering) -> None:
    """The metrics pages count calls by service and status, and followers that failed, of which there are none."""
    gathering.view()
    text = ""
    for address in addresses.metrics.split(","):
        with urlopen(f"http://{address}/metrics", timeout=60) as response:
            text += response.read().decode()
    assert 'signalbox_rpc_calls_total{code="OK",method="GetGame",service="signalbox.rules.v1.Rules"}' in text
    assert "signalbox_rules_follower_failures_total 0.0" in text
    assert "signalbox_ledger_events_booked_total" in text


def test_a_watcher_gets_every_event(addresses: Addresses) -> None:
    """Past events first, then each as it happens, in order and without a gap, the same as listed."""
    gathering = gather(addresses, ("Hal", "Ida", "Jan"))
    watcher = person(addresses, "Watching Wanda")
    seen: list[Any] = []
    enough = threading.Event()
    target = gathering.view().sequence + 20

    def watch() -> None:
        for event in watcher.games.watch(gathering.game_id, seconds=300):
            seen.append(event)
            if event.sequence >= target:
                break
        enough.set()

    watching = threading.Thread(target=watch)
    watching.start()
    while gathering.view().sequence < target:
        gathering.play(1)
    assert enough.wait(60)
    watching.join()
    assert seen[0].sequence == 1
    assert all(later.sequence == earlier.sequence + 1 for earlier, later in pairwise(seen))
    assert seen == list(watcher.games.events(gathering.game_id))[: len(seen)]


def test_a_player_hears_of_own_games(addresses: Addresses) -> None:
    """The lobby tells a watching player the status of the game, and again after moves of others."""
    gathering = gather(addresses, ("Ned", "Oda", "Pip"))
    lobby = Lobby(addresses.lobby, gathering.waiting().token)
    watch = lobby.watch_games(seconds=300)
    first = next(watch)
    assert (first.status.game_id, first.table_id) == (gathering.game_id, gathering.table.table_id)
    moved = gathering.move()
    later = next(each.status for each in watch if each.status.sequence >= moved.last_sequence)
    assert later.sequence > first.status.sequence
    assert list(later.acting_players) == list(gathering.view().acting_players)
    lobby.close()


def test_the_books_balance_after_every_move(addresses: Addresses) -> None:
    """After each command the ledger has booked up to the last event, agrees with rules and balances."""
    gathering = gather(addresses, ("Kim", "Lea", "Max"))
    books = Books(addresses.ledger, gathering.anybody().token)
    for _ in range(8):
        gathering.play(1)
        assert _is_followed(addresses, books, gathering)
        audit = books.audit(gathering.game_id)
        assert audit.sequence == audit.compared_sequence == gathering.view().sequence
        assert (list(audit.differences), list(audit.broken_laws)) == ([], [])
        assert books.trial_balance(gathering.game_id).balanced
    cash = {each.player: each.cash for each in gathering.view().players}
    for player, amount in cash.items():
        held = books.balances(gathering.game_id, player)
        assert {each.amount for each in held if each.account.unit == ledger_pb2.UNIT_MONEY} == {amount}


def _is_followed(addresses: Addresses, books: Books, gathering: Gathering) -> bool:
    sequence = gathering.view().sequence
    return followed(addresses, lambda: books.audit(gathering.game_id).compared_sequence >= sequence)


def test_what_the_title_does_not_offer_never_becomes_a_table(addresses: Addresses) -> None:
    """The lobby knows titles, numbers of players, options and rulings of the rules and refuses others."""
    lobby = Lobby(addresses.lobby, person(addresses, "Otto").token)
    wrong: list[tuple[str, dict[str, Any]]] = [
        ("TITLE_UNKNOWN", {"title": "1899"}),
        ("PLAYER_COUNT_NOT_OFFERED", {"player_count": 7}),
        ("OPTIONS_NOT_PLAYABLE", {"player_count": 2}),
        ("OPTION_UNKNOWN", {"options": ["beer"]}),
        ("RULING_UNKNOWN", {"rulings": {"tea": "hot"}}),
        ("RULING_PROFILE_UNKNOWN", {"ruling_profile": "mine"}),
    ]
    for reason, changed in wrong:
        with pytest.raises(Rejected) as refused:
            lobby.create_table(**{"title": "1824", "player_count": 3, **changed})
        assert refused.value.reason == reason
