"""What the least harmful move makes of the commands that only 1862 has."""

from __future__ import annotations

from services.rules.parts.leastharm import LeastHarm
from services.rules.titles.g1862.commands import BuyNewTrain

OWN_HARM = LeastHarm(new_trains=(BuyNewTrain,))
