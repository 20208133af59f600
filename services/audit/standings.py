"""The newest standing of a game, and the card that lists show, against what its events lead to."""

from __future__ import annotations

from collections.abc import Callable

from google.protobuf.message import DecodeError

from services.audit.books import Notes
from services.audit.cases import GameCase
from services.gen.signalbox.lobby.v1 import game_card_pb2
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.rules.ports import Standing


def compare_standing(
    case: GameCase, standing: Standing, earlier: Callable[[int], Standing], notes: Notes
) -> None:
    """Find everything in which the kept standing is not the one that the fold gives. Of a game that went on meanwhile it may
    be the one of an `earlier` sequence, or not be there: Kafka drops it when there is a newer one."""
    if case.standing is None:
        if case.has_standings and not case.moved:
            notes.find("standing", standing.sequence, "the game has no standing")
        return
    try:
        kept = pb.Standing.FromString(case.standing)
    except DecodeError as error:
        notes.find("standing", standing.sequence, f"the standing cannot be read: {error}")
        return
    if case.moved and 0 < kept.sequence < standing.sequence:
        standing = earlier(kept.sequence)
    said, folded = _said(kept), _folded(case.game_id, standing)
    for name, value in folded.items():
        if said[name] != value:
            text = f"{name} is {said[name]!r} in the standing, {value!r} in the fold"
            notes.find("standing", standing.sequence, text)


def compare_card(case: GameCase, standing: Standing, notes: Notes) -> None:
    """Find everything that lists show otherwise than it is. A card may be missing or behind: it is made again."""
    if case.card is None:
        return
    try:
        card = game_card_pb2.GameCard.FromString(case.card)
    except DecodeError as error:
        notes.find("projection", standing.sequence, f"the card cannot be read: {error}")
        return
    if card.sequence > standing.sequence:
        text = f"the card is at {card.sequence}, the game at {standing.sequence}"
        notes.find("projection", standing.sequence, text)
    if card.sequence != standing.sequence:
        return
    results = [(each.player_id, each.value) for each in card.results]
    said = {
        "game": card.game_id,
        "title": card.title,
        "players": tuple(card.players),
        "acting players": tuple(card.acting_players),
        "round": (card.round_kind, card.turn, card.round_number),
        "phase": card.phase,
        "actor": card.actor,
        "ending": card.ending,
        "results": results,
    }
    folded = _folded(case.game_id, standing)
    for name, value in said.items():
        if folded[name] != value:
            text = f"{name} is {value!r} on the card, {folded[name]!r} in the fold"
            notes.find("projection", standing.sequence, text)


def _said(kept: pb.Standing) -> dict[str, object]:
    return {
        "game": kept.game_id,
        "sequence": kept.sequence,
        "cash": dict(kept.cash),
        "percents": {(each.holder, each.company): each.percent for each in kept.holdings if each.percent},
        "debts": {player: debt for player, debt in kept.debts.items() if debt},
        "title": kept.title,
        "players": tuple(kept.players),
        "acting players": tuple(kept.acting_players),
        "round": (kept.round_kind, kept.turn, kept.round_number),
        "phase": kept.phase,
        "actor": kept.actor,
        "ending": kept.ending,
        "results": [(each.player, each.value) for each in kept.results],
        "recorded time": kept.recorded_time_ms,
    }


def _folded(game_id: str, standing: Standing) -> dict[str, object]:
    return {
        "game": game_id,
        "sequence": standing.sequence,
        "cash": dict(standing.cash),
        "percents": {place: percent for place, percent in standing.percents.items() if percent},
        "debts": {player: debt for player, debt in standing.debts.items() if debt},
        "title": standing.title,
        "players": tuple(standing.players),
        "acting players": tuple(standing.acting_players),
        "round": (standing.round_kind, standing.turn, standing.round_number),
        "phase": standing.phase,
        "actor": standing.actor,
        "ending": standing.ending,
        "results": [(score.player, score.value) for score in standing.results],
        "recorded time": standing.recorded_time_ms,
    }
