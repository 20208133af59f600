"""`signalbox table`: a director's commands go to the lobby as they are meant."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import grpc
import pytest
from msgspec.structs import replace
from typer.testing import CliRunner, Result

from services.cli.main import app
from services.common.grpc.server import HostedService, create_server
from services.common.settings.service import Settings
from services.common.telemetry.logs import Telemetry
from services.gen.signalbox.events.v1 import events_pb2
from services.gen.signalbox.lobby.v1 import lobby_service_pb2 as lobby_pb, rejection_pb2, table_pb2
from services.gen.signalbox.lobby.v1.lobby_service_pb2_grpc import (
    LobbyServiceServicer,
    add_LobbyServiceServicer_to_server,
)
from services.gen.signalbox.rules.v1 import game_pb2, rules_pb2 as rules_pb
from services.gen.signalbox.rules.v1.rules_pb2_grpc import RulesServicer, add_RulesServicer_to_server

AT = 41
LOBBY = lobby_pb.DESCRIPTOR.services_by_name["LobbyService"].full_name
RULES = rules_pb.DESCRIPTOR.services_by_name["Rules"].full_name


class OneTable(LobbyServiceServicer):
    """A lobby with one table; it remembers what was decided, and refuses what there is a `refusal` for."""

    def __init__(self) -> None:
        self.asked: list[lobby_pb.DirectTableRequest] = []
        self.refusal: rejection_pb2.Rejection | None = None

    def GetTable(
        self, request: lobby_pb.GetTableRequest, context: grpc.ServicerContext
    ) -> lobby_pb.GetTableResponse:
        """See the contract."""
        game_id = "g1" if request.table_id == "t1" else ""
        return lobby_pb.GetTableResponse(table=table_pb2.Table(table_id=request.table_id, game_id=game_id))

    def DirectTable(
        self, request: lobby_pb.DirectTableRequest, context: grpc.ServicerContext
    ) -> lobby_pb.DirectTableResponse:
        """See the contract."""
        self.asked.append(request)
        if self.refusal is not None:
            return lobby_pb.DirectTableResponse(rejected=self.refusal)
        directed = lobby_pb.Directed(game_id="g1", first_sequence=AT + 1, last_sequence=AT + 2)
        return lobby_pb.DirectTableResponse(directed=directed)


class OneGame(RulesServicer):
    """Rules with one game."""

    def GetGame(
        self, request: rules_pb.GetGameRequest, context: grpc.ServicerContext
    ) -> rules_pb.GetGameResponse:
        """See the contract."""
        view = game_pb2.GameView(
            game_id="g1",
            title="1824",
            sequence=AT,
            acting_players=["ann"],
            suspended=True,
            seats=[
                game_pb2.SeatView(seat="ann", bearer="sue"),
                game_pb2.SeatView(seat="bob", bearer="bob"),
            ],
            decisions=[game_pb2.DecisionView(sentence="olga suspended the game: a storm")],
        )
        return rules_pb.GetGameResponse(game=view)


@pytest.fixture
def table() -> OneTable:
    """The lobby's side."""
    return OneTable()


@pytest.fixture
def options(table: OneTable, tmp_path: Path) -> Iterator[Sequence[str]]:
    """Where both answer, and a token."""
    token = tmp_path / "token"
    token.write_text("a-token\n")
    services = [
        HostedService(LOBBY, add_LobbyServiceServicer_to_server, table),
        HostedService(RULES, add_RulesServicer_to_server, OneGame()),
    ]
    server, port = create_server(services, replace(Settings(), host="127.0.0.1"), Telemetry())
    server.start()
    at = f"127.0.0.1:{port}"
    yield ["--lobby", at, "--rules", at, "--token-file", str(token)]
    server.stop(0)


def run(options: Sequence[str], *arguments: str) -> Result:
    """One command; those that do not look at the game take no address of rules."""
    given = list(options)
    if arguments[0] in ("substitute", "suspend", "resume"):
        del given[2:4]
    return CliRunner().invoke(app, ["table", *arguments, *given])


def lines(result: Result, last: int) -> list[str]:
    """The last lines of a command; others are logs of the server in this process."""
    return result.stdout.splitlines()[-last:]


DECISIONS = {
    "substitute": (["bob", "--player", "Sue"], 0),
    "suspend": ([], 0),
    "resume": ([], 0),
    "roll-back": (["17"], AT),
    "act": (["ann", '{"passTurn": {}}'], AT),
    "correct": (["bank", "ann", "40", "--subject", "3-0"], AT),
    "end": (["ann=300", "bob=-5"], AT),
}


@pytest.mark.parametrize("command", DECISIONS)
def test_a_decision_is_passed_on(table: OneTable, options: Sequence[str], command: str) -> None:
    """With its reason, and with the present position where it depends on one."""
    arguments, expected = DECISIONS[command]
    result = run(options, command, "t1", *arguments, "--reason", "a storm")
    assert (result.exit_code, lines(result, 1)) == (0, ["g1: events 42 to 43"])
    (asked,) = table.asked
    assert (asked.table_id, asked.expected_sequence) == ("t1", expected)
    assert asked.direction.reason == "a storm"


def test_what_is_decided_is_what_was_said(table: OneTable, options: Sequence[str]) -> None:
    """Seats, names, kinds, amounts and scores."""
    for command, (arguments, _) in DECISIONS.items():
        run(options, command, "t1", *arguments, "--reason", "a storm")
    substitute, _, _, back, act, correct, end = (each.direction for each in table.asked)
    assert (substitute.assign_seat.seat, table.asked[0].bearer_name) == ("bob", "Sue")
    assert substitute.assign_seat.kind == events_pb2.BEARER_KIND_SUBSTITUTE
    assert back.roll_back.to_sequence == 17
    assert (act.act_for_seat.seat, act.act_for_seat.command.WhichOneof("body")) == ("ann", "pass_turn")
    assert (correct.correct.source, correct.correct.target) == ("bank", "ann")
    assert (correct.correct.amount, correct.correct.subject) == (40, "3-0")
    assert [(each.player, each.value) for each in end.end_game.scores] == [("ann", 300), ("bob", -5)]
    run(options, "substitute", "t1", "bob", "--bot", "--reason", "a storm")
    assert table.asked[-1].direction.assign_seat.kind == events_pb2.BEARER_KIND_BOT
    run(options, "roll-back", "t1", "17", "--at", "33", "--reason", "a storm")
    assert table.asked[-1].expected_sequence == 33


def test_the_table_is_shown(options: Sequence[str]) -> None:
    """Who plays, who is asked, and what was decided."""
    result = run(options, "show", "t1")
    assert lines(result, 4) == [
        "g1  1824  event 41  suspended",
        "  ann  played by sue  to move",
        "  bob",
        "  olga suspended the game: a storm",
    ]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["end", "t1", "ann", "--reason", "x"], "'ann' is not SEAT=SCORE"),
        (["act", "t1", "ann", "pass", "--reason", "x"], "no JSON of a Command"),
        (["act", "t1", "ann", "{}", "--reason", "x"], "no command is set"),
        (["roll-back", "t2", "17", "--reason", "x"], "t2: its game has not begun"),
    ],
)
def test_what_cannot_be_read_is_named(
    table: OneTable, options: Sequence[str], arguments: list[str], words: str
) -> None:
    """And nothing is sent."""
    result = run(options, *arguments)
    assert result.exit_code == 1
    assert words in result.stderr
    assert not table.asked


def test_a_refusal_of_rules_is_shown_with_its_code(table: OneTable, options: Sequence[str]) -> None:
    """So is one of the lobby."""
    table.refusal = rejection_pb2.Rejection(
        reason=rejection_pb2.REJECTION_REASON_DIRECTION_REFUSED,
        sentence="the game is over",
        rules_code="game_finished",
    )
    result = run(options, "suspend", "t1", "--reason", "x")
    assert (result.exit_code, "game_finished: the game is over" in result.stderr) == (1, True)
    table.refusal = rejection_pb2.Rejection(
        reason=rejection_pb2.REJECTION_REASON_NOT_DIRECTOR, sentence="You do not direct it."
    )
    assert "NOT_DIRECTOR: You do not direct it." in run(options, "suspend", "t1", "--reason", "x").stderr
