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
    """The round after one whose tables are given in order of their results, winners first.

    The first `advancing` of each table go on. If they do not fill tables of the sizes allowed, the best of the others, by place
    and then by seed, go on too. Raises TournamentRejected (POLICY_MALFORMED) if nobody would be left out."""
    rank = {player: index for index, player in enumerate(seeds)}
    through = [player for table in tables for player in table[:advancing]]
    others = sorted(
        (place, rank[player], player) for table in tables for place, player in enumerate(table[advancing:])
    )
    waiting = [player for _, _, player in others]
    while waiting and not _fits(len(through), sizes):
        through.append(waiting.pop(0))
    if not waiting:
        raise TournamentRejected(
            Reason.POLICY_MALFORMED, f"if {advancing} of each table go on, a round leaves nobody out"
        )
    consolation: tuple[tuple[str, ...], ...] = ()
    if has_consolation and len(waiting) >= min(sizes.allowed):
        consolation = seeded_tables(sorted(waiting, key=rank.__getitem__), sizes)
    return KnockOutRound(seeded_tables(sorted(through, key=rank.__getitem__), sizes), consolation)


def placed_tables(tables: Sequence[Sequence[str]], places: Mapping[str, int]) -> tuple[tuple[str, ...], ...]:
    """The tables in order of their results, from the place of each player."""
    return tuple(tuple(sorted(table, key=places.__getitem__)) for table in tables)


def _fits(count: int, sizes: SizePolicy) -> bool:
    return count >= min(sizes.allowed) and sum(table_sizes(count, sizes)) == count
