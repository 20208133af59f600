"""After a run: whether every replica of the lobby lists each game as rules has it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol

from services.client.calls import NotAnsweredError
from services.client.games import Games
from services.client.lobby import Lobby
from services.gen.signalbox.lobby.v1.game_status_pb2 import GameStatus
from services.gen.signalbox.rules.v1.game_pb2 import GameView

SETTLE_SECONDS = 60.0
LOOK_SECONDS = 0.2
STATUS_FIELDS = ("title", "acting_players", "phase")


class Addressed(Protocol):
    """A process of a service."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def address(self) -> str:
        """Where it serves."""


def check_lists(
    of: Callable[[str], list[Any]], games: Mapping[str, str], settle_seconds: float = SETTLE_SECONDS
) -> Iterator[str]:
    """What is wrong with the lists, if it is still so after a while. `of`: the processes of a service; `games`: a token of a
    player by game. The sequence may be that of an earlier command of the same turn."""
    rules: Addressed = of("rules")[0]
    for game_id, token in games.items():
        view = Games(rules.address, token).game(game_id)
        for replica in of("lobby"):
            differs = _differs_still(replica, token, view, settle_seconds)
            if differs:
                yield f"game {game_id}: {replica.name} {differs}"


def _differs_still(replica: Addressed, token: str, view: GameView, settle_seconds: float) -> str:
    lobby = Lobby(replica.address, token)
    end = time.monotonic() + settle_seconds
    try:
        while (differs := _difference(lobby, view)) and time.monotonic() < end:
            time.sleep(LOOK_SECONDS)
    finally:
        lobby.close()
    return differs


def _difference(lobby: Lobby, view: GameView) -> str:
    try:
        status = next((each for each in _statuses(lobby) if each.game_id == view.game_id), None)
    except NotAnsweredError as problem:
        return f"lists nothing: {problem}"
    if status is None:
        return "does not list it"
    if status.sequence > view.sequence:
        return f"lists it at {status.sequence} of {view.sequence}"
    return ", ".join(_differing_fields(status, view))


def _statuses(lobby: Lobby) -> Iterator[GameStatus]:
    """Of all games of the player."""
    token = ""
    while True:
        page = lobby.games(page_token=token)
        yield from (summary.status for summary in page.games)
        token = page.next_page_token
        if not token:
            return


def _differing_fields(status: GameStatus, view: GameView) -> Iterator[str]:
    pairs: dict[str, tuple[Any, Any]] = {
        name: (getattr(status, name), getattr(view, name)) for name in STATUS_FIELDS
    }
    pairs["round"] = (
        (status.round_kind, status.turn, status.round_number),
        (view.round.kind, view.round.turn, view.round.number),
    )
    for name, (shown, real) in pairs.items():
        if shown != real:
            yield f"shows {name} {shown} in place of {real}"
