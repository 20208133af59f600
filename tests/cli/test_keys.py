"""`signalbox keys` and `signalbox token`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from services.cli.main import app
from services.common.auth.token_keys import KeyFolder, SingleKey
from services.common.auth.tokens import Principal, TokenVerifier, load_or_create_signing_key
from services.common.clock import SystemClock


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of keys that the environment names; not made yet."""
    monkeypatch.setenv("SIGNALBOX_TOKEN_KEYS", str(tmp_path / "keys"))
    return tmp_path / "keys"


def run(*arguments: str, code: int = 0) -> str:
    """What the command says; its exit code is checked."""
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == code, result.output
    return result.output.strip()


def test_keys_come_sign_and_go(folder: Path) -> None:
    """Of two new keys the first signs; retired it verifies, entirely retired it is gone."""
    first = run("keys", "new")
    second = run("keys", "new")
    listed = {line.split()[0]: line.split("  ")[-1] for line in run("keys", "list").splitlines()}
    assert sorted(listed) == sorted((first, second))
    assert sorted(listed.values()) == ["can sign", "signs"]
    signing = next(key_id for key_id, role in listed.items() if role == "signs")
    run("keys", "retire", signing)
    assert f"{signing}  " in run("keys", "list")
    assert "verifies" in run("keys", "list")
    run("keys", "retire", signing, "--entirely")
    assert signing not in run("keys", "list")


def test_the_public_keys_are_printed_as_a_key_set(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the folder, and of the single key, which has no id."""
    made = {run("keys", "new"), run("keys", "new")}
    printed = run("keys", "jwks")
    assert {entry["kid"] for entry in json.loads(printed)["keys"]} == made
    assert printed == (folder / "jwks.json").read_text().strip()
    monkeypatch.delenv("SIGNALBOX_TOKEN_KEYS")
    monkeypatch.setenv("SIGNALBOX_SIGNING_KEY", str(tmp_path / "key.pem"))
    (entry,) = json.loads(run("keys", "jwks"))["keys"]
    assert "kid" not in entry
    assert "d" not in entry


def test_the_key_of_before_is_adopted(folder: Path, tmp_path: Path) -> None:
    """Its tokens stay good."""
    load_or_create_signing_key(tmp_path / "old.pem")
    run("keys", "new", "--adopt", str(tmp_path / "old.pem"))
    assert run("keys", "list").endswith("1970-01-01 00:00:00+00:00  signs")


def test_tokens_for_services_and_operators(folder: Path) -> None:
    """The printed token proves what was asked for."""
    run("keys", "new")
    clock = SystemClock()
    verifier = TokenVerifier(KeyFolder(folder, clock), clock)
    assert verifier.verify(run("token", "--service", "ledger")) == Principal(
        "service:ledger", "ledger", "service"
    )
    assert verifier.verify(run("token", "--operator", "ann", "--days", "1")) == Principal(
        "operator:ann", "ann", "operator"
    )


def test_tokens_by_the_single_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a folder the key of the embedded host signs."""
    monkeypatch.delenv("SIGNALBOX_TOKEN_KEYS", raising=False)
    monkeypatch.setenv("SIGNALBOX_SIGNING_KEY", str(tmp_path / "key.pem"))
    key = SingleKey(load_or_create_signing_key(tmp_path / "key.pem"))
    token = run("token", "--service", "ledger")
    assert TokenVerifier(key, SystemClock()).verify(token).kind == "service"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("keys", "list"), "No such file or directory"),
        (("keys", "retire", "x"), "No such file or directory"),
        (("keys", "new", "--adopt", "/no/key"), "signing key /no/key: No such file"),
        (("token",), "one of --service and --operator is needed"),
        (("token", "--service", "a", "--operator", "b"), "one of --service and --operator is needed"),
        (("token", "--service", "A B"), "'A B' is no name"),
        (("token", "--service", "ledger"), "No such file or directory"),
    ],
)
def test_what_is_wrong_is_named(folder: Path, arguments: tuple[str, ...], message: str) -> None:
    """Exit 1 with one line that says what."""
    said = run(*arguments, code=1)
    assert said.startswith(f"signalbox {arguments[0]}")
    assert message in said


def test_keys_need_a_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the variable the commands say its name."""
    monkeypatch.delenv("SIGNALBOX_TOKEN_KEYS", raising=False)
    assert "SIGNALBOX_TOKEN_KEYS: is needed" in run("keys", "list", code=1)
