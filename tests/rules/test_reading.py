"""What everybody may know: choices, views, events and what happens next."""

from __future__ import annotations

from threading import Thread

import pytest

from services.gen.signalbox.titles.g1824.v1 import g1824_pb2
from services.gen.signalbox.titles.g1862.v1 import g1862_pb2
from services.rules.adapters.answers import options_message
from services.rules.adapters.codec import choice_message, read_choice
from services.rules.adapters.view import game_view
from services.rules.kernel.commands import CreateGame, Pass
from services.rules.kernel.decide import Accepted, create
from services.rules.kernel.fold import fold
from services.rules.kernel.game import Game
from services.rules.parts.auctions.events import AuctionOpened, BidMade
from services.rules.parts.map.board import LaidTile
from services.rules.parts.shares.events import ParSet
from services.rules.parts.shares.state import companies_of
from services.rules.parts.trains.commands import RunTrains
from services.rules.parts.trains.data import train_kinds_of
from services.rules.sessions import UnknownGameError, UnreachedSequenceError
from services.rules.titles import TITLES
from services.rules.titles.g1824.commands import RepayDebt
from services.rules.titles.g1824.state import State as State1824
from services.rules.titles.g1862.events import (
    CharterSideSet,
    ExchangeStarted,
    MonopolyFormed,
    ObligationTaken,
    OptionMarked,
    StationAdded,
    TrainKindChosen,
    WarrantiesSet,
)
from services.rules.titles.g1862.state import charter_of
from tests.rules.conftest import Desk
from tests.rules.tiny import BEST_RUN
from tests.watching import watched


def test_choices_are_those_of_the_player_at_turn(desk: Desk) -> None:
    """Others have none; every choice survives the way over the wire."""
    options = desk.rules.reader.options("g", "ann")
    assert options.sequence == 5
    assert [type(choice.command) for choice in options.choices] == [RepayDebt, RunTrains, Pass]
    assert [read_choice(choice_message(choice)) for choice in options.choices] == list(options.choices)
    assert desk.rules.reader.options("g", "bob").choices == ()
    assert desk.rules.reader.options("g", "eve").choices == ()


def test_open_runs_are_filled_with_the_best_ones(desk: Desk) -> None:
    """As a player would draw them, so that they can be sent as they are; without routing they stay open."""
    options = desk.rules.reader.options("g", "ann", with_best_runs=True)
    runs = [choice.command for choice in options.choices if isinstance(choice.command, RunTrains)]
    assert runs == [RunTrains("BK", (BEST_RUN,))]
    assert options.best_runs is not None
    assert options.best_runs.revenue == 40
    sent = options_message(options).best_runs
    assert (sent.revenue, sent.proven, sent.upper_bound) == (40, True, 40)
    desk.solver.silent = True
    silent = desk.rules.reader.options("g", "ann", with_best_runs=True)
    assert silent.best_runs is None
    assert len(silent.choices) == 3


def test_events_are_read_between_two_sequences(desk: Desk) -> None:
    """Any stretch, each event with its request; beyond the end is refused."""
    desk.play_some(2)
    events = desk.rules.reader.events("g", 5, 8)
    assert [event.sequence for event in events] == [6, 7, 8]
    assert [event.request_id for event in events] == ["ann-5", "ann-6", "bob-7"]
    last = desk.rules.reader.last_sequence("g")
    assert desk.rules.reader.events("g", last) == []
    with pytest.raises(UnreachedSequenceError):
        desk.rules.reader.events("g", last + 1)
    with pytest.raises(UnknownGameError):
        desk.rules.reader.events("nowhere")


def test_a_watcher_gets_everything_once_and_in_order(desk: Desk) -> None:
    """The past first, then what happens while watching, without gap or repeat."""
    expected = 5 + 4 * 25
    seen: list[int] = []

    def watch() -> None:
        for event in watched(desk.rules.reader, "g", 0):
            seen.append(event.sequence)
            if len(seen) == expected:
                return

    watcher = Thread(target=watch)
    watcher.start()
    desk.play_some(25)
    watcher.join(60)
    assert seen == list(range(1, expected + 1))


def test_a_watcher_that_does_not_read_delays_nobody(desk: Desk) -> None:
    """A stream that was opened and left alone lets the game go on, and has it all later."""
    stream = watched(desk.rules.reader, "g", 0)
    assert next(stream).sequence == 1
    desk.play_some(10)
    rest = [next(stream).sequence for _ in range(44)]
    assert rest == list(range(2, 46))


def test_the_view_shows_a_fresh_game_of_1824() -> None:
    """Players, companies, depot and whose turn it is agree with the state."""
    title = TITLES["1824"]
    decided = create(title, CreateGame("1824", ("ann", "bob", "cy")))
    assert isinstance(decided, Accepted)
    game = decided.game
    data = title.load(game.options, game.rulings)
    view = game_view("g", title, data, game)
    assert [player.player for player in view.players] == ["ann", "bob", "cy"]
    assert sum(player.cash for player in view.players) + view.bank_cash == sum(game.cash.values())
    assert {company.company for company in view.companies} == set(companies_of(game))
    assert view.players[0].certificate_limit == 21
    assert view.round.actor == game.actor
    assert list(view.acting_players) == [game.actor]
    assert [train.train for train in view.depot] == list(train_kinds_of(data))
    assert view.depot[0].left_count > 0
    assert sum(holding.shares for holding in view.holdings if holding.company == "BK") == 10
    assert {company.shares for company in view.companies if company.company in ("BK", "SD", "EPP")} == {10, 1}
    assert view.sequence == game.sequence


def test_the_view_shows_what_1862_adds() -> None:
    """Offer, licences, auction, obligations, train terms, pieces beneath, an exchange of shares, the limit after the end."""
    title = TITLES["1862"]
    decided = create(title, CreateGame("1862", ("ann", "bob", "cy"), seed=3))
    assert isinstance(decided, Accepted)
    game = decided.game.copy()
    data = title.load(game.options, game.rulings)
    dealt = [symbol for symbol in companies_of(game) if charter_of(game, symbol).offered_from == "A"]
    AuctionOpened(dealt[0], ("ann", "cy")).write(game)
    BidMade("ann", dealt[0], 25).write(game)
    ObligationTaken("bob", dealt[1]).write(game)
    CharterSideSet(dealt[1], True).write(game)
    ParSet(dealt[1], 74).write(game)
    TrainKindChosen("A-1", "freight").write(game)
    WarrantiesSet("A-1", 2).write(game)
    StationAdded("C8", LaidTile("20", 1, 0)).write(game)
    ExchangeStarted("merger", dealt[1], dealt[2], "ann", 66, ("ann", "bob")).write(game)
    OptionMarked("bob", dealt[1], 4, 37, 33).write(game)
    MonopolyFormed("LNER", 21).write(game)
    view = game_view("g", title, data, game)
    assert (view.auction.company, view.auction.leader, view.auction.price) == (dealt[0], "ann", 25)
    assert list(view.auction.bidders) == ["ann", "cy"] and not view.auction.won
    shown = g1862_pb2.View()
    assert view.title_state.Unpack(shown)
    assert [(each.player, each.company) for each in shown.obligations] == [("bob", dealt[1])]
    terms = shown.train_terms[0]
    assert (terms.train, terms.kind, terms.warranties) == ("A-1", "freight", 2)
    assert (shown.beneath[0].hex, shown.beneath[0].piece.tile) == ("C8", "20")
    (exchange,) = shown.exchange
    assert (exchange.company, list(exchange.holders)) == (dealt[1], ["ann", "bob"])
    assert exchange.options[0].redeem_price == 37
    assert {player.certificate_limit for player in view.players} == {21} and shown.monopoly == "LNER"
    assert {company.company: company for company in view.companies}[dealt[1]].par == 74
    charter = {each.company: each for each in shown.charters}[dealt[1]]
    assert (charter.chartered, charter.offered_from) == (True, "A")
    assert tuple(charter.licences) == charter_of(game, dealt[1]).licences


@pytest.mark.parametrize("name", ["1824", "1862", "1865", "rotw"])
def test_a_game_is_shown_at_each_sequence_of_its_set_up(name: str) -> None:
    """Also before there are companies or a market; what only the title knows comes with the first round."""
    title = TITLES[name]
    decided = create(title, CreateGame(name, ("ann", "bob", "cy"), seed=3))
    assert isinstance(decided, Accepted)
    data = title.load(decided.game.options, decided.game.rulings)
    rounds = 0
    for last in range(1, len(decided.events) + 1):
        game = fold(Game(), decided.events[:last])
        view = game_view("g", title, data, game)
        assert view.sequence == last
        assert view.HasField("title_state") == view.HasField("round")
        rounds += view.HasField("round")
    assert 0 < rounds < len(decided.events)


def test_the_view_of_a_title_shows_nothing_of_another() -> None:
    """1824 has no auction, and beside what all games show only the certificates that it keeps for exchanges."""
    title = TITLES["1824"]
    decided = create(title, CreateGame("1824", ("ann", "bob", "cy")))
    assert isinstance(decided, Accepted)
    game = decided.game
    view = game_view("g", title, title.load((), game.rulings), game)
    assert not view.HasField("auction")
    shown = g1824_pb2.View()
    assert view.title_state.Unpack(shown)
    assert {each.company: tuple(each.numbers) for each in shown.reserved} == State1824.of(game).reserved


def test_followers_get_the_status_of_the_game(desk: Desk) -> None:
    """Who acts, in which round, and when the last event was recorded; a result when the game is over."""
    desk.do("ann", Pass())
    status = desk.follower.statuses[-1]
    assert (status.title, tuple(status.players), status.sequence) == (
        "tiny",
        ("ann", "bob"),
        desk.game().sequence,
    )
    assert (status.round_kind, status.turn, status.actor) == ("stock", 1, "bob")
    assert status.acting_players == ["bob"]
    assert (status.ending, list(status.results)) == ("", [])
    assert status.recorded_time_ms == desk.log.read("game/g")[-1].recorded_time_ms
