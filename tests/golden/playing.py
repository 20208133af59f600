"""A playthrough: the whole course of one game as text, played by bots or along the commands of an earlier text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from zlib import crc32

from services.rules.adapters.view import game_view
from services.rules.kernel.choice import Choice
from services.rules.kernel.commands import Command
from services.rules.kernel.decide import Accepted, acting_players, end_by_hand
from tests.golden.picture import TABLE, Picture, changes, picture_of
from tests.golden.plans import Plan
from tests.golden.words import command_of, kind_of, words_of, words_of_choice
from tests.simulation.play import Play

COMMANDS_MOST = 3_000
LEFT_OUT_OF_STATE = frozenset(("ran",))
CHOICES_SAMPLED = 8
PASS = "pass"
ONLY_CHOICE = " (only choice)"
STEP_LINE = re.compile(r"(\d+) [^:]*: (.+?)(?: \(only choice\))?")

Chooser = Callable[["Playthrough"], Command | None]


class Playthrough:
    """A game under way, and its text so far. Choices are in the order of their words, whatever order the rules list them
    in, so that nothing but the choices themselves decides what the bots do."""

    def __init__(self, plan: Plan, seed: int | None = None) -> None:
        self.plan = plan
        self.play = Play(plan.table(seed), plan.bot)
        self.step = 0
        self._picture: Picture | None = None
        self._look()

    @property
    def choices(self) -> tuple[Choice, ...]:
        """What the player who is asked may do."""
        return tuple(self.choices_by_words.values())

    @property
    def picture(self) -> Picture:
        """The game as everybody sees it."""
        if self._picture is None:
            play = self.play
            self._picture = picture_of(game_view(self.plan.name, play.title, play.data, play.game))
        return self._picture

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.play.game.finished

    def bot_command(self) -> Command:
        """What the bot in the seat of the player who is asked wants."""
        return self.play.bots[self.play.player].choose(self.choices)

    def carry_out(self, command: Command) -> None:
        """Go on by one command, which has to be legal."""
        outcome = self.play.decided(self.play.player, command)
        assert isinstance(outcome, Accepted), (words_of(command), outcome)
        self._go_on(outcome)

    def end_by_hand(self) -> None:
        """The players stop here."""
        outcome = end_by_hand(self.play.title, self.play.data, self.play.game)
        assert isinstance(outcome, Accepted), outcome
        self._go_on(outcome)

    def _go_on(self, outcome: Accepted) -> None:
        self.play.carry_out(outcome)
        self.step += 1
        self._look()

    def _look(self) -> None:
        self._picture = None
        by_words = {words_of_choice(choice): choice for choice in self.play.found}
        assert len(by_words) == len(self.play.found), f"two choices in the same words: {self.play.found}"
        self.choices_by_words = dict(sorted(by_words.items()))

    def who_acts(self) -> str:
        """The player who is asked, with others who may act as well."""
        others = acting_players(self.play.title, self.play.data, self.play.game)[1:]
        return self.play.player + (f" (or {' '.join(others)})" if others else "")

    def actor(self) -> str:
        """The company whose turn it is; empty in the turn of a player."""
        return "" if self.picture.actor in self.play.game.players else self.picture.actor


@dataclass(frozen=True, slots=True)
class Text:
    """A playthrough as text, the reason for which the game ended (empty: it did not), and how many steps it took."""

    all: str
    ending: str
    steps: int


def text_of(plan: Plan, chooser: Chooser) -> Text:
    """The text of a game in which `chooser` gives one command after the other, until the game is over or it gives none."""
    through = Playthrough(plan)
    text = "\n".join(Writer(through).lines(chooser)) + "\n"
    return Text(text, through.play.game.ending if through.is_over else "", through.step)


class Writer:
    """Writes a playthrough down while it is played. The whole state is shown where a turn of the game begins; subjects that
    are as they were shown the last time are left out."""

    def __init__(self, through: Playthrough) -> None:
        self._through = through
        self._heading = self._turn = self._place = ""
        self._shown: dict[str, str] = {}

    def lines(self, chooser: Chooser) -> Iterator[str]:
        """All lines of the text."""
        through, plan = self._through, self._through.plan
        yield f"# {plan.name}"
        yield f"title {plan.title}, options {' '.join(plan.options) or 'none'}, rulings of {plan.profile}"
        yield f"{plan.players} players, seed {plan.seed}, bots {plan.bot}, ends: {plan.ends}"
        while not through.is_over:
            yield from self._round()
            if plan.by_hand_after == through.step > 0:
                yield f"{through.step} all: end the game by hand"
                through.end_by_hand()
                break
            command = chooser(through)
            if command is None:
                yield self._line("no command")
                yield f"  {self._choices('')}"
                break
            yield from self._step(command)
        self._shown.clear()
        yield from ("", f"== end after {through.step} steps; bank {through.picture.cash['bank']} ==")
        yield from self._state(through.picture, with_map=True)

    def _round(self) -> Iterator[str]:
        """What is shown where a round begins."""
        picture = self._through.picture
        if picture.heading == self._heading:
            return
        self._heading = picture.heading
        turn, _, _ = picture.heading.partition(",")
        phase = picture.words[TABLE].get("phase", "none")
        yield ""
        yield f"== {picture.heading}; phase {phase}, bank {picture.cash['bank']}, order {' '.join(picture.order)} =="
        if turn != self._turn:
            yield from self._state(picture, with_map=False)
        self._turn = turn

    def _step(self, command: Command) -> Iterator[str]:
        through, before, words = self._through, self._through.picture, words_of(command)
        line = self._line(words)
        if list(through.choices_by_words) == [words]:
            yield line + ONLY_CHOICE
        else:
            yield line
            yield f"  {self._choices(words)}"
        through.carry_out(command)
        facts = changes(before, through.picture)
        if facts:
            yield f"  > {'; '.join(facts)}"

    def _line(self, words: str) -> str:
        """The command with who gives it; the company where the command does not name it, the step of the round where it is
        another one than in the line before."""
        through, picture = self._through, self._through.picture
        actor = through.actor()
        company = f" for {actor}" if actor and actor not in words.split() else ""
        place = f", {picture.step}" if picture.step and picture.step != self._place else ""
        self._place = picture.step
        return f"{through.step} {through.who_acts()}{company}{place}: {words}"

    def _choices(self, taken: str) -> str:
        """How many choices there are of each kind, the check sum of all of them, and where there are many, one that was not
        taken as a sample."""
        by_words = self._through.choices_by_words
        kinds = Counter(kind_of(choice.command) for choice in by_words.values())
        counted = ", ".join(f"{count} {kind}" for kind, count in kinds.items())
        check_sum = crc32("\n".join(by_words).encode()) & 0xFFFF
        others = [line for line in by_words if line not in (taken, PASS)]
        sample = (
            f", e.g. {others[self._through.step % len(others)]}" if len(others) >= CHOICES_SAMPLED else ""
        )
        return f"of {counted} [{check_sum:04x}]{sample}"

    def _state(self, picture: Picture, with_map: bool) -> Iterator[str]:
        """Everybody and everything with cash, shares and words."""
        for subject in dict.fromkeys((*picture.cash, *picture.percents, *picture.words)):
            words = picture.words.get(subject, {})
            told = [f"cash {picture.cash[subject]}"] if picture.cash.get(subject) else []
            told += [f"{name} {text}" for name, text in words.items() if name not in LEFT_OUT_OF_STATE]
            told += [
                f"{company} {percent}%" for company, percent in picture.percents.get(subject, {}).items()
            ]
            line = f"{subject}: {', '.join(told)}"
            wanted = told and told != ["is closed"] and (with_map or subject != "map")
            if wanted and self._shown.get(subject) != line:
                self._shown[subject] = line
                yield line


def position(plan: Plan, text: str, step: int) -> Playthrough:
    """The game of a text before a step of it. Raises `ValueError` where its commands do not lead there."""
    through, chooser = Playthrough(plan), along(text)
    while through.step < step:
        command = chooser(through)
        if command is None:
            raise ValueError(f"{plan.name} cannot be played up to step {step}: stopped at {through.step}")
        through.carry_out(command)
    return through


def by_bots(through: Playthrough) -> Command | None:
    """The choice of the bots."""
    return through.bot_command() if through.step < COMMANDS_MOST else None


def along(text: str, then: Chooser | None = None) -> Chooser:
    """The commands that a text tells of, as long as they are legal; then those of `then`, or none."""
    commands = {int(found[1]): found[2] for line in text.splitlines() if (found := STEP_LINE.fullmatch(line))}
    left = False

    def choose(through: Playthrough) -> Command | None:
        nonlocal left
        command = None if left else command_of(commands.get(through.step, ""), through.choices)
        left = command is None
        return then(through) if command is None and then else command

    return choose
