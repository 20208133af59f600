"""Games that are played on pods while something is done to them, and what became of every command."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from services.audit.kafka_check import check_kafka
from services.client.calls import RECONNECTING
from services.common.kafka.settings import KafkaSettings
from tests.faults.players import Player
from tests.faults.tables import Tables
from tests.faults.times import Spell, longest_gap

LOBBY, RULES, KAFKA = "lobby:8401", "rules:8402", "kafka:9092"
"""As the pods name them."""
PLAYERS = 2
MOVES_BEFORE = 20
LONGEST_SECONDS = 300.0
LOOK_EVERY_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class Played:
    """What became of the games."""

    games: int
    acknowledged: int
    repeats: int
    """Commands that were asked for again and answered as the first time."""
    refused: int
    """Commands that were too late or not allowed."""
    longest_without: float
    """Seconds that the unluckiest player waited for the next acknowledgement while it was done."""
    problems: tuple[str, ...]
    """What was lost, doubled or contradicted, and players who gave up."""

    def __str__(self) -> str:
        return (
            f"{self.acknowledged} commands acknowledged in {self.games} games, {self.repeats} answered as repeats, "
            f"{self.refused} refused, {len(self.problems)} problems; the longest time without an answer "
            f"{self.longest_without:.1f} s"
        )


def play_while(do: Callable[[], None], partitions: int, seed: int = 1) -> Played:
    """Play before, while and after something is done, then compare the log with every answer."""
    tables = Tables(LOBBY)
    players = [
        Player(number, seed, [RULES], partial(tables.begin, tables.people()), options=RECONNECTING)
        for number in range(PLAYERS)
    ]
    for player in players:
        player.start()
    _wait_for_moves(players)
    began = time.monotonic()
    do()
    spell = Spell(began, time.monotonic())
    _wait_for_moves(players)
    for player in players:
        player.stop()
    for player in players:
        player.join()
    games = [game for player in players for game in player.games]
    acknowledged = [each for game in games for each in game.answers.acknowledged.values()]
    found = check_kafka(KafkaSettings(servers=(KAFKA,), partitions=partitions), acknowledged)
    return Played(
        len(games),
        len(acknowledged),
        sum(game.answers.repeats for game in games),
        sum(len(game.answers.refused) for game in games),
        max(longest_gap(player.acknowledged_at, spell) for player in players),
        (
            *(str(player.failure) for player in players if player.failure),
            *(str(each) for each in found.findings),
            *(f"game {game} is held: {why}" for game, why in found.held.items()),
        ),
    )


def _wait_for_moves(players: list[Player]) -> None:
    """Until each has had some more commands acknowledged, or one gave up."""
    wanted = {player: player.acknowledged + MOVES_BEFORE for player in players}
    end = time.monotonic() + LONGEST_SECONDS
    while any(player.acknowledged < count for player, count in wanted.items()) and time.monotonic() < end:
        if any(player.failure for player in players):
            return
        time.sleep(LOOK_EVERY_SECONDS)
