"""A bot as a player: waits for its turn, asks for its choices and executes one."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from services.bots.bot import Bot
from services.client.calls import Rejected
from services.client.games import Games, MovedOnError
from services.gen.signalbox.rules.v1 import game_pb2, rules_pb2 as pb

# While the machine is too busy to prove the best runs, they are not yet to be had.
WAITS_SECONDS = (1.0, 2.0, 4.0, 8.0, 16.0)
# The choices came without best runs, because routing was late, and the service knew them when it checked the command.
RUNS_WERE_MISSING = "route_not_best"


@dataclass(frozen=True, slots=True)
class Player:
    """A signed-in player with the bot that plays for it."""

    player_id: str
    games: Games
    bot: Bot


def take_turn(player: Player, game_id: str) -> pb.Accepted | None:
    """Execute one command of the player; None when there is nothing to do.

    Retries when the game has advanced, and for half a minute what was refused for now or for want of the best runs. Raises
    `Rejected`."""
    waits = iter(WAITS_SECONDS)
    while True:
        offer = player.games.choices(game_id)
        if not offer.choices:
            return None
        try:
            return player.games.execute(game_id, offer.sequence, player.bot.choose(offer.choices))
        except MovedOnError:
            continue
        except Rejected as refused:
            is_worth_a_wait = refused.retryable or refused.reason == RUNS_WERE_MISSING
            seconds = next(waits, None) if is_worth_a_wait else None
            if seconds is None:
                raise
            time.sleep(seconds)


def share_sequence(players: Mapping[str, Player], game_id: str, sequence: int) -> None:
    """Require answers at `sequence` or later for all players, whichever replica answers."""
    for player in players.values():
        player.games.expect(game_id, sequence)


def play_game(
    players: Mapping[str, Player], game_id: str, on_view: Callable[[game_pb2.GameView], None] | None = None
) -> game_pb2.GameView:
    """Let all players of a game play it to its end; returns its final view.

    `on_view` gets the view whenever the turn passes to another player."""
    anybody = next(iter(players.values())).games
    view = anybody.game(game_id)
    while not view.finished:
        if on_view is not None:
            on_view(view)
        asked = players[view.acting_players[0]]
        while (accepted := take_turn(asked, game_id)) is not None:
            share_sequence(players, game_id, accepted.last_sequence)
        view = anybody.game(game_id)
    return view
