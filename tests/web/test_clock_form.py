"""The form for the time of a table, and the policy in words."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

import pytest

from services.gen.signalbox.lobby.v1 import lobby_service_pb2 as wire
from services.web.pages.clockform import compacted, row_counts, started, timing_in
from services.web.pages.clockwords import span, time_rules
from services.web.pages.texts import Texts
from services.web.problems import ProblemError
from tests.web.events import Person
from tests.web.serving import LOBBY, game_of, web_serving

USUAL: dict[str, Any] = {
    "bank_max": 0,
    "increment": 0,
    "grace_per_turn": 0,
    "allowances": [],
    "reminders": [50, 90],
    "on_expiry": [{"action": "director", "after_seconds": 0}],
    "penalty": {"type": "none"},
    "zone": "UTC",
    "windows": [],
    "min_hours_per_week": 0,
    "vacation_days_per_year": 0,
    "deadline": 0,
}
OPTIONS = ["cisleithania"]
TIMED = {"timing": "clock", "clock.bank": "2", "clock.bank.unit": "days"}
WHOLE = {
    **TIMED,
    "clock.grace_per_turn": "30",
    "clock.grace_per_turn.unit": "minutes",
    "clock.increment": "1",
    "clock.increment.unit": "hours",
    "clock.bank_max": "3",
    "clock.bank_max.unit": "days",
    "clock.allowances[0].seconds": "",
    "clock.allowances[1].seconds": "45",
    "clock.allowances[1].seconds.unit": "minutes",
    "clock.allowances[1].round_kind": "operating",
    "clock.allowances[1].company_kind": "regional",
    "clock.allowances[1].phase": "3",
    "clock.reminders": "25, 75 %",
    "clock.zone": "Europe/Vienna",
    "clock.windows[0].days": "working_days",
    "clock.windows[0].start": "19:00",
    "clock.windows[0].end": "00:30",
    "clock.windows[2].days": "5",
    "clock.windows[2].start": "10:00",
    "clock.windows[2].end": "22:00",
    "clock.vacation_days_per_year": "14",
    "clock.deadline": "2030-01-02T03:00",
    "clock.deadline.offset": "60",
    "clock.on_expiry[0].action": "standing_policy_pass",
    "clock.on_expiry[1].action": "",
    "clock.on_expiry[1].after_seconds": "",
    "clock.on_expiry[2].action": "director",
    "clock.on_expiry[2].after_seconds": "1",
    "clock.on_expiry[2].after_seconds.unit": "days",
    "clock.penalty.type": "money",
    "clock.penalty.amount": "10",
    "clock.penalty.per_seconds": "1",
    "clock.penalty.per_seconds.unit": "hours",
}
IN_WORDS = [
    "The first 30 minutes of each turn are free.",
    "45 minutes more are free in a turn of this kind: operating round, company: regional, phase 3.",
    "After that a turn uses the bank of its player, 2 days for the whole game.",
    "A completed turn adds 1 hour to the bank, up to 3 days.",
    "Time counts only in the playing hours: Monday to Friday 19:00 to 00:30; Sat 10:00 to 22:00"
    " (Europe/Vienna).",
    "Each player has 14 days of vacation in a calendar year, on which no time counts.",
    'Every turn is overdue from <time datetime="2030-01-02T02:00:00+00:00">2030-01-02 02:00 UTC</time> on.',
    "A player is reminded after these parts of the time of a turn: 25 %, 75 %.",
    "When a turn is overdue, the seat passes.",
    "1 day after a turn is overdue, the game is suspended until a director resumes it.",
    "Each started 1 hour of overdue time costs 10 of the player's worth at the end.",
]


def policy_in(form: dict[str, str]) -> Any:
    """The policy of a form."""
    return json.loads(timing_in(compacted(form))["clock"])


def test_a_whole_policy() -> None:
    """Rows that are left empty between others are no parts of it."""
    policy = policy_in(WHOLE)
    assert (policy["bank"], policy["bank_max"], policy["grace_per_turn"]) == (172_800, 259_200, 1_800)
    assert policy["allowances"] == [
        {"seconds": 2_700, "round_kind": "operating", "company_kind": "regional", "phase": "3"}
    ]
    assert len(policy["windows"]) == 6
    assert policy["windows"][0] == {"weekday": 0, "start_minute": 1_140, "end_minute": 1_470}
    assert policy["windows"][-1] == {"weekday": 5, "start_minute": 600, "end_minute": 1_320}
    assert policy["on_expiry"][-1] == {"action": "director", "after_seconds": 86_400}
    assert (policy["reminders"], policy["deadline"]) == ([25, 75], 1_893_549_600)
    assert policy["penalty"] == {"type": "money", "amount": 10, "per_seconds": 3_600}
    points = {**WHOLE, "clock.penalty.type": "points", "clock.penalty.amount": "0.5"}
    assert policy_in(points)["penalty"]["amount"] == 500_000


def test_a_policy_in_words() -> None:
    """What the form says and what the pages say is the same."""
    assert time_rules(Texts(), 0, json.dumps(policy_in(WHOLE)), json.dumps(USUAL)) == IN_WORDS


def test_what_is_usual_is_said_too() -> None:
    """A table keeps only what is its own."""
    said = time_rules(Texts(), 0, '{"bank": 5400}', json.dumps(USUAL))
    assert said[0] == "A turn uses the bank of its player, 90 minutes for the whole game."
    assert "When a turn is overdue, the game is suspended until a director resumes it." in said
    assert time_rules(Texts(), 7_200, "", "") == [
        "A turn has 2 hours. One that takes longer is recorded as overdue; the game does not change."
    ]
    assert time_rules(Texts(), 0, "", "") == ["Players take as much time as they like."]
    own = time_rules(Texts(), 0, '{"bank": 60, "min_hours_per_week": 9, "on_expiry": []}', json.dumps(USUAL))
    assert any("at least 9 hours a week" in each for each in own)
    assert own[-1] == "Nothing is done about an overdue turn."


def test_only_what_is_chosen_counts() -> None:
    """The other fields keep what stands in them for the next look at the form."""
    assert timing_in({**WHOLE, "timing": "none"}) == {}
    turn = {**WHOLE, "timing": "turn", "turn_seconds": "36", "turn_seconds.unit": "hours"}
    assert timing_in(turn) == {"turn_seconds": 129_600}


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"clock.bank": "two"}, "clock.bank"),
        ({"clock.bank.unit": "moons"}, "clock.bank"),
        ({"clock.windows[4].start": "19:00"}, "clock.windows[0].days"),
        ({"clock.windows[0].days": "every_day"}, "clock.windows[0].start"),
        ({"clock.reminders": "50, later"}, "clock.reminders"),
        ({"timing": "turn", "turn_seconds": "99999999999"}, "turn_seconds"),
    ],
)
def test_what_is_no_policy_is_shown_at_its_field(given: dict[str, str], field: str) -> None:
    """By the number that its row has once empty ones are left out."""
    with pytest.raises(ProblemError) as failed:
        timing_in(compacted({**TIMED, **given}))
    assert failed.value.problem.field == field


def test_rows_for_more() -> None:
    """Behind the filled ones; twice as many for who asks."""
    form = compacted(WHOLE)
    assert row_counts(form) == {"allowances": 3, "windows": 5, "on_expiry": 4}
    assert row_counts({**form, "more_rows": "1"}) == {"allowances": 5, "windows": 8, "on_expiry": 6}


def test_a_new_form_has_what_is_usual() -> None:
    """From the lobby, and it is a policy once it is chosen."""
    form = started(wire.GetClockRulesResponse(usual_policy=json.dumps(USUAL)))
    assert timing_in(form) == {}
    policy = policy_in({**form, "timing": "clock"})
    assert (policy["reminders"], policy["zone"]) == ([50, 90], "UTC")
    assert policy["on_expiry"] == [{"action": "director", "after_seconds": 0}]
    assert policy["bank"] and policy["grace_per_turn"] and "penalty" not in policy


def test_lengths_of_time() -> None:
    """In the largest unit that is exact."""
    spans = [span(Texts(), each) for each in (0, 59, 60, 5_400, 3_600, 90_000, 86_400, 172_800)]
    assert spans == [
        *("0 seconds", "59 seconds", "1 minute", "90 minutes", "1 hour", "25 hours", "1 day", "2 days")
    ]


@pytest.fixture(scope="module")
def owner(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Person]:
    """Who opens tables."""
    with web_serving(tmp_path_factory.mktemp("timed")) as running:
        yield Person(running, "Olga")


def opened(owner: Person, **given: str) -> Any:
    """The answer to the form of a table."""
    return owner.send("/tables/new", title="1824", player_count="3", more=given)


@pytest.mark.integration
def test_a_table_with_a_whole_policy_is_opened(owner: Person) -> None:
    """The lobby keeps what the form says, and the page of the table says it in words."""
    answer = opened(owner, **WHOLE)
    assert answer.status == 303, answer.body
    path = answer.headers["location"]
    table = owner.web.ask("GET", f"{LOBBY}/GetTable?tableId={path.rpartition('/')[2]}").body["table"]
    kept, wanted = json.loads(table["clock"]), policy_in(WHOLE)
    assert kept == {key: value for key, value in wanted.items() if value and value != USUAL.get(key)}
    page = owner.page(path)
    assert all(str(each).replace("'", "&#39;") in page for each in IN_WORDS)


@pytest.mark.integration
@pytest.mark.parametrize(
    ("given", "field", "said"),
    [
        ({**TIMED, "clock.bank": "0"}, "clock.bank", "bank and grace_per_turn are both 0"),
        ({**TIMED, "clock.zone": "Mars/Olympus"}, "clock.zone", "no IANA time zone"),
        (
            {**WHOLE, "clock.allowances[1].seconds": "-5"},
            "clock.allowances[0].seconds",
            "allowances[0].seconds is not 0 to",
        ),
        ({**WHOLE, "clock.min_hours_per_week": "3"}, "clock.min_hours_per_week", "not both"),
        ({**TIMED, "clock.on_expiry[3].after_seconds": "5"}, "clock.on_expiry[0].action", "Invalid enum"),
        ({"timing": "turn", "turn_seconds": "100", "turn_seconds.unit": "days"}, "turn_seconds", "5184000"),
        ({**TIMED, "clock.bank": "<b>"}, "clock.bank", "is no whole number"),
    ],
)
def test_a_refusal_stands_at_its_field(owner: Person, given: dict[str, str], field: str, said: str) -> None:
    """With the lobby's reason; the other fields keep what was written."""
    given = {"clock.zone": "UTC", **given}
    answer = opened(owner, **given)
    assert answer.status in (400, 422)
    page = answer.body.decode()
    (at_field,) = re.findall(rf'<p class="refused" id="{re.escape(field)}.refused">([^<]*)</p>', page)
    assert said in at_field
    tag = re.search(rf'<(?:input|select) id="{re.escape(field)}"[^>]*>', page)
    assert tag is not None
    assert f'aria-describedby="{field}.refused' in tag[0] and 'aria-invalid="true"' in tag[0]
    assert f'value="{given.get("clock.reminders", "")}"' in page and "<b>" not in page


@pytest.mark.integration
def test_more_rows_are_shown_without_a_table(owner: Person) -> None:
    """For who has no script: the form comes again with what was written."""
    answer = opened(owner, **WHOLE, more_rows="1")
    page = answer.body.decode()
    assert answer.status == 200 and 'id="clock.windows[7].days"' in page
    assert 'id="clock.windows[8].days"' not in page and 'value="25, 75 %"' in page


@pytest.mark.integration
def test_players_choose_when_they_play(owner: Person) -> None:
    """Vacation and hours, as far as the policy lets them; what is refused keeps what was written. Others have no such forms."""
    mate, other = Person(owner.web, "Otto"), Person(owner.web, "Oda")
    policy = json.dumps({"bank": 86_400, "min_hours_per_week": 10, "vacation_days_per_year": 14})
    seats = game_of(owner.web, [owner.token, mate.token], clock=policy, options=OPTIONS)
    path = f"/tables/{seats.table}"
    assert "When you play" in mate.page(path) and "When you play" not in other.page(path)
    first = date.today() + timedelta(days=2)
    days = {"first_date": str(first), "last_date": str(first + timedelta(days=4))}
    assert mate.done(f"{path}/vacation", **days) == path
    assert f"vacation from {days['first_date']} to {days['last_date']}" in owner.page(path)
    later = {"first_date": str(first + timedelta(days=9)), "last_date": str(first + timedelta(days=40))}
    long = mate.send(f"{path}/vacation", **later)
    assert (long.status, b"VACATION_TOO_LONG" in long.body) == (422, True)
    mate.done(f"{path}/end-vacation")
    assert "vacation from" not in owner.page(path)
    hours = {"clock.zone": "Europe/Vienna", "clock.windows[1].days": "0"}
    hours |= {"clock.windows[1].start": "18:00", "clock.windows[1].end": "19:00"}
    few = mate.send(f"{path}/hours", more=hours)
    assert (few.status, b"HOURS_TOO_FEW" in few.body) == (422, True)
    assert b'id="clock.windows[0].start" name="clock.windows[0].start" value="18:00"' in few.body
    assert mate.done(f"{path}/hours", more={**hours, "clock.windows[1].end": "06:00"}) == path
    no_time = mate.send(f"{path}/hours", more={**hours, "clock.windows[1].end": "late"})
    assert no_time.status == 400 and b'id="clock.windows[0].end.refused"' in no_time.body


@pytest.mark.integration
def test_a_table_that_leaves_nothing_to_choose(owner: Person) -> None:
    """Has no forms for it."""
    mate = Person(owner.web, "Olaf")
    seats = game_of(owner.web, [owner.token, mate.token], clock='{"bank": 86400}', options=OPTIONS)
    page = mate.page(f"/tables/{seats.table}")
    assert "When you play" not in page and "Time counts day and night." in page
