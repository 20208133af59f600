"""Track in a railway's turn of 1865: a tile, and a second one for 20, with the traffic that an upgrade brings (5.1)."""

from __future__ import annotations

from services.rules.kernel.draft import Draft
from services.rules.kernel.game import Game
from services.rules.kernel.rejections import reject_if
from services.rules.kernel.titledata import TitleData
from services.rules.parts.map.board import face
from services.rules.parts.map.commands import LayTile
from services.rules.parts.map.data import map_data
from services.rules.parts.map.laying import record_lay
from services.rules.parts.map.state import map_of, track_turn
from services.rules.parts.map.tilelay import AllowedLay
from services.rules.parts.map.trackstep import LayTerms, lay_action
from services.rules.parts.shares.state import companies_of
from services.rules.titles.g1865.figures import figures_of
from services.rules.titles.g1865.mines import has_mine
from services.rules.titles.g1865.operating.turns import railway_step
from services.rules.titles.g1865.traffic import give_traffic, traffic_at


def _check_turn(game: Game, data: TitleData, command: LayTile) -> None:
    """No third tile, and no mine (5.1-a, 5.1-b, 5.1-i). Two may lie on the same hex (5.1-c)."""
    full = len(track_turn(game).laid) >= len(figures_of(data).tile_costs)
    reject_if(full, "tile_already_laid", "1865/5.1-a")
    mine = command.hex in map_data(data).hexes and has_mine(game, data, command.hex)
    reject_if(mine, "1865.mine_fixed", "1865/5.1-i", command.hex)


def _cost(game: Game, data: TitleData, hex_id: str) -> int:
    """The first tile of a turn costs nothing, the second 20 (5.1-b)."""
    costs = figures_of(data).tile_costs
    return costs[min(len(track_turn(game).laid), len(costs) - 1)]


def _record(draft: Draft, data: TitleData, company: str, hex_id: str, outcome: AllowedLay) -> None:
    """Every railway with a token in a city whose traffic rises gets the difference at once; towns give nothing (5.1-g, 5.1-h).

    A railway that has not started gets what its home shows when it does (4.6-e, faq-a)."""
    before = _traffic_of_cities(draft.game, data, hex_id)
    record_lay(draft, data, company, hex_id, outcome)
    for city, traffic in _traffic_of_cities(draft.game, data, hex_id).items():
        more = traffic - before[city]
        for owner in map_of(draft.game).tokens.get((hex_id, city), ()):
            if owner and companies_of(draft.game)[owner].opened:
                give_traffic(draft, owner, more, "upgrade", hex_id)


def _traffic_of_cities(game: Game, data: TitleData, hex_id: str) -> dict[int, int]:
    stops = face(data, map_of(game).tiles, hex_id).stops
    return {
        number: traffic_at(game, data, (hex_id, number))
        for number, stop in enumerate(stops)
        if stop.kind == "city"
    }


def _has_room(game: Game, data: TitleData) -> bool:
    """Whether the turn has room for another tile that the company can pay."""
    has_room = len(track_turn(game).laid) < len(figures_of(data).tile_costs)
    return has_room and _cost(game, data, "") <= game.money(game.actor)


# An upgrade keeps the track there is, and may keep the colour (5.1-e, 5.1-f).
TERMS = LayTerms(
    _check_turn,
    lambda game: "least_restrictive",
    too_dear="1865/5.1-b",
    record=_record,
    cost=_cost,
    may_keep_colour=True,
    has_room=_has_room,
)
BUILD = railway_step("lay_track", {LayTile: lay_action(TERMS)})
