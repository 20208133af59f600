"""Maps of 1862 on which a company is about to run its trains; every hex of a run given here is a stop."""

from __future__ import annotations

from itertools import pairwise

from services.rules.parts.map.state import map_of
from services.rules.parts.trains.commands import Hop, RunTrains, TrainRun
from services.rules.parts.trains.data import train_kinds_of
from services.rules.titles.g1862.figures import kind_of
from services.rules.titles.g1862.state import ServiceKind
from tests.positions.trains import earnings
from tests.titles.g1862.table import ADA, Table, new_table

KIND_OF: dict[str, ServiceKind] = {"F": "freight", "L": "local", "E": "express"}
FULL = ("E&H", "N&S")


def board(company: str, tiles: str, *trains: str, phase: str = "A", **rulings: str) -> Table:
    """The company of Ada, licensed for all kinds, with its home token, on tiles given as `hex:tile/rotation`.

    Trains by their printed names, such as `2F`; they are named after them (two alike: with an x)."""
    table = new_table(4, offer=(company, *FULL), by=rulings)
    table.is_founded(company, 82, ADA, tokens=6)
    table.licences_are(company, "freight", "local", "express")
    table.priority_is(ADA)
    for word in tiles.split():
        hex_id, _, piece = word.partition(":")
        tile, _, rotation = piece.partition("/")
        table.tile_lies(hex_id, tile, int(rotation))
    table.home_tokens_stand(company)
    for name in trains:
        give(table, company, name)
    if phase != "A":
        table.phase_alone_is(phase)
    table.operating_round_is(company, step="run_trains")
    return table


def give(table: Table, company: str, name: str) -> None:
    """One more train, by its printed name; an x tells it from one with the same."""
    kind = KIND_OF[name.rstrip("x")[-1]]
    train = train_named(letter_of(table, name), name)
    table.train_is_owned(train, company)
    table.runs_as(train, kind)


def train_named(letter: str, name: str) -> str:
    """The id of such a train: copies count by kind and by x, so that no two are the same."""
    return f"{letter}-{10 * 'FLE'.index(name.rstrip('x')[-1]) + name.count('x')}"


def letter_of(table: Table, name: str) -> str:
    """The letter of a train with this printed name."""
    kind, printed = KIND_OF[name.rstrip("x")[-1]], name.rstrip("x")
    letters = train_kinds_of(table.data)
    return next(letter for letter in letters if kind_of(table.data, letter).faces[kind].name == printed)


def command(table: Table, runs: dict[str, str]) -> RunTrains:
    """The company at turn runs trains by name over hexes given as text."""
    given = []
    for name, hexes in runs.items():
        hops = tuple(Hop(pair) for pair in pairwise(hexes.split()))
        given.append(TrainRun(train_named(letter_of(table, name), name), hops))
    return RunTrains(table.game.actor, tuple(given))


def earned(table: Table, runs: dict[str, str]) -> tuple[int, int]:
    """Revenue and subsidy of these runs, which must be legal; the table stays as it is."""
    twin = Table(table.game, table.data)
    (ran,) = earnings(twin.act(ADA, command(table, runs)))
    return ran.revenue, ran.treasury_income


def refused(table: Table, runs: dict[str, str]) -> tuple[str, str]:
    """Code and clause with which these runs are refused."""
    return table.refusal(ADA, command(table, runs))


def fill(table: Table, hex_id: str) -> None:
    """Other companies' tokens fill the city."""
    slots = len(map_of(table.game).tokens.get((hex_id, 0), ())) or 2
    free = slots - sum(bool(symbol) for symbol in map_of(table.game).tokens.get((hex_id, 0), ()))
    for company in FULL[:free]:
        table.token_stands(company, hex_id)
