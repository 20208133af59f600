"""`signalbox staff`: an operator bans players, ends sessions and reads what was done."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from typer.testing import CliRunner, Result

from services.cli.main import app
from services.client.lobby import register, sign_in
from services.common.auth.tokens import Principal, TokenIssuer
from services.common.clock import SystemClock
from services.common.eventlog.memory import MemoryEventLog
from services.common.grpc.server import Guard, create_server
from services.common.settings.service import Settings
from services.common.telemetry.logs import Telemetry
from services.lobby.bootstrap import bootstrap_lobby
from services.lobby.bootstrap_ports import GamePorts, LobbyPorts
from tests.lobby.fakes import FixedCatalogue, FixedSeeds, PlainPasswords, RecordingStarter

KEY = Ed25519PrivateKey.generate()
PASSWORD = "correct horse"


@pytest.fixture
def lobby() -> Iterator[str]:
    """Where a lobby answers at which Ann is registered."""
    served = bootstrap_lobby(
        LobbyPorts(
            log=MemoryEventLog(),
            games=GamePorts(FixedCatalogue(), RecordingStarter()),
            signing_key=KEY,
            settings=Settings(),
            seeds=FixedSeeds(),
            passwords=PlainPasswords(),
        )
    )
    hosted = [served.hosted, *served.also_hosted]
    server, port = create_server(hosted, Settings(), Telemetry(), guard=Guard(served.verifier))
    server.start()
    address = f"127.0.0.1:{port}"
    register(address, "Ann", PASSWORD)
    yield address
    server.stop(0)


def run(lobby: str, folder: Path, *arguments: str, kind: str = "operator") -> Result:
    """The command, with a token of this kind."""
    principal = Principal("operator:olga", "olga", kind)  # type: ignore[arg-type]
    token = folder / "token"
    token.write_text(TokenIssuer(KEY, 60, SystemClock()).issue(principal).token + "\n")
    command = ["staff", *arguments, "--lobby", lobby, "--token-file", str(token)]
    return CliRunner().invoke(app, command)


def lines(result: Result) -> list[str]:
    """What the command printed."""
    assert result.exit_code == 0, result.output
    return result.stdout.splitlines()


def test_a_ban_is_shown_and_ended(lobby: str, tmp_path: Path) -> None:
    """By the player's name; the log has all of it, newest first."""
    assert lines(run(lobby, tmp_path, "ban", "ann", "--reason", "cheating")) == ["ann: banned for good"]
    (ban,) = lines(run(lobby, tmp_path, "bans"))
    player_id = ban.split()[0]
    assert ban == f"{player_id}  for good  by olga: cheating"
    assert lines(run(lobby, tmp_path, "unban", player_id, "--reason", "a mistake"))
    assert lines(run(lobby, tmp_path, "bans")) == []
    assert sign_in(lobby, "Ann", PASSWORD).token
    assert lines(run(lobby, tmp_path, "end-sessions", "Ann", "--reason", "lost")) == [
        "Ann: all sessions ended"
    ]
    until = lines(run(lobby, tmp_path, "ban", "Ann", "--reason", "again", "--days", "2"))
    assert until[0].startswith("Ann: banned until 20")
    acts = lines(run(lobby, tmp_path, "acts", "--player", "Ann"))
    assert [each.split("  ")[2].split()[0] for each in acts] == ["ban", "end_sessions", "unban", "ban"]
    assert acts[-1].endswith(f"olga  ban {player_id} for good: cheating")
    assert len(lines(run(lobby, tmp_path, "acts", "--act", "unban"))) == 1
    assert len(lines(run(lobby, tmp_path, "acts", "--most", "2"))) == 2


def test_tokens_for_programs(lobby: str, tmp_path: Path) -> None:
    """A player makes, lists and takes back own tokens; an operator sees them and takes one back with a reason."""
    mine = tmp_path / "session"
    mine.write_text(sign_in(lobby, "Ann", PASSWORD).token + "\n")

    def own(*arguments: str) -> Result:
        command = ["api-tokens", *arguments, "--lobby", lobby, "--token-file", str(mine)]
        return CliRunner().invoke(app, command)

    made = {
        label: lines(own("make", "game:read", "bot:play", "--label", label))[-1] for label in ("a b", "c")
    }
    second, first = (each.split("  ") for each in lines(own("list")))
    assert [second[4], first[4]] == ["c", "a b"] and first[3] == "game:read,bot:play"
    assert first[2] == f"...{made['a b'][-4:]}" and first[1].startswith("until 20")
    assert lines(own("revoke", first[0])) == [f"{first[0]}: taken back"]
    assert len(lines(own("list"))) == 1
    assert lines(run(lobby, tmp_path, "tokens", "Ann")) == lines(own("list"))
    refused = run(lobby, tmp_path, "revoke-token", "Ann", "none", "--reason", "leaked")
    assert refused.exit_code == 2 and "API_TOKEN_UNKNOWN" in refused.stderr
    assert lines(run(lobby, tmp_path, "revoke-token", "Ann", second[0], "--reason", "leaked"))
    assert lines(own("list")) == []
    (act,) = lines(run(lobby, tmp_path, "acts", "--act", "revoke_token"))
    assert act.endswith(": leaked")
    unknown = own("make", "game:see")
    assert unknown.exit_code == 2 and "game:see" in unknown.stderr


def test_what_is_refused_is_said(lobby: str, tmp_path: Path) -> None:
    """An unknown player, a player who is not banned, and a caller who is no operator."""
    for arguments, kind, why in (
        (("ban", "Nobody", "--reason", "r"), "operator", "ACCOUNT_UNKNOWN"),
        (("unban", "Ann", "--reason", "r"), "operator", "PLAYER_NOT_BANNED"),
        (("acts",), "service", "only operators may do this"),
    ):
        refused = run(lobby, tmp_path, *arguments, kind=kind)
        assert refused.exit_code == 2 and why in refused.stderr
