"""Substitutes in seats of a round's tables: in the game first, if it is played here, then in the round."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from services.common.auth.tokens import Principal
from services.common.clock import Clock
from services.lobby.domain.directing import house_bot, no_house_bots
from services.lobby.domain.players import HOUSE_BOT, Player
from services.lobby.domain.rejections import Rejection, RejectionReason, shown
from services.lobby.domain.tournaments.refusing import rejected
from services.lobby.domain.tournaments.rounds import deciding, substituting
from services.lobby.domain.tournaments.rounds.round import Round
from services.lobby.domain.tournaments.tournament import Tournament
from services.lobby.handlers.tournaments.appending import TournamentStreams
from services.lobby.handlers.tournaments.directing import TournamentDirector

Answer = Round | Rejection


class SubstitutionHandlers:
    """One method for each request. All raise what `TournamentHandlers` do."""

    def __init__(
        self,
        streams: TournamentStreams,
        director: TournamentDirector,
        account: Callable[[str], Player | None],
        clock: Clock,
        has_house_bots: bool,
    ) -> None:
        """`account`: by id or name. `has_house_bots`: somebody moves for bots of the house."""
        self._streams = streams
        self._director = director
        self._account = account
        self._clock = clock
        self._has_house_bots = has_house_bots

    def record(
        self,
        caller: Principal,
        request_id: str,
        round_id: str,
        table: int,
        player_id: str,
        substitute_id: str,
        turns: tuple[int, int],
        reason: str,
        is_bot: bool = False,
    ) -> Answer:
        """Gives a seat to a substitute, or with `is_bot` to a bot of the house. With the turns of one who is known to have played
        the seat, nothing changes in the game: somebody else may play it by then."""

        def decide(tournament: Tournament, current: Round) -> deciding.Decided:
            substitute = self._substitute(current, table, player_id, substitute_id, is_bot)
            if isinstance(substitute, Rejection):
                return substitute
            decided = substituting.decide_substitute(
                tournament,
                caller.player_id,
                current,
                table,
                player_id,
                substitute,
                turns,
                reason,
                self._clock.now_ms(),
            )
            if isinstance(decided, Rejection):
                return decided
            if substituting.is_only_more_turns(current.tables[table], player_id, substitute, turns):
                return decided
            seat = (tournament, current, table, player_id, substitute)
            return self._director.give_seat(*seat, caller.player_id, request_id, reason) or decided

        wanted = HOUSE_BOT if is_bot else substitute_id
        content = ("substitute", table, player_id, wanted, turns, reason)
        return self._streams.change_round(caller, request_id, round_id, content, decide)

    def withdraw(
        self,
        caller: Principal,
        request_id: str,
        round_id: str,
        table: int,
        player_id: str,
        substitute_id: str,
        reason: str,
    ) -> Answer:
        """Takes a substitution back. The seat returns to who had it before, if the substitute plays it and the game goes on."""

        def decide(tournament: Tournament, current: Round) -> deciding.Decided:
            decided = substituting.decide_substitution_withdrawn(
                tournament,
                caller.player_id,
                current,
                table,
                player_id,
                substitute_id,
                reason,
                self._clock.now_ms(),
            )
            if isinstance(decided, Rejection) or not decided:
                return decided
            before = self._director.return_seat(current, decided[0], caller.player_id, request_id)
            return before if isinstance(before, Rejection) else (replace(decided[0], sequence=before),)

        content = ("substitution withdrawn", table, player_id, substitute_id, reason)
        return self._streams.change_round(caller, request_id, round_id, content, decide)

    def _substitute(
        self, current: Round, number: int, seat: str, substitute_id: str, is_bot: bool
    ) -> Player | Rejection:
        """Who is to play a seat."""
        state = current.tables.get(number)
        if is_bot:
            if not self._has_house_bots:
                return no_house_bots()
            if state is None:
                return deciding.no_table(number)
            if state.table.is_external:
                return deciding.no_game_here()
            return house_bot(state.table.seats, seat)
        found = self._account(substitute_id)
        if found is None:
            return rejected(RejectionReason.PLAYER_UNKNOWN, f"There is no player {shown(substitute_id)}.")
        return found
