"""Seats and directors over real connections, on both hosts: who may act, what stays, and what the books say."""

from __future__ import annotations

import time

import grpc
import pytest

from services.client import Books, Lobby, Rejected
from services.client.guests import TableGuests
from services.gen.signalbox.lobby.v1 import lobby_service_pb2 as lobby_pb
from services.gen.signalbox.rules.v1 import rules_pb2 as pb
from services.gen.signalbox.rules.v1.rules_pb2_grpc import RulesStub
from services.host.addresses import Addresses
from services.rules.adapters.codec import decode_event, stored_body
from services.rules.adapters.directions import direction_message
from services.rules.adapters.view import game_view
from services.rules.kernel.commands import Pass
from services.rules.kernel.directing.commands import (
    ActForSeat,
    AssignSeat,
    Correct,
    Direct,
    EndGame,
    Resume,
    RollBack,
    Suspend,
)
from services.rules.kernel.fold import replay
from services.rules.kernel.values import Score
from services.rules.titles import TITLES
from tests.hosting import channel_to, followed
from tests.integration.tables import Gathering, Person, failure, person

pytestmark = pytest.mark.integration

SECONDS = 120.0
LOOK_EVERY_SECONDS = 0.2


class Directed:
    """A game of Ann, Bob and Cem; Ann opened the table and directs."""

    def __init__(self, addresses: Addresses) -> None:
        self.addresses = addresses
        people = [person(addresses, name) for name in ("Ann", "Bob", "Cem")]
        self.lobbies = {each.player_id: Lobby(addresses.lobby, each.token) for each in people}
        ann, *others = people
        self.ann = self.lobbies[ann.player_id]
        table_id = self.ann.create_table("1824", len(people), seed=3, owner_directs=True).table_id
        for other in others:
            self.lobbies[other.player_id].join_table(table_id)
        self.gathering = Gathering(self.ann.start_table(table_id), {each.player_id: each for each in people})
        self.table_id, self.game_id = table_id, self.gathering.game_id
        # By seat, who plays it now.
        self.bearers = dict(self.gathering.people)

    def direct(self, command: Direct, bearer_name: str = "", expected: int = 0) -> lobby_pb.Directed:
        """What Ann decides; everybody knows of it."""
        done = self.ann.direct(self.table_id, command, expected, bearer_name)
        for each in (*self.gathering.people.values(), *self.bearers.values()):
            each.games.expect(self.game_id, done.last_sequence)
        return done

    def substitute(self, seat: str, new: Person) -> None:
        """Somebody else, who offers to, plays a seat."""
        guests = TableGuests(new.addresses.lobby, new.token)
        guests.join(self.table_id, as_substitute=True)
        guests.close()
        self.direct(Direct(AssignSeat(seat, "", "substitute"), f"{new.name} helps out"), new.name)
        self.bearers[seat] = new
        new.games.expect(self.game_id, self.gathering.view().sequence)

    def play(self, moves: int) -> None:
        """So many moves of those who play now."""
        for _ in range(moves):
            seat = self.gathering.view().acting_players[0]
            done = self.bearers[seat].move(self.game_id)
            for each in (*self.gathering.people.values(), *self.bearers.values()):
                each.games.expect(self.game_id, done.last_sequence)


def listed(who: Person, game_id: str) -> bool:
    """Whether the lobby lists the game as one of this account's."""
    lobby = Lobby(who.addresses.lobby, who.token)
    try:
        return any(game.status.game_id == game_id for game in lobby.games().games)
    finally:
        lobby.close()


def test_a_game_whose_seats_changed_three_times(addresses: Addresses) -> None:
    """The books balance, former bearers are refused everywhere from that moment, and the history names all of them."""
    game = Directed(addresses)
    game.play(4)
    # Not that of Ann, who directs.
    seat = next(each for each in game.bearers if each != game.gathering.table.owner_id)
    former = [game.bearers[seat]]
    for name in ("Sue", "Tim", "Uma"):
        game.substitute(seat, person(addresses, name))
        for each in former:
            assert_refused(game, each)
        assert followed(addresses, lambda: listed(game.bearers[seat], game.game_id))
        former.append(game.bearers[seat])
        game.play(3)
    view = game.gathering.view()
    (borne,) = [each for each in view.seats if each.seat == seat]
    assert borne.bearer == former[-1].player_id
    assert len(view.decisions) == 3
    assert_sound(game)
    assert followed(addresses, lambda: len(game.ann.table(game.table_id).seat_takers) == 3)
    takers = game.ann.table(game.table_id).seat_takers
    assert [each.bearer.player_id for each in takers] == [each.player_id for each in former[1:]]
    assert [each.bearer.name for each in takers] == [each.name for each in former[1:]]


def assert_refused(game: Directed, former: Person) -> None:
    """No move, no choices, no place in the lists, and nothing of the game in the stream of the account's own games."""
    with pytest.raises(Rejected) as refused:
        former.games.execute(game.game_id, game.gathering.view().sequence, Pass())
    assert refused.value.reason == "not_a_player"
    assert former.games.choices(game.game_id).choices == ()
    assert followed(game.addresses, lambda: not listed(former, game.game_id))
    lobby = Lobby(game.addresses.lobby, former.token)
    try:
        assert not [each for each in lobby.watch_games(seconds=0.3) if each.status.game_id == game.game_id]
        with pytest.raises(Rejected) as refused:
            lobby.direct(game.table_id, Direct(Suspend(), "I want it back"))
    finally:
        lobby.close()
    assert refused.value.reason == "NOT_DIRECTOR"


def assert_sound(game: Directed) -> None:
    """The ledger agrees with rules, and the log folds to the state that is shown."""
    view = game.gathering.view()
    books = Books(game.addresses.ledger, game.gathering.anybody().token)
    try:
        assert followed(game.addresses, lambda: books.audit(game.game_id).compared_sequence >= view.sequence)
        audit = books.audit(game.game_id)
        assert not (audit.differences or audit.broken_laws)
        assert books.trial_balance(game.game_id).balanced
    finally:
        books.close()
    events = game.gathering.anybody().games.events(game.game_id)
    folded = replay([decode_event(*stored_body(event)) for event in events])
    title = TITLES[folded.title]
    assert game_view(game.game_id, title, title.data_of(folded), folded) == view


def test_a_bot_of_the_house_plays_the_seat_that_it_got(addresses: Addresses) -> None:
    """It moves by itself until somebody else is asked."""
    game = Directed(addresses)
    game.play(2)
    seat = game.gathering.asked().player_id
    game.direct(Direct(AssignSeat(seat, "", "bot"), "gone for a month"))
    end = time.monotonic() + SECONDS
    while game.gathering.view().acting_players[0] == seat:
        assert time.monotonic() < end
        time.sleep(LOOK_EVERY_SECONDS)
    (borne,) = [each for each in game.gathering.view().seats if each.seat == seat]
    assert borne.bearer.startswith("house-bot-")
    assert_sound(game)


def test_a_director_steers_a_game_to_its_end(addresses: Addresses) -> None:
    """Suspend, act, correct, resume, roll back past others' turns, and end by scores: each in the log, with its reason."""
    game = Directed(addresses)
    game.play(2)
    begun = game.gathering.view()
    asked = game.gathering.asked()
    game.direct(Direct(Suspend(), "a question about the rules"))
    assert followed(addresses, lambda: game.gathering.view().suspended)
    with pytest.raises(Rejected) as refused:
        asked.games.execute(game.game_id, game.gathering.view().sequence, Pass())
    assert refused.value.reason == "game_suspended"
    at = game.gathering.view().sequence
    game.direct(Direct(ActForSeat(asked.player_id, Pass()), "it was a slip"), expected=at)
    at = game.gathering.view().sequence
    game.direct(Direct(Correct("bank", asked.player_id, 40), "a wrong revenue"), expected=at)
    game.direct(Direct(Resume(), "answered"))
    game.play(5)
    at = game.gathering.view().sequence
    game.direct(Direct(RollBack(begun.sequence), "the answer was wrong"), expected=at)
    view = game.gathering.view()
    assert [each.cash for each in view.players] == [each.cash for each in begun.players]
    assert view.acting_players == begun.acting_players
    scores = tuple(Score(each.player, 100 + place) for place, each in enumerate(view.players))
    with pytest.raises(Rejected) as refused:
        game.ann.direct(game.table_id, Direct(EndGame(scores[:1]), "time is up"), view.sequence)
    assert refused.value.reason == "scores_incomplete"
    game.direct(Direct(EndGame(scores), "time is up"), expected=view.sequence)
    view = game.gathering.view()
    assert view.finished
    assert [each.reason for each in view.decisions] == [
        "a question about the rules",
        "it was a slip",
        "a wrong revenue",
        "answered",
        "the answer was wrong",
        "time is up",
    ]
    assert_sound(game)
    assert followed(addresses, lambda: game.ann.table(game.table_id).ending == "ended_by_director")


def test_rules_takes_decisions_from_the_lobby_alone(addresses: Addresses) -> None:
    """A player's token is refused, that of who directs the table too."""
    game = Directed(addresses)
    request = pb.DirectRequest(
        game_id=game.game_id,
        request_id="d",
        author=game.gathering.anybody().player_id,
        direction=direction_message(Direct(Suspend(), "mine")),
    )
    with channel_to(addresses.rules) as channel:
        call = RulesStub(channel).Direct
        error = failure(lambda: call(request, timeout=60, metadata=game.gathering.anybody().metadata))
    assert error.code() is grpc.StatusCode.PERMISSION_DENIED
    assert not game.gathering.view().suspended
