"""`signalbox holds`: an operator lists and releases held games and rebuilds books."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest
from msgspec.structs import replace
from typer.testing import CliRunner, Result

from services.cli.main import app
from services.common.grpc.server import HostedService, create_server
from services.common.settings.service import Settings
from services.common.telemetry.logs import Telemetry
from services.gen.signalbox.ledger.v1 import ledger_pb2 as pb
from services.gen.signalbox.ledger.v1.ledger_pb2_grpc import LedgerServicer, add_LedgerServicer_to_server

NAME = pb.DESCRIPTOR.services_by_name["Ledger"].full_name
TOKEN = "operators-token"


class OneHold(LedgerServicer):
    """A ledger that holds one game."""

    def __init__(self) -> None:
        self.held = {
            "game-7": pb.Hold(game_id="game-7", reason="difference", detail="cash of Ann", sequence=41)
        }

    def ListHolds(self, request: pb.ListHoldsRequest, context: grpc.ServicerContext) -> pb.ListHoldsResponse:
        """See the contract."""
        return pb.ListHoldsResponse(holds=self.held.values())

    def HoldGame(self, request: pb.HoldGameRequest, context: grpc.ServicerContext) -> pb.HoldGameResponse:
        """See the contract."""
        self._check(context)
        hold = pb.Hold(game_id=request.game_id, reason="operator", detail=request.reason, sequence=7)
        self.held[request.game_id] = hold
        return pb.HoldGameResponse(hold=hold)

    def ReleaseHold(
        self, request: pb.ReleaseHoldRequest, context: grpc.ServicerContext
    ) -> pb.ReleaseHoldResponse:
        """See the contract."""
        self._check(context)
        if request.game_id not in self.held:
            context.abort(grpc.StatusCode.NOT_FOUND, f"{request.game_id} is not held")
        return pb.ReleaseHoldResponse(hold=self.held.pop(request.game_id))

    def RebuildBook(
        self, request: pb.RebuildBookRequest, context: grpc.ServicerContext
    ) -> pb.RebuildBookResponse:
        """See the contract."""
        self._check(context)
        return pb.RebuildBookResponse(sequence=57)

    def _check(self, context: grpc.ServicerContext) -> None:
        if ("authorization", f"Bearer {TOKEN}") not in context.invocation_metadata():
            context.abort(grpc.StatusCode.PERMISSION_DENIED, "only operators may do this")


@pytest.fixture
def ledger() -> Iterator[str]:
    """Where that ledger answers."""
    service = HostedService(NAME, add_LedgerServicer_to_server, OneHold())
    server, port = create_server([service], replace(Settings(), host="127.0.0.1"), Telemetry())
    server.start()
    yield f"127.0.0.1:{port}"
    server.stop(0)


def run(ledger: str, token_file: Path, *arguments: str, token: str = TOKEN) -> Result:
    """The command, with this token."""
    token_file.write_text(token + "\n")
    command = ["holds", *arguments, "--ledger", ledger, "--token-file", str(token_file)]
    return CliRunner().invoke(app, command)


def said(result: Result) -> str:
    """The command's last line; others are logs of the server in this process."""
    return result.stdout.splitlines()[-1]


def test_a_hold_is_shown_and_released(ledger: str, tmp_path: Path) -> None:
    """The list says what was found; after the release no game is held, and the book can be rebuilt."""
    token = tmp_path / "token"
    shown = run(ledger, token, "list")
    assert (shown.exit_code, said(shown)) == (1, "game-7  difference after 41: cash of Ann")
    rebuilt = run(ledger, token, "rebuild", "game-7")
    assert (rebuilt.exit_code, said(rebuilt)) == (0, "game-7: rebuilt up to event 57")
    released = run(ledger, token, "release", "game-7", "--reason", "settled")
    assert (released.exit_code, said(released)) == (0, "game-7: released, was held because of difference")
    assert said(run(ledger, token, "list")) == "no game is held"


def test_an_operator_holds_a_game(ledger: str, tmp_path: Path) -> None:
    """With a reason, without which nothing is sent."""
    held = run(ledger, tmp_path / "token", "hold", "game-9", "--reason", "a dispute")
    assert (held.exit_code, said(held)) == (0, "game-9: held because of operator after 7: a dispute")
    assert run(ledger, tmp_path / "token", "hold", "game-9").exit_code == 2


@pytest.mark.parametrize("command", ["release", "rebuild"])
def test_others_are_refused(ledger: str, tmp_path: Path, command: str) -> None:
    """Without an operator's token nothing is done, and the command says why."""
    refused = run(ledger, tmp_path / "token", command, "game-7", token="somebody")
    assert refused.exit_code == 2
    assert "only operators may do this" in refused.stderr


def test_a_game_that_is_not_held_is_named(ledger: str, tmp_path: Path) -> None:
    """The release of a game that is not held is rejected."""
    refused = run(ledger, tmp_path / "token", "release", "game-8")
    assert refused.exit_code == 2
    assert "game-8 is not held" in refused.stderr


@pytest.mark.parametrize(
    ("content", "why"), [(b"\xff\xfe", "is no file of a token"), (b"\n", "has no token in it")]
)
def test_a_file_without_a_token_is_named(tmp_path: Path, content: bytes, why: str) -> None:
    """Before anybody is asked."""
    token = tmp_path / "token"
    token.write_bytes(content)
    refused = CliRunner().invoke(app, ["holds", "list", "--token-file", str(token)])
    assert (refused.exit_code, f"{token}: {why}" in refused.stderr) == (2, True), refused.stderr
