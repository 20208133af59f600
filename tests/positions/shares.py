"""Who holds which certificates, who directs a company, and what it has behind it."""

from __future__ import annotations

from services.rules.kernel.events import CertificatesMoved, PlayerActed
from services.rules.kernel.vocabulary import BANK, POOL
from services.rules.parts.shares.events import (
    CompanyBought,
    CompanyClosed,
    CompanyOpened,
    CompanyOperated,
    CompanyReset,
    DirectorChanged,
    ParSet,
    SharesBought,
    SharesDivided,
    SharesSold,
)
from services.rules.parts.shares.shares import DIRECTOR, shares_held, shares_of
from services.rules.parts.shares.state import companies_of
from tests.positions.reading import Events, facts
from tests.positions.written import WrittenGame


class SharesFacts(WrittenGame):
    """Certificates, directors and companies."""

    __slots__ = ()

    def holds(
        self, holder: str, company: str, shares: int, *, director: bool = False, source: str = ""
    ) -> None:
        """The holder, a player or the pool, gets so many shares more, out of those for sale unless `source` is given: plain
        certificates, or the director's and the rest plain. A player who gets the director's is the director."""
        source = source or self.seller(company)
        numbers: tuple[int, ...] = (DIRECTOR,) if director else ()
        kept = (DIRECTOR, *self.kept(company))
        free = [number for number in self.game.held(source, company) if number not in kept]
        wanted = shares - shares_of(self.data, company, numbers)
        assert len(free) >= wanted, f"{source} has no {wanted} shares of {company} left"
        numbers += tuple(free[:wanted])
        if numbers:
            self.gets_certificates(holder, company, *numbers, source=source)
        if director and holder in self.game.players:
            self.directs(holder, company)

    def seller(self, company: str) -> str:
        """Who sells the shares of the company that nobody has bought yet."""
        return BANK

    def kept(self, company: str) -> tuple[int, ...]:
        """The certificates of the company that are not for sale."""
        return ()

    def gets_certificates(self, holder: str, company: str, *numbers: int, source: str = BANK) -> None:
        """The holder gets these certificates of the company, by number, from another holder."""
        total = shares_of(self.data, company, numbers)
        self.write(CertificatesMoved(company, numbers, source, holder, "bought", total))

    def puts_into_pool(self, holder: str, company: str, *numbers: int) -> None:
        """The holder has these certificates no more, they are in the pool."""
        self.gets_certificates(POOL, company, *numbers, source=holder)

    def directs(self, player: str, *companies: str) -> None:
        """The player directs these companies, whatever anybody holds."""
        self.write(*(DirectorChanged(company, player) for company in companies))

    def has_no_director(self, company: str) -> None:
        """Nobody directs the company."""
        self.write(DirectorChanged(company, ""))

    def par_is(self, company: str, price: int) -> None:
        """The company started at this price."""
        self.write(ParSet(company, price))

    def is_open(self, *companies: str) -> None:
        """These companies have been opened."""
        self.write(*(CompanyOpened(company) for company in companies))

    def has_operated(self, company: str) -> None:
        """The company had a turn before."""
        self.write(CompanyOperated(company))

    def is_closed(self, company: str) -> None:
        """The company is out of the game."""
        self.write(CompanyClosed(company))

    def is_reset(self, company: str) -> None:
        """The company is as at the beginning of the game."""
        self.write(CompanyReset(company))

    def is_bought(self, company: str, owner: str, price: int) -> None:
        """The private company was bought for so much."""
        self.write(CompanyBought(company, owner, price))

    def has_bought(self, player: str, company: str, count: int = 1) -> None:
        """It is noted that the player bought so many shares of the company in the turn at hand; he does not get them."""
        self.write(PlayerActed(player), SharesBought(player, company, count))

    def has_sold(self, player: str, company: str) -> None:
        """It is noted that the player sold shares of the company in the turn at hand; he does not lose them."""
        self.write(PlayerActed(player), SharesSold(player, company))

    def shares(self, holder: str, company: str) -> int:
        """How many shares of a company the holder has."""
        return shares_held(self.game, self.data, holder, company)

    def director(self, company: str) -> str:
        """Who directs the company."""
        return companies_of(self.game)[company].director


def opened(events: Events) -> list[str]:
    """The companies that opened."""
    return [each.company for each in facts(events, CompanyOpened)]


def operated(events: Events) -> list[str]:
    """The companies of which it was noted that they had a turn."""
    return [each.company for each in facts(events, CompanyOperated)]


def closed(events: Events) -> list[tuple[str, str]]:
    """(company, successor) of those that left the game."""
    return [(each.company, each.successor) for each in facts(events, CompanyClosed)]


def reset(events: Events) -> list[tuple[str, str]]:
    """(company, successor) of those that are as at the beginning of the game."""
    return [(each.company, each.successor) for each in facts(events, CompanyReset)]


def bought_companies(events: Events) -> list[tuple[str, str, int]]:
    """(company, owner, price) of the private companies that were bought."""
    return [(each.company, each.owner, each.price) for each in facts(events, CompanyBought)]


def purchases(events: Events) -> list[tuple[str, str, int]]:
    """(player, company, shares) of what was noted as bought in turns of a stock round."""
    return [(each.player, each.company, each.count) for each in facts(events, SharesBought)]


def divisions(events: Events) -> list[tuple[str, int]]:
    """(company, shares) of those that were divided."""
    return [(each.company, each.shares) for each in facts(events, SharesDivided)]


def new_directors(events: Events) -> list[tuple[str, str]]:
    """(company, director) where the director changed."""
    return [(each.company, each.director) for each in facts(events, DirectorChanged)]


def first_prices(events: Events) -> list[tuple[str, int]]:
    """(company, price) where the price was set at which a company starts."""
    return [(each.company, each.price) for each in facts(events, ParSet)]
