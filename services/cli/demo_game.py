"""Bots play a whole game through the public interface of four running services; progress is shown, the result checked."""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from services.bots import BOTS
from services.client.books import Books
from services.client.games import Games
from services.client.lobby import Lobby, register as register_player, sign_in
from services.client.player import Player, play_game
from services.gen.signalbox.events.v1 import events_pb2
from services.gen.signalbox.ledger.v1 import ledger_pb2
from services.gen.signalbox.lobby.v1 import table_pb2
from services.gen.signalbox.rules.v1 import game_pb2
from services.host.addresses import Addresses
from services.rules.adapters.codec import decode_event, stored_body
from services.rules.adapters.view import game_view
from services.rules.kernel.events import Event
from services.rules.kernel.fold import replay
from services.rules.parts.presentation import presentation_of
from services.rules.titles import TITLES

NAMES = ("Ada", "Bela", "Clara", "David", "Emil", "Flora", "Gustav", "Hedwig")
# Time for the ledger to catch up over Kafka.
BOOKS_SECONDS = 30.0
POLL_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class Choices:
    """What is played."""

    title: str
    player_count: int
    seed: int
    bots: str
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Played:
    """A finished game. `is_sound`: books and log agree with its state."""

    game_id: str
    view: game_pb2.GameView
    is_sound: bool


def play(console: Console, at: Addresses, choices: Choices, mark: str = "") -> Played:
    """Register players, let bots play to the end, then show standings and books and fold the game from its log. `mark`:
    put behind the names where others may have them."""
    for name in ("lobby", "rules", "routing", "ledger"):
        if getattr(at, name):
            console.print(f"{name:8} {getattr(at, name)}", highlight=False)
    names, tokens = _register(at, choices.player_count, mark)
    table = _gather(at, list(tokens.values()), choices)
    game_id = table.game_id
    # By seat, so that a seed gives the same game again: whose seat it is depends on ids, which are new in every demo.
    seats = {
        player_id: Player(
            player_id, Games(at.rules, tokens[player_id]), BOTS[choices.bots](choices.seed + seat)
        )
        for seat, player_id in enumerate(table.seats)
    }
    began = time.monotonic()
    with _Rounds(console, names, choices.title) as rounds:
        view = play_game(seats, game_id, rounds.show)
    console.print(f"over after {view.sequence} events in {time.monotonic() - began:.0f} s: {view.ending}")
    games, books = seats[next(iter(seats))].games, Books(at.ledger, next(iter(tokens.values())))
    console.print(_standings(view, names))
    is_balanced = _show_books(console, books, game_id, names, view.sequence)
    events = [_body(event) for event in games.events(game_id)]
    return Played(game_id, view, folds(console, game_id, events, view, "its log") and is_balanced)


def _register(at: Addresses, player_count: int, mark: str) -> tuple[dict[str, str], dict[str, str]]:
    """Names and tokens by player id."""
    names, tokens = {}, {}
    for name in NAMES[:player_count]:
        password = secrets.token_urlsafe()
        player_id = register_player(at.lobby, name + mark, password)
        names[player_id], tokens[player_id] = name, sign_in(at.lobby, name + mark, password).token
    return names, tokens


def _gather(at: Addresses, tokens: Sequence[str], choices: Choices) -> table_pb2.Table:
    """A table with a game that all of them play."""
    owner, *others = (Lobby(at.lobby, token) for token in tokens)
    table = owner.create_table(choices.title, choices.player_count, choices.options, seed=choices.seed)
    for other in others:
        other.join_table(table.table_id)
    return owner.start_table(table.table_id)


class _Rounds:
    """Prints a line per round, and a progress bar of the money paid by the bank."""

    def __init__(self, console: Console, names: dict[str, str], title: str) -> None:
        self._names = names
        self._last: tuple[object, ...] = ()
        self._opening = 0
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.fields[left]}"),
            TimeElapsedColumn(),
        )
        self._progress = Progress(*columns, console=console, transient=True)
        self._task = self._progress.add_task(f"{title}: the bank", total=None, left="")

    def __enter__(self) -> _Rounds:
        self._progress.start()
        return self

    def __exit__(self, *_problem: object) -> None:
        self._progress.stop()

    def show(self, view: game_pb2.GameView) -> None:
        """Show the game; called whenever the turn passes."""
        self._opening = max(self._opening, view.bank_cash)
        gone = max(0, self._opening - view.bank_cash)
        self._progress.update(self._task, total=self._opening, completed=gone, left=f"{view.bank_cash} left")
        at = (view.round.kind, view.round.turn, view.round.number)
        if at != self._last:
            self._last = at
            self._progress.console.print(_round_line(view, self._names), highlight=False)


def _round_line(view: game_pb2.GameView, names: dict[str, str]) -> str:
    """`OR 3.1  phase 3  bank 10600  Ada 480 Clara 370`: the round and what everybody is worth."""
    current = view.round
    short = presentation_of(TITLES[view.title]).short_round_name(current.kind)
    numbered = current.kind == "operating" or current.count > 1
    number = f"{short} {current.turn}" + (f".{current.number}" if numbered else "")
    worth = " ".join(f"{names[each.player]} {each.value}" for each in view.players)
    phase = f" phase {view.phase:2}" if view.phase else ""
    return f"{number:7}{phase} bank {view.bank_cash:5}  {worth}"


def _table(title: str, first: str, *numbers: str) -> Table:
    table = Table(title=title)
    table.add_column(first)
    for column in numbers:
        table.add_column(column, justify="right")
    return table


def _standings(view: game_pb2.GameView, names: dict[str, str]) -> Table:
    currency = TITLES[view.title].load((), {}).header.currency
    table = _table(f"standings in {currency}", "player", "cash", "debt", "certificates", "value")
    players = {each.player: each for each in view.players}
    for score in view.scores:
        stand = players[score.player]
        certificates = score.value - stand.cash + stand.debt
        table.add_row(names[score.player], *map(str, (stand.cash, stand.debt, certificates, score.value)))
    return table


def _show_books(console: Console, books: Books, game_id: str, names: dict[str, str], sequence: int) -> bool:
    """The trial balance of money, the sums of all units, and the audit; whether all is in order."""
    _wait_for_books(books, game_id, sequence)
    trial, audit = books.trial_balance(game_id), books.audit(game_id)
    table = _table("trial balance: money", "account", "debits", "credits", "balance")
    for row in trial.rows:
        if row.account.unit == ledger_pb2.UNIT_MONEY:
            holder = row.account.holder
            table.add_row(names.get(holder, holder), str(row.debits), str(row.credits), str(row.balance))
    console.print(table)
    sums = len(trial.totals), sum(total.sum != 0 for total in trial.totals)
    console.print(f"{len(trial.rows)} accounts in {sums[0]} units, {sums[1]} of which do not add up to 0")
    agrees = not audit.differences and not audit.broken_laws and audit.compared_sequence == trial.sequence
    if not (trial.balanced and agrees):
        console.print(f"LEDGER NOT BALANCED {audit.hold.reason} {audit.hold.detail}", style="bold red")
        return False
    console.print("ledger balanced", style="bold green", end=" ")
    console.print(f"and equal to the rules' own figures at sequence {audit.compared_sequence}")
    return True


def _wait_for_books(books: Books, game_id: str, sequence: int) -> None:
    end = time.monotonic() + BOOKS_SECONDS
    while books.audit(game_id).compared_sequence < sequence and time.monotonic() < end:
        time.sleep(POLL_SECONDS)


def folds(
    console: Console, game_id: str, events: Sequence[Event], live: game_pb2.GameView, source: str
) -> bool:
    """Whether folding these events gives the state that the service shows; prints the result."""
    folded = replay(events)
    title = TITLES[folded.title]
    same = game_view(game_id, title, title.data_of(folded), folded) == live
    if same:
        console.print(
            f"the state folded from {len(events)} events of {source} equals the live state",
            style="bold green",
        )
    else:
        console.print(f"THE STATE FOLDED FROM {source} IS NOT THE LIVE STATE", style="bold red")
    return same


def _body(event: events_pb2.GameEvent) -> Event:
    return decode_event(*stored_body(event))
