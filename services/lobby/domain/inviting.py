"""What the owner of a table decides about its guests before its game begins."""

from __future__ import annotations

from services.lobby.domain.invitations import (
    InvitationLinkMade,
    InvitationWithdrawn,
    PlayerInvited,
    PlayerRemoved,
    TableArranged,
)
from services.lobby.domain.players import Player
from services.lobby.domain.quotas import Quotas
from services.lobby.domain.rejections import Rejection, RejectionReason
from services.lobby.domain.table_requests import not_open
from services.lobby.domain.tables import Table, TableEvent, TableState

INVITATIONS_MAX = 50
LEAST_PLAYERS = 2
DELAY_MOVES_MAX = 1_000
DELAY_SECONDS_MAX = 7 * 24 * 3600
REMATCH_WAITS_MS = 7 * 24 * 3600 * 1000
"""How long the others wait for the owner of a rematch to start it."""

Decided = tuple[TableEvent, ...] | Rejection


def reject_arranged(arranged: TableArranged, player_count: int) -> Rejection | None:
    """Why a table with so many chairs cannot be arranged so, None if it can."""
    least = arranged.least_players
    if least and not LEAST_PLAYERS <= least <= player_count:
        return Rejection(
            RejectionReason.LEAST_PLAYERS_OUT_OF_RANGE,
            f"A table of {player_count} chairs can start with {LEAST_PLAYERS} to {player_count} players.",
        )
    if not 0 <= arranged.delay_moves <= DELAY_MOVES_MAX:
        return _delay_out_of_range(f"The delay is 0 to {DELAY_MOVES_MAX} commands.")
    if not 0 <= arranged.delay_seconds <= DELAY_SECONDS_MAX:
        return _delay_out_of_range(f"The delay is 0 to {DELAY_SECONDS_MAX} seconds.")
    return None


def decide_invite(table: Table, caller: str, player: Player) -> Decided:
    """Invites a player, also one whom the owner removed."""
    rejection = _reject_owner_request(table, caller)
    if rejection is not None:
        return rejection
    if table.has(player.player_id):
        return Rejection(RejectionReason.ALREADY_SEATED, f"{player.name} sits at this table already.")
    if table.guests.has_invited(player.player_id):
        return Rejection(RejectionReason.ALREADY_INVITED, f"{player.name} is invited already.")
    if len(table.guests.invited) >= INVITATIONS_MAX:
        return Rejection(
            RejectionReason.TOO_MANY_INVITATIONS, f"{INVITATIONS_MAX} players are invited, as many as may be."
        )
    return (PlayerInvited(player),)


def decide_withdraw(table: Table, caller: str, player_id: str) -> Decided:
    """Takes an invitation back."""
    rejection = _reject_owner_request(table, caller)
    if rejection is not None:
        return rejection
    if not table.guests.has_invited(player_id):
        return Rejection(RejectionReason.NOT_INVITED, "This player is not invited.")
    return (InvitationWithdrawn(player_id),)


def decide_link(table: Table, caller: str, link_token: str) -> Decided:
    """Makes an invitation link: to join, and while the game is played to offer to take a seat of it."""
    is_played = table.state is TableState.PLAYING and not table.round_id
    rejection = None if is_played and caller == table.owner_id else _reject_owner_request(table, caller)
    return rejection or (InvitationLinkMade(link_token),)


def decide_remove(table: Table, caller: str, player_id: str) -> Decided:
    """Takes another player's chair; the owner leaves instead."""
    rejection = _reject_owner_request(table, caller)
    if rejection is not None:
        return rejection
    if player_id == table.owner_id or not table.has(player_id):
        return Rejection(RejectionReason.NOT_SEATED, "No other player with this id sits at this table.")
    return (PlayerRemoved(player_id),)


def played_at(table: Table) -> tuple[Player, ...]:
    """The accounts that play the seats of a table now, with their names."""
    names = {player.player_id: player for player in table.players}
    names |= {taker.bearer.player_id: taker.bearer for taker in table.seat_takers}
    return tuple(names[account] for account in table.accounts)


def reject_rematch(table: Table, caller: str) -> Rejection | None:
    """Why the caller may not play a table again, None if they may."""
    if caller not in table.accounts:
        return Rejection(RejectionReason.NOT_SEATED, "You did not play at this table.")
    if table.state is not TableState.FINISHED:
        return Rejection(RejectionReason.TABLE_NOT_FINISHED, "The game of this table has not ended.")
    return None


def is_given_up(rematch: Table, now_ms: int) -> bool:
    """Whether another rematch may follow this one: it is closed, or its owner has not started it for so long."""
    is_late = now_ms - rematch.create_time_ms > REMATCH_WAITS_MS
    return rematch.state is TableState.CLOSED or (rematch.state is TableState.OPEN and is_late)


def reject_another_rematch(given_up: int, quotas: Quotas) -> Rejection | None:
    """Why who has closed so many rematches of a table may not open one more of it, None if they may."""
    if given_up < quotas.joins_per_table:
        return None
    return Rejection(
        RejectionReason.JOINED_TOO_OFTEN,
        f"You have opened and left {given_up} rematches of this table, as many as a player may.",
    )


def _reject_owner_request(table: Table, caller: str) -> Rejection | None:
    if caller != table.owner_id:
        return Rejection(RejectionReason.NOT_OWNER, "Only the owner of a table may do this.")
    return None if table.state is TableState.OPEN else not_open(table)


def _delay_out_of_range(sentence: str) -> Rejection:
    return Rejection(RejectionReason.DELAY_OUT_OF_RANGE, sentence)
