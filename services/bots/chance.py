"""The bots `random` and `eager`: anything legal, drawn from a seed; the eager one seldom stops, sells or bids high."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from services.bots.preferences import BY_COMMAND
from services.rules.kernel.choice import Choice, filled
from services.rules.kernel.commands import Command, Pass
from services.rules.parts.auctions.commands import Bid
from services.rules.parts.map.commands import LayTile, PlaceToken
from services.rules.parts.shares.commands import BuyCertificate, SellCertificates, StartCompany
from services.rules.parts.trains.commands import BuyTrain

# How often a kind of command is drawn beside one of weight 1.
WEIGHTS: dict[type[Command], float] = {
    BuyCertificate: 12,
    BuyTrain: 6,
    LayTile: 6,
    PlaceToken: 2,
    Pass: 0.5,
    SellCertificates: 0.1,
}
HIGH_BID_CHANCE = 0.1
LOW_START_CHANCE = 0.7


def _weight(kind: type[Command]) -> float:
    preference = BY_COMMAND.get(kind)
    return WEIGHTS.get(kind, 1) if preference is None else preference.weight


class RandomBot:
    """Draws the kind of command first, then one of that kind, then the open number; runs are taken as suggested."""

    def __init__(self, seed: int) -> None:
        self._draw = Random(seed)

    def choose(self, choices: Sequence[Choice]) -> Command:
        """Any legal command; the same seed and the same choices lead to the same ones."""
        kinds = list(dict.fromkeys(type(choice.command) for choice in choices))
        kind = self._draw.choice(kinds)
        choice = self._draw.choice([each for each in choices if type(each.command) is kind])
        return filled(choice, self._draw.randrange(choice.minimum, choice.maximum + 1, choice.step))


class EagerBot:
    """Draws like the random bot, but some kinds more often than others; a company to which it gave money draws it on, so
    that much gets started and games go far."""

    def __init__(self, seed: int) -> None:
        self._draw = Random(seed)
        self._last = ""

    def choose(self, choices: Sequence[Choice]) -> Command:
        """Any legal command; the same seed and the same choices lead to the same ones."""
        kinds = list(dict.fromkeys(type(choice.command) for choice in choices))
        kind = self._draw.choices(kinds, [_weight(each) for each in kinds])[0]
        listed = [choice for choice in choices if type(choice.command) is kind]
        again = [choice for choice in listed if getattr(choice.command, "company", "") == self._last]
        if kind is StartCompany and self._draw.random() < LOW_START_CHANCE:
            listed = [min(listed, key=lambda choice: choice.cost)]
        choice = self._draw.choice(again if kind is BuyCertificate and again else listed)
        command = filled(choice, self._number(choice))
        if kind in (BuyCertificate, StartCompany):
            self._last = getattr(command, "company", "")
        return command

    def _number(self, choice: Choice) -> int:
        if isinstance(choice.command, Bid) and self._draw.random() >= HIGH_BID_CHANCE:
            return choice.minimum
        return self._draw.randrange(choice.minimum, choice.maximum + 1, choice.step)
