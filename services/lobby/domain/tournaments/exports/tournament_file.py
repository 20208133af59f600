"""A tournament as one JSON document: enough to recompute every standing and every pairing without the platform."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from services.lobby.domain.tournaments.charter import Charter
from services.lobby.domain.tournaments.formats.stages import DuplicateRounds, Heats, Swiss
from services.lobby.domain.tournaments.pairing.pair import pair_round
from services.lobby.domain.tournaments.pairing.problem import PairingProblem, problem_digest
from services.lobby.domain.tournaments.pairing.proposal import Proposal, proposal_digest
from services.lobby.domain.tournaments.rejections import Reason, TournamentRejected
from services.lobby.domain.tournaments.rounds.round import Round, TableState
from services.lobby.domain.tournaments.rounds.settling import facts_of, policy_of
from services.lobby.domain.tournaments.running import final_ranking, stage_standings
from services.lobby.domain.tournaments.scoring.policy import ScoringPolicy
from services.lobby.domain.tournaments.scoring.record import Fact, record_of
from services.lobby.domain.tournaments.scoring.standings import (
    SCORING_VERSION,
    Line,
    standings_digest,
    standings_of,
)
from services.lobby.domain.tournaments.tournament import PenaltyRecorded, Tournament

FORMAT = "signalbox tournament file 1"


class FileRound(msgspec.Struct, frozen=True):
    """A published round: what it was paired from, what was played, and everything that happened at its tables."""

    number: int
    publish_time_ms: int
    problem: PairingProblem
    proposal: Proposal
    tables: tuple[TableState, ...]


class FileStage(msgspec.Struct, frozen=True):
    """A stage: its facts, its standings, and their digest. `scoring_version`: 0 unless they are those recorded at its end."""

    name: str
    is_paired: bool
    is_finished: bool
    policy: ScoringPolicy
    facts: tuple[Fact, ...]
    standings: tuple[Line, ...]
    standings_digest: str
    rounds: tuple[FileRound, ...]
    scoring_version: int = 0


class TournamentFile(msgspec.Struct, frozen=True):
    """The whole document. `players` are names by id."""

    format: str
    tournament_id: str
    charter: Charter
    charter_version: int
    seed: int
    players: Mapping[str, str]
    penalties: tuple[PenaltyRecorded, ...]
    stages: tuple[FileStage, ...]
    ranking: tuple[str, ...]


_decoder = msgspec.json.Decoder(TournamentFile)


def file_of(tournament: Tournament, rounds: Sequence[Round]) -> TournamentFile:
    """The document of a tournament; `rounds` are all of it."""
    return TournamentFile(
        format=FORMAT,
        tournament_id=tournament.tournament_id,
        charter=tournament.charter,
        charter_version=tournament.charter_version,
        seed=tournament.seed,
        players={player: entry.player.name for player, entry in tournament.entries.items()},
        penalties=tournament.penalties,
        stages=tuple(
            _stage(tournament, stage, [each for each in rounds if each.stage == stage])
            for stage in range(len(tournament.stages))
        ),
        ranking=final_ranking(tournament),
    )


def write_file(document: TournamentFile) -> bytes:
    """The document as JSON; equal tournaments give equal bytes."""
    plain = msgspec.to_builtins(document, str_keys=True)
    return msgspec.json.format(msgspec.json.encode(plain, order="deterministic")) + b"\n"


def read_file(content: bytes) -> TournamentFile:
    """The document in JSON. Raises TournamentRejected (FILE_MALFORMED) with the path of what is wrong in it."""
    try:
        document = _decoder.decode(content)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise TournamentRejected(Reason.FILE_MALFORMED, str(error)) from error
    if document.format != FORMAT:
        raise TournamentRejected(Reason.FILE_MALFORMED, f"the format is {document.format!r}, not {FORMAT!r}")
    return document


def check_file(document: TournamentFile) -> None:
    """Raises TournamentRejected (STANDINGS_DIFFER, PAIRING_DIFFERS) unless the facts give the standings, and the problems the
    pairings."""
    for stage in document.stages:
        lines = standings_of(record_of(stage.facts), stage.policy)
        if lines != stage.standings or standings_digest(lines) != stage.standings_digest:
            raise TournamentRejected(
                Reason.STANDINGS_DIFFER,
                f"the facts of {stage.name} give other standings{_of_version(stage.scoring_version)}",
            )
        for each in stage.rounds:
            check_pairing(stage.name, stage.is_paired, each.number, each.problem, each.proposal)


def _of_version(scoring_version: int) -> str:
    if scoring_version in (0, SCORING_VERSION):
        return ""
    return f"; those recorded are by version {scoring_version} of the scoring, this program has {SCORING_VERSION}"


def check_pairing(
    stage: str, is_paired: bool, number: int, problem: PairingProblem, proposal: Proposal
) -> None:
    """Raises TournamentRejected (PAIRING_DIFFERS) unless the proposal, or the one that a director changed, follows from the
    problem. `is_paired`: whether pairing made it, not the format of the stage."""
    differs = TournamentRejected(
        Reason.PAIRING_DIFFERS, f"round {number} of {stage} does not follow from its problem"
    )
    if proposal.problem_digest != problem_digest(problem):
        raise differs
    if not is_paired:
        return
    made = pair_round(problem)
    given = proposal_digest(proposal) if proposal.override is None else proposal.override.proposal_digest
    if proposal_digest(made) != given:
        raise differs


def is_paired(charter: Charter, stage: int) -> bool:
    """Whether the rounds of a stage are paired one by one."""
    return isinstance(charter.stages[stage].format, Swiss | Heats | DuplicateRounds)


def _stage(tournament: Tournament, stage: int, rounds: Sequence[Round]) -> FileStage:
    run = tournament.stages[stage]
    lines = stage_standings(tournament, stage, rounds)
    return FileStage(
        name=tournament.charter.stages[stage].name,
        is_paired=is_paired(tournament.charter, stage),
        is_finished=run.is_finished,
        policy=policy_of(tournament, stage),
        facts=tuple(facts_of(tournament, stage, rounds)),
        standings=lines,
        standings_digest=standings_digest(lines),
        rounds=tuple(
            FileRound(
                each.number,
                each.publish_time_ms,
                each.problem,
                each.proposal,
                tuple(state for _, state in sorted(each.tables.items())),
            )
            for each in rounds
            if each.is_published
        ),
        scoring_version=run.scoring_version if lines is run.standings else 0,
    )
