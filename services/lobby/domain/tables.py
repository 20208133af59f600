"""Tables: a table is the fold of its events."""

from collections.abc import Iterable, Mapping
from enum import StrEnum

import msgspec
from msgspec.structs import replace

from services.lobby.domain.agreeing import AgreementEvent, EndAgreed, EndAgreementWithdrawn, agreed_after
from services.lobby.domain.catalogue import RulingSelection, TableChoices, UndoPolicy
from services.lobby.domain.directing import DirectorNamed, SeatTakers, TableSeatTaken, bearer_of
from services.lobby.domain.games import GameResult
from services.lobby.domain.imports import TableOrigin
from services.lobby.domain.invitations import (
    NO_GUESTS,
    GuestEvent,
    Guests,
    InvitationLinkMade,
    InvitationWithdrawn,
    PlayerInvited,
    PlayerRemoved,
    TableArranged,
    guests_after,
)
from services.lobby.domain.offering import (
    OfferEvent,
    SubstituteOffered,
    SubstituteOfferWithdrawn,
    offers_after,
    without,
)
from services.lobby.domain.players import HOUSE_BOT, Player
from services.lobby.domain.rejections import Rejection, RejectionReason
from services.lobby.domain.table_clocks import ClockChosen
from services.lobby.domain.table_of_round import TableSeated
from services.lobby.domain.time_control.policy import ClockPolicy


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
    | DirectorNamed
    | TableSeatTaken
    | GuestEvent
    | AgreementEvent
    | OfferEvent
    | ClockChosen
)
TableEvent = TableCreated | TableImported | TableSeated | LaterEvent
EventOfThePresent = TurnOverdue | TableSeatTaken | AgreementEvent | OfferEvent
"""What says how a game is now."""


class OverduePlayer(msgspec.Struct, frozen=True):
    """A player who exceeded the time limit: in how many turns, and when the latest of them began."""

    player_id: str
    turn_count: int
    since_ms: int
    sequence: int


class Table(msgspec.Struct, frozen=True):
    """A table. `version` counts its events; `players` are in the order of joining, `seats` in the order drawn.

    `result_sequence`: the sequence of the game that gave `ending` and `results`, 0 before any end. `join_counts`: how often
    each player has joined, and from the start on how often each has offered to take a seat. `start_refusal`: why the rules
    refused to begin the game, which closed the table. `origin`: where an imported game comes from, `kept_in`: the stream that has
    its events. `director_id`: who directs the game beside the operators; `seat_takers`: who took a seat during the game, in
    order. `round_id`, `round_table`: the round of a tournament to which it belongs, and its number there. `guests`: whom it lets
    in. `agreed_to_end`: the accounts that agree to end the game as it stands. `substitutes`: who offers to take a seat. `clock`:
    how much time players have, None without clocks. `unseen_changes`: how many of its events since any end of the game nobody
    sees who sees the game later."""

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
    director_id: str = ""
    seat_takers: SeatTakers = ()
    round_id: str = ""
    round_table: int = 0
    guests: Guests = NO_GUESTS
    agreed_to_end: tuple[str, ...] = ()
    substitutes: tuple[Player, ...] = ()
    clock: ClockPolicy | None = None
    unseen_changes: int = 0

    @property
    def accounts(self) -> tuple[str, ...]:
        """Who plays here now: the players, or those who took their seats."""
        return tuple(bearer_of(self.seat_takers, player.player_id) for player in self.players)

    @property
    def bots(self) -> tuple[str, ...]:
        """Seats that bots of the house play now: their turns are not overdue."""
        return tuple(seat for seat in self.seats if bearer_of(self.seat_takers, seat).startswith(HOUSE_BOT))

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
    unseen = table.unseen_changes + isinstance(event, EventOfThePresent)
    # The end of a game shows everything.
    unseen = 0 if isinstance(event, TableFinished) else unseen
    return replace(_changed(table, event), version=table.version + 1, unseen_changes=unseen)


def folded(events: Iterable[TableEvent]) -> Table:
    """The table after all its events from the first. Raises `BrokenTableLog`."""
    table: Table | None = None
    for event in events:
        table = evolve(table, event)
    if table is None:
        raise BrokenTableLog("a table without events")
    return table


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
            return replace(table, players=(*table.players, player), join_counts=_joined_again(table, player))
        case PlayerLeft(player_id=player_id):
            return replace(table, players=_without(table, player_id))
        case PlayerRemoved(player_id=player_id):
            guests = guests_after(table.guests, event)
            return replace(table, players=_without(table, player_id), guests=guests)
        case TableArranged() | PlayerInvited() | InvitationWithdrawn() | InvitationLinkMade():
            return replace(table, guests=guests_after(table.guests, event))
        case TableStarted(game_id=game_id, seats=seats):
            started = replace(table, state=TableState.STARTING, seats=seats, game_id=game_id)
            return replace(started, player_count=len(seats), join_counts={})
        case TableGameBegun():
            return replace(table, state=TableState.PLAYING)
        case TableClosed():
            return replace(table, state=TableState.CLOSED)
        case TableStartRefused(sentence=sentence, clause=clause):
            refusal = Rejection(RejectionReason.START_REFUSED, sentence, clause)
            return replace(table, state=TableState.CLOSED, start_refusal=refusal)
        case TableFinished(sequence=sequence, ending=ending, results=results):
            finished = replace(table, state=TableState.FINISHED, ending=ending, results=results)
            return replace(finished, result_sequence=sequence, agreed_to_end=())
        case TableReopened(sequence=sequence):
            return replace(table, state=TableState.PLAYING, ending="", results=(), result_sequence=sequence)
        case TurnOverdue():
            return replace(table, overdue=_with_overdue(table.overdue, event))
        case DirectorNamed(player_id=player_id):
            return replace(table, director_id=player_id)
        case EndAgreed() | EndAgreementWithdrawn():
            return replace(table, agreed_to_end=agreed_after(table.agreed_to_end, event))
        case TableSeatTaken(bearer=bearer):
            substitutes = without(table.substitutes, bearer.player_id)
            return replace(table, seat_takers=(*table.seat_takers, event), substitutes=substitutes)
        case SubstituteOffered(player=player):
            substitutes = offers_after(table.substitutes, event)
            return replace(table, substitutes=substitutes, join_counts=_joined_again(table, player))
        case SubstituteOfferWithdrawn():
            return replace(table, substitutes=offers_after(table.substitutes, event))
        case ClockChosen(policy=policy):
            return replace(table, clock=policy)


def _joined_again(table: Table, player: Player) -> Mapping[str, int]:
    return {**table.join_counts, player.player_id: 1 + table.join_counts.get(player.player_id, 0)}


def _without(table: Table, player_id: str) -> tuple[Player, ...]:
    return tuple(player for player in table.players if player.player_id != player_id)


def _with_overdue(overdue: tuple[OverduePlayer, ...], event: TurnOverdue) -> tuple[OverduePlayer, ...]:
    count = 1 + sum(each.turn_count for each in overdue if each.player_id == event.player_id)
    others = tuple(each for each in overdue if each.player_id != event.player_id)
    return (*others, OverduePlayer(event.player_id, count, event.since_ms, event.sequence))
