"""The status of a migrated game, which the cluster's consumers read instead of its state."""

from __future__ import annotations

from collections.abc import Sequence

from services.audit.cases import StoredFact
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.rules.adapters.records import decoded
from services.rules.kernel.fold import replay
from services.rules.status import status_of
from services.rules.titles import TITLES


def status_after(game_id: str, facts: Sequence[StoredFact]) -> pb.GameStatus | None:
    """The game's status after all its events; `None` for a game that this program cannot read."""
    try:
        game = replay(decoded(facts))
        title = TITLES[game.title]
        data = title.data_of(game)
    except Exception:
        # A damaged game may break the fold in any way; it is migrated as it is, and `verify` reports its faults.
        return None
    return status_of(game_id, title, data, game, facts[-1].recorded_time_ms)
