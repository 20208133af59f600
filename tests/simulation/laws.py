"""The laws that hold in every state of every game, whatever its title."""

from __future__ import annotations

from itertools import accumulate

from services.gen.signalbox.events.v1.events_pb2 import GameEvent
from services.ledger.convert import fact_of, reported_balances
from services.ledger.domain.audit import audit
from services.ledger.domain.book import Book
from services.ledger.domain.booking import apply as book_fact
from services.rules.adapters.codec import decode_event, encode_event, fill_body
from services.rules.adapters.snapshots import SNAPSHOT_SCHEMA, decode_snapshot, encode_snapshot, state_bytes
from services.rules.kernel.events import Event, GameCreated
from services.rules.kernel.fold import replay
from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.vocabulary import BANK, RESERVED_HOLDERS
from services.rules.parts.shares.data import cards_of
from services.rules.parts.shares.state import companies_of
from services.rules.parts.trains.data import train_kinds_of
from services.rules.parts.trains.state import trains_of
from services.rules.sessions import continue_from
from services.rules.status import balances_of
from services.rules.titles.g1862.state import own

GAME_ID = "simulated"


def check_money(game: Game, opening_bank: int) -> None:
    """All cash together is what the bank opened with, and nobody but the bank is below zero."""
    assert sum(game.cash.values()) == opening_bank
    assert [holder for holder, cash in game.cash.items() if cash < 0 and holder != BANK] == []
    assert [player for player, debt in game.debts.items() if debt <= 0] == []


def owners_of_shares(game: Game, data: TitleData) -> set[str]:
    """Who may hold shares beside players, bank and pool: companies on the offer of 1862, in their treasuries; in 1865 all
    companies, in their offers, and the Dragons; in Railways of the World all companies, in their reserves."""
    if game.title == "1865":
        return set(data.holders())
    return {*companies_of(game)} if game.title == "rotw" else offered_companies(game)


def offered_companies(game: Game) -> set[str]:
    """The companies that were dealt into a game of 1862."""
    return {symbol for symbol, charter in own(game).charters.items() if charter.offered_from}


def companies_in_game(game: Game) -> set[str]:
    """The companies that are not out of the game; where there is an offer, of those that were dealt into it."""
    offered = offered_companies(game)
    return {
        symbol
        for symbol, company in companies_of(game).items()
        if not company.closed and (symbol in offered or not offered)
    }


def issued_certificates(game: Game, data: TitleData, symbol: str) -> list[int]:
    """The first certificates of a company that add up to the shares it is divided into."""
    sums = list(accumulate(cards_of(data)[symbol].certificates))
    return list(range(sums.index(companies_of(game)[symbol].shares) + 1))


def check_certificates(game: Game, data: TitleData) -> None:
    """Every certificate issued of a company in play is with one holder there is, none of a company out of play is with any."""
    holders = {*game.players, *RESERVED_HOLDERS, *owners_of_shares(game, data)}
    found: dict[str, list[int]] = {symbol: [] for symbol in cards_of(data)}
    for (holder, symbol), numbers in game.holdings.items():
        assert holder in holders or not numbers, holder
        found[symbol] += numbers
    in_game = companies_in_game(game)
    for symbol, anywhere in found.items():
        issued = issued_certificates(game, data, symbol) if symbol in in_game else []
        assert sorted(anywhere) == issued, symbol


def check_trains(game: Game, data: TitleData) -> None:
    """No train is owned twice, and no more have left the depot than there are."""
    owned = [train for trains in trains_of(game).owned.values() for train in trains]
    assert len(set(owned)) == len(owned)
    for name, gone in trains_of(game).depot_gone.items():
        assert gone <= train_kinds_of(data)[name].count or train_kinds_of(data)[name].count == 0, name


def check_replay(game: Game, events: list[Event], cut: int) -> None:
    """The log folds to the live state, and so does a snapshot of an earlier state with the events after it, both with
    every event written to bytes and read back."""
    log = [decode_event(*encode_event(event)) for event in events]
    assert log == events
    _check_same(replay(log), game)
    restored = decode_snapshot(encode_snapshot(replay(log[:cut])), SNAPSHOT_SCHEMA, cut)
    assert restored is not None
    continued = continue_from(restored, log[cut:])
    if continued is not None:
        _check_same(continued, game)


def _check_same(folded: Game, live: Game) -> None:
    """Both are stored as the same bytes; if not, what differs is named."""
    if state_bytes(folded) == state_bytes(live):
        return
    differing = [field for field in live.__struct_fields__ if getattr(folded, field) != getattr(live, field)]
    parts = [name for name in live.parts if folded.parts.get(name) != live.parts[name]]
    raise AssertionError(f"the folded state differs from the live one in {differing}, parts {parts}")


class Auditor:
    """A ledger of its own that books every event and compares itself with the rules."""

    def __init__(self) -> None:
        self._book = Book(GAME_ID)

    def follow(self, events: list[Event]) -> None:
        """Book what is new in the log."""
        for sequence, event in enumerate(events[self._book.sequence :], start=self._book.sequence + 1):
            message = GameEvent(game_id=GAME_ID, sequence=sequence)
            fill_body(message, *encode_event(event))
            book_fact(self._book, fact_of(message))

    def check(self, game: Game, data: TitleData) -> None:
        """The books and the rules agree to the last unit."""
        found = audit(self._book, reported_balances(game.sequence, balances_of(data, game)))
        assert found.passed, (found.differences, found.broken_laws)


def opening_bank(events: list[Event]) -> int:
    """What the bank held before the first payment."""
    created = events[0]
    assert isinstance(created, GameCreated)
    return created.bank_cash
