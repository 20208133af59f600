"""The course of a way of freight trains: at which stops its parts end, which of its trains must join, where it is paid."""

from __future__ import annotations

from services.routing.domain.kernel import inner
from services.routing.domain.network import Numbers

NONE = -1
# The columns of a course: how many trains, which of them must join as bits, the stop where a way without a free end is
# paid (`NONE` for others), and from there on the stops between parts, its ends included. Stops are those of `Board.same`.
PARTS, JOINS, PAID, NODES = 0, 1, 2, 3


def course_width(trains: int) -> int:
    """How many columns the course of so many trains has."""
    return NODES + trains + 1


@inner
def _is_same(course: Numbers, one: int, other: int) -> bool:
    """Whether two ways run from the same stops to the same stops, part by part."""
    differing = 0
    for column in range(course.shape[1]):
        differing += course[one, column] != course[other, column]
    return differing == 0


@inner
def comes_again(course: Numbers, way: int) -> bool:
    """Whether a way comes to a stop between two of its parts, or to one of its ends, more than once."""
    past = NODES + course[way, PARTS] + 1
    for column in range(NODES, past if course[way, PARTS] > 1 else NODES):
        for later in range(column + 1, past):
            if course[way, column] == course[way, later]:
                return True
    return False


@inner
def may_replace(course: Numbers, one: int, other: int) -> bool:
    """Whether way `one` can run wherever way `other` of the same trains can, if it counts and touches as much.

    Trains that must all join run beside no other freight train, and each of their ways with free ends is what its runs make
    when given in a row from one end. One that needs an order is not taken for one that needs none.
    """
    if _is_same(course, one, other):
        return True
    if course[one, JOINS] != (1 << course[one, PARTS]) - 1 or course[one, PAID] != NONE:
        return False
    return not comes_again(course, one) or comes_again(course, other)
