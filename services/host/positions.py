"""The lobby's `GamePositions` from the rules handlers of the same process."""

from __future__ import annotations

from services.common.errors import Unavailable
from services.lobby.adapters.positions import position_of, rulings_of
from services.lobby.domain.positions import GameRuling, Position
from services.rules.adapters.view import game_view
from services.rules.service import RulesService
from services.rules.sessions import UnknownGameError, UnreachedSequenceError


class OwnPositions:
    """Looks at games of a rules service."""

    def __init__(self, rules: RulesService) -> None:
        self._rules = rules

    def position(self, game_id: str, at_sequence: int = 0) -> Position:
        """See `GamePositions`."""
        try:
            found = self._rules.reader.game_at(game_id, at_sequence)
            events = self._rules.reader.logged(game_id, 0, found.game.sequence)
        except (UnknownGameError, UnreachedSequenceError) as unknown:
            raise Unavailable(str(unknown)) from unknown
        loaded = found.loaded
        return position_of(game_view(game_id, loaded.title, loaded.data, found.game), events)

    def rulings(self, game_id: str) -> tuple[GameRuling, ...]:
        """See `GamePositions`."""
        try:
            return rulings_of(self._rules.reader.events(game_id))
        except UnknownGameError as unknown:
            raise Unavailable(str(unknown)) from unknown
