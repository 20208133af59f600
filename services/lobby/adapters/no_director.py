"""Where running games cannot be directed."""

from services.lobby.domain.rejections import Rejection, RejectionReason
from services.lobby.ports import Direction


class NoDirector:
    """A `GameDirector` that refuses all directions."""

    def direct(self, direction: Direction) -> Rejection | None:
        """See `GameDirector`."""
        return Rejection(
            RejectionReason.DIRECTION_NOT_AVAILABLE,
            "Running games cannot be rolled back or corrected on this platform; award points, void the table, or continue.",
        )
