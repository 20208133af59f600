"""Tables: a table is the fold of its events; `decide_*` returns the events of a request or its rejection."""

from collections.abc import Mapping
from enum import StrEnum

import msgspec
from msgspec.structs import replace

from services.lobby.domain.catalogue import (
    RulingSelection,
    TableChoices,
    UndoPolicy,
)
from services.lobby.domain.games import GameResult
from services.lobby.domain.imports import TableOrigin
from services.lobby.domain.players import Player
from services.lobby.domain.quotas import Quotas, Usage, reject_another_seat
from services.lobby.domain.rejections import Rejection, RejectionReason
from services.lobby.domain.seats import draw_seats
from services.lobby.domain.table_of_round import TableSeated

TURN_SECONDS_MAX = 60 * 24 * 3600


class TableState(StrEnum):
    """What a table is doing."""

    OPEN = "OPEN"
    STARTING = "STARTING"
    PLAYING = "PLAYING"
    CLOSED = "CLOSED"
    FINISHED = "FINISHED"


class TableCreated(msgspec.Struct, frozen=True):
    """A table was opened; its owner sits at it."""

    table_id: str
    owner: Player
    title: str
    player_count: int
    options: tuple[str, ...]
    rulings: RulingSelection
    undo_policy: UndoPolicy
    seed: int
    seed_chosen_by_owner: bool
    create_time_ms: int
    turn_seconds: int = 0


class TableImported(msgspec.Struct, frozen=True):
    """A table was made for a game begun elsewhere; `players` in seat order. `kept_in`: the stream of the game's events."""

    table_id: str
    game_id: str
    players: tuple[Player, ...]
    title: str
    options: tuple[str, ...]
    rulings: RulingSelection
    undo_policy: UndoPolicy
    seed: int
    origin: TableOrigin
    kept_in: str
    create_time_ms: int
    turn_seconds: int = 0


class PlayerJoined(msgspec.Struct, frozen=True):
    """A player took a chair."""

    player: Player


class PlayerLeft(msgspec.Struct, frozen=True):
    """A player gave up a chair."""

    player_id: str


class TableStarted(msgspec.Struct, frozen=True):
    """Seats were drawn; `seats` are player ids in seat order."""

    game_id: str
    seats: tuple[str, ...]


class TableGameBegun(msgspec.Struct, frozen=True):
    """The game of the table exists."""

    game_id: str


class TableClosed(msgspec.Struct, frozen=True):
    """The table was given up before its start, because its owner left."""


class TableStartRefused(msgspec.Struct, frozen=True):
    """The rules refused for good to begin the game, with this reason code of theirs: the table is closed."""

    code: str
    sentence: str
    clause: str


class TableFinished(msgspec.Struct, frozen=True):
    """The game of the table has ended, after event `sequence` of it; `results` are best first."""

    game_id: str
    sequence: int
    ending: str
    results: tuple[GameResult, ...]


class TableReopened(msgspec.Struct, frozen=True):
    """The end of the game was undone, by event `sequence` of it or an earlier one."""

    game_id: str
    sequence: int


class TurnOverdue(msgspec.Struct, frozen=True):
    """A turn exceeded the table's time limit; the player had been asked since event `sequence` of the game."""

    player_id: str
    since_ms: int
    sequence: int


LaterEvent = (
    PlayerJoined
    | PlayerLeft
    | TableStarted
    | TableGameBegun
    | TableClosed
    | TableStartRefused
    | TableFinished
    | TableReopened
    | TurnOverdue
)
TableEvent = TableCreated | TableImported | TableSeated | LaterEvent


class OverduePlayer(msgspec.Struct, frozen=True):
    """A player who exceeded the time limit: in how many turns, and when the latest of them began."""

    player_id: str
    turn_count: int
    since_ms: int
    sequence: int


class Table(msgspec.Struct, frozen=True):
    """A table. `version` counts its events; `players` are in the order of joining, `seats` in the order drawn.

    `result_sequence`: the sequence of the game that gave `ending` and `results`, 0 before any end. `join_counts`: how often
    each player has joined, until the start. `start_refusal`: why the rules refused to begin the game, which closed the
    table. `origin`: where an imported game comes from, `kept_in`: the stream that has its events. `round_id`, `round_table`: the
    round of a tournament to which it belongs, and its number there."""

    table_id: str
    owner_id: str
    title: str
    player_count: int
    options: tuple[str, ...]
    rulings: RulingSelection
    undo_policy: UndoPolicy
    seed: int
    seed_chosen_by_owner: bool
    create_time_ms: int
    players: tuple[Player, ...]
    state: TableState = TableState.OPEN
    seats: tuple[str, ...] = ()
    game_id: str = ""
    version: int = 1
    turn_seconds: int = 0
    ending: str = ""
    results: tuple[GameResult, ...] = ()
    result_sequence: int = 0
    overdue: tuple[OverduePlayer, ...] = ()
    join_counts: Mapping[str, int] = {}
    start_refusal: Rejection | None = None
    origin: TableOrigin | None = None
    kept_in: str = ""
    round_id: str = ""
    round_table: int = 0

    @property
    def choices(self) -> TableChoices:
        """What the table plays."""
        return TableChoices(
            self.title, self.player_count, self.options, self.rulings, self.undo_policy, self.seed
        )

    def has(self, player_id: str) -> bool:
        """True if the player sits here."""
        return any(player.player_id == player_id for player in self.players)

    def seated_players(self) -> tuple[Player, ...]:
        """The players in the order of their seats."""
        by_id = {player.player_id: player for player in self.players}
        return tuple(by_id[player_id] for player_id in self.seats)


class BrokenTableLog(Exception):
    """A table's events do not fit together."""


def evolve(table: Table | None, event: TableEvent) -> Table:
    """The table after `event`. Raises `BrokenTableLog` unless exactly the first event makes it."""
    if isinstance(event, TableCreated | TableImported | TableSeated):
        if table is not None:
            raise BrokenTableLog(f"table {table.table_id} was opened twice")
        if isinstance(event, TableSeated):
            return _seated(event)
        return _opened(event) if isinstance(event, TableCreated) else _imported(event)
    if table is None:
        raise BrokenTableLog(f"{type(event).__name__} for a table that was never opened")
    return replace(_changed(table, event), version=table.version + 1)


def _opened(event: TableCreated) -> Table:
    return Table(
        table_id=event.table_id,
        owner_id=event.owner.player_id,
        title=event.title,
        player_count=event.player_count,
        options=event.options,
        rulings=event.rulings,
        undo_policy=event.undo_policy,
        seed=event.seed,
        seed_chosen_by_owner=event.seed_chosen_by_owner,
        create_time_ms=event.create_time_ms,
        players=(event.owner,),
        turn_seconds=event.turn_seconds,
    )


def _imported(event: TableImported) -> Table:
    """The first seat stands for the owner."""
    return Table(
        table_id=event.table_id,
        owner_id=event.players[0].player_id,
        title=event.title,
        player_count=len(event.players),
        options=event.options,
        rulings=event.rulings,
        undo_policy=event.undo_policy,
        seed=event.seed,
        seed_chosen_by_owner=False,
        create_time_ms=event.create_time_ms,
        players=event.players,
        state=TableState.STARTING,
        seats=tuple(player.player_id for player in event.players),
        game_id=event.game_id,
        turn_seconds=event.turn_seconds,
        origin=event.origin,
        kept_in=event.kept_in,
    )


def _seated(event: TableSeated) -> Table:
    return Table(
        table_id=event.table_id,
        owner_id=event.owner_id,
        title=event.choices.title,
        player_count=len(event.players),
        options=event.choices.options,
        rulings=event.choices.rulings,
        undo_policy=event.choices.undo_policy,
        seed=event.choices.seed or 0,
        seed_chosen_by_owner=False,
        create_time_ms=event.create_time_ms,
        players=event.players,
        state=TableState.STARTING,
        seats=tuple(player.player_id for player in event.players),
        game_id=event.game_id,
        turn_seconds=event.turn_seconds,
        round_id=event.round_id,
        round_table=event.round_table,
    )


def _changed(table: Table, event: LaterEvent) -> Table:
    match event:
        case PlayerJoined(player=player):
            joins = {**table.join_counts, player.player_id: 1 + table.join_counts.get(player.player_id, 0)}
            return replace(table, players=(*table.players, player), join_counts=joins)
        case PlayerLeft(player_id=player_id):
            staying = tuple(player for player in table.players if player.player_id != player_id)
            return replace(table, players=staying)
        case TableStarted(game_id=game_id, seats=seats):
            return replace(table, state=TableState.STARTING, seats=seats, game_id=game_id, join_counts={})
        case TableGameBegun():
            return replace(table, state=TableState.PLAYING)
        case TableClosed():
            return replace(table, state=TableState.CLOSED)
        case TableStartRefused(sentence=sentence, clause=clause):
            refusal = Rejection(RejectionReason.START_REFUSED, sentence, clause)
            return replace(table, state=TableState.CLOSED, start_refusal=refusal)
        case TableFinished(sequence=sequence, ending=ending, results=results):
            return replace(
                table, state=TableState.FINISHED, ending=ending, results=results, result_sequence=sequence
            )
        case TableReopened(sequence=sequence):
            return replace(table, state=TableState.PLAYING, ending="", results=(), result_sequence=sequence)
        case TurnOverdue():
            return replace(table, overdue=_with_overdue(table.overdue, event))


def _with_overdue(overdue: tuple[OverduePlayer, ...], event: TurnOverdue) -> tuple[OverduePlayer, ...]:
    count = 1 + sum(each.turn_count for each in overdue if each.player_id == event.player_id)
    others = tuple(each for each in overdue if each.player_id != event.player_id)
    return (*others, OverduePlayer(event.player_id, count, event.since_ms, event.sequence))


def decide_create(
    table_id: str,
    owner: Player,
    choices: TableChoices,
    drawn_seed: int,
    now_ms: int,
    turn_seconds: int = 0,
) -> TableCreated | Rejection:
    """Opens a table for choices that the title plays; `drawn_seed` is used if the owner chose none."""
    return reject_turn_seconds(turn_seconds) or TableCreated(
        table_id=table_id,
        owner=owner,
        title=choices.title,
        player_count=choices.player_count,
        options=choices.options,
        rulings=choices.rulings,
        undo_policy=choices.undo_policy,
        seed=drawn_seed if choices.seed is None else choices.seed,
        seed_chosen_by_owner=choices.seed is not None,
        create_time_ms=now_ms,
        turn_seconds=turn_seconds,
    )


def reject_turn_seconds(turn_seconds: int) -> Rejection | None:
    """Why a table cannot have this time for a turn, None if it can."""
    if 0 <= turn_seconds <= TURN_SECONDS_MAX:
        return None
    return Rejection(
        RejectionReason.TURN_SECONDS_OUT_OF_RANGE, f"The time for a turn is 0 to {TURN_SECONDS_MAX} seconds."
    )


def decide_join(
    table: Table, player: Player, usage: Usage, quotas: Quotas
) -> tuple[TableEvent, ...] | Rejection:
    """Takes a chair. Without the limit of joins anybody could make the log of a table as long as they like."""
    if table.state is not TableState.OPEN:
        return _not_open(table)
    if table.has(player.player_id):
        return Rejection(RejectionReason.ALREADY_SEATED, "You sit at this table already.")
    if len(table.players) >= table.player_count:
        return Rejection(RejectionReason.TABLE_FULL, f"All {table.player_count} chairs are taken.")
    if table.join_counts.get(player.player_id, 0) >= quotas.joins_per_table:
        return Rejection(
            RejectionReason.JOINED_TOO_OFTEN,
            f"You have joined this table {quotas.joins_per_table} times, as often as a player may.",
        )
    return reject_another_seat(usage, quotas) or (PlayerJoined(player),)


def decide_leave(table: Table, player_id: str) -> tuple[TableEvent, ...] | Rejection:
    """Gives up a chair; the table closes when its owner leaves."""
    if table.state is not TableState.OPEN:
        return _not_open(table)
    if not table.has(player_id):
        return Rejection(RejectionReason.NOT_SEATED, "You do not sit at this table.")
    if player_id == table.owner_id:
        return (PlayerLeft(player_id), TableClosed())
    return (PlayerLeft(player_id),)


def decide_start(table: Table, player_id: str, game_id: str) -> tuple[TableEvent, ...] | Rejection:
    """Draws the seats."""
    if player_id != table.owner_id:
        return Rejection(RejectionReason.NOT_OWNER, "Only the owner of a table may start it.")
    if table.state is not TableState.OPEN:
        return _not_open(table)
    missing = table.player_count - len(table.players)
    if missing:
        return Rejection(
            RejectionReason.TABLE_NOT_FULL, f"{missing} of {table.player_count} chairs are free."
        )
    return (TableStarted(game_id, draw_seats(table.seed, [player.player_id for player in table.players])),)


def _not_open(table: Table) -> Rejection:
    doing = "is closed" if table.state is TableState.CLOSED else "has started"
    why = f" {table.start_refusal.sentence}" if table.start_refusal is not None else ""
    return Rejection(RejectionReason.TABLE_NOT_OPEN, f"The table {doing}.{why}")
