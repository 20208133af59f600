"""Which round is played, who is at turn in it, and in which step."""

from __future__ import annotations

from collections.abc import Sequence

from services.rules.kernel.events import (
    ActionTaken,
    Event,
    GameEnded,
    GameEndTriggered,
    InterruptRaised,
    InterruptSettled,
    OrderChanged,
    PlayerActed,
    PlayerPassed,
    PriorityMoved,
    RoundEnded,
    RoundStarted,
    StepPassed,
    StepStarted,
    TurnEnded,
    TurnStarted,
)
from tests.positions.reading import Events, facts, index_of
from tests.positions.written import WrittenGame


class RoundFacts(WrittenGame):
    """Rounds, turns, steps and questions."""

    __slots__ = ()

    def round_is(
        self, kind: str, *order: str, step: str = "", turn: int = 2, number: int = 1, count: int = 1
    ) -> None:
        """A round of these players or companies has begun; the first one is at turn, and in the step named."""
        self.write(RoundStarted(kind, turn, number, count, order), TurnStarted(0))
        if step:
            self.step_is(step)

    def stock_round_is(self, first: str = "", *, turn: int = 2) -> None:
        """A stock round has begun with this player, who has the priority."""
        order = self.seats_from(first)
        self.priority_is(order[0])
        self.round_is("stock", *order, step="stock_turn", turn=turn)

    def operating_round_is(
        self, *order: str, step: str = "buy_trains", number: int = 1, count: int = 1, turn: int = 2
    ) -> None:
        """An operating round of these companies has begun; the first one is in the step named."""
        self.round_is("operating", *order, step=step, turn=turn, number=number, count=count)

    def seats_from(self, first: str) -> tuple[str, ...]:
        """The players in the order of their seats, from this one on."""
        players = self.game.players
        at = players.index(first or players[0])
        return players[at:] + players[:at]

    def order_is(self, *order: str) -> None:
        """These have their turns in the round at hand."""
        self.write(OrderChanged(order))

    def turn_is(self, position: int) -> None:
        """The turn of the one at this place of the order has begun, counted from 0; past the last one the round is over."""
        self.write(TurnStarted(position))

    def turn_is_over(self, company: str) -> None:
        """The company at turn has ended its turn."""
        self.write(TurnEnded(company))

    def step_is(self, name: str) -> None:
        """The turn at hand is in this step."""
        self.write(StepStarted(name))

    def has_passed_step(self, name: str) -> None:
        """The one at turn passed this step."""
        self.write(StepPassed(name))

    def has_taken_action(self, name: str) -> None:
        """The one at turn took this action, which is noted for the turn."""
        self.write(ActionTaken(name))

    def have_passed(self, *players: str) -> None:
        """These players passed one after the other."""
        self.write(*(PlayerPassed(player) for player in players))

    def priority_is(self, player: str) -> None:
        """The player has the priority."""
        self.write(PriorityMoved(player))

    def question_is(self, kind: str, player: str, company: str, subject: str = "") -> None:
        """The player has to answer a question about the company."""
        self.write(InterruptRaised(kind, player, company, subject))

    def question_is_answered(self, kind: str, company: str) -> None:
        """The question about the company is put no more."""
        self.write(InterruptSettled(kind, company))

    def end_is_due(self, reason: str, *, turn: int, number: int) -> None:
        """The game will end for this reason, which was found in that round."""
        self.write(GameEndTriggered(reason, turn, number))


def rounds(events: Events) -> list[tuple[str, int, int, int]]:
    """Kind, game turn, number and count of every round that began."""
    return [(each.kind, each.turn, each.number, each.count) for each in facts(events, RoundStarted)]


def round_orders(events: Events) -> list[tuple[str, ...]]:
    """The order of every round as it began."""
    return [each.order for each in facts(events, RoundStarted)]


def ended_rounds(events: Events) -> list[str]:
    """The kinds of the rounds that ended."""
    return [each.kind for each in facts(events, RoundEnded)]


def within_round(events: Sequence[Event]) -> Sequence[Event]:
    """What happened until the first round ended; one must have."""
    return events[: index_of(events, RoundEnded)]


def before_turns(events: Sequence[Event]) -> Sequence[Event]:
    """What happened from the beginning of the first round to its first turn; it must have come to one."""
    began = events[index_of(events, RoundStarted) :]
    return began[: index_of(began, TurnStarted)]


def before_steps(events: Sequence[Event]) -> Sequence[Event]:
    """What happened from the beginning of the last turn to its first step; it must have come to one."""
    began = max(place for place, each in enumerate(events) if isinstance(each, TurnStarted))
    return events[began : began + index_of(events[began:], StepStarted)]


def new_orders(events: Events) -> list[tuple[str, ...]]:
    """The orders by which one in play was replaced."""
    return [each.order for each in facts(events, OrderChanged)]


def ended_turns(events: Events) -> list[str]:
    """The companies and players whose turns ended."""
    return [each.actor for each in facts(events, TurnEnded)]


def begun_steps(events: Events) -> list[str]:
    """The steps that turns came to."""
    return [each.step for each in facts(events, StepStarted)]


def passed_steps(events: Events) -> list[str]:
    """The steps that were passed."""
    return [each.step for each in facts(events, StepPassed)]


def taken_actions(events: Events) -> list[str]:
    """The actions that were noted for the turn."""
    return [each.action for each in facts(events, ActionTaken)]


def acted(events: Events) -> list[str]:
    """The players who did something in their turns."""
    return [each.player for each in facts(events, PlayerActed)]


def passed(events: Events) -> list[str]:
    """The players who passed."""
    return [each.player for each in facts(events, PlayerPassed)]


def priorities(events: Events) -> list[str]:
    """The players who got the priority."""
    return [each.player for each in facts(events, PriorityMoved)]


def questions(events: Events) -> list[tuple[str, str, str]]:
    """Kind, player and company of the questions that were put."""
    return [(each.kind, each.player, each.company) for each in facts(events, InterruptRaised)]


def causes_of_end(events: Events) -> list[tuple[str, int, int]]:
    """Reason, game turn and number of the round of whatever was found to end the game."""
    return [(each.reason, each.turn, each.number) for each in facts(events, GameEndTriggered)]


def ends_of_game(events: Events) -> list[str]:
    """The reasons with which the game ended, one at most."""
    return [each.reason for each in facts(events, GameEnded)]
