"""What is auctioned, and who bids."""

from __future__ import annotations

from services.rules.parts.auctions.events import AuctionClosed, AuctionOpened, AuctionPassed, AuctionWon
from tests.positions.reading import Events, facts
from tests.positions.written import WrittenGame


class AuctionFacts(WrittenGame):
    """Auctions."""

    __slots__ = ()

    def auction_was_won(self, player: str, company: str, price: int) -> None:
        """The company was auctioned, and the player won it alone; nobody has paid for it."""
        self.write(
            AuctionOpened(company, (player,)), AuctionWon(player, company, price), AuctionClosed(company)
        )


def auction_passes(events: Events) -> list[tuple[str, str]]:
    """(player, company) of those who left an auction."""
    return [(each.player, each.company) for each in facts(events, AuctionPassed)]
