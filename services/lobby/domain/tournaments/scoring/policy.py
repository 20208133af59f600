"""How results become standings."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

import msgspec

from services.lobby.domain.tournaments.scoring.systems import Modifiers, System


class Criterion(StrEnum):
    """What can order players, more being better."""

    POINTS = "points"
    WINS = "wins"
    SECONDS = "seconds"
    MEAN_PERCENT = "mean_percent"
    MEAN_SHARE = "mean_share"
    OPPONENTS_POINTS = "opponents_points"
    HEAD_TO_HEAD = "head_to_head"
    MARGIN = "margin"
    LATER_SEATS = "later_seats"
    CLOCK = "clock"
    LOT = "lot"


USUAL = (
    Criterion.POINTS,
    Criterion.WINS,
    Criterion.SECONDS,
    Criterion.MEAN_PERCENT,
    Criterion.OPPONENTS_POINTS,
    Criterion.LOT,
)

Credit = Literal["original", "substitute", "split", "average"]


class ScoringPolicy(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The part of a charter that decides the standings.

    - best_of: how many of a player's best results count, 0 for all
    - per_title_max: how many of them may be of one title, 0 for any number
    - title_weights: factor of a title's points in millionths, 1,000,000 where none is given
    - bye_points: what a bye counts, in millionths
    - credit: who gets the points of a seat that a substitute took over: the original player, the substitute, both by their
      turns, or the original player the mean of the table
    - criteria: what orders players, the first difference decides; the rest is drawn by lot from `seed`
    """

    system: System
    modifiers: Modifiers = Modifiers()
    best_of: int = 0
    per_title_max: int = 0
    title_weights: dict[str, int] = {}
    bye_points: int = 0
    credit: Credit = "original"
    criteria: tuple[Criterion, ...] = USUAL
    seed: int = 0
