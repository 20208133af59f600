"""What a round is paired from."""

from __future__ import annotations

import hashlib
from collections import Counter

import msgspec

from services.lobby.domain.tournaments.rejections import Reason, TournamentRejected

WEEK_HOURS = 168


class Entrant(msgspec.Struct, frozen=True, omit_defaults=True):
    """A player to be seated: points so far, rating, titles preferred in order, hours of the week in UTC at which to play.

    No preferences: every title is as good. No hours: every hour is."""

    player: str
    points: int = 0
    rating: int = 0
    preferences: tuple[str, ...] = ()
    hours: tuple[int, ...] = ()


def hour_mask(entrant: Entrant) -> int:
    """The hours of an entrant as bits."""
    if not entrant.hours:
        return (1 << WEEK_HOURS) - 1
    return sum(1 << hour for hour in set(entrant.hours))


class PastTable(msgspec.Struct, frozen=True):
    """A table of an earlier round, players in seat order."""

    seats: tuple[str, ...]


class OfferedTitle(msgspec.Struct, frozen=True):
    """A title and its numbers of players."""

    title: str
    players_min: int
    players_max: int


class SizePolicy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Numbers of players at a table that are allowed, and the preferred one."""

    preferred: int = 4
    allowed: tuple[int, ...] = (3, 4, 5, 6)


class PairingProblem(msgspec.Struct, frozen=True, omit_defaults=True):
    """One round to be paired.

    `past_byes` names a player once for each earlier bye. `rounds_left` counts the rounds after this one that are to be
    paired without repeats too. `hours_min` is the number of hours of the week that all players of a table must share.
    `steps_max` limits the search; a step is one exchange of two players that was tried."""

    entrants: tuple[Entrant, ...]
    seed: int
    round: int = 1
    past: tuple[PastTable, ...] = ()
    past_byes: tuple[str, ...] = ()
    titles: tuple[OfferedTitle, ...] = ()
    forbidden: tuple[tuple[str, str], ...] = ()
    sizes: SizePolicy = SizePolicy()
    hours_min: int = 0
    rounds_left: int = 0
    steps_max: int = 100_000


def problem_digest(problem: PairingProblem) -> str:
    """SHA-256 of the problem's canonical JSON, in hexadecimal."""
    return hashlib.sha256(msgspec.json.encode(problem, order="deterministic")).hexdigest()


def check_problem(problem: PairingProblem) -> None:
    """Raises TournamentRejected if the problem contradicts itself."""
    counts = Counter(entrant.player for entrant in problem.entrants)
    for player, count in counts.items():
        if count > 1:
            raise TournamentRejected(Reason.PLAYER_TWICE, f"{player} is entered {count} times")
    for pair in problem.forbidden:
        if len(set(pair)) < len(pair):
            raise TournamentRejected(
                Reason.PAIR_FORBIDDEN, f"{pair[0]} cannot be forbidden to play {pair[1]}"
            )
    titles = {offer.title for offer in problem.titles}
    for entrant in problem.entrants:
        unknown = [title for title in entrant.preferences if title not in titles]
        if unknown:
            raise TournamentRejected(
                Reason.TITLE_NOT_OFFERED, f"{entrant.player} prefers {unknown[0]}, which is not offered"
            )
        if not all(0 <= hour < WEEK_HOURS for hour in entrant.hours):
            raise TournamentRejected(
                Reason.HOURS_DO_NOT_OVERLAP, f"hours of {entrant.player} lie outside 0 to {WEEK_HOURS - 1}"
            )
    if not problem.sizes.allowed or min(problem.sizes.allowed) < 2:
        raise TournamentRejected(Reason.TABLE_SIZE_NOT_ALLOWED, "a table needs at least two players")
