"""What a director decides about a game: what it changes, what is refused, and who may move afterwards."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from services.rules.adapters.view import game_view
from services.rules.kernel.choice import Choice
from services.rules.kernel.commands import Pass, Undo
from services.rules.kernel.directing.commands import (
    ActForSeat,
    AssignSeat,
    Correct,
    Direct,
    Direction,
    EndGame,
    Resume,
    RollBack,
    Suspend,
)
from services.rules.kernel.directing.decide import REASON_LENGTH_MAX
from services.rules.kernel.directing.events import DirectorDecided, GameSuspended, SeatTaken
from services.rules.kernel.events import CashMoved, GameEnded, Undone
from services.rules.kernel.sentences import decision_sentence
from services.rules.kernel.values import BearerKind, Score
from services.rules.parts.trains.commands import RunTrains
from services.rules.requests import (
    CommandAccepted,
    CommandRejected,
    CommandResult,
    Request,
    StaleSequenceError,
)
from services.rules.titles.g1824.commands import RepayDebt
from tests.rules.conftest import Desk
from tests.rules.directing.directors import direct, directed, facts, refusal
from tests.rules.tiny import BEST_RUN

SUBSTITUTE = AssignSeat("ann", "sue", "substitute")


def rejected_move(desk: Desk, player: str) -> str:
    """The reason for which a pass of this account is refused."""
    return desk.refusal(player, Pass()).rejection.code


def test_a_seat_is_taken_by_another_account(desk: Desk) -> None:
    """The former bearer may not move from then on, the new one moves; what the seat holds stays with it."""
    cash = dict(desk.game().cash)
    done = directed(desk, SUBSTITUTE)
    assert facts(desk)[done.first - 1 :] == [
        DirectorDecided("assign_seat", "ann", "olga", "why not", ""),
        SeatTaken("ann", "sue", "ann", "substitute"),
    ]
    assert desk.game().cash == cash
    assert rejected_move(desk, "ann") == "not_a_player"
    assert desk.rules.reader.seat_of("g", "sue") == "ann"
    assert desk.rules.reader.seat_of("g", "ann") is None
    desk.do("sue", RepayDebt(1))
    assert desk.game().money("ann") == cash["ann"] - 1
    assert desk.game().money("sue") == 0


def test_the_same_seat_changes_three_times_and_goes_back(desk: Desk) -> None:
    """Only the last bearer moves, also when that is the one with whom the game began."""
    takers: tuple[tuple[str, BearerKind], ...] = (("sue", "substitute"), ("bot", "bot"), ("ann", "player"))
    for bearer, kind in takers:
        directed(desk, AssignSeat("ann", bearer, kind))
        for account in ("ann", "sue", "bot"):
            if account != bearer:
                assert rejected_move(desk, account) == "not_a_player"
        desk.do(bearer, RepayDebt(1))
    assert [each.former for each in facts(desk) if isinstance(each, SeatTaken)] == ["ann", "sue", "bot"]


def test_a_former_player_may_take_another_seat(desk: Desk) -> None:
    """An account is looked up among those who play now, not among the names of seats."""
    directed(desk, SUBSTITUTE)
    directed(desk, AssignSeat("bob", "ann", "substitute"))
    assert rejected_move(desk, "ann") == "not_your_turn"
    desk.do("sue", Pass())
    desk.do("ann", RepayDebt(1))
    assert desk.game().money("bob") == desk.game().money("ann") - 1


@pytest.mark.parametrize(
    ("direction", "code"),
    [
        (AssignSeat("cem", "sue", "substitute"), "unknown_seat"),
        (AssignSeat("ann", "bob", "substitute"), "bearer_not_possible"),
        (AssignSeat("ann", "ann", "player"), "bearer_not_possible"),
        (AssignSeat("ann", "bank", "bot"), "bearer_not_possible"),
        (AssignSeat("ann", "BK", "bot"), "bearer_not_possible"),
        (AssignSeat("ann", "", "bot"), "bearer_not_possible"),
        (Resume(), "not_suspended"),
        (RollBack(0), "undo_target"),
        (RollBack(5), "undo_target"),
        (RollBack(3), "undo_target"),
        (ActForSeat("sue", Pass()), "unknown_seat"),
        (ActForSeat("bob", Pass()), "not_your_turn"),
        (ActForSeat("ann", Undo(1)), "undo_forbidden"),
        (ActForSeat("ann", RepayDebt(1_000)), "not_enough_cash"),
        (Correct("ann", "bob", 101), "not_enough_cash"),
        (Correct("ann", "bob", 0), "value_out_of_range"),
        (Correct("bank", "bob", 10**12), "value_out_of_range"),
        (Correct("ann", "sue", 1), "unknown_holder"),
        (Correct("ann", "ann", 1), "unknown_holder"),
        (EndGame((Score("ann", 1),)), "scores_incomplete"),
        (EndGame((Score("ann", 1), Score("ann", 2))), "scores_incomplete"),
        (EndGame((Score("ann", 1), Score("bob", 10**12))), "value_out_of_range"),
    ],
)
def test_what_cannot_be_decided_is_refused_and_changes_nothing(
    desk: Desk, direction: Direction, code: str
) -> None:
    """Each with a reason of its own."""
    assert refusal(desk, direction) == code


def test_a_decision_needs_a_reason_and_another_person_to_confirm_it(desk: Desk) -> None:
    """Blanks are no reason, and nobody confirms what they decided themselves."""
    for reason in ("", " \n", "x" * (REASON_LENGTH_MAX + 1)):
        assert refusal(desk, Suspend(), reason=reason) == "reason_needed"
    assert refusal(desk, Suspend(), confirmed_by="olga") == "confirmed_by_author"
    directed(desk, Suspend(), confirmed_by="paul")
    (decision,) = desk.game().decisions
    assert decision.confirmed_by == "paul"
    assert decision_sentence(decision).text == "olga suspended the game, confirmed by paul: why not"


def test_nobody_moves_in_a_suspended_game(desk: Desk) -> None:
    """Nobody is asked, no choice is offered, and no undo is taken, until it is resumed."""
    desk.do("ann", RepayDebt(1))
    directed(desk, Suspend())
    assert rejected_move(desk, "ann") == "game_suspended"
    assert desk.refusal("ann", Undo(5)).rejection.code == "game_suspended"
    assert desk.rules.reader.options("g", "ann").choices == ()
    assert refusal(desk, Suspend()) == "game_suspended"
    status = desk.follower.statuses[-1]
    assert status.suspended
    assert list(status.acting_players) == []
    directed(desk, Resume())
    assert list(desk.follower.statuses[-1].acting_players) == ["ann"]
    desk.do("ann", Pass())


def test_a_director_acts_for_a_seat_even_while_the_game_is_suspended(desk: Desk) -> None:
    """The facts are those of the move, after the decision; the game stays suspended."""
    directed(desk, Suspend())
    done = directed(desk, ActForSeat("ann", RepayDebt(3)))
    assert facts(desk)[done.first - 1 :] == [
        DirectorDecided("act_for_seat", "ann", "olga", "why not", ""),
        CashMoved("ann", "bank", 3, "correction"),
    ]
    assert desk.game().suspended


def test_routing_is_asked_for_a_run_of_a_director(desk: Desk) -> None:
    """As for that of the player, also while the game is suspended."""
    directed(desk, Suspend())
    result = direct(desk, ActForSeat("ann", RunTrains("BK", ())))
    assert isinstance(result, CommandRejected)
    assert result.rejection.code == "route_not_best"
    assert result.best_runs is not None
    directed(desk, ActForSeat("ann", RunTrains("BK", (BEST_RUN,))))
    assert desk.solver.asked == 2


@pytest.mark.parametrize("policy", ["free", "own_turn", "none"])
def test_a_director_rolls_back_past_the_undo_policy(policy: str) -> None:
    """To the end of any request; nothing is erased, and who plays stays as it is."""
    desk = Desk()
    desk.create(undo_policy=policy)  # type: ignore[arg-type]
    first = desk.do("ann", RepayDebt(1))
    before = desk.game()
    desk.do("ann", Pass())
    directed(desk, SUBSTITUTE)
    desk.do("bob", RepayDebt(7))
    done = directed(desk, RollBack(first))
    assert facts(desk)[done.first - 1 :] == [
        DirectorDecided("roll_back", "", "olga", "why not", ""),
        Undone("olga", first),
    ]
    after = desk.game()
    assert after.cash == before.cash
    assert after.bearer_of("ann").account == "sue"
    assert [each.kind for each in after.decisions] == ["assign_seat", "roll_back"]
    assert replace(after, sequence=first, bearers={}, decisions=()) == before
    desk.do("sue", Pass())


def test_a_roll_back_takes_the_end_of_a_game_back(desk: Desk) -> None:
    """Everything else is refused in a game that is over."""
    at = desk.game().sequence
    directed(desk, EndGame((Score("bob", 3), Score("ann", 9))))
    assert desk.game().scores == (Score("ann", 9), Score("bob", 3))
    assert facts(desk)[-1] == GameEnded("ended_by_director", (Score("ann", 9), Score("bob", 3)))
    for direction in (SUBSTITUTE, Suspend(), Correct("bank", "ann", 1), ActForSeat("ann", Pass())):
        assert refusal(desk, direction) == "game_finished"
    directed(desk, RollBack(at))
    assert not desk.game().finished
    desk.do("ann", Pass())


def test_players_undo_moves_and_not_what_a_director_decided_about_the_play() -> None:
    """A substitution or a suspension in between does not keep a player from taking a move back."""
    desk = Desk()
    desk.create(undo_policy="free")
    at = desk.do("ann", RepayDebt(1))
    desk.do("ann", RepayDebt(2))
    directed(desk, AssignSeat("bob", "bea", "substitute"))
    directed(desk, Suspend())
    directed(desk, Resume())
    desk.do("ann", Undo(at))
    assert desk.game().money("ann") == 99
    assert desk.game().bearer_of("bob").account == "bea"
    kept = directed(desk, Correct("bank", "ann", 5)).first - 1
    desk.do("ann", RepayDebt(1))
    assert desk.refusal("ann", Undo(kept)).rejection.code == "undo_forbidden"
    desk.do("ann", Undo(kept + 2))
    assert desk.game().money("ann") == 104


def test_a_correction_is_one_movement_of_money(desk: Desk) -> None:
    """From one holder to another, so that the books stay balanced."""
    directed(desk, Correct("bank", "BK", 40, "train 3-0"))
    assert facts(desk)[-1] == CashMoved("bank", "BK", 40, "correction", "train 3-0")
    directed(desk, Correct("BK", "bob", 40))
    assert desk.game().money("bob") == 140


def test_a_repeated_decision_is_made_once(desk: Desk) -> None:
    """It gets its first outcome wherever the game is by then; other content under the same id is refused."""

    def ask(command: Direct, author: str = "olga") -> CommandResult:
        return desk.rules.execute(Request("g", author, "d1", 0, command))

    suspend = Direct(Suspend(), "why not")
    first = ask(suspend)
    assert isinstance(first, CommandAccepted)
    again = ask(suspend)
    assert isinstance(again, CommandAccepted)
    assert (again.first, again.last, again.repeated) == (first.first, first.last, True)
    assert len(facts(desk)) == first.last
    others = (
        Direct(Resume(), "why not"),
        Direct(Suspend(), "no"),
        Direct(ActForSeat("ann", Pass()), "why not"),
    )
    results = [ask(other) for other in others] + [ask(suspend, "paul")]
    assert [each.rejection.code for each in results if isinstance(each, CommandRejected)] == [
        "request_id_reused"
    ] * len(results)


def test_a_decision_about_a_position_expects_it(desk: Desk) -> None:
    """A move that came first makes the director look again."""
    desk.do("ann", RepayDebt(1))
    with pytest.raises(StaleSequenceError):
        desk.rules.execute(Request("g", "olga", "d1", 5, Direct(Correct("bank", "ann", 1), "why not")))


def test_directors_have_no_quota_and_are_stopped_by_a_hold(desk: Desk) -> None:
    """What the ledger found comes first."""
    desk.rules.hold("g", "a difference")
    assert refusal(desk, SUBSTITUTE) == "ledger_hold"


def test_everybody_sees_who_plays_and_what_was_decided(desk: Desk) -> None:
    """In the view of the game, and in its status."""
    directed(desk, SUBSTITUTE)
    directed(desk, Suspend())
    found = desk.rules.reader.game_at("g")
    view = game_view("g", found.loaded.title, found.loaded.data, found.game)
    assert [(each.seat, each.bearer) for each in view.seats] == [("ann", "sue"), ("bob", "bob")]
    assert view.suspended
    assert [each.sentence for each in view.decisions] == [
        "olga gave the seat of ann to another account: why not",
        "olga suspended the game: why not",
    ]
    (bearer,) = desk.follower.statuses[-1].bearers
    assert (bearer.seat, bearer.bearer) == ("ann", "sue")
    assert GameSuspended() in facts(desk)


def test_a_choice_names_the_seat(desk: Desk) -> None:
    """The bearer is offered the seat's choices."""
    directed(desk, SUBSTITUTE)
    seat = desk.rules.reader.seat_of("g", "sue")
    assert seat is not None
    assert Choice("ann", Pass()) in desk.rules.reader.options("g", seat).choices
