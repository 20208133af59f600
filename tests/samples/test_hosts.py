"""The sample titles through the whole stack over gRPC, on both hosts, and through the tools of the command line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

from services.bots import BOTS
from services.cli.board import board
from services.cli.export_game import export_game
from services.cli.main import app
from services.client import Books, Lobby, Player, play_game
from services.client.player import share_sequence, take_turn
from services.gen.signalbox.ledger.v1 import ledger_pb2
from services.gen.signalbox.lobby.v1 import lobby_service_pb2, table_pb2
from services.gen.signalbox.rules.v1 import game_pb2
from services.rules.adapters.codec import decode_event, stored_body
from services.rules.adapters.view import game_view
from services.rules.kernel.commands import Undo
from services.rules.kernel.fold import replay
from services.rules.titles import TITLES
from tests.hosting import HOSTS, Host, Seated, followed, host_of_kind, hosting, seat

pytestmark = pytest.mark.integration

SAMPLES = ("island", "fair")
COMMANDS_BEFORE_UNDO = 5


@pytest.fixture
def host(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Host]:
    """A host of the kind that the test is given."""
    yield from host_of_kind(request, tmp_path)


def players_of(seated: Seated, host: Host, bot: str = "sensible") -> dict[str, Player]:
    """A bot in every seat."""
    return {
        player_id: Player(player_id, seated.games(host, number), BOTS[bot](number))
        for number, player_id in enumerate(seated.seats)
    }


def take_back(players: dict[str, Player], game_id: str) -> None:
    """Play a little, then the player who is asked takes the last command back; the game is as before it."""
    anybody = next(iter(players.values())).games
    before = after = anybody.game(game_id)
    for _ in range(COMMANDS_BEFORE_UNDO):
        before = after
        accepted = take_turn(players[before.acting_players[0]], game_id)
        assert accepted is not None, "who is asked may do something"
        share_sequence(players, game_id, accepted.last_sequence)
        after = anybody.game(game_id)
    asked = players[after.acting_players[0]].games
    taken_back = asked.execute(game_id, after.sequence, Undo(before.sequence))
    share_sequence(players, game_id, taken_back.last_sequence)
    restored = anybody.game(game_id)
    before.sequence = restored.sequence
    assert restored == before


def check_books(host: Host, seated: Seated, view: game_pb2.GameView) -> None:
    """Statements, net worth and trial balance agree with the rules' view at the end."""
    books, game_id = Books(host.addresses.ledger, seated.tokens[seated.seats[0]]), seated.game_id
    assert followed(host.addresses, lambda: books.audit(game_id).compared_sequence >= view.sequence)
    trial, audit = books.trial_balance(game_id), books.audit(game_id)
    assert trial.balanced and trial.sequence == view.sequence
    assert not audit.differences and not audit.broken_laws and not audit.HasField("hold")
    worth = {each.player: each for each in books.net_worth(game_id).present.players}
    for player in view.players:
        account = ledger_pb2.Account(holder=player.player, unit=ledger_pb2.UNIT_MONEY)
        assert [*books.statement(game_id, account)][-1].balance == player.cash == worth[player.player].cash
        assert worth[player.player].total == player.value


def check_lobby(host: Host, seated: Seated, view: game_pb2.GameView) -> None:
    """The lobby lists the finished game with its results."""
    lobby = Lobby(host.addresses.lobby, seated.tokens[seated.seats[0]])

    def listed() -> list[str]:
        games = lobby.games(lobby_service_pb2.GAME_LISTING_MINE).games
        return [each.status.ending for each in games if each.status.game_id == seated.game_id]

    assert followed(host.addresses, lambda: listed() == [view.ending])


@pytest.mark.parametrize("title", SAMPLES)
@pytest.mark.parametrize("host", HOSTS, indirect=True)
def test_a_whole_game(host: Host, title: str) -> None:
    """Gathered in the lobby, played by bots, one command taken back: log, watcher, view, books and lobby agree at the end."""
    seated = seat(host, title, 2, undo_policy=table_pb2.UNDO_POLICY_FREE)
    players = players_of(seated, host)
    take_back(players, seated.game_id)
    final = play_game(players, seated.game_id)
    games = players[seated.seats[1]].games
    events = list(games.events(seated.game_id))
    assert [event.sequence for event in events] == list(range(1, final.sequence + 1))
    assert list(islice(games.watch(seated.game_id, seconds=300), len(events))) == events
    folded = replay([decode_event(*stored_body(event)) for event in events])
    data = TITLES[title].load(folded.options, folded.rulings)
    assert game_view(seated.game_id, TITLES[title], data, folded) == final
    assert {score.player for score in final.scores} == set(seated.seats)
    check_books(host, seated, final)
    check_lobby(host, seated, final)


@pytest.mark.parametrize("title", SAMPLES)
def test_a_stopped_game_goes_on_is_drawn_and_exported(title: str, tmp_path: Path) -> None:
    """After a restart it comes back from its snapshot; the tools read the same log."""
    with hosting(tmp_path) as host:
        seated = seat(host, title, 2)
        take_turn(
            players_of(seated, host)[seated.games(host, 0).game(seated.game_id).acting_players[0]],
            seated.game_id,
        )
        before = seated.games(host, 0).game(seated.game_id)
    with hosting(tmp_path) as host:
        assert seated.games(host, 0).game(seated.game_id) == before
        final = play_game(players_of(seated, host, "eager"), seated.game_id)
    picture, lines, log = tmp_path / "board.svg", tmp_path / "events.jsonl", tmp_path / "signalbox.db"
    for runs in ("all", "best"):
        assert board(seated.game_id, TITLES, None, picture, runs, log) == 0
        ElementTree.fromstring(picture.read_text())
    assert export_game(seated.game_id, lines, log) == 0
    exported = events_in(lines.read_text())
    assert len(exported) == final.sequence and any(each["type"].startswith(f"{title}.") for each in exported)


def events_in(export: str) -> list[dict[str, Any]]:
    """The events of an export; its last line is the signature."""
    *events, signature = (json.loads(line) for line in export.splitlines())
    assert signature.keys() == {"end"}
    return events


def run_demo(title: str, log: Path) -> list[str]:
    """What `signalbox demo` prints, line by line, when it keeps its log in this file."""
    found = CliRunner().invoke(
        app, ["demo", "--title", title, "--seed", "2", "--bots", "eager", "--database", str(log)]
    )
    assert found.exit_code == 0, found.output
    return found.stdout.splitlines()


@pytest.mark.parametrize("title", SAMPLES)
def test_the_demo_plays_it(title: str, tmp_path: Path) -> None:
    """`signalbox demo --title` plays a listed title to its end with balanced books. Its last lines are commands that
    draw and export the game; the same seed gives the same game."""
    games = []
    for name in ("first.db", "second.db"):
        lines = run_demo(title, tmp_path / name)
        assert any("ledger balanced" in line for line in lines) and "equals the live state" in "".join(lines)
        (board_command, export_command) = (line.removeprefix("signalbox ").split() for line in lines[-2:])
        picture = tmp_path / "board.svg"
        assert CliRunner().invoke(app, [*board_command, "-o", str(picture)]).exit_code == 0
        ElementTree.fromstring(picture.read_text())
        exported = CliRunner().invoke(app, export_command)
        games.append([event["type"] for event in events_in(exported.stdout)])
    assert games[0] == games[1] != []
