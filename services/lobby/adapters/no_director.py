"""The `GameDirector` of a lobby that knows no rules service."""

from services.common.errors import Unavailable
from services.gen.signalbox.rules.v1.direction_pb2 import Direction
from services.lobby.ports import Directed


class NoDirector:
    """Carries nothing out."""

    def direct(
        self, game_id: str, author: str, request_id: str, expected_sequence: int, direction: Direction
    ) -> Directed:
        """See `GameDirector`."""
        raise Unavailable("this lobby does not know where rules is: nobody can direct games here")
