"""Forms and addresses that no page of ours makes, and games before their first round."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.events import Person
from tests.web.serving import RULES, Web, as_player, game_of, web_serving

pytestmark = pytest.mark.integration

TOO_MANY_DIGITS = "9" * 20
LARGE = {"for the method": "x" * 20_000, "for all methods": "x" * 300_000}


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    """A host."""
    with web_serving(tmp_path_factory.mktemp("hostile")) as running:
        yield running


@pytest.fixture(scope="module")
def ann(web: Web) -> Person:
    """Somebody who plays."""
    return Person(web, "Ann")


@pytest.fixture(scope="module")
def game(web: Web, ann: Person) -> str:
    """The address of a game of Railways of the World."""
    return f"/games/{game_of(web, [ann.token, Person(web, 'Ben').token], 'rotw').game}"


@pytest.mark.parametrize("given", [TOO_MANY_DIGITS, "9" * 5_000, "-1", "1_0", "", "x"])
def test_a_sequence_that_is_none_is_refused_by_name(ann: Person, game: str, given: str) -> None:
    """Whichever form it comes with."""
    forms = {
        "act": {"sequence": given, "command": '{"passTurn": {}}'},
        "run": {"sequence": given, "company": "RED"},
        "value": {"sequence": given, "company": "RED"},
        "undo": {"sequence": "1", "to_sequence": given},
    }
    for path, form in forms.items():
        answer = ann.send(f"{game}/{path}", **form)
        name = "to_sequence" if path == "undo" else "sequence"
        assert (answer.status, f"{name}: is no sequence".encode() in answer.body) == (400, True), answer.body
    streamed = ann.get(f"{game}/live?after={given or 'x'}")
    assert (streamed.status, streamed.body["detail"]) == (400, "after: is no sequence")


def test_a_page_that_is_too_old_says_so(ann: Person, game: str) -> None:
    """In words of players; programs get the numbers."""
    refused = ann.send(f"{game}/act", sequence="1", command='{"passTurn": {}}')
    assert (refused.status, b"The game has gone on since this page was shown" in refused.body) == (409, True)
    asked = {"gameId": game.rpartition("/")[2], "requestId": "old", "expectedSequence": 1}
    answered = as_player(ann.web, ann.token, "Execute", RULES, **asked, command={"passTurn": {}})
    assert "the request expects 1" in answered.body["detail"]


@pytest.mark.parametrize("name", LARGE.values(), ids=LARGE)
def test_what_is_too_large_is_not_said_to_be_too_often(ann: Person, name: str) -> None:
    """On a page and for programs: nobody sends it again."""
    assert ann.send("/sign-in", name=name, password="x").status == 413
    asked = {"name": name, "password": "secret secret"}
    refused = ann.web.ask("POST", "/api/signalbox.lobby.v1.LobbyService/LogIn", asked)
    assert (refused.status, refused.body["reason"]) == (413, "request_too_large")
    assert "Retry-After" not in refused.headers


def test_the_history_begins_before_the_first_round(ann: Person, game: str) -> None:
    """Each sequence has a page; the map is there from the first round on. What has changed since then can be seen too."""
    first = ann.page(f"{game}?at=1")
    assert "is still being set up" in first and "<svg" not in first
    now = ann.page(game)
    assert "is still being set up" not in now and "<svg" in now
    assert "What changed between moves 1 and" in ann.page(f"{game}/between")


def test_services_that_nobody_called_yet_can_be_reached(tmp_path: Path) -> None:
    """The first question about health makes the connections that there are none of."""
    with web_serving(tmp_path) as web:
        assert web.ask("GET", "/health").body == {"status": "SERVING", "unreached": []}
