"""Errors in facts given to the ledger, and in questions to a book."""

from __future__ import annotations


class LedgerError(Exception):
    """Base of the ledger's errors; `code` never changes its meaning."""

    code = "ledger_error"


class GapError(LedgerError):
    """Facts are missing between the last booked sequence and the given one."""

    code = "sequence_gap"

    def __init__(self, game_id: str, expected: int, found: int) -> None:
        super().__init__(f"game {game_id}: sequence {expected} is next, {found} was given")
        self.expected = expected
        self.found = found


class MalformedFactError(LedgerError):
    """A fact that cannot be booked; `problem` says why."""

    code = "malformed_fact"

    def __init__(self, game_id: str, sequence: int, problem: str) -> None:
        super().__init__(f"game {game_id}, sequence {sequence}: {problem}")
        self.sequence = sequence
        self.problem = problem


class UnknownFactError(MalformedFactError):
    """A fact with a type or enum value that this ledger does not know, as from a newer version."""


class SequenceOutOfRangeError(LedgerError):
    """A question about a sequence that is not booked."""

    code = "sequence_out_of_range"

    def __init__(self, game_id: str, asked: int, last: int) -> None:
        super().__init__(f"game {game_id}: sequence {asked} was asked for, 1 to {last} are booked")
        self.asked = asked
        self.last = last
