"""What changed between two moves: who has more or less, and the page with the facts."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from services.gen.signalbox.rules.v1 import game_pb2
from services.web.pages.between import Figure, changes_of
from tests.web.events import Person
from tests.web.serving import RULES, Web, as_player, game_of, web_serving

MOVES = 4
FACT = re.compile(r'<li value="(\d+)">([^<]+)</li>')


def game(cash: int, treasury: int, *held: tuple[str, int]) -> game_pb2.GameView:
    """A game of one player and one company."""
    return game_pb2.GameView(
        players=[game_pb2.PlayerView(player="p1", cash=cash)],
        companies=[game_pb2.CompanyView(company="BK", cash=treasury, debt=treasury)],
        holdings=[game_pb2.Holding(holder=holder, company="BK", shares=shares) for holder, shares in held],
        bank_cash=1_000 - cash - treasury,
    )


def test_owners_are_compared() -> None:
    """Money, debts and shares of all who hold any; who has what he had is left out."""
    before = game(100, 0, ("ipo", 10), ("pool", 2))
    after = game(60, 40, ("ipo", 8), ("p1", 2), ("pool", 2))
    player, company, ipo = changes_of(before, after)
    assert (player.owner, player.cash, player.shares) == ("p1", Figure(100, 60), {"BK": Figure(0, 2)})
    assert (company.owner, company.cash.change, company.debt.change) == ("BK", 40, 40)
    assert (ipo.owner, ipo.shares) == ("ipo", {"BK": Figure(10, 8)})
    assert changes_of(after, after) == []
    broken = changes_of(before, game(100, 50, ("ipo", 10), ("pool", 2)))
    assert [(each.owner, each.cash.change) for each in broken] == [("BK", 50), ("bank", -50)]


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    """A host."""
    with web_serving(tmp_path_factory.mktemp("between")) as running:
        yield running


@pytest.mark.integration
def test_the_page_says_what_happened_in_between(web: Web) -> None:
    """In words, with the names of players, and in figures; turned round, and beyond the end of the game."""
    ann, ben = Person(web, "Ann"), Person(web, "Ben")
    played = game_of(web, [ann.token, ben.token], options=["cisleithania"])
    for _ in range(MOVES):
        token = played.acting(web)
        offered = as_player(web, token, "ListChoices", RULES, gameId=played.game).body
        choice = next(each for each in offered["choices"] if "openField" not in each)
        sent = {"gameId": played.game, "requestId": f"m{offered['sequence']}", "command": choice["command"]}
        done = as_player(web, token, "Execute", RULES, expectedSequence=offered["sequence"], **sent)
        assert done.status == 200, done.body
    last = int(done.body["accepted"]["lastSequence"])
    path = f"/games/{played.game}/between"
    page = ann.page(f"{path}?from={last - 3}&to={last}")
    facts = FACT.findall(page)
    assert facts and all(last - 3 < int(number) <= last for number, _ in facts)
    assert "Ann" in page or "Ben" in page
    assert ann.player_id not in re.sub(r'value="[^"]*"', "", page)
    assert FACT.findall(ann.page(f"{path}?from={last}&to={last - 3}")) == facts
    whole = ann.page(f"{path}?from=1")
    states = [
        as_player(web, ann.token, "GetGame", RULES, gameId=played.game, atSequence=at).body["game"]
        for at in (1, last)
    ]
    for before, after in zip(*(each["players"] for each in states), strict=True):
        first, then = (int(each.get("cash", 0)) for each in (before, after))
        assert (f"{first} &rarr; {then} ({then - first:+d})" in whole) == (first != then)
    assert "Nothing happened" in ann.page(f"{path}?from={last}&to={last}")
    assert ann.get(f"{path}?from=x").status == 400
    assert 400 <= ann.get(f"{path}?from=1&to={last + 9}").status < 500
    assert web.ask("GET", path).status == 303
