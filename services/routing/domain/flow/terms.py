"""What bonuses and requirements add to the program of a flow of one train: columns for what they pay, rows for what they need.

A train without a limit counts every stop that it visits, so bonuses for stops counted differ from those for stops visited at
mines alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from services.routing.domain.flow.program import NO_LIMIT, Program, Term
from services.routing.domain.network import Network, Numbers
from services.routing.domain.problem import (
    Bonus,
    Requirement,
    Train,
    Where,
    concerns,
    is_optional,
    needs_counting,
)

AT_ENDS: tuple[Where, ...] = ("ends", "counted_ends")


class Paid(NamedTuple):
    """By column what it adds to the score; by column of a bonus the claims that it takes, see `Network.claims`."""

    score: dict[int, int]
    claims: dict[int, tuple[int, ...]]


class TermColumns:
    """Makes the columns and rows of the terms of one train, which comes to `stops`.

    `visits`, `ends`: the first of its columns for these stops; `runs`: that for whether it runs. What columns add to the
    score is given in so many `unit`s.
    """

    def __init__(
        self,
        program: Program,
        network: Network,
        train: Train,
        stops: Numbers,
        visits: int,
        ends: int,
        runs: int,
        unit: int,
    ) -> None:
        self._program = program
        self._network = network
        self._train = train
        self._place = {stop: place for place, stop in enumerate(stops.tolist())}
        self._visits, self._ends, self._runs = visits, ends, runs
        self._unit = unit
        self._paid = Paid({}, {})

    def add(self) -> Paid:
        """Add all that concerns the train. What is paid for each visit under no condition is part of the values of stops."""
        for requirement in self._network.requirements:
            if concerns(requirement, self._train):
                self._add_need(requirement, requirement.stops, [self._runs])
        for bonus in self._network.bonuses:
            if concerns(bonus, self._train):
                has = self._add_bonus(bonus) if is_optional(bonus) else []
                if has or bonus.where in AT_ENDS:
                    self._add_stops(bonus, has)
        return self._paid

    def _add_bonus(self, bonus: Bonus) -> list[int]:
        """The columns for whether the train has the bonus, one for each claim to it."""
        pays = self._score(bonus, bonus.pays)
        claims = self._network.claims[bonus.id] or [()]
        has = [self._add_column(pays) for _ in claims]
        self._paid.claims.update(zip(has, claims, strict=True))
        if bonus.pays or len(bonus.groups) > 1:
            for group in bonus.groups:
                self._add_need(bonus, group, has)
        if len(has) > 1:
            self._program.add_row(0.0, 1.0, [(column, 1.0) for column in has])
        return has

    def _add_stops(self, bonus: Bonus, has: Sequence[int]) -> None:
        """What each stop of a bonus pays, which is paid only if the train has the bonus."""
        for group in bonus.groups:
            for name, money in group.items():
                for column in self._met(bonus, (name,)) if money else ():
                    paid = self._add_column(self._score(bonus, money))
                    self._program.add_row(0.0, NO_LIMIT, [(column, 1.0), (paid, -1.0)])
                    if has:
                        terms: list[Term] = [(each, 1.0) for each in has]
                        self._program.add_row(0.0, NO_LIMIT, [*terms, (paid, -1.0)])

    def _add_need(self, term: Bonus | Requirement, stops: Iterable[str], columns: Sequence[int]) -> None:
        """The train has these columns only if it comes to one of these stops."""
        met: list[Term] = [(column, 1.0) for column in self._met(term, stops)]
        self._program.add_row(0.0, NO_LIMIT, [*met, *((column, -1.0) for column in columns)])

    def _met(self, term: Bonus | Requirement, stops: Iterable[str]) -> list[int]:
        """The columns for coming to these stops as the term says."""
        first = self._ends if term.where in AT_ENDS else self._visits
        numbers = [self._network.number[name] for name in stops]
        return [
            first + self._place[stop]
            for stop in numbers
            if stop in self._place and not (needs_counting(term) and self._network.is_mine[stop])
        ]

    def _add_column(self, score: int) -> int:
        column = self._program.add_columns(np.full(1, score / self._unit), np.ones(1))
        self._paid.score[column] = score
        return column

    def _score(self, bonus: Bonus, money: int) -> int:
        return self._network.scores.of_money(bonus.money_for(self._train, money), bonus.to_treasury)
