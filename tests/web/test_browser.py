"""Playing in a browser: Chromium against an embedded host."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.web.browsers import (
    ARROWS,
    COLOURS,
    NARROW,
    OFFER_ALL,
    assert_keeps_nobody_out,
    harmful_problems,
    hex_after,
    press_until,
    register,
    sign_in,
    tab_to,
    visit,
)
from tests.web.serving import PASSWORD, RULES, Seats, Web, as_player, game_of, seats_at, web_serving

pytestmark = pytest.mark.integration

NAMES = ("Gus", "Hal", "Ida")
MOVES = 2
MOVES_MOST = 120
RELOADS_MOST = 60
MOVE = "#choices ul.choices button"


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    """A host."""
    with web_serving(tmp_path_factory.mktemp("browsed")) as running:
        yield running


@pytest.fixture(scope="module")
def seats(web: Web) -> Seats:
    """A game of 1824 for three."""
    return seats_at(web, NAMES)


@pytest.fixture(scope="module")
def island(web: Web, seats: Seats) -> Seats:
    """A small game for two of them."""
    return game_of(web, seats.tokens[:2], "island")


def sequence(page: Page) -> int:
    """The sequence of the game on a page."""
    return int(page.get_attribute("#game", "data-sequence") or 0)


def test_two_browsers_play_the_first_moves(web: Web, browser: Browser) -> None:
    """They register, open and join a table with an option, start, and each sees the other's moves without a new page."""
    ann, bob = visit(browser, web.address), visit(browser, web.address)
    register(ann, "Ann of Graz")
    register(bob, "Bob of Linz")
    ann.goto("/tables/new?title=1824")
    ann.select_option("#player_count", "2")
    ann.check("[id='option.cisleithania']")
    ann.click("main form.fields button.main")
    ann.wait_for_url("**/tables/t*")
    bob.goto("/lobby?title=1824")
    bob.click("main table a")
    bob.click("text=Join")
    bob.wait_for_selector("text=Leave")
    ann.reload()
    ann.click("text=Start the game")
    ann.wait_for_url("**/games/*")
    bob.goto("/")
    bob.click("main table a")
    pages = (ann, bob)
    for _ in range(MOVES):
        acting = next(each for each in pages if each.locator(MOVE).count())
        other = bob if acting is ann else ann
        before = sequence(acting)
        acting.locator(MOVE).first.click()
        expect(acting.locator(f"#game:not([data-sequence='{before}'])")).to_be_attached()
        expect(other.locator(f"#game[data-sequence='{sequence(acting)}']")).to_be_attached()
        expect(other.locator("#panels h1")).to_have_text(acting.locator("#panels h1").inner_text())


def test_a_turn_without_scripts_at_360_pixels(web: Web, browser: Browser, seats: Seats) -> None:
    """Each choice is a form; the page after it has the move in its log. Nothing but tables and the map is wider."""
    page = visit(browser, web.address, java_script_enabled=False, viewport=NARROW)
    sign_in(page, seats.acting(web), web.address)
    page.goto(f"/games/{seats.game}")
    before = sequence(page)
    page.locator(MOVE).first.click()
    page.wait_for_url("**least=*")
    assert sequence(page) > before
    assert int(page.locator(".log li").first.get_attribute("value") or 0) > before


def test_a_turn_by_keyboard_alone(web: Web, browser: Browser, seats: Seats) -> None:
    """From signing in to the move, and on to the next choices: without a pointer."""
    seats = game_of(web, seats.tokens)
    name = NAMES[seats.tokens.index(seats.acting(web))]
    page = visit(browser, web.address, reduced_motion="reduce")
    page.goto("/sign-in")
    tab_to(page, "#name")
    page.keyboard.type(name)
    tab_to(page, "#password")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_selector("text=Signed in as")
    tab_to(page, "main table a")
    page.keyboard.press("Enter")
    page.wait_for_selector("#game")
    before = sequence(page)
    tab_to(page, MOVE)
    page.keyboard.press("Enter")
    expect(page.locator(f"#game:not([data-sequence='{before}'])")).to_be_attached()
    # Who sends a choice goes on from the heading of the next ones.
    expect(page.locator("#choices-heading")).to_be_focused()
    tab_to(page, "#at")
    assert page.evaluate("getComputedStyle(document.documentElement).scrollBehavior") == "auto"


@pytest.mark.parametrize("policy", ["UNDO_POLICY_FREE", "UNDO_POLICY_OWN_TURN", "UNDO_POLICY_NONE"])
def test_the_last_move_is_taken_back(web: Web, browser: Browser, seats: Seats, policy: str) -> None:
    """As far as the table allows: the same choices again, or no button for both where it is the turn of another."""
    page = visit(browser, web.address)
    seats = game_of(web, seats.tokens[:2], "island", undoPolicy=policy)
    sign_in(page, seats.acting(web), web.address)
    page.goto(f"/games/{seats.game}")
    offered, before = page.locator(MOVE).all_inner_texts(), sequence(page)
    page.locator(MOVE).first.click()
    expect(page.locator(f"#game:not([data-sequence='{before}'])")).to_be_attached()
    expect(page.locator(MOVE)).to_have_count(0)
    moved, button = sequence(page), page.locator("form[action$='/undo'] button")
    if policy != "UNDO_POLICY_FREE":
        other = web.ask("GET", f"/games/{seats.game}", Cookie=f"signalbox_session={seats.acting(web)}")
        assert button.count() == 0 and b'/undo"' not in other.body
        return
    button.click()
    expect(page.locator(f"#game:not([data-sequence='{moved}'])")).to_be_attached()
    expect(page.locator(MOVE)).to_have_text(offered)


def best_drawn(page: Page, field: Locator) -> str:
    """The best run, which stands in the field; while routing is busy it is empty."""
    for _ in range(RELOADS_MOST):
        if best := field.input_value():
            return best
        page.reload()
    raise AssertionError("routing does not answer")


def test_own_runs_are_drawn_on_the_map(web: Web, browser: Browser, island: Seats) -> None:
    """A run that is none is refused in place; the best one, drawn hex by hex, is run. Before either is sent the page says what
    it would earn, or why not."""
    seats, token = island, played_until(web, island, "runTrains")
    page = visit(browser, web.address)
    sign_in(page, token, web.address)
    page.goto(f"/games/{seats.game}")
    field, send = page.locator("[data-run]").first, page.locator("details.runs button.main")
    best, shown = best_drawn(page, field), page.locator("[data-valued]")
    expect(page.locator("#choices")).to_contain_text("Proven: no other runs earn more.")
    page.click("details.runs summary")
    field.fill(best.split()[0])
    expect(shown).to_contain_text("Not possible")
    expect(page.locator("#refusal .problem")).to_have_count(0)
    send.click()
    expect(page.locator("#refusal .problem")).to_be_visible()
    before = sequence(page)
    field.fill("")
    for hex_ in best.split():
        page.locator(f"#hex-{hex_}").dispatch_event("click")
    expect(field).to_have_value(best)
    expect(page.locator("path.drawn")).to_have_count(len(set(best.split())))
    expect(shown).to_contain_text("These runs would earn")
    assert sequence(page) == before
    plain = visit(browser, web.address, java_script_enabled=False)
    sign_in(plain, token, web.address)
    plain.goto(f"/games/{seats.game}")
    plain.click("details.runs summary")
    plain.locator("[data-run]").first.fill("nowhere")
    plain.click("text=What would they earn?")
    expect(plain.locator("[data-valued]")).to_contain_text("Not possible")
    assert plain.locator("[data-run]").first.input_value() == "nowhere"
    send.click()
    expect(page.locator(f"#game:not([data-sequence='{before}'])")).to_be_attached()
    expect(page.locator("#refusal .problem")).to_have_count(0)


def test_colours_with_patterns_are_kept(web: Web, browser: Browser, seats: Seats) -> None:
    """In a cookie of the browser; the grounds of the map have patterns then."""
    page = visit(browser, web.address)
    sign_in(page, seats.tokens[0], web.address)
    page.goto(f"/games/{seats.game}")
    ground = page.locator("#picture [fill='#fbe479'], #picture [fill='#f4b0a2']").first
    assert "url(" not in ground.evaluate("each => getComputedStyle(each).fill")
    page.click("footer button")
    page.goto(f"/games/{seats.game}")
    assert "#ground-" in ground.evaluate("each => getComputedStyle(each).fill")
    assert harmful_problems(page, COLOURS) == []


def test_a_figure_is_explained_and_times_are_the_readers(web: Web, browser: Browser, seats: Seats) -> None:
    """From the worth of a player to the entries that add up to it; a deadline is in the zone of the browser."""
    page = visit(browser, web.address, timezone_id="Asia/Tokyo")
    sign_in(page, seats.tokens[0], web.address)
    page.goto(f"/games/{seats.game}")
    page.locator("#panels section[aria-labelledby='players-heading'] tbody td:nth-of-type(2) a").first.click()
    rows = [int(each) for each in page.locator("table").first.locator(".sum").all_inner_texts()]
    assert sum(rows[:-1]) == rows[-1]
    assert page.locator("table").last.locator("tbody td").last.inner_text() == str(rows[0])
    page.goto(f"/games/{seats.game}/worth")
    expect(page.locator("svg.chart polyline")).to_have_count(3)
    expect(page.locator("svg.chart .scale").last).to_have_text("0")
    page.set_content('<time datetime="2026-01-01T20:00:00+00:00">UTC</time>')
    # A page runs a module once under each address.
    page.evaluate("import('/static/times.mjs?again')")
    expect(page.locator("time")).to_contain_text("5:00")


def test_clocks_follow_the_moves(web: Web, browser: Browser, seats: Seats) -> None:
    """Whose clock runs, what is left, and when the turn ends in the zone of the reader; my games too."""
    timed = game_of(web, seats.tokens[:2], "island", clock=json.dumps({"bank": 86_400}))
    token = timed.acting(web)
    watching = visit(browser, web.address, timezone_id="Asia/Tokyo")
    sign_in(watching, next(each for each in timed.tokens if each != token), web.address)
    watching.goto(f"/games/{timed.game}")
    rows = watching.locator("#clocks tbody tr")
    expect(rows).to_have_count(2)
    running = watching.locator("#clocks tr.acting th").inner_text()
    expect(watching.locator("#clocks tr.acting [data-ends]")).to_contain_text("23 hr")
    expect(watching.locator("#clocks tr.acting time").last).to_have_attribute("title", re.compile("UTC"))
    page = visit(browser, web.address)
    sign_in(page, token, web.address)
    page.goto("/")
    expect(page.locator(f"tr:has(a[href='/games/{timed.game}']) [data-ends]")).to_contain_text("23 hr")
    while timed.acting(web) == token:
        move_at_once(web, timed, token)
    expect(watching.locator("#clocks tr.acting th")).not_to_have_text(running)


def test_a_clock_is_set_without_scripts(web: Web, browser: Browser, seats: Seats) -> None:
    """Only the fields of what is chosen are in sight; a refusal stands at its field, and the page of the table says the rest."""
    page = visit(browser, web.address, java_script_enabled=False, viewport=NARROW)
    sign_in(page, seats.tokens[0], web.address)
    page.goto("/tables/new?title=1824")
    expect(page.get_by_label("Bank", exact=True)).to_be_hidden()
    page.get_by_label("A clock", exact=True).check()
    page.locator(".timing summary").click()
    page.get_by_label("Days of vacation").fill("1000")
    page.locator("[id='clock.windows[0].days']").select_option(label="every day")
    page.locator("[id='clock.windows[0].start']").fill("18:00")
    page.locator("[id='clock.windows[0].end']").fill("23:30")
    page.click("main form.fields button.main")
    field = page.get_by_label("Days of vacation")
    expect(field).to_have_accessible_description(re.compile("is not 0 to 366"))
    field.fill("14")
    field.press("Enter")
    said = page.locator("#time-heading + ul")
    expect(said).to_contain_text("every day 18:00 to 23:30 (UTC)")
    expect(said).to_contain_text("14 days of vacation")


def test_the_form_of_a_clock_keeps_nobody_out(web: Web, browser: Browser, seats: Seats) -> None:
    """With all of it open, and with a refusal in it; its zone is that of the reader."""
    page = visit(browser, web.address, viewport=NARROW, timezone_id="Asia/Tokyo")
    sign_in(page, seats.tokens[0], web.address)
    page.goto("/tables/new?title=1862")
    page.get_by_label("A clock", exact=True).check()
    expect(page.locator("[id='clock.zone']")).to_have_value("Asia/Tokyo")
    assert_keeps_nobody_out(page)
    page.locator("[id='clock.zone']").fill("Mars/Olympus")
    page.click("main form.fields button.main")
    expect(page.locator("[id='clock.zone.refused']")).to_be_visible()
    assert_keeps_nobody_out(page)


def test_hours_of_ones_own_keep_nobody_out(web: Web, browser: Browser, seats: Seats) -> None:
    """Where they are chosen, with those of the policy beside them."""
    policy = json.dumps({"bank": 86_400, "min_hours_per_week": 10, "vacation_days_per_year": 14})
    timed = game_of(web, seats.tokens[:2], "island", clock=policy)
    page = visit(browser, web.address, viewport=NARROW)
    sign_in(page, timed.tokens[0], web.address)
    page.goto(f"/tables/{timed.table}")
    assert_keeps_nobody_out(page)
    page.get_by_text("Choose these hours").click()
    expect(page.locator("main .problem")).to_contain_text("HOURS_TOO_FEW")
    assert_keeps_nobody_out(page)


def test_playing_hours_are_shown(web: Web, seats: Seats) -> None:
    """With their zone; a table whose turns have a limit shows ends and no hours."""
    windows = [{"weekday": day, "start_minute": 1_140, "end_minute": 1_500} for day in (0, 4)]
    policy = {"bank": 86_400, "zone": "Europe/Vienna", "windows": windows}
    for chosen, shown in (({"clock": json.dumps(policy)}, True), ({"turnSeconds": 7_200}, False)):
        timed = game_of(web, seats.tokens[:2], "island", **chosen)
        session = f"signalbox_session={timed.tokens[0]}"
        page = web.ask("GET", f"/games/{timed.game}", Cookie=session).body.decode()
        assert (page.count("Mon, Fri 19:00 to 01:00 (Europe/Vienna)") == 1) is shown
        assert ("2 h 0 min" in page) is not shown and "Clock runs since" in page


def move_at_once(web: Web, seats: Seats, token: str) -> None:
    """Make the first move that is complete, or pass."""
    offer = web.ask("GET", f"{RULES}/ListChoices?gameId={seats.game}", Authorization=f"Bearer {token}").body
    choice = min((each for each in offer["choices"] if "openField" not in each), key=_rank)
    request = {"gameId": seats.game, "requestId": f"c{offer['sequence']}", "command": choice["command"]}
    done = as_player(web, token, "Execute", RULES, **request, expectedSequence=offer["sequence"])
    assert done.status == 200, done.body


def _rank(choice: Any) -> int:
    """What brings a company to its first tile comes first; passing comes last."""
    (kind,) = choice["command"]
    order = ("buyCertificate", "startCompany", "bid", "titleCommand", "layTile", "placeToken", "buyTrain")
    return order.index(kind) if kind in order else len(order) + (kind == "passTurn")


def played_until(web: Web, seats: Seats, wanted: str) -> str:
    """Make moves until somebody may send a command of this kind: whose token that is."""
    for _ in range(MOVES_MOST):
        token = seats.acting(web)
        path = f"{RULES}/ListChoices?gameId={seats.game}&withBestRuns=true"
        offer = web.ask("GET", path, Authorization=f"Bearer {token}").body
        if any(wanted in each["command"] for each in offer["choices"]):
            return token
        choice = min(offer["choices"], key=_rank)
        ((kind, body),) = choice["command"].items()
        if "openField" in choice:
            body["price"] = choice.get("minimum", 0)
        at = offer["sequence"]
        request = {"gameId": seats.game, "requestId": f"m{at}", "expectedSequence": at}
        done = as_player(web, token, "Execute", RULES, **request, command=choice["command"])
        assert done.status == 200, (kind, done.body)
    raise AssertionError(f"no {wanted} within {MOVES_MOST} moves")


def test_a_hex_leads_to_what_can_be_done_there(web: Web, browser: Browser, island: Seats) -> None:
    """A click on the map opens its choices. By keyboard alone arrows lead from hex to hex; the tile that is laid then is on the
    map, without a new page."""
    seats = island
    page = visit(browser, web.address)
    sign_in(page, played_until(web, seats, "layTile"), web.address)
    page.goto(f"/games/{seats.game}")
    places = page.locator("[data-choices-of]")
    place = places.last.get_attribute("data-choices-of")
    found = page.locator(f"#hex-{place}")
    assert "offered" in (found.get_attribute("class") or "")
    found.scroll_into_view_if_needed()
    box = found.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.locator("[data-choices-of][open]")).to_have_attribute("data-choices-of", str(place))
    expect(page.locator("#panels")).to_contain_text("operates.")
    expect(page.locator("#steps button").first).to_be_focused()
    page.keyboard.press("Escape")
    expect(found).to_be_focused()
    assert harmful_problems(page) == []
    page.evaluate(OFFER_ALL)
    found.focus()
    assert len({place, *(hex_after(page, key) for key in ARROWS)}) > 2
    expect(page.locator("path.offered[tabindex='0']")).to_be_focused()
    page.reload()
    page.focus("#picture")
    page.keyboard.press("Tab")
    place = hex_after(page, "Enter")
    press_until(page, "Enter", "#steps button.main")
    before, track = sequence(page), page.locator(f"#track-{place}").inner_html()
    tab_to(page, "#steps button.main")
    page.keyboard.press("Enter")
    expect(page.locator(f"#game:not([data-sequence='{before}'])")).to_be_attached()
    assert page.locator(f"#track-{place}").inner_html() != track


@pytest.mark.parametrize(
    "path",
    [
        *("/", "/sign-in", "/register", "/lobby", "/tables/new", "/tables/new?title=1862", "/nothing/here"),
        *("table", "game", "worth", "accounts"),
    ],
)
def test_pages_keep_nobody_out(web: Web, browser: Browser, seats: Seats, path: str) -> None:
    """axe finds nothing serious, and at 360 pixels the page itself is no wider than the screen."""
    page = visit(browser, web.address, viewport=NARROW)
    sign_in(page, seats.tokens[0], web.address)
    game = f"/games/{seats.game}"
    own = {
        "table": f"/tables/{seats.table}",
        "game": game,
        "worth": f"{game}/worth",
        "accounts": f"{game}/holders/bank",
    }
    page.goto(own.get(path, path))
    assert_keeps_nobody_out(page)
