"""A log of many tables that were played to their end, and of some at which a game goes on; from a seed."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from services.common.eventlog.sqlite import Append, SqliteEventLog, append_within
from services.lobby.directory import TABLE_STREAM
from services.lobby.domain.catalogue import RulingSelection
from services.lobby.domain.games import GameResult
from services.lobby.domain.invitations import TableArranged, Visibility
from services.lobby.domain.players import Player
from services.lobby.domain.tables import (
    PlayerJoined,
    TableCreated,
    TableEvent,
    TableFinished,
    TableGameBegun,
    TableStarted,
)
from services.lobby.event_codec import encode
from services.lobby.handlers.requests import derived_id, game_id_of

TITLES = ("1824", "1837", "1862", "1865", "rotw")
PRIVATE_SHARE = 0.2
APPENDS_AT_ONCE = 2000


def write_played(log: SqliteEventLog, finished: int, live: int, seed: int, accounts: int) -> None:
    """The live ones are the newest. As many players as `accounts`."""
    chance = random.Random(seed)
    batch: list[Append] = []
    for number in range(finished + live):
        table_id = derived_id("t", str(seed), str(number))
        events = _events(table_id, chance, accounts, number)
        records = [encode(event) for event in (events if number < finished else events[:-1])]
        batch.append(Append(TABLE_STREAM + table_id, 0, records, None, 1_000 + number))
        if len(batch) == APPENDS_AT_ONCE:
            _write(log, batch)
            batch = []
    _write(log, batch)


def account(number: int) -> str:
    """The id of a player."""
    return derived_id("p", str(number))


def _write(log: SqliteEventLog, batch: Sequence[Append]) -> None:
    log.database.write(lambda connection: append_within(connection, batch))


def _events(table_id: str, chance: random.Random, accounts: int, number: int) -> list[TableEvent]:
    players = list(_players(chance, accounts))
    game_id, seats = game_id_of(table_id), tuple(each.player_id for each in players)
    is_private = chance.random() < PRIVATE_SHARE
    return [
        TableCreated(
            table_id=table_id,
            owner=players[0],
            title=chance.choice(TITLES),
            player_count=len(players),
            options=(),
            rulings=RulingSelection(),
            undo_policy="own_turn",
            seed=chance.getrandbits(60),
            seed_chosen_by_owner=False,
            create_time_ms=1_000 + number,
        ),
        *([TableArranged(Visibility.INVITED)] if is_private else []),
        *(PlayerJoined(each) for each in players[1:]),
        TableStarted(game_id, seats),
        TableGameBegun(game_id),
        TableFinished(
            game_id, 900, "bank_broken", tuple(GameResult(each, chance.randrange(9_000)) for each in seats)
        ),
    ]


def _players(chance: random.Random, accounts: int) -> Iterator[Player]:
    for number in chance.sample(range(accounts), chance.choice((3, 4))):
        yield Player(account(number), f"Player {number}")
