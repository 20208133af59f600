"""Measurements, the model's terms and a sizing as tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from rich.table import Table

from services.bench.measured import OWN_TOPICS, Measured, Replica
from services.bench.model import MILLI, Model
from services.bench.sizing import MIB, Figure

RIGHT: Literal["right"] = "right"


def rates_table(found: Sequence[Measured]) -> Table:
    """What players would have felt at each rate."""
    table = _table(
        "what players feel", "commands/s", "accepted/s", "p50 ms", "p99 ms", "most ms", "not accepted"
    )
    for each in found:
        times = each.times
        table.add_row(
            f"{each.asked:g}",
            f"{each.accepted_rate:.1f}",
            *(f"{value:.1f}" for value in (times.p50, times.p99, times.most)),
            _troubles(each) or "-",
        )
    return table


def _troubles(each: Measured) -> str:
    """What did not end as it should, in words."""
    parts = [f"{count} refused with {reason}" for reason, count in each.refused.items()]
    parts += [f"{count} attempts {status}" for status, count in each.failures.items()]
    if each.unanswered:
        parts.append(f"{each.unanswered} without an answer")
    if each.not_begun:
        parts.append(f"{each.not_begun} not begun in time")
    return ", ".join(parts)


def costs_table(found: Sequence[Measured]) -> Table:
    """What each replica took for a command of the platform."""
    columns = (
        "commands/s",
        "ms of a core",
        "idle",
        "bytes read",
        "bytes written",
        "commands at once",
        "memory MiB",
    )
    table = Table(title="for a command of the platform and replica")
    table.add_column("replica", no_wrap=True)
    for column in columns:
        table.add_column(column, justify=RIGHT)
    for each in found:
        for replica in each.replicas:
            table.add_row(f"{replica.service} {replica.address}", f"{each.asked:g}", *_cells(each, replica))
    return table


def _cells(each: Measured, replica: Replica) -> tuple[str, ...]:
    if replica.is_restarted:
        return ("began anew", *("-",) * 5)
    count = max(each.accepted, 1)
    together = replica.decided / replica.transactions if replica.transactions else 0.0
    return (
        f"{each.cpu_of(replica):.2f}",
        f"{replica.idle_cores:.1%}",
        f"{sum(replica.read.values()) / count:.0f}",
        f"{sum(replica.written.values()) / count:.0f}",
        f"{together:.1f}" if together else "-",
        f"{replica.memory / MIB:.0f}",
    )


def stored_table(found: Sequence[Measured]) -> Table | None:
    """Bytes that a command left in Kafka by topic; None where it is not known."""
    seen = [each for each in found if each.topics and each.accepted]
    if not seen:
        return None
    table = _table(
        "bytes in Kafka for a command, one copy", *(f"{each.asked:g}/s" for each in seen), first="topic"
    )
    for name in sorted({name for each in seen for name in each.topics} - {OWN_TOPICS}):
        table.add_row(name, *(f"{each.topics.get(name, 0.0) / each.accepted:.0f}" for each in seen))
    own = [each.topics.get(OWN_TOPICS, 0.0) for each in seen]
    totals = [sum(each.topics.values()) - one for each, one in zip(seen, own, strict=True)]
    table.add_row(
        "all", *(f"{one / each.accepted:.0f}" for one, each in zip(totals, seen, strict=True)), style="bold"
    )
    table.add_row(OWN_TOPICS, *(f"{one / each.accepted:.0f}" for one, each in zip(own, seen, strict=True)))
    return table


def terms_table(model: Model) -> Table:
    """The terms of a model with their units."""
    rules = model.rules
    table = Table(title="terms")
    table.add_column("what")
    table.add_column("value", justify=RIGHT)
    table.add_column("unit")
    rows = [
        ("rules: taking, deciding and writing a command, once", rules.owner, "ms of a core"),
        ("rules: following a command, each replica that keeps it", rules.copy, "ms of a core"),
        ("rules: passing a call on, both replicas together", rules.hop, "ms of a core"),
        ("rules: a transaction, once", rules.transaction, "ms of a core"),
        ("rules: a replica without commands", rules.idle * MILLI, "ms of a core a second"),
        ("rules: read of a command, once", rules.read_owner, "bytes"),
        ("rules: read of a command, each replica that keeps it", rules.read_copy, "bytes"),
        ("rules: written of a command", rules.written, "bytes"),
        ("rules: memory of a replica without games", rules.memory / MIB, "MiB"),
        ("rules: memory of a game in play", rules.memory_game / 1024, "KiB"),
    ]
    rows += [(f"{each.service}: a command, all replicas", each.ms, "ms of a core") for each in model.services]
    if (brokers := model.brokers) is not None:
        rows += [
            ("brokers: a command", brokers.command, "ms of a core"),
            ("brokers: a command, each replica of rules that keeps it", brokers.copy, "ms of a core"),
            ("brokers: a transaction", brokers.transaction, "ms of a core"),
            ("brokers: without commands", brokers.idle * MILLI, "ms of a core a second"),
        ]
    if model.stored:
        rows.append(("Kafka: a command, one copy", sum(model.stored.values()), "bytes"))
    for what, value, unit in rows:
        table.add_row(what, f"{value:.2f}" if value < MILLI else f"{value:.0f}", unit)
    return table


def residuals_table(model: Model) -> Table:
    """How far the model is from each measured figure."""
    table = _table(
        "measured, and what the model says",
        "replicas",
        "copies",
        "commands/s",
        "measured",
        "model",
        "off by",
        first="what",
    )
    for each in model.residuals:
        digits = 2 if each.measured < MILLI else 0
        table.add_row(
            each.what,
            str(each.replicas),
            str(each.copies) if each.copies else "all",
            f"{each.asked:g}",
            f"{each.measured:.{digits}f}",
            f"{each.fitted:.{digits}f}",
            f"{each.share:+.0%}",
        )
    return table


def sizing_table(title: str, figures: Sequence[Figure]) -> Table:
    """What is needed, and what each figure rests on."""
    table = Table(title=title)
    table.add_column("what")
    table.add_column("figure", justify=RIGHT)
    table.add_column("")
    table.add_column("rests on")
    table.add_column("extrapolated from")
    for each in figures:
        digits = 0 if each.value >= 100 or float(each.value).is_integer() else 1
        table.add_row(each.what, f"{each.value:,.{digits}f}", each.unit, each.basis, each.extrapolated or "-")
    return table


def _table(title: str, *columns: str, first: str = "") -> Table:
    table = Table(title=title)
    if first:
        table.add_column(first)
    for column in columns:
        table.add_column(column, justify=RIGHT, overflow="fold")
    return table
