"""Events of money, certificates, market prices and charters."""

from __future__ import annotations

from services.rules.domain.event_base import Event
from services.rules.domain.vocabulary import (
    CertificateReason,
    DebtReason,
    DividendKind,
    MoneyReason,
    PriceReason,
)


class CashMoved(Event, frozen=True):
    """`amount` > 0 went from `source` to `target`; `subject` is the company, train or hex it was about."""

    source: str
    target: str
    amount: int
    reason: MoneyReason
    subject: str = ""


class CertificatesMoved(Event, frozen=True):
    """Certificates `numbers` of `company` (0 = director's), together `percent` of it, went from `source` to `target`."""

    company: str
    numbers: tuple[int, ...]
    source: str
    target: str
    reason: CertificateReason
    percent: int


class CertificatesReserved(Event, frozen=True):
    """From now on exactly these certificates of `company` in the bank are kept for an exchange, not for sale."""

    company: str
    numbers: tuple[int, ...]


class CompanyBought(Event, frozen=True):
    """A privately held company (mountain, coal, pre-state) was bought for `price` and is in play."""

    company: str
    owner: str
    price: int


class PriceStarted(Event, frozen=True):
    """`company` got its first price: its marker stands on the market at (`row`, `column`), the cell of `price`."""

    company: str
    price: int
    row: int
    column: int


class PriceMoved(Event, frozen=True):
    """The marker of `company` moved under the markers at (`row`, `column`), the cell of `price`."""

    company: str
    row: int
    column: int
    reason: PriceReason
    price: int


class CompanyOpened(Event, frozen=True):
    """`company` is operational from now on (floated, or a state railway formed)."""

    company: str


class DirectorChanged(Event, frozen=True):
    """`director` decides for `company`; empty when nobody does."""

    company: str
    director: str


class CompanyClosed(Event, frozen=True):
    """`company` left the game; `successor` took over what it had, or empty."""

    company: str
    successor: str = ""


class DividendDeclared(Event, frozen=True):
    """`company` paid, split or withheld `revenue`; `per_share` is what 10 % received."""

    company: str
    kind: DividendKind
    revenue: int
    per_share: int


class DebtChanged(Event, frozen=True):
    """The debt of `player` changed by `amount` (negative: less)."""

    player: str
    amount: int
    reason: DebtReason


class CharterSideSet(Event, frozen=True):
    """The charter of `company` lies on its chartered side, or on the other."""

    company: str
    chartered: bool


class IpoMarkerSet(Event, frozen=True):
    """The marker of `company` on the chart of initial offers stands at `price`; 0: it has none. `chartered_area`: a company
    that is not chartered (any more) has it in the chart's chartered area (1862/7.5.4-b)."""

    company: str
    price: int
    chartered_area: bool = False


class PriceRemoved(Event, frozen=True):
    """The marker of `company` left the market."""

    company: str


class CompanyReset(Event, frozen=True):
    """`company` is as if never opened and can be opened again; `successor` took over what it had, or empty."""

    company: str
    successor: str = ""
