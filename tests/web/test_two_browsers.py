"""Two browsers play: each move is shown in the other one, which then shows the same as a page that is loaded anew, and what the
rules have. The whole of it is a soak test; a few moves of each title belong to every run. `python -m tests.bench browsers` says
how long moves take."""

from __future__ import annotations

import os
import statistics
from collections.abc import Callable, Iterator, Sequence

import pytest
from playwright.sync_api import Browser

from tests.web.playing import Playing
from tests.web.serving import Web, registered, web_serving

pytestmark = pytest.mark.integration

NAMES = ("Xia", "Yves", "Zoe")
MOVES_OF_ALL = 50
SHOWN_SECONDS = 1.0


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    """A host."""
    with web_serving(tmp_path_factory.mktemp("two")) as running:
        yield running


@pytest.fixture(scope="module")
def tokens(web: Web) -> Sequence[str]:
    """Of the players of all these games."""
    return [registered(web, name) for name in NAMES]


@pytest.mark.parametrize(("title", "moves"), [("1824", 6), ("1862", 3), ("1865", 3), ("rotw", 3)])
def test_first_moves_of_every_title(
    web: Web, browser: Browser, tokens: Sequence[str], title: str, moves: int
) -> None:
    """Both windows follow."""
    playing = Playing(web, browser, tokens, title)
    for _ in range(moves):
        game = playing.move()
    playing.check(game)


@pytest.mark.soak
@pytest.mark.parametrize(
    ("title", "whole"),
    [("1824", "operating"), ("1862", "operating"), ("1865", "operating"), ("rotw", "companies")],
)
def test_fifty_moves_and_a_round_of_companies(
    web: Web,
    browser: Browser,
    tokens: Sequence[str],
    title: str,
    whole: str,
    record_testsuite_property: Callable[[str, float], None],
) -> None:
    """Each move is shown within a second, and the windows never differ from the rules; `whole`: the kind of round in which
    companies play, of which one is played to its end.

    On two cores with little else to do no move took half a second, beside fifteen processes that computed up to 1.7."""
    playing = Playing(web, browser, tokens, title)
    rounds: list[str] = []
    while len(rounds) < MOVES_OF_ALL or whole not in rounds[:-1] or rounds[-1] == whole:
        game = playing.move()
        playing.check(game)
        rounds.append(game.round.kind.rpartition(".")[2])
    steps = statistics.quantiles(playing.seconds, n=20)
    figures = {
        "moves": len(rounds), "load": os.getloadavg()[0], "p50": steps[9], "p95": steps[18], "most": max(playing.seconds)
    }  # fmt: skip
    for name, figure in figures.items():
        record_testsuite_property(f"{title} {name}", round(figure, 3))
    assert max(playing.seconds) < SHOWN_SECONDS, figures
