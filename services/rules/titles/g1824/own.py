"""What 1824 alone knows, put together."""

from __future__ import annotations

from services.rules.kernel.part import Part
from services.rules.titles.g1824.commands import COMMANDS
from services.rules.titles.g1824.events import EVENTS
from services.rules.titles.g1824.reasons import REASONS
from services.rules.titles.g1824.sentences import SENTENCES
from services.rules.titles.g1824.state import State
from services.rules.titles.g1824.view import View, view

OWN = Part(
    "1824",
    events=EVENTS,
    commands=COMMANDS,
    state=State,
    reasons=REASONS,
    sentences=SENTENCES,
    wire="services.gen.signalbox.titles.g1824.v1.g1824_pb2",
    view=view,
    view_type=View,
)
