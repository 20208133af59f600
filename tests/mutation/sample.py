"""Which mutants are tried: all, or so many drawn by a seed; and those that break nothing."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.mutation.mutants import Mutant


@dataclass(frozen=True, slots=True)
class Equivalent:
    """Mutants that change nothing anybody could see: in this function of this file this code, replaced by that (any, when
    empty)."""

    path: str
    function: str
    original: str
    replacement: str
    reason: str

    def covers(self, mutant: Mutant) -> bool:
        """Whether the mutant is one of them."""
        place = (mutant.path, mutant.function, mutant.original)
        same = (self.path, self.function, self.original) == place
        return same and self.replacement in ("", mutant.replacement)


def read_equivalents(file: Path) -> list[Equivalent]:
    """The list, each with its reason."""
    entries = tomllib.loads(file.read_text(encoding="utf-8")).get("equivalent", [])
    return [
        Equivalent(
            each["path"], each["function"], each["original"], each.get("replacement", ""), each["reason"]
        )
        for each in entries
    ]


def draw(mutants: Sequence[Mutant], number: int, seed: int) -> list[Mutant]:
    """So many of the mutants, those with the lowest digests of seed and mutant.

    So a change in one function exchanges only mutants of that function, and the others of the sample stay."""
    chosen = set(sorted(range(len(mutants)), key=lambda index: _digest(mutants[index], seed))[:number])
    return [mutant for index, mutant in enumerate(mutants) if index in chosen]


def _digest(mutant: Mutant, seed: int) -> bytes:
    text = "\0".join((str(seed), *mutant.reading, str(mutant.number)))
    return hashlib.sha256(text.encode()).digest()


def without_equivalents(mutants: Iterable[Mutant], listed: Sequence[Equivalent]) -> list[Mutant]:
    """The mutants that some test should kill."""
    return [mutant for mutant in mutants if not any(each.covers(mutant) for each in listed)]


def unused(mutants: Sequence[Mutant], listed: Sequence[Equivalent]) -> list[Equivalent]:
    """Entries of the list that no mutant answers to any more."""
    return [each for each in listed if not any(each.covers(mutant) for mutant in mutants)]
