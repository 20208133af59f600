"""Reduces the raw list of actions to the effective list: applies undo and redo, keeps the order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from services.rules.importer.actions import Message, Redo, Undo
from services.rules.importer.record import NotAGameError, Step


def reduce_steps(steps: Sequence[Step]) -> list[Step]:
    """The steps that count, in the order of the file; chat survives every undo.

    Raises `NotAGameError` for a redo when nothing undone is left to put back."""
    effective: dict[int, Step] = {}
    undone: list[list[int]] = []
    places = {step.action.id or 0: place for place, step in enumerate(steps)}
    for index, step in enumerate(steps):
        match step.action:
            case Undo(action_id=target):
                batch = _taken_back(effective, target, places)
                for place in batch:
                    del effective[place]
                undone.append(batch)
            case Redo():
                if not undone:
                    raise NotAGameError(f"nothing to put back - at `$.actions[{index}]`")
                effective.update((place, steps[place]) for place in undone.pop())
            case Message():
                effective[index] = step
            case _:
                undone.clear()
                effective[index] = step
    return [effective[place] for place in sorted(effective)]


def _taken_back(effective: dict[int, Step], target: int | None, places: Mapping[int, int]) -> list[int]:
    """Where the actions stand that an undo drops: the last one, or all after the place of the id that it names."""
    movable = [place for place in sorted(effective) if not isinstance(effective[place].action, Message)]
    if target is None:
        return movable[-1:]
    return [place for place in movable if place > places.get(target, -1)]
