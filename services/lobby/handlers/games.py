"""Lists of games, and who is online."""

import re
from collections.abc import Sequence
from enum import StrEnum

import msgspec

from services.common.errors import InvalidRequest, PermissionDenied
from services.lobby.domain.games import GameSummary
from services.lobby.domain.visibility import Viewer
from services.lobby.ports import GameLists, PageCursor, Presence

PAGE_SIZE_DEFAULT = 50
PAGE_SIZE_MAX = 100
PLAYERS_ASKED_MAX = 100
TOKEN = re.compile(r"([0-9]{1,15})-(.{1,128})", re.ASCII)


class Listing(StrEnum):
    """Which games are listed."""

    MINE = "MINE"
    WAITING_FOR_ME = "WAITING_FOR_ME"
    # That everybody may see.
    ALL = "ALL"
    # By id, and for operators by player.
    NAMED = "NAMED"
    OF_PLAYER = "OF_PLAYER"


class GamePage(msgspec.Struct, frozen=True):
    """Some games, the token of the next page (empty on the last), and whether games may be missing."""

    summaries: tuple[GameSummary, ...]
    next_token: str
    is_incomplete: bool


class GameListHandlers:
    """Lists games and players who are online."""

    def __init__(self, lists: GameLists, presence: Presence) -> None:
        self._lists = lists
        self._presence = presence

    def page(
        self,
        viewer: Viewer,
        listing: Listing,
        size: int,
        token: str,
        game_ids: Sequence[str] = (),
        player_id: str = "",
    ) -> GamePage:
        """Games, the most recently changed first. `game_ids` and `player_id` are what the listings by id and by player ask for.
        Raises `InvalidRequest` for a wrong size or token, and `PermissionDenied`."""
        if listing is Listing.OF_PLAYER and not viewer.sees_all:
            raise PermissionDenied("only operators list the games of others")
        if listing is Listing.NAMED:
            return self._named(game_ids, only_listed=not viewer.sees_all)
        if not 0 <= size <= PAGE_SIZE_MAX:
            raise InvalidRequest(f"page_size must be 0 to {PAGE_SIZE_MAX}")
        size = size or PAGE_SIZE_DEFAULT
        before = _cursor_of(token)
        was_complete = self._lists.is_complete
        if listing is Listing.ALL:
            found = self._lists.recent(size + 1, before, only_listed=True)
        else:
            only_waiting = listing is Listing.WAITING_FOR_ME
            player_id = player_id if listing is Listing.OF_PLAYER else viewer.account
            found = self._lists.of_player(player_id, only_waiting, size + 1, before)
        shown = tuple(found[:size])
        has_more = len(found) > size
        is_incomplete = not (was_complete and self._lists.is_complete)
        return GamePage(shown, _token_of(shown[-1]) if has_more else "", is_incomplete)

    def seen(self, player_id: str) -> None:
        """A player made a call."""
        self._presence.seen(player_id)

    def online(self, player_ids: Sequence[str]) -> list[str]:
        """Those of these players who are online. Raises `InvalidRequest` for too many."""
        if len(player_ids) > PLAYERS_ASKED_MAX:
            raise InvalidRequest(f"player_ids may be up to {PLAYERS_ASKED_MAX}")
        online = self._presence.online(player_ids)
        return [player_id for player_id in player_ids if player_id in online]

    def _named(self, game_ids: Sequence[str], only_listed: bool) -> GamePage:
        if len(game_ids) > PAGE_SIZE_MAX:
            raise InvalidRequest(f"game_ids may be up to {PAGE_SIZE_MAX}")
        was_complete = self._lists.is_complete
        found = [self._lists.get(game_id) for game_id in dict.fromkeys(game_ids)]
        shown = [each for each in found if each is not None and not (only_listed and each.is_unlisted)]
        return GamePage(tuple(shown), "", not was_complete)


def _token_of(summary: GameSummary) -> str:
    return f"{summary.time_ms}-{summary.game_id}"


def _cursor_of(token: str) -> PageCursor | None:
    if not token:
        return None
    fitting = TOKEN.fullmatch(token)
    if fitting is None:
        raise InvalidRequest("page_token is not a token of an earlier answer")
    return PageCursor(int(fitting[1]), fitting[2])
