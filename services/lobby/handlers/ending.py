"""Games that end because all who play them agree. Each then has what the seat is worth at that moment.

The agreement of the last one is written before the game ends. What is interrupted in between is completed by `end_agreed`, or
by repeating the request."""

from __future__ import annotations

from services.common.auth.tokens import Principal
from services.common.errors import Unavailable
from services.common.telemetry.logs import get_logger
from services.gen.signalbox.events.v1.events_pb2 import Score
from services.gen.signalbox.rules.v1.direction_pb2 import Direction, EndGame
from services.lobby.directory import TableDirectory
from services.lobby.domain.directing import direction_refused
from services.lobby.domain.ending import decide_agreement, is_end_agreed
from services.lobby.domain.quotas import Quotas, reject_more_stored
from services.lobby.domain.rejections import Rejection
from services.lobby.domain.tables import Table, TableEvent, TableState
from services.lobby.domain.visibility import Viewer
from services.lobby.handlers.requests import derived_id
from services.lobby.handlers.stream_changes import RACES_MAX
from services.lobby.handlers.tables import TableHandlers
from services.lobby.ports import (
    DirectionRefused,
    GameDirector,
    GameMovedOn,
    GamePositions,
    IsCancelled,
    never_cancelled,
)

REASON = "All players agreed to end the game."
GAME_OVER = "game_finished"
"""The rules' reason for refusing to end a game that is over."""


class EndingHandlers:
    """A request id is unique per player and table."""

    def __init__(
        self,
        tables: TableHandlers,
        directory: TableDirectory,
        positions: GamePositions,
        director: GameDirector,
        quotas: Quotas,
    ) -> None:
        self._tables = tables
        self._directory = directory
        self._positions = positions
        self._director = director
        self._quotas = quotas
        self._log = get_logger("lobby")

    def agree(self, caller: Principal, request_id: str, table_id: str, does_agree: bool) -> Table | Rejection:
        """Notes that the caller agrees, or not any more; ends the game once all agree.

        Raises `NotFound` for a table that the caller may not see, `InvalidRequest`, and `Unavailable` where the game could not be
        ended now: that happens later by itself."""
        before = self._tables.seen(table_id, Viewer(caller.player_id))
        has_agreed = caller.player_id in before.agreed_to_end
        if before.state is TableState.PLAYING and has_agreed is does_agree:
            noted: Table | Rejection = before
        else:
            noted = self._tables.change(
                caller,
                request_id,
                table_id,
                "agree to end" if does_agree else "do not agree to end",
                lambda table: self._decide(table, caller.player_id, does_agree),
            )
        if isinstance(noted, Rejection) or not is_end_agreed(noted):
            return noted
        return self._end(noted) or self._tables.get(table_id)

    def end_agreed(self, is_cancelled: IsCancelled = never_cancelled) -> None:
        """Ends the games that all agreed to end and that still go on."""
        for table in self._directory.in_state(TableState.PLAYING):
            if is_cancelled():
                return
            if not is_end_agreed(table):
                continue
            try:
                refused = self._end(table)
            except Unavailable as problem:
                self._log.warning("game cannot end yet", table_id=table.table_id, problem=str(problem))
            else:
                if refused is not None:
                    self._log.warning("game cannot end", table_id=table.table_id, problem=refused.sentence)

    def _decide(self, table: Table, caller: str, does_agree: bool) -> tuple[TableEvent, ...] | Rejection:
        decided = decide_agreement(table, caller, does_agree)
        if isinstance(decided, Rejection):
            return decided
        return reject_more_stored(self._directory.usage_of(caller), self._quotas) or decided

    def _end(self, table: Table) -> Rejection | None:
        """Ends the game as it stands; why that cannot be, None once it is over."""
        author = table.agreed_to_end[-1]
        for _ in range(RACES_MAX):
            position = self._positions.position(table.game_id)
            scores = [Score(player=each.seat, value=each.worth) for each in position.seats]
            direction = Direction(reason=REASON, end_game=EndGame(scores=scores))
            request_id = derived_id("a", table.table_id, author, str(position.sequence))
            try:
                self._director.direct(table.game_id, author, request_id, position.sequence, direction)
            except GameMovedOn:
                continue
            except DirectionRefused as refused:
                is_over = refused.code == GAME_OVER
                return None if is_over else direction_refused(refused.code, str(refused), refused.clause)
            return None
        raise Unavailable("the game moves on all the time; send the request again")
