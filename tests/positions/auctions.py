"""What is auctioned, and who bids."""

from __future__ import annotations

from services.rules.parts.auctions.events import AuctionClosed, AuctionOpened, AuctionWon
from tests.positions.written import WrittenGame


class AuctionFacts(WrittenGame):
    """Auctions."""

    __slots__ = ()

    def auction_was_won(self, player: str, company: str, price: int) -> None:
        """The company was auctioned, and the player won it alone; nobody has paid for it."""
        self.write(
            AuctionOpened(company, (player,)), AuctionWon(player, company, price), AuctionClosed(company)
        )
