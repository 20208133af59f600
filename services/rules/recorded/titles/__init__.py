"""The spellings of the titles that 18xx.games records and this project plays, by the title's name."""

from __future__ import annotations

from collections.abc import Mapping

from services.rules.recorded.spelling import Spelling
from services.rules.recorded.titles import g1824, g1862

SPELLINGS: Mapping[str, Spelling] = {"1824": g1824.SPELLING, "1862": g1862.SPELLING}
