"""What each player keeps in the lobby, counted from the events of all tables."""

from __future__ import annotations

from collections import Counter

from services.common.eventlog.port import Record
from services.lobby.domain.agreeing import EndAgreed, EndAgreementWithdrawn
from services.lobby.domain.directing import DirectorNamed
from services.lobby.domain.invitations import (
    InvitationLinkMade,
    InvitationWithdrawn,
    PlayerInvited,
    PlayerRemoved,
    TableArranged,
)
from services.lobby.domain.offering import SubstituteOffered, SubstituteOfferWithdrawn
from services.lobby.domain.quotas import Usage
from services.lobby.domain.tables import (
    PlayerJoined,
    PlayerLeft,
    Table,
    TableCreated,
    TableEvent,
    TableImported,
    TableStarted,
    TableState,
)

UNFINISHED = (TableState.OPEN, TableState.STARTING, TableState.PLAYING)
# Of a record and its request beside the payload: names of stream and type, ids, hash.
RECORD_BYTES = 256


class StoredBytes:
    """The bytes of records by who wrote them. Not safe for several threads at once."""

    def __init__(self) -> None:
        self._by_player: Counter[str] = Counter()

    def add(self, writer: str, record: Record) -> None:
        """Counts a record; one without a writer is the lobby's own."""
        if writer:
            self._by_player[writer] += RECORD_BYTES + len(record.payload)

    def of(self, player_id: str) -> int:
        """What a player's requests have stored."""
        return self._by_player[player_id]


class UsageChanges:
    """By how much some events change it. Not safe for several threads at once."""

    def __init__(self) -> None:
        self._open_tables: Counter[str] = Counter()
        self._seats: Counter[str] = Counter()
        self._stored_bytes: Counter[str] = Counter()
        self._imports: Counter[str] = Counter()

    def by_player(self) -> dict[str, Usage]:
        """What each player keeps more than before; less than nothing where it is less."""
        changes = self._open_tables, self._seats, self._stored_bytes, self._imports
        players = dict.fromkeys(player for each in changes for player in each)
        return {player: Usage(*(each[player] for each in changes)) for player in players}

    def follow(self, before: Table | None, event: TableEvent, after: Table, record: Record) -> None:
        """Counts one event."""
        if before is not None:
            self._count(before, -1)
        self._count(after, 1)
        if isinstance(event, TableImported):
            self._imports[event.origin.imported_by] += 1
        writer = _writer(before, event, after)
        if writer:
            self._stored_bytes[writer] += RECORD_BYTES + len(record.payload)

    def drop(self, table: Table) -> None:
        """Counts a table no more; what was stored stays."""
        self._count(table, -1)

    def count(self, table: Table) -> None:
        """Counts a table again that was dropped."""
        self._count(table, 1)

    def _count(self, table: Table, change: int) -> None:
        if table.state is TableState.OPEN:
            self._open_tables[table.owner_id] += change
        if table.state in UNFINISHED:
            for account in table.accounts:
                self._seats[account] += change


def _writer(before: Table | None, event: TableEvent, after: Table) -> str:
    """The player whose request wrote an event, empty for our own."""
    match event:
        case PlayerJoined(player=player) | SubstituteOffered(player=player):
            return player.player_id
        case (
            PlayerLeft(player_id=player_id)
            | DirectorNamed(player_id=player_id)
            | EndAgreed(player_id=player_id)
            | EndAgreementWithdrawn(player_id=player_id)
            | SubstituteOfferWithdrawn(player_id=player_id)
        ):
            return player_id
        case (
            TableCreated()
            | TableStarted()
            | TableArranged()
            | PlayerInvited()
            | InvitationWithdrawn()
            | InvitationLinkMade()
            | PlayerRemoved()
        ):
            return after.owner_id
        case _:
            return ""
