"""What owners and operators have recorded for later owners: known to an owner before it carries out a command."""

from __future__ import annotations

import time
from dataclasses import dataclass

from services.common.kafka.progress import OwnReader
from services.common.kafka.settings import KafkaSettings
from services.rules.cluster.blocks import BlocksFollower
from services.rules.cluster.skips import SkipsFollower


@dataclass(frozen=True, slots=True)
class Recorded:
    """Commands to be passed over, and games that stay blocked."""

    skips: SkipsFollower
    blocks: BlocksFollower

    @classmethod
    def of(cls, kafka: KafkaSettings) -> Recorded:
        """Not started yet."""
        return cls(SkipsFollower(kafka), BlocksFollower(kafka))

    def start(self) -> None:
        """Begin to follow."""
        self.skips.start()
        self.blocks.start()

    def wait_current(self, seconds: float) -> bool:
        """Block until all that was recorded before the call is known; False when it takes longer."""
        end = time.monotonic() + seconds
        return self.skips.wait_current(seconds) and self.blocks.wait_current(max(0.0, end - time.monotonic()))

    def progress_readers(self) -> tuple[OwnReader, ...]:
        """How far each is read."""
        return self.skips.progress_reader(), self.blocks.progress_reader()

    def close(self) -> None:
        """Stop following. May be called again."""
        self.skips.close()
        self.blocks.close()
