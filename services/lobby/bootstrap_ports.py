"""What a host gives to the lobby that it builds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from prometheus_client import CollectorRegistry

from services.common.auth.token_keys import TokenKeys
from services.common.clock import Clock, SystemClock
from services.common.eventlog.port import EventLog
from services.common.notifier import LocalNotifier, Notifier
from services.common.settings.service import Settings
from services.common.staff.log import StaffLog
from services.lobby.adapters.memory_summaries import MemorySummaries
from services.lobby.adapters.no_director import NoDirector
from services.lobby.adapters.no_importer import NoImporter
from services.lobby.adapters.no_positions import NoPositions
from services.lobby.adapters.system_seeds import SystemSeeds
from services.lobby.domain.quotas import Quotas
from services.lobby.handlers.clocks.holds import HoldChanges
from services.lobby.handlers.following import GRACE_MS, follows_all
from services.lobby.handlers.watching import POLL_SECONDS
from services.lobby.ports import (
    AttemptLimiter,
    Freshness,
    GameDirector,
    GameImporter,
    GameLists,
    GamePositions,
    GameStarter,
    GameSummaries,
    PasswordHasher,
    Presence,
    SeedSource,
    TitleCatalogue,
    WakeUps,
    always_fresh,
)
from services.lobby.queues import Queues


class GamePorts(msgspec.Struct, frozen=True):
    """The ways to rules. Without the last three no game is imported or directed, and nobody sees worths."""

    catalogue: TitleCatalogue
    starter: GameStarter
    importer: GameImporter = msgspec.field(default_factory=NoImporter)
    director: GameDirector = msgspec.field(default_factory=NoDirector)
    positions: GamePositions = msgspec.field(default_factory=NoPositions)


class SharedGames(msgspec.Struct, frozen=True):
    """What is otherwise in a process that shares the games with others. `grace_ms`, `consumed_until`, `follows`: see
    `FollowedGames`."""

    lists: GameLists | None = None
    """Of all games; the summaries of this process unless given."""
    certain_lists: GameLists | None = None
    """See `GameWatchHandlers`; `lists` unless given."""
    grace_ms: int = GRACE_MS
    consumed_until: Callable[[str], int] | None = None
    follows: Callable[[str], bool] = follows_all


def in_memory(kind: str) -> None:
    """For a lobby that keeps no projection."""


class LobbyPorts(msgspec.Struct, frozen=True, kw_only=True):
    """What is not given is the system's, or in the memory of this process."""

    log: EventLog
    games: GamePorts
    signing_key: TokenKeys | Ed25519PrivateKey
    settings: Settings
    registry: CollectorRegistry = msgspec.field(default_factory=CollectorRegistry)
    clock: Clock = msgspec.field(default_factory=SystemClock)
    seeds: SeedSource = msgspec.field(default_factory=SystemSeeds)
    freshen: Freshness = always_fresh
    """Needed where `log` reads a copy."""
    file_of: Callable[[str], Path | None] = in_memory
    """Where a projection is kept."""
    passwords: PasswordHasher | None = None
    """Argon2id unless given."""
    attempts: AttemptLimiter | None = None
    presence: Presence | None = None
    staff_log: StaffLog | None = None
    """A stream of `log` unless given."""
    queues: Queues | None = None
    """See `bootstrap_staff`."""
    summaries: GameSummaries = msgspec.field(default_factory=MemorySummaries)
    """See `FollowedGames`, as for `wake_ups` and `holds`."""
    wake_ups: WakeUps | None = None
    holds: HoldChanges = msgspec.field(default_factory=HoldChanges)
    shared: SharedGames = msgspec.field(default_factory=SharedGames)
    notifier: Notifier = msgspec.field(default_factory=LocalNotifier)
    """See `GameWatchHandlers`."""
    watch_poll_seconds: float = POLL_SECONDS
    """See `GameWatchHandlers`."""
    has_house_bots: bool = False
    """See `DirectingHandlers`."""

    @property
    def quotas(self) -> Quotas:
        """Those of the settings that the lobby itself counts."""
        return Quotas(**{name: getattr(self.settings.quota, name) for name in Quotas.__struct_fields__})

    @property
    def lists(self) -> GameLists:
        """Of all games."""
        return self.shared.lists or self.summaries
