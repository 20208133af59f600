"""Pages of owners and guests of a table, with three persons."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from tests.web.events import FORM, Person
from tests.web.serving import Web, as_player, game_of, until, web_serving

pytestmark = pytest.mark.integration
LINK = re.compile(r"(https?)://([^/]+)(/tables/[^/]+/join)\?link=([0-9a-f]+)")
SEAT = re.compile(r'<select id="grant.seat".*?<option value="([^"]+)"', re.DOTALL)
CISLEITHANIA: dict[str, Any] = {"title": "1824", "playerCount": 2, "options": ["cisleithania"]}


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
    chosen: Any = {**CISLEITHANIA, "visibility": "TABLE_VISIBILITY_INVITED"}
    answer = as_player(web, owner.token, "CreateTable", requestId=request_id, **chosen)
    assert answer.status == 200, answer.body
    return f"/tables/{answer.body['table']['tableId']}"


def linked(owner: Person, table: str) -> tuple[str, str]:
    """The address and the token of a new link."""
    found = LINK.search(owner.send(f"{table}/link").body.decode())
    assert found is not None
    return found[3], found[4]


def test_guests_come_and_go(web: Web, people: list[Person]) -> None:
    """By name, by a link, and not any more."""
    ann, ben, cem = people
    table = opened(web, ann, "o1")
    assert ben.get(table).status == 404
    refused = ann.send(f"{table}/invite", player_name="Nobody", which="invite")
    assert refused.status == 422
    assert (
        b"ACCOUNT_UNKNOWN" in refused.body
        and b'id="refused"' in refused.body
        and b'value="Nobody"' in refused.body
    )
    ann.done(f"{table}/invite", player_name="ben")
    assert "Withdraw the invitation of Ben" in ann.page(table)
    ann.done(f"{table}/withdraw", player_id=ben.player_id)
    assert ben.get(table).status == 404
    ann.done(f"{table}/invite", player_name="ben")
    ben.done(f"{table}/join")
    assert cem.get(table).status == 404
    ann.done(f"{table}/remove", player_id=ben.player_id)
    assert ben.get(table).status == 404
    page, link = linked(ann, table)
    assert link not in ann.page(table)
    assert 'name="link"' in cem.page(f"{page}?link={link}")
    cem.done(page, link=link)
    assert "Cem" in ann.page(table)


def test_a_link_leads_a_new_player_to_the_table(web: Web, people: list[Person]) -> None:
    """Through the pages to register and to sign in, and again where the session has ended."""
    table = opened(web, people[0], "o2")
    page, link = linked(people[0], table)
    address = f"{page}?link={link}"
    encoded = address.replace("?", "%3F").replace("=", "%3D")
    assert f"/sign-in?next={encoded}" in web.ask("GET", address).body.decode()
    sign_in = web.ask("GET", f"/sign-in?next={encoded}").body.decode()
    assert f'name="next" value="{address}"' in sign_in and f"/register?next={encoded}" in sign_in
    assert f'name="next" value="{address}"' in web.ask("GET", f"/register?next={encoded}").body.decode()
    gone = Person(web, "Dan")
    gone.done("/sign-out")
    assert gone.get(address).headers["location"] == f"/sign-in?next={encoded}"


def test_the_link_is_as_safe_as_the_page(web: Web, people: list[Person]) -> None:
    """A proxy that ended TLS says so; the address is that of the page."""
    ann = people[0]
    table = opened(web, ann, "o3")
    body = f"csrf={ann.csrf}&request_id=l1".encode()
    answer = web.ask(
        "POST",
        f"{table}/link",
        body,
        Content_Type=FORM,
        Cookie=ann.cookie,
        X_Forwarded_Proto="https",
        Host="play.example",
    )
    found = LINK.search(answer.body.decode())
    assert found is not None and found.groups()[:2] == ("https", "play.example")


def test_nobody_hosts_the_table_of_somebody_else(web: Web, people: list[Person]) -> None:
    """A hidden one is not there; of one that is seen nothing is offered, and what is sent all the same is refused."""
    ann, ben, _ = people
    hidden = opened(web, ann, "o4")
    made = as_player(web, ann.token, "CreateTable", requestId="o5", **CISLEITHANIA).body["table"]
    seen = f"/tables/{made['tableId']}"
    asked = {"invite": {"player_name": "Cem"}, "link": {}, "remove": {"player_id": ann.player_id}}
    asked |= {"withdraw": {"player_id": ann.player_id}}
    for action, fields in asked.items():
        assert ben.send(f"{hidden}/{action}", **fields).status == 404
        refused = ben.send(f"{seen}/{action}", **fields)
        assert refused.status == 422 and b"NOT_OWNER" in refused.body
        assert f"{seen}/{action}" not in ben.page(seen)
        assert web.ask("POST", f"{seen}/{action}", b"", Content_Type=FORM).status == 303
    assert "Ann" in ann.page(seen)
    joined = ben.send(f"{hidden}/join", link="0" * 32)
    assert joined.status in (404, 422) and b"1824" not in joined.body
    assert ben.get(f"{hidden}/wrong").status == 405
    assert ben.send(f"{seen}/wrong").status == 404


def test_what_is_sent_twice_is_done_once(web: Web, people: list[Person]) -> None:
    """The same form gets the same answer: an invitation, and a link, which stays the one that holds."""
    ann, _, cem = people
    table = opened(web, ann, "o6")
    for _ in range(2):
        ann.done(f"{table}/invite", player_name="Ben", request_id="twice")
    assert ann.page(table).count("Withdraw the invitation of Ben") == 1
    links = {ann.send(f"{table}/link", request_id="again").body.decode() for _ in range(2)}
    tokens = {found[4] for each in links if (found := LINK.search(each)) is not None}
    assert len(tokens) == 1
    cem.done(f"{table}/join", link=tokens.pop())
    assert "Cem" in cem.page(table)


def test_what_is_too_large_is_refused(web: Web, people: list[Person]) -> None:
    """With the reason; a body without end is not read to its end."""
    ann = people[0]
    table = opened(web, ann, "o7")
    refused = ann.send(f"{table}/invite", player_name="n" * 5_000, which="invite")
    assert 400 <= refused.status < 500
    assert ann.send(f"{table}/invite", player_name="n" * 2_000_000).status == 413
    assert ann.send(f"{table}/link", request_id="r" * 500).status == 400


def test_a_game_ends_by_agreement_and_is_played_again(web: Web, people: list[Person]) -> None:
    """Once both agree; agreement may be taken back before. The rematch is another table."""
    ann, ben, cem = people
    table = f"/tables/{game_of(web, [ann.token, ben.token], options=['cisleithania']).table}"
    assert "Agree to end" not in cem.page(table)
    ann.done(f"{table}/agree", does_agree="1")
    assert "Agreed: Ann." in ben.page(table)
    ann.done(f"{table}/agree", does_agree="0")
    assert "Agreed:" not in ben.page(table)
    refused = cem.send(f"{table}/agree", does_agree="1")
    assert refused.status == 422 and b"NOT_SEATED" in refused.body
    ann.done(f"{table}/agree", does_agree="1")
    ben.done(f"{table}/agree", does_agree="1")
    assert until(lambda: int("Rematch" in ann.page(table)), 1)
    again = ann.done(f"{table}/rematch")
    assert again != table and ben.done(f"{table}/rematch") == again
    assert cem.send(f"{table}/rematch").status == 422


def test_a_director_grants_time(web: Web, people: list[Person]) -> None:
    """To a seat, with a reason; nobody else may."""
    ann, ben, _ = people
    made = game_of(
        web, [ann.token, ben.token], options=["cisleithania"], ownerDirects=True, clock='{"bank": 3600}'
    )
    table = f"/tables/{made.table}"
    (seat,) = SEAT.findall(ann.page(table))
    refused = ann.send(f"{table}/grant", seat=seat, minutes="x", reason="ill", which="grant")
    assert refused.status == 400 and b"is no whole number" in refused.body and b'value="ill"' in refused.body
    ann.done(f"{table}/grant", seat=seat, minutes="90", reason="ill")
    assert "2 h 30" in ann.page(table) or "2 h 29" in ann.page(table)
    assert "grant.seat" not in ben.page(table)
    assert ben.send(f"{table}/grant", seat=seat, minutes="90", reason="me").status in (403, 422)


def game_links(person: Person, table: str) -> int:
    """How many there are on the page of a table: one once its game has begun."""
    return person.page(table).count('href="/games/g')


def test_a_stranger_offers_to_take_a_seat(web: Web, people: list[Person]) -> None:
    """And takes the offer back. Players of the game are not asked, and nobody is where nobody directs."""
    ann, ben, cem = people
    for number, directs in enumerate((True, False)):
        chosen = {**CISLEITHANIA, "ownerDirects": directs}
        made = as_player(web, ann.token, "CreateTable", requestId=f"offers-{number}", **chosen).body["table"]
        table = f"/tables/{made['tableId']}"
        ben.done(f"{table}/join")
        assert "/offer" not in cem.page(table)
        ann.done(f"{table}/start")
        assert until(partial(game_links, cem, table), 1)
        assert "/offer" not in ben.page(table) and "/offer" not in web.ask("GET", table).body.decode()
        assert (f'action="{table}/offer' in cem.page(table)) is directs
        if directs:
            cem.done(f"{table}/offer")
            assert all("offer to take a seat: Cem" in each.page(table) for each in people)
            assert "/offer" not in cem.page(table)
            cem.done(f"{table}/leave")
            assert "offer to take a seat: Cem" not in cem.page(table)
            assert cem.send(f"{table}/leave", which="leave").status == 422
