"""Reduces the raw list of actions to the effective list: applies undo and redo, keeps the order."""

from __future__ import annotations

from collections.abc import Sequence

from services.rules.importer.actions import Message, Redo, Undo
from services.rules.importer.record import NotAGameError, Step


def reduce_steps(steps: Sequence[Step]) -> list[Step]:
    """The steps that count, in the order of their ids; chat survives every undo.

    Raises `NotAGameError` for a redo when nothing undone is left to put back."""
    effective: dict[int, Step] = {}
    undone: list[list[int]] = []
    for index, step in enumerate(steps):
        match step.action:
            case Undo(action_id=target):
                batch = _taken_back(effective, target)
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


def _taken_back(effective: dict[int, Step], target: int | None) -> list[int]:
    movable = [place for place in sorted(effective) if not isinstance(effective[place].action, Message)]
    if target is None:
        return movable[-1:]
    return [place for place in movable if (effective[place].action.id or 0) > target]
