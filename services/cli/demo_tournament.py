"""A tournament of 24 bots through the public interface: three Swiss rounds and a final, with all that a director has to do."""

from __future__ import annotations

import secrets
import tempfile
import time
import zlib
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path

from rich.console import Console

from services.bots import BOTS
from services.cli.compile_notice import notice_if_compiling
from services.cli.demo_settings import FAILED, embedded_settings
from services.cli.tournament_log import check_in_log
from services.client.calls import NotAnsweredError, Rejected
from services.client.games import Games
from services.client.guests import TableGuests
from services.client.lobby import register, sign_in
from services.client.player import Player, play_game, share_sequence, take_turn
from services.client.tournaments import TournamentDesk, Tournaments
from services.common.shown import counted
from services.gen.signalbox.lobby.v1 import tournament_pb2 as pb, tournament_round_pb2 as round_pb
from services.host.addresses import Addresses
from services.host.embedded import EmbeddedHost
from services.lobby.domain.tournaments.charter import Charter, PlayedTitle, charter_json
from services.lobby.domain.tournaments.formats.stages import Stage, Swiss
from services.lobby.domain.tournaments.scoring.explaining import amount, points
from services.lobby.domain.tournaments.scoring.policy import ScoringPolicy
from services.lobby.domain.tournaments.scoring.results import UNIT
from services.lobby.presets.loading import SYSTEMS

FIRST_NAMES = (
    "Ada Bela Clara David Emil Flora Gustav Hedwig Ida Josef Klara Leo Mila Nora Otto Paula Quirin Rosa Stefan Tilda "
    "Ulrich Vera Wilma Xaver"
)
NAMES = FIRST_NAMES.split()
STANDBY, SUBSTITUTE = "Yvonne", "Zdenka"
DIRECTORS = ("Dora", "Dominik")
TITLES = ("1824", "1862")
ROUNDS = 3
ROUND_WITH_ABSENCE = 2
ROUND_WITH_SUBSTITUTE = 3
MOVES_BEFORE_SUBSTITUTION = 20
FINALISTS = 4
AT_ONCE = 2
"""Processes that play tables: the services use the other processor of a small machine."""
RESULT_SECONDS = 60.0
POLL_SECONDS = 0.1

CHARTER = Charter(
    name="Signalbox demo cup",
    stages=(Stage("swiss", Swiss(ROUNDS)), Stage("final", Swiss(1), places=FINALISTS)),
    titles=tuple(PlayedTitle(title, 3, 4) for title in TITLES),
    scoring=ScoringPolicy(SYSTEMS["place"]),
    entries_max=len(NAMES),
    second_person_in=("swiss",),
)


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat that a bot plays."""

    player_id: str
    token: str
    seed: int


@dataclass(frozen=True, slots=True)
class Guests:
    """Everybody, and their connections. Names and tokens by player id."""

    names: Mapping[str, str]
    tokens: Mapping[str, str]
    desk: TournamentDesk
    second: TournamentDesk
    reader: Tournaments


def demo_tournament(seed: int, bots: str, database: Path | None) -> int:
    """Play the tournament on a temporary embedded host and print its standings; returns the exit code. `database`: a file to
    keep its log in."""
    console = Console(highlight=False, soft_wrap=True)
    with tempfile.TemporaryDirectory(prefix="signalbox-") as folder:
        path = database or Path(folder) / "tournament.db"
        host = EmbeddedHost(embedded_settings(Path(folder), path))
        with notice_if_compiling():
            host.start()
        try:
            event_id = play_tournament(console, host.addresses, seed, bots)
        finally:
            host.stop()
        console.print("\nchecked again from the streams of the log:")
        code = check_in_log(event_id, f"sqlite:{path}")
    if database is not None:
        console.print(f"signalbox tournament export {event_id} FOLDER --log sqlite:{database}")
    return code and FAILED


def play_tournament(console: Console, at: Addresses, seed: int, bots: str) -> str:
    """The whole tournament; returns its id."""
    guests, event_id = _opened(console, at)
    # Processes of their own, since bots compute as much as the services do.
    with ProcessPoolExecutor(AT_ONCE, mp_context=get_context("spawn")) as pool:
        for number in range(1, ROUNDS + 1):
            _play_round(console, at, pool, guests, event_id, seed, bots, number)
        guests.desk.finish_stage(event_id)
        final = guests.desk.start_stage(event_id)
        finalists = ", ".join(guests.names[each] for each in final.stages[-1].entrants)
        console.print(f"\n[bold]The final[/bold]: {finalists}")
        _play_round(console, at, pool, guests, event_id, seed, bots)
        over = guests.desk.finish_stage(event_id)
    for stage, title in enumerate(("three Swiss rounds", "the final")):
        console.print(f"\n[bold]Standings of {title}[/bold]")
        _print_standings(console, guests.reader, event_id, stage)
    console.print(f"\nThe winner is [bold]{guests.names[over.ranking[0]]}[/bold]. The leaderboard:")
    for line in guests.reader.leaderboard()[:FINALISTS]:
        console.print(
            f"{line.rank}. {line.player.name}: {amount(line.shown)} after {counted(line.games, 'game')}"
        )
    return event_id


def play_table(rules: str, seats: Sequence[Seat], game_id: str, bots: str) -> str:
    """Let bots play a game to its end; why it ended. Runs in a process of its own."""
    try:
        return play_game(_players(rules, seats, bots), game_id).ending
    except (Rejected, NotAnsweredError) as problem:
        # These cannot pass from one process to another.
        raise RuntimeError(f"game {game_id}: {problem}") from None


def _players(rules: str, seats: Sequence[Seat], bots: str) -> dict[str, Player]:
    return {
        seat.player_id: Player(seat.player_id, Games(rules, seat.token), BOTS[bots](seat.seed))
        for seat in seats
    }


def _opened(console: Console, at: Addresses) -> tuple[Guests, str]:
    """Everybody signed in, the tournament set up, all entered: 24 players and one on the waiting list."""
    names, tokens, by_name = {}, {}, {}
    for name in (*DIRECTORS, *NAMES, STANDBY, SUBSTITUTE):
        password = secrets.token_urlsafe()
        player_id = register(at.lobby, name, password)
        tokens[player_id] = sign_in(at.lobby, name, password).token
        names[player_id], by_name[name] = name, player_id
    first, second = (by_name[name] for name in DIRECTORS)
    desk = TournamentDesk(at.lobby, tokens[first])
    event = desk.create(charter_json(CHARTER))
    desk.set_role(event.tournament_id, second, pb.TOURNAMENT_ROLE_DIRECTOR, True)
    desk.set_entries(event.tournament_id, True)
    for number, name in enumerate((*NAMES, STANDBY)):
        wishes = TITLES if number % 2 else TITLES[::-1]
        client = Tournaments(at.lobby, tokens[by_name[name]])
        client.enter(event.tournament_id, wishes)
        client.close()
    desk.set_entries(event.tournament_id, False)
    started = desk.start_stage(event.tournament_id)
    console.print(
        f"[bold]{CHARTER.name}[/bold]: {counted(started.active_count, 'player')}, {started.waiting_count} on the waiting list, "
        f"charter {started.charter_digest[:12]}, seed {started.seed}"
    )
    guests = Guests(names, tokens, desk, TournamentDesk(at.lobby, tokens[second]), Tournaments(at.lobby))
    return guests, event.tournament_id


def _play_round(
    console: Console,
    at: Addresses,
    pool: ProcessPoolExecutor,
    guests: Guests,
    event_id: str,
    seed: int,
    bots: str,
    swiss_round: int = 0,
) -> None:
    has_absence = swiss_round == ROUND_WITH_ABSENCE
    proposed = guests.desk.propose(event_id)
    published = guests.desk.publish(proposed.round_id)
    console.print(f"\n[bold]Round {published.number}[/bold], pairing {published.proposal_digest[:12]}")
    played = list(published.tables)
    if has_absence:
        _rule_on_absence(console, guests, published, played.pop())
    began = time.monotonic()
    seats = {state.table.number: _seats(guests, published, state.table, seed) for state in played}
    if swiss_round == ROUND_WITH_SUBSTITUTE:
        _substitute(console, at, guests, published, played[0], seats, bots)
    games = {
        state.table.number: pool.submit(
            play_table, at.rules, seats[state.table.number], state.table.game_id, bots
        )
        for state in played
    }
    for number, game in games.items():
        ending = game.result()
        state = _awaited(guests.reader, published.round_id, number)
        worths = ", ".join(f"{guests.names[each.player]} {each.worth}" for each in state.result.seats)
        console.print(f"table {number}, {state.table.title} ({ending}): {worths}")
    console.print(f"{counted(len(games), 'game')} in {time.monotonic() - began:.0f} s")
    if has_absence:
        _replace_absent(console, guests, event_id, published.round_id)


def _seats(guests: Guests, current: round_pb.Round, table: pb.RoundTable, seed: int) -> list[Seat]:
    """The bots of a table, each with a seed of its own."""
    drawn = f"{seed}.{current.stage}.{current.number}.{table.number}"
    return [
        Seat(player, guests.tokens[player], zlib.crc32(f"{drawn}.{seat}".encode()))
        for seat, player in enumerate(table.seats)
    ]


def _substitute(
    console: Console,
    at: Addresses,
    guests: Guests,
    published: round_pb.Round,
    state: round_pb.RoundTableState,
    seats: dict[int, list[Seat]],
    bots: str,
) -> None:
    """Some moves into its game a player of the table is called away; the substitute has the seat from then on."""
    number, game_id = state.table.number, state.table.game_id
    before = _players(at.rules, seats[number], bots)
    anybody = next(iter(before.values())).games
    for _ in range(MOVES_BEFORE_SUBSTITUTION):
        if (accepted := take_turn(before[anybody.game(game_id).acting_players[0]], game_id)) is not None:
            share_sequence(before, game_id, accepted.last_sequence)
    leaving = anybody.game(game_id).acting_players[0]
    taker = next(player for player, name in guests.names.items() if name == SUBSTITUTE)
    at_table = TableGuests(at.lobby, guests.tokens[taker])
    at_table.join(state.table.table_id, as_substitute=True)
    at_table.close()
    guests.desk.substitute(published.round_id, number, leaving, taker, "called away")
    seats[number] = [
        replace(seat, token=guests.tokens[taker]) if seat.player_id == leaving else seat
        for seat in seats[number]
    ]
    after = _players(at.rules, seats[number], bots)[leaving]
    offer = after.games.choices(game_id)
    try:
        before[leaving].games.execute(game_id, offer.sequence, after.bot.choose(offer.choices))
    except Rejected as refused:
        console.print(
            f"table {number}: {SUBSTITUTE} takes the seat of {guests.names[leaving]}, who is called away after "
            f"{MOVES_BEFORE_SUBSTITUTION} moves and whose next one is refused ({refused.reason})"
        )
    else:
        raise RuntimeError(f"{guests.names[leaving]} still plays the seat that {SUBSTITUTE} has taken")


def _rule_on_absence(
    console: Console, guests: Guests, published: round_pb.Round, state: round_pb.RoundTableState
) -> None:
    """One player does not show up: recorded, and the table awarded to those who came, by two directors."""
    number, seats = state.table.number, list(state.table.seats)
    missing, *others = seats
    reason = f"{guests.names[missing]} did not show up within 30 minutes"
    guests.desk.no_show(published.round_id, number, missing, reason)
    awards = {missing: 0} | dict.fromkeys(others, 3 * UNIT)
    ruled = guests.desk.adjudicate(published.round_id, number, pb.ADJUDICATION_KIND_AWARD, reason, awards)
    (there,) = (each for each in ruled.tables if each.table.number == number)
    guests.second.confirm_adjudication(published.round_id, number, len(there.adjudications))
    shown = ", ".join(f"{guests.names[player]} {amount(points)}" for player, points in awards.items())
    console.print(
        f"table {number}: {reason}; {DIRECTORS[0]} awards {shown}, and {DIRECTORS[1]} confirms it as the charter asks"
    )


def _replace_absent(console: Console, guests: Guests, event_id: str, round_id: str) -> None:
    """The absent player is taken out, and the standby enters in the next round."""
    current = guests.reader.round(round_id)
    missing = next(each.player_id for table in current.tables for each in table.no_shows)
    waiting = next(
        each.player for each in guests.reader.entries(event_id) if each.state == pb.ENTRY_STATE_WAITING
    )
    guests.desk.remove(event_id, missing, "did not show up")
    guests.desk.admit(event_id, waiting.player_id)
    console.print(
        f"{waiting.name} takes the place of {guests.names[missing]} from the next round on: a withdrawal, and an admission from "
        "the waiting list"
    )


def _awaited(reader: Tournaments, round_id: str, number: int) -> round_pb.RoundTableState:
    """A table once its result has reached the round."""
    end = time.monotonic() + RESULT_SECONDS
    while True:
        state = next(each for each in reader.round(round_id).tables if each.table.number == number)
        if state.is_settled:
            return state
        if time.monotonic() > end:
            raise TimeoutError(f"the result of table {number} does not reach the round")
        time.sleep(POLL_SECONDS)


def _print_standings(console: Console, reader: Tournaments, event_id: str, stage: int) -> None:
    for line in reader.standings(event_id, stage):
        marks = " (withdrawn)" if line.is_withdrawn else ""
        console.print(f"{line.rank}. {line.player.name}{marks}: {points(line.points)} — {line.explanation}")
