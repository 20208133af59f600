"""Players who agree to end their game before its end."""

from __future__ import annotations

import msgspec


class EndAgreed(msgspec.Struct, frozen=True):
    """An account that plays a seat agrees to end the game as it stands once all others do."""

    player_id: str


class EndAgreementWithdrawn(msgspec.Struct, frozen=True):
    """An account does not agree any more."""

    player_id: str


AgreementEvent = EndAgreed | EndAgreementWithdrawn


def agreed_after(agreed: tuple[str, ...], event: AgreementEvent) -> tuple[str, ...]:
    """Who agrees after an event, in the order of agreeing."""
    others = tuple(each for each in agreed if each != event.player_id)
    return (*others, event.player_id) if isinstance(event, EndAgreed) else others
