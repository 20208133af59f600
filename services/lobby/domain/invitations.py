"""Who may see and join a table: how its owner arranged it, and whom the owner invited or removed."""

from __future__ import annotations

from enum import StrEnum

import msgspec
from msgspec.structs import replace

from services.lobby.domain.players import Player


class Visibility(StrEnum):
    """Who may see and join a table, and see its game."""

    PUBLIC = "public"
    LINK = "link"
    INVITED = "invited"


class TableArranged(msgspec.Struct, frozen=True):
    """How the owner arranged a table. `least_players`: with whom it may start, 0 for all chairs; `delay_moves` and
    `delay_seconds`: by how much those who are not at the table see its game later."""

    visibility: Visibility = Visibility.PUBLIC
    are_seats_given: bool = False
    least_players: int = 0
    delay_moves: int = 0
    delay_seconds: int = 0
    rematch_of: str = ""


class PlayerInvited(msgspec.Struct, frozen=True):
    """The owner invited a player."""

    player: Player


class InvitationWithdrawn(msgspec.Struct, frozen=True):
    """The owner took an invitation back."""

    player_id: str


class InvitationLinkMade(msgspec.Struct, frozen=True):
    """Who knows the token can join; an earlier one does not count any more."""

    link_token: str


class PlayerRemoved(msgspec.Struct, frozen=True):
    """The owner took a player's chair before the start."""

    player_id: str


GuestEvent = TableArranged | PlayerInvited | InvitationWithdrawn | InvitationLinkMade | PlayerRemoved
USUAL = TableArranged()


class Guests(msgspec.Struct, frozen=True):
    """Whom a table lets in: `invited` players, bearers of the `link_token` (empty: nobody), and not those `removed`."""

    arranged: TableArranged = USUAL
    invited: tuple[Player, ...] = ()
    removed: tuple[str, ...] = ()
    link_token: str = ""

    def has_invited(self, player_id: str) -> bool:
        """Whether the player's invitation counts."""
        return any(player.player_id == player_id for player in self.invited)


NO_GUESTS = Guests()


def guests_after(guests: Guests, event: GuestEvent) -> Guests:
    """The guests of a table after an event about them."""
    match event:
        case TableArranged():
            return replace(guests, arranged=event)
        case PlayerInvited(player=player):
            removed = tuple(each for each in guests.removed if each != player.player_id)
            return replace(guests, invited=(*guests.invited, player), removed=removed)
        case InvitationWithdrawn(player_id=player_id):
            return replace(guests, invited=_without(guests.invited, player_id))
        case InvitationLinkMade(link_token=link_token):
            return replace(guests, link_token=link_token)
        case PlayerRemoved(player_id=player_id):
            invited = _without(guests.invited, player_id)
            return replace(guests, invited=invited, removed=(*guests.removed, player_id))


def _without(players: tuple[Player, ...], player_id: str) -> tuple[Player, ...]:
    return tuple(player for player in players if player.player_id != player_id)
