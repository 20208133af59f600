"""What players may do at a table before its game begins, and offers to take a seat of it: `decide_*` returns the events of a
request or its rejection."""

from services.lobby.domain.catalogue import TableChoices
from services.lobby.domain.directing import did_not_enter, did_not_offer, game_not_begun
from services.lobby.domain.offering import SubstituteOffered, SubstituteOfferWithdrawn
from services.lobby.domain.players import Player
from services.lobby.domain.quotas import Quotas, Usage, reject_another_seat
from services.lobby.domain.rejections import Rejection, RejectionReason
from services.lobby.domain.seats import draw_seats
from services.lobby.domain.tables import (
    PlayerJoined,
    PlayerLeft,
    Table,
    TableClosed,
    TableCreated,
    TableEvent,
    TableStarted,
    TableState,
)

TURN_SECONDS_MAX = 60 * 24 * 3600
SUBSTITUTES_MAX = 20


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
        RejectionReason.TURN_SECONDS_OUT_OF_RANGE,
        f"The time for a turn is 0 to {TURN_SECONDS_MAX} seconds.",
        field="turn_seconds",
    )


def decide_join(
    table: Table, player: Player, usage: Usage, quotas: Quotas
) -> tuple[TableEvent, ...] | Rejection:
    """Takes a chair. Without the limit of joins anybody could make the log of a table as long as they like."""
    if table.state is not TableState.OPEN:
        return not_open(table)
    if table.has(player.player_id):
        return Rejection(RejectionReason.ALREADY_SEATED, "You sit at this table already.")
    if len(table.players) >= table.player_count:
        return Rejection(RejectionReason.TABLE_FULL, f"All {table.player_count} chairs are taken.")
    if player.player_id in table.guests.removed:
        return Rejection(
            RejectionReason.REMOVED_FROM_TABLE,
            "The owner removed you from this table and can invite you again.",
        )
    if table.join_counts.get(player.player_id, 0) >= quotas.joins_per_table:
        return _joined_too_often(quotas)
    return reject_another_seat(usage, quotas) or (PlayerJoined(player),)


def decide_offer(
    table: Table, player: Player, usage: Usage, quotas: Quotas
) -> tuple[TableEvent, ...] | Rejection:
    """Offers to take a seat of the game, limited like joining."""
    if table.state in (TableState.FINISHED, TableState.CLOSED):
        return not_open(table)
    if table.state is not TableState.PLAYING:
        return game_not_begun()
    if player.player_id in table.accounts or player in table.substitutes:
        return Rejection(RejectionReason.ALREADY_SEATED, "You play here, or have offered to, already.")
    if len(table.substitutes) >= SUBSTITUTES_MAX:
        return Rejection(
            RejectionReason.TABLE_FULL, f"{SUBSTITUTES_MAX} players offer to take a seat, as many as may."
        )
    if table.join_counts.get(player.player_id, 0) >= quotas.joins_per_table:
        return _joined_too_often(quotas)
    return reject_another_seat(usage, quotas) or (SubstituteOffered(player),)


def reject_bearer(table: Table, player: Player, director: str, has_entered: bool = False) -> Rejection | None:
    """Why a director of a table may not give a seat to an account, None if they may: to those who sat down here, who offer to,
    and the director; and to everybody who `has_entered` the event of the table."""
    offers = any(each.player_id == player.player_id for each in table.substitutes)
    if has_entered or offers or player.player_id == director or table.has(player.player_id):
        return None
    return did_not_enter(player, can_offer=True) if table.round_id else did_not_offer(player)


def decide_leave(table: Table, player_id: str) -> tuple[TableEvent, ...] | Rejection:
    """Gives up a chair, or the offer to take a seat; the table closes when its owner leaves."""
    if any(each.player_id == player_id for each in table.substitutes):
        return (SubstituteOfferWithdrawn(player_id),)
    if table.state is not TableState.OPEN:
        return not_open(table)
    if not table.has(player_id):
        if player_id == table.owner_id:
            return (TableClosed(),)
        return Rejection(RejectionReason.NOT_SEATED, "You do not sit at this table.")
    if player_id == table.owner_id:
        return (PlayerLeft(player_id), TableClosed())
    return (PlayerLeft(player_id),)


def decide_start(
    table: Table, player_id: str, game_id: str, seats: tuple[str, ...] = ()
) -> tuple[TableEvent, ...] | Rejection:
    """Draws the seats, or takes those that the owner gives."""
    if player_id != table.owner_id:
        return Rejection(RejectionReason.NOT_OWNER, "Only the owner of a table may start it.")
    if table.state is not TableState.OPEN:
        return not_open(table)
    least = table.guests.arranged.least_players or table.player_count
    if len(table.players) < least:
        missing = table.player_count - len(table.players)
        needed = f", and it needs {least} players" if least < table.player_count else ""
        return Rejection(
            RejectionReason.TABLE_NOT_FULL, f"{missing} of {table.player_count} chairs are free{needed}."
        )
    players = [player.player_id for player in table.players]
    if table.guests.arranged.are_seats_given:
        if sorted(seats) != sorted(players):
            return _seats_malformed("The seats have to name each player of the table once.")
        return (TableStarted(game_id, seats),)
    if seats:
        return _seats_malformed("The seats of this table are drawn.")
    return (TableStarted(game_id, draw_seats(table.seed, players)),)


def _joined_too_often(quotas: Quotas) -> Rejection:
    return Rejection(
        RejectionReason.JOINED_TOO_OFTEN,
        f"You have joined this table {quotas.joins_per_table} times, as often as a player may.",
    )


def _seats_malformed(sentence: str) -> Rejection:
    return Rejection(RejectionReason.SEATS_MALFORMED, sentence)


def not_open(table: Table) -> Rejection:
    """The rejection of what is possible before the start alone."""
    doing = "is closed" if table.state is TableState.CLOSED else "has started"
    why = f" {table.start_refusal.sentence}" if table.start_refusal is not None else ""
    return Rejection(RejectionReason.TABLE_NOT_OPEN, f"The table {doing}.{why}")
