"""What owners note about commands, and what their successors make of it."""

from __future__ import annotations

import pytest

from services.rules.cluster.attempts import Attempt, Attempts, attempt_in, metadata_of

TOGETHER_MAX = 100
LIVES = 5
"""More processes than may die over one command."""


class Log:
    """One partition of commands and its committed offset, which outlive every owner."""

    def __init__(self) -> None:
        self.offset = 0
        self.metadata = ""
        self.owners = 0
        self.blamed: list[int] = []

    def owner(self) -> Attempts:
        """The next owner, which has taken the partition over."""
        self.owners += 1
        attempts = Attempts(f"owner {self.owners}", TOGETHER_MAX)
        attempts.taken_over(0, self.offset, attempt_in(self.metadata))
        return attempts

    def live(self, commands: int, deadly: set[int], together: int) -> bool:
        """One owner's life: True if it carried out all commands, False if it died over one of the `deadly`."""
        attempts = self.owner()
        while self.offset < commands:
            count = 1 if attempts.is_alone(0, self.offset) else min(together, commands - self.offset)
            for offset in range(self.offset, self.offset + count):
                if attempts.verdict(0, offset) is not None:
                    self.blamed.append(offset)
                    continue
                note = attempts.begin(0, offset) if offset == self.offset else None
                if note is not None:
                    self.metadata = metadata_of(note)
                    attempts.noted(0, note)
                if offset in deadly:
                    return False
            self.offset += count
            self.metadata = metadata_of(attempts.kept(0, self.offset))
        return True


@pytest.mark.parametrize("together", [1, 3, TOGETHER_MAX])
@pytest.mark.parametrize("deadly", [set(), {0}, {4}, {2, 6}])
def test_the_deadly_command_is_found_and_no_other(deadly: set[int], together: int) -> None:
    """Wherever it is in its transaction; each costs four lives at most, and everything else is carried out."""
    log = Log()
    while not log.live(10, deadly, together):
        assert log.owners <= 4 * len(deadly)
    assert log.blamed == sorted(deadly)
    assert log.metadata == ""


def test_a_living_owner_is_not_counted() -> None:
    """One whose transactions are aborted begins the same command again as often as it takes."""
    log = Log()
    attempts = log.owner()
    for _ in range(LIVES):
        note = attempts.begin(0, 0)
        if note is not None:
            log.metadata = metadata_of(note)
            attempts.noted(0, note)
        assert attempts.verdict(0, 0) is None and not attempts.is_alone(0, 0)
        attempts.taken_over(0, 0, attempt_in(log.metadata))
    assert attempt_in(log.metadata) == Attempt(0, 0, "owner 1")


def test_deaths_over_different_commands_blame_none() -> None:
    """Owners that are killed from outside at one command after another."""
    log = Log()
    for offset in range(LIVES):
        assert not log.live(offset + 1, {offset}, 1)
        assert not log.live(offset + 1, {offset}, 1)
        assert log.live(offset + 1, set(), 1)
    assert log.blamed == []


def test_a_command_that_came_to_no_end_is_blamed_at_once() -> None:
    """The commands before it, of the same transaction, are carried out together; the note is kept until it is reached."""
    log = Log()
    log.metadata = metadata_of(log.owner().hung(3))
    assert log.live(10, {3}, 2)
    assert log.blamed == [3]


def test_partitions_of_others_are_forgotten() -> None:
    """What is known of a partition is read again when it comes back."""
    attempts = Attempts("me", TOGETHER_MAX)
    attempts.taken_over(0, 5, Attempt(5, 2, "another"))
    assert attempts.verdict(0, 5) is not None
    attempts.let_go([0])
    assert attempts.verdict(0, 5) is None and not attempts.is_alone(0, 5)


@pytest.mark.parametrize("metadata", [None, "", "nothing", "{}", '{"offset": "7"}'])
def test_metadata_of_others_is_no_note(metadata: str | None) -> None:
    """Older versions commit offsets without metadata."""
    assert attempt_in(metadata) is None
