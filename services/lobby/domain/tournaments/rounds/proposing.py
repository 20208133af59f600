"""The tables of a round, by the format of its stage: a pure function of the tournament and of what was played before."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import msgspec

from services.lobby.domain.tournaments.formats.designs import Design, draw_groups, group_tables
from services.lobby.domain.tournaments.formats.knock_out import KnockOutRound, first_round, next_round
from services.lobby.domain.tournaments.formats.stages import (
    DuplicateRounds,
    Groups,
    Heats,
    KnockOut,
    Stage,
    Swiss,
    check_comparable,
    round_problem,
)
from services.lobby.domain.tournaments.pairing.pair import pair_round
from services.lobby.domain.tournaments.pairing.problem import Entrant, PairingProblem, PastTable, SizePolicy
from services.lobby.domain.tournaments.pairing.proposal import Proposal
from services.lobby.domain.tournaments.pairing.rearranging import (
    STEPS_MAX,
    Rearranged,
    Tables,
    rearranged_groups,
    rearranged_tables,
)
from services.lobby.domain.tournaments.pairing.sizes import allowed_sizes
from services.lobby.domain.tournaments.pairing.writing import given_tables
from services.lobby.domain.tournaments.rejections import Reason, TournamentRejected
from services.lobby.domain.tournaments.rounds.round import Round
from services.lobby.domain.tournaments.rounds.settling import policy_of, record_of_stage, settled_result
from services.lobby.domain.tournaments.scoring.results import TableResult, compared_seats, placings
from services.lobby.domain.tournaments.scoring.standings import standings_of
from services.lobby.domain.tournaments.tournament import Tournament


class Proposed(msgspec.Struct, frozen=True):
    """A proposal, the problem that it solves, and how many of its tables play on."""

    problem: PairingProblem
    proposal: Proposal
    main_tables: int


def propose(
    tournament: Tournament,
    number: int,
    rounds: Sequence[Round],
    earlier: Sequence[Round],
    ratings: Mapping[str, int],
    designs: Sequence[Design],
) -> Proposed:
    """Round `number` of the stage that runs. `rounds` are those of the stage so far, `earlier` those of other stages.

    Raises TournamentRejected (STAGE_OVER) if the format has no such round, (TOO_FEW_PLAYERS) if nobody has checked in for it
    where the charter asks for that, and what pairing raises."""
    stage = tournament.charter.stages[tournament.stage]
    match stage.format:
        case Swiss(count) | Heats(count) | DuplicateRounds(count):
            if number > count:
                raise TournamentRejected(Reason.STAGE_OVER, f"{stage.name} has {count} rounds")
            _check_presence(tournament, number)
            problem = _paired(tournament, stage, number, rounds, earlier, ratings)
            charter = tournament.charter
            check_comparable(stage, charter.scoring.system, len(problem.entrants), charter.offered())
            proposal = pair_round(problem)
            return Proposed(problem, proposal, len(proposal.tables))
        case Groups():
            return _grouped(tournament, stage, number, rounds, designs)
        case KnockOut():
            return _knocked_out(tournament, stage, number, rounds)


def _check_presence(tournament: Tournament, number: int) -> None:
    checked_in = _checked_in(tournament, number)
    if checked_in is not None and not checked_in:
        raise TournamentRejected(
            Reason.TOO_FEW_PLAYERS, f"nobody has checked in for round {number}: open its check-in first"
        )


def present(tournament: Tournament, number: int) -> tuple[str, ...]:
    """The players of the stage who can be seated in a round: not withdrawn, and checked in where that is asked for."""
    checked_in = _checked_in(tournament, number)
    active = set(tournament.active())
    return tuple(
        player
        for player in tournament.stages[-1].entrants
        if player in active and (checked_in is None or player in checked_in)
    )


def _checked_in(tournament: Tournament, number: int) -> Collection[str] | None:
    """Who checked in for the round, None if the charter does not ask for it."""
    check_in = tournament.check_in
    if not tournament.charter.has_check_in:
        return None
    if check_in is None or (check_in.stage, check_in.number) != (tournament.stage, number):
        return ()
    return check_in.present


def _paired(
    tournament: Tournament,
    stage: Stage,
    number: int,
    rounds: Sequence[Round],
    earlier: Sequence[Round],
    ratings: Mapping[str, int],
) -> PairingProblem:
    record = record_of_stage(tournament, tournament.stage, rounds)
    points = {
        line.player: line.points for line in standings_of(record, policy_of(tournament, tournament.stage))
    }
    entrants = [
        Entrant(
            player,
            points[player],
            ratings.get(player, 0),
            _preferences(tournament, player),
            tournament.entries[player].hours,
        )
        for player in present(tournament, number)
    ]
    problem = round_problem(
        stage,
        number,
        entrants,
        [PastTable(state.table.seats) for each in (*earlier, *rounds) for state in each.tables.values()],
        tournament.seed,
        tournament.charter.offered(),
        [player for each in rounds if each.is_published for player in each.proposal.byes],
    )
    return _with_charter(problem, tournament)


def _preferences(tournament: Tournament, player: str) -> tuple[str, ...]:
    """What the player prefers of the titles offered now: an amendment may have taken some away."""
    wanted = tournament.entries[player].preferences
    return tuple(title for title in wanted if tournament.charter.title(title) is not None)


def _with_charter(problem: PairingProblem, tournament: Tournament) -> PairingProblem:
    charter = tournament.charter
    return msgspec.structs.replace(problem, forbidden=charter.forbidden, hours_min=charter.hours_min)


def _given(tournament: Tournament, stage: Stage, number: int, players: Sequence[str]) -> PairingProblem:
    """The problem of a round whose tables follow from the format; it holds what the choice of titles needs."""
    entrants = tuple(
        Entrant(player, preferences=_preferences(tournament, player), hours=tournament.entries[player].hours)
        for player in players
    )
    titles = tournament.charter.offered()
    problem = PairingProblem(entrants, tournament.seed, number, titles=titles, sizes=stage.sizes)
    return _with_charter(problem, tournament)


def _grouped(
    tournament: Tournament, stage: Stage, number: int, rounds: Sequence[Round], designs: Sequence[Design]
) -> Proposed:
    """Tables of preset designs are all played in the first round; searched ones have rounds.

    In a searched round, players of a group who may not be together are at other tables of it."""
    groups = stage.format
    assert isinstance(groups, Groups)
    entrants = tournament.stages[-1].entrants
    problem = _given(tournament, stage, number, entrants)
    there = set(present(tournament, number))
    seats: list[tuple[str, ...]] = []
    seated: set[str] = set()
    before = {
        (each.number, frozenset(state.table.seats)) for each in rounds for state in each.tables.values()
    }
    drawn, others = _drawn(problem, groups.group_size, rounds)
    for index, group in enumerate(drawn):
        seed = tournament.seed + index
        made = group_tables(group, groups.table_size, groups.rounds, designs, seed, before)
        tables = [table for table in made if max(1, table.round) == number]
        seated.update(player for table in tables for player in table.seats)
        played = tuple(table.seats for table in tables if there.issuperset(table.seats))
        if any(table.round for table in tables):
            found, others = _kept_apart(problem, played, others)
            seats += found
        else:
            seats += played
    if not seated:
        raise TournamentRejected(Reason.STAGE_OVER, f"{stage.name} has no round {number}")
    _check_presence(tournament, number)
    byes = [player for player in entrants if player not in seated]
    return Proposed(problem, given_tables(problem, seats, byes, others), len(seats))


def _drawn(problem: PairingProblem, size: int, rounds: Sequence[Round]) -> tuple[Tables, str]:
    """The groups of a stage. Players who may not be together are in different ones where that can be done for all of them; what
    a rejection says where it cannot.

    That is decided for the first round: what is forbidden later changes no groups, and in rounds that were published before
    groups were drawn so, the tables show it."""
    first = rounds[0].problem if rounds else problem
    plain = draw_groups([each.player for each in problem.entrants], size)
    found = rearranged_groups(first, plain)
    if found.tables is None:
        return plain, _of_others(found, "groups")
    tables = [set(state.table.seats) for each in rounds for state in each.tables.values()]

    def fitting(groups: Tables) -> int:
        return sum(any(table.issubset(group) for group in groups) for table in tables)

    return max((found.tables, plain), key=fitting), ""


def _kept_apart(problem: PairingProblem, tables: Tables, others: str = "") -> tuple[Tables, str]:
    """The tables with forbidden pairs apart, or as they are; and what a rejection says about others, behind `others`."""
    found = rearranged_tables(problem, tables)
    if found.tables is not None:
        return found.tables, others
    said = _of_others(found, "tables")
    return tables, others if said in others else f"{others}, and {said}" if others else said


def _of_others(found: Rearranged, what: str) -> str:
    if found.has_tried_all:
        return f"no other {what} of these sizes are without"
    return f"a search for other {what} ended after {STEPS_MAX} steps"


def _knocked_out(tournament: Tournament, stage: Stage, number: int, rounds: Sequence[Round]) -> Proposed:
    knock_out = stage.format
    assert isinstance(knock_out, KnockOut)
    seeds = tournament.stages[-1].entrants
    sizes = allowed_sizes(_given(tournament, stage, number, ()))
    if number == 1:
        _check_presence(tournament, number)
        made = first_round(present(tournament, number), sizes)
    else:
        made = _next_knock_out(tournament, stage, knock_out, sizes, rounds[-1])
    seated = {player for table in (*made.tables, *made.consolation) for player in table}
    problem = _given(tournament, stage, number, [player for player in seeds if player in seated])
    tables, others = _kept_apart(problem, made.tables)
    consolation, others = _kept_apart(problem, made.consolation, others)
    proposal = given_tables(problem, (*tables, *consolation), (), others)
    return Proposed(problem, proposal, len(made.tables))


def _next_knock_out(
    tournament: Tournament,
    stage: Stage,
    knock_out: KnockOut,
    sizes: SizePolicy,
    before: Round,
) -> KnockOutRound:
    if before.main_tables == 1:
        raise TournamentRejected(Reason.STAGE_OVER, f"{stage.name} has its winner")
    _check_presence(tournament, before.number + 1)
    tables = []
    for index in range(1, before.main_tables + 1):
        state = before.tables[index]
        result = settled_result(before, state)
        places = _places(result, tournament) if result is not None else {}
        # Where a table was annulled, the seats decide.
        tables.append(tuple(sorted(state.table.seats, key=lambda player: places.get(player, 0))))
    there = present(tournament, before.number + 1)
    return next_round(tables, knock_out.advancing, there, sizes, knock_out.has_consolation)


def _places(result: TableResult, tournament: Tournament) -> dict[str, int]:
    found = placings(compared_seats(result), tournament.charter.scoring.modifiers.bankrupt_last)
    return {seat.player: each.place for seat, each in zip(result.seats, found, strict=True)}
