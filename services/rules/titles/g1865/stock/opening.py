"""What a stock round of 1865 begins with: mines come down, companies move on the Dragon table, minors become majors (4.1)."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.kernel.choice import Choice
from services.rules.kernel.commands import Pass
from services.rules.kernel.draft import Draft
from services.rules.kernel.events import InterruptRaised, InterruptSettled
from services.rules.kernel.game import Game
from services.rules.kernel.passing import pass_candidates
from services.rules.kernel.questions import player_asked
from services.rules.kernel.rejections import reject_if
from services.rules.kernel.title import Action, Context, Step, never_refused
from services.rules.kernel.titledata import TitleData
from services.rules.parts.map.board import LaidTile, face, free_copies
from services.rules.parts.map.data import map_data
from services.rules.parts.map.events import CharterTokensSet
from services.rules.parts.map.hexes import EDGES
from services.rules.parts.map.laying import record_tile
from services.rules.parts.map.state import map_of, unplaced_tokens
from services.rules.parts.shares.companyturns import open_companies
from services.rules.parts.shares.shares import divide_shares
from services.rules.parts.shares.stockround import start_stock_round
from services.rules.parts.trains.state import phase_of
from services.rules.titles.g1865.commands import ConvertCompany
from services.rules.titles.g1865.companies import destination_of, is_major, president_of
from services.rules.titles.g1865.directroutes import routes_of
from services.rules.titles.g1865.events import TableRowSet
from services.rules.titles.g1865.figures import figures_of, phases_of, present_phase
from services.rules.titles.g1865.mines import MINE, mines_with_tokens
from services.rules.titles.g1865.rulings import plays
from services.rules.titles.g1865.state import own

CONVERSION = "1865.conversion"


def start_round(draft: Draft, context: Context, turn: int) -> None:
    """A stock round of the game turn begins, with mines, rows and conversions in this order (4.1-a)."""
    start_stock_round(draft, turn)
    _lower_mines(draft, context.data)
    _move_rows(draft, context.data)
    for company in open_companies(draft.game, context.data):
        if may_convert(draft.game, context.data, company):
            draft.emit(InterruptRaised(CONVERSION, president_of(draft.game, company), company))


def _lower_mines(draft: Draft, data: TitleData) -> None:
    """Every mine with a token comes down by one tile towards the colour of the phase (4.1-b to 4.1-e)."""
    colours = map_data(data).figures.tile_colours
    due = colours.index(present_phase(draft.game, data).mines)
    by_one = plays(draft.game, "mine_levels", "one")
    for hex_id, _ in mines_with_tokens(draft.game, data):
        colour = colours.index(face(data, map_of(draft.game).tiles, hex_id).colour)
        for level in range(colour + 1, due + 1)[: 1 if by_one else None]:
            laid = next_mine(draft.game, data, hex_id, colours[level])
            if laid is not None:
                record_tile(draft, data, "", hex_id, laid, upgrade=True)


def next_mine(game: Game, data: TitleData, hex_id: str, colour: str) -> LaidTile | None:
    """The mine tile of a colour, turned so that it keeps the exits of the one on the hex; None where none is left."""
    tiles, known = map_of(game).tiles, map_data(data)
    exits = face(data, tiles, hex_id).exits
    for tile in known.tiles.values():
        is_mine = [stop.kind for stop in tile.face.stops] == [MINE]
        copies = free_copies(data, tiles, tile.id)
        if tile.face.colour != colour or not is_mine or not copies:
            continue
        for rotation in EDGES:
            if known.faces[tile.id, rotation].exits == exits:
                return LaidTile(tile.id, rotation, copies[0])
    return None


def _move_rows(draft: Draft, data: TitleData) -> None:
    """A company on another row than the phase's moves one row down (4.1-f, 4.1-g)."""
    rows, phase = list(phases_of(data)), phase_of(draft.game)
    for company, row in list(own(draft.game).rows.items()):
        if row != phase:
            draft.emit(TableRowSet(company, rows[rows.index(row) + 1]))


def may_convert(game: Game, data: TitleData, company: str) -> bool:
    """Whether a minor is joined to its destination by a direct route, with or without a token there (4.7-f to 4.7-h)."""
    if is_major(game, data, company):
        return False
    goal = destination_of(game, data, company)
    return goal in routes_of(game, data, company) or company in map_of(game).tokens.get(goal, ())


def convert(draft: Draft, data: TitleData, company: str) -> None:
    """The certificates stand for 10 % each, five more are in the offer, and there are more tokens (4.1-i, 4.1-j, 4.8-c)."""
    divide_shares(draft, company, figures_of(data).major_shares, company)
    more = present_phase(draft.game, data).conversion_tokens
    set_charter(draft, company, len(unplaced_tokens(draft.game, company)) + more)


def set_charter(draft: Draft, company: str, tokens: int) -> None:
    """The company has so many tokens left, which cost nothing but their way (5.2-e)."""
    draft.emit(CharterTokensSet(company, (0,) * tokens))


def _check(game: Game, context: Context, player: str, command: ConvertCompany) -> None:
    reject_if(command.company != game.interrupts[0].company, "not_your_turn", "1865/4.1-h", command.company)


def _convert(draft: Draft, context: Context, player: str, command: ConvertCompany) -> None:
    draft.emit(InterruptSettled(CONVERSION, command.company))
    convert(draft, context.data, command.company)


def _candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
    yield Choice(player, ConvertCompany(game.interrupts[0].company))


def _decline(draft: Draft, context: Context, player: str, command: Pass) -> None:
    draft.emit(InterruptSettled(CONVERSION, draft.game.interrupts[0].company))


# Presidents are asked in operating order, and may decline (4.1-h).
ANSWER_CONVERSION = Step(
    "convert",
    {
        ConvertCompany: Action(_check, _convert, _candidates),
        Pass: Action(never_refused, _decline, pass_candidates),
    },
    player_asked,
)
