"""Do the parts of a title fit together? Every fault names file and key."""

from collections.abc import Iterable, Iterator

from services.rules.domain.hexes import opposite
from services.rules.domain.titledata import Company, TitleData, TrainKind


def faults(data: TitleData) -> list[str]:
    """All references to things that do not exist, and printed track that leads nowhere."""
    return [
        *_figure_faults(data),
        *_board_faults(data),
        *_tile_faults(data),
        *_company_faults(data),
        *_train_faults(data),
        *_phase_faults(data),
        *_market_faults(data),
    ]


def _figure_faults(data: TitleData) -> Iterator[str]:
    figures = data.figures
    least, most = figures.players
    if not 1 <= least <= most:
        yield f"title.toml: players: [{least}, {most}] is not a range"
    tables = {"starting_cash": figures.starting_cash, "certificate_limit": figures.certificate_limit}
    tables |= {f"companies_in_play {kind}": table for kind, table in figures.companies_in_play.items()}
    tables |= {f"licences {kind}": table for kind, table in figures.licences.items()}
    for name, table in tables.items():
        for players in range(least, most + 1):
            if players not in table:
                yield f"title.toml: {name}: no figure for {players} players"
    for event, train in figures.first_purchase.items():
        if train not in data.trains:
            yield f"title.toml: first_purchase {event}: there is no train {train!r}"


def _board_faults(data: TitleData) -> Iterator[str]:
    for hex_id, printed in data.hexes.items():
        for edge in sorted(printed.face.exits):
            other = data.neighbours[hex_id][edge]
            if other is None:
                yield f"board.toml: hexes {hex_id}: track leaves the map over edge {edge}"
            elif printed.face.colour in data.figures.fixed_colours:
                beyond = data.hexes[other].face
                if beyond.colour in data.figures.fixed_colours and opposite(edge) not in beyond.exits:
                    yield f"board.toml: hexes {hex_id}: track over edge {edge} meets no track of {other}"


def _tile_faults(data: TitleData) -> Iterator[str]:
    for tile in data.tiles.values():
        if tile.base and tile.base not in data.tiles:
            yield f"tiles.toml: tiles {tile.id}: base: there is no tile {tile.base!r}"
        for hex_id in tile.only_at:
            if hex_id not in data.hexes:
                yield f"tiles.toml: tiles {tile.id}: only_at: there is no hex {hex_id!r}"


def _company_faults(data: TitleData) -> Iterator[str]:
    for symbol, company in data.companies.items():
        where = f"companies.toml: companies {symbol}"
        yield from (f"{where}: {fault}" for fault in _relation_faults(company, data))
        home = company.home
        if home is not None and home.hex not in data.hexes:
            yield f"{where}: home: there is no hex {home.hex!r}"
        elif home is not None:
            stops = data.hexes[home.hex].face.stops
            if not (home.stop < len(stops) and stops[home.stop].slots):
                yield f"{where}: home: stop {home.stop} of {home.hex} has no token space"
        if company.certificates and sum(company.certificates) != 100:
            yield f"{where}: certificates: they add up to {sum(company.certificates)} percent"


def _relation_faults(company: Company, data: TitleData) -> Iterator[str]:
    exchange = company.exchange
    targets: Iterable[str | None] = (*company.linked, exchange.company if exchange else None)
    yield from (
        f"there is no company {target!r}" for target in targets if target and target not in data.companies
    )
    if exchange is not None and exchange.kind is not None and exchange.kind not in data.company_order:
        yield f"exchange: there is no kind {exchange.kind!r}"
    trains = (company.first_train, company.formed_by_train, exchange.forced_by_train if exchange else None)
    yield from (f"there is no train {train!r}" for train in trains if train and train not in data.trains)
    phases = exchange.optional_in_phases if exchange else ()
    yield from (f"exchange: there is no phase {phase!r}" for phase in phases if phase not in data.phases)


def _train_faults(data: TitleData) -> Iterator[str]:
    for train in data.trains.values():
        for other in _trains_named_by(train):
            if other not in data.trains:
                yield f"trains.toml: trains {train.name}: there is no train {other!r}"
        if train.price <= 0 or train.count < 0:
            yield f"trains.toml: trains {train.name}: price and count must be positive"


def _trains_named_by(train: TrainKind) -> Iterator[str]:
    yield from train.removed_by
    if train.trade_in is not None:
        yield train.trade_in.train
    if train.on_sale_from is not None:
        yield train.on_sale_from


def _phase_faults(data: TitleData) -> Iterator[str]:
    for phase in data.phases.values():
        where = f"phases.toml: phases {phase.name}"
        if phase.revenue not in data.figures.revenue_keys:
            yield f"{where}: revenue: {phase.revenue!r} is not a revenue key"
        for colour in phase.tiles:
            if colour not in data.figures.tile_colours:
                yield f"{where}: tiles: {colour!r} is no tile colour"
        for kind in phase.train_limit:
            if kind not in data.company_order:
                yield f"{where}: train_limit: there is no kind {kind!r}"


def _market_faults(data: TitleData) -> Iterator[str]:
    rows = data.market.rows
    for zone, cells in data.market.zones.items():
        for row, column in cells:
            if not (0 <= row < len(rows) and 0 <= column < len(rows[row])):
                yield f"market.toml: zones {zone}: there is no cell [{row}, {column}]"
