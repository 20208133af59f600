"""A host under attack: its players, the target of the attacks, and what it uses of the machine."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from services.client import Rejected
from services.client.lobby import sign_in
from services.host.addresses import Addresses
from tests.attack import laws
from tests.attack.fuzz import Effects
from tests.attack.plan import Target
from tests.attack.player import PASSWORD, TITLE, HonestPlayer, Person, begin_game

LOOK_EVERY_SECONDS = 0.2
SIGN_IN_SECONDS = 90.0
MIB = 1024 * 1024


class Scene:
    """An honest player at work, a game and a table that nobody else touches, and a stranger."""

    def __init__(self, addresses: Addresses) -> None:
        self.addresses = addresses
        self.honest = HonestPlayer(addresses, "Honest")
        quiet = [Person(addresses, f"Quiet {number}") for number in range(1, 4)]
        self.stranger = Person(addresses, "Stranger")
        game_id = begin_game(quiet)
        player = quiet[0]
        self.target = Target(
            lobby=addresses.lobby,
            rules=addresses.rules,
            routing=addresses.routing,
            ledger=addresses.ledger,
            tokens={"player": player.token, "stranger": self.stranger.token},
            game_id=game_id,
            sequence=player.games.game(game_id).sequence,
            table_id=quiet[1].lobby.create_table(TITLE, len(quiet)).table_id,
            player_id=player.player_id,
            honest_name=self.honest.people[0].name,
        )
        self.effects = Effects(tables=laws.table_versions(addresses, self.target, self._others()))

    def _others(self) -> set[str]:
        return {each.player_id for each in self.honest.people}

    def sign_in_seconds(self) -> float | None:
        """How long the honest player needs to sign in, with all attempts; None if that fails for too long."""
        began = time.monotonic()
        while time.monotonic() - began < SIGN_IN_SECONDS:
            try:
                sign_in(self.addresses.lobby, self.target.honest_name, PASSWORD)
            except Rejected:
                time.sleep(1.0)
            else:
                return time.monotonic() - began
        return None

    def check(self) -> list[str]:
        """Everything that is wrong now. The honest player has stopped."""
        token = self.stranger.token
        games = [*self.honest.acknowledged, self.target.game_id]
        return [
            *laws.services_down(self.addresses),
            *self.honest.wrong,
            *laws.lost_or_doubled(self.addresses, token, self.honest.acknowledged),
            *laws.books_wrong(self.addresses, token, games),
            *laws.changed_by_refused(self.addresses, self.target, self.effects, self._others()),
        ]


class Usage:
    """Memory and processor time of a process and its children."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self.peak_bytes = 0

    @contextmanager
    def measured(self) -> Iterator[Usage]:
        """Notes the most memory used meanwhile."""
        over = threading.Event()
        self.peak_bytes = 0

        def look() -> None:
            while not over.wait(LOOK_EVERY_SECONDS):
                self.peak_bytes = max(self.peak_bytes, self.memory_bytes())

        looking = threading.Thread(target=look, daemon=True)
        looking.start()
        try:
            yield self
        finally:
            over.set()
            looking.join()

    def memory_bytes(self) -> int:
        """Resident memory of the process itself."""
        try:
            pages = int(Path(f"/proc/{self._pid}/statm").read_text().split()[1])
        except (OSError, IndexError):
            return 0
        return pages * os.sysconf("SC_PAGE_SIZE")

    def processor_seconds(self) -> float:
        """Processor time of the process itself, so far."""
        try:
            fields = Path(f"/proc/{self._pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return 0.0
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
