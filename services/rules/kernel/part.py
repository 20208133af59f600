"""A part of the rules: what a title can play with, or what one title alone knows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from msgspec import Struct

from services.rules.kernel.commands import Command
from services.rules.kernel.events import Event, OlderEvent
from services.rules.kernel.game import Game, PartNote, PartState
from services.rules.kernel.sentences import Template
from services.rules.kernel.titledata import TitleData


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """`state` is what the part keeps of a game, `turn_note` and `round_note` what it notes about the turn and round at hand.
    `older_events` are events as older versions stored them, `reasons` has the sentence for each of its reason codes,
    `sentences` that for each of its events, by the name of the event.

    `printed` says what the part's data shows on the box, in a `printed_type`; None where that is nothing.

    For what one title alone knows: `wire` is the module with the messages of its events, commands and view, and `view`
    makes a `view_type`, which players see beside what every title shows."""

    name: str
    events: tuple[type[Event], ...] = ()
    older_events: tuple[type[OlderEvent], ...] = ()
    commands: tuple[type[Command], ...] = ()
    state: type[PartState] | None = None
    turn_note: type[PartNote] | None = None
    round_note: type[PartNote] | None = None
    reasons: Mapping[str, str] = field(default_factory=dict)
    sentences: Mapping[str, Template] = field(default_factory=dict)
    printed: Callable[[TitleData], Struct] | None = None
    printed_type: type[Struct] | None = None
    wire: str = ""
    view: Callable[[Game, TitleData], Struct] | None = None
    view_type: type[Struct] | None = None
