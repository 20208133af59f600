"""A language for tests: the English texts with other letters, so that what is left in English can be seen."""

from __future__ import annotations

import json
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from string import Formatter

from services.web.pages.texts import FOLDER, LANGUAGE, read_groups

TAG = "x-test"
PLAIN, OTHERS = "abcdefghijklmnoprstuvwxyz", "äḃćďéḟģĥíĵķĺḿńóṕŕśťúṽẃẍýź"
LETTERS = str.maketrans(PLAIN + PLAIN.upper(), OTHERS + OTHERS.upper())
# What the services say in English, with what may be filled in.
REFUSED, HAPPENED = "Zurück geht es nicht ({sentence})", "Runde {turn}.{number} beginnt"
# What they say elsewhere, and titles print: all of it, so that what goes another way can be seen.
SAID, SAID_SO = "{all}", "⟦{all}⟧"
# Of attributes that people read or hear.
READ = ("aria-label", "alt", "placeholder", "title")
UNREAD = ("script", "style")


def other_letters(text: str) -> str:
    """A text of the catalogue in the language of tests; what is filled in stays."""
    found = []
    for plain, name, form, _ in Formatter().parse(text):
        found.append(plain.translate(LETTERS))
        if name is not None:
            found.append("{" + name + (f":{form}" if form else "") + "}")
    return "".join(found)


def translate(folder: Path) -> Path:
    """Write a translation of all texts; the folder."""
    lines = []
    for group, texts in read_groups(FOLDER / f"{LANGUAGE}.toml").items():
        lines.append(f"[{group}]")
        lines += [f"{json.dumps(name)} = {json.dumps(other_letters(text))}" for name, text in texts.items()]
    lines += [
        f"[refusal]\nundo_target = {json.dumps(REFUSED)}",
        f"[happened]\nround_started = {json.dumps(HAPPENED)}",
        f"[said]\n{json.dumps(SAID)} = {json.dumps(SAID_SO)}",
    ]
    (folder / f"{TAG}.toml").write_text("\n".join(lines), "utf-8")
    return folder


class Reader(HTMLParser):
    """Collects what people read on a page."""

    def __init__(self) -> None:
        super().__init__()
        self.read: list[str] = []
        self._unread = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Attributes that are read, too."""
        self._unread += tag in UNREAD
        self.read += [value for name, value in attrs if name in READ and value]

    def handle_endtag(self, tag: str) -> None:
        """What stands in scripts is not read."""
        self._unread -= tag in UNREAD

    def handle_data(self, data: str) -> None:
        """A text."""
        if not self._unread and data.strip():
            self.read.append(data.strip())


def read_on(page: str) -> list[str]:
    """The texts of a page, in order."""
    reader = Reader()
    reader.feed(page)
    return reader.read


def english_texts() -> Iterator[str]:
    """Texts of the catalogue of several words: nothing else on a page is the same."""
    for texts in read_groups(FOLDER / f"{LANGUAGE}.toml").values():
        yield from (each for each in texts.values() if " " in each and each[0].isupper() and "{" not in each)
