"""What the lobby takes from the course of games: results, clocks and cards, whoever tells it how a game stands.

Standings may come twice, late, in any order and from several threads or replicas: the table's log decides about facts, and
the latest sequence about cards. Facts are written before the card of the same standing, so that a card tells that
everything before it was looked at.
"""

from collections.abc import Callable
from contextlib import suppress

import msgspec

from services.common.clock import Clock
from services.common.errors import Unavailable
from services.common.eventlog.port import Appended, EventLog
from services.common.notifier import Bell, LocalBell
from services.lobby.directory import TABLE_STREAM, TableDirectory
from services.lobby.domain.clocks import next_overdue_ms, overdue
from services.lobby.domain.games import GameCard, GameStanding, card_after
from services.lobby.domain.results import decide_overdue, decide_standing
from services.lobby.domain.tables import Table, TableEvent
from services.lobby.event_codec import UnknownRecord, encode
from services.lobby.handlers.watching import topic_of
from services.lobby.ports import Freshness, GameCards, IsUnwanted, WakeUps, always_fresh, always_wanted

RACES_MAX = 20
# On a host of one process a move is told as soon as it is written.
GRACE_MS = 1_000

Decision = Callable[[Table], tuple[TableEvent, ...]]


class FollowedGames(msgspec.Struct, frozen=True):
    """The lobby's side of every game that is being played."""

    log: EventLog
    directory: TableDirectory
    cards: GameCards
    wake_ups: WakeUps
    clock: Clock
    grace_ms: int = GRACE_MS
    """How long a move made in time may be on its way to us."""
    told_until: Callable[[str], int] | None = None
    """Of a game: the time up to which all standings written have been followed, 0 where that is not known; now, unless
    given."""
    bell: Bell = msgspec.field(default_factory=LocalBell)
    """Rings for the players of a game whose card is kept."""
    freshen: Freshness = always_fresh

    def follow_standing(self, standing: GameStanding) -> None:
        """Take note of how a game stands. Repeats and late ones are harmless; once it returns all facts are written.

        Raises what the log raises: then the same standing has to be handed in again; and `UnknownRecord` where the table of
        the game cannot be read."""
        known = self.cards.get(standing.game_id)
        if known is not None and known.sequence > standing.sequence:
            return
        table = self._table_concerned(known, standing)
        if table is not None:
            self._record(table, lambda current: decide_standing(current, standing))
        if known is not None and known.sequence == standing.sequence:
            # Whoever kept it may have died before it was everywhere.
            self.cards.put(known)
            return
        if known is not None:
            self._record_overdue(known, standing.time_ms)
        self._keep(known, standing, table)

    def look_at_clocks(self, is_unwanted: IsUnwanted = always_wanted) -> None:
        """Record the turns whose allowance has run out, of the games whose wake-up has come."""
        now_ms = self.clock.now_ms()
        for game_id in self.wake_ups.due(now_ms):
            if is_unwanted():
                return
            # Why its table cannot be read is in the log of the process.
            with suppress(UnknownRecord):
                self._look_at(game_id, now_ms)

    def set_wake_ups_anew(self) -> None:
        """Set the wake-ups of all games from their clocks, whatever became of those set before."""
        for card in self.cards.timed():
            self._wake_up_for(card, 0)

    def _look_at(self, game_id: str, now_ms: int) -> None:
        """How far the game was followed costs a question to others: it is asked only where that decides anything."""
        card = self.cards.get(game_id)
        if card is None:
            return
        if not self._would_record(card, now_ms - self.grace_ms):
            self._wake_up_for(card, now_ms - self.grace_ms)
            return
        told_ms = now_ms if self.told_until is None else min(now_ms, self.told_until(game_id))
        card = self.cards.get(game_id)
        if card is not None and told_ms > 0:
            self._record_overdue(card, told_ms - self.grace_ms)
            self._wake_up_for(card, told_ms - self.grace_ms)

    def _would_record(self, card: GameCard, now_ms: int) -> bool:
        late = overdue(card.clocks, card.turn_seconds, now_ms)
        table = self.directory.of_game(card.game_id) if late else None
        return table is not None and bool(decide_overdue(table, late))

    def _table_concerned(self, known: GameCard | None, standing: GameStanding) -> Table | None:
        """The table, where this standing could change it or where it is not known yet."""
        is_told = known is not None and known.table_id and not known.standing.ending
        if is_told and not standing.ending:
            return None
        table = self.directory.of_game(standing.game_id)
        if table is None and (known is None or known.table_id):
            # A table's start is written before its game begins, but perhaps not read here yet.
            self.freshen()
            table = self.directory.of_game(standing.game_id)
        return table

    def _keep(self, known: GameCard | None, standing: GameStanding, table: Table | None) -> None:
        if table is not None:
            card = card_after(known, standing, table.table_id, table.turn_seconds)
        elif known is not None:
            card = card_after(known, standing, known.table_id, known.turn_seconds)
        else:
            card = card_after(None, standing, "", 0)
        if self.cards.put(card):
            for player_id in standing.players:
                self.bell.announce(topic_of(player_id))
            self._wake_up_for(card, 0)

    def _wake_up_for(self, card: GameCard, after_ms: int) -> None:
        end_ms = next_overdue_ms(card.clocks, card.turn_seconds, after_ms)
        if end_ms:
            self.wake_ups.set(card.game_id, end_ms + self.grace_ms)
        elif card.turn_seconds:
            self.wake_ups.drop(card.game_id)

    def _record_overdue(self, card: GameCard, now_ms: int) -> None:
        late = overdue(card.clocks, card.turn_seconds, now_ms)
        table = self.directory.of_game(card.game_id) if late else None
        if table is not None:
            self._record(table, lambda current: decide_overdue(current, late))

    def _record(self, table: Table, decide: Decision) -> None:
        for _ in range(RACES_MAX):
            decided = decide(table)
            if not decided:
                return
            records = [encode(event) for event in decided]
            if isinstance(self.log.append(TABLE_STREAM + table.table_id, table.version, records), Appended):
                return
            table = self.directory.get(table.table_id) or table
        raise Unavailable("too many others changed this table at the same time")
