"""What the titles are: answers to ListTitles and GetTitle, made once for each choice of options and rulings that changes
what is printed. Anybody may ask, so what an answer can cost is bounded."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from hashlib import sha256
from threading import Semaphore
from typing import NamedTuple

from services.common.errors import InvalidRequest, NotFound, Overloaded
from services.gen.signalbox.rules.v1 import title_pb2 as pb
from services.rules.adapters.titleview import title_summary, title_view
from services.rules.catalogue import PEER_PROFILE, TableRulings, rulings_of
from services.rules.kernel.decide import check_choices
from services.rules.kernel.title import Title
from services.rules.kernel.values import Ruling
from services.rules.loading import TitleLoader

# A title takes about 27 KB; 1862 has some 200 choices of options.
VIEWS_KEPT = 512
# Loading and describing takes some 30 ms. More at once are asked to come back.
READS_AT_ONCE = 2
READ_AGAIN_MS = 100
CHECKSUM_BYTES = 16
TEXT_SHOWN_MAX = 40


class ReadTitle(NamedTuple):
    """A title, as the bytes of its `TitleView`, and their checksum."""

    content: bytes
    checksum: str

    def view(self) -> pb.TitleView:
        """The title as a message."""
        return pb.TitleView.FromString(self.content)


class TitleReader:
    """Reads the installed titles. Safe to use from many threads."""

    def __init__(self, titles: Mapping[str, Title]) -> None:
        self._titles = titles
        self._read = lru_cache(maxsize=VIEWS_KEPT)(self._load)
        self._reading = Semaphore(READS_AT_ONCE)

    def summaries(self) -> list[pb.TitleSummary]:
        """All titles, in the order in which they are installed."""
        return [
            title_summary(title, title.load((), {}).header.name, _profiles(title))
            for title in self._titles.values()
        ]

    def title(self, name: str, options: tuple[str, ...], chosen: TableRulings, players: int = 0) -> ReadTitle:
        """A title as played with these options and rulings by so many players (0: whatever their number, as far as that is
        the same). Raises `NotFound`, and `InvalidRequest` for what it does not play; both say what there is. Raises
        `Overloaded` when too many others are being read."""
        title = self._titles.get(name)
        if title is None:
            raise NotFound(f"there is no title {name[:TEXT_SHOWN_MAX]!r}; titles: {', '.join(self._titles)}")
        profiles = _profiles(title)
        if chosen.profile and chosen.profile not in profiles:
            raise InvalidRequest(
                f"ruling_profile: {name} has no {chosen.profile[:TEXT_SHOWN_MAX]!r}; profiles: {', '.join(profiles)}"
            )
        rulings = rulings_of(title, chosen)
        self._check(title, options, rulings, players)
        ordered = tuple(option.name for option in title.options if option.name in options)
        return self._read(name, ordered, _in_data(title, rulings), players)

    def _check(
        self, title: Title, options: tuple[str, ...], rulings: tuple[Ruling, ...], players: int
    ) -> None:
        """Refuse what the title does not play with this number of players, or with none when that is 0."""
        counts = (players,) if players else title.all_player_counts
        rejections = [check_choices(title, options, rulings, count) for count in counts]
        refused = [rejection for rejection in rejections if rejection is not None]
        if len(refused) < len(rejections):
            return
        first = next((each for each in refused if each.code != "player_count"), refused[0])
        if first.code == "player_count":
            counts_there = ", ".join(map(str, title.player_counts))
            raise InvalidRequest(
                f"players: {first.message}; without options {title.name} is for {counts_there}"
            )
        if first.code == "unknown_ruling":
            raise InvalidRequest(f"rulings: {first.message}; {_rulings_there_are(title, rulings)}")
        names = [option.name for option in title.options]
        raise InvalidRequest(
            f"options: {first.message}; options of {title.name}: {', '.join(names) or 'none'}"
        )

    def _load(
        self, name: str, options: tuple[str, ...], rulings: tuple[Ruling, ...], players: int
    ) -> ReadTitle:
        if not self._reading.acquire(blocking=False):
            raise Overloaded("other titles are being read; ask again", READ_AGAIN_MS)
        try:
            title = self._titles[name]
            data = title.load(options, {ruling.name: ruling.value for ruling in rulings}, players)
            view = title_view(title, data, _profiles(title), options)
        finally:
            self._reading.release()
        content = view.SerializeToString(deterministic=True)
        return ReadTitle(content, sha256(content).hexdigest()[: 2 * CHECKSUM_BYTES])


def _rulings_there_are(title: Title, chosen: tuple[Ruling, ...]) -> str:
    """The values of the first ruling that is chosen with a value it does not have; all names where there is no such ruling."""
    values = {ruling.name: ruling.values for ruling in title.rulings}
    wrong = next(each for each in chosen if each.value not in values.get(each.name, ()))
    if wrong.name in values:
        return f"values of {wrong.name}: {', '.join(values[wrong.name])}"
    return f"rulings of {title.name}: {', '.join(values) or 'none'}"


def _in_data(title: Title, rulings: tuple[Ruling, ...]) -> tuple[Ruling, ...]:
    """Those rulings that change what is printed: others give the same answer."""
    if not isinstance(title.load, TitleLoader):
        return rulings
    return tuple(ruling for ruling in rulings if ruling.name in title.load.rulings)


def _profiles(title: Title) -> dict[str, tuple[Ruling, ...]]:
    """The value of every ruling by the name of the profile; the rulebook's has none."""
    return {PEER_PROFILE: rulings_of(title, TableRulings(PEER_PROFILE, {}))}
