"""What the lobby reads in the topic of the ledger's holds."""

from __future__ import annotations

from services.common.kafka.settings import KafkaSettings
from services.gen.signalbox.log.v1.log_pb2 import HoldChanged
from services.lobby.cluster.holds import HoldsFollower
from services.lobby.domain.games import HoldChange
from services.lobby.handlers.clocks.holds import HoldChanges


def test_holds_and_releases_reach_the_clocks() -> None:
    """In their order; what asks for a rebuild of the books changes no hold, and what cannot be read is passed over."""
    changes = HoldChanges()
    follower = HoldsFollower(KafkaSettings(servers=("nowhere:9092",)), changes)
    for held, time_ms, rebuild in ((True, 5, False), (False, 7, True), (False, 9, False)):
        said = HoldChanged(
            schema_version=1, game_id="g", held=held, recorded_time_ms=time_ms, rebuild_asked=rebuild
        )
        follower.take("g", said.SerializeToString())
    follower.take("g", b"\xff")
    found = []
    while (change := changes.first()) is not None:
        found.append(change)
        changes.drop_first()
    assert found == [HoldChange("g", True, 5), HoldChange("g", False, 9)]
