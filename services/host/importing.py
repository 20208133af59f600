"""The lobby's `GameImporter` from the rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from threading import Lock

from services.common.auth.signatures import TrustedKeys
from services.common.errors import Overloaded
from services.common.eventlog.port import NewRecord
from services.ledger.convert import fact_of, reported_balances
from services.ledger.domain import booking
from services.ledger.domain.audit import audit
from services.ledger.domain.book import Book
from services.ledger.domain.errors import LedgerError
from services.lobby.domain.catalogue import RulingChoice, RulingSelection
from services.lobby.domain.imports import ImportedGame, ImportWanted
from services.lobby.domain.rejections import ImportFault
from services.lobby.ports import ImportRefused
from services.rules.adapters.codec import encode_event
from services.rules.adapters.imported_games import packed_game
from services.rules.adapters.records import envelope
from services.rules.catalogue import PEER_PROFILE, TableRulings, rulings_of
from services.rules.kernel.game import Game
from services.rules.kernel.title import Title
from services.rules.moving.export import BEGINNING
from services.rules.moving.native import bearers_in, open_export
from services.rules.moving.opening import Opening, Wanted, unpacked
from services.rules.moving.recorded import open_recorded
from services.rules.moving.refusals import FileRefused
from services.rules.status import balances_of

# Of the command that carries them in a cluster, which fits into one record of Kafka.
EVENTS_BYTES_MAX = 3 * 1024 * 1024
RETRY_MS = 1_000
# Id of the game while its books are checked.
CHECKED = "import"


class RulesImporter:
    """Reads one file at a time: the cores are there for games in play."""

    def __init__(self, titles: Mapping[str, Title], keys: TrustedKeys) -> None:
        """`keys`: whose exports are taken."""
        self._titles = titles
        self._keys = keys
        self._reading = Lock()

    def read(
        self, wanted: ImportWanted, accounts: Mapping[str, str], is_cancelled: Callable[[], bool]
    ) -> ImportedGame:
        """See `GameImporter`."""
        if not self._reading.acquire(blocking=False):
            raise Overloaded("another game is being imported", RETRY_MS)
        try:
            content = unpacked(wanted.file)
            how = Wanted(accounts, wanted.undo_policy, wanted.as_recorded)
            return self._imported(self._opening(content, how, is_cancelled), content)
        except FileRefused as refused:
            fault = ImportFault(refused.code, refused.number, refused.action_id, refused.kind, refused.player)
            raise ImportRefused(fault, str(refused), refused.clause) from refused
        finally:
            self._reading.release()

    def _opening(self, content: bytes, wanted: Wanted, is_cancelled: Callable[[], bool]) -> Opening:
        if content.startswith(BEGINNING):
            return open_export(content, wanted, self._titles, self._keys.have_signed)
        return open_recorded(content, wanted, self._titles, is_cancelled)

    def _imported(self, opening: Opening, content: bytes) -> ImportedGame:
        facts = [NewRecord(*encode_event(event)) for event in opening.events]
        size = sum(len(fact.type) + len(fact.payload) for fact in facts)
        if size > EVENTS_BYTES_MAX:
            raise FileRefused("too_large", f"{size} bytes of events, more than {EVENTS_BYTES_MAX}")
        game = opening.game
        _check_books(self._titles[game.title], game, facts)
        return ImportedGame(
            players=game.players,
            title=game.title,
            options=game.options,
            rulings=_rulings(self._titles[game.title], game),
            undo_policy=game.undo_policy,
            seed=game.seed,
            source=opening.source,
            source_game_id=opening.game_id,
            file_digest=sha256(content).hexdigest(),
            action_count=opening.action_count,
            events=packed_game(facts),
            bearers=bearers_in(game),
        )


def _check_books(title: Title, game: Game, facts: Sequence[NewRecord]) -> None:
    """Keep the books of the game as the ledger will. Raises `FileRefused` where it would hold the game."""
    book = Book(CHECKED)
    for sequence, fact in enumerate(facts, start=1):
        try:
            booking.apply(book, fact_of(envelope(fact, CHECKED, sequence)))
        except LedgerError as error:
            raise FileRefused("books_differ", str(error), number=sequence, kind=fact.type) from error
    audited = audit(book, reported_balances(game.sequence, balances_of(title.data_of(game), game)))
    if not audited.passed:
        found = (*audited.differences, *audited.broken_laws)
        raise FileRefused("books_differ", "; ".join(map(str, found)))


def _rulings(title: Title, game: Game) -> RulingSelection:
    """The rulings of a game as a table shows them: by their profile, or each that differs from the rulebook's."""
    peer = {each.name: each.value for each in rulings_of(title, TableRulings(PEER_PROFILE, {}))}
    if game.rulings == peer:
        return RulingSelection(PEER_PROFILE)
    defaults = {each.name: each.value for each in rulings_of(title, TableRulings("", {}))}
    return RulingSelection(
        "",
        tuple(
            RulingChoice(name, value) for name, value in game.rulings.items() if defaults.get(name) != value
        ),
    )
