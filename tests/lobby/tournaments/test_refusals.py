"""What is refused, by reason; nothing has changed afterwards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from services.common.auth.tokens import Principal
from services.common.eventlog.memory import MemoryEventLog
from services.lobby.domain.positions import MoneyTransfer
from services.lobby.domain.rejections import RejectionReason
from services.lobby.domain.tournaments.charter import PlayedTitle, charter_json
from services.lobby.domain.tournaments.formats.stages import Swiss
from services.lobby.domain.tournaments.rounds.adjudicating import Ruling
from services.lobby.domain.tournaments.rounds.adjudication import AdjudicationKind, Award, FinalWorth
from services.lobby.domain.tournaments.rounds.round import (
    Round,
)
from services.lobby.domain.tournaments.tournament import Role
from tests.lobby.tournaments.club import (
    EXTERNAL,
    ONE_ROUND,
    SWISS,
    Club,
    charter_of,
    done,
    reason,
)

Act = Callable[["Running"], Any]


class Running:
    """A club with an event, its first round published: table 1 is played here, table 2 elsewhere."""

    def __init__(self) -> None:
        self.club = club = Club(7)
        titles = (PlayedTitle("1824", 4, 4), replace(EXTERNAL, players_max=3))
        charter = charter_of(Swiss(1), Swiss(1), titles=titles, second_person_in=("stage 0",))
        event = club.tournament(charter, 7)
        self.event_id = event.tournament_id
        self.current: Round = club.published(self.event_id)
        here = next(each for each in self.current.tables.values() if not each.table.is_external)
        away = next(each for each in self.current.tables.values() if each.table.is_external)
        self.here, self.away = here.table, away.table
        self.player = next(each for each in club.players if each.player_id == self.here.seats[0])
        self.round_id = self.current.round_id

    def award(self, *players: str) -> tuple[Award, ...]:
        """Points for each of them."""
        return tuple(Award(player, 1_000_000) for player in players)


@pytest.fixture(scope="module")
def running() -> Running:
    """Shared by all tests, since none changes anything."""
    return Running()


def written(running: Running) -> list[Any]:
    """Everything in the log."""
    log = running.club.log
    assert isinstance(log, MemoryEventLog)
    return [(each.stream, each.sequence) for each in log.read_all(limit=100_000)]


REFUSED: dict[str, tuple[str, Act]] = {
    "a director without the role": (
        "NOT_DIRECTOR",
        lambda r: r.club.desk.finish_stage(r.player, r.event_id),
    ),
    "proposing without the role": ("NOT_DIRECTOR", lambda r: r.club.rounds.propose(r.player, r.event_id)),
    "a charter by a player": (
        "NOT_DIRECTOR",
        lambda r: r.club.desk.amend(r.player, r.event_id, charter_json(SWISS), 1, "why not"),
    ),
    "a player entering twice": (
        "ENTRIES_CLOSED",
        lambda r: r.club.desk.enter(r.player, r.event_id, (), ()),
    ),
    "a result for a table not played": (
        "TABLE_NOT_PLAYED",
        lambda r: r.club.rounds.report(r.club.director, r.round_id, 9, {}),
    ),
    "a result for a table that is played here": (
        "TABLE_NOT_EXTERNAL",
        lambda r: r.club.rounds.report(r.player, r.round_id, r.here.number, dict.fromkeys(r.here.seats, 1)),
    ),
    "an override of a published round": (
        "ROUND_PUBLISHED",
        lambda r: r.club.rounds.override(r.club.director, r.round_id, [("1824", r.here.seats)], "friends"),
    ),
    "the next round before the results": (
        "ROUND_UNFINISHED",
        lambda r: r.club.rounds.propose(r.club.director, r.event_id),
    ),
    "the end of a stage before the results": (
        "ROUND_UNFINISHED",
        lambda r: r.club.desk.finish_stage(r.club.director, r.event_id),
    ),
    "a stage while one runs": ("STAGE_BEGUN", lambda r: r.club.desk.start_stage(r.club.director, r.event_id)),
    "an old version of the charter": (
        "CHARTER_VERSION_STALE",
        lambda r: r.club.desk.amend(r.club.director, r.event_id, charter_json(SWISS), 7, "typing error"),
    ),
    "another format for a stage that runs": (
        "STAGE_BEGUN",
        lambda r: r.club.desk.amend(r.club.director, r.event_id, charter_json(SWISS), 1, "no time"),
    ),
    "an amendment without a reason": (
        "REASON_MISSING",
        lambda r: r.club.desk.amend(r.club.director, r.event_id, charter_json(SWISS), 1, " "),
    ),
    "a title that is not played here": (
        "TITLE_UNKNOWN",
        lambda r: r.club.desk.create(
            r.club.director, charter_json(replace(SWISS, titles=(PlayedTitle("1889", 3, 4),)))
        ),
    ),
    "a penalty without a reason": (
        "REASON_MISSING",
        lambda r: r.club.desk.give_penalty(r.club.director, r.event_id, r.player.player_id, 1, ""),
    ),
    "a penalty that gives points": (
        "RESULT_MALFORMED",
        lambda r: r.club.desk.give_penalty(r.club.director, r.event_id, r.player.player_id, -1, "late"),
    ),
    "a penalty for a stranger": (
        "NOT_ENTERED",
        lambda r: r.club.desk.give_penalty(r.club.director, r.event_id, "nobody", 1, "late"),
    ),
    "admitting who does not wait": (
        "NOT_ENTERED",
        lambda r: r.club.desk.admit(r.club.director, r.event_id, r.player.player_id),
    ),
    "taking a role that is not held": (
        "ROLE_NOT_HELD",
        lambda r: r.club.desk.set_role(r.club.director, r.event_id, r.player.player_id, Role.SCORER, False),
    ),
    "refusing a place of a stage that has begun": (
        "STAGE_BEGUN",
        lambda r: r.club.desk.refuse_place(r.player, r.event_id, 0),
    ),
    "an absence from another table": (
        "NOT_SEATED",
        lambda r: r.club.rounds.record_no_show(
            r.club.director, r.round_id, r.away.number, r.player.player_id, "missing"
        ),
    ),
    "taking back an absence from another table": (
        "NOT_SEATED",
        lambda r: r.club.rounds.withdraw_no_show(
            r.club.director, r.round_id, r.away.number, r.player.player_id, "was there"
        ),
    ),
    "taking back an absence without a reason": (
        "REASON_MISSING",
        lambda r: r.club.rounds.withdraw_no_show(
            r.club.director, r.round_id, r.here.number, r.here.seats[0], " "
        ),
    ),
    "a substitute who sits at the table": (
        "NOT_SEATED",
        lambda r: r.club.substitutions.record(
            r.club.director, r.round_id, r.here.number, r.here.seats[0], r.here.seats[1], (0, 0), "ill"
        ),
    ),
    "a substitute with more turns than there were": (
        "RESULT_MALFORMED",
        lambda r: r.club.substitutions.record(
            r.club.director, r.round_id, r.here.number, r.here.seats[0], r.away.seats[1], (3, 2), "ill"
        ),
    ),
    "an award without a reason": (
        "REASON_MISSING",
        lambda r: r.club.rounds.adjudicate(r.club.director, r.round_id, 1, Ruling(AdjudicationKind.VOID), ""),
    ),
    "an award for some of the table": (
        "RESULT_MALFORMED",
        lambda r: r.club.rounds.adjudicate(
            r.club.director, r.round_id, r.here.number, Ruling(AdjudicationKind.AWARD, r.award("x")), "late"
        ),
    ),
    "a roll-back of a game played elsewhere": (
        "DIRECTION_NOT_AVAILABLE",
        lambda r: r.club.rounds.adjudicate(
            r.club.director,
            r.round_id,
            r.away.number,
            Ruling(AdjudicationKind.ROLL_BACK, sequence=7),
            "a wrong move",
        ),
    ),
    "points that are not awarded": (
        "RULING_MALFORMED",
        lambda r: r.club.rounds.adjudicate(
            r.club.director, r.round_id, r.here.number, Ruling(AdjudicationKind.VOID, r.award("x")), "late"
        ),
    ),
    "a correction that moves nothing": (
        "RULING_MALFORMED",
        lambda r: r.club.rounds.adjudicate(
            r.club.director, r.round_id, r.here.number, Ruling(AdjudicationKind.CORRECT), "a wrong click"
        ),
    ),
    "a correction that moves more than any game has": (
        "RULING_MALFORMED",
        lambda r: r.club.rounds.adjudicate(
            r.club.director,
            r.round_id,
            r.here.number,
            Ruling(AdjudicationKind.CORRECT, transfer=MoneyTransfer("a", "b", 10**18)),
            "a wrong click",
        ),
    ),
    "worths that no game has": (
        "RESULT_MALFORMED",
        lambda r: r.club.rounds.adjudicate(
            r.club.director,
            r.round_id,
            r.here.number,
            Ruling(
                AdjudicationKind.AWARD, worths=tuple(FinalWorth(each, -(10**18)) for each in r.here.seats)
            ),
            "late",
        ),
    ),
    "a check-in that ends in the far future": (
        "CHECK_IN_CLOSED",
        lambda r: r.club.desk.open_check_in(r.club.director, r.event_id, 1, 9 * 10**17),
    ),
    "confirming what nobody ruled": (
        "NO_ADJUDICATION",
        lambda r: r.club.rounds.confirm_adjudication(r.club.director, r.round_id, 1, 1),
    ),
    "an appeal against nothing": (
        "NO_ADJUDICATION",
        lambda r: r.club.rounds.appeal(r.player, r.round_id, r.here.number, 1, "unfair"),
    ),
    "an appeal from another table": (
        "NOT_SEATED",
        lambda r: r.club.rounds.appeal(r.player, r.round_id, r.away.number, 1, "unfair"),
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_it_is_refused_and_nothing_changes(running: Running, name: str) -> None:
    """By its reason, which is one of the contract."""
    wanted, act = REFUSED[name]
    before = written(running)
    assert reason(act(running)) == wanted
    assert written(running) == before
    assert RejectionReason(wanted)


def test_entering_twice_is_refused_while_entries_are_open() -> None:
    """Also by the same request sent with another id."""
    club = Club(1)
    made = done(club.desk.create(club.director, charter_json(SWISS)))
    done(club.desk.set_entries(club.director, made.tournament_id, True))
    done(club.desk.enter(club.players[0], made.tournament_id, (), ()))
    before = club.lobby.tournaments.reader.tournament(made.tournament_id)
    for preferences, hours, wanted in (
        ((), (), "ALREADY_ENTERED"),
        (("1889",), (), "ALREADY_ENTERED"),
    ):
        refused = club.desk.enter(club.players[0], made.tournament_id, preferences, hours)
        assert reason(refused) == wanted
    assert club.lobby.tournaments.reader.tournament(made.tournament_id) == before
    other = club.person("Olga")
    assert reason(club.desk.enter(other, made.tournament_id, ("1889",), ())) == "TITLE_NOT_OFFERED"
    assert reason(club.desk.enter(other, made.tournament_id, (), (168,))) == "HOURS_MALFORMED"


def test_an_override_needs_a_reason_and_everybody_once() -> None:
    """With both it replaces the tables and names the proposal that it changes."""
    club = Club(4)
    event = club.tournament(ONE_ROUND)
    proposed = done(club.rounds.propose(club.director, event.tournament_id))
    (table,) = proposed.proposal.tables
    turned = tuple(reversed(table.seats))
    change = club.rounds.override
    round_id = proposed.round_id
    for tables, why, wanted in (
        ([("1824", turned)], "  ", "OVERRIDE_WITHOUT_REASON"),
        ([("1824", turned[:3])], "friends", "PLAYER_MISSING"),
        ([("1824", (*turned[:3], turned[0]))], "friends", "PLAYER_TWICE"),
        ([("1889", turned)], "friends", "TITLE_NOT_OFFERED"),
    ):
        assert reason(change(club.director, round_id, tables, why)) == wanted
    assert club.lobby.tournaments.rounds.get(club.director.player_id, round_id) == proposed
    changed = done(change(club.director, round_id, [("1824", turned)], "a lift for two of them"))
    assert changed.proposal.tables[0].seats == turned
    assert changed.proposal.override.reason == "a lift for two of them"
    again = done(club.rounds.propose(club.director, event.tournament_id))
    assert again.proposal == proposed.proposal


def test_a_forbidden_pair_is_seated_by_no_override() -> None:
    """Neither set nor shown as a preview; the tables stay as they were proposed."""
    club = Club(8)
    ids = [each.player_id for each in club.players]
    event = club.tournament(charter_of(Swiss(1), forbidden=((ids[0], ids[1]),)))
    proposed = done(club.rounds.propose(club.director, event.tournament_id))
    together = [("1824", tuple(ids[:4])), ("1824", tuple(ids[4:]))]
    refused = club.rounds.override(club.director, proposed.round_id, together, "friends")
    assert reason(refused) == "NO_ARRANGEMENT"
    rounds = club.lobby.tournaments.rounds
    seen = rounds.preview_override(club.director.player_id, proposed.round_id, together)
    assert reason(seen) == "NO_ARRANGEMENT"
    assert rounds.get(club.director.player_id, proposed.round_id) == proposed


def test_an_adjudication_is_confirmed_appealed_and_taken_back() -> None:
    """In a stage that wants a second person; the appeal is decided by another director, and the result counts again."""
    club = Club(4)
    charter = replace(ONE_ROUND, second_person_in=("stage 0",), appeal_hours=1)
    event = club.tournament(charter)
    current = club.play(event.tournament_id)
    seats = current.tables[1].table.seats
    player = next(each for each in club.players if each.player_id == seats[0])
    second, third = club.person("Silvia"), club.person("Tilda")
    for each in (second, third):
        done(club.desk.set_role(club.director, event.tournament_id, each.player_id, Role.DIRECTOR, True))
    awards = tuple(Award(each, 2_000_000 * (each == seats[3])) for each in seats)

    def points() -> dict[str, int]:
        _, lines = club.lobby.tournaments.reader.standings(event.tournament_id, 0)
        return {line.player: line.points for line in lines}

    before = points()
    ruling = (current.round_id, 1, Ruling(AdjudicationKind.AWARD, awards), "all left at noon")
    done(club.rounds.adjudicate(club.director, *ruling))
    assert points() == before
    table = (current.round_id, 1)
    assert reason(club.rounds.confirm_adjudication(club.director, *table, 1)) == "SECOND_PERSON_NEEDED"
    done(club.rounds.confirm_adjudication(second, *table, 1))
    assert points() == {each.player_id: each.points for each in awards}
    done(club.rounds.appeal(player, *table, 1, "I was there"))
    assert reason(club.rounds.appeal(player, *table, 1, "again")) == "ALREADY_APPEALED"
    decide = club.rounds.decide_appeal
    assert reason(decide(club.director, *table, 1, True, "he was")) == "SECOND_PERSON_NEEDED"
    assert reason(decide(second, *table, 1, True, "he was")) == "SECOND_PERSON_NEEDED"
    done(decide(third, *table, 1, True, "he was there"))
    assert reason(decide(third, *table, 1, True, "he was there")) == "NO_APPEAL"
    assert points() == before
    done(club.rounds.adjudicate(club.director, *ruling))
    done(club.rounds.confirm_adjudication(second, *table, 2))
    club.clock.advance(3_600_001)
    assert reason(club.rounds.appeal(player, *table, 2, "late")) == "APPEAL_TOO_LATE"


def test_only_the_latest_adjudication_is_confirmed() -> None:
    """Another one may have followed since somebody looked. None is appealed against before it counts."""
    club = Club(4)
    event = club.tournament(replace(ONE_ROUND, second_person_in=("stage 0",)))
    current = club.play(event.tournament_id)
    player = next(each for each in club.players if each.player_id == current.tables[1].table.seats[0])
    second, third = two_directors(club, event.tournament_id)
    table, rounds = (current.round_id, 1), club.rounds
    for kind in (AdjudicationKind.VOID, AdjudicationKind.CONTINUE):
        done(rounds.adjudicate(club.director, *table, Ruling(kind), "the hall closes"))
    for number in (0, 1, 3, -1):
        assert reason(rounds.confirm_adjudication(second, *table, number)) == "ADJUDICATION_CHANGED"
        assert reason(rounds.appeal(player, *table, number, "unfair")) == "NO_ADJUDICATION"
    done(rounds.confirm_adjudication(second, *table, 2))
    done(rounds.appeal(player, *table, 2, "unfair"))
    assert reason(rounds.decide_appeal(third, *table, 1, True, "it was")) == "NO_APPEAL"
    done(rounds.decide_appeal(third, *table, 2, True, "it was"))
    first, latest = (
        club.lobby.tournaments.rounds.get(club.director.player_id, current.round_id).tables[1].adjudications
    )
    assert (first.confirmed_by, first.appeal) == ("", None)
    assert latest.confirmed_by == second.player_id


def two_directors(club: Club, event_id: str) -> tuple[Principal, Principal]:
    second, third = club.person("Silvia"), club.person("Tilda")
    for each in (second, third):
        done(club.desk.set_role(club.director, event_id, each.player_id, Role.DIRECTOR, True))
    return second, third
