"""When a round is published, and what must not have changed since it was proposed."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from operator import and_

from services.lobby.domain.rejections import Rejection, RejectionReason
from services.lobby.domain.tournaments.pairing.problem import hour_mask
from services.lobby.domain.tournaments.refusing import SCHEDULE_MS_MAX, reject_no_director, rejected
from services.lobby.domain.tournaments.rounds.deciding import Decided, reject_stage
from services.lobby.domain.tournaments.rounds.round import (
    Round,
    RoundEvent,
    RoundPublished,
    RoundScheduled,
    RoundTable,
)
from services.lobby.domain.tournaments.stage_events import RoundReleased
from services.lobby.domain.tournaments.tournament import Tournament

LATE_MS_MAX = 3_600_000
"""How long ago a publishing time may be: published rounds stay published, so a wrong year is not taken for now."""


def decide_schedule(
    tournament: Tournament, caller: str, current: Round, publish_time_ms: int, now_ms: int
) -> Decided:
    """Sets when the round is published."""
    rejection = reject_no_director(tournament, caller) or reject_stage(tournament, current)
    if rejection is not None:
        return rejection
    if current.is_published:
        return rejected(RejectionReason.ROUND_PUBLISHED, "The round is published.")
    rejection = _reject_outdated(tournament, current)
    if rejection is not None:
        return rejection
    if publish_time_ms > now_ms + SCHEDULE_MS_MAX:
        return rejected(RejectionReason.ROUND_NOT_PROPOSED, "A round is published within a year.")
    if 0 < publish_time_ms < now_ms - LATE_MS_MAX:
        return rejected(
            RejectionReason.ROUND_NOT_PROPOSED,
            "That time is over; without a time the round is published now.",
        )
    return (RoundScheduled(publish_time_ms if publish_time_ms > 0 else now_ms, caller),)


def decide_release(tournament: Tournament, current: Round, now_ms: int) -> tuple[RoundReleased, ...]:
    """Releases a round whose time has come; nothing where that was done, and where stage, charter or entries have changed since.

    In the stream of the tournament, so of the end of a stage, a withdrawal and this one comes first for everybody."""
    is_due = 0 < current.publish_time_ms <= now_ms
    if current.is_published or not is_due or release_of(tournament, current) is not None:
        return ()
    if (reject_stage(tournament, current) or _reject_outdated(tournament, current)) is not None:
        return ()
    return (RoundReleased(current.stage, current.number, current.version, tournament.charter_version),)


def release_of(tournament: Tournament, current: Round) -> RoundReleased | None:
    """By what a round is published as it is now; None where it is not released, or has changed since."""
    released = tournament.stages[current.stage].released.get(current.number)
    return released if released is not None and released.round_version == current.version else None


def decide_publish(
    tournament: Tournament,
    current: Round,
    table_id_of: Callable[[str, int], str],
    game_id_of: Callable[[str], str],
    now_ms: int,
) -> tuple[RoundEvent, ...]:
    """Publishes a round that is released; nothing where that was done. What happens to the tournament after the release comes too
    late to change it."""
    released = release_of(tournament, current)
    if current.is_published or released is None:
        return ()
    charter = tournament.charters[released.charter_version - 1]
    tables = []
    for each in current.proposal.tables:
        played = charter.title(each.title)
        is_external = played is not None and played.is_external
        table_id = "" if is_external else table_id_of(current.round_id, each.number)
        tables.append(
            RoundTable(
                each.number, each.title, each.seats, table_id, game_id_of(table_id) if table_id else ""
            )
        )
    return (RoundPublished(tuple(tables), released.charter_version, now_ms),)


def withdrawn_players(tournament: Tournament, current: Round) -> tuple[str, ...]:
    """Whom a round that is not published seats though they have withdrawn since it was proposed."""
    if current.is_published:
        return ()
    active = set(tournament.active())
    seated = (player for table in current.proposal.tables for player in table.seats)
    return tuple(dict.fromkeys(player for player in seated if player not in active))


def _reject_outdated(tournament: Tournament, current: Round) -> Rejection | None:
    """Why the proposal is no more what could be proposed now."""
    title = _title_not_offered(tournament, current)
    if title:
        return rejected(
            RejectionReason.TITLE_NOT_OFFERED, f"The charter offers {title} no more; propose the round again."
        )
    together = _reject_together(tournament, current)
    if together is not None:
        return together
    gone = withdrawn_players(tournament, current)
    if gone:
        names = ", ".join(map(tournament.name_of, gone))
        return rejected(
            RejectionReason.PLAYER_WITHDRAWN, f"{names} withdrew after the proposal; propose the round again."
        )
    return None


def _reject_together(tournament: Tournament, current: Round) -> Rejection | None:
    """Why the players of a table may not be together by the charter as it is now."""
    charter = tournament.charter
    hours = {each.player: hour_mask(each) for each in current.problem.entrants}
    for table in current.proposal.tables:
        seats = frozenset(table.seats)
        pair = next((pair for pair in charter.forbidden if seats.issuperset(pair)), None)
        if pair is not None:
            names = " and ".join(map(tournament.name_of, pair))
            return rejected(
                RejectionReason.PAIR_FORBIDDEN,
                f"{names} are a forbidden pair at table {table.number}; propose the round again.",
            )
        if reduce(and_, (hours[player] for player in table.seats)).bit_count() < charter.hours_min:
            return rejected(
                RejectionReason.HOURS_DO_NOT_OVERLAP,
                f"Table {table.number} shares fewer than {charter.hours_min} hours; propose the round again.",
            )
    return None


def _title_not_offered(tournament: Tournament, current: Round) -> str:
    """A title of the proposal that the charter has lost meanwhile, with the number of players where only that is gone; empty if
    there is none."""
    for table in current.proposal.tables:
        title, size = tournament.charter.title(table.title), len(table.seats)
        if title is None:
            return table.title
        if not title.players_min <= size <= title.players_max:
            return f"{table.title} for {size} players"
    return ""
