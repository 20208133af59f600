"""What 1862 alone knows, put together."""

from __future__ import annotations

from services.rules.kernel.part import Part
from services.rules.titles.g1862.commands import COMMANDS
from services.rules.titles.g1862.events import EVENTS
from services.rules.titles.g1862.reasons import REASONS
from services.rules.titles.g1862.sentences import SENTENCES
from services.rules.titles.g1862.state import State
from services.rules.titles.g1862.view import View, view

OWN = Part(
    "1862",
    events=EVENTS,
    commands=COMMANDS,
    state=State,
    reasons=REASONS,
    sentences=SENTENCES,
    wire="services.gen.signalbox.titles.g1862.v1.g1862_pb2",
    view=view,
    view_type=View,
)
