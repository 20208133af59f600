"""What 1865 alone knows, put together."""

from __future__ import annotations

from services.rules.kernel.part import Part
from services.rules.titles.g1865.commands import COMMANDS
from services.rules.titles.g1865.events import EVENTS
from services.rules.titles.g1865.reasons import REASONS
from services.rules.titles.g1865.sentences import SENTENCES
from services.rules.titles.g1865.state import State
from services.rules.titles.g1865.view import View, view

OWN = Part(
    "1865",
    events=EVENTS,
    commands=COMMANDS,
    state=State,
    reasons=REASONS,
    sentences=SENTENCES,
    wire="services.gen.signalbox.titles.g1865.v1.g1865_pb2",
    view=view,
    view_type=View,
)
