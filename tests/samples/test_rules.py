"""The sample titles in the rules core: whole games that keep the laws, their own words, and their pictures."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from services.drawing.board import draw_board
from services.rules.adapters.codec import command_message, read_command
from services.rules.adapters.view import game_view
from services.rules.kernel.commands import CreateGame, Pass
from services.rules.kernel.decide import Accepted, acting_players, choices, create, decide
from services.rules.kernel.rejections import Rejection
from services.rules.kernel.title import Context
from services.rules.kernel.values import Ruling
from services.rules.parts.auctions.commands import Bid
from services.rules.parts.map.commands import LayTile
from services.rules.parts.presentation import presentation_of
from services.rules.titles import TITLES
from tests.positions.reading import paid, payments
from tests.samples.fair.own import StallDrawn, State as FairState
from tests.samples.gen.samples.fair.v1 import fair_pb2
from tests.samples.gen.samples.island.v1 import island_pb2
from tests.samples.island.own import FerryHired, HireFerry, State as IslandState
from tests.simulation.asked import check_asked, nobody_passed_over
from tests.simulation.laws import Auditor, check_money, check_replay, opening_bank
from tests.simulation.play import Play

SAMPLES = ("island", "fair")
NAMES = ("ann", "bob", "cem", "dora")
COMMANDS_MOST = 600
UNDO_EVERY = 7
GAMES = [
    (title, count, bot)
    for title in SAMPLES
    for count in TITLES[title].player_counts
    for bot in ("random", "eager", "sensible")
]


def play_on(play: Play, commands: int = COMMANDS_MOST, *, undoing: bool = False) -> None:
    """Bots play so many commands or to the end; now and then somebody takes something back."""
    auditor = Auditor()
    for number in range(commands):
        if play.game.finished:
            return
        taken_back = play.undo() if undoing and number % UNDO_EVERY == UNDO_EVERY - 1 else None
        outcome = taken_back or play.decided(play.player, play.choose())
        if isinstance(outcome, Accepted):
            play.carry_out(outcome)
        else:
            assert outcome.code.startswith("undo_"), outcome
        auditor.follow(play.events)
        auditor.check(play.game, play.data)
        if not play.game.finished:
            check_asked(play.game, Context(play.data), play.found)


@pytest.mark.parametrize(("title", "count", "bot"), GAMES)
def test_whole_games_keep_the_laws(title: str, count: int, bot: str) -> None:
    """Bots reach the end; money is conserved, the books agree after every command, and log and snapshots fold to the state."""
    with nobody_passed_over():
        play = Play(CreateGame(title, NAMES[:count], seed=count), bot)
        play_on(play)
    assert play.game.finished and {score.player for score in play.game.scores} == set(NAMES[:count])
    check_money(play.game, opening_bank(play.events))
    check_replay(play.game, play.events, len(play.events) // 2)


@pytest.mark.parametrize("title", SAMPLES)
def test_what_is_taken_back_leaves_no_trace(title: str) -> None:
    """A game with undone stretches folds to its state, and its books agree throughout."""
    play = Play(CreateGame(title, NAMES[:2], undo_policy="free", seed=5), "random")
    play_on(play, undoing=True)
    assert any(type(event).__name__ == "Undone" for event in play.events)
    check_replay(play.game, play.events, len(play.events) // 3)


@pytest.mark.parametrize("title", SAMPLES)
def test_every_choice_is_accepted(title: str) -> None:
    """In every position of a game each choice can be sent as it is listed, and survives the wire."""
    play = Play(CreateGame(title, NAMES[:2], seed=2), "eager")
    while not play.game.finished:
        for choice in play.found:
            assert isinstance(play.decided(play.player, choice.command), Accepted), choice
            assert read_command(command_message(choice.command)) == choice.command
        play_on(play, 1)


@pytest.mark.parametrize("title", SAMPLES)
def test_a_game_is_drawn_as_far_as_there_is_something_to_draw(title: str) -> None:
    """At the start, on the way and at the end: a picture with companies and players, with a map where there is one."""
    play = Play(CreateGame(title, NAMES[:2], seed=2), "eager")
    while True:
        svg = draw_board(presentation_of(play.title), play.data, play.game)
        ElementTree.fromstring(svg)
        assert "Companies" in svg and "Players" in svg
        assert ("Northport" in svg) == ("Share prices" in svg) == ("Trains" in svg) == (title == "island")
        if play.game.finished:
            return
        play_on(play, 5)


def test_players_see_what_only_the_title_knows() -> None:
    """The view carries the title's own message; a part that the title does not play with leaves its fields empty."""
    island = Play(CreateGame("island", NAMES[:2], seed=2), "sensible")
    play_on(island)
    view, own = game_view("g", island.title, island.data, island.game), island_pb2.View()
    assert view.title_state.Unpack(own) and own.ferry == IslandState.of(island.game).ferry != ""
    assert view.phase and view.depot and view.market and view.tiles
    fair = Play(CreateGame("fair", NAMES[:3], seed=2), "sensible")
    view, bag = game_view("g", fair.title, fair.data, fair.game), fair_pb2.View()
    assert view.title_state.Unpack(bag) and tuple(bag.drawn) == FairState.of(fair.game).drawn != ()
    assert view.auction.company == bag.drawn[0]
    assert (view.phase, *view.depot, *view.market, *view.tiles, *view.tokens) == ("",)


def _at_the_ferry() -> Play:
    """A game of the island at the step in which a company may hire the ferry."""
    play = Play(CreateGame("island", NAMES[:2], seed=2), "sensible")
    while not any(isinstance(choice.command, HireFerry) for choice in play.found):
        play_on(play, 1)
    return play


def test_one_company_hires_the_ferry() -> None:
    """It pays for it, and nobody else can have it."""
    play = _at_the_ferry()
    company = play.game.actor
    hired = play.decided(play.player, HireFerry(company))
    assert isinstance(hired, Accepted)
    price = play.data.figures.ferry_price
    assert paid(hired.events, company, "bank", price, "island.ferry_hired", company)
    assert FerryHired(company) in hired.events
    play.game.parts["island"] = IslandState("Z")
    refused = play.decided(play.player, HireFerry(company))
    assert isinstance(refused, Rejection)
    assert refused.code == "island.ferry_hired" and refused.clause == "island/2"
    assert refused.message.startswith("the ferry is hired for the whole game")


@pytest.mark.parametrize(("value", "receives"), [("company", True), ("director", False)])
def test_the_ruling_says_who_gets_what_the_ferry_brings_in(value: str, receives: bool) -> None:
    """The company, or its director."""
    table = CreateGame("island", NAMES[:2], rulings=(Ruling("ferry_income", value),), seed=2)
    play = Play(table, "sensible")
    play_on(play)
    income = payments(play.events, "island.ferry_income")
    assert income and {each.target == each.subject for each in income} == {receives}


def test_a_bid_leaves_enough_for_the_builder() -> None:
    """The highest bid listed is the highest accepted; commands of other parts are rejected, not a failure."""
    title = TITLES["fair"]
    begun = create(title, CreateGame("fair", NAMES[:2], seed=1))
    assert isinstance(begun, Accepted)
    data, player = title.load((), {}), acting_players(title, title.load((), {}), begun.game)[0]
    bid = next(each for each in choices(title, data, begun.game, player) if isinstance(each.command, Bid))
    assert isinstance(bid.command, Bid)
    company = bid.command.company
    assert isinstance(decide(title, data, begun.game, player, Bid(company, bid.maximum)), Accepted)
    over = decide(title, data, begun.game, player, Bid(company, bid.maximum + bid.step))
    assert isinstance(over, Rejection) and over.code == "fair.keep_for_builder"
    odd = decide(title, data, begun.game, player, Bid(company, bid.minimum + 1))
    assert isinstance(odd, Rejection) and odd.code == "bid_not_allowed"
    strange = decide(title, data, begun.game, player, LayTile("TEA", "A1", "7", 0))
    assert isinstance(strange, Rejection) and strange.code == "wrong_step"
    assert [type(event) for event in begun.events].count(StallDrawn) == 1


def test_a_stall_that_nobody_wants_goes_back_into_the_bag() -> None:
    """All pass: no money moves, the next stall is drawn; who passed may not come back."""
    play = Play(CreateGame("fair", NAMES[:3], seed=1), "random")
    stall = FairState.of(play.game).drawn[0]
    for number in range(3):
        passed = play.decided(play.player, Pass())
        assert isinstance(passed, Accepted)
        play.carry_out(passed)
        late = play.decided(NAMES[0], Bid(stall, 50))
        assert number == 2 or (isinstance(late, Rejection) and late.code == "auction_lost")
    assert stall not in {each.subject for each in payments(play.events)}
    assert len(FairState.of(play.game).drawn) == 2
    assert play.game.held("bank", stall) == (0,)
