"""Sentences for people about events, in parts, so that a reader can put names in the place of ids."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from msgspec import Struct

from services.rules.kernel.directing.events import DirectorDecided
from services.rules.kernel.events import Event
from services.rules.kernel.values import Decision, Score
from services.rules.kernel.vocabulary import BANK, POOL

# What a piece of a sentence is: words, or the id of a player or another account, a company or a hex.
Subject = Literal["", "player", "company", "hex"]

WORD = "word"
OPTIONAL = re.compile(r"\[([^\]]*)\]")
PLACEHOLDER = re.compile(r"\{(\w+)(?::(\w+))?\}")
CAPITAL = re.compile(r"(?<!^)(?=[A-Z])")
# What a field holds, by its name; any other may hold the name of a player or of a company, or words.
SUBJECTS: Mapping[str, Subject] = {
    **dict.fromkeys(("player", "author", "confirmed_by", "bearer", "former", "director", "seat"), "player"),
    **dict.fromkeys(("players", "bidders"), "player"),
    **dict.fromkeys(("company", "successor", "other", "absorber"), "company"),
    "hex": "hex",
}
IN_WORDS: Mapping[str, str] = {BANK: "the bank", POOL: "the pool"}


class Template(NamedTuple):
    """A sentence with the fields of an event in braces, `{reason:word}` where the field is a word of the rules. A piece in
    brackets is left out where a field in it is empty or 0. An empty text: nothing needs to be said.

    `is_detail`: it only adds to what another sentence about the same command says."""

    text: str
    is_detail: bool = False


class SentencePart(Struct, frozen=True):
    """A piece of a sentence, and what it is."""

    text: str
    subject: Subject = ""


class Sentence(Struct, frozen=True):
    """A sentence in parts, from left to right."""

    parts: tuple[SentencePart, ...]
    is_detail: bool = False

    @property
    def text(self) -> str:
        """The sentence with ids."""
        return "".join(part.text for part in self.parts)


@dataclass(frozen=True, slots=True)
class Names:
    """The ids of a game: its seats, and the symbols of its companies."""

    seats: Collection[str]
    companies: Collection[str]


def detail(text: str) -> Template:
    """A template of a sentence that only adds to another one."""
    return Template(text, is_detail=True)


DECISIONS: Mapping[str, str] = {
    "assign_seat": "{author} gave the seat of {seat} to another account",
    "suspend": "{author} suspended the game",
    "resume": "{author} resumed the game",
    "roll_back": "{author} rolled the game back",
    "act_for_seat": "{author} acted for the seat of {seat}",
    "correct": "{author} moved money",
    "end_game": "{author} ended the game",
}
CONFIRMED_AND_WHY = "[, confirmed by {confirmed_by}]: {reason}"

# Of the events of every game.
SENTENCES: Mapping[str, Template] = {
    "GameCreated": Template("The game of {title} begins: {players}"),
    "CashMoved": detail("{source} pays {amount} to {target}: {reason:word}[ ({subject})]"),
    "CertificatesMoved": detail(
        "{shares} of {company} go[ from {source}][ to {target}]: certificates {reason:word}"
    ),
    "DebtChanged": Template("The debt of {player} changes by {amount}: {reason:word}"),
    "RoundStarted": Template("{kind:word} round {turn}.{number} begins[: {order}]"),
    "RoundEnded": detail("The {kind:word} round ends"),
    "OrderChanged": detail("The order is now {order}"),
    "TurnStarted": Template(""),
    "StepStarted": Template(""),
    "StepPassed": detail("Nothing more is done in the step {step:word}"),
    "PlayerPassed": Template("{player} passes"),
    "PlayerActed": Template(""),
    "TurnEnded": detail("The turn of {actor} ends"),
    "ActionTaken": Template(""),
    "OfferDeclined": Template("The offer about {subject} is declined"),
    "PriorityMoved": Template("{player} has priority"),
    "InterruptRaised": Template("{player} is asked: {kind:word}, {company}[, {subject}]"),
    "InterruptSettled": detail("The question is answered: {kind:word}, {company}"),
    "GameEndTriggered": Template("The game will end: {reason:word}"),
    "GameEnded": Template("The game is over: {reason:word}. {scores}"),
    "Undone": Template("{player} takes back everything after event {to_sequence}"),
    "SeatTaken": Template("{bearer} plays the seat of {seat} in the place of {former}"),
    "GameSuspended": Template("The game is suspended"),
    "GameResumed": Template("The game goes on"),
    "AudienceSet": Template("Not everybody sees all of this game at once"),
}


def sentence_of(event: Event, templates: Mapping[str, Template], names: Names) -> Sentence:
    """An event as a sentence. One without a template is named with its fields."""
    if isinstance(event, DirectorDecided):
        return decision_sentence(event)
    template = templates.get(type(event).__name__) or _plain_template(type(event))
    return _filled(template, event, names)


def decision_sentence(decision: DirectorDecided | Decision) -> Sentence:
    """What a director decided."""
    return _filled(Template(DECISIONS[decision.kind] + CONFIRMED_AND_WHY), decision, Names((), ()))


@lru_cache(maxsize=1024)
def _plain_template(event: type[Event]) -> Template:
    words = CAPITAL.sub(" ", event.__name__).capitalize()
    fields = ", ".join(f"{name.replace('_', ' ')} {{{name}}}" for name in event.__struct_fields__)
    return Template(f"{words}: {fields}" if fields else words)


def _filled(template: Template, event: Struct, names: Names) -> Sentence:
    parts: list[SentencePart] = []
    for number, piece in enumerate(OPTIONAL.split(template.text)):
        fields = [found[1] for found in PLACEHOLDER.finditer(piece)]
        is_optional = number % 2 == 1
        if not is_optional or all(getattr(event, field) for field in fields):
            parts += _pieces(piece, event, names)
    return Sentence(tuple(part for part in parts if part.text), template.is_detail)


def _pieces(piece: str, event: Struct, names: Names) -> Iterator[SentencePart]:
    at = 0
    for found in PLACEHOLDER.finditer(piece):
        yield SentencePart(piece[at : found.start()])
        at = found.end()
        field, form = found[1], found[2]
        value = getattr(event, field)
        if form == WORD:
            yield SentencePart(plain_word(value))
        else:
            yield from _shown(value, SUBJECTS.get(field), names)
    yield SentencePart(piece[at:])


def _shown(value: Any, subject: Subject | None, names: Names) -> Iterator[SentencePart]:
    match value:
        case bool():
            yield SentencePart("yes" if value else "no")
        case Score():
            yield SentencePart(value.player, "player")
            yield SentencePart(f" {value.value}")
        case tuple():
            for number, item in enumerate(value):
                yield SentencePart(", " if number else "")
                yield from _shown(item, subject, names)
        case str():
            # In some titles companies take turns in fields named for players.
            is_known = value in names.seats or value in names.companies
            yield SentencePart(value, subject) if subject and not is_known else _named(value, names)
        case _:
            yield SentencePart(str(value))


def _named(value: str, names: Names) -> SentencePart:
    """A text that may be an id."""
    if value in names.seats:
        return SentencePart(value, "player")
    if value in names.companies:
        return SentencePart(value, "company")
    return SentencePart(IN_WORDS.get(value, value))


def plain_word(word: str) -> str:
    """A word of the rules for people: without the title it belongs to."""
    return word.rpartition(".")[2].replace("_", " ")
