"""Opening, joining, leaving and starting tables."""

from collections.abc import Callable, Sequence

import msgspec
from msgspec.structs import replace

from services.common.auth.tokens import Principal
from services.common.clock import Clock
from services.common.errors import InvalidRequest, Unavailable
from services.common.eventlog.port import Appended, EventLog
from services.lobby.directory import TABLE_STREAM, TableDirectory
from services.lobby.domain import clock_policies
from services.lobby.domain.catalogue import TableChoices, not_playable, reject_choices
from services.lobby.domain.directing import DirectorNamed
from services.lobby.domain.invitations import USUAL, TableArranged
from services.lobby.domain.inviting import reject_arranged
from services.lobby.domain.players import Player
from services.lobby.domain.quotas import Quotas, reject_another_table
from services.lobby.domain.rejections import Rejection
from services.lobby.domain.table_clocks import ClockChosen
from services.lobby.domain.table_of_round import TableSeated
from services.lobby.domain.table_requests import decide_create, decide_join, decide_leave, decide_start
from services.lobby.domain.tables import (
    PlayerLeft,
    Table,
    TableEvent,
    TableGameBegun,
    TableStartRefused,
    TableState,
    evolve,
    folded,
)
from services.lobby.domain.time_control.policy import ClockPolicy
from services.lobby.domain.visibility import STRANGER, Viewer, audience_of, may_see, opens_with
from services.lobby.event_codec import decode, encode
from services.lobby.handlers.kept_games import kept_events
from services.lobby.handlers.requests import (
    check_request_id,
    content_hash,
    derived_id,
    game_id_of,
    no_such_table,
    request_record,
    reused,
    scoped,
)
from services.lobby.handlers.stream_changes import RACES_MAX
from services.lobby.ports import (
    Freshness,
    GameStarter,
    GameStartFailed,
    GameStartRefused,
    IsCancelled,
    SeedSource,
    TitleCatalogue,
    never_cancelled,
)

PAGE_SIZE_DEFAULT = 50
PAGE_SIZE_MAX = 100

Decision = Callable[[Table], tuple[TableEvent, ...] | Rejection]


class ResumedTables(msgspec.Struct, frozen=True):
    """Tables whose games have begun, and with the reason those whose games could not now and those whose games were refused."""

    begun: tuple[str, ...]
    waiting: dict[str, str]
    refused: dict[str, str] = {}


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
        quotas: Quotas,
        clock_rules: clock_policies.ClockRules,
    ) -> None:
        self._log = log
        self._catalogue = catalogue
        self._starter = starter
        self._seeds = seeds
        self._clock = clock
        self._freshen = freshen
        self._directory = directory
        self._quotas = quotas
        self.clock_rules = clock_rules

    def create(
        self,
        caller: Principal,
        request_id: str,
        choices: TableChoices,
        turn_seconds: int = 0,
        owner_directs: bool = False,
        arranged: TableArranged = USUAL,
        owner_organises: bool = False,
        clock: str = "",
    ) -> Table | Rejection:
        """Opens a table. `owner_organises`: the owner takes no chair; `clock`: a clock policy as JSON, empty for none.

        Raises `InvalidRequest` for a malformed request id."""
        check_request_id(request_id)
        table_id = derived_id("t", caller.player_id, request_id)
        more: tuple[object, ...] = ("owner_directs",) if owner_directs else ()
        if arranged != USUAL or owner_organises:
            more = (*more, arranged, owner_organises)
        more = (*more, "clock", clock) if clock else more
        policy = clock_policies.read_policy(clock) if clock else None
        if isinstance(policy, Rejection):
            return policy
        content = content_hash("create", choices, turn_seconds, *more)
        later: list[TableEvent] = [DirectorNamed(caller.player_id)] if owner_directs else []
        later += [] if arranged == USUAL else [arranged]
        later += [PlayerLeft(caller.player_id)] if owner_organises else []
        later += [ClockChosen(policy)] if policy is not None else []
        timing = clock_policies.Timing(turn_seconds, policy)
        return self.open(caller, request_id, table_id, choices, timing, content, later, arranged)

    def open(
        self,
        caller: Principal,
        request_id: str,
        table_id: str,
        choices: TableChoices,
        timing: clock_policies.Timing,
        content: bytes,
        later: Sequence[TableEvent],
        arranged: TableArranged,
    ) -> Table | Rejection:
        """Opens the table with this id; `later` are its events after the first, `content` is the hash of the request."""
        repeated = self.repeated(table_id, caller, request_id, content)
        if repeated is not None:
            return repeated
        decided = (
            self._reject_another_table(caller)
            or self.unplayable(choices)
            or reject_arranged(arranged, choices.player_count)
            or clock_policies.reject_timing(timing, self.clock_rules)
            or decide_create(
                table_id,
                Player(caller.player_id, caller.name),
                choices,
                self._seeds.draw(),
                self._clock.now_ms(),
                timing.turn_seconds,
            )
        )
        if isinstance(decided, Rejection):
            return decided
        events = (decided, *later)
        request = request_record(caller, request_id, content, version_after=len(events))
        result = self._log.append(TABLE_STREAM + table_id, 0, [encode(event) for event in events], request)
        if isinstance(result, Appended):
            return folded(events)
        return self.repeated(table_id, caller, request_id, content) or reused()

    def join(
        self, caller: Principal, request_id: str, table_id: str, link_token: str = ""
    ) -> Table | Rejection:
        """Takes a chair. Raises `NotFound` for a table that the caller cannot see and does not open with the token of a link,
        `InvalidRequest` for a malformed request id."""
        player = Player(caller.player_id, caller.name)

        def decide(table: Table) -> tuple[TableEvent, ...] | Rejection:
            usage = self._directory.usage_of(player.player_id)
            return decide_join(table, player, usage, self._quotas)

        return self.change(caller, request_id, table_id, "join", decide, link_token=link_token)

    def leave(self, caller: Principal, request_id: str, table_id: str) -> Table | Rejection:
        """Gives up a chair. Raises like `join`."""
        return self.change(
            caller, request_id, table_id, "leave", lambda table: decide_leave(table, caller.player_id)
        )

    def start(
        self, caller: Principal, request_id: str, table_id: str, seats: tuple[str, ...] = ()
    ) -> Table | Rejection:
        """Draws the seats, or takes those given, and begins the game.

        Raises like `join`, and `Unavailable` if the game cannot begin now.

        What the title does not play is rejected before the seats are drawn: titles may have changed since the table was
        opened. Where the rules refuse all the same, the table closes."""
        game_id = game_id_of(table_id)
        drawn = self.change(
            caller,
            request_id,
            table_id,
            "start",
            lambda table: self._decide_start(table, caller.player_id, game_id, seats),
            *((seats,) if seats else ()),
        )
        if isinstance(drawn, Rejection):
            return drawn
        return self.begun(drawn)

    def begun(self, starting: Table) -> Table | Rejection:
        """The table once its game has begun; `starting` is the table before. Raises `Unavailable` if that is not possible now."""
        begun = self._at_version(starting.table_id, starting.version + 1)
        if begun.start_refusal is not None:
            return begun.start_refusal
        return begun if begun.state is TableState.PLAYING else self._begin_game(starting)

    def begin_seated(self, event: TableSeated, more: Sequence[TableEvent] = ()) -> Table | Rejection:
        """The table of a tournament, made with what is decided about it unless it is there, once its game has begun.

        Raises `Unavailable` if the game cannot begin now; the next start of a host tries again."""
        events = [encode(each) for each in (event, *more)]
        self._log.append(TABLE_STREAM + event.table_id, 0, events)
        table = self.get(event.table_id)
        return self._begin_game(table) if table.state is TableState.STARTING else table

    def get(self, table_id: str) -> Table:
        """One table. Raises `NotFound`."""
        table = self._directory.get(table_id)
        if table is None:
            self._freshen()
            table = self._directory.get(table_id)
        if table is None:
            raise no_such_table()
        return table

    def seen(self, table_id: str, viewer: Viewer, link_token: str = "") -> Table:
        """One table, for somebody who may see it. Raises `NotFound` else, as where there is no such table."""
        table = self.get(table_id)
        if not may_see(table, viewer) and not opens_with(table, link_token):
            self._freshen()
            table = self.get(table_id)
            if not may_see(table, viewer) and not opens_with(table, link_token):
                raise no_such_table()
        return table

    def page(
        self, size: int, token: str, title: str, state: TableState | None, viewer: Viewer = STRANGER
    ) -> tuple[list[Table], str]:
        """Tables, newest first, and the token of the next page. Raises `InvalidRequest` for wrong size or token."""
        if not 0 <= size <= PAGE_SIZE_MAX:
            raise InvalidRequest(f"page_size must be 0 to {PAGE_SIZE_MAX}")
        return self._directory.page(size or PAGE_SIZE_DEFAULT, token, title, state, viewer)

    def resume_starting_tables(self, is_cancelled: IsCancelled = never_cancelled) -> ResumedTables:
        """Begins the games of tables whose start was interrupted, until cancelled. Called when a host starts.

        A table whose game cannot begin now is skipped.
        """
        begun: list[str] = []
        waiting: dict[str, str] = {}
        refused: dict[str, str] = {}
        for table in self._directory.in_state(TableState.STARTING):
            if is_cancelled():
                break
            try:
                outcome = self._begin_game(table)
            except Unavailable as problem:
                waiting[table.table_id] = str(problem)
            except Exception as problem:
                # A title that fails must not keep the host from starting.
                waiting[table.table_id] = repr(problem)
            else:
                if isinstance(outcome, Rejection):
                    refused[table.table_id] = outcome.sentence
                else:
                    begun.append(table.table_id)
        return ResumedTables(tuple(begun), waiting, refused)

    def unplayable(self, choices: TableChoices) -> Rejection | None:
        """Why the title does not play this; None if it does."""
        offer = self._catalogue.offer(choices.title)
        rejection = reject_choices(choices, offer, self._catalogue.titles())
        if rejection is not None or offer is None:
            return rejection
        refusal = self._catalogue.refusal(choices)
        return None if refusal is None else not_playable(choices, offer, refusal)

    def reject_policy(self, policy: ClockPolicy) -> Rejection | None:
        """Why no table can have these clocks here; None if one can."""
        return clock_policies.reject_policy(policy, self.clock_rules)

    def _decide_start(
        self, table: Table, player_id: str, game_id: str, seats: tuple[str, ...]
    ) -> tuple[TableEvent, ...] | Rejection:
        decided = decide_start(table, player_id, game_id, seats)
        if isinstance(decided, Rejection):
            return decided
        return self.unplayable(replace(table.choices, player_count=len(table.players))) or decided

    def change(
        self,
        caller: Principal,
        request_id: str,
        table_id: str,
        verb: str,
        decide: Decision,
        *content_of_verb: object,
        link_token: str = "",
    ) -> Table | Rejection:
        """The table after what `decide` decides about it, or the first answer to a repeated request.

        Raises `NotFound` for a table that the caller may not see, and `Unavailable`."""
        check_request_id(request_id)
        content = content_hash(verb, table_id, *content_of_verb)
        for _ in range(RACES_MAX):
            table = self.get(table_id)
            repeated = self.repeated(table_id, caller, request_id, content)
            if repeated is not None:
                return repeated
            table = self.seen(table_id, Viewer(caller.player_id), link_token)
            decided = decide(table)
            if isinstance(decided, Rejection):
                self._freshen()
                is_same = self.get(table_id).version == table.version
                if is_same and isinstance(decide(table), Rejection):
                    return decided
                continue
            request = request_record(caller, request_id, content, table.version + len(decided))
            records = [encode(event) for event in decided]
            if isinstance(
                self._log.append(TABLE_STREAM + table_id, table.version, records, request), Appended
            ):
                for event in decided:
                    table = evolve(table, event)
                return table
        raise Unavailable("too many concurrent changes of this table; send the request again")

    def repeated(
        self, table_id: str, caller: Principal, request_id: str, content: bytes
    ) -> Table | Rejection | None:
        """The answer to a request that came before, None if it is new."""
        known = self._log.outcome(TABLE_STREAM + table_id, scoped(caller, request_id))
        if known is None:
            return None
        if known.content_hash != content:
            return reused()
        return self._at_version(table_id, int(known.outcome))

    def _begin_game(self, table: Table) -> Table | Rejection:
        try:
            if table.kept_in:
                self._starter.continue_game(table.game_id, kept_events(self._log, table.kept_in))
            else:
                self._starter.start_game(
                    table.game_id,
                    table.title,
                    table.seated_players(),
                    table.options,
                    table.rulings,
                    table.undo_policy,
                    table.seed,
                    audience_of(table),
                )
        except GameStartFailed as error:
            raise Unavailable(f"the seats are drawn, but the game could not begin yet: {error}") from error
        except GameStartRefused as refused:
            return self._note_refused(table, refused)
        return self._note(table, TableGameBegun(table.game_id))

    def _note_refused(self, table: Table, refused: GameStartRefused) -> Table | Rejection:
        """Close the table, unless the game has begun meanwhile."""
        sentence = f"The rules refuse to begin the game: {refused}."
        noted = self._note(table, TableStartRefused(refused.code, sentence, refused.clause))
        return noted.start_refusal or noted

    def _note(self, table: Table, event: TableGameBegun | TableStartRefused) -> Table:
        """Record what became of the start, unless that has been recorded meanwhile."""
        for _ in range(RACES_MAX):
            if table.state is not TableState.STARTING:
                return table
            written = self._log.append(TABLE_STREAM + table.table_id, table.version, [encode(event)])
            if isinstance(written, Appended):
                return evolve(table, event)
            table = self.get(table.table_id)
        raise Unavailable("too many concurrent changes of this table; send the request again")

    def _reject_another_table(self, caller: Principal) -> Rejection | None:
        if reject_another_table(self._directory.usage_of(caller.player_id), self._quotas) is None:
            return None
        self._freshen()
        return reject_another_table(self._directory.usage_of(caller.player_id), self._quotas)

    def _at_version(self, table_id: str, version: int) -> Table:
        """The table as it was, or as it is now if it has not reached that version."""
        table = self.get(table_id)
        if table.version <= version:
            return table
        before: Table | None = None
        for record in self._log.read(TABLE_STREAM + table_id, up_to=version):
            before = evolve(before, decode(record))
        return before or table
