"""The certificate limit in auctions of 1862, and in the opening of what was won (4.1-f, 4.2-g)."""

import pytest

from services.rules.kernel.commands import Pass
from services.rules.parts.auctions.commands import Bid
from services.rules.parts.shares.commands import BuyCertificate, StartCompany
from tests.titles.g1862.table import ADA, BEN
from tests.titles.g1862.test_4_parliament import parliament, won


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


@pytest.mark.clause("1862/4.2-g")
def test_who_reaches_the_certificate_limit_with_the_director_is_not_asked() -> None:
    """The director's certificate is the 13th with four players, and the opening is over with it."""
    table = parliament(4)
    for symbol, shares in (("ECR", 9), ("EUR", 7)):
        table.is_founded(symbol, 54, ADA, shares=shares)
    table.parliament_is(ADA)
    table.act(won(table), StartCompany("ESR", 54))
    assert table.certificates(ADA) == 13 and table.game.money(ADA) > 54
    assert table.asked() == BEN


def test_who_is_at_the_certificate_limit_is_asked_by_ruling() -> None:
    """As long as the winner could pay for a share; he can only pass."""
    table = parliament(4, idle_turns="asked")
    for symbol, shares in (("ECR", 9), ("EUR", 7)):
        table.is_founded(symbol, 54, ADA, shares=shares)
    table.parliament_is(ADA)
    table.act(won(table), StartCompany("ESR", 54))
    assert table.certificates(ADA) == 13 and table.game.money(ADA) > 54
    assert table.asked() == ADA and table.offered(ADA) == [Pass()]
    assert table.refusal(ADA, BuyCertificate("ESR")) == ("certificate_limit", "1862/6.5.2-a")
    table.act(ADA, Pass())
    assert table.asked() == BEN
