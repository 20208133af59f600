"""What directors of tournaments decide about the games of their tables. Rules carries it out and keeps it.

It is carried out before it is recorded in the round. A lobby that dies in between leaves a decision in the game that the round
does not have: it is found there and recorded (`RoundPublisher.catch_up`). The request id for rules follows from the decision,
so that a repeated request finds the first outcome."""

from __future__ import annotations

from collections.abc import Callable

from services.gen.signalbox.events.v1.events_pb2 import (
    BEARER_KIND_BOT,
    BEARER_KIND_PLAYER,
    BEARER_KIND_SUBSTITUTE,
    Score,
)
from services.gen.signalbox.rules.v1.direction_pb2 import AssignSeat, Correct, Direction, EndGame, RollBack
from services.lobby.domain.directing import (
    bearer_of,
    did_not_enter,
    direction_refused,
    game_moved_on,
    game_not_begun,
    named_house_bot,
    not_director,
)
from services.lobby.domain.players import Player
from services.lobby.domain.rejections import Rejection, RejectionReason
from services.lobby.domain.table_requests import reject_bearer
from services.lobby.domain.tables import Table, TableState
from services.lobby.domain.tournaments.refusing import rejected
from services.lobby.domain.tournaments.rounds.adjudicating import needs_second, reject_party
from services.lobby.domain.tournaments.rounds.adjudication import (
    AdjudicationKind,
    AdjudicationMade,
)
from services.lobby.domain.tournaments.rounds.round import (
    Round,
    SubstitutionWithdrawn,
)
from services.lobby.domain.tournaments.rounds.substituting import has_agreed, substitutes_in
from services.lobby.domain.tournaments.tournament import Tournament
from services.lobby.handlers.requests import derived_id
from services.lobby.handlers.tournaments.appending import TournamentStreams
from services.lobby.ports import Directed, DirectionRefused, Freshness, GameDirector, GameMovedOn

BEGUN = (TableState.PLAYING, TableState.FINISHED)
REASON_LENGTH_MAX = 500
"""Of what a game keeps; the round has the whole reason."""
FREE_OF_SECOND_PERSON = ("assign_seat", "suspend", "resume")
"""Decisions that leave the position as it is."""


class TournamentDirector:
    """Knows who directs the tables of rounds, and has their decisions carried out."""

    def __init__(
        self,
        streams: TournamentStreams,
        table_with_id: Callable[[str], Table],
        director: GameDirector,
        freshen: Freshness,
        reject_seat: Callable[[Player], Rejection | None],
    ) -> None:
        """`table_with_id` raises `NotFound` for an unknown table. `reject_seat`: why a player has no room for one more seat."""
        self._streams = streams
        self._table_with_id = table_with_id
        self._director = director
        self._freshen = freshen
        self._reject_seat = reject_seat

    def has_entered(self, table: Table, player_id: str) -> bool:
        """Whether a player entered the event of a table; nobody did where the table belongs to none."""
        if not table.round_id:
            return False
        current = self._streams.round(table.round_id)
        return has_agreed(self._streams.tournament(current.tournament_id), player_id)

    def reject_direction(self, player_id: str, table: Table, direction: Direction) -> Rejection | None:
        """Why a player may not decide this about the game of a table, None if they may: the directors of its tournament do."""
        if not table.round_id:
            return not_director()
        current = self._streams.round(table.round_id)
        tournament = self._directed_tournament(player_id, current.tournament_id)
        if tournament is None:
            return not_director()
        if direction.WhichOneof("body") in FREE_OF_SECOND_PERSON:
            return None
        state = current.tables.get(table.round_table)
        rejection = None if state is None else reject_party(state, player_id)
        if rejection is not None or not needs_second(tournament, current.stage):
            return rejection
        return rejected(
            RejectionReason.SECOND_PERSON_NEEDED,
            "In this stage another director has to confirm it: adjudicate on the table of the round instead.",
        )

    def give_seat(
        self,
        tournament: Tournament,
        current: Round,
        number: int,
        seat: str,
        substitute: Player,
        caller: str,
        request: str,
        reason: str,
    ) -> Rejection | None:
        """Has a substitute who agrees play a seat; why that cannot be, None once it is so or the table is played elsewhere."""
        has_entered = has_agreed(tournament, substitute.player_id)
        if current.tables[number].table.is_external:
            agrees = has_entered or substitute.player_id == caller
            return None if agrees else did_not_enter(substitute, can_offer=False)
        table = self._begun_table(current, number)
        if isinstance(table, Rejection):
            return table
        if bearer_of(table.seat_takers, seat) == substitute.player_id:
            return None
        if named_house_bot(substitute.player_id) is None:
            rejection = reject_bearer(table, substitute, caller, has_entered) or self._reject_seat(substitute)
            if rejection is not None:
                return rejection
        direction = _assigned(seat, substitute.player_id, reason)
        request_id = derived_id("a", current.round_id, caller, request)
        done = self._carried_out(table, caller, request_id, 0, direction)
        return done if isinstance(done, Rejection) else None

    def return_seat(
        self, current: Round, withdrawn: SubstitutionWithdrawn, caller: str, request: str
    ) -> int | Rejection:
        """Has a seat played again by who had it before a substitute, if the substitute plays it in a game that goes on.

        The event of the game up to which the substitute had the seat, as far as that is known; or why it cannot return."""
        state, seat = current.tables[withdrawn.table], withdrawn.player_id
        if state.table.is_external:
            return 0
        table = self._begun_table(current, withdrawn.table)
        if isinstance(table, Rejection):
            return table
        last, *before = (*reversed([each.player_id for each in substitutes_in(state, seat)]), seat)
        has_arrived = any((each.seat, each.bearer.player_id) == (seat, last) for each in table.seat_takers)
        plays = bearer_of(table.seat_takers, seat) == last if has_arrived else True
        if withdrawn.substitute_id != last or not plays:
            return 0
        if table.state is TableState.FINISHED:
            return table.result_sequence
        direction = _assigned(seat, before[0], withdrawn.reason)
        request_id = derived_id("a", current.round_id, caller, request)
        done = self._carried_out(table, caller, request_id, 0, direction)
        return done if isinstance(done, Rejection) else done.first

    def carry_out(self, current: Round, made: AdjudicationMade, confirmed_by: str = "") -> Rejection | None:
        """Changes the game of a table as a director ruled; why that cannot be, None once it has changed."""
        table = self._begun_table(current, made.table)
        if isinstance(table, Rejection):
            return table
        direction = _direction(made)
        direction.confirmed_by = confirmed_by
        content = direction.SerializeToString(deterministic=True).hex()
        request = derived_id("a", current.round_id, made.author, str(made.expected_sequence), content)
        done = self._carried_out(table, made.author, request, made.expected_sequence, direction)
        return done if isinstance(done, Rejection) else None

    def _directed_tournament(self, player_id: str, tournament_id: str) -> Tournament | None:
        tournament = self._streams.tournament(tournament_id)
        if not tournament.is_director(player_id):
            self._freshen()
            tournament = self._streams.tournament(tournament_id)
        return tournament if tournament.is_director(player_id) else None

    def _begun_table(self, current: Round, number: int) -> Table | Rejection:
        table_id = current.tables[number].table.table_id
        table = self._table_with_id(table_id)
        if table.state not in BEGUN:
            self._freshen()
            table = self._table_with_id(table_id)
        return table if table.state in BEGUN else game_not_begun()

    def _carried_out(
        self, table: Table, author: str, request_id: str, expected_sequence: int, direction: Direction
    ) -> Directed | Rejection:
        try:
            return self._director.direct(table.game_id, author, request_id, expected_sequence, direction)
        except GameMovedOn as moved:
            return game_moved_on(moved.sequence)
        except DirectionRefused as refused:
            return direction_refused(refused.code, str(refused), refused.clause)


def _assigned(seat: str, bearer: str, reason: str) -> Direction:
    """What rules is asked for so that an account plays a seat."""
    kind = BEARER_KIND_SUBSTITUTE
    if bearer == seat:
        kind = BEARER_KIND_PLAYER
    elif named_house_bot(bearer) is not None:
        kind = BEARER_KIND_BOT
    assigned = AssignSeat(seat=seat, bearer=bearer, kind=kind)
    return Direction(reason=_shortened(reason), assign_seat=assigned)


def _direction(made: AdjudicationMade) -> Direction:
    """What rules is asked for."""
    reason = _shortened(made.reason)
    match made.kind:
        case AdjudicationKind.ROLL_BACK:
            return Direction(reason=reason, roll_back=RollBack(to_sequence=made.sequence))
        case AdjudicationKind.CORRECT:
            moved = made.transfer
            correct = Correct(
                source=moved.source, target=moved.target, amount=moved.amount, subject=moved.subject
            )
            return Direction(reason=reason, correct=correct)
        case _:
            scores = [Score(player=each.player_id, value=each.worth) for each in made.worths]
            return Direction(reason=reason, end_game=EndGame(scores=scores))


def _shortened(reason: str) -> str:
    return reason.strip()[:REASON_LENGTH_MAX]
