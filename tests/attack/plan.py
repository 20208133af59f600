"""What an attack is given and what it reports; both pass between processes."""

from __future__ import annotations

from collections import Counter

import grpc
import msgspec

# A status that no input may cause: it means an error of ours.
WRONG_STATUSES = frozenset(
    (
        grpc.StatusCode.INTERNAL,
        grpc.StatusCode.UNKNOWN,
        grpc.StatusCode.DATA_LOSS,
        grpc.StatusCode.UNIMPLEMENTED,
    )
)
# The outcome of such a call is not known to its caller, so it counts neither as refused nor as done.
UNKNOWN_OUTCOMES = frozenset(
    (grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED)
)
# What gRPC's client says when it writes to a stream that the server has ended: not a status of the server.
OF_THE_CLIENT = "Internal error from Core"
DETAILS_MAX = 2_000
SHOWN_MAX = 20


class Target(msgspec.Struct, frozen=True):
    """The host and what is known of it. `tokens`: of a player of the game, and of a stranger to it. `game_id`: a game that
    nobody plays meanwhile, at `sequence`. `table_id`: an open table. `honest_name`: somebody who wants to sign in."""

    lobby: str
    rules: str
    routing: str
    ledger: str
    tokens: dict[str, str]
    game_id: str
    sequence: int
    table_id: str
    player_id: str
    honest_name: str

    def metadata(self, role: str) -> tuple[tuple[str, str], ...]:
        """What a caller in this role sends."""
        if role == "anonymous":
            return ()
        return (("authorization", f"Bearer {self.tokens.get(role, 'bm8.dG9r.ZW4')}"),)


class Result(msgspec.Struct):
    """What came of the calls of an attack: how many were tried, refused, left open; `statuses` by name; what was wrong."""

    tried: int = 0
    refused: int = 0
    left_open: int = 0
    statuses: Counter[str] = msgspec.field(default_factory=Counter)
    wrong: list[str] = []

    def count(self, status: grpc.StatusCode, details: str, what: str) -> None:
        """Count the end of one call."""
        self.tried += 1
        self.statuses[status.name] += 1
        if status is not grpc.StatusCode.OK:
            self.refused += 1
        if status in WRONG_STATUSES and details != OF_THE_CLIENT:
            self.wrong.append(f"{what}: {status.name}: {details[:200]}")
        elif len(details) > DETAILS_MAX:
            self.wrong.append(f"{what}: {status.name} with {len(details)} characters of details")

    def add(self, other: Result) -> None:
        """Count another result in."""
        self.tried += other.tried
        self.refused += other.refused
        self.left_open += other.left_open
        self.statuses += other.statuses
        self.wrong += other.wrong
