"""The home token of 1862: who can place it, and the upgrade or the displaced token that make room for it (3.2, 7.2)."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.domain import events as e
from services.rules.domain.board import city_slots, face, token_cities
from services.rules.domain.boardview import has_token, home_city, view_of
from services.rules.domain.choice import Choice
from services.rules.domain.commands import LayTile
from services.rules.domain.draft import Draft
from services.rules.domain.game import Game
from services.rules.domain.laying import allowed_lay, lay_of, record_lay
from services.rules.domain.rejections import refuse_if
from services.rules.domain.tilelay import AllowedLay, Position, TileLay, legal_tiles
from services.rules.domain.title import Action, Context, Step
from services.rules.domain.titledata import TitleData
from services.rules.titles.g1862.companies import decides, in_receivership
from services.rules.titles.g1862.rulings import plays
from services.rules.titles.g1862.turnstep import TurnStep


def home_place(game: Game, data: TitleData, symbol: str) -> tuple[str, int]:
    """The hex and city of a company's home."""
    home = data.companies[symbol].home
    assert home is not None, f"{symbol} has no home"
    return home.hex, home_city(data, game.tiles, home.hex, home.stop)


def has_home_token(game: Game, data: TitleData, symbol: str) -> bool:
    """Whether a token of the company stands in its home hex."""
    home = home_place(game, data, symbol)[0]
    return any(hex_id == home for hex_id, _ in token_cities(game.tokens, symbol))


def lacks_home(game: Game, data: TitleData, symbol: str) -> bool:
    """Whether the company has still to place its home token; one in receivership does not (1862/7.2-a, 7.3-b)."""
    company = game.companies[symbol]
    if not company.charter or in_receivership(game, symbol) or has_home_token(game, data, symbol):
        return False
    return not company.operated or not has_token(game.tokens, symbol)


def has_free_home_slot(game: Game, data: TitleData, symbol: str) -> bool:
    """Whether a slot of the home city is free (1862/3.2-d, 3.2-e)."""
    return "" in city_slots(data, game.tiles, game.tokens, home_place(game, data, symbol))


def home_upgrades(game: Game, data: TitleData, symbol: str) -> tuple[TileLay, ...]:
    """The upgrades of a full home hex that add a slot, with the tiles of the phase that are left (1862/3.2-f)."""
    home, city = home_place(game, data, symbol)
    slots = len(city_slots(data, game.tiles, game.tokens, (home, city)))

    def adding_a_slot() -> tuple[TileLay, ...]:
        lays = legal_tiles(home_position(game, data, symbol), (home,))
        return tuple(lay for lay in lays if data.faces[lay.tile, lay.rotation].stops[city].slots > slots)

    return view_of(data, game).once(("home_upgrades", symbol, game.phase), adding_a_slot)


def home_position(game: Game, data: TitleData, symbol: str) -> Position:
    """The map as a company finds it that builds on its home hex before it has a token (1862/7.2-g)."""
    view = view_of(data, game)
    found = view.reach(symbol)
    return Position(data, game.tiles, game.tokens, view.track, symbol, game.phase, found, anywhere=True)


def can_place_home(game: Game, data: TitleData, symbol: str) -> bool:
    """Whether the company could place its home token: there is room, or an upgrade makes some (1862/3.2-d..g)."""
    return has_free_home_slot(game, data, symbol) or bool(home_upgrades(game, data, symbol))


def place_home(draft: Draft, data: TitleData, symbol: str) -> None:
    """Place the home token; without a free slot another token of the hex goes back to its charter (1862/7.2-e)."""
    game = draft.game
    home, city = home_place(game, data, symbol)
    slots = city_slots(data, game.tiles, game.tokens, (home, city))
    slot = slots.index("") if "" in slots else _make_room(draft, data, (home, city), slots)
    cost = game.companies[symbol].charter[0]
    draft.emit(e.TokenPlaced(symbol, home, city, slot, cost, "home", len(slots)))


def _make_room(draft: Draft, data: TitleData, place: tuple[str, int], slots: tuple[str, ...]) -> int:
    game = draft.game
    slot = len(slots) - 1
    if plays(game, "displaced_token", "last_placed"):
        standing = [symbol for hex_id, symbol in game.placements if hex_id == place[0] and symbol in slots]
        slot = slots.index(standing[-1])
    former = slots[slot]
    draft.emit(e.TokenReplaced(former, place[0], place[1], slot, "", "displaced"))
    draft.emit(e.CharterTokensSet(former, tuple(sorted((*game.companies[former].charter, 0)))))
    return slot


def settle_home(draft: Draft, data: TitleData, symbol: str) -> None:
    """Place a home token that is still to come, unless the hex has first to be upgraded for it (1862/7.2-a, 7.2-c)."""
    game = draft.game
    if lacks_home(game, data, symbol) and not _needs_upgrade(game, data, symbol):
        place_home(draft, data, symbol)


def _needs_upgrade(game: Game, data: TitleData, symbol: str) -> bool:
    return not has_free_home_slot(game, data, symbol) and bool(home_upgrades(game, data, symbol))


def check_home_upgrade(game: Game, data: TitleData, command: LayTile) -> AllowedLay:
    """Refuse whatever is no upgrade of the home hex that adds a slot (1862/7.2-c)."""
    home, city = home_place(game, data, command.company)
    refuse_if(command.hex not in data.hexes, "unknown_hex", detail=command.hex)
    refuse_if(command.hex != home, "home_first", "1862/7.2-c", home)
    position = home_position(game, data, command.company)
    outcome = allowed_lay(view_of(data, game), position, lay_of(command))
    before = face(data, game.tiles, home).stops[city].slots
    after = data.faces[command.tile, command.rotation].stops[city].slots
    refuse_if(after <= before, "home_first", "1862/7.2-c", command.tile)
    return outcome


def perform_home_upgrade(draft: Draft, data: TitleData, command: LayTile) -> None:
    """Upgrade the home hex, which is the building action of the turn, and place the home token (1862/7.2-d)."""
    outcome = check_home_upgrade(draft.game, data, command)
    record_lay(draft, data, command.company, command.hex, outcome)
    draft.emit(e.ActionTaken("home_upgraded"))
    place_home(draft, data, command.company)


def home_upgrade_choices(game: Game, data: TitleData, player: str) -> Iterator[Choice]:
    """Every upgrade of the home hex of the company at turn that makes room for its token."""
    for lay in home_upgrades(game, data, game.actor):
        yield Choice(player, LayTile(game.actor, lay.hex, lay.tile, lay.rotation))


def _check(game: Game, context: Context, player: str, command: LayTile) -> None:
    refuse_if(command.company != game.actor, "not_your_turn", detail=command.company)
    check_home_upgrade(game, context.data, command)


def _perform(draft: Draft, context: Context, player: str, command: LayTile) -> None:
    perform_home_upgrade(draft, context.data, command)


def _candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
    yield from home_upgrade_choices(game, context.data, player)


def _is_waiting(game: Game, context: Context) -> bool:
    return plays(game, "home_upgrade", "before_merging") and lacks_home(game, context.data, game.actor)


def _begin(draft: Draft, context: Context) -> None:
    settle_home(draft, context.data, draft.game.actor)


HOME = TurnStep(
    Step("upgrade_home", {LayTile: Action(_check, _perform, _candidates)}, decides), _is_waiting, _begin
)
