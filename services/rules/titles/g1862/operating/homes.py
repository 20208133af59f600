"""The home token of 1862: who can place it, and the upgrade or the displaced token that make room for it (3.2, 7.2)."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.kernel.choice import Choice
from services.rules.kernel.draft import Draft
from services.rules.kernel.events import ActionTaken
from services.rules.kernel.game import Game
from services.rules.kernel.rejections import reject_if
from services.rules.kernel.title import Action, Context, Step
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.turnstep import TurnStep
from services.rules.parts.map.board import city_slots, face
from services.rules.parts.map.boardview import has_token, home_city, view_of
from services.rules.parts.map.commands import LayTile
from services.rules.parts.map.data import map_data
from services.rules.parts.map.events import CharterTokensSet, TokenReplaced
from services.rules.parts.map.laying import allowed_lay, lay_of, legal_lays
from services.rules.parts.map.placing import place_next_token
from services.rules.parts.map.state import map_of, unplaced_tokens
from services.rules.parts.map.tilelay import AllowedLay, Position, TileLay
from services.rules.parts.map.trackstep import lay_choices
from services.rules.parts.shares.data import Home, cards_of
from services.rules.parts.shares.state import companies_of
from services.rules.parts.trains.state import phase_of
from services.rules.titles.g1862.companies import decides, in_receivership
from services.rules.titles.g1862.operating.smallstations import lay_tile
from services.rules.titles.g1862.rulings import plays


def home_of(data: TitleData, symbol: str) -> Home:
    """The home of a company as printed."""
    home = cards_of(data)[symbol].home
    assert home is not None, f"{symbol} has no home"
    return home


def home_place(game: Game, data: TitleData, symbol: str) -> tuple[str, int]:
    """The hex and city of a company's home."""
    home = home_of(data, symbol)
    return home.hex, home_city(data, map_of(game).tiles, home.hex, home.stop)


def has_home_token(game: Game, data: TitleData, symbol: str) -> bool:
    """Whether a token of the company stands in its home hex."""
    home, board = home_of(data, symbol).hex, map_of(game)
    cities = range(len(face(data, board.tiles, home).stops))
    return any(symbol in board.tokens.get((home, city), ()) for city in cities)


def lacks_home(game: Game, data: TitleData, symbol: str) -> bool:
    """Whether the company has still to place its home token; one in receivership does not (1862/7.2-a, 7.3-b)."""
    company = companies_of(game)[symbol]
    if (
        not unplaced_tokens(game, symbol)
        or in_receivership(game, symbol)
        or has_home_token(game, data, symbol)
    ):
        return False
    return not company.operated or not has_token(map_of(game).tokens, symbol)


def has_free_home_slot(game: Game, data: TitleData, symbol: str) -> bool:
    """Whether a slot of the home city is free (1862/3.2-d, 3.2-e)."""
    return "" in city_slots(data, map_of(game).tiles, map_of(game).tokens, home_place(game, data, symbol))


def home_upgrades(game: Game, data: TitleData, symbol: str) -> tuple[TileLay, ...]:
    """The upgrades of a full home hex that add a slot, with the tiles of the phase that are left (1862/3.2-f)."""
    home, city = home_place(game, data, symbol)
    slots = len(city_slots(data, map_of(game).tiles, map_of(game).tokens, (home, city)))

    def adding_a_slot() -> tuple[TileLay, ...]:
        lays = legal_lays(view_of(data, game), home_position(game, data, symbol), (home,))
        return tuple(
            lay for lay in lays if map_data(data).faces[lay.tile, lay.rotation].stops[city].slots > slots
        )

    return view_of(data, game).once(("home_upgrades", symbol, phase_of(game)), adding_a_slot)


def home_position(game: Game, data: TitleData, symbol: str) -> Position:
    """The map as a company finds it that builds on its home hex before it has a token (1862/7.2-g)."""
    view = view_of(data, game)
    found = view.reach(symbol)
    return Position(
        data,
        map_of(game).tiles,
        map_of(game).tokens,
        view.track,
        symbol,
        phase_of(game),
        found,
        anywhere=True,
    )


def can_place_home(game: Game, data: TitleData, symbol: str) -> bool:
    """Whether the company could place its home token: there is room, or an upgrade makes some (1862/3.2-d..g)."""
    return has_free_home_slot(game, data, symbol) or bool(home_upgrades(game, data, symbol))


def place_home(draft: Draft, data: TitleData, symbol: str) -> None:
    """Put the home token; without a free slot another token of the hex goes back to its charter (1862/7.2-e)."""
    game = draft.game
    home, city = home_place(game, data, symbol)
    slots = city_slots(data, map_of(game).tiles, map_of(game).tokens, (home, city))
    slot = slots.index("") if "" in slots else _make_room(draft, data, (home, city), slots)
    place_next_token(draft, symbol, (home, city), slot, len(slots), "home")


def _make_room(draft: Draft, data: TitleData, place: tuple[str, int], slots: tuple[str, ...]) -> int:
    game = draft.game
    slot = len(slots) - 1
    if plays(game, "displaced_token", "last_placed"):
        standing = [
            symbol for hex_id, symbol in map_of(game).placements if hex_id == place[0] and symbol in slots
        ]
        slot = slots.index(standing[-1])
    former = slots[slot]
    draft.emit(TokenReplaced(former, place[0], place[1], slot, "", "1862.displaced"))
    draft.emit(CharterTokensSet(former, tuple(sorted((*unplaced_tokens(game, former), 0)))))
    return slot


def settle_home(draft: Draft, data: TitleData, symbol: str) -> None:
    """Put a home token that is still to come, unless the hex has first to be upgraded for it (1862/7.2-a, 7.2-c)."""
    game = draft.game
    if lacks_home(game, data, symbol) and not _needs_upgrade(game, data, symbol):
        place_home(draft, data, symbol)


def _needs_upgrade(game: Game, data: TitleData, symbol: str) -> bool:
    return not has_free_home_slot(game, data, symbol) and bool(home_upgrades(game, data, symbol))


def _allowed_upgrade(game: Game, data: TitleData, command: LayTile) -> AllowedLay:
    """What the lay does; refuses whatever is no upgrade of the home hex that adds a slot (1862/7.2-c)."""
    home, city = home_place(game, data, command.company)
    reject_if(command.hex != home, "1862.home_first", "1862/7.2-c", home)
    position = home_position(game, data, command.company)
    outcome = allowed_lay(view_of(data, game), position, lay_of(command))
    before = face(data, map_of(game).tiles, home).stops[city].slots
    after = map_data(data).faces[command.tile, command.rotation].stops[city].slots
    reject_if(after <= before, "1862.home_first", "1862/7.2-c", command.tile)
    return outcome


def _check(game: Game, context: Context, player: str, command: LayTile) -> None:
    reject_if(command.company != game.actor, "not_your_turn", detail=command.company)
    _allowed_upgrade(game, context.data, command)


def _perform(draft: Draft, context: Context, player: str, command: LayTile) -> None:
    """Upgrade the home hex, which is the building action of the turn, and place the home token (1862/7.2-d)."""
    outcome = _allowed_upgrade(draft.game, context.data, command)
    lay_tile(draft, context.data, command.company, command.hex, outcome)
    draft.emit(ActionTaken("home_upgraded"))
    place_home(draft, context.data, command.company)


def _candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
    yield from lay_choices(game, context.data, player, home_upgrades(game, context.data, game.actor))


def _is_waiting(game: Game, context: Context) -> bool:
    return plays(game, "home_upgrade", "before_merging") and lacks_home(game, context.data, game.actor)


def _begin(draft: Draft, context: Context) -> None:
    settle_home(draft, context.data, draft.game.actor)


UPGRADE_HOME = Action(_check, _perform, _candidates)
HOME = TurnStep(Step("upgrade_home", {LayTile: UPGRADE_HOME}, decides), _is_waiting, _begin)
