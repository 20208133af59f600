"""The order in which companies of 1862 operate, and who decides for them (7.1)."""

import pytest

from services.rules.kernel.commands import Pass
from services.rules.kernel.events import TurnEnded
from tests.titles.g1862.table import ADA, BEN, CLEO, Table, new_table, of_type

OFFER = ("ESR", "ECR", "EUR", "L&H")


def quoted(*prices: tuple[str, int, str]) -> Table:
    """Companies at these prices with these directors, marked in this order; a stock round is about to end."""
    table = new_table(3, offer=OFFER)
    for symbol, price, director in prices:
        table.found(symbol, price, director)
        table.train(symbol, "A")
    table.stock_round(ADA)
    return table


@pytest.mark.clause("1862/7.1-a")
def test_companies_operate_by_falling_price() -> None:
    """100 before 90 before 54; a company that is not quoted does not operate."""
    table = quoted(("ESR", 90, ADA), ("ECR", 54, BEN), ("EUR", 100, CLEO))
    table.found("L&H", 100, ADA, shares=3, quoted=False)
    table.pass_round()
    assert table.game.current_round.order == ("EUR", "ESR", "ECR")


@pytest.mark.clause("1862/7.1-b")
def test_on_one_space_the_upper_marker_operates_first() -> None:
    """Three companies at 100: in the order in which their markers came there."""
    table = quoted(("EUR", 100, CLEO), ("ESR", 100, ADA), ("ECR", 100, BEN))
    table.pass_round()
    assert table.game.current_round.order == ("EUR", "ESR", "ECR")
    other = quoted(("ESR", 100, ADA), ("ECR", 100, BEN), ("EUR", 110, CLEO))
    other.act(ADA, Pass())
    other.act(BEN, Pass())
    other.price("EUR", 100)
    other.act(CLEO, Pass())
    assert other.game.current_round.order == ("ESR", "ECR", "EUR")


@pytest.mark.clause("1862/7.1-d")
def test_each_company_has_one_turn_and_its_director_decides() -> None:
    """Every turn is the director's, whose question nobody else may answer, and comes once a round."""
    table = quoted(("ESR", 90, ADA), ("ECR", 54, BEN))
    table.pass_round()
    directors = {"ESR": ADA, "ECR": BEN}
    number = table.game.current_round.number
    seen = []
    while table.game.current_round.kind == "operating" and table.game.current_round.number == number:
        actor = table.game.actor
        seen.append(actor)
        assert table.asked() == directors[actor]
        assert table.refusal(CLEO, Pass()) == ("not_your_turn", "")
        offered = [each for each in table.offered(table.asked()) if not isinstance(each, Pass)]
        passing = Pass() in table.offered(table.asked())
        table.act(table.asked(), Pass() if passing else offered[0])
        if table.game.finished or len(seen) > 40:
            break
    ended = [each.actor for each in of_type(table.log, TurnEnded) if isinstance(each, TurnEnded)]
    assert ended == ["ESR", "ECR"]
    assert list(dict.fromkeys(seen)) == ["ESR", "ECR"]
