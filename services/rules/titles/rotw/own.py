"""What this title alone knows, put together."""

from __future__ import annotations

from services.rules.kernel.part import Part
from services.rules.titles.rotw.commands import COMMANDS
from services.rules.titles.rotw.events import EVENTS
from services.rules.titles.rotw.reasons import REASONS
from services.rules.titles.rotw.sentences import SENTENCES
from services.rules.titles.rotw.state import PART, RoundNote, State
from services.rules.titles.rotw.view import View, view

OWN = Part(
    PART,
    events=EVENTS,
    commands=COMMANDS,
    state=State,
    round_note=RoundNote,
    reasons=REASONS,
    sentences=SENTENCES,
    wire="services.gen.signalbox.titles.rotw.v1.rotw_pb2",
    view=view,
    view_type=View,
)
