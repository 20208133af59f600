"""What one player's commands may write into one game: undo and redo do not make a log grow for ever."""

from __future__ import annotations

from services.common.eventlog.memory import MemoryEventLog, MemorySnapshotStore
from services.common.settings.accounts import QuotaSettings
from services.rules.history import decode_event_range, stream_of
from services.rules.kernel.commands import Pass, Undo
from services.rules.requests import CommandAccepted, CommandRejected
from tests.rules.service.desk import GAME, Desk

QUOTA = QuotaSettings(game_events=40)


def limited(log: MemoryEventLog, snapshots: MemorySnapshotStore) -> Desk:
    """A rules service with this quota."""
    return Desk(log, snapshots, quota=QUOTA)


def written(desk: Desk, player: str) -> int:
    """Events in the log by requests of this player."""
    ranges = [
        decode_event_range(each.outcome)
        for each in desk.log.requests(stream_of(GAME))
        if each.player == player
    ]
    return sum(each.last - each.first + 1 for each in ranges)


def test_a_log_does_not_grow_by_undo_and_redo_for_ever() -> None:
    """From half of the quota on nothing can be taken back; the player can play on, also after a restart, and so can others."""
    log, snapshots = MemoryEventLog(), MemorySnapshotStore()
    desk = limited(log, snapshots)
    desk.create("free")
    player = desk.asked()
    while True:
        before = desk.sequence()
        desk.move(player, Pass())
        undone = desk.ask(player, Undo(before))
        if isinstance(undone, CommandRejected):
            break
        assert written(desk, player) < QUOTA.game_events
    assert undone.rejection.code == "too_many_events"
    assert QUOTA.game_events / 2 <= written(desk, player) < QUOTA.game_events
    for again in (desk, limited(log, snapshots)):
        assert again.refused(player, Undo(before)) == "too_many_events"
    other = desk.asked()
    at = desk.sequence()
    desk.move(other, Pass())
    assert isinstance(desk.ask(other, Undo(at)), CommandAccepted)


def test_nobody_writes_more_than_the_quota() -> None:
    """A repeat of an accepted command gets its first result; another command is refused, and the game stays as it is."""
    log, snapshots = MemoryEventLog(), MemorySnapshotStore()
    desk = limited(log, snapshots)
    desk.create()
    moves: dict[str, tuple[int, CommandAccepted]] = {}
    while written(desk, desk.asked()) < QUOTA.game_events:
        player, at = desk.asked(), desk.sequence()
        accepted = desk.move(player, Pass(), f"{player} {at}")
        moves.setdefault(player, (at, accepted))
    player = desk.asked()
    assert desk.refused(player, Pass()) == "too_many_events"
    at, accepted = moves[player]
    repeated = desk.ask(player, Pass(), f"{player} {at}", at)
    assert repeated == CommandAccepted(accepted.first, accepted.last, repeated=True)
