"""Reference tables written from the code that they describe."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from services.rules.kernel.rejections import REASONS
from services.rules.kernel.title import Title


def rulings_table(title: Title) -> str:
    """All rulings of a title as a Markdown page."""
    lines = [
        f"# Rulings of {title.name}",
        "",
        "Where the rulebook leaves a question open, or another platform plays otherwise, a table chooses. The first value is",
        "the rulebook's text or the reading chosen for it, and the default. Profile `18xx.games` plays the values in its column",
        "all together, so that games recorded there replay exactly.",
        "",
        "| ruling | question | values (default first) | `18xx.games` | clauses |",
        "|---|---|---|---|---|",
    ]
    for ruling in title.rulings:
        values = ", ".join(f"`{value}`" for value in ruling.values)
        clauses = ", ".join(ruling.clauses)
        lines.append(f"| `{ruling.name}` | {ruling.question} | {values} | `{ruling.peer}` | {clauses} |")
    return "\n".join(lines) + "\n"


def rejections_table(titles: Iterable[Title]) -> str:
    """All reason codes as a Markdown page: of every game, of the parts that `titles` play with, of each title alone."""
    played = list(titles)
    parts = {part.name: part for title in played for part in title.parts}
    lines = [
        "# Why a command is rejected",
        "",
        "A rejected command changes nothing and comes back with one of these codes, a sentence and the clause of the rulebook.",
        "Where several reasons apply, the check made first decides; the order of the lists says nothing about it. A code never",
        "changes its meaning.",
        *_reasons_section("Every game", REASONS),
    ]
    for part in parts.values():
        lines += _reasons_section(f"Part `{part.name}`", part.reasons)
    for title in played:
        lines += _reasons_section(f"{title.name} alone", title.own.reasons)
    return "\n".join(lines) + "\n"


def _reasons_section(heading: str, reasons: Mapping[str, str]) -> list[str]:
    """The reason codes of one owner under a heading; no lines where it has none."""
    if not reasons:
        return []
    rows = [f"| `{code}` | {meaning} |" for code, meaning in reasons.items()]
    return ["", f"## {heading}", "", "| code | meaning |", "|---|---|", *rows]
