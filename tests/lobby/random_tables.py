"""Tables made at random, from a seed: their events, in an order in which a log might have them."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

from services.common.eventlog.port import EventLog, NewRecord
from services.lobby.directory import TABLE_STREAM
from services.lobby.domain.agreeing import EndAgreed
from services.lobby.domain.catalogue import RulingChoice, RulingSelection
from services.lobby.domain.directing import DirectorNamed, TableSeatTaken
from services.lobby.domain.games import GameResult
from services.lobby.domain.imports import TableOrigin
from services.lobby.domain.invitations import (
    InvitationLinkMade,
    InvitationWithdrawn,
    PlayerInvited,
    PlayerRemoved,
    TableArranged,
    Visibility,
)
from services.lobby.domain.offering import SubstituteOffered, SubstituteOfferWithdrawn
from services.lobby.domain.players import Player
from services.lobby.domain.table_clocks import ClockChosen
from services.lobby.domain.tables import (
    PlayerJoined,
    PlayerLeft,
    TableClosed,
    TableCreated,
    TableEvent,
    TableFinished,
    TableGameBegun,
    TableImported,
    TableReopened,
    TableStarted,
    TableStartRefused,
    TurnOverdue,
)
from services.lobby.domain.time_control.policy import ClockPolicy, MoneyPenalty
from services.lobby.event_codec import encode
from services.lobby.handlers.requests import game_id_of

FUTURE = NewRecord("from_the_future", 1, b"")
TITLES = ("1824", "1837")
ACCOUNTS = ("ann", "bob", "cat", "dan", "eve")


class RandomTables:
    """Writes one event after another, of few tables and accounts, so that they meet."""

    def __init__(self, log: EventLog, seed: int, tables: int = 12) -> None:
        self.ids = [f"t{number}" for number in range(tables)]
        self._log = log
        self._random = random.Random(seed)
        self._later: Mapping[type[TableEvent], Callable[[str], TableEvent]] = {
            PlayerJoined: lambda _: PlayerJoined(self._player()),
            PlayerLeft: lambda _: PlayerLeft(self._account()),
            TableArranged: lambda _: TableArranged(self._random.choice([*Visibility])),
            PlayerInvited: lambda _: PlayerInvited(self._player()),
            InvitationWithdrawn: lambda _: InvitationWithdrawn(self._account()),
            InvitationLinkMade: lambda _: InvitationLinkMade("link"),
            PlayerRemoved: lambda _: PlayerRemoved(self._account()),
            TableStarted: lambda table_id: TableStarted(game_id_of(table_id), ("ann", "bob")),
            TableGameBegun: lambda table_id: TableGameBegun(game_id_of(table_id)),
            TableClosed: lambda _: TableClosed(),
            TableStartRefused: lambda _: TableStartRefused("no_such_map", "There is none.", "III.1"),
            TableFinished: lambda table_id: TableFinished(
                game_id_of(table_id), 9, "bank_broken", (GameResult("ann", 900), GameResult("bob", 7))
            ),
            TableReopened: lambda table_id: TableReopened(game_id_of(table_id), 10),
            TurnOverdue: lambda _: TurnOverdue(self._account(), 5, 6),
            DirectorNamed: lambda _: DirectorNamed(self._account()),
            TableSeatTaken: lambda _: TableSeatTaken("ann", self._player(), "player", 7),
            EndAgreed: lambda _: EndAgreed(self._account()),
            SubstituteOffered: lambda _: SubstituteOffered(self._player()),
            SubstituteOfferWithdrawn: lambda _: SubstituteOfferWithdrawn(self._account()),
            ClockChosen: lambda _: ClockChosen(ClockPolicy(bank=3600, penalty=MoneyPenalty(5, 60))),
        }

    def write(self, events: int, unreadable: float = 0.0) -> None:
        """`unreadable`: the part of them that no version knows."""
        for _ in range(events):
            table_id = self._random.choice(self.ids)
            stream = TABLE_STREAM + table_id
            sequence = len(self._log.read(stream))
            if self._random.random() < unreadable:
                records = [FUTURE]
            elif sequence == 0:
                records = [encode(event) for event in self._opened(table_id)]
            else:
                records = [encode(self._random.choice([*self._later.values()])(table_id))]
            self._log.append(stream, sequence, records)
            self._log.append("lobby.other.1", len(self._log.read("lobby.other.1")), [FUTURE])

    def _opened(self, table_id: str) -> list[TableEvent]:
        if self._random.random() < 0.1:
            return [self._imported(table_id)]
        created = TableCreated(
            table_id=table_id,
            owner=self._player(),
            title=self._random.choice(TITLES),
            player_count=3,
            options=("short",),
            rulings=RulingSelection("house", (RulingChoice("r", "yes"),)),
            undo_policy="free",
            seed=7,
            seed_chosen_by_owner=False,
            create_time_ms=5,
        )
        arranged = TableArranged(self._random.choice([*Visibility]))
        return [created, arranged] if self._random.random() < 0.5 else [created]

    def _imported(self, table_id: str) -> TableImported:
        return TableImported(
            table_id=table_id,
            game_id=game_id_of(table_id),
            players=(Player("ann", "Ann"), Player("bob", "Bob")),
            title=self._random.choice(TITLES),
            options=(),
            rulings=RulingSelection(),
            undo_policy="none",
            seed=3,
            origin=TableOrigin("elsewhere", "g", "digest", 4, self._account()),
            kept_in="lobby.import.x",
            create_time_ms=6,
        )

    def _player(self) -> Player:
        account = self._account()
        return Player(account, account.title())

    def _account(self) -> str:
        return self._random.choice(ACCOUNTS)
