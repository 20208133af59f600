"""What the course of its game changes about a table. Whatever comes twice or late changes nothing."""

from services.lobby.domain.clocks import Clocks
from services.lobby.domain.games import GameStanding
from services.lobby.domain.tables import (
    Table,
    TableEvent,
    TableFinished,
    TableGameBegun,
    TableReopened,
    TableState,
    TurnOverdue,
)


def decide_standing(table: Table, standing: GameStanding) -> tuple[TableEvent, ...]:
    """The table's end when its game has ended, its reopening when a later standing tells that the end was taken back.

    A standing no later than the one on which the table's result rests tells nothing new. A game that ended proves that it
    had begun, even where the table was cut off before it could write that down."""
    if table.game_id != standing.game_id or standing.sequence <= table.result_sequence:
        return ()
    if not standing.ending:
        is_finished = table.state is TableState.FINISHED
        return (TableReopened(standing.game_id, standing.sequence),) if is_finished else ()
    if (table.ending, table.results) == (standing.ending, standing.results):
        return ()
    finished = TableFinished(standing.game_id, standing.sequence, standing.ending, standing.results)
    if table.state is TableState.STARTING:
        return (TableGameBegun(standing.game_id), finished)
    return (finished,)


def decide_overdue(table: Table, late: Clocks) -> tuple[TableEvent, ...]:
    """That the turns at hand of these clocks are overdue, once for each turn."""
    recorded = {each.player_id: each.sequence for each in table.overdue}
    return tuple(
        TurnOverdue(clock.player_id, clock.asked_since_ms, clock.asked_sequence)
        for clock in late
        if clock.asked_sequence > recorded.get(clock.player_id, 0)
    )
