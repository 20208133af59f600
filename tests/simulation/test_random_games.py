"""Whole random games under all laws: 20 of each title in every test run; `python -m tests.simulation` plays any number.

SIGNALBOX_RECKONING: for what part of the runs played the best ones are found and valued under other rulings, too."""

from __future__ import annotations

import os
from random import Random

import pytest

from services.rules.adapters.snapshots import state_bytes
from services.rules.kernel.choice import filled
from services.rules.kernel.commands import Command, CreateGame
from services.rules.kernel.decide import Accepted, acting_players, decide
from services.rules.kernel.rejections import Rejection
from services.rules.kernel.title import Context
from services.rules.titles import BUILT_IN
from tests.simulation.asked import check_asked, nobody_passed_over
from tests.simulation.forgeries import forged, is_listed
from tests.simulation.laws import (
    Auditor,
    check_certificates,
    check_money,
    check_replay,
    check_trains,
    opening_bank,
)
from tests.simulation.laws_of_titles import check_title
from tests.simulation.play import Play
from tests.simulation.reckoning import check_best_runs, played_otherwise
from tests.simulation.tables import BOTS, bot_of, table_of, table_with

GAMES = 20
COMMANDS_MOST = 5_000
CHOICES_TRIED = 1
FORGERIES_TRIED = 3
STATES_BETWEEN_FULL_CHECKS = 50
UNDO_CHANCE = 0.02
RECKONING_CHANCE = float(os.environ.get("SIGNALBOX_RECKONING", "0.3"))


def _try_choices(play: Play, draw: Random, all_of_them: bool) -> dict[Command, Accepted]:
    """Listed choices are accepted, open numbers at both ends of their bounds; what each command leads to."""
    some = play.found if all_of_them else draw.sample(play.found, min(CHOICES_TRIED, len(play.found)))
    tried: dict[Command, Accepted] = {}
    for choice in some:
        for command in {filled(choice, choice.minimum), filled(choice, choice.maximum)}:
            outcome = play.decided(choice.player, command)
            assert isinstance(outcome, Accepted), (choice, command, outcome)
            tried[command] = outcome
    return tried


def _try_forgeries(play: Play, draw: Random) -> None:
    """What is not listed is refused with a known reason and changes nothing."""
    before = state_bytes(play.game)
    for _ in range(FORGERIES_TRIED):
        command = forged(draw, play.game, play.data, play.found)
        outcome = play.decided(play.player, command)
        if isinstance(outcome, Rejection):
            assert outcome.code in play.title.reasons
        else:
            assert is_listed(play.found, command), (command, outcome.events)
    acting = acting_players(play.title, play.data, play.game)
    others = [player for player in (*play.game.players, "stranger") if player not in acting]
    stranger = decide(
        play.title, play.data, play.game, draw.choice(others), draw.choice(play.found).command, play.solution
    )
    assert isinstance(stranger, Rejection), stranger
    assert stranger.code in (
        "not_your_turn",
        "not_a_player",
        "interrupt_first",
        "not_your_company",
        "auction_lost",
        "1865.maritime_not_owned",
        "rotw.out_of_auctions",
    )
    assert state_bytes(play.game) == before


def _play_out(play: Play) -> None:
    """Play to the end and hold every state against the laws."""
    draw, auditor, bank = Random(play.table.seed + 1), Auditor(), opening_bank(play.events)
    reckoning = Random(play.table.seed + 2)
    for number in range(COMMANDS_MOST):
        check_money(play.game, bank)
        check_certificates(play.game, play.data)
        check_trains(play.game, play.data)
        auditor.follow(play.events)
        auditor.check(play.game, play.data)
        if play.game.finished or play.unproven:
            return
        assert play.found, f"{play.player} is asked and has nothing to choose"
        check_asked(play.game, Context(play.data), play.found)
        tried = _try_choices(play, draw, all_of_them=number % STATES_BETWEEN_FULL_CHECKS == 0)
        _try_forgeries(play, draw)
        if play.solution is not None and reckoning.random() < RECKONING_CHANCE:
            check_best_runs(play.title, play.data, played_otherwise(reckoning, play.title, play.game))
        undone = play.undo() if draw.random() < UNDO_CHANCE else None
        if isinstance(undone, Accepted):
            outcome: Accepted | Rejection = undone
        else:
            chosen = play.choose()
            outcome = tried.get(chosen) or play.decided(play.player, chosen)
        assert isinstance(outcome, Accepted), outcome
        if outcome is not undone:
            check_title(play.game, outcome.game, outcome.events, play.data)
        play.carry_out(outcome)
    raise AssertionError(f"not over after {COMMANDS_MOST} commands")


def _check_game(seed: int, table: CreateGame, bot: str) -> None:
    play = Play(table, bot)
    try:
        with nobody_passed_over():
            _play_out(play)
        assert len(play.game.scores) == (0 if play.unproven else len(table.players))
        assert play.unproven or play.game.ending
        check_replay(play.game, play.events, cut=Random(seed).randrange(1, len(play.events)))
    except Exception as problem:
        problem.add_note(
            f"seed {seed}, sequence {play.game.sequence}, {play.player} asked in {play.game.round}"
        )
        problem.add_note(f"options {table.options}, undo {table.undo_policy}, rulings {table.rulings}")
        raise


@pytest.mark.parametrize("title", [title.name for title in BUILT_IN])
@pytest.mark.parametrize("seed", range(GAMES))
def test_laws_hold_in_a_whole_random_game(seed: int, title: str) -> None:
    """Choices are accepted, all else is refused, nothing is created or lost, the log tells the whole game, and it ends."""
    _check_game(seed, table_of(seed, title), bot_of(seed, title))


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("seed", range(GAMES))
def test_laws_hold_in_random_games_of_cisleithania(seed: int, players: int) -> None:
    """The same for both variants of 1824 that have their own map."""
    _check_game(seed, table_with(seed, "1824", players, ("cisleithania",)), BOTS[seed % len(BOTS)])
