"""Boards of 1846 and 1889 with the values that another program proves, from the shared fixtures (`routes18xx`)."""

from __future__ import annotations

from pathlib import Path

import msgspec

from services.routing.domain.problem import Bonus, Parameters, Requirement, RouteProblem
from services.routing.json_form import problem_from_json

MAIL_BOARDS = ("1846-Mail_Contract",)
MAIL_PER_STOP = 10


class PeerBoard(msgspec.Struct, frozen=True):
    """A board's file, the proven value with and without bonuses, and the time that the other program took."""

    file: str
    peer_value: int
    peer_value_without_bonuses: int
    peer_ms_on_two_cores: float


class Index(msgspec.Struct, frozen=True):
    """All boards, and what the off-board stops of 1846 add to runs between east and west."""

    east_west_bonus_1846: dict[str, dict[str, int]]
    problems: list[PeerBoard]


def peer_boards(folder: Path) -> list[tuple[PeerBoard, RouteProblem]]:
    """All boards of the folder with their problems, bonuses included."""
    index = msgspec.json.decode((folder / "index.json").read_bytes(), type=Index)
    return [(board, _problem(folder, board, index)) for board in index.problems]


def _problem(folder: Path, board: PeerBoard, index: Index) -> RouteProblem:
    problem = problem_from_json((folder / board.file).read_bytes())
    if not board.file.startswith("1846"):
        return problem
    stops = [stop.id for stop in problem.stops]
    sides = tuple(
        {stop: money[hexes] for stop in stops if (hexes := stop.partition(".")[0]) in money}
        for money in (index.east_west_bonus_1846["east"], index.east_west_bonus_1846["west"])
    )
    bonuses = [Bonus("east-west", sides, "counted_ends")]
    if board.file.startswith(MAIL_BOARDS):
        bonuses.append(Bonus("mail contract", (dict.fromkeys(stops, MAIL_PER_STOP),), runs=1))
    token = Requirement("token counted", problem.token_stops, "counted")
    return msgspec.structs.replace(
        problem, parameters=Parameters(bonuses=tuple(bonuses), requirements=(token,))
    )
