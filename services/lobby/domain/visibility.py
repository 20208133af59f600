"""Who sees a table, and who sees its game."""

from __future__ import annotations

import hmac
from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from services.lobby.domain.directing import bearer_of
from services.lobby.domain.invitations import Visibility
from services.lobby.domain.tables import EventOfThePresent, Table, TableEvent, TableState


class Viewer(msgspec.Struct, frozen=True):
    """Who looks at tables: an account, empty for nobody signed in; or somebody who `sees_all`."""

    account: str = ""
    sees_all: bool = False


STRANGER = Viewer()


class GameAudience(msgspec.Struct, frozen=True):
    """Who sees a game beside those who play its seats: see `AudienceSet` of rules, which keeps and applies it."""

    is_invited: bool = False
    readers: tuple[str, ...] = ()
    delay_moves: int = 0
    delay_seconds: int = 0


FOR_EVERYBODY = GameAudience()


def may_see(table: Table, viewer: Viewer) -> bool:
    """Whether there is such a table for somebody who asks for it."""
    is_closed_circle = table.guests.arranged.visibility is Visibility.INVITED
    offers = any(each.player_id == viewer.account for each in table.substitutes)
    return not is_closed_circle or offers or _is_insider(table, viewer)


def is_listed_for(table: Table, viewer: Viewer) -> bool:
    """Whether the table is in the lists that somebody gets."""
    return table.guests.arranged.visibility is Visibility.PUBLIC or _is_insider(table, viewer)


def opens_with(table: Table, link_token: str) -> bool:
    """Whether the token lets its bearer join."""
    known = table.guests.link_token
    return bool(known) and hmac.compare_digest(known.encode(), link_token.encode())


def audience_of(table: Table) -> GameAudience:
    """Who sees the game of a table."""
    arranged = table.guests.arranged
    is_invited = arranged.visibility is Visibility.INVITED
    if not (is_invited or arranged.delay_moves or arranged.delay_seconds):
        return FOR_EVERYBODY
    guests = [each.player_id for each in table.guests.invited] if table.round_id else []
    readers = dict.fromkeys(each for each in (table.owner_id, table.director_id, *guests) if each)
    return GameAudience(is_invited, tuple(readers), arranged.delay_moves, arranged.delay_seconds)


def is_unlisted(table: Table, has_ended: bool) -> bool:
    """Whether the game of a table is left out of the lists of all games: what they show is not for everybody, or not yet."""
    is_public = table.guests.arranged.visibility is Visibility.PUBLIC
    return not is_public or (_is_delayed(table) and not has_ended)


def sees_now(table: Table, viewer: Viewer) -> bool:
    """Whether somebody sees the game of a table as it is now: others see one with a delay later, until it has ended."""
    has_ended = table.state is TableState.FINISHED
    return has_ended or not _is_delayed(table) or _is_insider(table, viewer)


def as_seen(table: Table, viewer: Viewer) -> Table:
    """The table without what shows to people who see its game later how the game is now: whose turns are overdue, who took
    seats, who agrees to end it, who offers to take a seat; nor do they see by its version that any of that has changed.

    An account knows what it did itself, and who took its own seat."""
    of_the_present = (table.unseen_changes, table.overdue, table.seat_takers, table.substitutes)
    if not any(of_the_present) or sees_now(table, viewer):
        return table
    takers, account = table.seat_takers, viewer.account
    own = tuple(
        taker
        for index, taker in enumerate(takers)
        if account and account in (taker.bearer.player_id, bearer_of(takers[:index], taker.seat))
    )
    return replace(
        table,
        overdue=(),
        seat_takers=own,
        agreed_to_end=(),
        substitutes=tuple(each for each in table.substitutes if each.player_id == account),
        version=table.version - table.unseen_changes,
    )


def hides_changes(table: Table, events: Iterable[TableEvent]) -> bool:
    """Whether events of a table change nothing for those who see its game later. The table may have changed again since."""
    return _is_delayed(table) and all(isinstance(event, EventOfThePresent) for event in events)


def _is_delayed(table: Table) -> bool:
    arranged = table.guests.arranged
    return arranged.delay_moves > 0 or arranged.delay_seconds > 0


def _is_insider(table: Table, viewer: Viewer) -> bool:
    return viewer.sees_all or (bool(viewer.account) and viewer.account in insiders(table))


def insiders(table: Table) -> frozenset[str]:
    """The accounts that find a table in their lists though it is not public."""
    # Who directs an event is a guest of its tables as long as they are there.
    may_be_guest = table.state is TableState.OPEN or bool(table.round_id)
    guests = [each.player_id for each in table.guests.invited] if may_be_guest else []
    return frozenset(each for each in (table.owner_id, table.director_id, *guests, *table.accounts) if each)
