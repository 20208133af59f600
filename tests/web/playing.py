"""A game played in two browser windows, and how long each move takes from the one to the other."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from typing import Any

from google.protobuf import json_format
from playwright.sync_api import Browser, Page, expect

from services.bots.sensible import SensibleBot
from services.client.games import Games
from services.gen.signalbox.rules.v1 import game_pb2
from services.rules.adapters.codec import command_message
from services.rules.kernel.commands import Command
from tests.web.browsers import sign_in, visit
from tests.web.serving import Seats, Web, game_of

# Hexes with choices are marked and can be chosen; that is no part of the picture.
DIFFERENCES = """async path => {
  const answer = await fetch(path);
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  const words = page => page.getElementById("panels").textContent.replace(/\\s+/g, " ");
  const parts = page => Object.fromEntries(
    [...page.querySelectorAll("#picture [id]")].map(
      each => [each.id, each.outerHTML.replaceAll(/ (class|xmlns|role|tabindex)="[^"]*"/g, "")]));
  const [shown, wanted] = [parts(document), parts(fresh)];
  const differing = Object.keys({...shown, ...wanted}).filter(id => shown[id] !== wanted[id]);
  const [seen, loaded] = [words(document), words(fresh)];
  return seen === loaded ? differing : [`shown: ${seen}`, `new: ${loaded}`, ...differing];
}"""
# The command of each form, and the field of it that is open.
OFFERED = "all => all.map(each => [each.value, each.form.querySelector('[name=field]')?.value ?? ''])"
# When a form was sent, and when each sequence was shown: Playwright itself looks only now and then.
NOTE_TIMES = """addEventListener('DOMContentLoaded', () => {
  const game = document.getElementById('game');
  if (!game) return;
  window.shownAt = {};
  const note = () => { window.shownAt[game.dataset.sequence] = Date.now(); };
  new MutationObserver(note).observe(game, {attributeFilter: ['data-sequence']});
  addEventListener('submit', () => { window.sentAt = Date.now(); }, true);
});"""


class Playing:
    """A game of which two players have a browser window each; a bot chooses what is clicked."""

    def __init__(self, web: Web, browser: Browser, tokens: Sequence[str], title: str) -> None:
        self.seats: Seats = game_of(web, tokens, title)
        self.path = f"/games/{self.seats.game}"
        self._games = [Games(web.rules, token) for token in self.seats.tokens]
        self._bots = [SensibleBot(number) for number in range(len(tokens))]
        self._pages = [self._opened(web, browser, token) for token in self.seats.tokens[:2]]
        self.seconds: list[float] = []
        """From the click, or the command of who has no window, until it is shown in a window of another player."""

    def _opened(self, web: Web, browser: Browser, token: str) -> Page:
        page = visit(browser, web.address)
        page.add_init_script(NOTE_TIMES)
        sign_in(page, token, web.address)
        page.goto(self.path)
        return page

    def move(self) -> game_pb2.GameView:
        """One move, in a browser where its player has one; the game after it."""
        offers = [games.choices(self.seats.game) for games in self._games]
        number, offer = next((number, offer) for number, offer in enumerate(offers) if offer.choices)
        games, command = self._games[number], self._bots[number].choose(offer.choices)
        acting = self._pages[number] if number < len(self._pages) else None
        sent_ms = time.time() * 1000
        if acting is None:
            games.execute(self.seats.game, offer.sequence, command)
        else:
            self._shown(acting, offer.sequence)
            _click(acting, command)
            expect(acting.locator(f"#game:not([data-sequence='{offer.sequence}'])")).to_be_attached()
            sent_ms = acting.evaluate("sentAt")
        game = games.game(self.seats.game)
        for page in self._pages:
            self._shown(page, game.sequence)
            if page is not acting:
                shown_ms = page.evaluate("sequence => shownAt[sequence]", str(game.sequence))
                self.seconds.append((shown_ms - sent_ms) / 1000)
        return game

    def _shown(self, page: Page, sequence: int) -> None:
        expect(page.locator(f"#game[data-sequence='{sequence}']")).to_be_attached()

    def check(self, game: game_pb2.GameView) -> None:
        """Both windows show what a new page shows, and the cash of all players as the rules have it."""
        for page in self._pages:
            differing = page.evaluate(DIFFERENCES, self.path)
            assert differing == [], differing
            shown = page.locator("#panels section[aria-labelledby='players-heading'] tbody td:nth-of-type(1)")
            assert [_first_number(each) for each in shown.all_inner_texts()] == [
                each.cash for each in game.players
            ]


def _click(page: Page, command: Command) -> None:
    """Send a command with the form that offers it; what its field offers is not compared, the command's own stands there."""
    ((kind, body),) = json_format.MessageToDict(
        command_message(command), preserving_proto_field_name=True
    ).items()
    inputs = page.locator("#choices ul.choices [name=command]")
    offered: Sequence[tuple[str, str]] = inputs.evaluate_all(OFFERED)
    for number, (text, field) in enumerate(offered):
        ((offered_kind, offered_body),) = json.loads(text).items()
        if offered_kind != kind or _without(field, body) != _without(field, offered_body):
            continue
        form = inputs.nth(number).locator("xpath=..")
        if field:
            value = str(body.get(field, 0))
            form.locator("[name=value]").evaluate("(each, value) => { each.value = value; }", value)
        form.evaluate("each => each.requestSubmit()")
        return
    raise AssertionError(f"{kind} {body} is not among {offered[:5]}")


def _without(field: str, body: Mapping[str, Any]) -> Mapping[str, Any]:
    return {name: value for name, value in body.items() if name != field}


def _first_number(text: str) -> int:
    return int(text.split()[0])
