"""An operator who releases games as docs/operations.md says ("A poisoned command"), with the commands of that page."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable

from services.cli.dead_letters import NO_KAFKA, STILL_BLOCKED
from services.common.kafka.settings import KafkaSettings
from services.common.settings.service import PREFIX
from services.host.processes import environment_of
from tests.faults.players import ServiceGone

OWNER = "rules.owner"
OWNERS_DIED = "processes died while they carried this command out alone"
"""Why a game is blocked over whose command its owners were killed: the same for a deadly command and for kills from outside."""
RELEASE_SECONDS = 240.0
COMMAND_SECONDS = 60.0
LISTED = (0, STILL_BLOCKED)
# Wide enough that no column of a table is folded.
COLUMNS = "500"


class Operator:
    """Releases blocked games. Thread-safe."""

    def __init__(self, kafka: KafkaSettings, say: Callable[[str], None]) -> None:
        self._environment = {**os.environ, **environment_of(kafka, f"{PREFIX}KAFKA_"), "COLUMNS": COLUMNS}
        self._say = say
        self._lock = threading.Lock()
        self.released: list[str] = []

    def release(self, game_id: str) -> None:
        """Find the game among the blocked ones and release it. Raises `ServiceGone` when it stays blocked."""
        deadline = time.monotonic() + RELEASE_SECONDS
        while (text := self._listed(game_id)) is not None:
            if time.monotonic() > deadline:
                raise ServiceGone(f"game {game_id} is not released after {RELEASE_SECONDS:.0f} s: {text}")
            self._signalbox("dead-letters", "release", OWNER, game_id)
        self._say(f"game {game_id} was blocked and is released by the runbook")
        with self._lock:
            self.released.append(game_id)

    def _listed(self, game_id: str) -> str | None:
        """The list of the blocked games, or why there is none; None where this game is not blocked."""
        code, text = self._signalbox("dead-letters", "list")
        is_blocked = any(OWNER in line and game_id in line for line in text.splitlines())
        return text if is_blocked or code not in LISTED else None

    def _signalbox(self, *arguments: str) -> tuple[int, str]:
        """Exit code and output of a command."""
        try:
            done = subprocess.run(
                [sys.executable, "-m", "services.cli", *arguments],
                env=self._environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                timeout=COMMAND_SECONDS,
            )
        except subprocess.TimeoutExpired as problem:
            return NO_KAFKA, str(problem)
        return done.returncode, done.stdout
