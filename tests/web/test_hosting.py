"""Pages of hosts and guests of a table, with three persons."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.web.events import Person
from tests.web.serving import Web, as_player, game_of, web_serving

pytestmark = pytest.mark.integration
LINK = re.compile(r"http://[^/]+(/tables/[^/]+/join)\?link=([0-9a-f]+)")


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    """A host."""
    with web_serving(tmp_path_factory.mktemp("hosting")) as running:
        yield running


@pytest.fixture(scope="module")
def people(web: Web) -> list[Person]:
    """Three."""
    return [Person(web, name) for name in ("Ann", "Ben", "Cem")]


def opened(web: Web, owner: Person, request_id: str) -> str:
    """The page of a table for those who are invited."""
    chosen: Any = {"title": "1824", "playerCount": 2, "visibility": "TABLE_VISIBILITY_INVITED"}
    answer = as_player(web, owner.token, "CreateTable", requestId=request_id, **chosen)
    return f"/tables/{answer.body['table']['tableId']}"


def test_guests_come_and_go(web: Web, people: list[Person]) -> None:
    """By name, by a link, and not any more."""
    ann, ben, cem = people
    table = opened(web, ann, "o1")
    assert ben.get(table).status == 404
    refused = ann.send(f"{table}/invite", player_name="Nobody", which="invite")
    assert b"ACCOUNT_UNKNOWN" in refused.body and b'id="refused"' in refused.body
    ann.done(f"{table}/invite", player_name="ben")
    ben.done(f"{table}/join")
    assert cem.get(table).status == 404
    ann.done(f"{table}/remove", player_id=ben.player_id)
    assert ben.get(table).status == 404
    made = LINK.search(ann.send(f"{table}/link").body.decode())
    assert made and made[2] not in ann.page(table)
    assert 'name="link"' in cem.page(f"{made[1]}?link={made[2]}")
    cem.done(made[1], link=made[2])
    assert "Cem" in ann.page(table)


def test_a_game_ends_by_agreement_and_is_played_again(web: Web, people: list[Person]) -> None:
    """Once both agree; the rematch is another table."""
    ann, ben, _ = people
    table = f"/tables/{game_of(web, [ann.token, ben.token], options=['cisleithania']).table}"
    ann.done(f"{table}/agree", does_agree="1")
    ben.done(f"{table}/agree", does_agree="1")
    assert "Rematch" in ann.page(table)
    again = ann.done(f"{table}/rematch")
    assert again != table and ben.done(f"{table}/rematch") == again
