"""Opening, joining, leaving and starting tables."""

from collections.abc import Callable

import msgspec

from services.common.auth.tokens import Principal
from services.common.clock import Clock
from services.common.errors import InvalidRequest, NotFound, Unavailable
from services.common.eventlog.port import Appended, EventLog, RequestRecord
from services.lobby.directory import TABLE_STREAM, TableDirectory
from services.lobby.domain.catalogue import TableChoices
from services.lobby.domain.players import Player
from services.lobby.domain.rejections import Rejection
from services.lobby.domain.tables import (
    Table,
    TableEvent,
    TableGameBegun,
    TableState,
    decide_create,
    decide_join,
    decide_leave,
    decide_start,
    evolve,
)
from services.lobby.event_codec import decode, encode
from services.lobby.handlers.requests import check_request_id, content_hash, derived_id, game_id_of, reused
from services.lobby.ports import (
    Freshness,
    GameStarter,
    GameStartFailed,
    IsCancelled,
    SeedSource,
    TitleCatalogue,
    never_cancelled,
)

RACES_MAX = 20
PAGE_SIZE_DEFAULT = 50
PAGE_SIZE_MAX = 100

Decision = Callable[[Table], tuple[TableEvent, ...] | Rejection]


class ResumedTables(msgspec.Struct, frozen=True):
    """Tables whose games have begun, and those whose games could not, with the reason."""

    begun: tuple[str, ...]
    waiting: dict[str, str]


class TableHandlers:
    """What the lobby does with tables. A request id is unique per player and table."""

    def __init__(
        self,
        log: EventLog,
        directory: TableDirectory,
        catalogue: TitleCatalogue,
        starter: GameStarter,
        seeds: SeedSource,
        clock: Clock,
        freshen: Freshness,
    ) -> None:
        self._log = log
        self._catalogue = catalogue
        self._starter = starter
        self._seeds = seeds
        self._clock = clock
        self._freshen = freshen
        self._directory = directory

    def create(
        self, caller: Principal, request_id: str, choices: TableChoices, turn_seconds: int = 0
    ) -> Table | Rejection:
        """Opens a table. Raises `InvalidRequest` for a malformed request id."""
        check_request_id(request_id)
        table_id = derived_id("t", caller.player_id, request_id)
        content = content_hash("create", choices, turn_seconds)
        repeated = self._repeated(table_id, caller, request_id, content)
        if repeated is not None:
            return repeated
        decided = decide_create(
            table_id,
            Player(caller.player_id, caller.name),
            choices,
            self._catalogue.offer(choices.title),
            self._seeds.draw(),
            self._clock.now_ms(),
            turn_seconds,
        )
        if isinstance(decided, Rejection):
            return decided
        request = _request_record(caller, request_id, content, version_after=1)
        result = self._log.append(TABLE_STREAM + table_id, 0, [encode(decided)], request)
        if isinstance(result, Appended):
            return evolve(None, decided)
        return self._repeated(table_id, caller, request_id, content) or reused()

    def join(self, caller: Principal, request_id: str, table_id: str) -> Table | Rejection:
        """Takes a chair. Raises `NotFound` for an unknown table, `InvalidRequest` for a malformed request id."""
        player = Player(caller.player_id, caller.name)
        return self._change(caller, request_id, table_id, "join", lambda table: decide_join(table, player))

    def leave(self, caller: Principal, request_id: str, table_id: str) -> Table | Rejection:
        """Gives up a chair. Raises like `join`."""
        return self._change(
            caller, request_id, table_id, "leave", lambda table: decide_leave(table, caller.player_id)
        )

    def start(self, caller: Principal, request_id: str, table_id: str) -> Table | Rejection:
        """Draws the seats and begins the game. Raises like `join`, and `Unavailable` if the game cannot begin now."""
        game_id = game_id_of(table_id)
        drawn = self._change(
            caller,
            request_id,
            table_id,
            "start",
            lambda table: decide_start(table, caller.player_id, game_id),
        )
        if isinstance(drawn, Rejection):
            return drawn
        begun = self._load(table_id, up_to=drawn.version + 1)
        return begun if begun.state is TableState.PLAYING else self._begin_game(drawn)

    def get(self, table_id: str) -> Table:
        """One table. Raises `NotFound`."""
        table = self._directory.get(table_id)
        if table is None:
            self._freshen()
            table = self._directory.get(table_id)
        if table is None:
            raise NotFound("there is no such table")
        return table

    def page(self, size: int, token: str, title: str, state: TableState | None) -> tuple[list[Table], str]:
        """Tables, newest first, and the token of the next page. Raises `InvalidRequest` for wrong size or token."""
        if not 0 <= size <= PAGE_SIZE_MAX:
            raise InvalidRequest(f"page_size must be 0 to {PAGE_SIZE_MAX}")
        return self._directory.page(size or PAGE_SIZE_DEFAULT, token, title, state)

    def resume_starting_tables(self, is_cancelled: IsCancelled = never_cancelled) -> ResumedTables:
        """Begins the games of tables whose start was interrupted, until cancelled. Called when a host starts.

        A table whose game cannot begin now is skipped.
        """
        begun: list[str] = []
        waiting: dict[str, str] = {}
        for table in self._directory.in_state(TableState.STARTING):
            if is_cancelled():
                break
            try:
                self._begin_game(table)
            except Unavailable as problem:
                waiting[table.table_id] = str(problem)
            else:
                begun.append(table.table_id)
        return ResumedTables(tuple(begun), waiting)

    def _change(
        self, caller: Principal, request_id: str, table_id: str, verb: str, decide: Decision
    ) -> Table | Rejection:
        check_request_id(request_id)
        content = content_hash(verb, table_id)
        for _ in range(RACES_MAX):
            table = self._known(table_id)
            repeated = self._repeated(table_id, caller, request_id, content)
            if repeated is not None:
                return repeated
            decided = decide(table)
            if isinstance(decided, Rejection):
                self._freshen()
                if self._load(table_id).version == table.version:
                    return decided
                continue
            request = _request_record(caller, request_id, content, table.version + len(decided))
            records = [encode(event) for event in decided]
            if isinstance(
                self._log.append(TABLE_STREAM + table_id, table.version, records, request), Appended
            ):
                for event in decided:
                    table = evolve(table, event)
                return table
        raise Unavailable("too many concurrent changes of this table; send the request again")

    def _repeated(
        self, table_id: str, caller: Principal, request_id: str, content: bytes
    ) -> Table | Rejection | None:
        known = self._log.outcome(TABLE_STREAM + table_id, _scoped(caller, request_id))
        if known is None:
            return None
        if known.content_hash != content:
            return reused()
        return self._load(table_id, up_to=int(known.outcome))

    def _begin_game(self, table: Table) -> Table:
        try:
            self._starter.start_game(
                table.game_id,
                table.title,
                table.seated_players(),
                table.options,
                table.rulings,
                table.undo_policy,
                table.seed,
            )
        except GameStartFailed as error:
            raise Unavailable(f"the seats are drawn, but the game could not begin yet: {error}") from error
        return self._note_begun(table)

    def _note_begun(self, table: Table) -> Table:
        """Record that the game exists, unless that has been recorded meanwhile."""
        begun = TableGameBegun(table.game_id)
        for _ in range(RACES_MAX):
            if table.state is not TableState.STARTING:
                return table
            written = self._log.append(TABLE_STREAM + table.table_id, table.version, [encode(begun)])
            if isinstance(written, Appended):
                return evolve(table, begun)
            table = self._load(table.table_id)
        raise Unavailable("too many concurrent changes of this table; send the request again")

    def _known(self, table_id: str) -> Table:
        try:
            return self._load(table_id)
        except NotFound:
            self._freshen()
            return self._load(table_id)

    def _load(self, table_id: str, up_to: int | None = None) -> Table:
        table: Table | None = None
        for record in self._log.read(TABLE_STREAM + table_id, up_to=up_to):
            table = evolve(table, decode(record))
        if table is None:
            raise NotFound("there is no such table")
        return table


def _scoped(caller: Principal, request_id: str) -> str:
    return f"{caller.player_id}/{request_id}"


def _request_record(caller: Principal, request_id: str, content: bytes, version_after: int) -> RequestRecord:
    """The outcome is the table's version after the request; a repeat is answered with the table at that version."""
    return RequestRecord(_scoped(caller, request_id), caller.player_id, content, b"%d" % version_after)
