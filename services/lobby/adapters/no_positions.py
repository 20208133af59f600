"""The `GamePositions` of a lobby that knows no rules service."""

from services.common.errors import Unavailable
from services.lobby.domain.positions import Position


class NoPositions:
    """Knows no game."""

    def position(self, game_id: str) -> Position:
        """See `GamePositions`."""
        raise Unavailable("this lobby does not know where rules is: it cannot look at games")
