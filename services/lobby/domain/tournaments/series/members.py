"""Who is in a series: its director names the members, and each of them decides alone whether to play the seasons to come."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from services.lobby.domain.players import Player
from services.lobby.domain.rejections import Rejection, RejectionReason, shown
from services.lobby.domain.tournaments.charter import ENTRIES_MAX
from services.lobby.domain.tournaments.formats.season import SeasonRule, next_divisions
from services.lobby.domain.tournaments.refusing import rejected
from services.lobby.domain.tournaments.series.series import (
    Division,
    MembersChanged,
    Series,
    SeriesEvent,
    SeriesJoined,
    SeriesLeft,
)

DIVISION_LEAST = 2
JOINS_PER_PLAYER = 20
"""Of one series: who joins and leaves on and on would take the changes that all others may make."""
NAMED_MOST = 20
"""Names in a sentence."""

Decided = tuple[SeriesEvent, ...] | Rejection


def decide_join(series: Series, player_id: str, now_ms: int) -> Decided:
    """A member agrees to play the seasons that begin later."""
    rejection = _reject_no_member(series, player_id)
    if rejection is not None:
        return rejection
    if player_id in series.agreed:
        return ()
    if series.join_counts.get(player_id, 0) >= JOINS_PER_PLAYER:
        return rejected(
            RejectionReason.TOO_MUCH_RECORDED,
            f"You have joined this series {JOINS_PER_PLAYER} times, as often as a player may.",
        )
    return (SeriesJoined(player_id, now_ms),)


def decide_leave(series: Series, player_id: str, now_ms: int) -> Decided:
    """A member plays no further season; nothing where the member has not agreed to."""
    rejection = _reject_no_member(series, player_id)
    if rejection is not None:
        return rejection
    return (SeriesLeft(player_id, now_ms),) if player_id in series.agreed else ()


def decide_change_members(
    series: Series, caller: str, newcomers: tuple[Player, ...], leaving: tuple[str, ...], now_ms: int
) -> Decided:
    """Between seasons the director invites players at the bottom and takes members out."""
    rejection = reject_no_director(series, caller)
    if rejection is not None:
        return rejection
    if series.is_running:
        return rejected(
            RejectionReason.SEASON_RUNNING, "A season is running; say who joins and leaves when you close it."
        )
    rejection = reject_people(series, newcomers, leaving)
    if rejection is not None:
        return rejection
    if not newcomers and not leaving:
        return ()
    divisions = divisions_changed(series, newcomers, leaving)
    rejection = reject_divisions(divisions)
    return rejection or (MembersChanged(newcomers, leaving, divisions, caller, now_ms),)


def divisions_changed(
    series: Series, newcomers: Sequence[Player], leaving: Sequence[str]
) -> tuple[Division, ...]:
    """The divisions without who leaves and with newcomers at the bottom, each filled from the one below."""
    unmoved = replace(series.rule, moving=0)
    return divisions_after(series, [each.players for each in series.divisions], newcomers, leaving, unmoved)


def divisions_after(
    series: Series,
    standings: Sequence[Sequence[str]],
    newcomers: Sequence[Player],
    leaving: Sequence[str],
    rule: SeasonRule,
) -> tuple[Division, ...]:
    """The next divisions after these standings; behind them members who did not play come before newcomers."""
    played = {player for division in standings for player in division}
    absent = [each for each in series.members if each not in played and each not in leaving]
    joining = [*absent, *(each.player_id for each in newcomers)]
    return tuple(map(Division, next_divisions(standings, rule, joining, leaving)))


def playing_divisions(series: Series) -> tuple[Division, ...]:
    """Who plays a season that begins now: of each division the members who have agreed."""
    return tuple(
        Division(tuple(each for each in division.players if each in series.agreed))
        for division in series.divisions
    )


def reject_too_few_agreed(series: Series, divisions: Sequence[Division]) -> Rejection | None:
    """Why these `playing_divisions` cannot play a season: too few of one have agreed. None if they can."""
    for number, (division, playing) in enumerate(zip(series.divisions, divisions, strict=True), 1):
        count = len(playing.players)
        if count < DIVISION_LEAST:
            names = [series.players[each].name for each in division.players if each not in series.agreed]
            more = f" and {len(names) - NAMED_MOST} more" if len(names) > NAMED_MOST else ""
            return rejected(
                RejectionReason.MEMBERS_DID_NOT_AGREE,
                f"Division {number} has {count} of at least {DIVISION_LEAST} players who have agreed to play; "
                f"not yet: {', '.join(names[:NAMED_MOST])}{more}.",
            )
    return None


def reject_people(series: Series, newcomers: Sequence[Player], leaving: Sequence[str]) -> Rejection | None:
    """Why these persons cannot join and leave a series, None if they can."""
    members = set(series.members)
    stranger = next((each for each in leaving if each not in members), None)
    if stranger is not None:
        known = series.players.get(stranger)
        name = shown(stranger) if known is None else known.name
        return rejected(RejectionReason.PLAYER_UNKNOWN, f"{name} is no member of this series.")
    staying = next((each for each in newcomers if each.player_id in members.difference(leaving)), None)
    if staying is not None:
        return rejected(
            RejectionReason.ALREADY_ENTERED, f"{staying.name} is a member of this series already."
        )
    return None


def reject_divisions(divisions: Sequence[Division]) -> Rejection | None:
    """Why these cannot be the next divisions, None if they can."""
    sizes = [len(each.players) for each in divisions]
    if not sizes or min(sizes) < DIVISION_LEAST:
        return rejected(
            RejectionReason.TOO_FEW_PLAYERS, f"A division would have less than {DIVISION_LEAST} players."
        )
    if sum(sizes) > ENTRIES_MAX:
        return rejected(RejectionReason.SERIES_MALFORMED, f"A series has at most {ENTRIES_MAX} players.")
    if len({player for each in divisions for player in each.players}) < sum(sizes):
        return rejected(RejectionReason.SERIES_MALFORMED, "A player would be in the series twice.")
    return None


def reject_no_director(series: Series, caller: str) -> Rejection | None:
    """Why the caller may not direct, None if they may."""
    if series.director.player_id == caller:
        return None
    return rejected(RejectionReason.NOT_DIRECTOR, "Only the director of this series may do this.")


def _reject_no_member(series: Series, player_id: str) -> Rejection | None:
    if player_id in series.members:
        return None
    return rejected(RejectionReason.NOT_INVITED, "The director of this series has not named you.")
