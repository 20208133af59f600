"""Accounts that offer to take a seat of a game: nobody else is given one by the director of a table."""

from __future__ import annotations

import msgspec

from services.lobby.domain.players import Player


class SubstituteOffered(msgspec.Struct, frozen=True):
    """An account offers to take a seat of the game that is played at the table."""

    player: Player


class SubstituteOfferWithdrawn(msgspec.Struct, frozen=True):
    """An account does not offer that any more."""

    player_id: str


OfferEvent = SubstituteOffered | SubstituteOfferWithdrawn


def offers_after(offers: tuple[Player, ...], event: OfferEvent) -> tuple[Player, ...]:
    """Who offers to take a seat after an event, in the order of offering."""
    match event:
        case SubstituteOffered(player=player):
            return (*without(offers, player.player_id), player)
        case SubstituteOfferWithdrawn(player_id=player_id):
            return without(offers, player_id)


def without(offers: tuple[Player, ...], player_id: str) -> tuple[Player, ...]:
    """The offers without that of an account."""
    return tuple(each for each in offers if each.player_id != player_id)
