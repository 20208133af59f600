"""`signalbox import --into` and `signalbox export`: games move from file to host, from host to file, and back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from services.cli.main import app
from services.client import play_game
from services.client.games import Games
from services.client.lobby import register, sign_in
from services.common.auth.token_keys import SingleKey, read_private_key
from services.common.auth.tokens import Principal, TokenIssuer
from services.common.clock import SystemClock
from services.host.embedded import EmbeddedHost
from tests.hosting import NAMES, PASSWORD, Seated, hosting, new_name, seat
from tests.integration.test_whole_games import assert_books_agree, players_of, turns
from tests.recorded.documents import act, document, encoded, load_document

ACTIONS = (act(1, "pass", 13), act(2, "pass", 12), act(3, "buy_company", 11, company="EPP", price=120))
CUTS = (20, 55, 90)


@pytest.fixture
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[EmbeddedHost]:
    """A host, with the settings of an operator beside it and his token in `operator.token`."""
    monkeypatch.setenv("SIGNALBOX_DATABASE", str(tmp_path / "signalbox.db"))
    monkeypatch.setenv("SIGNALBOX_SIGNING_KEY", str(tmp_path / "key.pem"))
    with hosting(tmp_path) as running:
        keys = SingleKey(read_private_key(tmp_path / "key.pem"))
        issued = TokenIssuer(keys, 600, SystemClock()).issue(Principal("operator:ann", "ann", "operator"))
        (tmp_path / "operator.token").write_text(issued.token + "\n")
        yield running


def accounts(host: EmbeddedHost, count: int) -> dict[str, str]:
    """Tokens of new accounts, by name."""
    names = [new_name(name) for name in NAMES[:count]]
    for name in names:
        register(host.addresses.lobby, name, PASSWORD)
    return {name: sign_in(host.addresses.lobby, name, PASSWORD).token for name in names}


def run_import(
    host: EmbeddedHost, folder: Path, file: Path, seats: dict[str, str] | None, *more: str
) -> Result:
    """The command."""
    arguments = [
        "import",
        str(file),
        "--into",
        host.addresses.lobby,
        "--token-file",
        str(folder / "operator.token"),
    ]
    if seats is not None:
        (folder / "seats.json").write_text(json.dumps(seats))
        arguments += ["--seats", str(folder / "seats.json")]
    return CliRunner().invoke(app, [*arguments, *more])


def game_of(found: Result) -> str:
    """The id of the game in what the command printed."""
    assert found.exit_code == 0, found.stderr
    return found.stdout.split()[3]


def test_a_file_goes_on_and_out_and_in(host: EmbeddedHost, tmp_path: Path) -> None:
    """The command may be repeated; what it made can be played, exported and imported again under other names."""
    tokens = accounts(host, 3)
    file = tmp_path / "game.json"
    file.write_bytes(encoded(document(*ACTIONS, result={})))
    seats = dict(zip(("11", "B", "13"), tokens, strict=True))
    found = run_import(host, tmp_path, file, seats, "--undo", "free", "--turn-seconds", "60")
    game = game_of(found)
    assert (
        run_import(host, tmp_path, file, seats, "--undo", "free", "--turn-seconds", "60").stdout
        == found.stdout
    )
    games = Games(host.addresses.rules, next(iter(tokens.values())))
    view = games.game(game)
    assert view.undo_policy and list(view.players)
    export = tmp_path / "game.jsonl"
    arguments = ["export", game, "-o", str(export)]
    assert CliRunner().invoke(app, arguments).exit_code == 0
    content = export.read_bytes()
    served = [*arguments, "--server", host.addresses.rules, "--token-file", str(tmp_path / "operator.token")]
    assert CliRunner().invoke(app, served).exit_code == 0 and export.read_bytes() == content
    same = game_of(run_import(host, tmp_path, export, None))
    ids = next(
        line["event"]["players"]
        for line in map(json.loads, content.splitlines())
        if line.get("type") == "game_created"
    )
    others = accounts(host, 3)
    moved = game_of(run_import(host, tmp_path, export, dict(zip(ids, others, strict=True))))
    assert len({game, same, moved}) == 3
    last = games.game(game).sequence
    assert [games.game(each).sequence for each in (same, moved)] == [last, last]


def test_a_running_game_without_trains_goes_on_to_its_end(host: EmbeddedHost, tmp_path: Path) -> None:
    """A title that is played over links moves as the others do: out of a running game, in again, and on until it is over."""
    seated = seat(host, "rotw", 2, options=("small_map",))
    *_, reached = islice(turns(players_of(seated, host, "sensible"), seated.game_id), 60)
    export = tmp_path / "game.jsonl"
    assert CliRunner().invoke(app, ["export", seated.game_id, "-o", str(export)]).exit_code == 0
    moved = Seated(game_of(run_import(host, tmp_path, export, None)), seated.seats, seated.tokens)
    assert not seated.games(host, 0).game(seated.game_id).finished
    assert_books_agree(host, moved, reached)
    final = play_game(players_of(moved, host, "sensible"), moved.game_id)
    assert final.finished and len(final.scores) == 2
    assert_books_agree(host, moved, final.sequence)


@pytest.mark.parametrize("name", ["1824/p3-s121", "1862/p2-s215", "1824Cisleithania/p2-s102"])
def test_recorded_games_cut_at_several_actions_go_on(
    host: EmbeddedHost, shared: Path, tmp_path: Path, name: str
) -> None:
    """Bots make further moves by the normal API after each cut."""
    data = load_document(shared, name)
    tokens = accounts(host, len(data["players"]))
    seats = {str(each["id"]): account for each, account in zip(data["players"], tokens, strict=True)}
    for percent in CUTS:
        file = tmp_path / f"{percent}.json"
        actions = data["actions"][: len(data["actions"]) * percent // 100]
        file.write_bytes(encoded(data | {"actions": actions}))
        game = game_of(run_import(host, tmp_path, file, seats))
        view = Games(host.addresses.rules, next(iter(tokens.values()))).game(game)
        by_seat = dict(zip((player.player for player in view.players), tokens.values(), strict=True))
        seated = Seated(game, tuple(by_seat), by_seat)
        assert len([*islice(turns(players_of(seated, host, "sensible"), game), 10)]) > 0


def test_refusals_name_the_action_and_make_nothing(host: EmbeddedHost, tmp_path: Path) -> None:
    """Exit 1 with code and action, for a file of either kind; exit 2 where the lobby cannot be asked."""
    tokens = accounts(host, 3)
    seats = dict(zip(("11", "12", "13"), tokens, strict=True))
    file = tmp_path / "game.json"
    file.write_bytes(encoded(document(*ACTIONS, act(9, "pass", 12), result={})))
    found = run_import(host, tmp_path, file, seats)
    assert found.exit_code == 1 and "not_your_turn: action 4 (id 9, pass, player 12)" in found.stderr
    file.write_bytes(encoded(document(*ACTIONS, result={})))
    found = run_import(host, tmp_path, file, seats | {"13": "Nobody at all"})
    assert found.exit_code == 1 and "account_unknown" in found.stderr
    assert run_import(host, tmp_path, file, {"11": next(iter(tokens))}).exit_code == 1
    file.write_bytes(b"[" * 100_000)
    found = run_import(host, tmp_path, file, seats)
    assert found.exit_code == 1 and "not_a_game" in found.stderr
    (tmp_path / "operator.token").write_text(next(iter(tokens.values())))
    found = run_import(host, tmp_path, file, seats)
    assert found.exit_code == 2 and "PERMISSION_DENIED" in found.stderr
    (tmp_path / "seats.json").write_text("[]")
    unusable = ["import", str(file), "--into", host.addresses.lobby, "--seats", str(tmp_path / "seats.json")]
    assert CliRunner().invoke(app, unusable).exit_code == 2
    assert CliRunner().invoke(app, ["import", str(file), "--into", host.addresses.lobby]).exit_code == 2
    assert not host.rules.reader._log.streams("game/")


def test_an_export_without_a_key_says_that_it_is_not_signed(
    host: EmbeddedHost, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It can be read by people, and the lobby refuses it; no key is made."""
    seated = seat(host, "1824", 3)
    monkeypatch.setenv("SIGNALBOX_SIGNING_KEY", str(tmp_path / "none.pem"))
    export = tmp_path / "game.jsonl"
    found = CliRunner().invoke(app, ["export", seated.game_id, "-o", str(export)])
    assert found.exit_code == 0 and "cannot be imported" in found.stderr
    assert not (tmp_path / "none.pem").exists()
    found = run_import(host, tmp_path, export, None)
    assert found.exit_code == 1 and "not_signed" in found.stderr
