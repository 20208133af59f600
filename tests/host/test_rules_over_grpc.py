"""The rules service as clients meet it: forged commands, broken requests, races and watchers."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from threading import Barrier

import grpc
import pytest
from google.protobuf.any_pb2 import Any as AnyMessage

from services.common.settings.service import Settings
from services.gen.signalbox.events.v1 import events_pb2
from services.gen.signalbox.rules.v1 import command_pb2 as c, rules_pb2 as pb
from services.gen.signalbox.rules.v1.rules_pb2_grpc import RulesStub
from services.rules.adapters.codec import command_message
from services.rules.titles.g1824.commands import BuyCompany, RepayDebt
from tests.host.signed_in_players import NAMES, SECONDS, Party
from tests.hosting import Host, channel_to

pytestmark = pytest.mark.integration

PASS = c.Command(pass_turn=c.Pass())
EXECUTE = "/signalbox.rules.v1.Rules/Execute"


def status_of(failed: pytest.ExceptionInfo[grpc.RpcError]) -> grpc.StatusCode:
    """The status a call ended with."""
    code: grpc.StatusCode = failed.value.code()
    return code


def test_a_move_is_carried_out_with_its_events(party: Party, game_id: str) -> None:
    """The answer holds the events; view, ledger and event list tell the same."""
    before = party.game(game_id).sequence
    accepted = party.move(game_id).accepted
    assert accepted.first_sequence == before + 1
    assert [event.sequence for event in accepted.events] == list(
        range(before + 1, accepted.last_sequence + 1)
    )
    assert party.game(game_id).sequence == accepted.last_sequence
    assert party.ledger_sequence(game_id, accepted.last_sequence) == accepted.last_sequence
    events = party.events(game_id)
    assert [event.sequence for event in events] == list(range(1, accepted.last_sequence + 1))
    assert events[before:] == list(accepted.events)


def test_a_repeat_returns_the_first_outcome(party: Party, game_id: str) -> None:
    """The same request twice has one effect, and the same events are shown."""
    name, at = party.asked(game_id), party.game(game_id).sequence
    first = party.execute(name, game_id, PASS, at, "twice")
    again = party.execute(name, game_id, PASS, at, "twice")
    assert again.accepted.repeated_request
    assert again.accepted.events == first.accepted.events
    assert party.game(game_id).sequence == first.accepted.last_sequence


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (command_message(BuyCompany("XX", 1)), "unknown_company"),
        (command_message(BuyCompany("B1", 1)), "price_not_offered"),
        (command_message(BuyCompany("B1", 2**62)), "value_out_of_range"),
        (command_message(BuyCompany("B1", -7)), "value_out_of_range"),
        (command_message(RepayDebt(50)), "wrong_step"),
        (c.Command(undo=c.Undo(to_sequence=1)), "undo_target"),
        (c.Command(run_trains=c.RunTrains(company="BK")), "wrong_step"),
    ],
)
def test_forged_commands_are_refused_and_change_nothing(
    party: Party, game_id: str, command: c.Command, reason: str
) -> None:
    """Each with its own reason, and the game as it was."""
    before = party.game(game_id)
    answer = party.execute(party.asked(game_id), game_id, command).rejected
    assert answer.code == reason
    assert answer.message
    assert party.game(game_id) == before


def test_nobody_moves_for_another(party: Party, game_id: str) -> None:
    """Waiting players and spectators are refused; spectators may look."""
    waiting = next(name for name in NAMES if name != party.asked(game_id))
    assert party.execute(waiting, game_id, PASS).rejected.code == "not_your_turn"
    assert party.execute("Spectator", game_id, PASS).rejected.code == "not_a_player"
    assert party.game(game_id).acting_players


def test_a_request_id_used_for_something_else_is_refused(party: Party, game_id: str) -> None:
    """Another command or another player under a used id."""
    name, at = party.asked(game_id), party.game(game_id).sequence
    party.execute(name, game_id, PASS, at, "mine")
    company = command_message(BuyCompany("B1", 120))
    assert party.execute(name, game_id, company, at, "mine").rejected.code == "request_id_reused"
    other = next(each for each in NAMES if each != name)
    assert party.execute(other, game_id, PASS, at, "mine").rejected.code == "request_id_reused"
    assert party.execute("Spectator", game_id, PASS, at, "mine").rejected.code == "not_a_player"


def test_a_stale_sequence_is_aborted_with_the_actual_one(party: Party, game_id: str) -> None:
    """The status is ABORTED; trailing metadata name reason and sequence."""
    at = party.game(game_id).sequence
    for expected in (at - 1, at + 1, 2**62):
        with pytest.raises(grpc.RpcError) as failed:
            party.execute(party.asked(game_id), game_id, PASS, expected)
        assert status_of(failed) is grpc.StatusCode.ABORTED
        trailing = {entry.key: str(entry.value) for entry in failed.value.trailing_metadata() or ()}
        assert trailing["signalbox-reason"] == "stale_sequence"
        assert trailing["signalbox-sequence"] == str(at)


@pytest.mark.parametrize(
    ("request_message", "field"),
    [
        (pb.ExecuteRequest(request_id="r", expected_sequence=1), "command"),
        (pb.ExecuteRequest(request_id="r", expected_sequence=0, command=PASS), "expected_sequence"),
        (pb.ExecuteRequest(request_id="", expected_sequence=1, command=PASS), "request_id"),
        (pb.ExecuteRequest(request_id="r" * 65, expected_sequence=1, command=PASS), "request_id"),
        (
            pb.ExecuteRequest(
                request_id="r",
                expected_sequence=1,
                command=c.Command(title_command=AnyMessage(type_url="type.googleapis.com/other.v1.Command")),
            ),
            "command.title_command.type_url",
        ),
    ],
)
def test_malformed_requests_name_the_field(
    party: Party, game_id: str, request_message: pb.ExecuteRequest, field: str
) -> None:
    """INVALID_ARGUMENT and the field's name."""
    request_message.game_id = game_id
    if request_message.expected_sequence:
        request_message.expected_sequence = party.game(game_id).sequence
    with pytest.raises(grpc.RpcError) as failed:
        party.rules.Execute(request_message, metadata=party.tokens["Ada"], timeout=SECONDS)
    assert status_of(failed) is grpc.StatusCode.INVALID_ARGUMENT
    assert field in str(failed.value.details())


def test_unknown_games_and_sequences_are_distinguished(party: Party, game_id: str) -> None:
    """NOT_FOUND for a game, OUT_OF_RANGE for a sequence not reached, in every rpc that takes them."""
    with pytest.raises(grpc.RpcError) as failed:
        party.game("nowhere")
    assert status_of(failed) is grpc.StatusCode.NOT_FOUND
    with pytest.raises(grpc.RpcError) as failed:
        party.execute("Ada", "nowhere", PASS, 1)
    assert status_of(failed) is grpc.StatusCode.NOT_FOUND
    for sequence in (-1, 2**60):
        with pytest.raises(grpc.RpcError) as failed:
            party.game(game_id, sequence)
        assert status_of(failed) is grpc.StatusCode.OUT_OF_RANGE
    late = pb.ListEventsRequest(game_id=game_id, after_sequence=2**62)
    with pytest.raises(grpc.RpcError) as failed:
        party.rules.ListEvents(late, metadata=party.tokens["Ada"], timeout=SECONDS)
    assert status_of(failed) is grpc.StatusCode.OUT_OF_RANGE


@pytest.mark.parametrize(
    "metadata", [(), (("authorization", "Bearer made.up.token"),), (("authorization", "x"),)]
)
def test_without_a_token_of_the_lobby_nothing_is_answered(
    party: Party, game_id: str, metadata: tuple[tuple[str, str], ...]
) -> None:
    """Every rpc is UNAUTHENTICATED without a token or with a forged one."""
    calls: tuple[Callable[[], object], ...] = (
        lambda: party.rules.Execute(pb.ExecuteRequest(game_id=game_id), metadata=metadata, timeout=SECONDS),
        lambda: party.rules.ListChoices(
            pb.ListChoicesRequest(game_id=game_id), metadata=metadata, timeout=SECONDS
        ),
        lambda: party.rules.GetGame(pb.GetGameRequest(game_id=game_id), metadata=metadata, timeout=SECONDS),
        lambda: party.rules.ListEvents(
            pb.ListEventsRequest(game_id=game_id), metadata=metadata, timeout=SECONDS
        ),
        lambda: next(
            party.rules.WatchGame(pb.WatchGameRequest(game_id=game_id), metadata=metadata, timeout=SECONDS)
        ),
    )
    for call in calls:
        with pytest.raises(grpc.RpcError) as failed:
            call()
        assert status_of(failed) is grpc.StatusCode.UNAUTHENTICATED


def test_malformed_oversized_and_late_calls_leave_the_server_alive(
    host: Host, party: Party, game_id: str
) -> None:
    """Broken bytes, too many bytes and an expired deadline are clean errors; the next call is answered."""
    with channel_to(host.addresses.rules) as channel:
        raw: Callable[..., bytes] = channel.unary_unary(EXECUTE)
        metadata = party.tokens["Ada"]
        with pytest.raises(grpc.RpcError) as failed:
            raw(b"\xff\xff\xff\xff", metadata=metadata, timeout=SECONDS)
        assert status_of(failed) is grpc.StatusCode.INVALID_ARGUMENT
        with pytest.raises(grpc.RpcError) as failed:
            raw(b"\x00" * (Settings().message_bytes_max + 1), metadata=metadata, timeout=SECONDS)
        assert status_of(failed) is grpc.StatusCode.RESOURCE_EXHAUSTED
    with pytest.raises(grpc.RpcError) as failed:
        party.rules.GetGame(pb.GetGameRequest(game_id=game_id), metadata=metadata, timeout=1e-4)
    assert status_of(failed) is grpc.StatusCode.DEADLINE_EXCEEDED
    assert party.game(game_id).title == "1824"


def test_of_two_clients_with_the_same_expectation_one_wins(party: Party, game_id: str) -> None:
    """The other gets ABORTED, and the game advanced once."""
    name, at = party.asked(game_id), party.game(game_id).sequence
    start = Barrier(2)

    def race(request_id: str) -> int | grpc.StatusCode:
        start.wait()
        try:
            return int(party.execute(name, game_id, PASS, at, request_id).accepted.last_sequence)
        except grpc.RpcError as error:
            code: grpc.StatusCode = error.code()
            return code

    with ThreadPoolExecutor(2) as racers:
        results = list(racers.map(race, ("left", "right")))
    assert grpc.StatusCode.ABORTED in results
    assert party.game(game_id).sequence in results


def test_watchers_see_the_past_and_then_each_event(party: Party, game_id: str) -> None:
    """Everything in order from the sequence asked for, while the game goes on; more than the limit are turned away."""
    at = party.game(game_id).sequence
    request = pb.WatchGameRequest(game_id=game_id, after_sequence=at - 2)
    stream = party.rules.WatchGame(request, metadata=party.tokens["Spectator"], timeout=SECONDS)
    seen: list[events_pb2.GameEvent] = [next(stream).event, next(stream).event]
    for _ in range(3):
        seen.extend(next(stream).event for _ in party.move(game_id).accepted.events)
    assert [event.sequence for event in seen] == list(range(at - 1, party.game(game_id).sequence + 1))
    assert seen == party.events(game_id)[at - 2 :]
    stream.cancel()


def test_every_watcher_sees_each_event_once(host: Host, party: Party, game_id: str) -> None:
    """At every replica, and all of the same player too."""
    at = party.game(game_id).sequence
    request = pb.WatchGameRequest(game_id=game_id, after_sequence=at)
    with ExitStack() as connections:
        channels = [connections.enter_context(channel_to(each)) for each in host.addresses.rules.split(",")]
        streams = [
            RulesStub(channel).WatchGame(request, metadata=party.tokens[name], timeout=SECONDS)
            for channel in channels
            for name in NAMES
            for _ in range(3)
        ]
        last = [party.move(game_id).accepted.last_sequence for _ in range(3)][-1]
        for stream in streams:
            seen = [next(stream).event.sequence for _ in range(last - at)]
            assert seen == list(range(at + 1, last + 1))
            stream.cancel()


def test_calls_that_wait_for_the_next_event_hold_up_no_move(host: Host, party: Party, game_id: str) -> None:
    """Reads and commands that expect it, more of each caller than there are threads: a move is carried out, and all end as
    the contract says."""
    at, asked = party.game(game_id).sequence, party.asked(game_id)
    read = pb.GetGameRequest(game_id=game_id, at_least_sequence=at + 1)
    waiting = [
        party.rules.GetGame.future(read, metadata=token, timeout=SECONDS)
        for token in party.tokens.values()
        for _ in range(20)
    ]
    waiting += [
        party.rules.Execute.future(
            pb.ExecuteRequest(
                game_id=game_id, request_id=party.request_id(), expected_sequence=at + 900, command=PASS
            ),
            metadata=party.tokens[asked],
            timeout=SECONDS,
        )
        for _ in range(20)
    ]
    accepted = party.execute(asked, game_id, PASS, at).accepted
    assert accepted.first_sequence == at + 1
    assert {each.code() for each in waiting} <= {
        grpc.StatusCode.OK,
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.ABORTED,
    }


def test_too_many_watchers_are_turned_away_and_moves_go_on(party: Party, game_id: str) -> None:
    """Idle watchers take the streams the server has; the next is RESOURCE_EXHAUSTED, and the game is not disturbed."""
    request = pb.WatchGameRequest(game_id=game_id)
    streams = [
        party.rules.WatchGame(request, metadata=party.tokens["Spectator"], timeout=SECONDS) for _ in range(12)
    ]
    refused = 0
    for stream in streams:
        try:
            next(stream)
        except grpc.RpcError as error:
            assert error.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
            refused += 1
    assert refused >= 8
    party.move(game_id)
    for stream in streams:
        stream.cancel()


def test_earlier_states_are_shown_as_they_were(party: Party, game_id: str) -> None:
    """A view at an old sequence equals the view taken at that time, whichever player has to act now."""
    taken = [party.game(game_id)]
    for _ in range(4):
        party.move(game_id)
        taken.append(party.game(game_id))
    assert [party.game(game_id, view.sequence) for view in taken] == taken
