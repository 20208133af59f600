"""The texts of the pages: one catalogue for each language, found by keys such as `game.your_turn`. English is complete; what a
translation lacks is shown in English."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from string import Formatter
from typing import Any

import msgspec

from services.common.settings.variables import SettingsError
from services.web.pages.happened import fields_of
from services.web.pages.phrases import Phrases, names_in
from services.web.problems import Problem

FOLDER = Path(__file__).parent
LANGUAGE = "en"
ONE = "_one"
"""Behind the name of a text with a {count}: what is written for one."""
SUFFIX = ".toml"
# A language in Accept-Language, with its weight.
WANTED = re.compile(r"\s*([A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*|\*)\s*(?:;\s*q=([01](?:\.[0-9]{0,3})?))?\s*")
WANTED_MAX = 20
Groups = Mapping[str, Mapping[str, str]]
# What the services say in English themselves: a translation may have it by the name of the reason or event, and anything by its
# English words. The names that a text of each group may fill in, None for a name that does not exist.
REFUSAL, HAPPENED, SAID_WORDS = "refusal", "happened", "said"
SAID: Mapping[str, Callable[[str], Collection[str] | None]] = {
    REFUSAL: lambda _reason: ("sentence", "clause", "field"),
    HAPPENED: fields_of,
    SAID_WORDS: names_in,
}
_decode = msgspec.json.Decoder(dict[str, dict[str, str]]).decode


class Texts:
    """The catalogue of one language."""

    def __init__(self, language: str = LANGUAGE, groups: Groups | None = None) -> None:
        """`groups`: of a translation; None for the English texts."""
        self.language = language
        english = read_groups(FOLDER / f"{LANGUAGE}{SUFFIX}")
        own = english if groups is None else groups
        self._groups = {name: _completed(texts, own.get(name, {})) for name, texts in english.items()}
        self._refusals = own.get(REFUSAL, {})
        self.happened = own.get(HAPPENED, {})
        """Sentences about events, by the name of the event; those that are missing come from the services."""
        self.said = Phrases(own.get(SAID_WORDS, {}))
        """Translates what the services say and titles print."""

    def __call__(self, key: str, **values: Any) -> str:
        """The text of a key, filled in."""
        name_of_group, _, name = key.partition(".")
        group = self._groups[name_of_group]
        one = group.get(name + ONE) if str(values.get("count")) == "1" else None
        return (one or group[name]).format(**values)

    @property
    def groups(self) -> Collection[str]:
        """The names of all groups."""
        return self._groups

    def group(self, name: str) -> Mapping[str, str]:
        """All texts of a group, by name."""
        return self._groups[name]

    def refusal(self, problem: Problem) -> str:
        """Why something was not done: a text for its reason, or the sentence of the service."""
        own = self._refusals.get(problem.reason)
        if own is None:
            return self.said(problem.detail)
        return own.format(sentence=problem.detail, clause=problem.clause, field=problem.field)

    def found(self, group: str, name: str) -> str | None:
        """A text that may be missing."""
        return self._groups[group].get(name)


class Languages:
    """English and the translations in a folder: a file for each, named by the tag of its language, such as `de.toml`."""

    def __init__(self, folder: str = "") -> None:
        """Raises `SettingsError` for a file that is no translation."""
        english = Texts()
        self._texts = {LANGUAGE: english}
        for path in sorted(Path(folder).glob(f"*{SUFFIX}")) if folder else ():
            self._texts[path.stem] = Texts(path.stem, _translation(path, english))

    def names(self) -> Mapping[str, str]:
        """What each language calls itself, by its tag."""
        return {language: texts("site.language") for language, texts in self._texts.items()}

    def texts(self, language: str) -> Texts:
        """The catalogue of a language, or the English one."""
        return self._texts.get(language, self._texts[LANGUAGE])

    def chosen(self, cookie: str, accepted: str) -> str:
        """The language of a browser: the one that was chosen in it, else the first in its header that there is."""
        if cookie in self._texts:
            return cookie
        known = {each.lower(): each for each in self._texts}
        for wanted in accepted_in(accepted):
            for tag in (wanted, wanted.partition("-")[0]):
                if tag in known:
                    return known[tag]
        return LANGUAGE


def accepted_in(header: str) -> Collection[str]:
    """The languages of a header Accept-Language in lower case, the most wanted first."""
    found = [each for part in header.split(",")[:WANTED_MAX] if (each := WANTED.fullmatch(part)) is not None]
    weighed = [(float(each[2] or 1), each[1].lower()) for each in found]
    return [tag for weight, tag in sorted(weighed, key=lambda each: -each[0]) if weight]


def read_groups(path: Path) -> Groups:
    """The texts in a file."""
    return _decode(msgspec.json.encode(tomllib.loads(path.read_text("utf-8"))))


def _completed(english: Mapping[str, str], own: Mapping[str, str]) -> Mapping[str, str]:
    """A group of a translation; a text of its own is not mixed with an English one for one."""
    kept = {name: text for name, text in english.items() if name.removesuffix(ONE) not in own}
    return {**kept, **own}


def _translation(path: Path, english: Texts) -> Groups:
    try:
        groups = read_groups(path)
        faults = list(_faults(groups, english))
    except (OSError, ValueError, msgspec.MsgspecError) as error:
        raise SettingsError(f"{path}: {error}") from error
    if faults:
        raise SettingsError(f"{path}: {faults[0]}")
    return groups


def _faults(groups: Groups, english: Texts) -> Iterator[str]:
    """What no page could show."""
    for group, texts in groups.items():
        for name, text in texts.items():
            known = _fillable(group, name, english)
            if known is None:
                yield f"no page has a text {group}.{name}"
            elif more := _filled_in(text) - set(known):
                yield f"{group}.{name}: nothing is filled in for {', '.join(sorted(more))}"


def _fillable(group: str, name: str, english: Texts) -> Collection[str] | None:
    """What a text may name; None for a text that no page has."""
    if group in SAID:
        return SAID[group](name)
    known = english.group(group).get(name) if group in english.groups else None
    return None if known is None else _filled_in(known)


def _filled_in(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}
