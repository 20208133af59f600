"""What the least harmful move makes of the commands that only this title has."""

from __future__ import annotations

from services.rules.parts.leastharm import LeastHarm
from services.rules.titles.rotw.commands import PayDividend
from services.rules.titles.rotw.dividends import full_dividend

OWN_HARM = LeastHarm(numbers={PayDividend: full_dividend})
