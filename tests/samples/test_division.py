"""A company of the island that begins with five shares and is divided into ten in play: what that changes and what not."""

from __future__ import annotations

from collections.abc import Sequence

from services.drawing.board import draw_board
from services.gen.signalbox.events.v1.events_pb2 import GameEvent
from services.ledger.convert import fact_of
from services.ledger.domain.accounts import ISSUE, Account, shares_of
from services.ledger.domain.book import Book
from services.ledger.domain.booking import apply
from services.ledger.domain.net_worth import present_worth
from services.rules.adapters.codec import encode_event, fill_body
from services.rules.adapters.view import game_view
from services.rules.kernel.commands import Command, CreateGame, Pass
from services.rules.kernel.decide import Accepted
from services.rules.kernel.draft import Draft
from services.rules.kernel.events import Event
from services.rules.kernel.title import Context
from services.rules.parts.market.market import price_of
from services.rules.parts.presentation import presentation_of
from services.rules.parts.shares.commands import BuyCertificate, StartCompany
from services.rules.parts.shares.shares import is_at_least, is_more_than, percent_text, shares_held
from services.rules.parts.shares.state import companies_of
from services.rules.parts.trains.commands import DeclareDividend
from services.rules.parts.trains.state import TrainTurn
from tests.positions.reading import CertificateMove, only
from tests.positions.shares import divisions
from tests.positions.trains import dividends
from tests.samples.island.operating import DIVIDE
from tests.simulation.play import Play

ANN, BOB = PLAYERS = ("ann", "bob")
SOUTHERN = "S"


def _act(play: Play, command: Command) -> None:
    outcome = play.decided(play.player, command)
    assert isinstance(outcome, Accepted), outcome
    play.carry_out(outcome)


def _begun() -> Play:
    """Ann starts Southern, of which she holds two shares and Bob one."""
    play = Play(CreateGame("island", PLAYERS, seed=3), "sensible")
    _act(play, StartCompany(SOUTHERN, 40))
    _act(play, BuyCertificate(SOUTHERN))
    return play


def _divided() -> Play:
    """The same game, when Southern has just been divided anew."""
    play = _begun()
    while (SOUTHERN, 10) not in divisions(play.events):
        _act(play, play.choose() if play.game.current_round.kind != "stock" else Pass())
    return play


def _at_turn_of_southern(play: Play) -> Play:
    """The game goes on to the next turn of Southern."""
    while play.game.actor != SOUTHERN:
        _act(play, Pass())
    return play


def _book(events: Sequence[Event]) -> Book:
    book = Book("g")
    for sequence, event in enumerate(events, start=1):
        message = GameEvent(game_id="g", sequence=sequence)
        fill_body(message, *encode_event(event))
        apply(book, fact_of(message))
    return book


def test_the_first_certificates_that_add_up_are_issued_with_each_division() -> None:
    """Five shares at the start, five more in play; what was issued before stays as it is."""
    play = _divided()
    found = [shares for company, shares in divisions(play.events) if company == SOUTHERN]
    assert found == [5, 10] and companies_of(play.game)[SOUTHERN].shares == 10
    issued = [
        (move.numbers, move.shares, move.target)
        for move in only(play.events, CertificateMove)
        if move.company == SOUTHERN and move.reason == "issued"
    ]
    assert issued == [((0, 1, 2, 3), 5, "bank"), ((4, 5, 6, 7, 8), 5, "bank")]


def test_holders_keep_their_shares_which_count_for_half_as_much() -> None:
    """Two of five shares are 40 %, two of ten 20 %; so limits in percent are met or not, and nobody rounds."""
    play = _begun()
    assert [shares_held(play.game, play.data, player, SOUTHERN) for player in PLAYERS] == [2, 1]
    assert [percent_text(play.game, SOUTHERN, shares) for shares in (2, 5, 0)] == ["40 %", "100 %", ""]
    assert is_at_least(play.game, SOUTHERN, 2, 40) and not is_more_than(play.game, SOUTHERN, 2, 40)
    play = _divided()
    assert [shares_held(play.game, play.data, player, SOUTHERN) for player in PLAYERS] == [2, 1]
    assert percent_text(play.game, SOUTHERN, 2) == "20 %"
    assert not is_at_least(play.game, SOUTHERN, 2, 21) and is_more_than(play.game, SOUTHERN, 2, 19)


def test_a_share_gets_its_part_of_the_revenue() -> None:
    """A fifth of it before, a tenth after."""
    for play, per_share in ((_at_turn_of_southern(_begun()), 12), (_at_turn_of_southern(_divided()), 6)):
        TrainTurn(ran=True, revenue=60).note_turn(play.game)
        draft = Draft(play.game, play.data)
        DIVIDE.step.actions[DeclareDividend].perform(
            draft, Context(play.data), ANN, DeclareDividend(SOUTHERN, "pay")
        )
        assert dividends(draft.events) == [(SOUTHERN, "pay", 60, per_share, 3)]
        assert draft.game.money(ANN) - play.game.money(ANN) == 2 * per_share


def test_clients_see_shares_and_how_many_there_are() -> None:
    """So that they can show percent."""
    play = _divided()
    view = game_view("g", play.title, play.data, play.game)
    assert {company.company: company.shares for company in view.companies} == {"N": 10, "E": 10, "S": 10}
    held = {each.holder: each.shares for each in view.holdings if each.company == SOUTHERN}
    assert held == {"bank": 7, ANN: 2, BOB: 1}


def test_the_books_count_shares() -> None:
    """Five more are issued, no other balance changes, and a share is worth the price of a share."""
    play = _divided()
    at = next(n for n, each in enumerate(play.events) if divisions([each]) == [(SOUTHERN, 10)])
    before, after = _book(play.events[:at]), _book(play.events[: at + 2])
    unit = shares_of(SOUTHERN)
    changed = {
        account: amount - before.balances.get(account, 0)
        for account, amount in after.balances.items()
        if amount != before.balances.get(account, 0)
    }
    assert changed == {Account(ISSUE, unit): -5, Account("bank", unit): 5}
    assert after.balances[Account(ANN, unit)] == 2
    price = price_of(play.game, play.data, SOUTHERN)
    assert [each.certificates for each in present_worth(after).players] == [2 * price, price]


def test_a_director_sees_it_in_the_picture() -> None:
    """The players' certificates are shown in percent."""
    for play, share in ((_begun(), "S* 40 %"), (_divided(), "S* 20 %")):
        assert share in draw_board(presentation_of(play.title), play.data, play.game)
