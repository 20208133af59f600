"""What a command gets whose game is in the archive: the answer that every finished game gives, without asking its owner."""

from __future__ import annotations

from services.common.archive.log import ArchivedEventLog
from services.common.eventlog.archived import BROUGHT_BACK
from services.rules.handlers import earlier_result
from services.rules.history import stream_of
from services.rules.kernel.rejections import Rejected
from services.rules.requests import CommandRejected, CommandResult, Request, is_roll_back
from services.rules.sessions import GameSessions


class ArchivedGames:
    """The games of a log that are in the archive. Safe to use from many threads."""

    def __init__(self, log: ArchivedEventLog, sessions: GameSessions) -> None:
        self._log = log
        self._sessions = sessions

    def answer(self, request: Request) -> CommandResult | None:
        """The result of a command for a game in the archive. None for any other game, and for what may take one up again: its
        owner has to decide that.

        Raises `UnknownGameError`, and what reading the archive raises."""
        known = self._sessions.cached(request.game_id)
        if known is not None and not known.game.finished:
            return None
        marker = self._log.archived.find(stream_of(request.game_id))
        if marker is None or marker.state == BROUGHT_BACK or is_roll_back(request.command):
            return None
        game = self._sessions.get(request.game_id).game
        if not game.finished:
            return None
        return earlier_result(self._log, request) or CommandRejected(Rejected("game_finished").rejection())
