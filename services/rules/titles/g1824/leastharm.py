"""What the least harmful move makes of the commands that only 1824 has."""

from __future__ import annotations

from services.rules.kernel.choice import Choice
from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.parts.leastharm import LeastHarm
from services.rules.titles.g1824.commands import DiscardTrain, RepayDebt
from services.rules.titles.g1824.figures import kind_of


def _printed_price(game: Game, data: TitleData, choice: Choice) -> int:
    """A company gives up its cheapest train."""
    command = choice.command
    return kind_of(data, command.train).price if isinstance(command, DiscardTrain) else 0


# Who is above his certificate limit has to sell; that he might repay a debt as well is no way out of it (VI.7-c, VII.12-g).
OWN_HARM = LeastHarm(lost={DiscardTrain: _printed_price}, never_due=(RepayDebt,))
