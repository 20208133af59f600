"""The titles this platform plays, by name."""

from __future__ import annotations

from services.rules.domain.title import Title
from services.rules.titles.g1824.title import TITLE as TITLE_1824
from services.rules.titles.g1862.title import TITLE as TITLE_1862

TITLES: dict[str, Title] = {title.name: title for title in (TITLE_1824, TITLE_1862)}
