"""The `GamePositions` of a lobby that knows no rules service."""

from services.common.errors import Unavailable
from services.lobby.domain.positions import GameRuling, Position


class NoPositions:
    """Knows no game."""

    def position(self, game_id: str, at_sequence: int = 0) -> Position:
        """See `GamePositions`."""
        raise _not_here()

    def rulings(self, game_id: str) -> tuple[GameRuling, ...]:
        """See `GamePositions`."""
        raise _not_here()


def _not_here() -> Unavailable:
    return Unavailable("this lobby does not know where rules is: it cannot look at games")
