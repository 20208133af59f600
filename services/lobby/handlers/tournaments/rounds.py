"""What happens in a round: proposal, override, publishing, results, absences, adjudications, appeals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from services.common.auth.tokens import Principal
from services.common.clock import Clock
from services.common.errors import NotFound, Unavailable
from services.lobby.domain.players import Player
from services.lobby.domain.ratings.results import OVERALL
from services.lobby.domain.rejections import Rejection
from services.lobby.domain.tournaments.formats.designs import Design
from services.lobby.domain.tournaments.pairing.costs import Cost
from services.lobby.domain.tournaments.pairing.proposal import Proposal, ProposedTable
from services.lobby.domain.tournaments.refusing import of_pairing, reject_no_scorer
from services.lobby.domain.tournaments.rejections import TournamentRejected
from services.lobby.domain.tournaments.rounds import absences, adjudicating, deciding, publishing
from services.lobby.domain.tournaments.rounds.adjudicating import Ruling
from services.lobby.domain.tournaments.rounds.proposing import propose
from services.lobby.domain.tournaments.rounds.round import (
    Round,
    round_id_of,
)
from services.lobby.domain.tournaments.tournament import Tournament
from services.lobby.handlers.stream_changes import RACES_MAX
from services.lobby.handlers.tournaments.appending import TournamentStreams
from services.lobby.handlers.tournaments.directing import TournamentDirector
from services.lobby.handlers.tournaments.publishing import RoundPublisher
from services.lobby.ports import IsCancelled, NoteAct, never_cancelled
from services.lobby.tournament_directory import TournamentDirectory

Answer = Round | Rejection
NOBODY: Mapping[str, int] = MappingProxyType({})


class RoundHandlers:
    """One method for each request about a round. All raise what `TournamentHandlers` do."""

    def __init__(
        self,
        streams: TournamentStreams,
        directory: TournamentDirectory,
        publisher: RoundPublisher,
        director: TournamentDirector,
        account: Callable[[str], Player | None],
        clock: Clock,
        designs: Sequence[Design],
        is_operator: Callable[[Principal], bool],
        note_act: NoteAct,
    ) -> None:
        self._streams = streams
        self._directory = directory
        self._publisher = publisher
        self._director = director
        self._account = account
        self._clock = clock
        self._designs = designs
        self._is_operator = is_operator
        self._note_act = note_act

    def get(self, caller_id: str, round_id: str) -> Round:
        """One round; raises `NotFound` for one that is not published, unless the caller directs."""
        current = self._streams.round(round_id)
        tournament = self._streams.tournament(current.tournament_id)
        if not current.is_published and not tournament.is_director(caller_id):
            raise NotFound("there is no such round")
        return current

    def propose(self, caller: Principal, request_id: str, tournament_id: str) -> Answer:
        """Pairs the next round of the stage, or again one that is not published."""
        for _ in range(RACES_MAX):
            tournament = self._streams.tournament(tournament_id)
            rounds = self._directory.rounds(tournament_id, tournament.stage)
            before = [each for each in rounds if each.is_published]
            round_id = round_id_of(tournament_id, tournament.stage, len(before) + 1)
            content = ("propose", tournament_id)
            for asked in (*(each.round_id for each in rounds), round_id):
                repeated = self._streams.repeated_round(caller, request_id, asked, content)
                if repeated is not None:
                    return repeated
            decided = self._streams.reject_more_stored(caller.player_id) or self._decide_propose(
                tournament, caller.player_id, before, round_id
            )
            if isinstance(decided, Rejection):
                return decided
            draft = self._directory.round(round_id)
            version = 0 if draft is None else draft.version
            written = self._streams.append_round(caller, request_id, round_id, content, version, decided)
            if written is not None:
                return written
        raise Unavailable("too many concurrent changes of this round; send the request again")

    def override(
        self,
        caller: Principal,
        request_id: str,
        round_id: str,
        tables: Sequence[tuple[str, tuple[str, ...]]],
        reason: str,
    ) -> Answer:
        """Sets other tables, each with its title and seats."""
        wanted = _wanted(tables)
        return self._streams.change_round(
            caller,
            request_id,
            round_id,
            ("override", tables, reason),
            lambda tournament, current: deciding.decide_override(
                tournament, caller.player_id, current, wanted, reason, self._clock.now_ms()
            ),
        )

    def preview_override(
        self, caller_id: str, round_id: str, tables: Sequence[tuple[str, tuple[str, ...]]]
    ) -> Proposal | Rejection:
        """The proposal with other tables; changes nothing. Raises `NotFound`."""
        current = self._streams.round(round_id)
        tournament = self._streams.tournament(current.tournament_id)
        return deciding.preview_override(tournament, caller_id, current, _wanted(tables))

    def publish(
        self,
        caller: Principal,
        request_id: str,
        round_id: str,
        publish_time_ms: int,
        is_cancelled: IsCancelled = never_cancelled,
    ) -> Answer:
        """Publishes a round, now or at a time. Where a table cannot begin now, it begins later by itself."""
        scheduled = self._streams.change_round(
            caller,
            request_id,
            round_id,
            ("publish", publish_time_ms),
            lambda tournament, current: publishing.decide_schedule(
                tournament, caller.player_id, current, publish_time_ms, self._clock.now_ms()
            ),
        )
        if isinstance(scheduled, Rejection):
            return scheduled
        return self._publisher.publish_due(round_id, is_cancelled)

    def report(
        self,
        caller: Principal,
        request_id: str,
        round_id: str,
        table: int,
        worths: dict[str, int],
        orders: Mapping[str, int] = NOBODY,
    ) -> Answer:
        """Reports the result of an external table; `orders`: of the players who went bankrupt, from 1."""
        return self._streams.change_round(
            caller,
            request_id,
            round_id,
            ("report", table, sorted(worths.items()), sorted(orders.items())),
            lambda tournament, current: deciding.decide_report(
                tournament, caller.player_id, current, table, worths, orders, self._clock.now_ms()
            ),
        )

    def confirm(
        self,
        caller: Principal,
        request_id: str,
        round_id: str,
        table: int,
        worths: dict[str, int],
        orders: Mapping[str, int] = NOBODY,
    ) -> Answer:
        """Confirms a reported result, which has these worths and bankruptcies."""
        return self._streams.change_round(
            caller,
            request_id,
            round_id,
            ("confirm", table, sorted(worths.items()), sorted(orders.items())),
            lambda tournament, current: deciding.decide_confirm(
                tournament, caller.player_id, current, table, worths, orders, self._clock.now_ms()
            ),
        )

    def record_no_show(
        self, caller: Principal, request_id: str, round_id: str, table: int, player_id: str, reason: str
    ) -> Answer:
        """Records that a player was missing."""
        return self._streams.change_round(
            caller,
            request_id,
            round_id,
            ("no-show", table, player_id, reason),
            lambda tournament, current: absences.decide_no_show(
                tournament, caller.player_id, current, table, player_id, reason, self._clock.now_ms()
            ),
        )

    def withdraw_no_show(
        self, caller: Principal, request_id: str, round_id: str, table: int, player_id: str, reason: str
    ) -> Answer:
        """Takes back that a player was missing; operators too, whose act is noted."""
        is_staff = self._is_operator(caller)

        def decide(tournament: Tournament, current: Round) -> deciding.Decided:
            rejection = None if is_staff else reject_no_scorer(tournament, caller.player_id)
            return rejection or absences.decide_no_show_withdrawn(
                caller.player_id, current, table, player_id, reason, self._clock.now_ms()
            )

        content = ("no-show withdrawn", table, player_id, reason)
        changed = self._streams.change_round(caller, request_id, round_id, content, decide)
        if is_staff and isinstance(changed, Round):
            where = f"{player_id} at table {table} of {round_id}"
            self._note_act(
                caller, request_id, "withdraw_no_show", reason, changed.tables[table].table.game_id, where
            )
        return changed

    def adjudicate(
        self,
        caller: Principal,
        request_id: str,
        round_id: str,
        table: int,
        ruling: Ruling,
        reason: str,
    ) -> Answer:
        """Rules on a table. What changes the game is carried out there first, and recorded if the game took it; where a second
        person is needed, that happens once they confirm it."""

        def decide(tournament: Tournament, current: Round) -> deciding.Decided:
            made = adjudicating.decide_adjudicate(
                tournament, caller.player_id, current, table, ruling, reason, self._clock.now_ms()
            )
            if isinstance(made, Rejection):
                return made
            if made.changes_game and adjudicating.is_recorded(current.tables[table], made):
                return ()
            is_now = made.changes_game and not made.needs_second
            return (self._director.carry_out(current, made) if is_now else None) or (made,)

        # The latest award counts: one that was made at the table before must not be recorded after this one.
        self._publisher.find_rulings(round_id, table)
        content = ("adjudicate", table, ruling, reason)
        return self._streams.change_round(caller, request_id, round_id, content, decide)

    def confirm_adjudication(
        self, caller: Principal, request_id: str, round_id: str, table: int, adjudication: int
    ) -> Answer:
        """Confirms the latest adjudication on a table, which has this number, and has it carried out in the game if it changes
        that."""

        def decide(tournament: Tournament, current: Round) -> deciding.Decided:
            decided = adjudicating.decide_confirm_adjudication(
                tournament, caller.player_id, current, table, adjudication, self._clock.now_ms()
            )
            if isinstance(decided, Rejection) or not decided:
                return decided
            made = current.tables[table].adjudications[-1].made
            if not made.changes_game:
                return decided
            return self._director.carry_out(current, made, caller.player_id) or decided

        return self._streams.change_round(
            caller, request_id, round_id, ("confirm adjudication", table, adjudication), decide
        )

    def appeal(
        self, caller: Principal, request_id: str, round_id: str, table: int, adjudication: int, text: str
    ) -> Answer:
        """Appeals against the adjudication of this number on a table."""
        return self._streams.change_round(
            caller,
            request_id,
            round_id,
            ("appeal", table, adjudication, text),
            lambda tournament, current: adjudicating.decide_appeal(
                tournament, caller.player_id, current, table, adjudication, text, self._clock.now_ms()
            ),
        )

    def decide_appeal(
        self,
        caller: Principal,
        request_id: str,
        round_id: str,
        table: int,
        adjudication: int,
        is_upheld: bool,
        reason: str,
    ) -> Answer:
        """Decides an appeal against the adjudication of this number."""
        return self._streams.change_round(
            caller,
            request_id,
            round_id,
            ("decide appeal", table, adjudication, is_upheld, reason),
            lambda tournament, current: adjudicating.decide_appeal_decision(
                tournament,
                caller.player_id,
                current,
                table,
                adjudication,
                is_upheld,
                reason,
                self._clock.now_ms(),
            ),
        )

    def _decide_propose(
        self, tournament: Tournament, caller: str, before: Sequence[Round], round_id: str
    ) -> deciding.Decided:
        rejection = deciding.reject_next_round(tournament, caller, before)
        if rejection is not None:
            return rejection
        everything = self._directory.rounds(tournament.tournament_id)
        earlier = [each for each in everything if each.stage < tournament.stage and each.is_published]
        board = self._directory.ratings().get(OVERALL, {})
        ratings = {player: rating.shown for player, rating in board.items()}
        number = len(before) + 1
        try:
            made = propose(tournament, number, before, earlier, ratings, self._designs)
        except TournamentRejected as problem:
            return of_pairing(problem, tournament)
        draft = self._directory.round(round_id)
        return deciding.decide_propose(tournament, caller, number, draft, made, self._clock.now_ms())


def _wanted(tables: Sequence[tuple[str, tuple[str, ...]]]) -> list[ProposedTable]:
    return [ProposedTable(number, seats, title, Cost()) for number, (title, seats) in enumerate(tables, 1)]
