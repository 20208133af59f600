"""The part of the rules that knows trains, phases and runs."""

from __future__ import annotations

from collections.abc import Mapping

from services.rules.kernel.part import Part
from services.rules.parts.trains.commands import COMMANDS
from services.rules.parts.trains.events import EVENTS
from services.rules.parts.trains.older_events import OLDER_EVENTS
from services.rules.parts.trains.printed import PrintedTrains, printed
from services.rules.parts.trains.sentences import SENTENCES
from services.rules.parts.trains.state import TrainsState, TrainTurn

REASONS: Mapping[str, str] = {
    "unknown_train": "the title has no such train",
    "train_not_owned": "the company does not own this train",
    "train_kind": "the company cannot own or run such a train",
    "route_unknown_track": "the run follows no track on the map",
    "route_no_token": "the run touches no token of the company",
    "route_too_short": "a run joins at least two places",
    "route_too_long": "the train cannot visit so many places",
    "route_track_reused": "track is used twice",
    "route_passes_blocked_city": "the run passes a city blocked by others",
    "route_repeats_place": "a place is visited twice",
    "route_passes_terminal": "a red area or mine can only end a run",
    "route_runs_twice": "a train runs once only",
    "route_not_best": "the company can earn more with another run",
    "routing_unavailable": "the best run cannot be proven just now; try again",
    "dividend_kind": "the company cannot pay in this way",
    "train_not_available": "the train is not on sale",
    "train_limit": "the company is at its train limit",
    "train_price": "the train is not sold at that price",
    "offer_declined": "the director of the other company has declined to sell this train in this turn",
    "recorded_revenue_differs": "the recorded revenue is not what the routes earn",
}

TRAINS = Part(
    "trains",
    events=EVENTS,
    sentences=SENTENCES,
    older_events=OLDER_EVENTS,
    commands=COMMANDS,
    state=TrainsState,
    turn_note=TrainTurn,
    reasons=REASONS,
    printed=printed,
    printed_type=PrintedTrains,
)
