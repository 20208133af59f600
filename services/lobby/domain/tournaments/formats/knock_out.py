"""Knock-out rounds: who goes on from each table, who plays for consolation, and the next tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from services.lobby.domain.tournaments.formats.seeding import seeded_tables
from services.lobby.domain.tournaments.pairing.problem import SizePolicy
from services.lobby.domain.tournaments.pairing.sizes import table_sizes
from services.lobby.domain.tournaments.rejections import Reason, TournamentRejected


class KnockOutRound(msgspec.Struct, frozen=True):
    """The tables of a round in seed order: for the title, and for consolation."""

    tables: tuple[tuple[str, ...], ...]
    consolation: tuple[tuple[str, ...], ...] = ()


def first_round(seeds: Sequence[str], sizes: SizePolicy) -> KnockOutRound:
    """The first tables, from players in the order of their seeds.

    Raises TournamentRejected (TABLE_SIZE_NOT_ALLOWED) if tables of these sizes do not hold everybody."""
    if not _fits(len(seeds), sizes):
        raise TournamentRejected(
            Reason.TABLE_SIZE_NOT_ALLOWED, f"tables of {sizes.allowed} do not hold {len(seeds)} players"
        )
    return KnockOutRound(seeded_tables(seeds, sizes))


def next_round(
    tables: Sequence[Sequence[str]],
    advancing: int,
    seeds: Sequence[str],
    sizes: SizePolicy,
    has_consolation: bool = False,
) -> KnockOutRound:
    """The round after one whose tables are given in order of their results, winners first, with everybody who sat there.

    `seeds` are those who can be seated; the place of one who cannot goes to the next of the table. The first `advancing` of each
    table go on, but fewer than sat there. If they do not fill tables of the sizes allowed, the best of the others, by place and
    then by seed, go on too; where that would be everybody of the round before, or where all who can be seated fill no tables
    either, only as many of the best as fill fewer tables.
    Raises TournamentRejected (TOO_FEW_PLAYERS) if those who can be seated fill no table, (TABLE_SIZE_NOT_ALLOWED) if tables of
    these sizes hold nobody but everybody."""
    rank = {player: index for index, player in enumerate(seeds)}
    going: set[str] = set()
    placed: list[tuple[int, int, str]] = []
    for table in tables:
        staying = [player for player in table if player in rank]
        going.update(staying[: min(advancing, len(table) - 1)])
        placed += [(place, rank[player], player) for place, player in enumerate(staying)]
    best = [player for _, _, player in sorted(placed)]
    through = [player for player in best if player in going]
    waiting = [player for player in best if player not in going]
    while waiting and not _fits(len(through), sizes):
        through.append(waiting.pop(0))
    if len(through) < min(sizes.allowed):
        raise TournamentRejected(Reason.TOO_FEW_PLAYERS, f"{len(through)} players cannot fill a table")
    if len(through) == sum(map(len, tables)) or not _fits(len(through), sizes):
        fewer = _next_fewer(len(through), sizes)
        through, waiting = best[:fewer], best[fewer:]
    consolation: tuple[tuple[str, ...], ...] = ()
    if has_consolation and len(waiting) >= min(sizes.allowed):
        consolation = seeded_tables(sorted(waiting, key=rank.__getitem__), sizes)
    return KnockOutRound(seeded_tables(sorted(through, key=rank.__getitem__), sizes), consolation)


def placed_tables(tables: Sequence[Sequence[str]], places: Mapping[str, int]) -> tuple[tuple[str, ...], ...]:
    """The tables in order of their results, from the place of each player."""
    return tuple(tuple(sorted(table, key=places.__getitem__)) for table in tables)


def _next_fewer(count: int, sizes: SizePolicy) -> int:
    """The largest number below `count` that tables of these sizes hold."""
    for fewer in range(count - 1, 0, -1):
        if _fits(fewer, sizes):
            return fewer
    raise TournamentRejected(
        Reason.TABLE_SIZE_NOT_ALLOWED,
        f"tables of {sizes.allowed} do not hold fewer than {count} players, and somebody has to be out",
    )


def _fits(count: int, sizes: SizePolicy) -> bool:
    return count >= min(sizes.allowed) and sum(table_sizes(count, sizes)) == count
