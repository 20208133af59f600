"""Ranks and the reasons for them: a pure function of the record and the policy."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import msgspec

from services.lobby.domain.tournaments.lots import lot
from services.lobby.domain.tournaments.scoring.performances import (
    Performance,
    counted,
    performances_of,
    uncompared_points,
)
from services.lobby.domain.tournaments.scoring.policy import Criterion, ScoringPolicy
from services.lobby.domain.tournaments.scoring.record import EventRecord
from services.lobby.domain.tournaments.scoring.results import UNIT

SCORING_VERSION = 1
"""Raised by every change of the code after which any results give other standings. Stages that are over keep those recorded."""
LOT_SHIFT = 11
"""Lots are cut to 53 bits, which every reader of JSON keeps exact."""


class Reason(msgspec.Struct, frozen=True):
    """One criterion that was looked at: the player's value, and with how many others it was tied before and after."""

    criterion: Criterion
    value: int
    tied_before: int
    tied_after: int


class Line(msgspec.Struct, frozen=True, omit_defaults=True):
    """A player's line: points in millionths, tables played, and the reasons for the rank in the order in which they counted.

    `overdue_points`: what overdue turns have taken off the points already. `uncompared`: tables beside those played that nothing
    could be compared with, and `uncompared_points`, what they count as byes."""

    rank: int
    player: str
    points: int
    tables: int
    is_withdrawn: bool
    reasons: tuple[Reason, ...]
    overdue_points: int = 0
    uncompared: int = 0
    uncompared_points: int = 0


def standings_of(record: EventRecord, policy: ScoringPolicy) -> tuple[Line, ...]:
    """Every player's line, the leader first. Substitutes who get credit are listed with the entrants.

    After the policy's criteria a lot from its seed decides, so no two players share a rank."""
    return _Standings(record, policy).lines()


def standings_digest(lines: Sequence[Line]) -> str:
    """SHA-256 of the standings' canonical JSON, in hexadecimal."""
    return hashlib.sha256(msgspec.json.encode(lines, order="deterministic")).hexdigest()


def _overdue_points(record: EventRecord) -> Counter[str]:
    """What the overdue turns of each player cost. It is not weighted, and counts also where the table is not among the best.
    Points that a ruling awards are final."""
    points: Counter[str] = Counter()
    for result in record.results.values():
        if result.ending != "awarded":
            points.update({seat.player: seat.overdue_points for seat in result.seats})
    return points


class _Standings:
    """The values of all criteria, and the order they give."""

    def __init__(self, record: EventRecord, policy: ScoringPolicy) -> None:
        self._policy = policy
        self._record = record
        self._played = performances_of(record.results.values(), policy)
        self._uncompared = uncompared_points(tuple(record.results.values()), policy)
        credited = self._played.keys() | self._uncompared.keys()
        self._players = (*record.players, *sorted(credited - set(record.players)))
        self._overdue = _overdue_points(record)
        self._points = {player: self._points_of(player) for player in self._players}
        self._values: Mapping[Criterion, Callable[[str, Sequence[str]], int]] = {
            Criterion.POINTS: lambda player, _: self._points[player],
            Criterion.WINS: lambda player, _: self._times_at(player, 1),
            Criterion.SECONDS: lambda player, _: self._times_at(player, 2),
            Criterion.MEAN_PERCENT: lambda player, _: self._mean(player, lambda each: each.percent),
            Criterion.MEAN_SHARE: lambda player, _: self._mean(player, lambda each: each.share),
            Criterion.OPPONENTS_POINTS: lambda player, _: self._opponents_points(player),
            Criterion.HEAD_TO_HEAD: self._head_to_head,
            Criterion.MARGIN: lambda player, _: sum(each.lead for each in self._tables(player)),
            Criterion.LATER_SEATS: lambda player, _: self._mean(
                player, lambda each: each.seat * UNIT // each.size
            ),
            Criterion.CLOCK: lambda player, _: -sum(each.clock_ms for each in self._tables(player)),
            Criterion.LOT: lambda player, _: -(lot(policy.seed, "tie-break", player) >> LOT_SHIFT),
        }

    def lines(self) -> tuple[Line, ...]:
        criteria = (*(each for each in self._policy.criteria if each is not Criterion.LOT), Criterion.LOT)
        order = self._ordered(list(self._players), criteria, ())
        return tuple(
            Line(
                rank=rank,
                player=player,
                points=self._points[player],
                tables=len(self._tables(player)),
                is_withdrawn=player in self._record.withdrawn,
                reasons=reasons,
                overdue_points=self._overdue[player],
                uncompared=len(self._uncompared.get(player, ())),
                uncompared_points=sum(self._uncompared.get(player, ())),
            )
            for rank, (player, reasons) in enumerate(order, start=1)
        )

    def _ordered(
        self, tied: list[str], criteria: Sequence[Criterion], reasons: tuple[Reason, ...]
    ) -> list[tuple[str, tuple[Reason, ...]]]:
        """Tied players in order. Each criterion is computed among those who are still tied."""
        if len(tied) == 1 or not criteria:
            return [(player, reasons) for player in sorted(tied)]
        criterion, *rest = criteria
        values = {player: self._values[criterion](player, tied) for player in tied}
        order: list[tuple[str, tuple[Reason, ...]]] = []
        for value in sorted(set(values.values()), reverse=True):
            group = [player for player in tied if values[player] == value]
            reason = Reason(criterion, value, len(tied) - 1, len(group) - 1)
            order += self._ordered(group, rest, (*reasons, reason))
        return order

    def _tables(self, player: str) -> list[Performance]:
        return self._played.get(player, [])

    def _points_of(self, player: str) -> int:
        byes = sum(bye.player == player for bye in self._record.byes)
        penalties = sum(each.points for each in self._record.penalties if each.player == player)
        scored = sum(each.points for each in counted(self._tables(player), self._policy))
        instead = sum(self._uncompared.get(player, ()))
        return scored + instead + byes * self._policy.bye_points - penalties - self._overdue[player]

    def _times_at(self, player: str, place: int) -> int:
        """How often the player had this place, in millionths; a shared place counts for its part."""
        return sum(
            UNIT // each.placing.sharing for each in self._tables(player) if each.placing.place == place
        )

    def _mean(self, player: str, value: Callable[[Performance], int]) -> int:
        tables = self._tables(player)
        return sum(value(each) for each in tables) // len(tables) if tables else 0

    def _opponents_points(self, player: str) -> int:
        """The points of all opponents, once for each meeting, without the lowest."""
        points = sorted(
            self._points.get(opponent, 0) for each in self._tables(player) for opponent in each.opponents
        )
        return sum(points[1:])

    def _head_to_head(self, player: str, tied: Sequence[str]) -> int:
        """How often the player was ahead of one of the tied less how often one of them was ahead."""
        others = set(tied) - {player}
        ahead = sum(other in others for each in self._tables(player) for other in each.ahead_of)
        behind = sum(player in each.ahead_of for other in others for each in self._tables(other))
        return ahead - behind
