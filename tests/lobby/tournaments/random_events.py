"""Random tournaments through the handlers, with everything that can happen to players, tables and results."""

from __future__ import annotations

from itertools import count
from random import Random
from typing import Any

from msgspec.structs import replace

from services.common.auth.tokens import Principal
from services.lobby.domain.rejections import Rejection
from services.lobby.domain.time_control.policy import ClockPolicy, MoneyPenalty, PointsPenalty
from services.lobby.domain.tournaments.charter import Charter, PlayedTitle, charter_json
from services.lobby.domain.tournaments.formats.stages import (
    DuplicateRounds,
    Heats,
    KnockOut,
    Stage,
    Swiss,
)
from services.lobby.domain.tournaments.rounds.adjudicating import Ruling
from services.lobby.domain.tournaments.rounds.adjudication import (
    AdjudicationKind,
    Award,
)
from services.lobby.domain.tournaments.rounds.round import (
    Round,
    TableState,
)
from services.lobby.domain.tournaments.tournament import Role, Tournament
from tests.lobby.scoring.events import random_policy
from tests.lobby.tournaments.club import EXTERNAL, Club, WillingDirector, done

MONTH_MS = 31 * 24 * 3_600_000
BANK = 100
CLOCKS = (
    None,
    ClockPolicy(bank=BANK, on_expiry=(), penalty=PointsPenalty(100_000, 10)),
    ClockPolicy(bank=BANK, on_expiry=(), penalty=MoneyPenalty(200, 10)),
)
"""Of an event, by its seed."""
TITLES = (PlayedTitle("1824", 2, 4), replace(EXTERNAL, players_min=2))


class RandomEvents:
    """A club in which one random tournament after the other is played."""

    def __init__(self, players: int = 11) -> None:
        self.club = Club(players, director=WillingDirector())
        self.second, self.third = self.club.person("Silvia"), self.club.person("Tilda")
        directors = (self.club.director, self.second, self.third)
        self.people = {each.player_id: each for each in (*self.club.players, *directors)}
        self.counts: dict[str, int] = {}

    def play(self, seed: int) -> str:
        """A whole tournament; returns its id."""
        return _Event(self, Random(seed), seed).play()

    def note(self, what: str, answer: Any) -> None:
        """Count what happened."""
        if not isinstance(answer, Rejection):
            self.counts[what] = self.counts.get(what, 0) + 1


class _Event:
    def __init__(self, events: RandomEvents, random: Random, seed: int) -> None:
        self.events, self.random, self.seed = events, random, seed
        self.club, self.director = events.club, events.club.director
        self.desk, self.rounds = self.club.desk, self.club.rounds

    def play(self) -> str:
        # Nobody is still banned for an absence at an earlier event.
        self.club.clock.advance(2 * MONTH_MS)
        made = done(self.desk.create(replace(self.director, kind="operator"), charter_json(self.charter())))
        event_id: str = made.tournament_id
        self.event_id = event_id
        for other in (self.events.second, self.events.third):
            done(self.desk.set_role(self.director, self.event_id, other.player_id, Role.DIRECTOR, True))
        done(self.desk.set_entries(self.director, self.event_id, True))
        for player in self.random.sample(self.club.players, self.random.randrange(7, 12)):
            done(self.desk.enter(player, self.event_id, self.wishes(), ()))
        done(self.desk.set_entries(self.director, self.event_id, False))
        for _ in made.charter.stages:
            done(self.desk.start_stage(self.director, self.event_id))
            self.play_stage()
            done(self.desk.finish_stage(self.director, self.event_id))
        return event_id

    def charter(self) -> Charter:
        formats = (Swiss(2), Swiss(3), Heats(2), DuplicateRounds(2), KnockOut(1), KnockOut(2, True))
        stages = [Stage("first", self.random.choice(formats))]
        if self.random.random() < 0.5:
            stages.append(Stage("final", Swiss(1), places=4))
        return Charter(
            name=f"Event {self.seed}",
            stages=tuple(stages),
            titles=self.random.choice((TITLES, TITLES[:1], TITLES[1:])),
            scoring=random_policy(self.seed),
            entries_max=self.random.choice((0, 6, 8)),
            second_person_in=("first",) if self.random.random() < 0.5 else (),
            clock=CLOCKS[self.seed % len(CLOCKS)],
            rates_external=self.random.random() < 0.5,
            rates_substituted=self.random.random() < 0.5,
        )

    def wishes(self) -> tuple[str, ...]:
        return ("1824",) if self.random.random() < 0.2 and self.seed % 3 == 0 and self.is_1824() else ()

    def is_1824(self) -> bool:
        return self.club.lobby.tournaments.reader.tournament(self.event_id).charter.title("1824") is not None

    def play_stage(self) -> None:
        for number in count(1):
            if number > 1:
                self.people_change()
            proposed = self.rounds.propose(self.director, self.event_id)
            if isinstance(proposed, Rejection):
                assert number > 1, proposed
                return
            if self.random.random() < 0.3:
                self.override(proposed)
            published = done(self.rounds.publish(self.director, proposed.round_id, 0))
            for state in published.tables.values():
                self.club.clock.advance(self.random.randrange(1, 100_000))
                self.play_table(published, state)

    def people_change(self) -> None:
        tournament = self.club.lobby.tournaments.reader.tournament(self.event_id)
        active = tournament.active()
        if self.random.random() < 0.3 and len(active) > 5:
            gone = self.random.choice(active)
            caller = self.random.choice((self.director, self.events.people[gone]))
            answer = self.desk.withdraw(caller, self.event_id, gone, "had to leave")
            self.events.note("withdrawal", answer)
        if tournament.waiting() and self.random.random() < 0.5:
            answer = self.desk.admit(self.director, self.event_id, tournament.waiting()[0])
            self.events.note("admission", answer)
        if self.random.random() < 0.1:
            self.amend(tournament)
        if self.random.random() < 0.2:
            player = self.random.choice(active)
            points = self.random.randrange(1, 2_000_000)
            self.events.note(
                "penalty", self.desk.give_penalty(self.director, self.event_id, player, points, "late")
            )

    def amend(self, tournament: Tournament) -> None:
        """More places, and a title less where there are two."""
        amended = replace(tournament.charter, entries_max=0, titles=tournament.charter.titles[-1:])
        given = (self.event_id, charter_json(amended), tournament.charter_version, "a box got lost")
        self.events.note("amendment", self.desk.amend(self.director, *given))

    def override(self, proposed: Round) -> None:
        tables = [list(each.seats) for each in proposed.proposal.tables]
        first, second = self.random.choice(tables), self.random.choice(tables)
        first[0], second[-1] = second[-1], first[0]
        titles = [each.title for each in proposed.proposal.tables]
        given = [(title, tuple(seats)) for title, seats in zip(titles, tables, strict=True)]
        answer = self.rounds.override(self.director, proposed.round_id, given, "a lift home")
        self.events.note("override", answer)

    def play_table(self, current: Round, state: TableState) -> None:
        seats, where = state.table.seats, (current.round_id, state.table.number)
        if self.random.random() < 0.1:
            answer = self.rounds.record_no_show(
                self.director, *where, self.random.choice(seats), "not at the table"
            )
            self.events.note("no-show", answer)
            if self.random.random() < 0.3:
                answer = self.rounds.withdraw_no_show(self.director, *where, seats[0], "was there")
                self.events.note("no-show withdrawn", answer)
        if self.random.random() < 0.1:
            self.substitute(state, where)
        is_abandoned = self.random.random() < 0.1
        if not is_abandoned:
            self.finish(state, where)
        if is_abandoned or self.random.random() < 0.15:
            self.adjudicate(state, where, is_abandoned)

    def substitute(self, state: TableState, where: tuple[str, int]) -> None:
        player = self.random.choice(state.table.seats)
        entered = self.club.lobby.tournaments.reader.tournament(self.event_id).entries
        substitute = self.random.choice(tuple(entered))
        turns = self.random.randrange(20)
        answer = self.club.substitutions.record(self.director, *where, player, substitute, (turns, 20), "ill")
        self.events.note("substitution", answer)
        if self.random.random() < 0.3:
            answer = self.club.substitutions.withdraw(self.director, *where, player, substitute, "was not")
            self.events.note("substitution withdrawn", answer)

    def finish(self, state: TableState, where: tuple[str, int]) -> None:
        worths = {player: self.random.randrange(0, 9000, 500) for player in state.table.seats}
        if state.table.is_external:
            first, second = (self.events.people[each] for each in state.table.seats[:2])
            done(self.rounds.report(first, *where, worths))
            done(self.rounds.confirm(second, *where, worths))
            return
        if CLOCKS[self.seed % len(CLOCKS)] is not None:
            self.be_late(state)
        self.club.finish(state, worths)
        if self.random.random() < 0.1:
            self.club.follow(state, 11)
            self.events.note("undone end", None)
            self.club.clock.advance(5000)
            self.club.finish(state, {player: worth + 1 for player, worth in worths.items()}, 13)

    def be_late(self, state: TableState) -> None:
        """A turn that takes up to twice the time that it has; the end of the game ends it."""
        seat = self.random.choice(state.table.seats)
        self.club.follow(
            state, 5, acting_players=(seat,), round_kind="stock", turn=1, round_number=1, actor=seat
        )
        self.club.clock.advance(self.random.randrange(2 * BANK * 1000))
        self.events.note("overdue turn", None)

    def adjudicate(self, state: TableState, where: tuple[str, int], is_abandoned: bool) -> None:
        kinds = (AdjudicationKind.AWARD, AdjudicationKind.VOID)
        kind = self.random.choice(kinds if is_abandoned else (*kinds, AdjudicationKind.CONTINUE))
        latest = len(state.adjudications) + 1
        awards = tuple(Award(player, self.random.randrange(5) * 1_000_000) for player in state.table.seats)
        given = awards if kind is AdjudicationKind.AWARD else ()
        done(self.rounds.adjudicate(self.director, *where, Ruling(kind, given), "the hall closes"))
        self.events.note("adjudication", None)
        is_confirmed = is_abandoned or self.random.random() < 0.7
        if is_confirmed:
            done(self.rounds.confirm_adjudication(self.events.second, *where, latest))
        if is_confirmed and not is_abandoned and self.random.random() < 0.5:
            player: Principal = self.events.people[self.random.choice(state.table.seats)]
            done(self.rounds.appeal(player, *where, latest, "unfair"))
            is_upheld = self.random.random() < 0.5
            done(self.rounds.decide_appeal(self.events.third, *where, latest, is_upheld, "heard both"))
            self.events.note("appeal", None)
