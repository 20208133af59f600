"""The small network of the rulebook's revenue example, rebuilt so that all its printed sums come out.

Mines E and I (10 each), cities F and G (30 each) and A (20), towns B, C, D and H (10 each). Each piece of track bears
the letters of its ends. Mine I has two exits, to C and to F.
"""

from __future__ import annotations

from itertools import pairwise

from services.routing.domain.problem import RouteProblem, Segment, Stop, StopKind, Train

KINDS: dict[str, tuple[StopKind, int]] = {
    "A": ("city", 20),
    "B": ("town", 10),
    "C": ("town", 10),
    "D": ("town", 10),
    "E": ("mine", 10),
    "F": ("city", 30),
    "G": ("city", 30),
    "H": ("town", 10),
    "I": ("mine", 10),
}
TRACK = ("AF", "BC", "BF", "CD", "CG", "CI", "DE", "FG", "FH", "FI")


def rulebook_problem(token: str, trains: tuple[Train, ...]) -> RouteProblem:
    """The example's board for a company with one token, at `token`."""
    slots = {"A": ("",), "F": ("", ""), "G": ("", "")}
    return RouteProblem(
        company="X",
        stops=tuple(
            Stop(name, kind, name, value, slots.get(name, ())) for name, (kind, value) in KINDS.items()
        ),
        segments=tuple(Segment(ends, ends[0], ends[1], hexes=(ends[0], ends[1])) for ends in TRACK),
        trains=trains,
        token_stops=(token,),
    )


def way(letters: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Stops and segments of the run written as in the rulebook: `way("FGC")`."""
    pairs = pairwise(letters)
    return tuple(letters), tuple("".join(sorted(pair)) for pair in pairs)
