"""Every time series that the code exports, read from where its metrics are made."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

# What a metric of each kind is called when it is read.
ENDINGS = {
    "Counter": ("_total",),
    "Gauge": ("",),
    "Histogram": ("_bucket", "_sum", "_count"),
    "Summary": ("_sum", "_count"),
}
# Names in an expression that are ours; Prometheus adds `up` to each target.
SERIES = re.compile(r"\b(?:signalbox_\w+|up)\b")


def exported(repository: Path) -> frozenset[str]:
    """Names of all series that the services can show, and `up`."""
    names = {"up"}
    for path in (repository / "services").rglob("*.py"):
        if not path.is_relative_to(repository / "services" / "gen"):
            names |= set(_made_in(ast.parse(path.read_text(encoding="utf-8"))))
    return frozenset(names)


def _made_in(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not node.args or not isinstance(node.func, ast.Name):
            continue
        first = node.args[0]
        if node.func.id in ENDINGS and isinstance(first, ast.Constant) and isinstance(first.value, str):
            stem = first.value.removesuffix("_total") if node.func.id == "Counter" else first.value
            yield from (stem + ending for ending in ENDINGS[node.func.id])


def series_in(expression: str) -> frozenset[str]:
    """Names of the series that an expression reads."""
    return frozenset(SERIES.findall(expression))
