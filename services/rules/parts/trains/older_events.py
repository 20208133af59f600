"""Events of trains as older versions stored them."""

from __future__ import annotations

from services.rules.kernel.events import OlderEvent
from services.rules.parts.trains.events import SHARES_NOT_NOTED, DividendDeclared


class DividendDeclaredV1(OlderEvent, frozen=True):
    """It did not say how many shares were paid."""

    company: str
    kind: str
    revenue: int
    per_share: int

    def upcast(self) -> DividendDeclared:
        """What is withheld is paid on no share; otherwise who held shares is not known here."""
        share_count = 0 if self.kind == "withhold" else SHARES_NOT_NOTED
        return DividendDeclared(self.company, self.kind, self.revenue, self.per_share, share_count)


OLDER_EVENTS: tuple[type[OlderEvent], ...] = (DividendDeclaredV1,)
