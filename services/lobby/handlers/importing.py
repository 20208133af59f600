"""Importing games that were begun elsewhere.

The file is read before anything is written. Then its events are kept in a stream of their own, then the table is made, which is
what counts: from there on the game is begun as that of any other table, and an interrupted import is completed by the repeated
request or by the next start of a host.
"""

import hashlib
from collections.abc import Sequence

from services.common.auth.tokens import Principal
from services.common.clock import Clock
from services.common.eventlog.port import Appended, EventLog
from services.lobby.directory import TABLE_STREAM, TableDirectory
from services.lobby.domain.imports import (
    ImportedGame,
    ImportSeat,
    ImportWanted,
    TableOrigin,
    refused,
    reject_another_import,
    reject_seat,
)
from services.lobby.domain.players import Player
from services.lobby.domain.quotas import Quotas
from services.lobby.domain.rejections import ImportFault, Rejection, shown
from services.lobby.domain.table_requests import reject_turn_seconds
from services.lobby.domain.tables import Table, TableImported, TableState, evolve
from services.lobby.event_codec import encode
from services.lobby.handlers.kept_games import keep_events
from services.lobby.handlers.requests import (
    check_request_id,
    content_hash,
    derived_id,
    game_id_of,
    request_record,
    reused,
)
from services.lobby.handlers.tables import TableHandlers
from services.lobby.ports import AccountOf, Freshness, GameImporter, ImportRefused, IsCancelled, NoteAct


class ImportHandlers:
    """What the lobby does with games begun elsewhere. A request id is unique per operator."""

    def __init__(
        self,
        log: EventLog,
        directory: TableDirectory,
        tables: TableHandlers,
        importer: GameImporter,
        player_named: AccountOf,
        player_with_id: AccountOf,
        clock: Clock,
        freshen: Freshness,
        quotas: Quotas,
        note_act: NoteAct,
    ) -> None:
        self._log = log
        self._directory = directory
        self._tables = tables
        self._importer = importer
        self._player_named = player_named
        self._player_with_id = player_with_id
        self._clock = clock
        self._freshen = freshen
        self._quotas = quotas
        self._note_act = note_act

    def import_table(
        self, caller: Principal, request_id: str, wanted: ImportWanted, is_cancelled: IsCancelled
    ) -> Table | Rejection:
        """A table whose game goes on from the file. Raises `InvalidRequest` for a malformed request id, `Unavailable` if the
        game cannot begin now, and what `GameImporter.read` raises, but for `ImportRefused`."""
        check_request_id(request_id)
        table_id = derived_id("t", caller.player_id, request_id)
        content = _content(wanted)
        table = self._tables.repeated(table_id, caller, request_id, content)
        if table is None:
            table = self._make(caller, request_id, table_id, wanted, is_cancelled)
        if isinstance(table, Table) and table.state is TableState.STARTING:
            table = self._tables.begun(table)
        if isinstance(table, Rejection):
            return table
        self._note_act(caller, request_id, "import_game", "", table.game_id)
        return table

    def _make(
        self,
        caller: Principal,
        request_id: str,
        table_id: str,
        wanted: ImportWanted,
        is_cancelled: IsCancelled,
    ) -> Table | Rejection:
        self._freshen()
        rejection = reject_turn_seconds(wanted.turn_seconds) or reject_another_import(
            self._directory.usage_of(caller.player_id), self._quotas
        )
        if rejection is not None:
            return rejection
        try:
            game = self._importer.read(wanted, self._accounts(wanted.seats), is_cancelled)
            players = self._players(game)
        except ImportRefused as problem:
            return refused(problem.fault, str(problem), problem.clause)
        return self._reject_seats(players) or self._write(caller, request_id, table_id, wanted, game, players)

    def _write(
        self,
        caller: Principal,
        request_id: str,
        table_id: str,
        wanted: ImportWanted,
        game: ImportedGame,
        players: tuple[Player, ...],
    ) -> Table | Rejection:
        origin = TableOrigin(
            game.source, game.source_game_id, game.file_digest, game.action_count, caller.player_id
        )
        event = TableImported(
            table_id,
            game_id_of(table_id),
            players,
            game.title,
            game.options,
            game.rulings,
            game.undo_policy,
            game.seed,
            origin,
            keep_events(self._log, game.events),
            self._clock.now_ms(),
            wanted.turn_seconds,
        )
        content = _content(wanted)
        request = request_record(caller, request_id, content, version_after=1)
        result = self._log.append(TABLE_STREAM + table_id, 0, [encode(event)], request)
        if isinstance(result, Appended):
            return evolve(None, event)
        return self._tables.repeated(table_id, caller, request_id, content) or reused()

    def _accounts(self, seats: Sequence[ImportSeat]) -> dict[str, str]:
        """Player ids by player in the file. Raises `ImportRefused`."""
        accounts: dict[str, str] = {}
        for seat in seats:
            if seat.recorded in accounts:
                raise _seat_refused("seat_repeated", seat.recorded, "is named twice")
            player = (
                self._player_named(seat.player_name)
                if seat.player_name
                else self._player_with_id(seat.player_id)
            )
            if player is None:
                account = shown(seat.player_name or seat.player_id)
                raise _seat_refused(
                    "account_unknown", seat.recorded, f"is for {account}, who has no account here"
                )
            if player.player_id in accounts.values():
                raise _seat_refused(
                    "account_repeated", seat.recorded, f"is for {player.name}, who has another seat"
                )
            accounts[seat.recorded] = player.player_id
        return accounts

    def _players(self, game: ImportedGame) -> tuple[Player, ...]:
        """The accounts in seat order. Raises `ImportRefused` for one that does not exist, and for such a bearer of a seat."""
        players = []
        for player_id in (*game.players, *game.bearers):
            player = self._player_with_id(player_id)
            if player is None:
                raise _seat_refused("account_unknown", player_id, "has no account of this id here")
            players.append(player)
        return tuple(players[: len(game.players)])

    def _reject_seats(self, players: Sequence[Player]) -> Rejection | None:
        """Why one of the players may take no further seat; an ended game needs none, but may be taken up again by an undo."""
        usages = ((player, self._directory.usage_of(player.player_id)) for player in players)
        return next(
            filter(None, (reject_seat(player, usage, self._quotas) for player, usage in usages)), None
        )


def _seat_refused(code: str, recorded: str, what: str) -> ImportRefused:
    return ImportRefused(ImportFault(code, player=recorded), f"The seat of {shown(recorded)} {what}.")


def _content(wanted: ImportWanted) -> bytes:
    """What a repeat must have in common with the request."""
    digest = hashlib.sha256(wanted.file).digest()
    return content_hash(
        "import", digest, wanted.seats, wanted.undo_policy, wanted.turn_seconds, wanted.as_recorded
    )
