"""Every time series that the code exports, read from where its metrics are made."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from grpc import StatusCode

# What a metric of each kind is called when it is read.
ENDINGS = {
    "Counter": ("_total",),
    "Gauge": ("",),
    "Histogram": ("_bucket", "_sum", "_count"),
    "Summary": ("_sum", "_count"),
}
# What the library's collector shows of each process, as far as it is looked at.
OF_PROCESSES = ("process_cpu_seconds_total", "process_resident_memory_bytes", "process_start_time_seconds")
# Of kubelets, as far as it is looked at.
OF_KUBELETS = frozenset(("kubelet_volume_stats_available_bytes", "kubelet_volume_stats_capacity_bytes"))
# Names in an expression that are ours or of kubelets; Prometheus adds `up` to each target.
# Labels with values of the place where the code runs.
LABELS_OF_PLACES = ("instance", "le", "partition", "broker", "file", "namespace", "persistentvolumeclaim")
MAKES_ONE = re.compile(rf"\b(?:{'|'.join((*ENDINGS, 'ProcessCollector'))})\(")
LABEL = re.compile(r'(\w+)(=~|!~|!=|=)"([^"]*)"')
SERIES = re.compile(r"\b(?:signalbox_\w+|process_\w+|kubelet_\w+|up)\b")


@cache
def exported(repository: Path) -> frozenset[str]:
    """Names of all series that the services can show, and `up`."""
    names = {"up"}
    for path in (repository / "services").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if MAKES_ONE.search(text):
            names |= set(_made_in(ast.parse(text)))
    return frozenset(names)


def _made_in(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        if node.func.id == "ProcessCollector":
            yield from OF_PROCESSES
        if not node.args:
            continue
        first = node.args[0]
        if node.func.id in ENDINGS and isinstance(first, ast.Constant) and isinstance(first.value, str):
            stem = first.value.removesuffix("_total") if node.func.id == "Counter" else first.value
            yield from (stem + ending for ending in ENDINGS[node.func.id])


@cache
def said(repository: Path) -> frozenset[str]:
    """What labels can have as values: all texts in the code of the services, names of classes in small letters, of methods
    and of gRPC's statuses."""
    words = {code.name for code in StatusCode}
    for path in (repository / "proto").rglob("*.proto"):
        words |= set(re.findall(r"\brpc (\w+)", path.read_text(encoding="utf-8")))
    for path in (repository / "services").rglob("*.py"):
        if not path.is_relative_to(repository / "services" / "gen"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    words.add(node.value)
                elif isinstance(node, ast.ClassDef):
                    words.add(node.name.lower())
    return frozenset(words)


def label_values_in(expression: str) -> frozenset[str]:
    """Values that an expression or the name of a series gives to labels, each of a choice by itself; no patterns."""
    return frozenset(
        value
        for label, comparison, text in LABEL.findall(expression)
        if label not in LABELS_OF_PLACES
        for value in (text.split("|") if "~" in comparison else (text,))
        if re.fullmatch(r"[\w.]+", value)
    )


def series_in(expression: str) -> frozenset[str]:
    """Names of the series that an expression reads."""
    return frozenset(SERIES.findall(expression))
