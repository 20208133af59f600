"""Stages of an event, one after the other: what each plays, and who comes from the stage before."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec

from services.lobby.domain.tournaments.formats.seeding import qualifiers
from services.lobby.domain.tournaments.pairing.problem import (
    Entrant,
    OfferedTitle,
    PairingProblem,
    PastTable,
    SizePolicy,
)
from services.lobby.domain.tournaments.pairing.sizes import table_sizes
from services.lobby.domain.tournaments.rejections import Reason, TournamentRejected
from services.lobby.domain.tournaments.scoring.systems import Duplicate, System


class Swiss(msgspec.Struct, frozen=True, tag="swiss", forbid_unknown_fields=True):
    """Rounds in which players of equal points meet, and nobody meets again."""

    rounds: int


class Heats(msgspec.Struct, frozen=True, tag="heats", forbid_unknown_fields=True):
    """Heats open to those who come; nobody meets again, points do not matter."""

    rounds: int


class Groups(msgspec.Struct, frozen=True, tag="groups", forbid_unknown_fields=True):
    """Groups in which every pair meets equally often, with tables of `table_size`; `rounds` where no preset design fits."""

    group_size: int
    table_size: int
    rounds: int = 0


class KnockOut(msgspec.Struct, frozen=True, tag="knock_out", forbid_unknown_fields=True):
    """The first `advancing` of each table go on, but fewer than sat there, until one table is left; the others may play for
    consolation."""

    advancing: int
    has_consolation: bool = False


class DuplicateRounds(msgspec.Struct, frozen=True, tag="duplicate", forbid_unknown_fields=True):
    """Rounds in which all tables play the same game, title, size and seed; nobody meets again."""

    rounds: int


Format = Swiss | Heats | Groups | KnockOut | DuplicateRounds


class Stage(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A stage: its format and table sizes, how many players the stage before sends (0: everybody), and the seconds since 1970 UTC
    at which every turn of its tables is overdue (0: as the clock policy of the event says)."""

    name: str
    format: Format
    sizes: SizePolicy = SizePolicy()
    places: int = 0
    deadline: int = 0


def stage_entrants(
    stage: Stage, ranking: Sequence[str], present: Collection[str], refused: Collection[str] = ()
) -> tuple[str, ...]:
    """Who plays a stage, in the order of the standings of the stage before. Places of absent players pass down."""
    return qualifiers(ranking, stage.places or len(ranking), present, refused)


def round_problem(
    stage: Stage,
    number: int,
    entrants: Sequence[Entrant],
    past: Sequence[PastTable],
    seed: int,
    titles: Sequence[OfferedTitle] = (),
    past_byes: Sequence[str] = (),
) -> PairingProblem:
    """The problem of round `number` of a stage that is paired round by round: Swiss, heats, duplicate.

    `entrants` are those present; their points count only in Swiss rounds, their preferences not in duplicate ones."""
    sizes, offered = stage.sizes, tuple(titles)
    match stage.format:
        case Swiss(rounds):
            playing = tuple(entrants)
        case Heats(rounds):
            playing = tuple(msgspec.structs.replace(entrant, points=0) for entrant in entrants)
        case DuplicateRounds(rounds):
            playing = tuple(
                msgspec.structs.replace(entrant, points=0, preferences=()) for entrant in entrants
            )
            sizes, offered = _one_game(len(playing), sizes, offered)
        case _:
            raise ValueError(f"{stage.name} is not paired round by round")
    return PairingProblem(
        entrants=playing,
        seed=seed,
        round=number,
        past=tuple(past),
        past_byes=tuple(past_byes),
        titles=offered,
        sizes=sizes,
        rounds_left=max(0, rounds - number),
    )


def check_start(
    stage: Stage, system: System, count: int, titles: Sequence[OfferedTitle], are_all_there: bool
) -> None:
    """Raises TournamentRejected (TITLE_NOT_OFFERED, TOO_FEW_PLAYERS, TABLE_SIZE_NOT_ALLOWED) where so many players could not play
    the first round of a stage. `are_all_there`: not only those who will check in."""
    match stage.format:
        case Groups(group_size):
            if count < group_size:
                raise TournamentRejected(
                    Reason.TOO_FEW_PLAYERS, f"{count} players fill no group of {group_size}"
                )
        case _:
            sizes = SizePolicy(stage.sizes.preferred, tuple(offered_sizes(stage.sizes.allowed, titles)))
            if not sizes.allowed:
                raise TournamentRejected(
                    Reason.TITLE_NOT_OFFERED, f"no title is offered for tables of {stage.name}"
                )
            seated = sum(table_sizes(count, sizes))
            if isinstance(stage.format, KnockOut) and are_all_there and seated < count:
                raise TournamentRejected(
                    Reason.TABLE_SIZE_NOT_ALLOWED,
                    f"tables of {sizes.allowed} do not hold {count} players, and a knock-out seats all of them",
                )
    check_comparable(stage, system, count, titles)


def check_comparable(stage: Stage, system: System, count: int, titles: Sequence[OfferedTitle]) -> None:
    """Raises TournamentRejected (TOO_FEW_PLAYERS) where each seat of a duplicate round is to be compared with the same seat at
    another table, and there would be one table: everybody would get nothing."""
    fewest = min(offered_sizes(stage.sizes.allowed, titles), default=0)
    if isinstance(stage.format, DuplicateRounds) and isinstance(system, Duplicate) and count < 2 * fewest:
        raise TournamentRejected(
            Reason.TOO_FEW_PLAYERS,
            f"{count} players fill one table, and {stage.name} compares the same seat at two: it needs {2 * fewest}",
        )


def offered_sizes(sizes: Sequence[int], titles: Sequence[OfferedTitle]) -> list[int]:
    """The sizes for which a title is offered; all of them without titles."""
    return [
        size
        for size in sizes
        if not titles or any(each.players_min <= size <= each.players_max for each in titles)
    ]


def _one_game(
    count: int, sizes: SizePolicy, titles: Sequence[OfferedTitle]
) -> tuple[SizePolicy, tuple[OfferedTitle, ...]]:
    """One size and one title for all tables: two tables at least, then the fewest byes, then the size nearest to the preferred,
    and the first title offered for it. Others sit out."""
    offered = offered_sizes(sizes.allowed, titles)
    if not offered:
        return sizes, tuple(titles)

    def worth(size: int) -> tuple[bool, int, int, int]:
        return count >= 2 * size, count // size * size, -abs(size - sizes.preferred), -size

    size = max(offered, key=worth)
    fitting = (each for each in titles if each.players_min <= size <= each.players_max)
    return SizePolicy(size, (size,)), tuple(fitting)[:1]
