"""Records of rules on Kafka: what goes in comes out, and what does not fit is named."""

from __future__ import annotations

import pytest

from services.common.eventlog.port import NewRecord
from services.common.kafka.packing import packed
from services.common.kafka.topics import RECORD_BYTES_MAX
from services.common.kafka.unpacking import readable
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.rules.cluster.records import (
    Blocked,
    DeadLettered,
    Expired,
    Hold,
    Outcome,
    ReplyAddress,
    Stale,
    Unknown,
    UnreadableRecord,
    answer,
    command_sent,
    dead_letter_message,
    parsed,
    read_hold,
    read_outcome,
    read_routes_wanted,
    reply_address,
    request_in,
    routes_wanted,
)
from services.rules.kernel.commands import Command, CreateGame, Pass
from services.rules.kernel.rejections import Rejection
from services.rules.kernel.values import Ruling
from services.rules.parts.trains.commands import RunTrains
from services.rules.requests import CommandAccepted, CommandRejected, ImportGame, Request
from services.rules.titles.g1824.commands import RepayDebt
from tests.rules.tiny import BEST_RUN, PROBLEM

REPLY = "gateway.7"
PARTITIONS = 3
IMPORTED = ImportGame((NewRecord("game_created", 1, b"bytes"), NewRecord("1862.licences_set", 2, b"")))
GAME = CreateGame("1824", ("ann", "bob"), ("goods_time",), (Ruling("r", "v"),), "free", 7)


@pytest.mark.parametrize(
    "request_",
    [
        Request("g", "ann", "r1", 5, Pass()),
        Request("g", "ann", "r1", 9, RunTrains("BK", (BEST_RUN,))),
        Request("g", "", "create", 0, GAME),
        Request("g", "", "create", 0, IMPORTED),
    ],
)
def test_a_command_arrives_as_it_was_sent(request_: Request) -> None:
    """With the address to which the outcome goes."""
    value = command_sent(request_, REPLY).SerializeToString()
    assert request_in(parsed(pb.CommandSent, value)) == request_
    assert reply_address(value, 2, PARTITIONS) == ReplyAddress(2, REPLY)


@pytest.mark.parametrize(
    ("field", "value", "problem"),
    [
        ("schema_version", 2, "CommandSent: schema_version 2 is not 1"),
        ("game_id", "", "CommandSent.game_id: is empty"),
        ("request_id", "", "CommandSent.request_id: is empty"),
        ("game_id", "g\0", "CommandSent.game_id: has a NUL"),
        ("request_id", "a\0b", "CommandSent.request_id: has a NUL"),
        ("expected_sequence", 0, "CommandSent.expected_sequence: 0 is not at least 1"),
    ],
)
def test_what_is_wrong_with_a_command_is_named(field: str, value: object, problem: str) -> None:
    """To the field."""
    sent = command_sent(Request("g", "ann", "r1", 5, Pass()), REPLY)
    setattr(sent, field, value)
    with pytest.raises(UnreadableRecord) as unreadable:
        request_in(parsed(pb.CommandSent, sent.SerializeToString()))
    assert str(unreadable.value) == problem


def test_a_command_is_read_packed_or_not_and_one_of_a_newer_version_is_named() -> None:
    """With the key of its record; an owner dead-letters what it cannot unpack, as any record that is no command."""
    sent = command_sent(Request("g", "ann", "r1", 5, Pass()), "gateway.1")
    value = packed(sent.SerializeToString(), b"g")
    assert parsed(pb.CommandSent, value, "g") == parsed(pb.CommandSent, readable(value, b"g")) == sent
    with pytest.raises(
        UnreadableRecord, match="no CommandSent: packed with dictionary 2: written by a newer version"
    ):
        parsed(pb.CommandSent, readable(b"\x17 of a version to come", b"g"))
    assert reply_address(b"\x17 of a version to come", 0, 3) is None


def test_a_command_without_a_body_is_named() -> None:
    """Neither a command nor a game, a command that says nothing, and a game by an unknown undo policy."""
    sent = command_sent(Request("g", "ann", "r1", 5, Pass()), REPLY)
    sent.ClearField("command")
    with pytest.raises(UnreadableRecord, match=r"CommandSent\.body"):
        request_in(sent)
    sent.command.SetInParent()
    with pytest.raises(UnreadableRecord, match=r"CommandSent\.command: no command is set"):
        request_in(sent)
    new = command_sent(Request("g", "", "create", 0, GAME), REPLY)
    new.create.undo_policy = "always"
    with pytest.raises(UnreadableRecord, match="undo_policy: 'always' is none"):
        request_in(new)
    for game in (GAME, IMPORTED):
        new = command_sent(Request("g", "ann", "mine", 0, game), REPLY)
        with pytest.raises(UnreadableRecord, match="a game is set up by 'create'"):
            request_in(new)
    with pytest.raises(UnreadableRecord, match=r"CommandSent\.import_game\.facts: is empty"):
        request_in(command_sent(Request("g", "", "create", 0, ImportGame(())), REPLY))


def test_an_address_is_read_as_far_as_there_is_one() -> None:
    """Not from bytes that are no command."""
    request = Request("g", "ann", "r1", 5, Pass())
    assert reply_address(b"\xff", 0, PARTITIONS) is None
    assert reply_address(command_sent(request, "").SerializeToString(), 0, PARTITIONS) is None


@pytest.mark.parametrize(("named", "address"), [(1, ReplyAddress(1, REPLY)), (PARTITIONS, None), (-1, None)])
def test_a_sender_of_an_older_version_names_its_partition(named: int, address: ReplyAddress | None) -> None:
    """It reads no other; one that does not exist is no address."""
    sent = command_sent(Request("g", "ann", "r1", 5, Pass()), REPLY)
    sent.reads_all_outcomes = False
    sent.reply_partition = named
    assert reply_address(sent.SerializeToString(), 2, PARTITIONS) == address


@pytest.mark.parametrize(
    "outcome",
    [
        CommandAccepted(3, 5),
        CommandAccepted(3, 5, repeated=True),
        CommandRejected(Rejection("not_enough_cash", "the cash does not suffice", "1824/IV.2-a", True)),
        Stale(7),
        Unknown(),
        Blocked("broken"),
        DeadLettered("unreadable"),
        Expired(1_700_000_000_000),
    ],
)
def test_an_outcome_survives_its_record(outcome: Outcome) -> None:
    """Every kind of it."""
    message = answer("g", "r1", "gateway.7", outcome)
    assert read_outcome(parsed(pb.CommandOutcome, message.SerializeToString())) == outcome
    assert (message.game_id, message.request_id, message.reply_id) == ("g", "r1", "gateway.7")


def test_an_outcome_of_an_unknown_kind_is_named() -> None:
    """One that a newer owner wrote."""
    with pytest.raises(UnreadableRecord, match=r"CommandOutcome\.body"):
        read_outcome(pb.CommandOutcome(schema_version=1))


def test_holds_and_questions_arrive() -> None:
    """As the ledger and the owner wrote them."""
    held = pb.HoldChanged(schema_version=1, game_id="g", held=True, reason="DIFFERENCE", detail="a coin")
    assert read_hold(held.SerializeToString()) == Hold("g", True, "a coin")
    held.rebuild_asked = True
    assert read_hold(held.SerializeToString()) is None
    assert read_routes_wanted(routes_wanted("g", 4, PROBLEM).SerializeToString()) == ("g", 4, PROBLEM)


def test_other_records_that_do_not_fit_are_named() -> None:
    """No game, no message, no known version."""
    with pytest.raises(UnreadableRecord, match=r"HoldChanged\.game_id: is empty"):
        read_hold(pb.HoldChanged(schema_version=1).SerializeToString())
    with pytest.raises(UnreadableRecord, match="HoldChanged: schema_version 0 is not 1"):
        read_hold(b"")
    with pytest.raises(UnreadableRecord, match=r"RoutesWanted\.problem"):
        read_routes_wanted(pb.RoutesWanted(schema_version=1, game_id="g").SerializeToString())


def test_a_dead_letter_always_fits_into_a_record() -> None:
    """However large the command is and however much there is to say about it."""
    position, much = ("rules.commands", 1, 2), "why? " * RECORD_BYTES_MAX
    letter = dead_letter_message("g", position, much, b"\xff" * RECORD_BYTES_MAX, 3)
    assert letter.ByteSize() < RECORD_BYTES_MAX / 2
    assert letter.reason.startswith("why? ") and letter.value.startswith(b"\xff\xff")
    for outcome in (Blocked(much), DeadLettered(much)):
        assert answer("g", "r1", "gateway.7", outcome).ByteSize() < RECORD_BYTES_MAX / 2
    assert dead_letter_message("g", position, "why", None, 3).value == b""


def test_commands_of_players_are_all_carried() -> None:
    """Amounts too."""
    command: Command = RepayDebt(3)
    sent = command_sent(Request("g", "ann", "r", 5, command), REPLY)
    assert request_in(sent).command == command
