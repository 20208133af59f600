"""Reference tables written from the code that they describe."""

from __future__ import annotations

from services.rules.domain.rejections import REASONS
from services.rules.domain.title import Title


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


def rejections_table() -> str:
    """All reasons for which a command is refused as a Markdown page, in order of precedence."""
    lines = [
        "# Why a command is refused",
        "",
        "A refused command changes nothing and comes back with one of these reasons, a sentence and the clause of the rulebook.",
        "Checks are made in this order; the first that fails decides. A reason never changes its meaning.",
        "",
        "| reason | meaning |",
        "|---|---|",
    ]
    lines += [f"| `{code}` | {meaning} |" for code, meaning in REASONS.items()]
    return "\n".join(lines) + "\n"
