"""How a company that was absorbed, went bankrupt or was not quoted in time comes back on offer (1862/4.3-d, 7.5.7, 7.12)."""

from __future__ import annotations

from services.rules.kernel.draft import Draft
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.map.events import CharterTokensSet
from services.rules.parts.market.events import PriceRemoved
from services.rules.parts.market.state import market_of
from services.rules.parts.shares.events import CompanyReset
from services.rules.parts.shares.shares import move_certificates
from services.rules.titles.g1862.events import CompanyOffered, LicencesSet
from services.rules.titles.g1862.state import ServiceKind, charter_of


def restart(draft: Draft, symbol: str, successor: str = "") -> None:
    """Its certificates go back to the bank, its marker off the market; it has its first licence and can be opened again
    (1862/4.3-d, 5.2.6-k, 7.5.7-a to 7.5.7-c)."""
    held = [holder for holder, company in draft.game.holdings if company == symbol]
    for holder in held:
        if holder != BANK:
            move_certificates(draft, symbol, draft.game.held(holder, symbol), holder, BANK, "returned")
    if symbol in market_of(draft.game).markers:
        draft.emit(PriceRemoved(symbol))
    _sort_certificates(draft, symbol)
    draft.emit(CompanyReset(symbol, successor))
    draft.emit(CharterTokensSet(symbol, ()))
    charter = charter_of(draft.game, symbol)
    put_on_offer(draft, symbol, charter.offered_from, charter.licence)


def put_on_offer(draft: Draft, symbol: str, phase: str, licence: ServiceKind) -> None:
    """The company can be opened from `phase` on, and has the licence it was dealt (empty: none)."""
    draft.emit(CompanyOffered(symbol, phase, licence))
    draft.emit(LicencesSet(symbol, (licence,) if licence else ()))


def _sort_certificates(draft: Draft, symbol: str) -> None:
    """The bank's certificates are sold in the order of their numbers, as at the start."""
    held = draft.game.held(BANK, symbol)
    if held != tuple(sorted(held)):
        move_certificates(draft, symbol, held, BANK, "", "returned")
        move_certificates(draft, symbol, tuple(sorted(held)), "", BANK, "issued")
