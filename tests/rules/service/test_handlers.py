"""The rules service over both logs: repeats, races, reading back, followers."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import pairwise

import pytest

from services.common.errors import Unavailable
from services.common.eventlog.memory import MemoryEventLog, MemorySnapshotStore
from services.gen.signalbox.events.v1.events_pb2 import GameEvent
from services.rules.adapters.answers import options_message
from services.rules.adapters.snapshots import state_bytes
from services.rules.catalogue import SetUpRejected, TableRulings, TitleNotInstalled, start
from services.rules.kernel.commands import CreateGame, Pass, Undo
from services.rules.kernel.decide import Accepted, end_by_hand
from services.rules.parts.trains.commands import RunTrains
from services.rules.parts.trains.state import train_turn
from services.rules.requests import (
    CommandAccepted,
    CommandRejected,
    CommandResult,
    Request,
    StaleSequenceError,
)
from services.rules.sessions import UnknownGameError, UnreachedSequenceError
from services.rules.titles import TITLES
from services.rules.titles.g1824.commands import RepayDebt
from tests.positions.rounds import ends_of_game
from tests.rules.service.desk import ANN, BOB, CEM, GAME, SEATS, Desk
from tests.titles.g1824.operating_positions import pilsen_table, run
from tests.titles.g1824.table import ADA
from tests.watching import watched

SHORT = RunTrains("MS", ())
BEST = RunTrains("MS", (run("2-0", "B5 A4"),))


def reason(result: CommandResult) -> str:
    """Why it was turned down."""
    assert isinstance(result, CommandRejected), result
    return result.rejection.code


def test_creating_twice_is_one_game(desk: Desk) -> None:
    """The same creation again is a repeat with the first outcome; another game under the same id is refused."""
    last = desk.create(seed=1)
    again = desk.rules.create(GAME, CreateGame("1824", SEATS, (), (), "own_turn", 1))
    assert again == CommandAccepted(1, last, repeated=True)
    assert reason(desk.rules.create(GAME, CreateGame("1824", SEATS, seed=2))) == "request_id_reused"
    assert desk.sequence() == last
    assert len(desk.follower.statuses) == 1


def test_what_cannot_be_set_up_leaves_nothing(desk: Desk) -> None:
    """An unknown title and a table the title refuses are rejected with the reason, and there is no such game."""
    assert reason(desk.rules.create(GAME, CreateGame("1830", SEATS))) == "unknown_title"
    assert reason(desk.rules.create(GAME, CreateGame("1824", (ANN, ANN, BOB)))) == "duplicate_player"
    with pytest.raises(TitleNotInstalled, match="title '1830' is not installed"):
        start(desk.rules, TITLES, GAME, "1830", SEATS, (), TableRulings("", {}), "none", 0)
    with pytest.raises(SetUpRejected, match="ruling"):
        start(desk.rules, TITLES, GAME, "1824", SEATS, (), TableRulings("", {"tea": "loaded"}), "none", 0)
    with pytest.raises(UnknownGameError):
        desk.game()
    assert desk.log.last_position() == 0


def test_a_repeat_gets_the_first_outcome(desk: Desk) -> None:
    """The same request again, even much later and after a restart, changes nothing and gets the same sequences."""
    at = desk.create()
    player = desk.asked()
    first = desk.ask(player, Pass(), "pass", at)
    desk.move(desk.asked(), Pass())
    before = desk.trace()
    assert isinstance(first, CommandAccepted)
    expected = CommandAccepted(first.first, first.last, repeated=True)
    assert desk.ask(player, Pass(), "pass", at) == expected
    assert desk.trace() == before
    assert Desk(desk.log, desk.snapshots).ask(player, Pass(), "pass", at) == expected


def test_a_used_request_id_with_other_content_is_refused(desk: Desk) -> None:
    """Another player, another command or another expected sequence under a used id is request_id_reused."""
    at = desk.create()
    player = desk.asked()
    desk.ask(player, Pass(), "pass", at)
    before = desk.trace()
    others = [
        desk.ask(BOB, Pass(), "pass", at),
        desk.ask(player, RepayDebt(5), "pass", at),
        desk.ask(player, Pass(), "pass", at + 1),
        desk.ask(player, Pass(), "create", at),
    ]
    assert [reason(other) for other in others] == ["request_id_reused"] * 4
    assert desk.trace() == before


def test_a_refused_request_is_not_kept(desk: Desk) -> None:
    """A refusal changes nothing at all, and its request id is free for another try."""
    desk.create()
    waiting = next(player for player in SEATS if player != desk.asked())
    assert desk.refused(waiting, Pass()) == "not_your_turn"
    before = desk.trace()
    assert reason(desk.ask(desk.asked(), RepayDebt(1), "try")) == "wrong_step"
    assert desk.trace() == before
    assert desk.move(desk.asked(), Pass(), "try").repeated is False


@pytest.mark.parametrize("off_by", [-1, 1, 10**6])
def test_a_stale_sequence_is_reported(desk: Desk, off_by: int) -> None:
    """A request that expects another sequence is not decided and gets the latest sequence."""
    at = desk.create()
    before = desk.trace()
    with pytest.raises(StaleSequenceError) as stale:
        desk.ask(desk.asked(), Pass(), expected=at + off_by)
    assert (stale.value.expected, stale.value.actual) == (at + off_by, at)
    assert desk.trace() == before


def test_another_writer_of_the_log_is_noticed(desk: Desk) -> None:
    """When somebody else wrote to the game's stream, the loser of the race gets an error and then sees the new state."""
    at = desk.create()
    player = desk.asked()
    other = Desk(desk.log, desk.snapshots)
    moved = other.move(player, Pass(), "theirs")
    assert desk.sequence() == at
    with pytest.raises(StaleSequenceError) as stale:
        desk.ask(player, Pass(), "mine", at)
    assert stale.value.actual == moved.last
    assert desk.sequence() == moved.last
    assert state_bytes(desk.game()) == state_bytes(other.game())


def test_unknown_games_and_sequences(desk: Desk) -> None:
    """No game, and a sequence not reached or below 1, get an error of their own each."""
    with pytest.raises(UnknownGameError, match="nowhere"):
        desk.ask(ANN, Pass(), expected=1, game_id="nowhere")
    last = desk.create()
    for sequence in (-1, last + 1):
        with pytest.raises(UnreachedSequenceError):
            desk.rules.reader.game_at(GAME, sequence)
    with pytest.raises(UnreachedSequenceError):
        desk.rules.reader.events(GAME, last + 1)


def running(desk: Desk) -> None:
    """A company that could run to Dresden or, for nothing or less, elsewhere."""
    table = pilsen_table("2")
    table.tiles_lie((("A6", "3", 5),))
    desk.place(table.log)


def test_a_worse_run_is_refused_and_the_best_one_shown(desk: Desk) -> None:
    """Running for less than possible is route_not_best, with the better runs in the answer; those are accepted."""
    running(desk)
    before = desk.trace()
    refused = desk.ask(ADA, SHORT)
    assert reason(refused) == "route_not_best"
    assert isinstance(refused, CommandRejected)
    assert refused.best_runs is not None
    assert refused.best_runs.revenue > 0
    assert [shown.train for shown in refused.best_runs.runs] == ["2-0"]
    assert desk.trace() == before
    options = desk.rules.reader.options(GAME, ADA, with_best_runs=True)
    assert [each.clause for each in options_message(options).choices] == ["1824/VII.10-e"]
    (choice,) = options.choices
    desk.move(ADA, choice.command)
    assert train_turn(desk.game()).revenue == refused.best_runs.revenue


def test_a_refusal_for_another_reason_shows_no_runs(desk: Desk) -> None:
    """Best runs are shown only where a better run is the reason."""
    running(desk)
    refused = desk.ask(ADA, RunTrains("MS", (run("9-9", "B5 A4"),)))
    assert isinstance(refused, CommandRejected)
    assert (refused.rejection.code, refused.best_runs) == ("train_not_owned", None)


def test_without_routing_only_runs_have_to_wait(desk: Desk) -> None:
    """No answer: the run is refused as worth repeating, choices stay open, everything else goes on."""
    running(desk)
    other = desk.create(game_id="other")
    desk.solver.answers = False
    before = desk.trace()
    refused = desk.ask(ADA, BEST)
    assert isinstance(refused, CommandRejected)
    assert (refused.rejection.code, refused.rejection.retryable) == ("routing_unavailable", True)
    assert desk.trace() == before
    options = desk.rules.reader.options(GAME, ADA, with_best_runs=True)
    assert ([choice.open_field for choice in options.choices], options.best_runs) == (["runs"], None)
    assert desk.move(desk.asked("other"), Pass(), game_id="other").first == other + 1
    desk.solver.answers = True
    desk.move(ADA, BEST)


def test_the_best_run_known_is_accepted_without_its_proof(desk: Desk) -> None:
    """A game never stands still for want of a proof, and a worse run than the best known is still refused."""
    running(desk)
    desk.solver.proves = False
    assert desk.refused(ADA, SHORT) == "route_not_best"
    desk.move(ADA, BEST)


def test_strangers_do_not_set_the_solver_to_work(desk: Desk) -> None:
    """A run asked for by somebody who may not act is refused without a question to routing."""
    running(desk)
    assert desk.refused("mallory", BEST) == "not_a_player"
    assert desk.solver.asked == 0


def test_every_earlier_state_is_the_fold_of_its_part_of_the_log(desk: Desk) -> None:
    """The state at any sequence equals the log folded up to there, from memory as well as after a restart."""
    desk.create("free")
    desk.play_on(30)
    back = desk.follower.statuses[10].sequence
    desk.move(ANN, Undo(back))
    desk.play_on(5)
    again = Desk(desk.log, desk.snapshots)
    for at in range(1, desk.sequence() + 1):
        expected = desk.folded(up_to=at)
        assert state_bytes(desk.rules.reader.game_at(GAME, at).game) == expected
        assert state_bytes(again.rules.reader.game_at(GAME, at).game) == expected


def test_games_leave_the_memory_and_come_back(desk: Desk) -> None:
    """With room for two games five are played in turns, and each stands as its log says."""
    small = Desk(desk.log, desk.snapshots, games_in_memory=2)
    games = [f"g{number}" for number in range(5)]
    for game_id in games:
        small.create(game_id=game_id)
    first = small.sessions.get(games[0])
    for _ in range(4):
        for game_id in games:
            small.move(small.asked(game_id), Pass(), game_id=game_id)
    assert first.evicted
    assert small.sessions.get(games[0]) is not first
    for game_id in games:
        assert state_bytes(small.game(game_id)) == small.folded(game_id)


def test_a_failing_follower_raises_the_alarm_and_loses_nothing(desk: Desk) -> None:
    """The command stands, the alarm names game and sequence, and the follower gets the next events."""
    desk.create()
    second: list[GameEvent] = []

    class Second:
        def follow(self, game_id: str, events: list[GameEvent], status: object, balances: object) -> None:
            second.extend(events)

    desk.rules.add_follower(Second())  # type: ignore[arg-type]
    desk.follower.is_failing = True
    moved = desk.move(desk.asked(), Pass())
    assert desk.alarm.raised == [(GAME, moved.last, "out of paper")]
    assert [event.sequence for event in second] == list(range(moved.first, moved.last + 1))
    assert state_bytes(desk.game()) == desk.folded()
    desk.follower.is_failing = False
    moved = desk.move(desk.asked(), Pass())
    assert desk.follower.events[-1].sequence == moved.last


def test_followers_get_every_event_once_and_in_order(desk: Desk) -> None:
    """From the first event on, each with its request, and with balances that belong to its sequence."""
    desk.create("free")
    desk.play_on(12)
    desk.move(ANN, Undo(desk.follower.statuses[3].sequence), "back")
    received = desk.follower.events
    assert [event.sequence for event in received] == list(range(1, desk.sequence() + 1))
    assert {event.game_id for event in received} == {GAME}
    assert (received[0].request_id, received[-1].request_id) == ("create", "back")
    assert received == desk.rules.reader.events(GAME)
    assert [each.sequence for each in desk.follower.statuses][-1] == desk.sequence()
    assert desk.follower.cash == desk.game().cash


def test_of_two_at_the_same_sequence_one_wins(desk: Desk) -> None:
    """Two threads that expect the same sequence: one is carried out, the other gets the latest sequence."""
    desk.create("free")
    for turn in range(15):
        at, player = desk.sequence(), desk.asked()
        barrier = threading.Barrier(2)
        results: list[object] = []

        def race(
            name: str,
            at: int = at,
            player: str = player,
            barrier: threading.Barrier = barrier,
            results: list[object] = results,
        ) -> None:
            barrier.wait()
            try:
                results.append(desk.ask(player, Pass(), name, at))
            except StaleSequenceError as stale:
                results.append(stale.actual)

        threads = [threading.Thread(target=race, args=(f"{turn}{name}",)) for name in "ab"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        (won,) = (result for result in results if isinstance(result, CommandAccepted))
        assert results.count(won.last) == 1
        if desk.game().current_round.kind != "initial_stock":
            break
    assert state_bytes(desk.game()) == desk.folded()


def test_the_same_request_sent_twice_at_once_is_done_once(desk: Desk) -> None:
    """Two copies of one request at the same time both get its one outcome."""
    at = desk.create()
    player, barrier = desk.asked(), threading.Barrier(2)
    results: list[CommandResult] = []

    def send() -> None:
        barrier.wait()
        results.append(desk.ask(player, Pass(), "same", at))

    threads = [threading.Thread(target=send) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(result.repeated for result in results if isinstance(result, CommandAccepted)) == [
        False,
        True,
    ]
    first, second = (result for result in results if isinstance(result, CommandAccepted))
    assert (first.first, first.last) == (second.first, second.last)


def test_watching_gives_every_event_without_gaps(desk: Desk) -> None:
    """Past events first, then each as it happens, while others move."""
    desk.create()
    seen: list[int] = []

    def watch() -> None:
        with suppress(Unavailable):
            for event in watched(desk.rules.reader, GAME, 5):
                seen.append(event.sequence)

    watcher = threading.Thread(target=watch)
    watcher.start()
    desk.play_on(25)
    while not seen or seen[-1] < desk.sequence():
        assert watcher.is_alive()
    desk.rules.reader.end_watches()
    watcher.join()
    assert seen[0] == 6
    assert all(later == earlier + 1 for earlier, later in pairwise(seen))


def test_a_watcher_may_be_ahead_of_the_state_in_memory() -> None:
    """Events already in the log are sent on even if the state in memory still is the one before them."""
    desk = Desk(MemoryEventLog(), MemorySnapshotStore())
    last = desk.create()
    assert desk.sequence() == last
    seen = watched(desk.rules.reader, GAME, last)
    other = Desk(desk.log, desk.snapshots)
    for _ in range(2):
        moved = other.move(other.asked(), Pass())
        desk.rules.reader.notifier.publish(GAME)
        for sequence in range(moved.first, moved.last + 1):
            assert next(seen).sequence == sequence
    assert desk.sequence() == last


def test_watchers_are_let_go_when_the_service_stops(desk: Desk) -> None:
    """A watcher that waits for the next event is woken at once and ends."""
    last = desk.create()
    with ThreadPoolExecutor(1) as watcher:
        ended = watcher.submit(list, watched(desk.rules.reader, GAME, last))
        desk.rules.reader.end_watches()
        with pytest.raises(Unavailable, match="the service stops"):
            ended.result(60)


def test_watching_what_was_not_reached_is_refused(desk: Desk) -> None:
    """To begin after a sequence that the game has not reached is an error, not an endless wait."""
    last = desk.create()
    with pytest.raises(UnreachedSequenceError):
        next(watched(desk.rules.reader, GAME, last + 1))


def test_a_trusted_tool_records_once(desk: Desk) -> None:
    """What a local tool decided is appended as the outcome of its request, and a repeat gets that outcome."""
    at = desk.create()
    loaded = desk.rules.reader.game_at(GAME).loaded
    decided = end_by_hand(loaded.title, loaded.data, loaded.game)
    assert isinstance(decided, Accepted)
    request = Request(GAME, "", "end", at, Pass())
    first = desk.rules.record(request, decided)
    assert first == CommandAccepted(at + 1, at + 1)
    assert desk.rules.record(request, decided) == CommandAccepted(at + 1, at + 1, repeated=True)
    assert desk.game().finished
    assert desk.refused(CEM, Pass()) == "game_finished"
    assert ends_of_game(desk.stored()[-1:])
