"""How a moved game stands, for the followers of the cluster, who are told of standings and not of states."""

from __future__ import annotations

from collections.abc import Sequence

from services.audit.cases import KeptFact
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.rules.adapters.codec import decode_event
from services.rules.cluster.records import standing_message
from services.rules.domain.evolve import replay
from services.rules.reading import standing_of
from services.rules.titles import TITLES


def standing_after(game_id: str, facts: Sequence[KeptFact]) -> pb.Standing | None:
    """How the game stands after all its events; `None` for one that this program cannot read."""
    try:
        game = replay([decode_event(fact.type, fact.payload) for fact in facts])
        title = TITLES[game.title]
        data = title.load(game.options, game.rulings)
    except Exception:
        # A damaged game may break the fold in any way; it is moved as it is, and `verify` says what is wrong with it.
        return None
    return standing_message(game_id, standing_of(title, data, game, facts[-1].recorded_time_ms))
