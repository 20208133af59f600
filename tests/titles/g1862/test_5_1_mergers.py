"""Who may merge with whom, and whose turn it is afterwards (5.1, 7.5, 7.5.1, 7.14, 8.0)."""

import pytest

from services.rules.kernel.commands import AnswerOffer, Pass
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.shares.state import companies_of
from services.rules.titles.g1862.commands import ChooseSurvivor, Merge
from tests.positions.rounds import begun_steps, ended_turns
from tests.titles.g1862.mergers import join, merging_table, set_up_company, shares
from tests.titles.g1862.reading import exchanges
from tests.titles.g1862.table import ADA, BEN, CLEO, Table


def merger(
    *,
    step: str = "merge",
    order: tuple[str, ...] = ("N&E", "WStI", "I&B"),
    other_director: str = ADA,
    operated: bool = True,
    **rulings: str,
) -> Table:
    """N&E is at turn and joined to WStI; I&B, Ben's, has its token elsewhere."""
    table = merging_table(**rulings)
    set_up_company(table, "N&E", 90, {ADA: 6}, director=ADA, treasury=500, operated=operated)
    set_up_company(table, "WStI", 82, {other_director: 6}, director=other_director, treasury=300)
    set_up_company(table, "I&B", 74, {BEN: 6}, director=BEN, treasury=300)
    join(table, "N&E", "WStI")
    table.token_stands("I&B", "H5")
    for player in table.game.players:
        table.has_cash(player, 0)
    table.operating_round_is(*order, step=step)
    return table


@pytest.mark.clause("1862/5.1.1-a", "1862/7.5.1-a", "1862/7.5.2-a")
def test_a_merger_of_one_director_needs_nobody_else() -> None:
    """A director of both companies proposes a merger and is asked at once which company survives."""
    table = merger()
    assert table.offered(ADA, Merge) == [Merge("N&E", "WStI")]
    table.act(ADA, Merge("N&E", "WStI"))
    assert table.asked() == ADA
    assert table.offered(ADA) == [ChooseSurvivor("N&E"), ChooseSurvivor("WStI")]


@pytest.mark.clause("1862/5.1.1-a", "1862/7.5.1-a", "1862/5.1.2-a")
@pytest.mark.parametrize("step", ["merge", "acquire"])
def test_the_other_director_is_asked(step: str) -> None:
    """Another director has to agree; when he does, the active one chooses the survivor."""
    table = merger(other_director=CLEO, step=step)
    table.act(ADA, Merge("N&E", "WStI"))
    assert (table.asked(), table.game.interrupts[0].kind) == (CLEO, "1862.answer_merger")
    assert table.refusal(ADA, ChooseSurvivor("N&E")) == ("interrupt_first", "")
    assert table.offered(CLEO) == [AnswerOffer(True), AnswerOffer(False)]
    table.act(CLEO, AnswerOffer(True))
    assert (table.asked(), table.game.interrupts[0].kind) == (ADA, "1862.choose_survivor")


@pytest.mark.clause("1862/5.1.1-a", "1862/7.5.1-a")
def test_a_director_who_declines_is_not_asked_again_in_the_turn() -> None:
    """A declined merger does not happen and cannot be proposed again in the same turn."""
    table = merger(other_director=CLEO)
    table.act(ADA, Merge("N&E", "WStI"))
    events = table.act(CLEO, AnswerOffer(False))
    assert not exchanges(events)
    assert shares(table, "WStI")[CLEO] == 6
    table.step_is("acquire")
    assert table.refusal(ADA, Merge("N&E", "WStI")) == ("1862.merge_declined", "1862/7.5.1-a")


@pytest.mark.clause("1862/7.5.1-a")
def test_a_table_where_directors_have_agreed_already() -> None:
    """Under the other ruling nobody is asked before a merger of two directors' companies."""
    table = merger(other_director=CLEO, merger_between_directors="not_asked")
    table.act(ADA, Merge("N&E", "WStI"))
    assert (table.asked(), table.game.interrupts[0].kind) == (ADA, "1862.choose_survivor")


@pytest.mark.clause("1862/5.2.1-a", "1862/7.5.1-b")
@pytest.mark.parametrize(("survivor", "absorbed"), [("N&E", "WStI"), ("WStI", "N&E")])
def test_the_active_director_chooses_the_survivor(survivor: str, absorbed: str) -> None:
    """Either company may survive, no third one; the other is absorbed and back with the bank in the end."""
    table = merger()
    table.act(ADA, Merge("N&E", "WStI"))
    assert table.refusal(ADA, ChooseSurvivor("I&B")) == ("1862.merge_not_possible", "1862/5.2.1-a")
    table.act(ADA, ChooseSurvivor(survivor))
    assert companies_of(table.game)[survivor].opened
    assert not companies_of(table.game)[absorbed].opened
    assert shares(table, absorbed) == {BANK: 10}


@pytest.mark.clause("1862/5.1.2-a", "1862/5.1.2-b", "1862/7.14-a", "1862/5.1-a")
@pytest.mark.parametrize("order", [("N&E", "WStI", "I&B"), ("WStI", "N&E", "I&B")])
def test_an_acquisition_whether_or_not_the_other_has_operated(order: tuple[str, ...]) -> None:
    """At the end of its turn a company acquires another, before or after that one operated: shares are exchanged 2 for 1."""
    table = merger(step="acquire", order=order)
    table.turn_is(order.index("N&E"))
    table.step_is("acquire")
    table.act(ADA, Merge("N&E", "WStI"))
    events = table.act(ADA, ChooseSurvivor("N&E"))
    assert exchanges(events)[0].kind == "acquisition"
    assert shares(table, "N&E")[ADA] == 6
    assert shares(table, "WStI") == {BANK: 10}


@pytest.mark.clause("1862/5.1.1-b")
@pytest.mark.parametrize("survivor", ["N&E", "WStI"])
def test_a_merger_before_either_operated(survivor: str) -> None:
    """The survivor operates in the place of the company at turn, and only once."""
    table = merger()
    table.act(ADA, Merge("N&E", "WStI"))
    table.act(ADA, ChooseSurvivor(survivor))
    assert table.game.current_round.order == (survivor, "I&B")
    assert (table.game.actor, table.game.current_round.step) == (survivor, "lay_track")
    assert "turn_over" not in table.game.turn.actions


@pytest.mark.clause("1862/5.1.1-c")
@pytest.mark.parametrize("survivor", ["N&E", "WStI"])
def test_a_merger_with_a_company_that_has_operated(survivor: str) -> None:
    """The turn ends at once: the survivor next operates in the following round."""
    table = merger(order=("WStI", "N&E", "I&B"))
    table.turn_is_over("WStI")
    table.turn_is(1)
    table.step_is("merge")
    table.act(ADA, Merge("N&E", "WStI"))
    events = table.act(ADA, ChooseSurvivor(survivor))
    assert survivor in ended_turns(events)
    assert table.game.actor == "I&B"
    assert table.game.current_round.order[1] == survivor


@pytest.mark.clause("1862/7.14-b")
@pytest.mark.parametrize("survivor", ["N&E", "WStI"])
def test_after_an_acquisition_the_survivor_rests(survivor: str) -> None:
    """A company formed by an acquisition does not operate before the next round, even if the other had still to operate."""
    table = merger(step="acquire")
    table.act(ADA, Merge("N&E", "WStI"))
    events = table.act(ADA, ChooseSurvivor(survivor))
    assert survivor in ended_turns(events)
    assert table.game.actor == "I&B"
    assert table.game.current_round.order == (survivor, "I&B")


@pytest.mark.clause("1862/7.14-c")
def test_an_acquisition_after_a_merger() -> None:
    """A turn may begin with a merger and end with an acquisition, each step giving one."""
    table = merger()
    table.token_stands("I&B", "C8")
    table.directs(ADA, "I&B")
    table.act(ADA, Merge("N&E", "WStI"))
    table.act(ADA, ChooseSurvivor("N&E"))
    table.step_is("merge")
    assert table.refusal(ADA, Merge("N&E", "I&B")) == ("1862.merge_not_possible", "1862/7.1-e")
    table.step_is("acquire")
    assert table.offered(ADA, Merge) == [Merge("N&E", "I&B")]


@pytest.mark.clause("1862/7.5.2-e")
def test_a_merger_in_the_first_operating_turn() -> None:
    """A company that has never operated may merge in its first turn."""
    table = merger(operated=False)
    assert not companies_of(table.game)["N&E"].operated
    assert Merge("N&E", "WStI") in table.offered(ADA)


@pytest.mark.clause("1862/7.5.2-a", "1862/8.0-d", "1862/10.3-f")
def test_mergers_that_are_not_possible() -> None:
    """Not with itself, an unknown, unopened or unconnected company, one in receivership, nor after the LNER has formed."""
    table = merger()
    assert table.refusal(ADA, Merge("WStI", "N&E")) == ("not_your_turn", "")
    assert table.refusal(ADA, Merge("N&E", "LNER")) == ("unknown_company", "")
    assert table.refusal(ADA, Merge("N&E", "N&E")) == ("1862.merge_not_possible", "1862/7.5.1-a")
    assert table.refusal(ADA, Merge("N&E", "EUR")) == ("1862.merge_not_possible", "1862/7.5.1-a")
    assert table.refusal(ADA, Merge("N&E", "I&B")) == ("1862.merge_not_connected", "1862/7.5.2-a")
    table.monopoly_is("LNER", 20)
    assert table.refusal(ADA, Merge("N&E", "WStI")) == ("1862.after_monopoly", "1862/10.3-f")


@pytest.mark.clause("1862/8.0-d")
def test_receivership_forbids_mergers() -> None:
    """A company in receivership neither merges nor is acquired, whichever side it is on."""
    table = merger(step="acquire")
    table.has_no_director("WStI")
    assert table.refusal(ADA, Merge("N&E", "WStI")) == ("1862.in_receivership", "1862/8.0-d")
    table = merger(step="acquire")
    table.has_no_director("N&E")
    assert table.asked() == ADA
    assert table.refusal(ADA, Merge("N&E", "WStI")) == ("1862.in_receivership", "1862/8.0-d")
    assert table.offered(ADA, Merge) == []


@pytest.mark.clause("1862/7.5.1-a", "1862/7.1-e")
def test_a_merger_need_not_be_proposed() -> None:
    """The step is passed over by choice, and automatically where there is no company to merge with."""
    table = merger()
    table.act(ADA, Pass())
    assert table.game.current_round.step == "lay_track"
    table = merger(order=("I&B", "N&E"))
    assert "lay_track" in begun_steps(table.carry_on())
