"""What a possible owner has to know from a topic before it carries out a command."""

from __future__ import annotations

from services.common.kafka.progress import OwnReader
from services.common.kafka.tail import TopicTail


class TailFollower:
    """A topic followed in a thread of its own, between `start` and `close`."""

    def __init__(self, tail: TopicTail) -> None:
        self._tail = tail

    def start(self) -> None:
        """Begin to follow."""
        self._tail.start()

    def wait_current(self, seconds: float) -> bool:
        """Block until all records of the topic at the call are read; False when it takes longer."""
        return self._tail.is_current_within(seconds)

    def progress_reader(self) -> OwnReader:
        """How far the topic is read."""
        return self._tail.progress_reader()

    def close(self) -> None:
        """Stop following. May be called again."""
        self._tail.close()
