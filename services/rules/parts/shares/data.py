"""The printed cards of companies."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate
from typing import Any, ClassVar

from msgspec import Struct

from services.rules.kernel.conversion import Converter
from services.rules.kernel.titlebuild import Documents, Reader, SectionReader
from services.rules.kernel.titledata import Header, Section, TitleData

PART = "shares"


class Home(Struct, frozen=True, forbid_unknown_fields=True):
    """Where a company's first token is placed: a hex, and the stop in it."""

    hex: str
    stop: int


class Colours(Struct, frozen=True, forbid_unknown_fields=True):
    """How a company is drawn."""

    fill: str
    text: str


class CompanyCard(Struct, frozen=True, forbid_unknown_fields=True):
    """A company as printed; a title may have cards with more on them. `certificates`: how many shares each stands for, from
    the director's on. `divided_into`: how many shares the company has at the start, and after each new division in play;
    each time the first certificates that add up to it are issued. Tokens are costs in order. `capital_times_price`: what
    a company gets when it opens, in share prices."""

    symbol: str
    name: str
    kind: str
    colours: Colours
    home: Home | None = None
    certificates: tuple[int, ...] = ()
    divided_into: tuple[int, ...] = ()
    tokens: tuple[int, ...] = ()
    par_prices: tuple[int, ...] = ()
    float_percent: int | None = None
    capital_times_price: int = 0
    counts_for_limit: bool = True


class SharesData(Section, frozen=True, eq=False):
    """The companies of a title by symbol. `kinds` in operating order; `homes`: the companies at home in a hex."""

    PART: ClassVar[str] = PART

    companies: dict[str, Any]
    kinds: tuple[str, ...]
    homes: dict[str, tuple[str, ...]]

    def holders(self) -> Iterable[str]:
        """The symbols of the companies."""
        return self.companies


def shares_data(data: TitleData) -> SharesData:
    """The companies of a title that has shares."""
    found: SharesData = data.sections[PART]
    return found


def company_kind(data: TitleData, name: str) -> str:
    """The kind of the company of this name; empty for anybody else, and in a title without shares."""
    section = data.sections.get(PART)
    card = section.companies.get(name) if isinstance(section, SharesData) else None
    return "" if card is None else str(card.kind)


def cards_of(data: TitleData) -> dict[str, CompanyCard]:
    """The cards of all companies by symbol."""
    found: dict[str, CompanyCard] = data.sections[PART].companies
    return found


def shares_reader(card: Converter[Any], faults: Callable[[TitleData], Iterable[str]]) -> SectionReader:
    """Reads `companies.toml` with cards of the title's own type. `faults`: what else is wrong with them."""

    def read(reader: Reader, documents: Documents, header: Header) -> SharesData:
        document = documents["companies"]
        kinds = document.get("kinds", {})
        raw = [
            {**kinds.get(entry.get("kind"), {}), **entry} if isinstance(entry, dict) else entry
            for entry in document.get("companies", ())
        ]
        companies = reader.entries({"companies": raw}, "companies", "companies", "symbol", card)
        for company in companies.values():
            if company.kind not in kinds:
                where = f"companies.toml: companies {company.symbol}"
                reader.problems.append(f"{where}: kind {company.kind!r} is not described")
        return SharesData(companies, tuple(kinds), _homes(companies))

    def all_faults(data: TitleData) -> Iterator[str]:
        for symbol, company in cards_of(data).items():
            for fault in _division_faults(company):
                yield f"companies.toml: companies {symbol}: {fault}"
        yield from faults(data)

    return SectionReader(PART, ("companies",), read, all_faults, {"companies": ("companies", "kinds")})


def _division_faults(card: CompanyCard) -> Iterator[str]:
    if any(shares < 1 for shares in card.certificates):
        yield "certificates: each stands for one share or more"
        return
    sums = list(accumulate(card.certificates))
    for shares in card.divided_into:
        if shares not in sums:
            yield f"divided_into: no first certificates add up to {shares} shares"
    if sums[-1:] != list(card.divided_into[-1:]):
        yield f"certificates: they add up to {sum(card.certificates)} shares, which is not the last of divided_into"


def _homes(companies: dict[str, CompanyCard]) -> dict[str, tuple[str, ...]]:
    homes: dict[str, tuple[str, ...]] = {}
    for company in companies.values():
        if company.home is not None:
            homes[company.home.hex] = (*homes.get(company.home.hex, ()), company.symbol)
    return homes
