"""Sentences about events: one for every event of every title, with fields that it has, and ids apart from words."""

from __future__ import annotations

import re

import pytest

from services.rules.adapters.sentences import sentence_message
from services.rules.kernel.commands import CreateGame
from services.rules.kernel.decide import Accepted
from services.rules.kernel.directing.events import EVENTS as DIRECTING_EVENTS, DirectorDecided
from services.rules.kernel.events import EVENTS, CashMoved, Event, GameEnded, RoundStarted
from services.rules.kernel.sentences import Names, SentencePart, Template, sentence_of
from services.rules.kernel.values import Score
from services.rules.parts.map.events import TileLaid
from services.rules.titles import BUILT_IN, TITLES
from tests.simulation.play import Play

PLAYERS = ("ann", "bob", "cem", "dora")
COMMANDS = 40
NAMES = Names(("ann", "bob"), ("BH",))
TITLE = TITLES["1824"]


def events_of(title: str) -> list[type[Event]]:
    """All events of a title's games."""
    played = TITLES[title]
    own = [event for part in (*played.parts, played.own) for event in part.events]
    return list(dict.fromkeys((*EVENTS, *DIRECTING_EVENTS, *own)))


@pytest.mark.parametrize("title", [title.name for title in BUILT_IN])
def test_every_event_has_a_sentence(title: str) -> None:
    """With fields that it has; and nothing else has one."""
    templates, events = TITLES[title].sentences, events_of(title)
    names = {event.__name__ for event in events if event is not DirectorDecided}
    assert names == set(templates)
    for event in events:
        text = templates.get(event.__name__, Template("")).text
        assert text.count("[") == text.count("]")
        assert set(re.findall(r"\{(\w+)", text)) <= set(event.__struct_fields__), event


@pytest.mark.parametrize("title", TITLES)
def test_stretches_of_games_can_be_said(title: str) -> None:
    """Of every title, those added from outside included: the sentences carry over the wire, with names of seats."""
    count = TITLES[title].player_counts[0]
    play = Play(CreateGame(title, PLAYERS[:count], seed=1), "eager")
    for _ in range(COMMANDS):
        if play.game.finished:
            break
        outcome = play.decided(play.player, play.choose())
        assert isinstance(outcome, Accepted)
        play.carry_out(outcome)
    names = Names(play.game.players, play.data.holders())
    said = [sentence_of(event, play.title.sentences, names) for event in play.events]
    assert not any("{" in sentence.text or "[" in sentence.text for sentence in said)
    parts = [part for sentence in said for part in sentence.parts]
    assert {part.text for part in parts if part.subject == "player"} == set(play.game.players)
    for sentence in said:
        message = sentence_message(sentence)
        assert "".join(part.text for part in message.parts) == sentence.text
        assert message.is_detail == sentence.is_detail


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (CashMoved("bank", "ann", 40, "starting_cash"), "the bank pays 40 to ann: starting cash"),
        (CashMoved("BH", "bank", 40, "1862.fine", "E12"), "BH pays 40 to the bank: fine (E12)"),
        (TileLaid("BH", "E12", "57", 1, 0, False), "BH lays tile 57 on E12"),
        (RoundStarted("operating", 2, 1, 1, ("BH",)), "operating round 2.1 begins: BH"),
        (RoundStarted("mergers", 1, 1, 1, ()), "mergers round 1.1 begins"),
        (GameEnded("bank", (Score("bob", 9), Score("ann", 7))), "The game is over: bank. bob 9, ann 7"),
        (
            DirectorDecided("correct", "", "olga", "a {slip} of [mine]_x", "paul"),
            "olga moved money, confirmed by paul: a {slip} of [mine]_x",
        ),
    ],
)
def test_what_is_said(event: Event, text: str) -> None:
    """In plain words; what people wrote stands as they wrote it."""
    assert sentence_of(event, TITLE.sentences, NAMES).text == text


def test_ids_are_apart_from_words() -> None:
    """By what they are, so that a reader can write names."""
    sentence = sentence_of(CashMoved("BH", "ann", 5, "dividend", "BH"), TITLE.sentences, NAMES)
    assert [part for part in sentence.parts if part.subject] == [
        SentencePart("BH", "company"),
        SentencePart("ann", "player"),
        SentencePart("BH", "company"),
    ]
    laid = sentence_of(TileLaid("BH", "E12", "57", 1, 0, False), TITLE.sentences, NAMES)
    assert laid.parts[-1] == SentencePart("E12", "hex")


class ShipLaunched(Event, frozen=True):
    """An event of a title that says nothing about its sentences."""

    company: str
    ship_name: str


def test_an_event_without_a_sentence_is_named_with_its_fields() -> None:
    """A title need not write any."""
    said = sentence_of(ShipLaunched("BH", "Adria"), {}, NAMES)
    assert said.text == "Ship launched: company BH, ship name Adria"
