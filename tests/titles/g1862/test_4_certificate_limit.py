"""The certificate limit in auctions of 1862 (4.1-f)."""

import pytest

from services.rules.parts.auctions.commands import Bid
from tests.titles.g1862.table import ADA, BEN
from tests.titles.g1862.test_4_parliament import parliament


@pytest.mark.clause("1862/4.1-f")
def test_at_the_certificate_limit_a_player_may_not_raise() -> None:
    """Who is at the limit with the cash for a higher bid can only pass."""
    table = parliament(4)
    table.act(ADA, Bid("ESR", 0))
    for symbol in ("ECR", "EUR"):
        table.is_founded(symbol, 54, BEN, shares=9)
    table.has_cash(BEN, 800)
    assert table.asked() == BEN
    assert table.refusal(BEN, Bid("ESR", 5)) == ("certificate_limit", "1862/4.1-f")
