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
    _check_fits(len(seeds), sizes)
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
    then by seed, go on too. Raises TournamentRejected (POLICY_MALFORMED) if nobody of the round before would be left out, and
    (TOO_FEW_PLAYERS, TABLE_SIZE_NOT_ALLOWED) if tables of these sizes do not hold those who can be seated."""
    rank = {player: index for index, player in enumerate(seeds)}
    through: list[str] = []
    others: list[tuple[int, int, str]] = []
    for table in tables:
        going = min(advancing, len(table) - 1)
        staying = [player for player in table if player in rank]
        through += staying[:going]
        others += [(place, rank[player], player) for place, player in enumerate(staying) if place >= going]
    waiting = [player for _, _, player in sorted(others)]
    while waiting and not _fits(len(through), sizes):
        through.append(waiting.pop(0))
    if len(through) == sum(map(len, tables)):
        raise TournamentRejected(
            Reason.POLICY_MALFORMED, f"if {advancing} of each table go on, a round leaves nobody out"
        )
    if len(through) < min(sizes.allowed):
        raise TournamentRejected(Reason.TOO_FEW_PLAYERS, f"{len(through)} players cannot fill a table")
    _check_fits(len(through), sizes)
    consolation: tuple[tuple[str, ...], ...] = ()
    if has_consolation and len(waiting) >= min(sizes.allowed):
        consolation = seeded_tables(sorted(waiting, key=rank.__getitem__), sizes)
    return KnockOutRound(seeded_tables(sorted(through, key=rank.__getitem__), sizes), consolation)


def placed_tables(tables: Sequence[Sequence[str]], places: Mapping[str, int]) -> tuple[tuple[str, ...], ...]:
    """The tables in order of their results, from the place of each player."""
    return tuple(tuple(sorted(table, key=places.__getitem__)) for table in tables)


def _check_fits(count: int, sizes: SizePolicy) -> None:
    if not _fits(count, sizes):
        raise TournamentRejected(
            Reason.TABLE_SIZE_NOT_ALLOWED, f"tables of {sizes.allowed} do not hold {count} players"
        )


def _fits(count: int, sizes: SizePolicy) -> bool:
    return count >= min(sizes.allowed) and sum(table_sizes(count, sizes)) == count
