"""Events with forms alone, as a browser without scripts sends them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from html import unescape

import pytest

from tests.web.events import Event, Person, arrangement, begun_event, charter_form, results_of
from tests.web.serving import Web, web_serving

pytestmark = pytest.mark.integration

TOURNAMENTS = "/api/signalbox.lobby.v1.Tournaments"
PLAYERS = ("Ann", "Bob", "Cy", "Dan", "Eva", "Flo")


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    """A host."""
    with web_serving(tmp_path_factory.mktemp("events")) as running:
        yield running


@pytest.fixture(scope="module")
def event(web: Web) -> Event:
    """One round over the board for six."""
    return begun_event(web, "Dora", PLAYERS)


def test_an_event_from_the_draw_to_its_standings(event: Event) -> None:
    """A player is moved with a reason, results are reported and confirmed, standings say why; everybody may look."""
    dora, path = event.director, event.path
    draft = dora.done(f"{path}/direct/propose")
    form = arrangement(dora.page(draft))
    first = next(name for name, value in form.items() if name.startswith("table.") and value == "1")
    second = next(name for name, value in form.items() if name.startswith("table.") and value == "2")
    changed = {**form, first: "2", second: "1"}
    preview = dora.send(f"{draft}/preview", more=changed)
    assert preview.status == 200 and b"These tables cost the same" in preview.body
    refused = dora.send(f"{draft}/override", more=changed, which="draft")
    assert refused.status == 422 and b"needs a reason" in refused.body
    assert arrangement(refused.body.decode())[first] == "2", "what was sent stands there again"
    assert dora.done(f"{draft}/override", more=changed, reason="a lift home") == draft
    stale = dora.send(f"{draft}/publish", more=changed)
    assert stale.status == 409 and b"stale_draft" in stale.body
    kept = arrangement(dora.page(draft))
    assert kept[first] == "2"
    published = dora.done(f"{draft}/publish", more=kept)
    page = dora.page(published)
    assert "a lift home" in page and "Tables changed by Dora" in page
    assert "Score sheets" in page and "Signature" in dora.page(f"{published}/sheets")
    one = event.players[0]
    assert b"Report the result" in one.get(published).body
    for at, (reporter, confirmer, worths) in results_of(event, kept, published).items():
        reporter.done(f"{at}/report", more=worths)
        assert reporter.send(f"{at}/confirm", more=worths).status == 422, "another player has to confirm it"
        unseen = {**worths, next(iter(worths)): "7"}
        assert b"not the result that you confirm" in confirmer.send(f"{at}/confirm", more=unseen).body
        confirmer.done(f"{at}/confirm", more=worths)
    dora.done(f"{path}/direct/finish")
    standings = event.players[0].page(f"{path}/standings/0")
    assert standings.count("<td>points 5, tied with 1") == 2 and "lot" in standings
    public = event.director.web.ask("GET", path)
    assert public.status == 200 and b"Final ranking" in public.body


def test_a_draft_names_who_withdrew_since(web: Web) -> None:
    """And publishing is refused with the reason."""
    event = begun_event(web, "Dina", ("Pat", "Quin", "Rob", "Sue"))
    draft = event.director.done(f"{event.path}/direct/propose")
    form = arrangement(event.director.page(draft))
    event.players[0].done(f"{event.path}/take-part/withdraw", reason="ill")
    assert "Pat withdrew after this proposal" in event.director.page(draft)
    refused = event.director.send(f"{draft}/publish", more=form)
    assert (refused.status, b"PLAYER_WITHDRAWN" in refused.body) == (422, True)


def test_hours_are_entered_and_bankruptcies_reported(web: Web) -> None:
    """Both as people write them; a result is confirmed with its bankruptcies."""
    event = begun_event(web, "Dilys", ("Gus", "Hal", "Ida"))
    person = Person(web, "Jo")
    event.director.done(f"{event.path}/direct/entries", are_open="1")
    refused = person.send(f"{event.path}/take-part/enter", hours="mon 9")
    assert refused.status == 400 and b"is not a time such as" in refused.body
    person.done(f"{event.path}/take-part/enter", hours="tue 0-2")
    asked = {"tournamentId": event.path.removeprefix("/events/"), "playerId": person.player_id}
    listed = web.ask("POST", f"{TOURNAMENTS}/ListEntries", asked).body
    assert listed["entries"][0]["hours"] == [24, 25]
    draft = event.director.done(f"{event.path}/direct/propose")
    drawn = arrangement(event.director.page(draft))
    published = event.director.done(f"{draft}/publish", more=drawn)
    ((at, (one, other, worths)),) = results_of(event, drawn, published).items()
    poorest = next(iter(worths)).removeprefix("worth.")
    one.done(f"{at}/report", more={**worths, f"bankrupt.{poorest}": "1"})
    assert other.send(f"{at}/confirm", more=worths).status == 422
    assert f'name="bankrupt.{poorest}" value="1"' in other.page(published)
    other.done(f"{at}/confirm", more={**worths, f"bankrupt.{poorest}": "1"})
    assert "(bankrupt)" in other.page(published)


def test_who_does_not_direct_is_refused(event: Event) -> None:
    """By the services, whatever is sent; the pages of directors are not shown."""
    ann = event.players[0]
    assert ann.get(f"{event.path}/direct").status == 403
    assert ann.get(f"{event.path}/charter").status == 403
    answer = ann.send(f"{event.path}/direct/post", text="Lunch")
    assert answer.status in (403, 422) and b"Lunch" not in ann.get(event.path).body
    nobody = ann.web.ask("GET", f"{event.path}/direct")
    assert (nobody.status, nobody.headers["location"]) == (303, f"/sign-in?next={event.path}/direct")


def test_names_are_escaped_and_files_are_files(event: Event) -> None:
    """HTML in the name of an event is text; files are to be saved."""
    page = event.players[0].page(event.path)
    assert "Club &lt;evening&gt;" in page and "<evening>" not in page
    for kind, media in (
        ("json", "application/json"),
        ("csv", "application/zip"),
        ("calendar", "text/calendar"),
    ):
        answer = event.director.get(f"{event.path}/files/{kind}")
        assert answer.status == 200 and answer.headers["content-type"].startswith(media)
        assert answer.headers["content-disposition"].startswith("attachment; filename=")
    assert event.director.get(f"{event.path}/files/exe").status == 404


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"name": ""}, b"name has not 1 to 100 characters"),
        ({"rounds": "many"}, b"rounds: &#39;many&#39; is no whole number"),
        ({"bye_points": "1.5.5"}, b"is no number of points"),
        ({"smallest": "5"}, b"smallest table is larger"),
        ({"scoring": "magic"}, b"choose one of the systems"),
    ],
)
def test_a_charter_that_cannot_be_used(event: Event, fields: dict[str, str], said: bytes) -> None:
    """Is refused in its form, with what was typed."""
    answer = event.director.send("/events/new", more=charter_form(text="Bring cake", **fields), which="new")
    assert answer.status in (400, 422)
    assert said in answer.body and b"Bring cake" in answer.body and b'id="refused"' in answer.body


def test_a_charter_as_json(event: Event) -> None:
    """The form gives the JSON to go on with, and an amendment replaces it with a reason."""
    dora = event.director
    answer = dora.send("/events/new", more=charter_form(), as_json="1")
    assert answer.status == 200 and b"&#34;type&#34;: &#34;swiss&#34;" in answer.body
    refused = dora.send("/events/new", charter="{}", which="json")
    assert refused.status == 422 and b"CHARTER_MALFORMED" in refused.body
    path = dora.done("/events/new", more=charter_form()).removesuffix("/direct")
    written = re.search(r"<textarea[^>]*>\n(.*?)</textarea>", dora.page(f"{path}/charter"), re.DOTALL)
    assert written is not None
    amended = unescape(written[1]).replace("Club <evening>", "Club night")
    assert dora.send(f"{path}/charter", charter=amended, version="1", which="amend").status == 422
    dora.done(f"{path}/charter", charter=amended, version="1", reason="a better name")
    assert "Charter, version 2" in dora.page(path)
    assert "a better name" in dora.page(path)


def test_people_are_admitted_taken_out_and_given_roles(web: Web) -> None:
    """On the page of players, with reasons; a check-in has an end in the zone that was chosen."""
    event = begun_event(web, "Dirk", ("Gil", "Hal", "Ida"), entries_max="3", has_check_in="on")
    dirk, path, (gil, *_) = event.director, event.path, event.players
    jo = Person(web, "Jo")
    jo.done(f"{path}/take-part/enter")
    assert "On the waiting list" in jo.page(path)
    assert dirk.done(f"{path}/direct/admit", player_id=jo.player_id) == f"{path}/players"
    assert "Takes part" in jo.page(path)
    assert dirk.send(f"{path}/direct/remove", player_id=gil.player_id).status == 422
    dirk.done(f"{path}/direct/remove", player_id=gil.player_id, reason="moved away")
    assert "moved away" in jo.page(f"{path}/players")
    dirk.done(f"{path}/direct/role", player_id="hal", role="scorer", change="give")
    assert "Scorers: Hal" in dirk.page(f"{path}/direct")
    day = (datetime.now(UTC) + timedelta(days=30)).date()
    dirk.done(f"{path}/direct/check-in", number="1", until=f"{day}T10:30", more={"until.offset": "60"})
    assert f"{day}T09:30:00Z" in jo.page(path)
    jo.done(f"{path}/take-part/check-in")
    assert "You are checked in" in jo.page(path)
    dirk.done(f"{path}/direct/penalty", player_id=jo.player_id, points="0.5", reason="late")
    assert "Jo: 0.5 points" in jo.page(path)
    dirk.done(f"{path}/direct/post", text="<b>Lunch</b> at noon")
    assert "&lt;b&gt;Lunch" in jo.page(path)


def test_substitutions_are_recorded_and_taken_back(web: Web) -> None:
    """On the page of the table: both of a seat stand on the page of the round, then only the first."""
    event = begun_event(web, "Doro", ("Kim", "Lea", "Max"))
    draft = event.director.done(f"{event.path}/direct/propose")
    published = event.director.done(f"{draft}/publish", more=arrangement(event.director.page(draft)))
    room, seat = f"{published}/tables/1", event.players[0].player_id
    uma, vic = Person(web, "Uma"), Person(web, "Vic")
    for each in (uma, vic):
        asked = {"player_id": seat, "substitute": each.name, "reason": "ill"}
        refused = event.director.send(f"{room}/substitute", **asked)
        assert refused.status == 422 and b"has not entered this event" in refused.body
        each.done(f"{event.path}/take-part/enter")
        event.director.done(f"{room}/substitute", **asked)
    page = uma.page(published)
    assert "Uma played this seat before" in page and "Vic plays this seat" in page
    wrong = {"seat": f"{seat} {vic.player_id}"}
    assert event.director.send(f"{room}/not-a-substitute", more=wrong).status == 422
    event.director.done(f"{room}/not-a-substitute", more=wrong, reason="Vic could not come")
    page = uma.page(published)
    assert "Uma plays this seat" in page and "Vic" not in page


def test_a_season_of_a_series(web: Web, event: Event) -> None:
    """Names are written in blocks; a season is an event for each division, which has to be over before the next one."""
    dora = event.director
    rule = {"name": "Club league", "division_size": "3", "moving": "1", "points": "5,3,2"}
    refused = dora.send("/series/new", **rule, divisions="Ann\nNobody\n", which="series")
    assert refused.status == 422 and b'id="refused"' in refused.body and b"Nobody" in refused.body
    path = dora.done("/series/new", **rule, divisions="Ann\r\nBob\r\nCy\r\n\r\nDan\r\nEva\r\nFlo\r\n")
    page = dora.page(path)
    assert "<li>Ann (invited), Bob (invited), Cy (invited)</li>" in page
    assert "/join" not in page and "Club league" in dora.page("/series")
    written = re.search(r"<pre>(.*?)</pre>", dora.page(event.path), re.DOTALL)
    assert written is not None
    charter = unescape(written[1])
    unasked = dora.send(f"{path}/open", charter=charter, which="open")
    assert (
        unasked.status == 422
        and b"MEMBERS_DID_NOT_AGREE" in unasked.body
        and b"Ann, Bob, Cy." in unasked.body
    )
    dora.done(f"{path}/members", newcomers="Dora", leaving="Flo")
    assert "<li>Dan (invited), Eva (invited), Dora (invited)</li>" in dora.page(path)
    flo = event.players[-1]
    assert f'action="{path}/join' not in flo.page(path)
    assert flo.send(f"{path}/join").status == 422
    for each in event.players[:-1]:
        assert "you are invited" in each.page("/series")
        assert f'action="{path}/join' in each.page(path)
        each.done(f"{path}/join")
        assert "you are invited" not in each.page("/series")
    ann = event.players[0]
    ann.done(f"{path}/leave")
    assert "<li>Ann (invited), Bob, Cy</li><li>Dan, Eva, Dora (invited)</li>" in ann.page(path)
    ann.done(f"{path}/join")
    dora.done(f"{path}/open", charter=charter)
    season = dora.page(path)
    assert "Season 1" in season and season.count('href="/events/e') == 2
    early = dora.send(f"{path}/close", newcomers="", leaving="", which="close")
    assert early.status == 422 and b"ROUND_UNFINISHED" in early.body
    assert event.players[0].send(f"{path}/close").status == 422


@pytest.mark.parametrize(
    "path",
    [
        "/events/nothing",
        "/rounds/x",
        "/standings/0x1",
        "/standings/99999999999",
        "/rounds/x/draft",
        "/rounds/x/tables/1",
    ],
)
def test_what_is_not_there(event: Event, path: str) -> None:
    """Is a page that says so."""
    answer = event.director.get(path if path.startswith("/events") else event.path + path)
    assert answer.status in (400, 404) and b'class="problem"' in answer.body
