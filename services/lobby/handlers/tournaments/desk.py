"""What directors and players do with a tournament as a whole: charter, roles, entries, check-in, stages."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from services.common.auth.tokens import Principal
from services.common.clock import Clock
from services.common.errors import InvalidRequest
from services.lobby.domain.players import Player
from services.lobby.domain.ratings.results import OVERALL
from services.lobby.domain.rejections import Rejection, RejectionReason, shown
from services.lobby.domain.tournaments import deciding, running
from services.lobby.domain.tournaments.charter import (
    Charter,
    choices_of,
    reaching,
    read_charter,
    reject_reach,
)
from services.lobby.domain.tournaments.formats.designs import Design
from services.lobby.domain.tournaments.playable_stages import reject_unplayable
from services.lobby.domain.tournaments.refusing import rejected
from services.lobby.domain.tournaments.tournament import Role, Tournament
from services.lobby.handlers.requests import derived_id
from services.lobby.handlers.tables import TableHandlers
from services.lobby.handlers.tournaments.appending import TournamentStreams
from services.lobby.ports import NoteAct, SeedSource
from services.lobby.tournament_directory import TournamentDirectory

Answer = Tournament | Rejection
LOT_SHIFT = 10
"""Seeds of tournaments are cut to 53 bits, which every reader of JSON keeps exact."""


class TournamentHandlers:
    """One method for each request about a tournament. All raise `InvalidRequest` for a malformed request id, `NotFound` for an
    unknown tournament, and `Unavailable`."""

    def __init__(
        self,
        streams: TournamentStreams,
        directory: TournamentDirectory,
        tables: TableHandlers,
        account: Callable[[str], Player | None],
        seeds: SeedSource,
        clock: Clock,
        tournaments_max: int,
        is_operator: Callable[[Principal], bool],
        note_act: NoteAct,
        designs: Sequence[Design],
    ) -> None:
        self._streams = streams
        self._directory = directory
        self._tables = tables
        self._account = account
        self._seeds = seeds
        self._clock = clock
        self._tournaments_max = tournaments_max
        self._is_operator = is_operator
        self._note_act = note_act
        self._designs = designs

    def create(self, caller: Principal, request_id: str, text: str) -> Answer:
        """Sets up a tournament by the charter in a JSON document."""
        tournament_id = derived_id("e", caller.player_id, request_id)

        def decide() -> deciding.Decided:
            charter = self.playable(caller, text)
            if isinstance(charter, Rejection):
                return charter
            if self._directory.directed_by(caller.player_id) >= self._tournaments_max:
                return rejected(
                    RejectionReason.TOO_MANY_TOURNAMENTS,
                    f"You direct {self._tournaments_max} unfinished tournaments, as many as a player may.",
                )
            seed, game_seed = self._seeds.draw() >> LOT_SHIFT, self._seeds.draw()
            director = Player(caller.player_id, caller.name)
            return deciding.decide_create(
                tournament_id, director, charter, seed, game_seed, self._clock.now_ms()
            )

        made = self._streams.create(caller, request_id, tournament_id, ("create tournament", text), decide)
        return self._with_note(caller, request_id, made, "")

    def amend(
        self, caller: Principal, request_id: str, tournament_id: str, text: str, version: int, reason: str
    ) -> Answer:
        """Replaces the charter."""

        def decide(tournament: Tournament) -> deciding.Decided:
            charter = self.playable(caller, text, tournament)
            if isinstance(charter, Rejection):
                return charter
            now_ms = self._clock.now_ms()
            return deciding.decide_amend(tournament, caller.player_id, charter, version, reason, now_ms)

        content = ("amend", text, version, reason)
        changed = self._streams.change(caller, request_id, tournament_id, content, decide)
        return self._with_note(caller, request_id, changed, reason)

    def set_role(
        self,
        caller: Principal,
        request_id: str,
        tournament_id: str,
        player_id: str,
        role: Role,
        is_given: bool,
    ) -> Answer:
        """Gives or takes a role."""

        def decide(tournament: Tournament) -> deciding.Decided:
            player = self._account(player_id)
            if player is None:
                return rejected(RejectionReason.PLAYER_UNKNOWN, f"There is no player {shown(player_id)}.")
            return deciding.decide_role(tournament, caller.player_id, player, role, is_given)

        content = ("role", player_id, role.value, is_given)
        return self._streams.change(caller, request_id, tournament_id, content, decide)

    def set_entries(self, caller: Principal, request_id: str, tournament_id: str, are_open: bool) -> Answer:
        """Opens or closes the entries."""
        return self._streams.change(
            caller,
            request_id,
            tournament_id,
            ("entries", are_open),
            lambda tournament: deciding.decide_entries(tournament, caller.player_id, are_open),
        )

    def enter(
        self,
        caller: Principal,
        request_id: str,
        tournament_id: str,
        preferences: tuple[str, ...],
        hours: tuple[int, ...],
    ) -> Answer:
        """Enters the caller."""
        player = Player(caller.player_id, caller.name)
        return self._streams.change(
            caller,
            request_id,
            tournament_id,
            ("enter", preferences, hours),
            lambda tournament: deciding.decide_enter(
                tournament, player, preferences, hours, self._record(tournament, player), self._clock.now_ms()
            ),
        )

    def withdraw(
        self, caller: Principal, request_id: str, tournament_id: str, player_id: str, reason: str
    ) -> Answer:
        """Takes a player out: the caller, or for a director anybody."""
        return self._streams.change(
            caller,
            request_id,
            tournament_id,
            ("withdraw", player_id, reason),
            lambda tournament: deciding.decide_withdraw(tournament, caller.player_id, player_id, reason),
        )

    def admit(self, caller: Principal, request_id: str, tournament_id: str, player_id: str) -> Answer:
        """Takes a player from the waiting list."""
        return self._streams.change(
            caller,
            request_id,
            tournament_id,
            ("admit", player_id),
            lambda tournament: deciding.decide_admit(tournament, caller.player_id, player_id),
        )

    def open_check_in(
        self, caller: Principal, request_id: str, tournament_id: str, number: int, until_ms: int
    ) -> Answer:
        """Opens the check-in for a round."""
        return self._streams.change(
            caller,
            request_id,
            tournament_id,
            ("open check-in", number, until_ms),
            lambda tournament: deciding.decide_open_check_in(
                tournament, caller.player_id, number, until_ms, self._clock.now_ms()
            ),
        )

    def check_in(self, caller: Principal, request_id: str, tournament_id: str) -> Answer:
        """Checks the caller in."""
        return self._streams.change(
            caller,
            request_id,
            tournament_id,
            ("check in",),
            lambda tournament: deciding.decide_check_in(tournament, caller.player_id, self._clock.now_ms()),
        )

    def refuse_place(self, caller: Principal, request_id: str, tournament_id: str, stage: int) -> Answer:
        """Refuses a place of the caller in a later stage."""
        return self._streams.change(
            caller,
            request_id,
            tournament_id,
            ("refuse", stage),
            lambda tournament: deciding.decide_refuse_place(tournament, caller.player_id, stage),
        )

    def give_penalty(
        self, caller: Principal, request_id: str, tournament_id: str, player_id: str, points: int, reason: str
    ) -> Answer:
        """Takes points from a player."""
        return self._streams.change(
            caller,
            request_id,
            tournament_id,
            ("penalty", player_id, points, reason),
            lambda tournament: deciding.decide_penalty(
                tournament, caller.player_id, player_id, points, reason
            ),
        )

    def post(self, caller: Principal, request_id: str, tournament_id: str, text: str) -> Answer:
        """Shows a text to everybody."""
        return self._streams.change(
            caller,
            request_id,
            tournament_id,
            ("post", text),
            lambda tournament: deciding.decide_post(tournament, caller.player_id, text, self._clock.now_ms()),
        )

    def start_stage(self, caller: Principal, request_id: str, tournament_id: str) -> Answer:
        """Begins the next stage."""
        return self._streams.change(
            caller,
            request_id,
            tournament_id,
            ("start stage",),
            lambda tournament: running.decide_start_stage(
                tournament, caller.player_id, self._shown_ratings()
            ),
        )

    def finish_stage(self, caller: Principal, request_id: str, tournament_id: str) -> Answer:
        """Ends the stage that runs."""
        return self._streams.change(
            caller,
            request_id,
            tournament_id,
            ("finish stage",),
            lambda tournament: running.decide_finish_stage(
                tournament,
                caller.player_id,
                self._directory.rounds(tournament_id, tournament.stage),
                self._clock.now_ms(),
            ),
        )

    def playable(
        self, caller: Principal, text: str, tournament: Tournament | None = None
    ) -> Charter | Rejection:
        """The charter of a document, whose titles are played here as it says and whose stages can have tables; this person may
        set it, in place of that of `tournament`."""
        charter = read_charter(text)
        if isinstance(charter, Rejection):
            return charter
        before, begun = (None, 0) if tournament is None else (tournament.charter, len(tournament.stages))
        rejection = reject_reach(charter, before, self._is_operator(caller)) or reject_unplayable(
            charter, begun, self._designs
        )
        if rejection is None and charter.clock is not None:
            rejection = self._tables.reject_policy(charter.clock)
        if rejection is not None:
            return rejection
        for each in charter.titles:
            for count in () if each.is_external else range(each.players_min, each.players_max + 1):
                rejection = self._tables.unplayable(choices_of(charter, each, count, seed=0))
                if rejection is not None:
                    return rejection
        return charter

    def _with_note(self, caller: Principal, request_id: str, answer: Answer, reason: str) -> Answer:
        """Notes that an operator has an event reach beyond itself."""
        if isinstance(answer, Tournament) and reaching(answer.charter) and self._is_operator(caller):
            detail = f"{', '.join(reaching(answer.charter))} of {answer.tournament_id}"
            self._note_act(caller, request_id, "event_reach", reason, "", detail)
        return answer

    def _record(self, tournament: Tournament, player: Player) -> deciding.PlayerRecord:
        conditions = tournament.charter.conditions
        banned_until_ms = self._directory.banned_until_ms(player.player_id, tournament)
        if not conditions.rated_games_min and not conditions.rating_min:
            return deciding.PlayerRecord(banned_until_ms=banned_until_ms)
        rating = self._directory.ratings().get(OVERALL, {}).get(player.player_id)
        if rating is None:
            return deciding.PlayerRecord(banned_until_ms=banned_until_ms)
        return deciding.PlayerRecord(rating.games, rating.shown, banned_until_ms)

    def _shown_ratings(self) -> dict[str, int]:
        board = self._directory.ratings().get(OVERALL, {})
        return {player: rating.shown for player, rating in board.items()}


def role_of(name: str) -> Role:
    """The role of this name. Raises `InvalidRequest`."""
    try:
        return Role(name)
    except ValueError:
        raise InvalidRequest("role is not known") from None
