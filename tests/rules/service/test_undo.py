"""Undo under the three policies of a table."""

from __future__ import annotations

import pytest

from services.rules.adapters.snapshots import state_bytes
from services.rules.kernel.commands import Pass, Undo
from services.rules.kernel.events import Undone
from services.rules.kernel.values import UndoPolicy
from services.rules.parts.map.commands import LayTile
from services.rules.parts.trains.commands import BuyTrain
from services.rules.parts.trains.data import train_kinds_of
from services.rules.requests import CommandAccepted
from services.rules.titles.g1824.commands import BuyCompany, DiscardTrain
from tests.positions.rounds import questions
from tests.rules.service.desk import ANN, BOB, CEM, GAME, Desk
from tests.titles.g1824.operating_positions import buyer, major, neighbour
from tests.titles.g1824.table import ADA, BEN, Table, clear_table

POLICIES: tuple[UndoPolicy, ...] = ("free", "own_turn", "none")


def building() -> Table:
    """MS of the first player, at home in Brünn, about to lay track, with money for it."""
    table = clear_table(4)
    major(table, "MS", ADA, treasury=500)
    table.token_stands("MS", "C12")
    table.operating_round_is("MS", step="lay_track")
    return table


def two_steps(desk: Desk, policy: UndoPolicy) -> tuple[int, CommandAccepted]:
    """Within one turn track was laid and the token passed over: where it stood before, and the first move."""
    at = desk.place(building().log, policy)
    (first, *_) = desk.rules.reader.options(GAME, ADA).choices
    laid = desk.move(ADA, first.command)
    assert isinstance(first.command, LayTile)
    return at, laid


@pytest.mark.parametrize("policy", POLICIES)
def test_undo_within_the_own_turn(desk: Desk, policy: UndoPolicy) -> None:
    """One's own move of this turn is taken back, unless the table plays without undo; the log only grows."""
    at, laid = two_steps(desk, policy)
    if policy == "none":
        assert desk.refused(ADA, Undo(at)) == "undo_forbidden"
        return
    before = desk.folded(up_to=at)
    undone = desk.move(ADA, Undo(at))
    assert (undone.first, undone.last) == (laid.last + 1, laid.last + 1)
    assert desk.stored()[-1] == Undone(ADA, at)
    game = desk.game().copy()
    game.sequence = at
    assert state_bytes(game) == before
    assert state_bytes(desk.game()) == desk.folded() == Desk(desk.log, desk.snapshots).folded()
    desk.move(ADA, Pass())


@pytest.mark.parametrize("policy", POLICIES)
def test_what_may_be_taken_back_is_known_before(desk: Desk, policy: UndoPolicy) -> None:
    """To each player as the policy has it, move by move, and on from what was taken back."""
    at, laid = two_steps(desk, policy)
    target = desk.rules.reader.undo_target
    found = [target(GAME, each) for each in (ADA, BEN, "mallory")]
    assert found == {"free": [at, at, 0], "own_turn": [at, 0, 0], "none": [0, 0, 0]}[policy]
    if policy == "none":
        return
    (again, *_) = desk.rules.reader.options(GAME, ADA).choices
    desk.move(ADA, again.command)
    assert target(GAME, ADA) == laid.last
    desk.move(ADA, Undo(laid.last))
    assert target(GAME, ADA) == at


@pytest.mark.parametrize("policy", POLICIES)
def test_after_the_turn_has_passed_on_nothing_is_offered(desk: Desk, policy: UndoPolicy) -> None:
    """To nobody, and least to who is to act now; but all may take back where everything goes."""
    at = desk.create(policy)
    player = desk.asked()
    desk.move(player, Pass())
    wanted = at if policy == "free" else 0
    assert [desk.rules.reader.undo_target(GAME, each) for each in (player, desk.asked())] == [wanted] * 2


@pytest.mark.parametrize("policy", POLICIES)
def test_another_player_undoes_only_where_everything_goes(desk: Desk, policy: UndoPolicy) -> None:
    """Who is not asked takes nothing back but under the free policy; a stranger never does."""
    at, _ = two_steps(desk, policy)
    assert desk.refused("mallory", Undo(at)) == "not_a_player"
    if policy == "free":
        desk.move(BEN, Undo(at))
    else:
        assert desk.refused(BEN, Undo(at)) == "undo_forbidden"


@pytest.mark.parametrize("policy", POLICIES)
def test_undo_after_the_turn_has_passed_on(desk: Desk, policy: UndoPolicy) -> None:
    """As soon as it is the next player's turn, only the free policy lets anybody take the move back."""
    at = desk.create(policy)
    player = desk.asked()
    desk.move(player, Pass())
    if policy == "free":
        desk.move(player, Undo(at))
        assert desk.asked() == player
    else:
        assert desk.refused(player, Undo(at)) == "undo_forbidden"


def test_an_earlier_turn_of_the_same_player_is_not_the_own_turn(desk: Desk) -> None:
    """When it is a player's turn again, what the others did in between stays done."""
    at = desk.create()
    seen = {desk.asked(): at}
    for price in (120, 100, 80, 60):
        player = desk.asked()
        offered = desk.rules.reader.options(GAME, player).choices
        desk.move(player, next(each.command for each in offered if isinstance(each.command, BuyCompany)))
        if desk.asked() in seen:
            break
        seen[desk.asked()] = desk.sequence()
        assert price
    player = desk.asked()
    assert desk.refused(player, Undo(seen[player])) == "undo_forbidden"


@pytest.mark.parametrize("is_answered", [False, True])
def test_undo_stops_at_a_question_put_to_somebody_else(desk: Desk, is_answered: bool) -> None:
    """A purchase that made another director discard a train stands, also when he has answered and it goes on."""
    table = buyer(phase="3")
    trains = neighbour(table, BEN, "3", "3", "3", "3")
    table.trains_are_sold("3")
    at = desk.place(table.log)
    buy = BuyTrain("MS", "4-0", train_kinds_of(table.data)["4"].price)
    desk.move(ADA, buy)
    assert questions(desk.stored()[at:]) == [("1824.discard_train", BEN, "CL")]
    if is_answered:
        desk.move(BEN, DiscardTrain("CL", trains[0]))
        assert desk.game().interrupts == ()
        assert desk.game().actor == "MS"
    assert desk.refused(ADA, Undo(at)) == "undo_forbidden"


def test_an_answer_is_not_taken_back_by_the_one_asked(desk: Desk) -> None:
    """Once play went on after the answer, the asked player does not open the question again."""
    table = buyer(phase="3")
    trains = neighbour(table, BEN, "3", "3", "3", "3")
    table.trains_are_sold("3")
    desk.place(table.log)
    asked = desk.move(ADA, BuyTrain("MS", "4-0", train_kinds_of(table.data)["4"].price))
    desk.move(BEN, DiscardTrain("CL", trains[0]))
    outcome = desk.refused(BEN, Undo(asked.last))
    assert outcome == "undo_forbidden"


def test_targets_that_are_none(desk: Desk) -> None:
    """Only the end of an accepted request can be gone back to, and nothing before the game was set up or yet to come."""
    at, laid = two_steps(desk, "free")
    for target in (-1, 0, at - 1, laid.last, laid.last + 1, 10**9):
        assert desk.refused(ADA, Undo(target)) == "undo_target"
    desk.play_on(1)
    desk.move(ADA, Undo(laid.last))


def test_an_undone_stretch_is_no_target(desk: Desk) -> None:
    """What was taken back cannot be gone back to, its beginning and the undo itself can."""
    at = desk.create("free")
    stretch = [desk.move(desk.asked(), Pass()).last for _ in range(4)]
    undone = desk.move(ANN, Undo(stretch[1]))
    for target in stretch[2:]:
        assert desk.refused(BOB, Undo(target)) == "undo_target"
    later = desk.move(desk.asked(), Pass())
    desk.move(BOB, Undo(undone.last))
    assert desk.refused(CEM, Undo(later.last)) == "undo_target"
    desk.move(CEM, Undo(stretch[0]))
    assert desk.refused(CEM, Undo(stretch[1])) == "undo_target"
    assert desk.refused(CEM, Undo(undone.last)) == "undo_target"
    desk.move(CEM, Undo(at))
    assert state_bytes(desk.game()) == desk.folded()


def test_undo_works_after_a_restart(desk: Desk) -> None:
    """Which requests ended where is read from the log again, so undo goes as far back as before."""
    at = desk.create("free")
    desk.play_on(8)
    again = Desk(desk.log, desk.snapshots)
    again.move(ANN, Undo(at), "back to the start")
    assert again.game().sequence == desk.log.last_position()
    assert state_bytes(again.game()) == again.folded()


def test_an_undone_run_can_be_made_otherwise(desk: Desk) -> None:
    """After an undo the choices are those of the earlier state."""
    at, laid = two_steps(desk, "own_turn")
    before = desk.rules.reader.options(GAME, ADA).choices
    desk.move(ADA, Undo(at))
    assert desk.rules.reader.options(GAME, ADA).choices != before
    assert desk.move(ADA, Pass()).first == laid.last + 2
