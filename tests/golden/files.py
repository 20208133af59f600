"""The texts of the playthroughs: where they lie, how they are written again and compared."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import unified_diff
from pathlib import Path

from tests.golden.plans import Plan
from tests.golden.playing import Text, along, by_bots, text_of

FOLDER = Path(__file__).parent / "playthroughs"
LINES_SHOWN_MOST = 60


class OtherEnding(Exception):
    """A game that was written again does not end as its plan says."""


def path_of(plan: Plan) -> Path:
    """The file of a playthrough."""
    return FOLDER / f"{plan.name}.txt"


def recorded(plan: Plan) -> str:
    """The text in the repository; empty where there is none yet."""
    path = path_of(plan)
    return path.read_text(encoding="utf-8") if path.exists() else ""


def replayed(plan: Plan) -> Text:
    """The text under the present rules, along the recorded commands, as far as they are legal."""
    return text_of(plan, along(recorded(plan)))


def write(plan: Plan) -> bool:
    """Write the text again: along the recorded commands as far as they are legal, from there on as the bots play. True when
    it is another one than before. Raises `OtherEnding` and writes nothing when the game does not end as planned."""
    text = text_of(plan, along(recorded(plan), then=by_bots))
    if text.ending != plan.ends:
        raise OtherEnding(
            f"{plan.name} ends with {text.ending or 'nothing'} after {text.steps} steps, not {plan.ends}"
        )
    changed = text.all != recorded(plan)
    path_of(plan).write_text(text.all, encoding="utf-8")
    return changed


def difference(name: str, old: str, new: str) -> str:
    """What differs between two texts, as the first lines of a unified difference; empty when nothing does."""
    lines = list(_difference(name, old, new))
    if len(lines) > LINES_SHOWN_MOST:
        lines[LINES_SHOWN_MOST:] = [f"... and {len(lines) - LINES_SHOWN_MOST} more lines"]
    return "\n".join(lines)


def _difference(name: str, old: str, new: str) -> Iterator[str]:
    return unified_diff(
        old.splitlines(), new.splitlines(), f"{name}, recorded", f"{name}, now", lineterm="", n=2
    )
