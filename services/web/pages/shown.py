"""How templates write points and times."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from markupsafe import Markup

from services.web.pages.texts import Texts
from services.web.pages.times import moment_of

UNIT = 1_000_000
SECOND_MS = 1_000
MINUTE_MS = 60 * SECOND_MS


def points(millionths: int) -> str:
    """Points, which the services count in millionths."""
    whole, rest = divmod(abs(millionths), UNIT)
    sign = "-" if millionths < 0 else ""
    return f"{sign}{whole}.{rest:06d}".rstrip("0").rstrip(".")


def when(time_ms: int) -> Markup:
    """A time in UTC; `times.mjs` writes it in the reader's zone."""
    moment = moment_of(time_ms)
    machine, human = moment.strftime("%Y-%m-%dT%H:%M:%SZ"), moment.strftime("%Y-%m-%d %H:%M UTC")
    return Markup('<time datetime="{}">{}</time>').format(machine, human)


def counts(texts: Texts, numbers: Sequence[int]) -> str:
    """Numbers in order, those without a gap by the first and the last."""
    if len(numbers) > 2 and list(numbers) == list(range(numbers[0], numbers[-1] + 1)):
        return texts("table.player_range", least=numbers[0], most=numbers[-1])
    return ", ".join(map(str, numbers))


FILTERS: Mapping[str, Callable[[int], str]] = {"points": points, "when": when}
