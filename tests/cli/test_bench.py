"""`signalbox bench`: its options, its errors, and the model of what is shipped."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner, Result

from services.bench.measured import as_json, read_measurements
from services.bench.opening import NotOpened, tokens_in
from services.cli.bench import MEASURED_HERE
from services.cli.main import app
from tests.sizing.made_up import ALL


def run(*arguments: str) -> Result:
    """The command with these arguments."""
    return CliRunner().invoke(app, ["bench", *arguments])


@pytest.mark.parametrize("option", ["rules", "rules=", "=127.0.0.1:1"])
def test_metrics_have_to_name_a_service(option: str) -> None:
    """A malformed option is refused with its text, before anything is asked of the platform."""
    result = run("cluster", "--metrics", option)
    assert (result.exit_code, f"{option!r} is no SERVICE=HOST:PORT" in result.output) == (2, True)


def test_metrics_that_cannot_be_reached_are_named() -> None:
    """The replica and the reason, before players register: nothing answers at the lobby of this test either."""
    result = run("cluster", "--lobby", "127.0.0.1:1", "--metrics", "rules=127.0.0.1:1")
    assert result.exit_code == 2
    assert "metrics of rules at http://127.0.0.1:1/metrics" in result.output


def test_what_is_no_token_is_refused(tmp_path: Path) -> None:
    """The file is named."""
    path = tmp_path / "tokens"
    with pytest.raises(NotOpened, match="tokens: "):
        tokens_in(path)
    for text in ("", "no token", "{}"):
        path.write_text(text)
        with pytest.raises(NotOpened, match="tokens"):
            tokens_in(path)


def test_the_model_shows_terms_residuals_and_figures(tmp_path: Path) -> None:
    """Of measurements in several files, with what each figure rests on."""
    first, second = tmp_path / "1.json", tmp_path / "2.json"
    first.write_bytes(as_json(ALL[:3]))
    second.write_bytes(as_json(ALL[3:]))
    sources = ("--from", str(first), "--from", str(second))
    result = run("model", *sources, "--games", "100000", "--commands-per-second", "5000")
    assert result.exit_code == 0, result.output
    for text in (
        "terms",
        "measured, and what the model says",
        "100,000 games in play, 5,000 commands/s",
        "Mbit/s",
    ):
        assert text in result.output
    printed = run("model", *sources, "--games", "100", "--commands-per-second", "100", "--json")
    figures = msgspec.json.decode(printed.stdout)["figures"]
    assert {each["what"] for each in figures} >= {"replicas of rules", "memory of rules", "partitions"}


def test_whole_copies_that_cannot_carry_it_say_so(tmp_path: Path) -> None:
    """No number of replicas carries 5,000 commands/s where each follows all of them."""
    path = tmp_path / "all.json"
    path.write_bytes(as_json(ALL))
    result = run(
        "model", "--from", str(path), "--games", "10", "--commands-per-second", "5000", "--copies", "0"
    )
    assert (result.exit_code, "let them share it, with --copies" in result.output) == (2, True)


@pytest.mark.parametrize("text", ["", "{}", '[{"title": 1}]', "[]"])
def test_files_without_measurements_are_refused(tmp_path: Path, text: str) -> None:
    """A missing file, another one, and one of no commands."""
    path = tmp_path / "other.json"
    if text:
        path.write_text(text)
    result = run("model", "--from", str(path), "--games", "10", "--commands-per-second", "5")
    assert (result.exit_code, result.output.startswith("signalbox bench model: ")) == (2, True)


def test_what_is_shipped_can_be_fitted() -> None:
    """Without measurements of one's own, those made before release are taken: of several sizes, whole copies and shared ones."""
    found = read_measurements([MEASURED_HERE])
    assert {each.count("rules") for each in found} >= {1, 2, 4, 8}
    result = run("model", "--games", "100000", "--commands-per-second", "5000")
    assert result.exit_code == 0, result.output
