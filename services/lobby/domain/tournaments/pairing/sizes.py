"""How many tables of which size, and who sits out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from services.lobby.domain.tournaments.lots import lot
from services.lobby.domain.tournaments.pairing.problem import Entrant, PairingProblem, PastTable, SizePolicy
from services.lobby.domain.tournaments.rejections import Reason, TournamentRejected


def allowed_sizes(problem: PairingProblem) -> SizePolicy:
    """The policy's sizes for which a title is offered; all of them if the problem names no titles.

    Raises TournamentRejected (TITLE_NOT_OFFERED) if there are none."""
    allowed = tuple(
        size
        for size in problem.sizes.allowed
        if not problem.titles
        or any(offer.players_min <= size <= offer.players_max for offer in problem.titles)
    )
    if not allowed:
        raise TournamentRejected(
            Reason.TITLE_NOT_OFFERED, f"no title is offered for tables of {problem.sizes.allowed}"
        )
    return SizePolicy(problem.sizes.preferred, allowed)


def table_sizes(count: int, policy: SizePolicy) -> tuple[int, ...]:
    """Sizes of the tables at which as many of `count` players as possible sit, large ones first.

    The fewest byes, then the least sum of (size - preferred)^2 over all seats, then the smaller sizes.
    Raises TournamentRejected (TOO_FEW_PLAYERS) if there is no table at all."""
    for seated in range(count, 0, -1):
        sizes = _split(seated, policy)
        if sizes is not None:
            return tuple(sorted(sizes, reverse=True))
    raise TournamentRejected(Reason.TOO_FEW_PLAYERS, f"{count} players cannot fill a table")


@lru_cache(maxsize=1024)
def _split(count: int, policy: SizePolicy) -> tuple[int, ...] | None:
    best: list[tuple[int, tuple[int, ...]] | None] = [(0, ())] + [None] * count
    for total in range(1, count + 1):
        for size in sorted(policy.allowed):
            before = best[total - size] if size <= total else None
            if before is not None:
                penalty = before[0] + size * (size - policy.preferred) ** 2
                current = best[total]
                if current is None or penalty < current[0]:
                    best[total] = (penalty, (*before[1], size))
    found = best[count]
    return found[1] if found else None


def odd_counts(past: tuple[PastTable, ...], preferred: int) -> Counter[str]:
    """How often each player has sat at a table that had not the preferred size."""
    return Counter(player for table in past if len(table.seats) != preferred for player in table.seats)


def bye_choices(problem: PairingProblem, count: int) -> Iterator[tuple[str, ...]]:
    """Who may sit out, the best choice first: the fewest byes so far, then the fewest points, then by lot.

    The others are for rounds that cannot be paired so: in the place of the last of the first choice each player of a forbidden
    pair sits out, in the same order."""
    ranking = choose_byes(problem, len(problem.entrants))
    yield ranking[:count]
    named = {player for pair in problem.forbidden for player in pair}
    if count:
        yield from ((*ranking[: count - 1], player) for player in ranking[count:] if player in named)


def choose_byes(problem: PairingProblem, count: int) -> tuple[str, ...]:
    """The players who sit out: the fewest byes so far, then the fewest points, then by lot."""
    byes = Counter(problem.past_byes)

    def order(entrant: Entrant) -> tuple[int, int, int]:
        draw = lot(problem.seed, f"bye {problem.round}", entrant.player)
        return byes[entrant.player], entrant.points, draw

    return tuple(entrant.player for entrant in sorted(problem.entrants, key=order)[:count])
