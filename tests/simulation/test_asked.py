"""The law about who is asked finds both faults, and its exceptions rest on rulings and clauses there are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from services.rules.kernel.choice import Choice
from services.rules.kernel.commands import CreateGame, Pass
from services.rules.kernel.decide import Accepted, create, decide
from services.rules.kernel.draft import Draft
from services.rules.kernel.game import Game
from services.rules.kernel.passing import PASS
from services.rules.kernel.title import Action, Context, Step, never_refused
from services.rules.kernel.turnstep import TurnStep
from services.rules.parts.auctions.events import AuctionPassed
from services.rules.parts.auctions.state import auction_of
from services.rules.parts.shares.commands import SellCertificates
from services.rules.parts.shares.companyturns import CompanyTurns
from services.rules.parts.shares.stockround import plain_round
from services.rules.titles import TITLES
from tests.simulation.asked import ASKED_IN_VAIN, DONE_BY_RULING, check_asked, nobody_passed_over

ANN = "ann"


def _sales(game: Game, context: Context, player: str) -> Iterator[Choice]:
    yield Choice(player, SellCertificates("S", 1))


SELL = Action(never_refused, lambda draft, context, player, command: None, _sales)
STEP = Step("sell", {SellCertificates: SELL, Pass: PASS}, lambda game, context: (ANN,))


def _draft(title: str) -> tuple[Draft, Context]:
    created = create(TITLES[title], CreateGame(title, (ANN, "bob", "cem")))
    assert isinstance(created, Accepted)
    data = TITLES[title].data_of(created.game)
    return Draft(created.game, data), Context(data)


def test_a_step_that_is_passed_over_with_something_to_choose_is_found() -> None:
    """What a second reckoning beside the choices would leave out."""
    draft, context = _draft("rotw")
    step = TurnStep(replace(STEP, name=draft.game.current_round.step), lambda game, context: False)
    turns = CompanyTurns((step,), lambda game, company: False)
    with nobody_passed_over(), pytest.raises(AssertionError, match=r"open to .*SellCertificates"):
        turns.advance(draft, context)
    assert not turns.advance(draft, context)


def test_a_player_who_is_passed_over_with_something_to_choose_is_found() -> None:
    """In the initial stock round of 1824 everybody can buy."""
    draft, context = _draft("1824")
    step = TITLES["1824"].step_of(draft.game, context)
    assert step is not None
    with nobody_passed_over(), pytest.raises(AssertionError, match="is passed over"):
        plain_round(step, lambda game, context, player: False).advance(draft, context)


def test_who_is_put_out_of_an_auction_with_a_bid_to_make_is_found() -> None:
    """By somebody else's command; who passes himself is not passed over."""
    title = TITLES["fair"]
    created = create(title, CreateGame("fair", (ANN, "bob", "cem")))
    assert isinstance(created, Accepted)
    data, auction = title.data_of(created.game), auction_of(created.game)
    assert auction is not None
    with nobody_passed_over():
        assert isinstance(decide(title, data, created.game, ANN, Pass()), Accepted)
        with pytest.raises(AssertionError, match=r"bid is passed over, open to .*bob"):
            Draft(created.game, data).emit(AuctionPassed("bob", auction.company))


def test_who_is_asked_and_can_only_pass_is_found() -> None:
    """But where the ruling asks him all the same."""
    draft, context = _draft("1824")
    only_pass = (Choice(ANN, Pass()),)
    with pytest.raises(AssertionError, match="asked in vain in initial_stock_turn"):
        check_asked(draft.game, context, only_pass)
    draft.game.rulings = {**draft.game.rulings, "idle_turns": "asked"}
    check_asked(draft.game, context, only_pass)


def test_each_exception_by_a_ruling_names_one_there_is() -> None:
    """A ruling that goes takes its exceptions with it."""
    for (title, step), reason in ASKED_IN_VAIN.items():
        values = {ruling.name: ruling.values for ruling in TITLES[title].rulings}
        assert len(reason) == 1 or reason[1] in values[reason[0]], (title, step)
    for (title, step), (name, value) in DONE_BY_RULING.items():
        values = {ruling.name: ruling.values for ruling in TITLES[title].rulings}
        assert value in values[name], (title, step)
