"""What a game's new status or an overdue turn changes about its table. A repeated or late status changes nothing."""

from services.lobby.domain.clocks import Clocks
from services.lobby.domain.games import GameStatus
from services.lobby.domain.tables import (
    Table,
    TableEvent,
    TableFinished,
    TableGameBegun,
    TableReopened,
    TableState,
    TurnOverdue,
)


def decide_status(table: Table, status: GameStatus) -> tuple[TableEvent, ...]:
    """Finishes the table when its game has ended; reopens it when a later status shows that the end was undone.

    A status that is not later than the one of the table's result changes nothing. A table whose start was interrupted
    before it recorded that its game had begun gets that event first."""
    if table.game_id != status.game_id or status.sequence <= table.result_sequence:
        return ()
    if not status.ending:
        is_finished = table.state is TableState.FINISHED
        return (TableReopened(status.game_id, status.sequence),) if is_finished else ()
    if (table.ending, table.results) == (status.ending, status.results):
        return ()
    finished = TableFinished(status.game_id, status.sequence, status.ending, status.results)
    if table.state is TableState.STARTING:
        return (TableGameBegun(status.game_id), finished)
    return (finished,)


def decide_overdue(table: Table, late: Clocks) -> tuple[TableEvent, ...]:
    """Records the current turns of these clocks as overdue, once per turn."""
    recorded = {each.player_id: each.sequence for each in table.overdue}
    return tuple(
        TurnOverdue(clock.player_id, clock.asked_since_ms, clock.asked_sequence)
        for clock in late
        if clock.asked_sequence > recorded.get(clock.player_id, 0)
    )
