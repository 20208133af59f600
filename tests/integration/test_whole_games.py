"""Whole games over gRPC, as bot writers and platforms play them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import pytest
from msgspec.structs import replace

from services.bots import BOTS
from services.client import Books, Games, Player, Rejected, play_game
from services.client.player import share_sequence, take_turn
from services.rules.adapters.codec import decode_event, stored_body
from services.rules.adapters.view import game_view
from services.rules.kernel.choice import Choice
from services.rules.kernel.commands import Command
from services.rules.kernel.fold import replay
from services.rules.parts.trains.commands import Hop, RunTrains, TrainRun
from services.rules.titles import TITLES
from tests.hosting import Host, Seated, followed, host_of_kind, hosting, seat

pytestmark = pytest.mark.integration

COMMANDS_BEFORE_THE_RESTART = 120


def players_of(seated: Seated, host: Host, bot: str) -> dict[str, Player]:
    """A bot in every seat."""
    return {
        player_id: Player(player_id, seated.games(host, number), BOTS[bot](number))
        for number, player_id in enumerate(seated.seats)
    }


def turns(players: dict[str, Player], game_id: str) -> Iterator[int]:
    """Play on, command by command; gives the sequence after each."""
    anybody = next(iter(players.values())).games
    while not (view := anybody.game(game_id)).finished:
        accepted = take_turn(players[view.acting_players[0]], game_id)
        assert accepted is not None, "who is asked may do something"
        share_sequence(players, game_id, accepted.last_sequence)
        yield accepted.last_sequence


def assert_books_agree(host: Host, seated: Seated, sequence: int) -> None:
    """Balanced at this sequence, compared with the rules there, and no hold."""
    books = Books(host.addresses.ledger, seated.tokens[seated.seats[0]])
    followed(host.addresses, lambda: books.audit(seated.game_id).compared_sequence >= sequence)
    trial, audit = books.trial_balance(seated.game_id), books.audit(seated.game_id)
    assert trial.balanced and trial.sequence == sequence == audit.compared_sequence
    assert not audit.differences and not audit.broken_laws and not audit.HasField("hold")


@pytest.fixture
def host(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Host]:
    """A host of the kind that the test is given."""
    yield from host_of_kind(request, tmp_path)


@pytest.mark.parametrize(
    ("host", "title", "bot", "profile", "options"),
    [
        ("embedded", "1824", "random", "18xx.games", ("goods_time",)),
        ("embedded", "1862", "eager", "18xx.games", ("short_game",)),
        pytest.param("embedded", "1865", "sensible", "", ("short_game",), marks=pytest.mark.soak),
        pytest.param("embedded", "rotw", "sensible", "", (), marks=pytest.mark.soak),
        ("cluster", "1824", "sensible", "", ("cisleithania",)),
        ("cluster", "1862", "eager", "18xx.games", ("short_game",)),
        ("cluster", "1865", "sensible", "", ("short_game",)),
        ("cluster", "rotw", "sensible", "", ("small_map",)),
    ],
    indirect=["host"],
)
def test_bots_play_a_whole_game(
    host: Host, title: str, bot: str, profile: str, options: tuple[str, ...]
) -> None:
    """It ends with scores; the log folds to the live state, a watcher saw all of it, and the books agree."""
    seated = seat(host, title, 3, profile, options=options)
    players = players_of(seated, host, bot)
    final = play_game(players, seated.game_id)
    games = players[seated.seats[1]].games
    events = list(games.events(seated.game_id))
    assert [event.sequence for event in events] == list(range(1, final.sequence + 1))
    assert list(islice(games.watch(seated.game_id, seconds=300), len(events))) == events
    folded = replay(decode_event(*stored_body(event)) for event in events)
    data = TITLES[title].data_of(folded)
    assert game_view(seated.game_id, TITLES[title], data, folded) == final
    assert [score.player for score in final.scores] != [] and final.ending
    assert_books_agree(host, seated, final.sequence)


def test_play_goes_on_after_a_restart(tmp_path: Path) -> None:
    """A host stopped in mid game comes back with the same state, and the players' tokens are still good."""
    with hosting(tmp_path) as host:
        seated = seat(host, "1824", 4)
        played = turns(players_of(seated, host, "sensible"), seated.game_id)
        *_, sequence = islice(played, COMMANDS_BEFORE_THE_RESTART)
        before = seated.games(host, 0).game(seated.game_id)
        assert before.sequence == sequence
    with hosting(tmp_path) as host:
        assert seated.games(host, 0).game(seated.game_id) == before
        played = turns(players_of(seated, host, "sensible"), seated.game_id)
        *_, sequence = islice(played, COMMANDS_BEFORE_THE_RESTART)
        assert_books_agree(host, seated, sequence)


def forged_runs(command: RunTrains) -> dict[str, RunTrains]:
    """Runs that must be refused, by the reason, made from the best ones of a company."""
    first, *others = command.runs
    unmapped = TrainRun(first.train, (Hop(("A8", "J13")),))
    return {
        "route_not_best": replace(command, runs=()),
        "route_unknown_track": replace(command, runs=(unmapped, *others)),
        "train_not_owned": replace(command, runs=(replace(first, train="10-9"), *others)),
        "route_runs_twice": replace(command, runs=(first, first)),
        "not_your_turn": replace(command, company="UG"),
    }


def first_run(
    games: Sequence[Games], game_id: str, players: dict[str, Player]
) -> tuple[int, Games, RunTrains]:
    """Play until a company can run for money; gives the sequence, its director's client and the best runs."""
    while True:
        for each in games:
            offer = each.choices(game_id)
            run = _profitable(offer.choices)
            if run is not None:
                return offer.sequence, each, run
        asked = games[0].game(game_id).acting_players[0]
        accepted = take_turn(players[asked], game_id)
        assert accepted is not None, "who is asked may do something"
        share_sequence(players, game_id, accepted.last_sequence)


def _profitable(choices: Sequence[Choice]) -> RunTrains | None:
    commands: list[Command] = [choice.command for choice in choices if choice.open_field == "runs"]
    return next((each for each in commands if isinstance(each, RunTrains) and each.runs), None)


def test_forged_runs_are_refused(tmp_path: Path) -> None:
    """A worse run, track that is not there, another's train, a train twice: each its own reason, the game unchanged; the
    best runs are then accepted with the revenue computed here."""
    with hosting(tmp_path) as host:
        seated = seat(host, "1824", 3)
        players = players_of(seated, host, "sensible")
        games = [players[each].games for each in seated.seats]
        sequence, director, best = first_run(games, seated.game_id, players)
        before = director.game(seated.game_id)
        for reason, forged in forged_runs(best).items():
            with pytest.raises(Rejected) as refused:
                director.execute(seated.game_id, sequence, forged)
            assert refused.value.reason == reason
            assert director.game(seated.game_id) == before
        accepted = director.execute(seated.game_id, sequence, best)
        ran = [event.trains_ran for event in accepted.events if event.HasField("trains_ran")]
        assert [each.company for each in ran] == [best.company] and ran[0].revenue > 0
