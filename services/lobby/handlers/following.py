"""Updates results, clocks and summaries from the statuses of games.

Statuses may arrive twice, late, in any order and from several threads or replicas: events of tables are appended with the
expected version, and of summaries the latest sequence wins. Events are written before the summary of the same status, so an
existing summary shows that its status has been handled completely.
"""

from collections.abc import Callable, Collection
from contextlib import suppress
from functools import reduce

import msgspec

from services.common.clock import Clock
from services.common.errors import Unavailable
from services.common.eventlog.port import Appended, EventLog
from services.common.notifier import LocalNotifier, Notifier
from services.lobby.directory import TABLE_STREAM, TableDirectory
from services.lobby.domain.clocks import Clocks, Holds, next_overdue_ms, overdue
from services.lobby.domain.directing import decide_seats
from services.lobby.domain.games import GameStatus, GameSummary, HoldChange, summary_after
from services.lobby.domain.results import decide_overdue, decide_status
from services.lobby.domain.tables import Table, TableEvent, evolve
from services.lobby.domain.visibility import is_unlisted
from services.lobby.event_codec import UnknownRecord, encode
from services.lobby.handlers.clocks.following import FollowedClocks
from services.lobby.handlers.clocks.holds import HoldChanges
from services.lobby.handlers.stream_changes import RACES_MAX
from services.lobby.handlers.watching import topic_of
from services.lobby.ports import Freshness, GameSummaries, IsCancelled, WakeUps, always_fresh, never_cancelled

# On a single-process host a status arrives as soon as the move is written.
GRACE_MS = 1_000

Decision = Callable[[Table], tuple[TableEvent, ...]]


def follows_all(game_id: str) -> bool:
    """For a process that follows every game."""
    return True


def _ignore(table: Table) -> None:
    """For a lobby without tournaments."""


class FollowedGames(msgspec.Struct, frozen=True):
    """The lobby's side of every game that is being played."""

    log: EventLog
    directory: TableDirectory
    summaries: GameSummaries
    wake_ups: WakeUps
    clock: Clock
    clocks: FollowedClocks
    grace_ms: int = GRACE_MS
    """How late the status of a move that was made in time may arrive."""
    consumed_until: Callable[[str], int] | None = None
    """For a game: the time up to which all its statuses have been consumed, 0 if unknown. Without it: now."""
    notifier: Notifier = msgspec.field(default_factory=LocalNotifier)
    """Notifies the watching players of a game when its summary changes."""
    freshen: Freshness = always_fresh
    name_of: Callable[[str], str] = str
    """The name of an account, for tables to show."""
    when_result: Callable[[Table], None] = _ignore
    """Called once a table has a result, or has it no more; what it misses is caught up from the tables."""
    holds: HoldChanges = msgspec.field(default_factory=HoldChanges)
    """What the ledger said about games."""
    follows: Callable[[str], bool] = follows_all
    """Whether this process acts for a game. If not, `summaries` may know nothing of it, or what was."""

    def follow_status(self, status: GameStatus) -> None:
        """Update table and summary to a status. Repeated and late ones are harmless; when it returns, all events are written.

        Raises what the log raises: pass the same status again. Raises `UnknownRecord` if the game's table cannot be read."""
        known = self.summaries.get(status.game_id)
        if known is not None and known.sequence > status.sequence:
            return
        table = self._table_to_change(known, status)
        status = _completed(status, known, table)
        if table is not None:
            self.clocks.charge(table, status)
        changed = table and self._record(table, lambda current: self._decide(current, status))
        if known is not None and known.sequence == status.sequence:
            # The replica that put it may have died before the summary was in every store.
            self.summaries.put(known)
            return
        if known is not None:
            self._record_overdue(known, status.time_ms)
        self._keep(known, status, table)
        if changed:
            self.when_result(changed)

    def _decide(self, table: Table, status: GameStatus) -> tuple[TableEvent, ...]:
        return (
            *decide_seats(table.seat_takers, status, self.name_of),
            *decide_status(table, status),
        )

    def record_holds(self, is_cancelled: IsCancelled = never_cancelled) -> None:
        """Pause and resume the clocks of games that the ledger holds and releases. What cannot be written now is kept."""
        while not is_cancelled() and (change := self.holds.first()) is not None:
            table = self._table_of(change.game_id)
            # The directory has logged why the clocks cannot be read.
            with suppress(UnknownRecord):
                if table is not None:
                    self.clocks.hold(table, change)
                    summary = self._own_summary(change.game_id)
                    if summary is not None:
                        self._wake_up_for(summary, 0)
            self.holds.drop_first()

    def compare_holds(self, held: Callable[[], Collection[str] | None]) -> None:
        """Record holds and releases that were missed. `held`: all games that the ledger holds, None where that is not known."""
        known = [self.directory.get(table_id) for table_id in self.clocks.streams.held()]
        held_here = {table.game_id for table in known if table is not None}
        # Asked for later than the clocks, so that it knows whatever they know.
        held_now = held()
        if held_now is None:
            return
        now_ms = self.clock.now_ms()
        for game_id in held_here.symmetric_difference(held_now):
            self.holds.add(HoldChange(game_id, game_id in held_now, now_ms))

    def _table_of(self, game_id: str) -> Table | None:
        """The table of a game; its start may not have been read here yet."""
        with suppress(UnknownRecord):
            table = self.directory.of_game(game_id)
            if table is None:
                self.freshen()
                table = self.directory.of_game(game_id)
            return table
        return None

    def record_overdue_turns(self, is_cancelled: IsCancelled = never_cancelled) -> None:
        """Record the overdue turns of the games whose wake-up is due, and do what the clocks of their tables say about them."""
        now_ms = self.clock.now_ms()
        for game_id in self.wake_ups.due(now_ms):
            if is_cancelled():
                return
            # The directory has logged why the table cannot be read.
            with suppress(UnknownRecord):
                self._check_clocks(game_id, now_ms)

    def reset_wake_ups(self) -> None:
        """Set the wake-ups of all games from their clocks; those set before may have been lost."""
        for summary in self.summaries.timed():
            with suppress(UnknownRecord):
                self._wake_up_for(summary, 0)

    def _check_clocks(self, game_id: str, now_ms: int) -> None:
        """`consumed_until` asks Kafka, so it is called only when there would be a turn to record."""
        summary = self._own_summary(game_id)
        if summary is None:
            return
        if not self._would_record(summary, now_ms - self.grace_ms):
            self._wake_up_for(summary, now_ms - self.grace_ms)
            return
        consumed_ms = now_ms if self.consumed_until is None else min(now_ms, self.consumed_until(game_id))
        summary = self._own_summary(game_id)
        if summary is not None and consumed_ms > 0:
            self._record_overdue(summary, consumed_ms - self.grace_ms)
            self._act(summary, consumed_ms - self.grace_ms)
            # In the same process what the clock did has been followed already.
            self._wake_up_for(self.summaries.get(game_id) or summary, consumed_ms - self.grace_ms)

    def _own_summary(self, game_id: str) -> GameSummary | None:
        return self.summaries.get(game_id) if self.follows(game_id) else None

    def _act(self, summary: GameSummary, now_ms: int) -> None:
        table = self.directory.of_game(summary.game_id) if summary.has_clock else None
        if table is not None:
            self.clocks.act(table, summary.sequence, now_ms)

    def _would_record(self, summary: GameSummary, now_ms: int) -> bool:
        if summary.has_clock:
            return self._has_clock_due(summary, now_ms)
        late = self._late(summary, now_ms)
        table = self.directory.of_game(summary.game_id) if late else None
        return table is not None and bool(decide_overdue(table, late))

    def _late(self, summary: GameSummary, now_ms: int) -> Clocks:
        return overdue(summary.limited_clocks, summary.turn_seconds, now_ms, self._holds(summary))

    def _holds(self, summary: GameSummary | None) -> Holds:
        """When the ledger held the game, if its turns are timed."""
        if summary is None or not (summary.turn_seconds or summary.has_clock):
            return ()
        return self.clocks.streams.get(summary.table_id).holds

    def _table_to_change(self, known: GameSummary | None, status: GameStatus) -> Table | None:
        """The game's table, if this status could change it or the table is not known yet."""
        is_running = known is not None and known.table_id and not known.status.ending
        same_seats = known is not None and known.status.bearers == status.bearers
        has_clock = known is not None and known.has_clock
        if is_running and same_seats and not status.ending and not has_clock:
            return None
        table = self.directory.of_game(status.game_id)
        if table is None and (known is None or known.table_id):
            # A table's start is written before its game begins, but this replica may not have read it yet.
            self.freshen()
            table = self.directory.of_game(status.game_id)
        return table

    def _keep(self, known: GameSummary | None, status: GameStatus, table: Table | None) -> None:
        if table is not None:
            hidden = is_unlisted(table, has_ended=bool(status.ending))
            has_clock = table.clock is not None
            of_table = table.table_id, table.turn_seconds, hidden, has_clock
            summary = summary_after(known, status, *of_table, self._holds(known))
        elif known is not None:
            kept = known.table_id, known.turn_seconds, known.is_unlisted, known.has_clock
            summary = summary_after(known, status, *kept, self._holds(known))
        else:
            summary = summary_after(None, status, "", 0)
        if self.summaries.put(summary):
            before = () if known is None else known.status.accounts
            for player_id in {*before, *status.accounts}:
                self.notifier.publish(topic_of(player_id))
            self._wake_up_for(summary, 0)

    def _wake_up_for(self, summary: GameSummary, after_ms: int) -> None:
        if summary.has_clock:
            end_ms = self._clock_due_ms(summary)
        else:
            holds = self._holds(summary)
            end_ms = next_overdue_ms(summary.limited_clocks, summary.turn_seconds, after_ms, holds)
        if end_ms:
            self.wake_ups.set(summary.game_id, end_ms + self.grace_ms)
        elif summary.turn_seconds or summary.has_clock:
            self.wake_ups.drop(summary.game_id)

    def _has_clock_due(self, summary: GameSummary, now_ms: int) -> bool:
        table = self.directory.of_game(summary.game_id)
        if table is None:
            return False
        return self.clocks.has_pending(table) or 0 < self._clock_due_ms(summary) <= now_ms

    def _clock_due_ms(self, summary: GameSummary) -> int:
        table = self.directory.of_game(summary.game_id)
        return 0 if table is None else self.clocks.next_due_ms(table, summary.sequence, self.clock.now_ms())

    def _record_overdue(self, summary: GameSummary, now_ms: int) -> None:
        late = self._late(summary, now_ms)
        table = self.directory.of_game(summary.game_id) if late else None
        if table is not None:
            self._record(table, lambda current: decide_overdue(current, late))

    def _record(self, table: Table, decide: Decision) -> Table | None:
        """The table after events that were decided and written, None where there were none."""
        for _ in range(RACES_MAX):
            decided = decide(table)
            if not decided:
                return None
            records = [encode(event) for event in decided]
            if isinstance(self.log.append(TABLE_STREAM + table.table_id, table.version, records), Appended):
                return reduce(evolve, decided, table)
            table = self.directory.get(table.table_id) or table
        raise Unavailable("too many concurrent changes of this table")


def _completed(status: GameStatus, known: GameSummary | None, table: Table | None) -> GameStatus:
    """The status with title and players of its game, which rules names in the first one alone."""
    if known is not None:
        return status.completed(known.status.title, known.status.players)
    return status.completed("", ()) if table is None else status.completed(table.title, table.seats)
