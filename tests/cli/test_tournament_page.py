"""The commands of docs/tournaments.md, in their order, on an embedded host: from the first charter to the final standings."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from services.cli.main import app
from services.host.embedded import EmbeddedHost
from tests.hosting import hosting

pytestmark = pytest.mark.integration

RUNNER = CliRunner()
LOGGED = re.compile(r"\d{4}-\d\d-\d\d \d\d:")
TEXT = Path("docs/tournaments.md").absolute().read_text(encoding="utf-8")
DIRECTING = TEXT[TEXT.index("## Directing an event") : TEXT.index("### When something goes wrong")]
SET_UP, ROUND, STAGE_END = re.findall(r"```sh\n(.*?)```", DIRECTING, re.DOTALL)
PASSWORD = "correct horse"
PLAYERS = ("Ann", "Bob", "Cy", "Dan")
# These read the log itself, or nothing at all.
WITHOUT_SERVER = ("charter", "check", "export")


class Director:
    """Runs the lines of the page in a folder of its own, whose file with the token is Dora's."""

    def __init__(self, host: EmbeddedHost) -> None:
        self.lobby = host.addresses.lobby
        self.placeholders = {"FOLDER": "files"}

    def run(self, line: str, *more: str, code: int = 0) -> str:
        """What a command of the page prints, or writes behind `>`; placeholders stand for what was printed before."""
        arguments = [self.placeholders.get(each, each) for each in shlex.split(line, comments=True)]
        assert arguments.pop(0) == "signalbox"
        target = arguments[arguments.index(">") + 1] if ">" in arguments else ""
        arguments = [*arguments[: arguments.index(">")], *more] if target else [*arguments, *more]
        if arguments[1] not in WITHOUT_SERVER:
            arguments += ["--server", self.lobby]
        result = RUNNER.invoke(app, arguments, input=f"{PASSWORD}\n{PASSWORD}\n")
        assert result.exit_code == code, f"{line}: {result.output}{result.stderr}"
        if target:
            Path(target).write_text(result.stdout, encoding="utf-8")
        # The host logs to the same output.
        return "\n".join(each for each in result.stdout.splitlines() if not LOGGED.match(each))

    def set_up(self) -> None:
        """The first lines; each player signs in before entering, with a token file of their own."""
        for line in SET_UP.splitlines():
            if " enter " in line:
                for name in PLAYERS:
                    own = ("--token-file", name)
                    self.run(f"signalbox tournament sign-in {name} --register", *own)
                    self.run(line, *own)
                continue
            printed = self.run(line)
            if " create " in line:
                self.placeholders["EVENT"] = printed.split()[0]

    def play_round(self, is_final: bool) -> None:
        """The lines of a round, whose game ends by the worths that the director names, as the page has it."""
        for line in ROUND.splitlines():
            if " override " in line:
                # Who wants to exchange players names all tables.
                continue
            printed = self.run(line)
            if " propose " in line:
                self.placeholders["ROUND"] = printed.split()[0]
            if " publish " in line:
                self.end_game(is_final)

    def end_game(self, is_final: bool) -> None:
        worths = " ".join(f"--worth {name}={4000 - 100 * place}" for place, name in enumerate(PLAYERS))
        self.run(f"signalbox tournament adjudicate ROUND 1 award {worths} --reason 'the hall closes'")
        if is_final:
            self.run("signalbox tournament confirm-adjudication ROUND 1 1", "--token-file", "Dominik")


@pytest.fixture
def director(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Director]:
    """In a folder with nothing but the host's files."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIGNALBOX_DATABASE", str(tmp_path / "signalbox.db"))
    with hosting(tmp_path) as host:
        yield Director(host)


def test_the_page_leads_from_a_charter_to_the_final_ranking(director: Director) -> None:
    """Three rounds and a final; the files and the checks of the page agree with the event."""
    director.set_up()
    second = director.run(
        "signalbox tournament sign-in Dominik --register", "--token-file", "Dominik"
    ).split()[-1]
    director.run(f"signalbox tournament role EVENT {second} director")
    for _ in range(3):
        director.play_round(is_final=False)
    finish, start, *after = STAGE_END.splitlines()
    director.run(finish)
    director.run(start)
    director.play_round(is_final=True)
    director.run(finish)
    check, export, show = after
    assert "1. Ann" in director.run(check)
    director.run(export)
    assert {each.suffix for each in Path("files").iterdir()} >= {".json", ".ics"}
    shown = director.run(show)
    assert "final ranking" in shown.lower()
