"""Recorded games that go on: refused at the exact action, or ready to be played."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from services.common.errors import DeadlineExceeded
from services.rules.adapters.snapshots import state_bytes
from services.rules.importer.dialect import dialect_of
from services.rules.importer.record import ACTIONS_MAX
from services.rules.kernel.decide import acting_players, choices
from services.rules.kernel.fold import replay
from services.rules.moving.opening import CONTENT_MAX, Wanted, unpacked
from services.rules.moving.recorded import open_recorded
from services.rules.moving.refusals import REFUSALS, FileRefused
from services.rules.titles import TITLES
from tests.recorded.documents import OLD_GAME, REPLAYED_GAMES, Json, act, document, encoded, load_document
from tests.rules.moving.files import account, recorded

SEATS = {"11": account(11), "12": account(12), "13": account(13)}
PARTS = 5
NOT_RECORDED = next(name for name, title in TITLES.items() if dialect_of(title) is None)


def refusal(data: Json, seats: dict[str, str] | None = None) -> FileRefused:
    """Why this file is not taken."""
    with pytest.raises(FileRefused) as refused:
        recorded(encoded(data), SEATS if seats is None else seats)
    return refused.value


@pytest.mark.parametrize("name", REPLAYED_GAMES)
def test_games_cut_anywhere_go_on(shared: Path, name: str) -> None:
    """After a fifth, two fifths and so on of the actions somebody of the seats may act; the events fold to that state."""
    data = load_document(shared, name)
    seats = {str(each["id"]): account(number) for number, each in enumerate(data["players"])}
    actions = data["actions"]
    for part in range(1, PARTS):
        cut = data | {"actions": actions[: part * len(actions) // PARTS]}
        opening = recorded(encoded(cut), seats, as_recorded=name == OLD_GAME)
        game, title = opening.game, TITLES[opening.game.title]
        assert game.players == tuple(seats.values()) and game.undo_policy == "own_turn"
        assert state_bytes(replay(opening.events)) == state_bytes(game) and not game.finished
        asked = acting_players(title, title.data_of(game), game)
        assert asked and choices(title, title.data_of(game), game, asked[0])


def test_players_may_be_named(shared: Path) -> None:
    """Seats may be given by the names in the file."""
    opening = recorded(
        encoded(document(act(1, "pass", 13))), {"A": account(1), "12": account(2), "C": account(3)}
    )
    assert opening.game.players == (account(1), account(2), account(3))
    assert (opening.source, opening.game_id, opening.action_count) == ("18xx.games", "7", 1)


@pytest.mark.parametrize(
    ("action", "code", "player"),
    [
        (act(9, "buy_company", 13, company="EPP", price=130), "price_not_offered", "13"),
        (act(9, "pass", 11), "not_your_turn", "11"),
        (act(9, "run_routes", "SD1", routes=[]), "wrong_step", ""),
        (act(9, "pass", "no such company"), "unknown_company", ""),
        (act(9, "payoff_player_debt", 99), "not_a_player", "99"),
    ],
)
def test_a_refused_action_is_named(action: Json, code: str, player: str) -> None:
    """Number, id, kind and player of the action, and the code of the rules."""
    found = refusal(document(act(3, "pass", 13), act(4, "undo", 13), action))
    assert (found.code, found.number, found.action_id, found.kind) == (code, 1, 9, action["type"])
    assert found.player == player or code == "wrong_step"
    assert f"action 1 (id 9, {action['type']}" in str(found)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (document(title="1889"), "unknown_title"),
        (document(title=NOT_RECORDED), "title_not_recorded"),
        (document(title="1862", settings={"optional_rules": ["x"]}), "unknown_option"),
        (document(act(1, "conquer")), "not_a_game"),
        (document(act(1, "redo")), "not_a_game"),
        (document(act(1, "end_game"), result={"11": 1, "12": 820, "13": 820}), "result_differs"),
        ({}, "not_a_game"),
    ],
)
def test_a_file_that_cannot_be_played_is_refused(data: Json, code: str) -> None:
    """The whole file is refused with a code of its own."""
    found = refusal(data)
    assert (found.code, found.number) == (code, 0)


def test_seats_have_to_fit() -> None:
    """A player without account, an account without player, one account for two."""
    assert refusal(document(), {}).code == "seat_missing"
    assert refusal(document(), {"11": account(1)}).player == "12"
    assert refusal(document(), SEATS | {"14": account(4)}).player == "14"
    assert refusal(document(), SEATS | {"13": account(11)}).code == "account_repeated"


def test_large_and_deep_files_are_refused() -> None:
    """Bombs of gzip, of nesting and of many actions end before they cost much."""
    with pytest.raises(FileRefused) as bomb:
        unpacked(gzip.compress(b" " * (CONTENT_MAX + 1)))
    assert bomb.value.code == "too_large"
    with pytest.raises(FileRefused) as damaged:
        unpacked(gzip.compress(b"{}")[:-5])
    assert damaged.value.code == "not_a_game"
    for content in (b"[" * 1_000_000, b'{"title":' * 100_000, b"\xff\xfe", b""):
        with pytest.raises(FileRefused) as refused:
            recorded(content, SEATS)
        assert refused.value.code == "not_a_game"
    many = [act(number, "message", 13) for number in range(1, ACTIONS_MAX + 2)]
    assert refusal(document(*many)).code == "not_a_game"


def test_reading_ends_with_its_call() -> None:
    """A call that nobody waits for any more plays no further."""
    with pytest.raises(DeadlineExceeded):
        open_recorded(encoded(document(act(1, "pass", 13))), Wanted(SEATS), TITLES, lambda: True)


def test_the_page_lists_every_code(repository: Path) -> None:
    """docs/importing.md has the codes with their sentences, and those of the lobby."""
    text = (repository / "docs" / "importing.md").read_text()
    rows: dict[str, Any] = {
        cells[1].strip(" `"): cells[2].strip()
        for cells in (line.split("|") for line in text.splitlines() if line.startswith("| `"))
    }
    assert {code: rows.get(code) for code in REFUSALS} == dict(REFUSALS)
    assert rows.keys() - REFUSALS.keys() == {"seat_repeated", "account_unknown", "not_offered"}


def test_a_document_of_the_tests_is_a_running_game() -> None:
    """What the other tests change is taken as it is."""
    assert recorded(json.dumps(document(act(1, "pass", 13))).encode(), SEATS).action_count == 1
